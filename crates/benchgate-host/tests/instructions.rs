//! Counts instructions of real Criterion executables with the real valgrind.
//!
//! `scripts/evidence/gate-fixtures` builds them, from Criterion 0.3.5 to 0.8.2, and names them in
//! `CRITERION_EXECUTABLES`. Without that variable this test reports that it did not run.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use benchgate_core::model::SuiteKey;
use benchgate_core::policy::Measure;
use benchgate_host::Availability;
use benchgate_host::evidence::instructions::count;
use benchgate_host::harness::Criterion;
use benchgate_host::sides::Executable;

const TIMEOUT: Duration = Duration::from_secs(300);

/// Benchmarks of every version of the fixtures: a thousand steps of `mix` and more.
const TITLES: [&str; 2] = ["a (b)/c+d [1]", "sizes of input/mix/256"];

#[test]
fn an_iteration_of_real_criterion_is_counted_the_same_twice_or_there_is_a_reason() {
    let Some(executables) = std::env::var_os("CRITERION_EXECUTABLES") else {
        let message = "instructions were NOT counted: `scripts/test gate-fixtures` does it\n";
        std::io::stderr().write_all(message.as_bytes()).unwrap();
        return;
    };
    let has_valgrind = Command::new("valgrind").arg("--version").output().is_ok();
    for path in std::env::split_paths(&executables) {
        let scratch = tempfile::tempdir().unwrap();
        let suite = suite(&path, scratch.path());
        let counts = TITLES.map(|title| count(&suite, title, TIMEOUT, scratch.path()).unwrap());
        println!("{}: {counts:?}", path.display());
        for counted in counts {
            match counted {
                Availability::Available(instructions) => assert!(instructions > 1000),
                Availability::Unavailable(reason) if has_valgrind => panic!("{reason}"),
                Availability::Unavailable(reason) => {
                    assert_eq!(reason, "`valgrind` is not installed");
                }
            }
        }
    }
}

fn suite(path: &Path, scratch: &Path) -> Criterion {
    let executable = Executable {
        key: SuiteKey::new("fixture", "first"),
        path: path.to_owned(),
        arguments: Vec::new(),
        folder: scratch.to_owned(),
        declared: None,
        start: None,
        is_led: false,
        names: Vec::new(),
        neighbours: std::collections::BTreeSet::new(),
        sandbox: benchgate_host::system::sandbox::Sandbox::default(),
        own_folders: Vec::new(),
    };
    Criterion::open(executable, &Measure::default(), scratch).unwrap().unwrap()
}
