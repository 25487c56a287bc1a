//! The whole run: every benchmark gets a finding.

use super::counts::Counted;
use super::layout::{self, Instructions, Layout};
use super::sequence::{Conclusion, Sequence};
use super::time::Evidence;
use super::{confirm, drift};
use crate::model::{BenchmarkKey, Finding, Metric, Side};
use crate::policy::{Limits, Policy};
use crate::result::{BenchmarkReport, Means, Method, Rounds};
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
    Compared(Box<Compared>),
    /// Both sides are the same machine code: there is nothing to measure.
    Identical {
        /// How that is known.
        reason: String,
        /// The head's counts, where it counts; they are the base's too.
        head: Vec<f64>,
    },
    /// There was no time for it.
    Unreached {
        /// Why.
        reason: String,
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

/// What was measured of both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compared {
    /// Values per round; with pairs, the first ones.
    pub rounds: Rounds,
    /// Fresh pairs of what seemed different.
    pub confirmation: Rounds,
    /// Arithmetic means.
    pub means: Means,
    /// Rounds of the committed baseline of this machine.
    pub baseline: Vec<f64>,
    /// Instructions of one iteration, where they were counted.
    pub instructions: Option<Instructions>,
    /// Pairs with other layouts of the code.
    pub layouts: Vec<Layout>,
    /// The base's id, where the policy says that it was renamed.
    pub renamed_from: Option<String>,
}

/// Judges every benchmark. A benchmark that was renamed adds a line under its old name.
pub fn judge(observed: Vec<Observed>, policy: &Policy, method: Method) -> Vec<BenchmarkReport> {
    judge_by(observed, &|key| policy.limits_for(key), method)
}

/// What each benchmark is held to.
pub(super) type LimitsOf<'a> = &'a dyn Fn(&BenchmarkKey) -> Limits;

pub(super) fn judge_by(
    mut observed: Vec<Observed>,
    limits: LimitsOf<'_>,
    method: Method,
) -> Vec<BenchmarkReport> {
    let old_names: Vec<Observed> = observed.iter().filter_map(old_name).collect();
    observed.extend(old_names);
    observed.sort_by(|a, b| a.key.cmp(&b.key).then(a.metric.cmp(&b.metric)));
    let stands = standing(&observed, limits);
    observed
        .into_iter()
        .zip(stands)
        .map(|(Observed { key, metric, outcome }, stands)| BenchmarkReport {
            metric,
            unit: metric.unit().to_owned(),
            ..judge_one(&key, metric, outcome, limits, method, stands)
        })
        .collect()
}

/// Of each, whether the proof of its slowdown stands beside those of the run's other candidates.
fn standing(observed: &[Observed], limits: LimitsOf<'_>) -> Vec<bool> {
    let p_value = |observed: &Observed| {
        let Outcome::Compared(compared) = &observed.outcome else { return None };
        let sequence = compared.sequence();
        let limits = limits(&observed.key);
        sequence.p_value(&limits)
    };
    let p_values: Vec<Option<f64>> = observed.iter().map(p_value).collect();
    let candidates: Vec<f64> = p_values.iter().flatten().copied().collect();
    let mut stand = confirm::standing(&candidates).into_iter();
    p_values.iter().map(|p| p.is_some() && stand.next().unwrap_or(false)).collect()
}

impl Compared {
    fn sequence(&self) -> Sequence {
        Sequence { screening: self.rounds.clone(), confirmation: self.confirmation.clone() }
    }
}

/// The line under which somebody who looks for the old name finds the new one.
fn old_name(observed: &Observed) -> Option<Observed> {
    let from = match &observed.outcome {
        Outcome::Compared(compared) => compared.renamed_from.as_ref()?,
        Outcome::Counted { renamed_from, .. } => renamed_from.as_ref()?,
        _ => return None,
    };
    let key = BenchmarkKey { id: from.clone(), ..observed.key.clone() };
    let outcome = Outcome::Renamed { to: observed.key.id.clone() };
    Some(Observed { key, metric: observed.metric, outcome })
}

fn judge_one(
    key: &BenchmarkKey,
    metric: Metric,
    outcome: Outcome,
    limits_of: LimitsOf<'_>,
    method: Method,
    stands: bool,
) -> BenchmarkReport {
    match outcome {
        Outcome::Compared(values) => compared(key, *values, limits_of, method, stands),
        Outcome::Identical { reason, head } => BenchmarkReport {
            reason,
            head: head.first().copied(),
            rounds: Rounds { base: Vec::new(), head },
            ..blank(key, Finding::Identical, limits_of)
        },
        Outcome::Unreached { reason } => {
            BenchmarkReport { reason, ..blank(key, Finding::Inconclusive, limits_of) }
        }
        Outcome::Counted { counted, renamed_from } => {
            let limits = limits_of(key);
            let (finding, reason) = counted.judge(metric, &limits);
            BenchmarkReport {
                blocking: finding.level().is_some_and(|level| level >= limits.fail_on),
                base: Some(counted.base[0]),
                head: Some(counted.head[0]),
                change: counted.change(),
                rounds: Rounds { base: counted.base.to_vec(), head: counted.head.to_vec() },
                reason: with_old_name(renamed_from, reason),
                ..blank(key, finding, limits_of)
            }
        }
        Outcome::Failed { side, reason, output } => BenchmarkReport {
            reason: format!("{}: {reason}", side.name()),
            output,
            ..blank(key, Finding::Failed, limits_of)
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
                ..blank(key, Finding::Missing, limits_of)
            }
        }
        Outcome::New { head } => BenchmarkReport {
            head: stats::median(&head),
            mean: Means { base: None, head: stats::mean(&head) },
            rounds: Rounds { base: Vec::new(), head },
            reason: "the base does not have it: nothing to compare with".to_owned(),
            ..blank(key, Finding::New, limits_of)
        },
        Outcome::Renamed { to } => {
            let reason = format!("now `{to}`");
            BenchmarkReport { reason, ..blank(key, Finding::Renamed, limits_of) }
        }
        Outcome::Skipped { reason } => {
            BenchmarkReport { reason, ..blank(key, Finding::Skipped, limits_of) }
        }
    }
}

fn compared(
    key: &BenchmarkKey,
    values: Compared,
    limits_of: LimitsOf<'_>,
    method: Method,
    stands: bool,
) -> BenchmarkReport {
    let limits = limits_of(key);
    let Some(conclusion) = conclude(&values, &limits, method, stands) else {
        let reason = "no round on one of the sides".to_owned();
        return BenchmarkReport { reason, ..blank(key, Finding::Failed, limits_of) };
    };
    let Compared { rounds, confirmation, means, baseline, instructions, layouts, renamed_from } =
        values;
    let Conclusion { finding, reason, change, detectable, is_open } = conclusion;
    let pairs = match method {
        Method::Paired => rounds.base.len() + confirmation.base.len(),
        _ => 0,
    };
    BenchmarkReport {
        blocking: finding.level().is_some_and(|level| level >= limits.fail_on),
        base: stats::median(&[rounds.base.as_slice(), &confirmation.base].concat()),
        head: stats::median(&[rounds.head.as_slice(), &confirmation.head].concat()),
        mean: means,
        change: Some(change),
        detectable,
        is_open,
        drift: drift::drift(&baseline, &rounds.head),
        pairs: u32::try_from(pairs).unwrap_or(u32::MAX),
        rounds,
        confirmation,
        baseline,
        instructions,
        layouts,
        reason: with_old_name(renamed_from, reason),
        ..blank(key, finding, limits_of)
    }
}

fn conclude(
    values: &Compared,
    limits: &Limits,
    method: Method,
    stands: bool,
) -> Option<Conclusion> {
    let Compared { rounds, means, baseline, instructions, layouts, .. } = values;
    if method == Method::Paired {
        let found = values.sequence().conclude(limits, stands)?;
        let (finding, reason) =
            layout::weigh(found.finding, found.reason, limits, *instructions, layouts);
        let (finding, reason) = drift::weigh(finding, reason, limits, baseline, &rounds.head);
        return Some(Conclusion { finding, reason, ..found });
    }
    let single = |mean: Option<f64>| mean.into_iter().collect::<Vec<_>>();
    let evidence = match method {
        Method::Estimates => Evidence::unpaired(&single(means.base), &single(means.head))?,
        _ => Evidence::unpaired(&rounds.base, &rounds.head)?,
    };
    let same = rounds.base == rounds.head && means.base == means.head;
    let (finding, reason) = match method {
        Method::Recorded | Method::Estimates if same => {
            (Finding::Identical, "both records hold the same values".to_owned())
        }
        Method::Estimates => evidence.judge_estimate(limits),
        _ => evidence.judge(limits),
    };
    let is_open = method != Method::Estimates && evidence.leaves_open(finding, limits);
    Some(Conclusion { finding, reason, change: evidence.change(), detectable: None, is_open })
}

fn with_old_name(renamed_from: Option<String>, reason: String) -> String {
    match renamed_from {
        Some(from) => format!("renamed from `{from}`; {reason}"),
        None => reason,
    }
}

/// An entry without values. What could not be measured blocks: it is no pass.
fn blank(key: &BenchmarkKey, finding: Finding, limits_of: LimitsOf<'_>) -> BenchmarkReport {
    let limits = limits_of(key);
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
        thresholds: limits.thresholds,
        floor_ns: limits.floor_ns,
        detectable: None,
        is_open: false,
        drift: None,
        waiver: None,
        pairs: 0,
        rounds: Rounds::default(),
        confirmation: Rounds::default(),
        baseline: Vec::new(),
        instructions: None,
        layouts: Vec::new(),
        reason: String::new(),
        output: String::new(),
    }
}

#[cfg(test)]
mod tests;
