//! Compares two records.

use std::collections::{BTreeMap, BTreeSet, btree_map};
use std::iter::Peekable;

use thiserror::Error;

use super::findings::{Observation, Outcome};
use super::matches::{Match, match_sides};
use crate::model::{BenchmarkKey, Evidence, Means, Metric, Recorded, RecordedBenchmark, Rounds};
use crate::policy::Policy;

/// Records that cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordsError {
    /// One record does not name suites and the other has an id in several.
    #[error(
        "`{id}` is in several suites of one record, and the other record does not say which suite its \
         benchmarks are of"
    )]
    Ambiguous {
        /// The id.
        id: String,
    },
}

/// Returns the observations of two records.
///
/// # Errors
/// When ids cannot be matched without guessing.
pub fn observe_records(
    mut base: Recorded,
    mut head: Recorded,
    policy: &Policy,
) -> Result<Vec<Observation>, RecordsError> {
    // critcmp's own exports have no packages and no suites.
    if is_anonymous(&base) != is_anonymous(&head) {
        base.benchmarks = anonymous(base.benchmarks)?;
        head.benchmarks = anonymous(head.benchmarks)?;
    }
    let keys = |r: &Recorded| r.benchmarks.keys().cloned().collect::<BTreeSet<_>>();
    let matches = match_sides(&keys(&base), &keys(&head), policy, None);
    let candidates = new_ones(&matches);
    let (mut base, mut head) = (InOrder::new(base), InOrder::new(head));
    Ok(matches
        .into_iter()
        .map(|matched| match matched {
            Match::Both { base: old, head: new } => {
                let renamed_from = (old != new).then(|| old.clone());
                let (old, new_values) = (base.take(&old), head.take(&new));
                Observation {
                    key: new,
                    metric: Metric::TIME,
                    outcome: compared(old, new_values, renamed_from),
                }
            }
            Match::New(key) => {
                let values = head.take(&key);
                Observation {
                    key,
                    metric: Metric::TIME,
                    outcome: Outcome::new_one(rounds_or_mean(values)),
                }
            }
            Match::Missing(key) => {
                let values = base.take(&key);
                let mut observed = unmatched(Match::Missing(key), &candidates, &Metric::TIME);
                if let Outcome::Missing { base, .. } = &mut observed.outcome {
                    *base = rounds_or_mean(values);
                }
                observed
            }
            other => unmatched(other, &candidates, &Metric::TIME),
        })
        .collect())
}

/// The observation of a benchmark that is not compared, under the metric that its suite measures.
pub fn unmatched(matched: Match, candidates: &[BenchmarkKey], metric: &Metric) -> Observation {
    let (key, outcome) = match matched {
        Match::Missing(key) => {
            let candidates = candidates
                .iter()
                .filter(|new| new.package == key.package && new.suite == key.suite)
                .map(|new| new.id.clone())
                .collect();
            (key, Outcome::Missing { candidates, base: Vec::new() })
        }
        Match::Removed { key, reason, is_accepted } => {
            (key, Outcome::Removed { reason, is_accepted })
        }
        Match::Skipped(key, reason) => (key, Outcome::Skipped { reason }),
        Match::New(key) => (key, Outcome::new_one(Vec::new())),
        Match::Both { head: key, .. } => {
            (key, Outcome::Skipped { reason: "it was not measured".to_owned() })
        }
    };
    Observation { key, metric: metric.clone(), outcome }
}

/// The benchmarks that only the head has.
pub fn new_ones(matches: &[Match]) -> Vec<BenchmarkKey> {
    matches
        .iter()
        .filter_map(|m| if let Match::New(key) = m { Some(key.clone()) } else { None })
        .collect()
}

/// The values of a record, which are taken out in nearly the order of their keys: renamed ones are elsewhere.
struct InOrder {
    left: Peekable<btree_map::IntoIter<BenchmarkKey, RecordedBenchmark>>,
    passed: BTreeMap<BenchmarkKey, RecordedBenchmark>,
}

impl InOrder {
    fn new(record: Recorded) -> Self {
        Self { left: record.benchmarks.into_iter().peekable(), passed: BTreeMap::new() }
    }

    fn take(&mut self, key: &BenchmarkKey) -> RecordedBenchmark {
        while let Some((passed, values)) = self.left.next_if(|(next, _)| next < key) {
            self.passed.insert(passed, values);
        }
        let found = self.left.next_if(|(next, _)| next == key).map(|(_, values)| values);
        found.or_else(|| self.passed.remove(key)).unwrap_or_default()
    }
}

fn is_anonymous(record: &Recorded) -> bool {
    record.benchmarks.keys().any(|key| key.suite.is_empty())
}

fn anonymous(
    benchmarks: BTreeMap<BenchmarkKey, RecordedBenchmark>,
) -> Result<BTreeMap<BenchmarkKey, RecordedBenchmark>, RecordsError> {
    let mut by_id = BTreeMap::new();
    for (key, values) in benchmarks {
        let id = key.id.clone();
        if by_id.insert(BenchmarkKey::new("", "", key.id), values).is_some() {
            return Err(RecordsError::Ambiguous { id });
        }
    }
    Ok(by_id)
}

fn compared(
    base: RecordedBenchmark,
    head: RecordedBenchmark,
    renamed_from: Option<BenchmarkKey>,
) -> Outcome {
    let mean = Means { base: Some(base.mean), head: Some(head.mean) };
    // One statistic for both: a mean is not compared with lower quartiles.
    let rounds = if base.rounds.is_empty() || head.rounds.is_empty() {
        Rounds { base: vec![base.mean], head: vec![head.mean] }
    } else {
        Rounds { base: base.rounds, head: head.rounds }
    };
    let evidence = Box::new(Evidence { rounds, mean, ..Evidence::default() });
    Outcome::Compared { evidence, renamed_from }
}

fn rounds_or_mean(values: RecordedBenchmark) -> Vec<f64> {
    if values.rounds.is_empty() { vec![values.mean] } else { values.rounds }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Context, decide};
    use crate::model::Finding;
    use crate::result::Method;

    fn record(suite: &str, entries: &[(&str, f64, &[f64])]) -> Recorded {
        let benchmarks = entries
            .iter()
            .map(|(id, mean, rounds)| {
                let values =
                    RecordedBenchmark { mean: *mean, std_dev: 1.0, rounds: rounds.to_vec() };
                (BenchmarkKey::new(suite, suite, *id), values)
            })
            .collect();
        Recorded { benchmarks, ..Recorded::default() }
    }

    fn findings(base: Recorded, head: Recorded) -> Vec<(String, Finding)> {
        let policy = Policy::default();
        let observed = observe_records(base, head, &policy).unwrap();
        let context = Context { method: Method::Recorded, ..Context::default() };
        let result = decide(observed, Vec::new(), &policy, context);
        result.benchmarks.into_iter().map(|r| (r.id, r.finding)).collect()
    }

    const SLOW: [f64; 10] = [120.0, 121.0, 120.5, 120.0, 119.0, 120.0, 122.0, 120.0, 120.0, 121.0];
    const FAST: [f64; 10] = [100.0, 101.0, 100.5, 100.0, 99.0, 100.0, 102.0, 100.0, 100.0, 101.0];

    #[test]
    fn rounds_on_both_sides_can_prove_and_a_mean_cannot() {
        let base = record("s", &[("a", 100.0, &FAST), ("b", 100.0, &FAST), ("c", 5.0, &[])]);
        let head = record("s", &[("a", 120.0, &SLOW), ("b", 120.0, &[]), ("c", 5.0, &[])]);
        assert_eq!(
            findings(base, head),
            [
                ("a".into(), Finding::Critical),
                ("b".into(), Finding::Inconclusive),
                ("c".into(), Finding::Identical)
            ]
        );
    }

    #[test]
    fn an_export_without_suites_is_matched_by_id() {
        let base = record("", &[("a", 100.0, &[])]);
        let head = record("s", &[("a", 100.0, &[]), ("b", 1.0, &[])]);
        assert_eq!(
            findings(base, head),
            [("a".into(), Finding::Identical), ("b".into(), Finding::New)]
        );
    }

    #[test]
    fn an_id_in_two_suites_is_not_guessed() {
        let mut head = record("s", &[("a", 1.0, &[])]);
        head.benchmarks.extend(record("t", &[("a", 1.0, &[])]).benchmarks);
        let error =
            observe_records(record("", &[("a", 1.0, &[])]), head, &Policy::default()).unwrap_err();
        assert_eq!(error, RecordsError::Ambiguous { id: "a".into() });
    }

    #[test]
    fn two_empty_records_observe_nothing() {
        assert!(findings(Recorded::default(), Recorded::default()).is_empty());
    }
}
