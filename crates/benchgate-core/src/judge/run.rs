//! The whole run: every benchmark gets a finding, and the findings a verdict.

use super::counts::Counted;
use super::time::Evidence;
use crate::model::{BenchmarkKey, Finding, Metric, Side, Verdict};
use crate::policy::Policy;
use crate::result::{BenchmarkReport, Means, Method, Rounds, RuleReport, RuleState, SuiteReport};
use crate::stats;

/// What was seen of one benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// The head's key, or the base's where the head has none.
    pub key: BenchmarkKey,
    /// What was, or would have been, compared.
    pub metric: Metric,
    /// What happened.
    pub outcome: Outcome,
}

/// What happened to one benchmark.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Both sides have values.
    Compared {
        /// Values per round.
        rounds: Rounds,
        /// Arithmetic means.
        means: Means,
        /// The base's id, where the policy says that it was renamed.
        renamed_from: Option<String>,
    },
    /// Both sides were counted twice.
    Counted {
        /// The counts.
        counted: Counted,
        /// The base's id, where the policy says that it was renamed.
        renamed_from: Option<String>,
    },
    /// A side gave no usable value.
    Failed {
        /// The side.
        side: Side,
        /// What happened.
        reason: String,
        /// The last lines of the process's output.
        output: String,
    },
    /// Only the base has it.
    Missing {
        /// New benchmarks of the same suite: one of them may be it.
        candidates: Vec<String>,
        /// The base's values, where a record has some.
        base: Vec<f64>,
    },
    /// Only the head has it.
    New {
        /// Values per round, as far as it was measured.
        head: Vec<f64>,
    },
    /// It goes by another id now.
    Renamed {
        /// Which.
        to: String,
    },
    /// Left out on purpose.
    Skipped {
        /// Why.
        reason: String,
    },
}

/// Judges every benchmark. A benchmark that was renamed adds a line under its old name.
pub fn judge(mut observed: Vec<Observed>, policy: &Policy, method: Method) -> Vec<BenchmarkReport> {
    let old_names: Vec<Observed> = observed.iter().filter_map(old_name).collect();
    observed.extend(old_names);
    observed.sort_by(|a, b| a.key.cmp(&b.key).then(a.metric.cmp(&b.metric)));
    observed
        .into_iter()
        .map(|Observed { key, metric, outcome }| BenchmarkReport {
            metric,
            unit: metric.unit().to_owned(),
            ..judge_one(&key, metric, outcome, policy, method)
        })
        .collect()
}

/// The line under which somebody who looks for the old name finds the new one.
fn old_name(observed: &Observed) -> Option<Observed> {
    let (Outcome::Compared { renamed_from: Some(from), .. }
    | Outcome::Counted { renamed_from: Some(from), .. }) = &observed.outcome
    else {
        return None;
    };
    let key = BenchmarkKey { id: from.clone(), ..observed.key.clone() };
    let outcome = Outcome::Renamed { to: observed.key.id.clone() };
    Some(Observed { key, metric: observed.metric, outcome })
}

fn judge_one(
    key: &BenchmarkKey,
    metric: Metric,
    outcome: Outcome,
    policy: &Policy,
    method: Method,
) -> BenchmarkReport {
    match outcome {
        Outcome::Compared { rounds, means, renamed_from } => {
            compared(key, rounds, means, renamed_from, policy, method)
        }
        Outcome::Counted { counted, renamed_from } => {
            let limits = policy.limits_for(key);
            let (finding, reason) = counted.judge(metric, &limits);
            BenchmarkReport {
                blocking: finding.level().is_some_and(|level| level >= limits.fail_on),
                base: Some(counted.base[0]),
                head: Some(counted.head[0]),
                change: counted.change(),
                rounds: Rounds { base: counted.base.to_vec(), head: counted.head.to_vec() },
                reason: with_old_name(renamed_from, reason),
                ..blank(key, finding, policy)
            }
        }
        Outcome::Failed { side, reason, output } => BenchmarkReport {
            reason: format!("{}: {reason}", side.name()),
            output,
            ..blank(key, Finding::Failed, policy)
        },
        Outcome::Missing { candidates, base } => {
            let hint = match candidates.as_slice() {
                [] => "on purpose? `[[removed]]` in benchgate.toml says so".to_owned(),
                [one] => format!("renamed to `{one}`? `[[rename]]` in benchgate.toml says so"),
                many => format!(
                    "renamed to one of the {} new ones? `[[rename]]` in benchgate.toml says so",
                    many.len()
                ),
            };
            let reason = format!("the base has it, the head does not; {hint}");
            BenchmarkReport {
                base: stats::median(&base),
                mean: Means { base: stats::mean(&base), head: None },
                rounds: Rounds { base, head: Vec::new() },
                reason,
                ..blank(key, Finding::Missing, policy)
            }
        }
        Outcome::New { head } => BenchmarkReport {
            head: stats::median(&head),
            mean: Means { base: None, head: stats::mean(&head) },
            rounds: Rounds { base: Vec::new(), head },
            reason: "the base does not have it: nothing to compare with".to_owned(),
            ..blank(key, Finding::New, policy)
        },
        Outcome::Renamed { to } => {
            let reason = format!("now `{to}`");
            BenchmarkReport { reason, ..blank(key, Finding::Renamed, policy) }
        }
        Outcome::Skipped { reason } => {
            BenchmarkReport { reason, ..blank(key, Finding::Skipped, policy) }
        }
    }
}

fn compared(
    key: &BenchmarkKey,
    rounds: Rounds,
    means: Means,
    renamed_from: Option<String>,
    policy: &Policy,
    method: Method,
) -> BenchmarkReport {
    let limits = policy.limits_for(key);
    let single = |mean: Option<f64>| mean.into_iter().collect::<Vec<_>>();
    let evidence = match method {
        Method::Estimates => Evidence::unpaired(&single(means.base), &single(means.head)),
        Method::Paired => Evidence::paired(&rounds.base, &rounds.head),
        Method::Baseline | Method::Recorded => Evidence::unpaired(&rounds.base, &rounds.head),
    };
    let Some(evidence) = evidence else {
        let reason = "no round on one of the sides".to_owned();
        return BenchmarkReport { reason, ..blank(key, Finding::Failed, policy) };
    };
    let (finding, reason) = match method {
        Method::Recorded | Method::Estimates
            if rounds.base == rounds.head && means.base == means.head =>
        {
            (Finding::Identical, "both records hold the same values".to_owned())
        }
        Method::Estimates => evidence.judge_estimate(&limits),
        Method::Paired | Method::Baseline | Method::Recorded => evidence.judge(&limits),
    };
    BenchmarkReport {
        blocking: finding.level().is_some_and(|level| level >= limits.fail_on),
        base: stats::median(&rounds.base),
        head: stats::median(&rounds.head),
        mean: means,
        change: Some(evidence.change()),
        pairs: match method {
            Method::Paired => u32::try_from(rounds.base.len()).unwrap_or(u32::MAX),
            _ => 0,
        },
        rounds,
        reason: with_old_name(renamed_from, reason),
        ..blank(key, finding, policy)
    }
}

fn with_old_name(renamed_from: Option<String>, reason: String) -> String {
    match renamed_from {
        Some(from) => format!("renamed from `{from}`; {reason}"),
        None => reason,
    }
}

/// An entry without values. What could not be measured blocks: it is no pass.
fn blank(key: &BenchmarkKey, finding: Finding, policy: &Policy) -> BenchmarkReport {
    let limits = policy.limits_for(key);
    BenchmarkReport {
        package: key.package.clone(),
        suite: key.suite.clone(),
        id: key.id.clone(),
        metric: Metric::Time,
        unit: Metric::Time.unit().to_owned(),
        finding,
        blocking: matches!(finding, Finding::Failed | Finding::Missing),
        base: None,
        head: None,
        mean: Means::default(),
        change: None,
        limit: limits.thresholds.of(limits.fail_on),
        fail_on: limits.fail_on,
        pairs: 0,
        rounds: Rounds::default(),
        reason: String::new(),
        output: String::new(),
    }
}

/// The verdict on the whole. The strongest statement wins: a proven slowdown stays proven when another
/// benchmark could not be measured.
pub fn verdict(
    benchmarks: &[BenchmarkReport],
    suites: &[SuiteReport],
    rules: &[RuleReport],
) -> Verdict {
    let proven = |b: &BenchmarkReport| b.blocking && b.finding.level().is_some();
    let unmeasured = |finding: Finding| matches!(finding, Finding::Failed | Finding::Missing);
    let is_open = |f: Finding| matches!(f, Finding::Inconclusive | Finding::NonDeterministic);
    if benchmarks.iter().any(proven) || rules.iter().any(|r| r.state == RuleState::Broken) {
        Verdict::Regression
    } else if benchmarks.iter().any(|b| unmeasured(b.finding))
        || suites.iter().any(|s| unmeasured(s.finding))
        || rules.iter().any(|r| r.state == RuleState::Unmeasured)
        || !benchmarks.iter().any(|b| b.finding.is_compared())
    {
        Verdict::Incomplete
    } else if benchmarks.iter().any(|b| is_open(b.finding)) {
        Verdict::Inconclusive
    } else {
        Verdict::Pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Level;

    fn compared(id: &str, ratio: f64) -> Observed {
        let rounds = Rounds { base: vec![1000.0; 15], head: vec![1000.0 * ratio; 15] };
        let means = Means { base: Some(1000.0), head: Some(1000.0 * ratio) };
        Observed {
            key: BenchmarkKey::new("p", "s", id),
            metric: Metric::Time,
            outcome: Outcome::Compared { rounds, means, renamed_from: None },
        }
    }

    fn other(id: &str, outcome: Outcome) -> Observed {
        Observed { key: BenchmarkKey::new("p", "s", id), metric: Metric::Time, outcome }
    }

    fn failed() -> Outcome {
        Outcome::Failed { side: Side::Head, reason: "exit 101".into(), output: "boom".into() }
    }

    fn missing() -> Outcome {
        Outcome::Missing { candidates: Vec::new(), base: Vec::new() }
    }

    fn decide(observed: Vec<Observed>) -> Verdict {
        verdict(&judge(observed, &Policy::default(), Method::Paired), &[], &[])
    }

    #[test]
    fn the_strongest_statement_is_the_verdict() {
        let scattered = {
            let head = (0..15).map(|i| 700.0 + 50.0 * f64::from(i)).collect();
            let rounds = Rounds { base: vec![1000.0; 15], head };
            other("d", Outcome::Compared { rounds, means: Means::default(), renamed_from: None })
        };
        for (what, observed, expected) in [
            ("the same on both sides", vec![compared("a", 1.0)], Verdict::Pass),
            ("faster", vec![compared("a", 0.5)], Verdict::Pass),
            ("slower by a warning", vec![compared("a", 1.07)], Verdict::Pass),
            ("slower by a critical", vec![compared("a", 1.2)], Verdict::Regression),
            ("missing", vec![compared("a", 1.0), other("b", missing())], Verdict::Incomplete),
            ("failed", vec![compared("a", 1.0), other("b", failed())], Verdict::Incomplete),
            (
                "slower and missing",
                vec![compared("a", 1.2), other("b", missing())],
                Verdict::Regression,
            ),
            (
                "a new one",
                vec![compared("a", 1.0), other("b", Outcome::New { head: vec![1.0] })],
                Verdict::Pass,
            ),
            ("scattered", vec![compared("a", 1.0), scattered.clone()], Verdict::Inconclusive),
            ("scattered and failed", vec![scattered, other("b", failed())], Verdict::Incomplete),
            ("nothing", vec![], Verdict::Incomplete),
            (
                "only new ones",
                vec![other("b", Outcome::New { head: vec![1.0] })],
                Verdict::Incomplete,
            ),
            (
                "all skipped",
                vec![other("b", Outcome::Skipped { reason: "r".into() })],
                Verdict::Incomplete,
            ),
        ] {
            assert_eq!(decide(observed), expected, "{what}");
        }
    }

    #[test]
    fn a_suite_that_failed_is_incomplete_though_all_the_others_pass() {
        let suite = |finding| SuiteReport {
            package: "p".into(),
            suite: "t".into(),
            finding,
            reason: String::new(),
            output: String::new(),
        };
        let benchmarks = judge(vec![compared("a", 1.0)], &Policy::default(), Method::Paired);
        assert_eq!(verdict(&benchmarks, &[suite(Finding::Failed)], &[]), Verdict::Incomplete);
        assert_eq!(verdict(&benchmarks, &[suite(Finding::Missing)], &[]), Verdict::Incomplete);
        assert_eq!(verdict(&benchmarks, &[suite(Finding::Skipped)], &[]), Verdict::Pass);
    }

    #[test]
    fn fail_on_warning_makes_a_warning_red_and_an_override_spares_one_benchmark() {
        let policy = Policy::parse(
            "[gate]\nfail-on = \"warning\"\n[[override]]\nbenchmark = \"b\"\nfail-on = \"critical\"",
        )
        .unwrap();
        let reports =
            judge(vec![compared("a", 1.07), compared("b", 1.07)], &policy, Method::Paired);
        assert_eq!([reports[0].blocking, reports[1].blocking], [true, false]);
        assert_eq!([reports[0].limit, reports[1].limit], [0.05, 0.10]);
        assert_eq!(reports[1].fail_on, Level::Critical);
        assert_eq!(verdict(&reports, &[], &[]), Verdict::Regression);
    }

    #[test]
    fn a_renamed_benchmark_is_judged_under_its_new_name_and_named_under_its_old() {
        let mut observed = compared("new", 1.2);
        if let Outcome::Compared { renamed_from, .. } = &mut observed.outcome {
            *renamed_from = Some("old".into());
        }
        let reports = judge(vec![observed], &Policy::default(), Method::Paired);
        let told: Vec<_> = reports.iter().map(|r| (r.id.as_str(), r.finding)).collect();
        assert_eq!(told, [("new", Finding::Critical), ("old", Finding::Renamed)]);
    }

    #[test]
    fn a_record_held_against_itself_is_identical() {
        let reports = judge(vec![compared("a", 1.0)], &Policy::default(), Method::Recorded);
        assert_eq!(reports[0].finding, Finding::Identical);
        let reports = judge(vec![compared("a", 1.0)], &Policy::default(), Method::Paired);
        assert_eq!(reports[0].finding, Finding::Unchanged);
    }

    #[test]
    fn a_comparison_without_rounds_is_a_failure_and_not_a_pass() {
        let empty = Outcome::Compared {
            rounds: Rounds::default(),
            means: Means::default(),
            renamed_from: None,
        };
        assert_eq!(decide(vec![other("a", empty)]), Verdict::Incomplete);
    }
}
