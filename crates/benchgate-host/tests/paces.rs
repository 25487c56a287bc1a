//! Measures real Criterion executables in both ways that a round can be asked for.
//!
//! `scripts/evidence/gate-fixtures` builds them, from Criterion 0.3.5 to 0.8.2, and names them in
//! `CRITERION_EXECUTABLES`. Without that variable this test reports that it did not run.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use std::io::Write as _;
use std::path::Path;

use benchgate_core::model::{Metric, Pace, SuiteKey};
use benchgate_core::policy::Measure;
use benchgate_core::stats::median;
use benchgate_host::harness::{Criterion, Request, Suite as _};
use benchgate_host::sides::Executable;

/// A benchmark of every version of the fixtures.
const TITLE: &str = "a (b)/c+d [1]";

/// Rounds of each pace, alternating, so that a slow phase of the machine is in both.
const ROUNDS: usize = 20;

/// How many times the one minimum may be the other, either way: a mistake in the count of iterations would be a
/// factor of two. They differ with the noise of the machine, because two samples have no lower quartile.
const APART: f64 = 1.6;

#[test]
fn the_values_of_both_paces_are_of_the_same_work() {
    let Some(executables) = std::env::var_os("CRITERION_EXECUTABLES") else {
        let message = "paces were NOT compared: `scripts/test gate-fixtures` does it\n";
        std::io::stderr().write_all(message.as_bytes()).unwrap();
        return;
    };
    let measure = Measure::default();
    let mut compared = 0;
    for path in std::env::split_paths(&executables) {
        let scratch = tempfile::tempdir().unwrap();
        let suite = suite(&path, &measure, scratch.path());
        if !suite.has_quick() {
            println!("{}: it has no --quick", path.display());
            continue;
        }
        let round = |pace| {
            let request = Request { pace, ..Request::new(&measure, scratch.path()) };
            suite.round(TITLE, &request).unwrap().unwrap().values[&Metric::TIME]
        };
        let pairs: Vec<(f64, f64)> =
            (0..ROUNDS).map(|_| (round(Pace::Quick), round(Pace::Settings))).collect();
        let ratios: Vec<f64> = pairs.iter().map(|(quick, settings)| quick / settings).collect();
        let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
        let quick = least(&mut pairs.iter().map(|(quick, _)| *quick));
        let ratio = quick / least(&mut pairs.iter().map(|(_, settings)| *settings));
        let of_medians = median(&ratios).unwrap();
        println!("{}: quick / settings: minima {ratio:.3}, median {of_medians:.3}", path.display());
        assert!((1.0 / APART..APART).contains(&ratio), "{}: {pairs:?}", path.display());
        compared += 1;
    }
    assert!(compared > 0, "no executable has --quick");
}

fn suite(path: &Path, measure: &Measure, scratch: &Path) -> Criterion {
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
    Criterion::open(executable, measure, scratch).unwrap().unwrap()
}
