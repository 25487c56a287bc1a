#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use benchgate_core::model::Side;
use benchgate_host::relink::{Relinked, relink};

use crate::support::{BENCH, Quiet, Repo, gate, told};

fn places(told: &str) -> &str {
    told.lines().find(|line| line.starts_with("places=")).unwrap()
}

#[test]
fn each_side_is_linked_again_from_its_own_code_and_only_its_addresses_move() {
    let repo = Repo::new();
    repo.write("package/benches/tell.rs", &BENCH.replace("CODE: u64 = 1", "CODE: u64 = 2"));
    repo.commit("code");
    let workshop = repo.workshop();
    let [base, head] = repo.sides(&workshop);
    // The head was built last: the base has to be built again from older sources.
    for (side, built, sum) in [(Side::Base, &base, "sum=3"), (Side::Head, &head, "sum=4")] {
        let suite = &built.executables[0];
        let relinked = relink(&workshop, side, built, suite, &gate(), &[1, 2, 3], &Quiet).unwrap();
        let Relinked::Executables(moved) = relinked else { panic!("{relinked:?}") };
        let said: Vec<String> = moved.iter().map(|executable| told(&executable.path)).collect();
        assert!(
            said.iter().all(|said| said.contains(sum) && said.contains("aligned=true")),
            "{said:?}"
        );
        let mut seen: Vec<&str> = said.iter().map(|said| places(said)).collect();
        seen.dedup();
        assert!(seen.len() > 1, "no function moved: {seen:?}");
    }
}

#[test]
fn a_repository_with_a_linker_of_its_own_is_told_so() {
    let repo = Repo::new();
    let host = "[target.x86_64-unknown-linux-gnu]\nlinker = \"cc\"\n";
    repo.write(".cargo/config.toml", host);
    repo.commit("linker");
    let workshop = repo.workshop();
    let head = repo.build(&workshop, Side::Head, "HEAD");
    let suite = &head.executables[0];
    let relinked = relink(&workshop, Side::Head, &head, suite, &gate(), &[1], &Quiet).unwrap();
    let Relinked::Unavailable(reason) = relinked else { panic!("{relinked:?}") };
    assert_eq!(reason, "the repository chooses its own linker");
}
