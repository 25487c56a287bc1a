//! `benchgate doctor`, on machines that are folders.

use super::support::{Ran, Repo};

/// The files of a machine, written below a folder of their own.
fn machine(repo: &Repo, listing: &str) -> String {
    let root = repo.outside("machine");
    for file in listing.split("== /").skip(1) {
        let (path, text) = file.split_once('\n').unwrap();
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    root.to_str().unwrap().to_owned()
}

fn doctor(listing: &str, more: &[&str]) -> Ran {
    let repo = Repo::empty();
    let root = machine(&repo, listing);
    repo.benchgate(&[&["doctor", "--root", &root], more].concat())
}

const LAPTOP: &str = include_str!("../../../benchgate-core/src/doctor/fixtures/intel_laptop.txt");
const RUNNER: &str = include_str!("../../../benchgate-core/src/doctor/fixtures/intel_runner.txt");

#[test]
fn a_noisy_machine_is_reported_and_only_the_check_fails() {
    let ran = doctor(LAPTOP, &[]).expect(0);
    assert!(ran.stdout.starts_with("blocking  governor: powersave on 4 CPUs\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("no_turbo\nblocking  smt: on\n"), "{}", ran.stdout);
    let ran = doctor(LAPTOP, &["--check"]).expect(101);
    let expected = "nothing should be measured on this machine: 4 blocking";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn a_machine_that_was_set_up_passes_the_check() {
    let ran = doctor(RUNNER, &["--check"]).expect(0);
    assert!(!ran.stdout.contains("blocking"), "{}", ran.stdout);
}

#[test]
fn an_allowed_check_does_not_block() {
    let allowed = ["--allow", "governor", "--allow", "boost", "--allow", "smt", "--allow", "power"];
    let ran = doctor(LAPTOP, &[&allowed[..], &["--check"]].concat()).expect(0);
    assert!(ran.stdout.contains("advice    smt: on"), "{}", ran.stdout);
    let ran = doctor(LAPTOP, &["--allow", "turbo"]).expect(2);
    assert!(ran.stderr.contains("no check is called `turbo`"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("name one of: governor, energy-preference, boost"),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_json_has_every_point_with_its_reason() {
    let ran = doctor(LAPTOP, &["--json"]).expect(0);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["schema"], "benchgate.doctor/2");
    let points = json["points"].as_array().unwrap();
    let smt = points.iter().find(|point| point["name"] == "smt").unwrap();
    assert_eq!((smt["state"].as_str(), smt["found"].as_str()), (Some("blocking"), Some("on")));
    assert_eq!(smt["fix"], "echo off | sudo tee /sys/devices/system/cpu/smt/control");
    assert!(points.iter().all(|point| !point["why"].as_str().unwrap().is_empty()));
}

#[test]
fn this_machine_can_be_read_without_a_repository_around() {
    let repo = Repo::empty();
    std::fs::remove_dir_all(repo.path(".git")).unwrap();
    std::fs::remove_file(repo.path("Cargo.toml")).unwrap();
    let ran = repo.benchgate(&["doctor"]).expect(0);
    assert!(ran.stdout.contains(" GiB available"), "{}", ran.stdout);
}

#[test]
fn a_root_that_is_not_there_is_a_usage_error() {
    let repo = Repo::empty();
    let ran = repo.benchgate(&["doctor", "--root", "/no/such/folder"]).expect(2);
    assert!(ran.stderr.contains("there is no folder /no/such/folder"), "{}", ran.stderr);
}
