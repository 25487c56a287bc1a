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
    let mut records = Sides::new(Values::of(base), Values::of(head));
    matches.into_iter().map(|matched| observed(matched, &mut records, &candidates)).collect()
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

/// The observation of a benchmark that both records have, or one of them.
fn observed(
    matched: Match,
    records: &mut Sides<Values>,
    candidates: &[BenchmarkKey],
) -> Observation {
    let (key, outcome) = match matched {
        Match::Both { base: old, head: key } => {
            let renamed_from = (old != key).then(|| old.clone());
            let outcome = match (records.base.take(&old), records.head.take(&key)) {
                (Ok(base), Ok(head)) if are_apart(&base.conditions, &head.conditions) => {
                    let (base, head) = (base.conditions, head.conditions);
                    failed(None, Some(format!("the base measured {base}, the head {head}")))
                }
                (Ok(base), Ok(head)) => compared(base, head, renamed_from),
                (base, head) => failed(base.err(), head.err()),
            };
            (key, outcome)
        }
        Match::New(key) => {
            let outcome = match records.head.take(&key) {
                Ok(values) => Outcome::new_one(rounds_or_mean(values)),
                Err(reason) => failed(None, Some(reason)),
            };
            (key, outcome)
        }
        Match::Missing(key) => {
            let taken = records.base.take(&key);
            let mut observed = unmatched(Match::Missing(key), candidates, &Metric::TIME);
            match (taken, &mut observed.outcome) {
                (Ok(values), Outcome::Missing { base, .. }) => *base = rounds_or_mean(values),
                (Err(reason), outcome) => *outcome = failed(Some(reason), None),
                _ => {}
            }
            return observed;
        }
        other => return unmatched(other, candidates, &Metric::TIME),
    };
    Observation { key, metric: Metric::TIME, outcome }
}

/// Whether both sides say under which conditions they measured, and say different things.
fn are_apart(base: &str, head: &str) -> bool {
    !base.is_empty() && !head.is_empty() && base != head
}

/// The failure of a benchmark that a record, or both, refuse for these reasons.
fn failed(base: Option<String>, head: Option<String>) -> Outcome {
    let (side, reason) = match (base, head) {
        (Some(base), Some(head)) if base != head => (Side::Head, format!("{head}; base: {base}")),
        (_, Some(head)) => (Side::Head, head),
        (base, None) => (Side::Base, base.unwrap_or_default()),
    };
    Outcome::Failed { side, reason, output: String::new() }
}

/// The values of a record, which are taken out in nearly the order of their keys: renamed ones are elsewhere.
struct Values {
    left: Peekable<btree_map::IntoIter<BenchmarkKey, RecordedBenchmark>>,
    passed: BTreeMap<BenchmarkKey, RecordedBenchmark>,
    refused: BTreeMap<BenchmarkKey, String>,
}

impl Values {
    fn of(record: Recorded) -> Self {
        let Recorded { benchmarks, refused, .. } = record;
        Self { left: benchmarks.into_iter().peekable(), passed: BTreeMap::new(), refused }
    }

    /// Takes the values of a benchmark out, or the reason why it has none.
    fn take(&mut self, key: &BenchmarkKey) -> Result<RecordedBenchmark, String> {
        if let Some(reason) = self.refused.remove(key) {
            return Err(reason);
        }
        while let Some((passed, values)) = self.left.next_if(|(next, _)| next < key) {
            self.passed.insert(passed, values);
        }
        let values = self.left.next_if(|(next, _)| next == key).map(|(_, values)| values);
        Ok(values.or_else(|| self.passed.remove(key)).unwrap_or_default())
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
        let key = BenchmarkKey::of_id(id);
        if all.names(&key) {
            all.refuse(key, "several suites have it, and the other record does not say which");
        } else {
            all.add(key, values);
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
    use crate::result::{Method, RunResult};

    fn record(suite: &str, entries: &[(&str, f64, &[f64])]) -> Recorded {
        let benchmarks = entries
            .iter()
            .map(|(id, mean, rounds)| {
                let rounds = rounds.to_vec();
                let values =
                    RecordedBenchmark { mean: *mean, std_dev: 1.0, rounds, ..Default::default() };
                (BenchmarkKey::new(suite, suite, *id), values)
            })
            .collect();
        Recorded { benchmarks, ..Recorded::default() }
    }

    #[test]
    fn values_of_other_conditions_are_not_compared() {
        let of = |conditions: &str| {
            let mut record = record("s", &[("a", 100.0, &[]), ("b", 100.0, &[])]);
            let key = BenchmarkKey::new("s", "s", "a");
            record.benchmarks.get_mut(&key).unwrap().conditions = conditions.to_owned();
            record
        };
        let findings = |base: &str, head: &str| {
            let result = decided(of(base), of(head));
            result.benchmarks.iter().map(|row| row.finding).collect::<Vec<_>>()
        };
        assert_eq!(findings("avgt", "avgt"), findings("", ""));
        // A saved baseline does not say them.
        assert_eq!(findings("", "thrpt"), findings("", ""));
        assert_eq!(findings("avgt", "thrpt"), [Finding::Failed, findings("", "")[1]]);
        let reason = &decided(of("avgt"), of("thrpt")).benchmarks[0].reason;
        assert!(reason.contains("the base measured avgt, the head thrpt"), "{reason}");
    }

    fn decided(base: Recorded, head: Recorded) -> RunResult {
        let policy = Policy::default();
        let observed = observe_records(base, head, &policy);
        let context = Context { method: Method::Recorded, ..Context::default() };
        decide(observed, Vec::new(), &policy, context)
    }

    fn findings(base: Recorded, head: Recorded) -> Vec<(String, Finding)> {
        decided(base, head).benchmarks.into_iter().map(|r| (r.id, r.finding)).collect()
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
        let result = decided(base, head);
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
            let values = RecordedBenchmark::single(1.0, 0.0);
            record.add(BenchmarkKey::new("", suite, "a"), Ok(values));
            record
        };
        assert!(said(of("s"), of("s")).starts_with("a: identical"));
        assert!(said(of("s"), of("")).starts_with("a: identical"));
        assert!(said(of(""), record("s", &[("a", 1.0, &[])])).starts_with("a: identical"));
        assert!(said(of("s"), record("s", &[("a", 1.0, &[])])).starts_with("a: identical"));
        assert!(said(of("s"), of("t")).contains("a: missing"));
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
