//! What runs of the base's suites read of its checkout, kept for later runs with the same base.

use std::collections::{BTreeMap, BTreeSet};

use benchgate_core::affected::Observed;
use benchgate_core::judge::{Observation, Outcome};
use benchgate_core::model::{BenchmarkKey, SuiteKey};
use benchgate_core::result::SuiteReport;
use benchgate_host::system::interrupt;

use super::build::Built;
use crate::error::CommandError;

/// Keeps what was observed of the base, while it was asked and while it was measured. Returns a notice where nothing can be
/// observed.
pub(super) fn keep(
    built: &Built<'_>,
    measured: Option<Result<Observed, String>>,
    observations: &[Observation],
) -> Result<Option<String>, CommandError> {
    let Some(base) = &built.sides.base.built else { return Ok(None) };
    let (asked, measured) = match (built.asked.clone(), measured) {
        (Some(Ok(asked)), Some(Ok(measured))) => (asked, measured),
        (Some(Err(reason)), _) | (_, Some(Err(reason))) => {
            let notice = "what the base reads was not observed, so what its sources name counts";
            return Ok(Some(format!("{notice}: {reason}")));
        }
        _ => return Ok(None),
    };
    let plan = built.plan;
    let run = Run {
        is_of_all: plan.is_whole(),
        is_compiled: plan.build_dir.has_compiled_again(),
        is_interrupted: interrupt::is_interrupted(),
        has_earlier: plan.attempt.previous.is_some() || plan.attempt.interrupted.is_some(),
    };
    let read = run.read(asked, measured);
    let inventory = &built.sides.base.inventory;
    let own = base.executables.iter().filter(|executable| {
        let key = &executable.key;
        executable.declared.is_none() && !built.same.contains_key(key) && inventory.has(key)
    });
    let own = own.map(|executable| &executable.key);
    let (keys, left_out) = (inventory.keys(), &inventory.suites_left_out);
    let kept = base.keep_observed(of_suites(own, &read, &keys, left_out, observations));
    // A disk that is full loses no result.
    Ok(kept
        .err()
        .map(|error| format!("what the base reads was observed, and is not kept: {error}")))
}

/// What a run was, as far as it decides whether all that it reads was observed.
#[derive(Clone, Copy)]
struct Run {
    /// Whether every suite and every benchmark is requested.
    is_of_all: bool,
    /// Whether the compiler ran while benches were measured: it reads what no bench does.
    is_compiled: bool,
    is_interrupted: bool,
    /// Whether there are values of an earlier run, whose reads nobody observed now.
    has_earlier: bool,
}

impl Run {
    /// What was read while suites were asked and while they were measured; whole unless the run was not.
    fn read(self, asked: Observed, measured: Observed) -> Observed {
        let Self { is_of_all, is_compiled, is_interrupted, has_earlier } = self;
        let mut read = asked;
        if !is_compiled {
            read.add(measured);
        }
        let is_whole = is_of_all && !is_compiled && !is_interrupted && !has_earlier;
        Observed { is_whole, ..read }
    }
}

/// The benchmarks of the base that were measured in rounds.
fn ran(observations: &[Observation]) -> BTreeSet<BenchmarkKey> {
    let measured = observations.iter().filter_map(|observation| match &observation.outcome {
        Outcome::Compared { evidence, renamed_from } if !evidence.all().base.is_empty() => {
            Some(renamed_from.clone().unwrap_or_else(|| observation.key.clone()))
        }
        _ => None,
    });
    measured.collect()
}

/// What was read, for each of these suites: the whole where all its benchmarks ran. Those that count do so while they are
/// asked.
fn of_suites<'k>(
    suites: impl Iterator<Item = &'k SuiteKey>,
    read: &Observed,
    keys: &BTreeSet<BenchmarkKey>,
    left_out: &[SuiteReport],
    observations: &[Observation],
) -> BTreeMap<SuiteKey, Observed> {
    let ran = ran(observations);
    let of = |suite: &SuiteKey| {
        let failed = left_out.iter().any(|left_out| left_out.key() == *suite);
        let is_all = keys.iter().filter(|key| key.is_of(suite)).all(|key| ran.contains(key));
        let is_whole = read.is_whole && !failed && is_all;
        (suite.clone(), Observed { is_whole, ..read.clone() })
    };
    suites.map(of).collect()
}

#[cfg(test)]
mod tests {
    use benchgate_core::model::{Evidence, Metric, Side};

    use super::*;

    const WHOLE: Run =
        Run { is_of_all: true, is_compiled: false, is_interrupted: false, has_earlier: false };

    #[test]
    fn of_a_run_that_is_not_whole_not_all_that_benches_read_was_observed() {
        let of = |file: &str| Observed { files: [file.to_owned()].into(), ..Observed::default() };
        for (run, files, is_whole) in [
            (WHOLE, "asked measured", true),
            (Run { is_of_all: false, ..WHOLE }, "asked measured", false),
            // What the compiler reads is not told from what benches do.
            (Run { is_compiled: true, ..WHOLE }, "asked", false),
            (Run { is_interrupted: true, ..WHOLE }, "asked measured", false),
            (Run { has_earlier: true, ..WHOLE }, "asked measured", false),
        ] {
            let read = run.read(of("asked"), of("measured"));
            let found = read.files.into_iter().collect::<Vec<_>>().join(" ");
            assert_eq!((&*found, read.is_whole), (files, is_whole));
        }
    }

    fn speed() -> SuiteKey {
        SuiteKey::new("p", "speed")
    }

    fn observation(id: &str, outcome: Outcome) -> Observation {
        Observation { key: speed().benchmark(id), metric: Metric::TIME, outcome }
    }

    /// A benchmark that was measured in this many rounds of the base.
    fn measured(id: &str, rounds: usize, renamed_from: Option<&str>) -> Observation {
        let mut evidence = Evidence::default();
        evidence.rounds.base = vec![1.0; rounds];
        let renamed_from = renamed_from.map(|id| speed().benchmark(id));
        observation(id, Outcome::Compared { evidence: Box::new(evidence), renamed_from })
    }

    #[test]
    fn a_suite_is_observed_as_a_whole_only_if_each_benchmark_of_its_base_has_a_round() {
        let failed = || {
            let reason = "it panicked".to_owned();
            let outcome = Outcome::Failed { side: Side::Base, reason, output: String::new() };
            observation("b", outcome)
        };
        let unreached = || observation("b", Outcome::Unreached { reason: String::new() });
        let other = || SuiteKey::new("p", "other");
        let keys = ["a", "b"].map(|id| speed().benchmark(id));
        let keys: BTreeSet<BenchmarkKey> =
            keys.into_iter().chain([other().benchmark("c")]).collect();
        for (what, of_b, expected) in [
            ("measured", vec![measured("b", 1, None)], true),
            ("renamed", vec![measured("new", 1, Some("b"))], true),
            ("without a round", vec![measured("b", 0, None)], false),
            ("another one", vec![measured("new", 1, None)], false),
            ("failed", vec![failed()], false),
            ("unreached", vec![unreached()], false),
            ("skipped by the policy", vec![], false),
        ] {
            let observations = [of_b, vec![measured("a", 1, None)]].concat();
            let whole = |is_whole: bool, left_out: &[SuiteKey]| {
                let read =
                    Observed { is_whole, files: ["f".to_owned()].into(), ..Observed::default() };
                let reports = left_out
                    .iter()
                    .map(|suite| SuiteReport::failed(suite.clone(), "", String::new()));
                let reports: Vec<SuiteReport> = reports.collect();
                let suites = [speed(), other()];
                let all = of_suites(suites.iter(), &read, &keys, &reports, &observations);
                assert!(all.values().all(|of| of.files == read.files));
                all.into_values().map(|of| of.is_whole).collect::<Vec<_>>()
            };
            // In the order of their names: the other one, of which nothing ran, and this one.
            assert_eq!(whole(true, &[]), [false, expected], "{what}");
            assert_eq!(whole(true, &[other()]), [false, expected], "{what}");
            assert_eq!(whole(true, &[speed()]), [false, false]);
            assert_eq!(whole(false, &[]), [false, false]);
        }
    }
}
