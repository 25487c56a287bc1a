//! The message types in `benches/src/generated` are what the schemas in `benches/protos` generate.
//!
//! They are committed because the gate builds the benches of two commits from scratch: there, a
//! generator would be paid for twice and benches nothing. No `protoc` is needed to run this.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Set to rewrite the committed files instead of comparing with them.
const UPDATE: &str = "UPDATE_GENERATED";

const HEADER: &str = "\
// Generated from the schemas in `benches/protos`; do not edit. To write it anew:
// UPDATE_GENERATED=1 cargo test -p benchmarks-codegen
";

#[test]
fn the_committed_message_types_are_what_the_schemas_generate() {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let committed = benches.join("src/generated");
    let generated = generate(&benches.join("protos"));

    if env::var_os(UPDATE).is_some() {
        for stale in read_folder(&committed).keys().filter(|name| !generated.contains_key(*name)) {
            fs::remove_file(committed.join(stale)).unwrap();
        }
        for (name, code) in &generated {
            fs::write(committed.join(name), code).unwrap();
        }
    }

    let committed = read_folder(&committed);
    let names = |files: &BTreeMap<String, String>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&committed), names(&generated), "{}", advice("the set of files"));
    for (name, code) in &generated {
        // Not `assert_eq`: thousands of lines of code twice would bury the advice.
        assert!(committed[name] == *code, "{}", advice(name));
    }
}

fn advice(what: &str) -> String {
    format!(
        "{what} in benches/src/generated differs from what benches/protos generates; to write it \
         anew: {UPDATE}=1 cargo test -p benchmarks-codegen"
    )
}

/// File name to Rust code, one file per protobuf package, of all schemas in `protos`.
fn generate(protos: &Path) -> BTreeMap<String, String> {
    // Sorted, because messages of one package appear in the order of their files.
    let schemas: Vec<PathBuf> = read_folder(protos).keys().map(|name| protos.join(name)).collect();
    let descriptors = protox::compile(schemas, [protos]).unwrap();

    let out = tempfile::tempdir().unwrap();
    prost_build::Config::new().out_dir(out.path()).compile_fds(descriptors).unwrap();
    let with_header = |(name, code)| (name, format!("{HEADER}{code}"));
    read_folder(out.path()).into_iter().map(with_header).collect()
}

/// File name to content of every file in `folder`, with `\n` as line end whatever git checked out.
fn read_folder(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let file = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        (name, fs::read_to_string(entry.path()).unwrap().replace("\r\n", "\n"))
    };
    entries.map(file).collect()
}
