//! The allocation suites print what the gate reads, twice the same, with the figures asked for.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::collections::BTreeMap;
use std::env;
use std::process::{Command, Output};

use allocation_counts::{HEAP, ITERATIONS, SCHEMA};

/// Blocks and bytes of one iteration.
type Figures = BTreeMap<String, (u64, u64)>;

#[test]
fn the_allocations_of_messages_are_the_same_in_two_runs_and_what_was_asked_for() {
    let figures = twice("allocations");
    let figures_of = |id: &str| figures[&format!("dataset/google_message2/{id}/defiant")];

    let (blocks, bytes) = figures_of("decode");
    assert!(blocks <= 2 && bytes <= 520_000, "{blocks} blocks, {bytes} bytes");
    assert_eq!(figures_of("decode_with_capacity").0, 1);
    assert_eq!(figures_of("decode_reused"), (0, 0));
    assert_eq!(figures_of("decode_copied").0, 1, "the copy and the message are in one block");

    for (id, figures) in &figures {
        // A buffer that is large enough needs no other.
        if id.contains("/encode/") || id.contains("/encoded_len/") {
            assert_eq!(*figures, (0, 0), "{id}");
        }
    }
}

#[test]
fn the_allocations_of_streams_are_the_same_in_two_runs_and_none_once_warm() {
    let figures = twice("stream_allocations");
    for id in ["stream/write_1000/warm", "stream/read_1000/warm", "stream/read_1000/slice"] {
        assert_eq!(figures[id], (0, 0), "{id}");
    }
    let (blocks, bytes) = figures["stream/write_read_1000/lean"];
    assert!(bytes < 1024, "{blocks} blocks, {bytes} bytes");
    assert!(figures["stream/read_1000/v1"].0 >= 1000, "it owns each message");
}

#[test]
fn the_help_names_the_format_and_counts_nothing() {
    let help = run("allocations", "--help");
    assert!(help.contains(SCHEMA) && help.contains(HEAP), "{help}");
}

#[test]
fn the_heap_of_an_unknown_benchmark_is_an_error_and_not_an_empty_file() {
    let output = cargo("allocations", &["--heap", "dataset/none"]);
    assert!(!output.status.success());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("there is no benchmark dataset/none"), "{stderr}");
}

#[test]
fn the_heap_of_a_benchmark_goes_into_the_file_that_is_named() {
    let file = env::temp_dir().join(format!("heap-{}.json", std::process::id()));
    let id = "dataset/google_message2/decode/prost";
    let output = cargo("allocations", &["--heap", id, &file.to_string_lossy()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(text.contains(r#""dhatFileVersion": 2"#), "{}", &text[..80.min(text.len())]);
}

/// Runs a suite twice, asserts that it prints the same, and returns the figures.
fn twice(suite: &str) -> Figures {
    let first = run(suite, "--json");
    assert_eq!(first, run(suite, "--json"));
    first.lines().map(figures).collect()
}

fn run(suite: &str, argument: &str) -> String {
    let output = cargo(suite, &[argument]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Builds and runs a suite as it is built for this test. Cargo says where executables are only for
/// binaries, so this goes through Cargo.
fn cargo(suite: &str, arguments: &[&str]) -> Output {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap());
    cargo.args(["test", "--quiet", "--workspace", "--bench", suite]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let features = [
        ("xxhash", cfg!(feature = "xxhash")),
        ("crc32", cfg!(feature = "crc32")),
        ("crc16", cfg!(feature = "crc16")),
        ("comparative_bench", cfg!(feature = "comparative_bench")),
    ];
    // As `scripts/test` builds this test, so that nothing is built again.
    for (name, _) in features.iter().filter(|(_, enabled)| *enabled) {
        cargo.args(["--features", &format!("flatstream-benches/{name}")]);
    }
    cargo.arg("--").args(arguments).arg("--bench").output().unwrap()
}

/// Takes a line of the protocol apart, exactly as it is specified.
fn figures(line: &str) -> (String, (u64, u64)) {
    let rest = line.strip_prefix(&format!(r#"{{"schema":"{SCHEMA}","id":""#)).unwrap();
    let (id, rest) = rest.split_once(r#"","iterations":"#).unwrap();
    let (iterations, rest) = rest.split_once(r#","blocks":"#).unwrap();
    let (blocks, rest) = rest.split_once(r#","bytes":"#).unwrap();
    let (bytes, rest) = rest.split_once(r#","peak":"#).unwrap();
    let peak: u64 = rest.strip_suffix('}').unwrap().parse().unwrap();
    assert_eq!(iterations, ITERATIONS.to_string());

    let each = |total: &str| {
        let total: u64 = total.parse().unwrap();
        assert_eq!(total % ITERATIONS, 0, "{id}: iterations differ");
        total / ITERATIONS
    };
    assert!(peak <= each(bytes), "{id}: more was live than was ever asked for");
    (id.to_owned(), (each(blocks), each(bytes)))
}
