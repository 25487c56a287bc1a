//! The message types in `benches/noproto/src/generated` are what the schema in
//! `benches/noproto/protos` generates, for the same reasons as those of `generated.rs`.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::path::Path;
use std::{env, fs};

/// Set to rewrite the committed files instead of comparing with them.
const UPDATE: &str = "UPDATE_GENERATED";

const SCHEMA: &str = "bench.proto";

/// How the committed files begin.
const HEADER: &str = "// Generated from `protos/bench.proto`; do not edit. To write it again:\n\
    // UPDATE_GENERATED=1 cargo test -p benchmarks-codegen --test noproto\n";

#[test]
fn the_types_of_prost_are_what_the_schema_generates() {
    let out = tempfile::tempdir().unwrap();
    let protos = package().join("protos");
    let descriptors = protox::compile([protos.join(SCHEMA)], [&protos]).unwrap();
    prost_build::Config::new().out_dir(out.path()).compile_fds(descriptors).unwrap();
    let code = fs::read_to_string(out.path().join("noproto.rs")).unwrap();
    assert_committed("prost.rs", &code);
}

#[test]
fn the_types_of_protobuf_are_what_the_schema_generates() {
    let out = tempfile::tempdir().unwrap();
    let protos = package().join("protos");
    protobuf_codegen_pure::Codegen::new()
        .out_dir(out.path())
        .input(protos.join(SCHEMA))
        .include(&protos)
        .run()
        .unwrap();
    let code = fs::read_to_string(out.path().join("bench.rs")).unwrap();
    assert_committed("protobuf.rs", &code);
}

fn package() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../noproto"))
}

/// Compares a file, with its header, with the committed one, or writes it if that was asked for.
fn assert_committed(name: &str, code: &str) {
    let code = format!("{HEADER}{code}");
    let path = package().join("src/generated").join(name);
    if env::var_os(UPDATE).is_some() {
        fs::write(&path, &code).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap().replace('\r', "");
    assert!(committed == code, "{name} is not what is generated: set {UPDATE}=1 to write it again");
}
