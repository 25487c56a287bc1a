//! Explains real Criterion executables with the real valgrind.
//!
//! `scripts/evidence/gate-fixtures` builds them as the gate does, from Criterion 0.3.5 to 0.8.2, and names them in
//! `CRITERION_EXECUTABLES`. Without that variable this test reports that it did not run. Planted slowdowns take
//! minutes to build: `scripts/evidence/explain-fixtures`.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use benchgate_core::explain::{Counted, Moved, explain};
use benchgate_core::model::{BenchmarkKey, Sides, SuiteKey};
use benchgate_core::policy::Measure;
use benchgate_core::report::explanation;
use benchgate_core::result::DifferenceKind;
use benchgate_host::evidence::explain::{Benchmark, count_often};
use benchgate_host::harness::Criterion;
use benchgate_host::sides::Executable;

const TIMEOUT: Duration = Duration::from_secs(300);

/// A thousand steps of `mix` in every version of the fixtures.
const TITLE: &str = "sizes of input/mix/256";

#[test]
fn the_function_that_does_the_work_is_named_and_a_side_does_not_differ_from_itself() {
    let Some(executables) = std::env::var_os("CRITERION_EXECUTABLES") else {
        let message = "nothing was explained: `scripts/test gate-fixtures` does it\n";
        std::io::stderr().write_all(message.as_bytes()).unwrap();
        return;
    };
    let has_valgrind = Command::new("valgrind").arg("--version").output().is_ok();
    for path in std::env::split_paths(&executables) {
        let scratch = tempfile::tempdir().unwrap();
        let suite = suite(&path, scratch.path());
        // Its checkout is gone: its files have their whole paths.
        let benchmark = Benchmark { suite: &suite, id: TITLE, checkout: Path::new("/nowhere") };
        let counted = match count_often(benchmark, TIMEOUT, scratch.path()).unwrap().into_result() {
            Ok(counted) => counted,
            Err(reason) if has_valgrind => panic!("{}: {reason}", path.display()),
            Err(reason) => {
                assert_eq!(reason, "`valgrind` is not installed");
                continue;
            }
        };
        let key = BenchmarkKey::new("fixture", "first", TITLE);
        let same = explain(&key, Sides::new(&counted, &counted), &Moved::new());
        assert!(same.is_flat && same.functions.is_empty(), "{same:?}");
        // Compared with a side that does nothing, everything is new.
        let nothing = [Counted::default()];
        let all = explain(&key, Sides::new(&nothing, &counted), &Moved::new());
        println!("{}: {}", path.display(), explanation::terminal(&all, None));
        let most = &all.functions[0];
        assert!(most.name.ends_with("mix") && most.file.ends_with("src/lib.rs"), "{most:?}");
        assert_eq!((most.kind, all.includes_setup), (DifferenceKind::New, false));
        let counts = [all.instructions.unwrap(), all.harness, all.setup].map(|sides| sides.head);
        let total: u64 = counts.iter().sum();
        let is_counted = counted.iter().any(|one| one.profile.total().abs_diff(total) <= 2);
        assert!(is_counted, "no count is {total}");
        for one in &counted {
            assert_eq!(Some(&one.profile.total()), one.profile.totals.get("Ir"), "callgrind's sum");
        }
        assert!(most.instructions.head > 5_000 && most.instructions.head * 20 > total * 19);
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
