//! Gives every benchmark of a run a finding.

use super::conclude::{self, Conclusion};
use super::counts::Counted;
use super::unpaired::Unpaired;
use super::{confirm, drift, instructions, layout};
use crate::model::{BenchmarkKey, EarlierPairs, Evidence, Finding, Means, Metric, Rounds, Side};
use crate::policy::Limits;
use crate::result::{BenchmarkReport, Method};
use crate::stats;

/// The observation of one benchmark and metric, before it is judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The head's key, or the base's where the head has no such benchmark.
    pub key: BenchmarkKey,
    /// The metric that was compared, or would have been.
    pub metric: Metric,
    /// The outcome of measuring it.
    pub outcome: Outcome,
}

/// The outcome of measuring one benchmark.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Both sides have values.
    Compared {
        /// The values.
        evidence: Box<Evidence>,
        /// The base's key, where a policy says that it was renamed.
        renamed_from: Option<BenchmarkKey>,
    },
    /// Both sides have the same machine code and were not measured.
    Identical {
        /// The evidence for it.
        reason: String,
        /// The head's counts, for a suite that counts; the base's are the same.
        head: Vec<f64>,
    },
    /// There was no time for it.
    Unreached {
        /// The reason.
        reason: String,
    },
    /// Both sides were counted.
    Counted {
        /// The counts.
        counted: Counted,
        /// The base's key, where a policy says that it was renamed.
        renamed_from: Option<BenchmarkKey>,
    },
    /// A side returned no usable value.
    Failed {
        /// The side.
        side: Side,
        /// The failure.
        reason: String,
        /// The last lines of the process's output.
        output: String,
    },
    /// Only the base has it.
    Missing {
        /// New benchmarks of the same suite: it may have been renamed to one of them.
        candidates: Vec<String>,
        /// The base's values, where a record has some.
        base: Vec<f64>,
    },
    /// Only the head has it.
    New {
        /// Values per round; empty if it was not measured.
        head: Vec<f64>,
        /// How many of them each earlier attempt measured.
        earlier: Vec<EarlierPairs>,
    },
    /// Goes by another name now.
    Renamed {
        /// Its key on the head.
        to: BenchmarkKey,
    },
    /// Removed on purpose.
    Removed {
        /// The reason.
        reason: String,
        /// Whether the base's policy accepts that.
        is_accepted: bool,
    },
    /// Judged before: the other values do not change its finding.
    Judged(Box<BenchmarkReport>),
    /// Skipped on purpose.
    Skipped {
        /// The reason.
        reason: String,
    },
}

impl Outcome {
    /// A benchmark that only the head has, with its values.
    pub fn new_one(head: Vec<f64>) -> Self {
        Self::New { head, earlier: Vec::new() }
    }
}

/// The limits of each benchmark.
pub(super) type LimitsOf<'a> = &'a dyn Fn(&BenchmarkKey) -> Limits;

/// Judges every benchmark; with the p-values of the rules that were tested, says of each rule whether it
/// survives the correction too. A benchmark that was renamed adds a line under its old name.
pub(super) fn judge(
    mut observed: Vec<Observation>,
    limits_of: LimitsOf<'_>,
    method: Method,
    of_rules: &[Option<f64>],
    error: f64,
    most: usize,
) -> (Vec<BenchmarkReport>, Vec<bool>) {
    let old_names: Vec<Observation> = observed.iter().filter_map(old_name).collect();
    observed.extend(old_names);
    observed.sort_by(|a, b| a.key.cmp(&b.key).then_with(|| a.metric.cmp(&b.metric)));
    let is_compared = |o: &&Observation| matches!(o.outcome, Outcome::Compared { .. });
    let compared = observed.iter().filter(is_compared).count();
    let tested_rules = of_rules.iter().flatten().count();
    let among = compared + tested_rules;
    // Without pairs each test has an equal share of the error, and the rules correct for each other within theirs.
    let error = match method {
        Method::Paired => error,
        _ => error * tested_rules as f64 / among.max(1) as f64,
    };
    let (survive, rules_survive) = survivors(&observed, limits_of, of_rules, error);
    let reports = observed
        .into_iter()
        .zip(survive)
        .map(|(Observation { key, metric, outcome }, survives)| {
            let limits = limits_of(&key).of_metric(&metric);
            Subject { key, metric, limits, method, among, most }.judge(outcome, survives)
        })
        .collect();
    (reports, rules_survive)
}

/// Judges one benchmark of both sides by its pairs.
pub(super) fn judge_pairs(
    observation: &Observation,
    evidence: Box<Evidence>,
    limits_of: LimitsOf<'_>,
    survives: bool,
    most: usize,
) -> BenchmarkReport {
    let (key, metric) = (observation.key.clone(), observation.metric.clone());
    let limits = limits_of(&key).of_metric(&metric);
    let subject = Subject { key, metric, limits, method: Method::Paired, among: 1, most };
    subject.compared(evidence, None, survives)
}

/// Whether the slowdown of each benchmark, and the excess of each rule, survives the correction for all that the
/// run tests: its error covers both.
pub(super) fn survivors(
    observed: &[Observation],
    limits_of: LimitsOf<'_>,
    of_rules: &[Option<f64>],
    error: f64,
) -> (Vec<bool>, Vec<bool>) {
    let p_value = |observed: &Observation| {
        let Outcome::Compared { evidence, .. } = &observed.outcome else { return None };
        if evidence.confirmation.is_empty() {
            return None;
        }
        conclude::p_value(evidence, &limits_of(&observed.key).of_metric(&observed.metric))
    };
    let mut p_values: Vec<Option<f64>> = observed.iter().map(p_value).collect();
    p_values.extend(of_rules);
    let tests: Vec<f64> = p_values.iter().flatten().copied().collect();
    let mut survive = confirm::survivors(&tests, error).into_iter();
    let mut all: Vec<bool> =
        p_values.iter().map(|p| p.is_some() && survive.next().unwrap_or(false)).collect();
    let rules = all.split_off(observed.len());
    (all, rules)
}

/// The entry under the old name of a renamed benchmark, which refers to the new one.
fn old_name(observed: &Observation) -> Option<Observation> {
    let from = match &observed.outcome {
        Outcome::Compared { renamed_from, .. } | Outcome::Counted { renamed_from, .. } => {
            renamed_from.as_ref()?
        }
        _ => return None,
    };
    let (key, outcome) = (from.clone(), Outcome::Renamed { to: observed.key.clone() });
    Some(Observation { key, metric: observed.metric.clone(), outcome })
}

/// A benchmark and metric, and the limits that it is judged by.
struct Subject {
    key: BenchmarkKey,
    metric: Metric,
    limits: Limits,
    method: Method,
    /// Benchmarks of the run that are compared by their values, and rules that are tested by theirs.
    among: usize,
    /// The maximum of screening pairs.
    most: usize,
}

impl Subject {
    fn judge(self, outcome: Outcome, survives: bool) -> BenchmarkReport {
        // Long: one arm for each outcome.
        match outcome {
            Outcome::Compared { evidence, renamed_from } => {
                self.compared(evidence, renamed_from, survives)
            }
            Outcome::Identical { reason, head } => BenchmarkReport {
                reason,
                head: head.first().copied(),
                evidence: Box::new(of_rounds(Vec::new(), head)),
                ..self.blank(Finding::Identical)
            },
            Outcome::Unreached { reason } => {
                BenchmarkReport { reason, ..self.blank(Finding::Inconclusive) }
            }
            Outcome::Counted { counted, renamed_from } => self.counted(counted, renamed_from),
            Outcome::Failed { side, reason, output } => BenchmarkReport {
                reason: format!("{}: {reason}", side.name()),
                output,
                ..self.blank(Finding::Failed)
            },
            Outcome::Missing { candidates, base } => BenchmarkReport {
                base: stats::median(&base),
                evidence: Box::new(Evidence {
                    mean: Means::new(stats::mean(&base), None),
                    ..of_rounds(base, Vec::new())
                }),
                reason: why_missing(&candidates),
                ..self.blank(Finding::Missing)
            },
            Outcome::New { head, earlier } => BenchmarkReport {
                head: stats::median(&head),
                evidence: Box::new(Evidence {
                    earlier,
                    mean: Means::new(None, stats::mean(&head)),
                    ..of_rounds(Vec::new(), head)
                }),
                reason: "the base does not have it: nothing to compare with".to_owned(),
                ..self.blank(Finding::New)
            },
            Outcome::Renamed { to } => BenchmarkReport {
                reason: format!("now `{}`", short_name(&to, &self.key)),
                ..self.blank(Finding::Renamed)
            },
            Outcome::Removed { reason, is_accepted } => BenchmarkReport {
                is_open: !is_accepted,
                reason: if is_accepted {
                    format!("removed on purpose: {reason}")
                } else {
                    format!(
                        "this change says that it was removed on purpose: {reason}; somebody has to \
                         agree (with `[gate] removals = true` in the base's benchgate.toml it passes)"
                    )
                },
                ..self.blank(Finding::Removed)
            },
            Outcome::Judged(report) => *report,
            Outcome::Skipped { reason } => {
                BenchmarkReport { reason, ..self.blank(Finding::Skipped) }
            }
        }
    }

    fn counted(self, counted: Counted, renamed_from: Option<BenchmarkKey>) -> BenchmarkReport {
        let (finding, reason) = counted.judge(&self.metric, &self.limits);
        let shown = counted.shown();
        BenchmarkReport {
            blocking: self.blocks(finding),
            base: shown.base,
            head: shown.head,
            change: counted.change(),
            evidence: Box::new(Evidence {
                rounds: counted.rounds().clone(),
                ..Evidence::default()
            }),
            reason: with_old_name(renamed_from, &self.key, reason),
            ..self.blank(finding)
        }
    }

    fn compared(
        self,
        evidence: Box<Evidence>,
        renamed_from: Option<BenchmarkKey>,
        survives: bool,
    ) -> BenchmarkReport {
        let Some(conclusion) = self.conclude(&evidence, survives) else {
            let reason = "no round on one of the sides".to_owned();
            return BenchmarkReport { reason, ..self.blank(Finding::Failed) };
        };
        let Conclusion { finding, reason, change, detectable, is_open } = conclusion;
        let pairs = match self.method {
            Method::Paired => evidence.rounds.base.len() + evidence.confirmation.base.len(),
            _ => 0,
        };
        let all = evidence.all();
        let base = stats::median(&all.base);
        let head = match (&*all.base, &*all.head) {
            ([_], [head]) => Some(*head),
            // The median of ratios is not the ratio of medians. The change is what was decided on, and both are shown.
            _ => base.map(|base| base * (1.0 + change.estimate)),
        };
        BenchmarkReport {
            blocking: self.blocks(finding),
            base,
            head,
            change: Some(change),
            detectable,
            is_open,
            drift: drift::drift(&evidence.baseline, &evidence.rounds.head),
            pairs: u32::try_from(pairs).unwrap_or(u32::MAX),
            evidence,
            reason: with_old_name(renamed_from, &self.key, reason),
            ..self.blank(finding)
        }
    }

    fn conclude(&self, evidence: &Evidence, survives: bool) -> Option<Conclusion> {
        let Evidence { rounds, mean, baseline, .. } = evidence;
        let limits = &self.limits;
        if self.method == Method::Paired {
            let conclusion = conclude::conclude(evidence, limits, survives, self.most)?;
            let (finding, reason) =
                layout::weigh(conclusion.finding, conclusion.reason, limits, evidence);
            let (finding, reason) = drift::weigh(finding, reason, limits, baseline, &rounds.head);
            let (finding, reason) = instructions::weigh(finding, reason, limits, evidence);
            return Some(Conclusion { finding, reason, ..conclusion });
        }
        let single = |mean: Option<f64>| mean.into_iter().collect::<Vec<_>>();
        let unpaired = match self.method {
            Method::Estimates => Unpaired::new(&single(mean.base), &single(mean.head), 1)?,
            _ => Unpaired::new(&rounds.base, &rounds.head, self.among)?,
        };
        let same = rounds.base == rounds.head && mean.base == mean.head;
        let (finding, reason) = match self.method {
            Method::Recorded | Method::Estimates if same => {
                (Finding::Identical, "both records hold the same values".to_owned())
            }
            Method::Estimates => unpaired.judge_estimate(limits),
            _ => unpaired.judge(limits),
        };
        let is_open =
            self.method != Method::Estimates && unpaired.effect().leaves_open(finding, limits);
        Some(Conclusion { finding, reason, change: unpaired.change(), detectable: None, is_open })
    }

    fn blocks(&self, finding: Finding) -> bool {
        finding.level().is_some_and(|level| level >= self.limits.fail_on)
    }

    /// An entry without values. A benchmark that could not be measured blocks: it is not a pass.
    fn blank(self, finding: Finding) -> BenchmarkReport {
        let Self { key, metric, limits, .. } = self;
        BenchmarkReport {
            package: key.package,
            suite: key.suite,
            id: key.id,
            unit: metric.unit().to_owned(),
            metric,
            finding,
            blocking: matches!(finding, Finding::Failed | Finding::Missing),
            base: None,
            head: None,
            change: None,
            limit: limits.thresholds.of(limits.fail_on),
            fail_on: limits.fail_on,
            layout_not_ruled_out: limits.layout_not_ruled_out,
            more_instructions: limits.more_instructions,
            thresholds: limits.thresholds,
            floor_ns: limits.floor_ns,
            detectable: None,
            is_open: false,
            drift: None,
            waiver: None,
            pairs: 0,
            evidence: Box::default(),
            reason: String::new(),
            output: String::new(),
        }
    }
}

fn of_rounds(base: Vec<f64>, head: Vec<f64>) -> Evidence {
    Evidence { rounds: Rounds { base, head }, ..Evidence::default() }
}

/// The name of a benchmark next to that of another one: its id, where the suite is the same.
fn short_name(key: &BenchmarkKey, other: &BenchmarkKey) -> String {
    if key.is_of(&other.suite_key()) { key.id.clone() } else { key.to_string() }
}

fn why_missing(candidates: &[String]) -> String {
    let hint = match candidates {
        [] => "if on purpose, declare `[[removed]]` in benchgate.toml, in this change".to_owned(),
        [one] => {
            format!("if it is `{one}` now, declare `[[rename]]` in benchgate.toml, in this change")
        }
        many => format!(
            "if it is one of the {} new ones, declare `[[rename]]` in benchgate.toml, in this change",
            many.len()
        ),
    };
    format!("the base has it, the head does not; {hint}")
}

fn with_old_name(from: Option<BenchmarkKey>, key: &BenchmarkKey, reason: String) -> String {
    match from {
        Some(from) => format!("renamed from `{}`; {reason}", short_name(&from, key)),
        None => reason,
    }
}

#[cfg(test)]
mod tests;
