//! Without the variable: a small Criterion.

use std::process::{Command, Output};

use crate::built::{VERSIONS, folder, programs};

fn run(version: &str, program: &str, arguments: &[&str]) -> Output {
    Command::new(folder(version).join(program)).args(arguments).output().unwrap()
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
