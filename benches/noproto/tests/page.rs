//! `docs/noproto.md` has the tables that the command makes of the recorded times, and of the sizes as
//! they are.

use std::fs;
use std::path::Path;

use noproto_benches::{recorded, sizes, tables};

#[test]
fn the_page_has_the_tables_that_are_made_of_what_was_recorded() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path| fs::read_to_string(root.join(path)).expect("a file").replace('\r', "");
    let times = recorded::read(&read("docs/recorded/noproto.jsonl")).expect("recorded times");
    assert_eq!(times.len(), 4 * 9, "each operation of each library");
    let tables = tables::all(&sizes::all(), &times);
    assert!(
        read("docs/noproto.md").contains(&format!("```text\n{tables}```\n")),
        "docs/noproto.md is to have:\n{tables}"
    );
}

#[test]
fn the_page_has_what_was_recorded_beside_the_published_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let read = |path| fs::read_to_string(root.join(path)).expect("a file").replace('\r', "");
    let recorded = read("recorded/noproto-upstream.txt");
    assert!(recorded.contains("no_proto 0.9.60") && recorded.contains("update"), "{recorded}");
    assert!(read("noproto.md").contains(&format!("```text\n{recorded}```\n")));
}

#[test]
fn a_file_that_is_not_a_record_is_refused() {
    assert_eq!(recorded::read("{\"operation\":\"encode\"}"), None);
    assert_eq!(recorded::read("no JSON"), None);
}
