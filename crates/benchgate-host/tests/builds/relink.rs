#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::path::PathBuf;

use benchgate_core::model::Side;
use benchgate_host::measure::relink::{Relinked, relink};
use benchgate_host::sides::{BuiltSide, Executable};

use crate::support::{BENCH, Quiet, Repo, gate, output_of};

fn places(output: &str) -> &str {
    output.lines().find(|line| line.starts_with("places=")).unwrap()
}

/// Where what a suite was linked from is kept.
fn kept(suite: &Executable) -> PathBuf {
    suite.path.with_file_name(format!("{}.link", suite.key))
}

#[test]
fn each_side_is_linked_again_from_its_own_code_and_only_its_addresses_move() {
    only_addresses_move(|built| {
        let suite = &built.executables[0];
        let objects = std::fs::read_dir(kept(suite)).unwrap().count() - 1;
        assert_eq!(objects, 1, "of whole-program optimisation there is one");
        // Nothing can be compiled.
        std::fs::remove_dir_all(&built.target_dir).unwrap();
        std::fs::remove_dir_all(built.folder()).unwrap();
    });
}

#[test]
fn where_nothing_was_kept_each_side_is_compiled_once_more() {
    only_addresses_move(|built| {
        std::fs::remove_dir_all(kept(&built.executables[0])).unwrap();
        std::fs::remove_dir_all(&built.target_dir).unwrap();
    });
}

#[test]
fn where_what_was_kept_is_other_code_each_side_is_linked_from_its_build() {
    only_addresses_move(|built| {
        let path = kept(&built.executables[0]).join("arguments");
        std::fs::write(path, "-nostdlib\n1.o\n").unwrap();
    });
}

fn only_addresses_move(prepare: impl Fn(&BuiltSide)) {
    let repo = Repo::new();
    repo.write("package/benches/build_info.rs", &BENCH.replace("CODE: u64 = 1", "CODE: u64 = 2"));
    repo.commit("code");
    let build_dir = repo.build_dir();
    let [base, head] = repo.sides(&build_dir);
    [&base, &head].into_iter().for_each(prepare);
    // The head was built last: the base is linked again from older code.
    for (side, built, sum) in [(Side::Base, &base, "sum=3"), (Side::Head, &head, "sum=4")] {
        let suite = &built.executables[0];
        let relinked = relink(&build_dir, side, built, suite, &gate(), &[1, 2, 3], &Quiet).unwrap();
        let Relinked::Executables(moved) = relinked else { panic!("{relinked:?}") };
        let said: Vec<String> =
            moved.iter().map(|executable| output_of(&executable.path)).collect();
        assert!(
            said.iter().all(|said| said.contains(sum) && said.contains("aligned=true")),
            "{said:?}"
        );
        // They would be most of what so many files take.
        let bytes = |path: &std::path::Path| std::fs::metadata(path).unwrap().len();
        assert!(moved.iter().all(|moved| bytes(&moved.path) < bytes(&suite.path) / 2));
        let mut seen: Vec<&str> = said.iter().map(|said| places(said)).collect();
        seen.dedup();
        assert!(seen.len() > 1, "no function moved: {seen:?}");
    }
}

#[test]
fn a_repository_with_its_own_linker_is_not_linked_again_and_the_reason_is_given() {
    let repo = Repo::new();
    let host = "[target.x86_64-unknown-linux-gnu]\nlinker = \"cc\"\n";
    repo.write(".cargo/config.toml", host);
    repo.commit("linker");
    let build_dir = repo.build_dir();
    let head = repo.build(&build_dir, Side::Head, "HEAD");
    let suite = &head.executables[0];
    let relinked = relink(&build_dir, Side::Head, &head, suite, &gate(), &[1], &Quiet).unwrap();
    let Relinked::Unavailable(reason) = relinked else { panic!("{relinked:?}") };
    assert_eq!(reason, "the repository sets its own linker");
}
