//! `docs/evidence/noproto.md` has the tables that the command makes of the recorded times, and of the sizes as
//! they are.

use std::fs;
use std::path::Path;

use noproto_benches::timing::OPERATIONS;
use noproto_benches::{recorded, sizes, tables};

#[test]
fn the_page_has_the_tables_that_are_made_of_what_was_recorded() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path| fs::read_to_string(root.join(path)).expect("a file").replace('\r', "");
    let times =
        recorded::read(&read("docs/evidence/recorded/noproto.jsonl")).expect("recorded times");
    for operation in OPERATIONS {
        let libraries = times.iter().filter(|time| time.operation == operation).count();
        assert_eq!(libraries * 4, times.len(), "each operation of each library that was recorded");
    }
    let tables = tables::all(&sizes::all(), &times);
    assert!(
        read("docs/evidence/noproto.md").contains(&format!("```text\n{tables}```\n")),
        "docs/evidence/noproto.md is to have:\n{tables}"
    );
}

/// The record may be withdrawn: then the page says so, and by which command there is one again.
#[test]
fn the_page_has_what_was_recorded_beside_the_published_crate_or_says_that_there_is_no_record() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/evidence");
    let read = |path| fs::read_to_string(root.join(path)).expect("a file").replace('\r', "");
    let page = read("noproto.md");
    if !root.join("recorded/noproto-upstream.txt").exists() {
        assert!(page.contains(
            "scripts/evidence/noproto-upstream >docs/evidence/recorded/noproto-upstream.txt"
        ));
        return;
    }
    let recorded = read("recorded/noproto-upstream.txt");
    assert!(recorded.contains("no_proto 0.9.60") && recorded.contains("update"), "{recorded}");
    assert!(recorded.contains("by name, ns"), "the published crate has names: {recorded}");
    assert!(page.contains(&format!("```text\n{recorded}```\n")));
    if let Some(occasion) = occasion(&recorded) {
        let words = ["rustc ", "noproto at ", "no_proto 0.9.60"];
        assert!(words.iter().all(|word| occasion.contains(word)), "{occasion}");
    }
}

/// The line that says when, on what and with what it was recorded. Older records have none.
fn occasion(recorded: &str) -> Option<&str> {
    recorded.strip_prefix("# ")?.lines().next()
}

#[test]
fn the_line_about_a_record_is_its_first_if_it_has_one() {
    let table = "             noproto, ns\nencode  1.0\n";
    assert_eq!(occasion(table), None);
    assert_eq!(occasion(&format!("# 2026-11-25; a CPU\n{table}")), Some("2026-11-25; a CPU"));
}

#[test]
fn a_file_that_is_not_a_record_is_refused() {
    assert_eq!(recorded::read("{\"operation\":\"encode\"}"), None);
    assert_eq!(recorded::read("no JSON"), None);
}
