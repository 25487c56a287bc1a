use std::path::Path;
use std::process::Command;

use benchgate_core::policy::{Build, BuildProfile};
use benchgate_host::cargo::Workspace;
use benchgate_host::cargo::building::Building;
use benchgate_host::cargo::questions::Questions;
use benchgate_host::cargo::stand_ins::StandIns;
use benchgate_host::system::sandbox::Sandbox;

use crate::support::{Quiet, Repo, gate, output_of};

/// The variables that cargo reads flags from.
const VARIABLES: [&str; 4] =
    ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "CARGO_BUILD_TARGET"];

const OF_BUILD: &str = "[build]\nrustflags = [\"--cfg\", \"user_flag\"]\n";
const OF_CFG: &str = "[target.'cfg(unix)']\nrustflags = [\"--cfg\", \"user_flag\"]\n";
const HIDDEN: &str = "[build]\nrustflags = [\"--cfg\", \"hidden\"]\n";

/// Not a test itself: builds and runs the fixture in the environment that its parent set.
#[test]
#[ignore = "run by the tests below, each with its environment"]
fn child() {
    let top = std::env::var_os("FIXTURE").unwrap();
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let profile = if is_set("OWN_PROFILE") { BuildProfile::Own } else { BuildProfile::Gate };
    let build = Build { profile, align: !is_set("AS_IT_IS"), ..gate() };
    let workspace = Workspace::around(top.as_ref()).unwrap();
    let targets: Vec<_> = workspace.benches.iter().collect();
    let target = Path::new(&top).join("target");
    let (workspace, policy, scratch) = (&workspace, &build, target.join("scratch"));
    let building = Building {
        workspace,
        policy,
        target_dir: &target,
        questions: &Questions::about(top.as_ref(), &scratch.join("packages"), &scratch),
        options: &[],
        jobs: None,
        stand_ins: &StandIns::default(),
        linker: None,
        sandbox: &Sandbox::default(),
        progress: &Quiet,
    };
    let built = building.build(&targets).unwrap();
    println!("{}", output_of(built.executables.values().next().unwrap()));
}

/// The output of the executable when it is built with these variables.
/// Without whole-program optimisation, which costs seconds a build.
fn built_with(repo: &Repo, variables: &[(&str, &str)]) -> String {
    child_with(repo, &[variables, &[("OWN_PROFILE", "1")]].concat())
}

fn child_with(repo: &Repo, variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "flags::child", "--nocapture"]);
    for name in VARIABLES {
        command.env_remove(name);
    }
    command.env("FIXTURE", repo.top()).envs(variables.iter().copied());
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    // On one core the harness writes the test's name on the same line.
    let at = said.find("user_flag=").unwrap();
    said[at..].lines().next().unwrap().to_owned()
}

#[test]
fn the_users_flags_are_kept_with_ours_from_each_source_of_cargo() {
    let host = format!("[target.{}]\nrustflags = [\"--cfg\", \"user_flag\"]\n", host_triple());
    let both = "user_flag=true aligned=true sum=3";
    let of_files: [(&str, &str); 3] = [
        ("build.rustflags", OF_BUILD),
        ("target.<cfg>.rustflags, which hides build.rustflags", &format!("{HIDDEN}{OF_CFG}")),
        ("target.<triple>.rustflags, which hides build.rustflags", &format!("{HIDDEN}{host}")),
    ];
    let repo = Repo::new();
    for (source, text) in of_files {
        repo.write("package/.cargo/config.toml", text);
        assert_eq!(built_with(&repo, &[]), both, "{source}");
    }
    repo.write("package/.cargo/config.toml", HIDDEN);
    repo.write(".cargo/config.toml", OF_BUILD);
    assert_eq!(built_with(&repo, &[]), both, "build.rustflags of an outer folder");
    repo.write(".cargo/config.toml", HIDDEN);
    let of_variables = [
        ("CARGO_BUILD_RUSTFLAGS", "--cfg user_flag"),
        ("RUSTFLAGS", "--cfg user_flag"),
        ("CARGO_ENCODED_RUSTFLAGS", "--cfg\u{1f}user_flag"),
    ];
    for variable in of_variables {
        assert_eq!(built_with(&repo, &[variable]), both, "{}", variable.0);
    }
    // An empty variable hides the others too.
    let none = "user_flag=false aligned=true sum=3";
    repo.write(".cargo/config.toml", OF_BUILD);
    assert_eq!(built_with(&repo, &[("RUSTFLAGS", "")]), none, "an empty RUSTFLAGS");
}

#[test]
fn dependencies_are_aligned_with_and_without_whole_program_optimisation_unless_the_policy_forbids_it()
 {
    let repo = Repo::new();
    assert_eq!(child_with(&repo, &[]), "user_flag=false aligned=true sum=3");
    assert_eq!(built_with(&repo, &[]), "user_flag=false aligned=true sum=3");
    let as_it_is = built_with(&repo, &[("AS_IT_IS", "1")]);
    assert_eq!(as_it_is, "user_flag=false aligned=false sum=3");
}

fn host_triple() -> String {
    let done = Command::new("rustc").arg("-vV").output().unwrap();
    let said = String::from_utf8(done.stdout).unwrap();
    said.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}
