//! Makes one result of the shards of a run, and refuses what is not all of one run.

mod part;
mod refuse;

use std::collections::{BTreeMap, BTreeSet};

pub use refuse::MergeError;

use self::part::Part;
use super::again::observed;
use super::decide::{Context, decide};
use super::findings::{Observation, Outcome};
use super::waive::Trailer;
use crate::model::{BenchmarkKey, Date, Finding, Metric, Shard, Sides, SkipReason};
use crate::policy::Policy;
use crate::result::{
    BenchmarkReport, Explanation, MeasuredSuite, Method, RunResult, Seconds, SuiteReport,
};

/// The policies, the trailers and the date that apply to a run as a whole.
#[derive(Clone, Copy, Debug)]
pub struct Merging<'a> {
    /// The policy of the run.
    pub policy: &'a Policy,
    /// The head's, if it differs.
    pub head_policy: Option<&'a Policy>,
    /// The trailers of the commits of the change.
    pub trailers: &'a [Trailer],
    /// The day on which waivers are checked for expiry.
    pub today: Date,
}

/// A result of all shards of a run, each with the name of its file. Its findings are those of one run with these
/// values: the error of a run is shared among all that it tests, wherever that was measured.
///
/// # Errors
/// Names the shard that is missing, doubled, of another run, or not as it was written.
pub fn merge(
    shards: &[(String, RunResult)],
    merging: &Merging<'_>,
) -> Result<RunResult, MergeError> {
    let parts = refuse::parts(shards)?;
    for part in &parts {
        refuse::own_suites(*part)?;
        refuse::own_limits(*part, merging.policy)?;
    }
    refuse::nothing_is_lost(&parts)?;
    refuse::rules_are_whole(&parts, &merging.policy.rules)?;
    let first = *parts.first().ok_or(MergeError::Nothing)?;
    let observed =
        parts.iter().flat_map(|part| observations(part.result, merging)).collect::<Vec<_>>();
    let context = context(&parts, first, merging);
    let mut merged = decide(observed, suites(&parts), merging.policy, context);
    keep_reasons(&mut merged.benchmarks, &parts);
    merged.explanations = parts.iter().flat_map(|part| own_explanations(part.result)).collect();
    Ok(merged)
}

/// The notice of a shard that its verdict is not that of the run.
pub fn notice_of_shard(part: Shard) -> String {
    format!("this is shard {part}: `benchgate merge` gives the verdict of the run, from all shards")
}

fn context(parts: &[Part<'_>], first: Part<'_>, merging: &Merging<'_>) -> Context {
    let results = || parts.iter().map(|part| part.result);
    let longest = |seconds: fn(&Seconds) -> f64| {
        results().map(|result| seconds(&result.seconds)).fold(0.0, f64::max)
    };
    let mut notices: Vec<String> = Vec::new();
    for part in parts {
        let own_notice = notice_of_shard(part.shard.part);
        notices.extend(part.result.notices.iter().filter(|notice| **notice != own_notice).cloned());
    }
    let of_first = first.result;
    let is_one_machine = results().all(|result| result.machine == of_first.machine);
    if !is_one_machine {
        notices.push(machines(parts));
    }
    let toolchain = results().find_map(|result| result.toolchain.clone());
    let is_other = |result: &RunResult| {
        result.toolchain.as_ref().is_some_and(|own| Some(own) != toolchain.as_ref())
    };
    if let Some(part) = parts.iter().find(|part| is_other(part.result)) {
        notices.push(format!("shard {} was built differently from the others", part.shard.part));
    }
    Context {
        version: of_first.version.clone(),
        time: results().map(|result| result.time.clone()).max().unwrap_or_default(),
        today: merging.today,
        method: Method::Paired,
        origins: Sides::new(of_first.base.clone(), of_first.head.clone()),
        machine: of_first.machine.clone().filter(|_| is_one_machine),
        toolchain,
        // One shard without a sandbox is enough for a forged value.
        sandbox: results().filter_map(|result| result.sandbox.clone()).max_by_key(|it| it.state),
        seed: of_first.seed,
        shard: None,
        attempt: None,
        seconds: Seconds {
            build: longest(|seconds| seconds.build),
            measure: longest(|seconds| seconds.measure),
        },
        reads: of_first.reads.clone(),
        measured: MeasuredSuite::merged(results().flat_map(|result| &result.measured)),
        trailers: merging.trailers.to_vec(),
        head_policy: merging.head_policy.cloned(),
        is_narrowed: first.shard.is_narrowed,
        notices,
        reproduce: results().map(|result| &*result.reproduce).collect::<Vec<_>>().join(" && "),
    }
}

/// Both sides of a benchmark ran on one machine; two benchmarks may not have.
fn machines(parts: &[Part<'_>]) -> String {
    let of = |part: &Part<'_>| {
        let name = part.result.machine.as_ref().map_or("an unknown one", |machine| &machine.name);
        format!("shard {} on `{name}`", part.shard.part.number)
    };
    let each: Vec<String> = parts.iter().map(of).collect();
    format!("measured on several machines, both sides of a benchmark on one: {}", each.join(", "))
}

/// Returns the observations of a shard; those with values are judged again, among all.
fn observations(result: &RunResult, merging: &Merging<'_>) -> Vec<Observation> {
    let policies = [Some(merging.policy), merging.head_policy];
    let old_names: BTreeMap<(BenchmarkKey, Metric), BenchmarkKey> = result
        .benchmarks
        .iter()
        .filter(|report| report.finding == Finding::Renamed)
        .filter_map(|report| {
            let old = report.key();
            let new = policies.into_iter().flatten().find_map(|policy| policy.renamed(&old))?;
            Some(((new, report.metric.clone()), old))
        })
        .collect();
    let observation = |report: &BenchmarkReport| {
        let key = report.key();
        let place = (key.clone(), report.metric.clone());
        if let Some(mut found) = observed(report) {
            match &mut found.outcome {
                Outcome::Compared { renamed_from, .. } | Outcome::Counted { renamed_from, .. } => {
                    *renamed_from = old_names.get(&place).cloned();
                }
                _ => {}
            }
            return Some(found);
        }
        // The new name brings the old one's line.
        let is_old_name = old_names.values().any(|old| *old == key);
        let judged = || Outcome::Judged(Box::new(report.before_waivers()));
        (!is_old_name).then(|| Observation {
            key,
            metric: report.metric.clone(),
            outcome: judged(),
        })
    };
    result.benchmarks.iter().filter_map(observation).collect()
}

/// A reason that names what accepts a finding without values is that of the shard: it is not written twice.
fn keep_reasons(merged: &mut [BenchmarkReport], parts: &[Part<'_>]) {
    let mut elsewhere: BTreeMap<(BenchmarkKey, &Metric), &BenchmarkReport> = BTreeMap::new();
    for report in parts.iter().flat_map(|part| &part.result.benchmarks) {
        elsewhere.insert((report.key(), &report.metric), report);
    }
    for report in merged.iter_mut().filter(|report| report.waiver.is_some()) {
        let before = elsewhere.get(&(report.key(), &report.metric));
        if let Some(before) = before.filter(|before| before.waiver == report.waiver) {
            report.reason.clone_from(&before.reason);
        }
    }
}

/// The explanations of what a shard measured: a shard cannot explain another one's benchmark.
fn own_explanations(result: &RunResult) -> impl Iterator<Item = Explanation> {
    let measured: BTreeSet<BenchmarkKey> = result.benchmarks.iter().map(|row| row.key()).collect();
    result.explanations.iter().filter(move |found| measured.contains(&found.key())).cloned()
}

/// Returns the reports on whole suites, each from the shards that the suite belongs to. A report that several have of one suite,
/// in words that differ by a path or a time, appears once.
fn suites(parts: &[Part<'_>]) -> Vec<SuiteReport> {
    let mut all: Vec<SuiteReport> = Vec::new();
    for report in parts.iter().flat_map(|part| &part.result.suites) {
        let is_same = |other: &SuiteReport| {
            (other.key(), other.finding, other.skip) == (report.key(), report.finding, report.skip)
        };
        if report.skip != Some(SkipReason::OtherShard) && !all.iter().any(is_same) {
            all.push(report.clone());
        }
    }
    all.sort_by_key(SuiteReport::key);
    all
}

#[cfg(test)]
mod tests;
