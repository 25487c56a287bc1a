//! Without the variable: a small Criterion.

use std::process::{Command, Output};

use crate::built::{VERSIONS, folder, programs};

fn run(version: &str, program: &str, arguments: &[&str]) -> Output {
    let executable = folder(version).join(program);
    Command::new(executable).args(arguments).env("TERM", "dumb").output().unwrap()
}

/// Stdout of a run that ends well.
fn shown(version: &str, program: &str, arguments: &[&str]) -> String {
    let done = run(version, program, arguments);
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{version} {program} {arguments:?}: {errors}");
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn every_program_compiles_without_a_warning_and_runs_with_every_version() {
    for version in VERSIONS {
        for program in programs(version) {
            // The one benchmark that calls no iter method panics, as upstream.
            if program != "iterations" {
                shown(version, program, &["--test"]);
            }
        }
    }
}

#[test]
fn a_closure_without_an_iter_method_panics_as_upstream() {
    let done = run("0.5.1", "iterations", &["--test"]);
    let errors = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(101));
    let expected = "Benchmark function must call Bencher::iter or related method.";
    assert!(errors.contains(expected), "{errors}");
}

#[test]
fn lists_are_printed_as_by_the_version() {
    for version in ["0.3.6", "0.4.0"] {
        let listed = shown(version, "panics", &["--bench", "--list"]);
        assert_eq!(listed, "first: bench\n\nsecond: bench\n\nthird: bench\n\n", "{version}");
    }
    for version in ["0.5.1", "0.6.0", "0.7.0", "0.8.2"] {
        let listed = shown(version, "panics", &["--list"]);
        let expected = "first: benchmark\n\nsecond: benchmark\n\nthird: benchmark\n\n";
        assert_eq!(listed, expected, "{version}");
        let listed = shown(version, "panics", &["--list", "--format", "terse", "--bench"]);
        assert_eq!(listed, "first: benchmark\nsecond: benchmark\nthird: benchmark\n", "{version}");
    }
}

#[test]
fn a_title_is_numbered_and_cut_as_upstream() {
    let listed = shown("0.8.2", "ids", &["--list", "--format=terse"]);
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(
        lines[..3],
        ["same/id: benchmark", "same/id #2: benchmark", "same/id #3: benchmark"]
    );
    let cut = format!("{}...: benchmark", "ä".repeat(50));
    assert!(lines.contains(&cut.as_str()), "{listed}");
}

#[test]
fn a_filter_chooses_by_expression_or_by_the_whole_id() {
    let chosen = |arguments: &[&str]| {
        let all = [&["--list", "--format", "terse"], arguments].concat();
        shown("0.8.2", "types", &all).replace(": benchmark", "").replace('\n', " ")
    };
    assert_eq!(chosen(&["^input/3$"]), "input/3 ");
    assert_eq!(chosen(&["s/(cow|c)$"]), "names/cow names/c ");
    assert_eq!(chosen(&["names/c", "--exact"]), "names/c ");
    assert_eq!(chosen(&["names/c.", "--exact"]), "");
    assert_eq!(chosen(&["--sample-size", "10", "^any$"]), "any ");
    assert_eq!(chosen(&["--ignored"]), "");
    let done = run("0.8.2", "types", &["a("]);
    assert_eq!(done.status.code(), Some(101));
}

/// The stand-in's own expressions, where the project does not have the crate regex.
#[test]
fn an_expression_matches_as_in_the_crate_regex_or_is_refused() {
    for (expression, matches) in [
        ("first", true),
        ("irs", true),
        ("^irs", false),
        ("irs$", false),
        ("^first$", true),
        ("^f.rst$", true),
        ("^f.*t$", true),
        ("^f[a-j]rs+t?$", true),
        ("^f[^a-j]rst$", false),
        ("x|^fir|y", true),
        ("^(x|(?:fi)+)rst", true),
        ("^(a*)*first", true),
        ("^x*?first$", true),
        (r"^\w+$", true),
        (r"\d|\s", false),
        (r"^\D[\w]\Sst\b$", true),
        (r"\Bfirst", false),
        (r"fi\.rst", false),
        ("", true),
        ("[-f]i", true),
    ] {
        let listed = shown("0.8.2", "panics", &["--list", "--format", "terse", "--", expression]);
        assert_eq!(listed.contains("first"), matches, "{expression}");
    }
    for refused in
        ["(", ")", "[a", "[", "*", "a**", "a{2}", "(?i)a", r"\p{L}", "[[a]]", "[z-a]", r"a\"]
    {
        let done = run("0.8.2", "panics", &["--list", "--", refused]);
        let errors = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(101), "{refused}");
        assert!(errors.contains("as a regular expression: "), "{refused}: {errors}");
    }
}

#[test]
fn test_mode_runs_each_once_and_measuring_prints_a_line_for_each() {
    let tested = shown("0.5.1", "panics", &[]);
    assert_eq!(
        tested,
        "Testing first\nSuccess\n\nTesting second\nSuccess\n\nTesting third\nSuccess\n\n"
    );
    assert_eq!(shown("0.5.1", "panics", &["--bench", "--test"]), tested);
    let measured = shown("0.5.1", "measurement", &["--bench", "--unknown", "custom|time"]);
    let lines: Vec<&str> = measured.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 2, "{measured}");
    assert!(lines[0].starts_with("time                    time:   ["), "{measured}");
    assert!(lines[1].contains("[1024.0 B 1024.0 B 1024.0 B]"), "{measured}");
}

#[test]
fn a_profiler_is_called_around_each_benchmark() {
    let profiled = shown("0.8.2", "settings", &["--bench", "--profile-time", "0.01", "sett"]);
    assert_eq!(profiled, "profile settings in elsewhere/settings/profile\nprofiled settings\n\n");
}
