use benchgate_core::identity::Comparison;
use benchgate_host::sides::identity::identities;

use crate::support::{BENCH, Repo, output_of};

fn compared(repo: &Repo) -> Comparison {
    let build_dir = repo.build_dir();
    let [base, head] = repo.sides(&build_dir);
    // Each side prints the folder of its own checkout.
    for side in [&base, &head] {
        let folder = format!("folder={}\n", side.folder().join("package").display());
        assert!(output_of(&side.executables[0].path).contains(&folder));
    }
    identities(&base, &head, |_, _| true).unwrap().into_values().next().unwrap()
}

#[test]
fn prose_changes_no_machine_code_though_both_sides_know_their_folder() {
    let repo = Repo::new();
    repo.write("README.md", "new");
    repo.write(
        "package/benches/build_info.rs",
        &format!("{BENCH}\n// A comment that moves no line.\n"),
    );
    repo.commit("prose");
    let found = compared(&repo);
    let Comparison::SameCode { sections } = &found else { panic!("{found:?}") };
    assert!(sections.contains(&".rodata (the folder of the checkout)".to_owned()), "{sections:?}");
    // Line tables name the folder too, and are not loaded.
    assert!(sections.iter().any(|section| section.starts_with(".debug_")), "{sections:?}");
}

#[test]
fn a_comment_that_moves_a_line_changes_the_place_of_a_panic_and_no_instruction() {
    let repo = Repo::new();
    repo.write(
        "package/benches/build_info.rs",
        &BENCH.replace("#[inline(never)]", "// New.\n#[inline(never)]"),
    );
    repo.commit("comment");
    let found = compared(&repo);
    let Comparison::Differs { sections } = &found else { panic!("{found:?}") };
    assert!(sections.iter().all(|difference| difference.section != ".text"), "{sections:?}");
    assert!(sections.iter().all(|difference| difference.bytes > 0), "{sections:?}");
}

#[test]
fn one_changed_constant_is_different_code() {
    let repo = Repo::new();
    repo.write("package/benches/build_info.rs", &BENCH.replace("CODE: u64 = 1", "CODE: u64 = 2"));
    repo.commit("code");
    let found = compared(&repo);
    let Comparison::Differs { sections } = &found else { panic!("{found:?}") };
    assert!(sections.iter().any(|difference| difference.section == ".text"), "{sections:?}");
}
