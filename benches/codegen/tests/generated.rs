//! The message types in `benches/protobuf/src/generated` and `benches/src/generated` are what the schemas in
//! `benches/protos` generate.
//!
//! They are committed because the gate builds the benches of two commits from scratch: there, a
//! generator would be paid for twice and benches nothing. No `protoc` is needed to run this. Pilota's generator takes a
//! minute to compile, so it runs with the feature `pilota` alone, and formats with the `rustfmt` of the toolchain.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use sha2::{Digest, Sha256};

/// Set to rewrite the committed files instead of comparing with them.
const UPDATE: &str = "UPDATE_GENERATED";

const HEADER: &str = "\
// Generated from the schemas in `benches/protos`; do not edit. To write it again:
// UPDATE_GENERATED=1 cargo test -p benchmarks-codegen
";

/// The code generator of one library.
struct Generator {
    /// The folder for it in each of [`PACKAGES`].
    library: &'static str,
    /// Writes code for the schemas in the first folder into the second.
    generate: fn(&Path, &Path),
}

/// The folders of what is generated, and the file that is in the second one alone: the suites of flatstream need no other
/// message.
const PACKAGES: [&str; 2] = ["protobuf/src/generated", "src/generated"];
const FLATSTREAM: &str = "benchmarks.telemetry.rs";

/// One line for each library.
const GENERATORS: &[Generator] = &[
    Generator { library: "defiant", generate: defiant },
    #[cfg(feature = "pilota")]
    Generator { library: PILOTA, generate: pilota },
    Generator { library: "prost", generate: prost },
];

const PILOTA: &str = "pilota";

/// Schemas that pilota generates code for: it has no groups, of which `google_message2` consists.
/// Its code for them compiles and then refuses every message.
const PILOTA_SCHEMAS: [&str; 2] = ["google_message1_proto2.proto", "google_message1_proto3.proto"];

/// Types to write as JSON: the messages of the suite `sbe`.
const JSON: [&str; 2] = [".benchmarks.robobuffers.Car", ".benchmarks.robobuffers.MarketData"];

fn defiant(protos: &Path, out: &Path) {
    let descriptors = protox::compile(schemas(protos), [protos]).unwrap();
    defiant_build::Config::new().out_dir(out).serde(JSON).compile_fds(descriptors).unwrap();
}

#[cfg(feature = "pilota")]
fn pilota(protos: &Path, out: &Path) {
    pilota_build::Builder::pb()
        // Without services, everything counts as unused and the module would be empty.
        .ignore_unused(false)
        .include_dirs(vec![protos.to_owned()])
        .compile(
            PILOTA_SCHEMAS.map(|schema| protos.join(schema)),
            pilota_build::Output::File(out.join("pilota.rs")),
        );
}

/// What pilota's code was made of and is, in the line before it.
fn origin(protos: &Path, code: &str) -> String {
    let lock = fs::read_to_string(protos.join("../../Cargo.lock")).unwrap();
    let (_, entry) = lock.split_once("name = \"pilota-build\"\nversion = \"").unwrap();
    let (version, _) = entry.split_once('"').unwrap();
    let schemas = PILOTA_SCHEMAS.map(|schema| read(&protos.join(schema)));
    let mut digest = Sha256::new();
    for text in schemas.iter().map(String::as_str).chain([code]) {
        digest.update(text.len().to_le_bytes());
        digest.update(text);
    }
    let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "// With `--features pilota`. By pilota-build {version}; digest of schemas and code: {digest}\n"
    )
}

fn prost(protos: &Path, out: &Path) {
    let descriptors = protox::compile(schemas(protos), [protos]).unwrap();
    let mut json = pbjson_build::Builder::new();
    for file in &descriptors.file {
        json.register_file_descriptor(file.clone());
    }
    json.out_dir(out).build(&JSON).unwrap();
    prost_build::Config::new().out_dir(out).compile_fds(descriptors).unwrap();
}

#[test]
fn the_committed_message_types_are_what_the_schemas_generate() {
    let benches = benches();
    let protos = benches.join("protos");
    for Generator { library, generate } in GENERATORS {
        let out = tempfile::tempdir().unwrap();
        generate(&protos, out.path());
        let with_header = |(name, code): (String, String)| {
            let origin = if *library == PILOTA { origin(&protos, &code) } else { String::new() };
            (name, format!("{HEADER}{origin}{code}"))
        };
        let generated = read_folder(out.path()).into_iter().map(with_header);
        let (of_flatstream, others) = generated.partition(|(name, _)| name == FLATSTREAM);
        for (package, generated) in PACKAGES.iter().zip([others, of_flatstream]) {
            assert_committed(&generated, &benches.join(package).join(library), library);
        }
    }
}

#[cfg(not(feature = "pilota"))]
#[test]
fn pilotas_code_is_of_these_schemas_and_of_the_version_in_the_lock_file() {
    let committed = read(&benches().join(PACKAGES[0]).join("pilota/pilota.rs"));
    let (header, code) = committed.split_at(committed.find("pub mod").unwrap());
    let expected = format!("{HEADER}{}", origin(&benches().join("protos"), code));
    assert!(header == expected, "{} --features pilota", advice("pilota/pilota.rs"));
}

fn benches() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Compares the files of one library, or writes them if that was asked for.
fn assert_committed(generated: &BTreeMap<String, String>, folder: &Path, library: &str) {
    if generated.is_empty() && !folder.exists() {
        return;
    }
    if env::var_os(UPDATE).is_some() {
        fs::create_dir_all(folder).unwrap();
        for stale in read_folder(folder).keys().filter(|name| !generated.contains_key(*name)) {
            fs::remove_file(folder.join(stale)).unwrap();
        }
        for (name, code) in generated {
            fs::write(folder.join(name), code).unwrap();
        }
    }

    let committed = read_folder(folder);
    let names = |files: &BTreeMap<String, String>| files.keys().cloned().collect::<Vec<_>>();
    let advice = |what: &str| advice(&format!("{library}/{what}"));
    assert_eq!(names(&committed), names(generated), "{}", advice("the set of files"));
    for (name, code) in generated {
        // Not `assert_eq`: thousands of lines of code twice would bury the advice.
        assert!(committed[name] == *code, "{}", advice(name));
    }
}

fn advice(what: &str) -> String {
    format!(
        "{what} in the generated code of benches differs from what benches/protos generates; to write it again: \
         {UPDATE}=1 cargo test -p benchmarks-codegen"
    )
}

/// All schemas of protobuf in `protos`, sorted, because messages of one package appear in the order of their
/// files.
fn schemas(protos: &Path) -> Vec<PathBuf> {
    let names = read_folder(protos).into_keys().filter(|name| name.ends_with(".proto"));
    names.map(|name| protos.join(name)).collect()
}

/// The text of a file, with `\n` as line end whatever git checked out.
fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap().replace("\r\n", "\n")
}

/// File name to content of every file in `folder`.
fn read_folder(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let file = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        (name, read(&entry.path()))
    };
    entries.map(file).collect()
}
