//! Compares two records.

use std::collections::{BTreeMap, BTreeSet, btree_map};
use std::iter::Peekable;

use super::findings::{Observation, Outcome};
use super::matches::{Match, match_sides};
use crate::model::{
    BenchmarkKey, Evidence, Means, Metric, Recorded, RecordedBenchmark, Rounds, Side, Sides,
};
use crate::policy::Policy;

/// Returns the observations of two records. What one of them refuses is *failed*, under its name and with the reason.
pub fn observe_records(
    mut base: Recorded,
    mut head: Recorded,
    policy: &Policy,
) -> Vec<Observation> {
    // Many formats have no packages, or no suites.
    if unknown(&base) != unknown(&head) {
        base = anonymous(base);
        head = anonymous(head);
    }
    let keys = |r: &Recorded| r.keys().cloned().collect::<BTreeSet<_>>();
    let matches = match_sides(&keys(&base), &keys(&head), policy, None);
    let candidates = new_ones(&matches);
    let mut records = InOrder::of(base, head);
    let observe = |matched| records.observe(matched, &candidates);
    matches.into_iter().map(observe).collect()
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

/// Two records, of which the values are taken out in nearly the order of their keys.
struct InOrder {
    base: Values,
    head: Values,
    refused: Sides<BTreeMap<BenchmarkKey, String>>,
}

impl InOrder {
    fn of(base: Recorded, head: Recorded) -> Self {
        Self {
            base: Values::new(base.benchmarks),
            head: Values::new(head.benchmarks),
            refused: Sides::new(base.refused, head.refused),
        }
    }

    fn observe(&mut self, matched: Match, candidates: &[BenchmarkKey]) -> Observation {
        let (key, outcome) = match matched {
            Match::Both { base: old, head: key } => {
                let renamed_from = (old != key).then(|| old.clone());
                let (base, head) = (self.base.take(&old), self.head.take(&key));
                let outcome = self
                    .failed(Some(&old), Some(&key))
                    .unwrap_or_else(|| compared(base, head, renamed_from));
                (key, outcome)
            }
            Match::New(key) => {
                let values = self.head.take(&key);
                let outcome = self
                    .failed(None, Some(&key))
                    .unwrap_or_else(|| Outcome::new_one(rounds_or_mean(values)));
                (key, outcome)
            }
            Match::Missing(key) => {
                let values = self.base.take(&key);
                let failed = self.failed(Some(&key), None);
                let mut observed = unmatched(Match::Missing(key), candidates, &Metric::TIME);
                if let Outcome::Missing { base, .. } = &mut observed.outcome {
                    *base = rounds_or_mean(values);
                }
                (observed.key, failed.unwrap_or(observed.outcome))
            }
            other => return unmatched(other, candidates, &Metric::TIME),
        };
        Observation { key, metric: Metric::TIME, outcome }
    }

    /// The failure of a benchmark that a record refuses.
    fn failed(&self, base: Option<&BenchmarkKey>, head: Option<&BenchmarkKey>) -> Option<Outcome> {
        let base = base.and_then(|key| self.refused.base.get(key));
        let (side, reason) = match (base, head.and_then(|key| self.refused.head.get(key))) {
            (Some(base), Some(head)) if base != head => {
                (Side::Head, format!("{head}; base: {base}"))
            }
            (_, Some(head)) => (Side::Head, head.clone()),
            (Some(base), None) => (Side::Base, base.clone()),
            (None, None) => return None,
        };
        Some(Outcome::Failed { side, reason, output: String::new() })
    }
}

/// The values of a record; those of renamed benchmarks are out of order.
struct Values {
    left: Peekable<btree_map::IntoIter<BenchmarkKey, RecordedBenchmark>>,
    passed: BTreeMap<BenchmarkKey, RecordedBenchmark>,
}

impl Values {
    fn new(benchmarks: BTreeMap<BenchmarkKey, RecordedBenchmark>) -> Self {
        Self { left: benchmarks.into_iter().peekable(), passed: BTreeMap::new() }
    }

    fn take(&mut self, key: &BenchmarkKey) -> RecordedBenchmark {
        while let Some((passed, values)) = self.left.next_if(|(next, _)| next < key) {
            self.passed.insert(passed, values);
        }
        let found = self.left.next_if(|(next, _)| next == key).map(|(_, values)| values);
        found.or_else(|| self.passed.remove(key)).unwrap_or_default()
    }
}

/// Whether a record does not say packages, and suites.
fn unknown(record: &Recorded) -> [bool; 2] {
    [record.keys().any(|key| key.package.is_empty()), record.keys().any(|key| key.suite.is_empty())]
}

/// Ids alone. One that several suites have is refused: which of them the other record means is a guess.
fn anonymous(record: Recorded) -> Recorded {
    let Recorded { benchmarks, refused, commit, time, machine, toolchain } = record;
    let mut all = Recorded { commit, time, machine, toolchain, ..Recorded::default() };
    let values = benchmarks.into_iter().map(|(key, values)| (key.id, Ok(values)));
    for (id, values) in values.chain(refused.into_iter().map(|(key, why)| (key.id, Err(why)))) {
        let key = BenchmarkKey::new("", "", id);
        match all.names(&key) {
            true => {
                all.refuse(key, "several suites have it, and the other record does not say which");
            }
            false => all.add(key, values),
        }
    }
    all
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
        let observed = observe_records(base, head, &policy);
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

    /// Finding and reason of each benchmark, and the verdict.
    fn said(base: Recorded, head: Recorded) -> String {
        let policy = Policy::default();
        let observed = observe_records(base, head, &policy);
        let context = Context { method: Method::Recorded, ..Context::default() };
        let result = decide(observed, Vec::new(), &policy, context);
        let rows = result.benchmarks.iter().map(|row| {
            let (id, finding) = (&row.id, row.finding.name());
            format!("{id}: {finding}: {}\n", row.reason)
        });
        rows.collect::<String>() + result.verdict.name()
    }

    #[test]
    fn an_id_in_two_suites_is_not_guessed_and_the_others_are_compared() {
        let mut head = record("s", &[("a", 1.0, &[]), ("b", 1.0, &[])]);
        head.benchmarks.extend(record("t", &[("a", 1.0, &[])]).benchmarks);
        let base = record("", &[("a", 1.0, &[]), ("b", 1.0, &[])]);
        insta::assert_snapshot!(said(base, head), @"
        a: failed: head: several suites have it, and the other record does not say which
        b: identical: both records hold the same values
        incomplete
        ");
    }

    #[test]
    fn suites_without_packages_are_matched_where_both_say_them_and_by_id_where_one_does_not() {
        let of = |suite: &str| {
            let mut record = Recorded::default();
            let values = record_one();
            record.add(BenchmarkKey::new("", suite, "a"), Ok(values));
            record
        };
        assert!(said(of("s"), of("s")).starts_with("a: identical"));
        assert!(said(of("s"), of("")).starts_with("a: identical"));
        assert!(said(of(""), record("s", &[("a", 1.0, &[])])).starts_with("a: identical"));
        assert!(said(of("s"), record("s", &[("a", 1.0, &[])])).starts_with("a: identical"));
        assert!(said(of("s"), of("t")).contains("a: missing"));
    }

    fn record_one() -> RecordedBenchmark {
        RecordedBenchmark { mean: 1.0, std_dev: 0.0, rounds: Vec::new() }
    }

    #[test]
    fn what_a_record_refuses_is_failed_by_name_and_the_others_are_compared() {
        let of = |refused: &[(&str, &str)]| {
            let mut record = record("s", &[("fine", 1.0, &[])]);
            for (id, reason) in refused {
                record.refuse(BenchmarkKey::new("s", "s", *id), *reason);
            }
            record
        };
        let base =
            of(&[("both", "it is in bytes"), ("only in base", "it failed"), ("same", "it failed")]);
        let head =
            of(&[("both", "it is in cycles"), ("only in head", "0 ns"), ("same", "it failed")]);
        insta::assert_snapshot!(said(base, head), @"
        both: failed: head: it is in cycles; base: it is in bytes
        fine: identical: both records hold the same values
        only in base: failed: base: it failed
        only in head: failed: head: 0 ns
        same: failed: head: it failed
        incomplete
        ");
    }

    #[test]
    fn two_empty_records_observe_nothing() {
        assert!(findings(Recorded::default(), Recorded::default()).is_empty());
    }
}
