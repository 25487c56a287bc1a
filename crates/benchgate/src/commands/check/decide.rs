//! Judges the observations, and explains flagged benchmarks.

use std::collections::BTreeSet;

use benchgate_core::judge::{Context, decide as judge};
use benchgate_core::model::Sides;
use benchgate_core::result::{Method, Origin, ReadsReport, RunResult, ShardReport};
use benchgate_host::store::journal::Journal;
use benchgate_host::system::interrupt;

use super::measure::Measured;
use super::plan::Plan;
use super::scope::origin_of;
use crate::building::Prepared;
use crate::commands::selftest;
use crate::error::CommandError;
use crate::explaining::{Explaining, LONGEST_OF_GATE};
use crate::show;

/// The result of a run, before it is written.
pub(super) struct Decided<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) journal: Journal,
    pub(super) result: RunResult,
}

pub(super) fn decide(measured: Measured<'_>) -> Result<Decided<'_>, CommandError> {
    let Measured {
        plan,
        sides,
        journal,
        observed,
        left,
        suites,
        toolchain,
        seconds,
        measured,
        notices,
    } = measured;
    let Plan { scope, attempt, method, .. } = plan;
    let context = Context {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        time: show::now(),
        today: show::today()?,
        method: *method,
        origins: origins(plan),
        machine: Some(scope.session.machine.clone()),
        sandbox: Some(plan.sandbox.clone()),
        toolchain,
        seed: attempt.seed,
        shard: plan.suites.shard.clone().map(|shard| {
            let left = left.into_iter().collect();
            ShardReport { left, ..shard }
        }),
        attempt: attempt.report.clone().filter(|_| *method == Method::Paired),
        seconds,
        reads: reads(plan),
        measured,
        trailers: plan.trailers.clone(),
        head_policy: scope.of_head.clone(),
        is_narrowed: scope.request.measure.selection.is_narrowed() || plan.suites.shard.is_some(),
        notices: all_notices(plan, notices),
        reproduce: attempt.repeat(),
    };
    let mut result = judge(observed, suites, &scope.policy, context);
    if let Some(previous) = &attempt.previous {
        previous.earlier.keep(&mut result);
    }
    if *method == Method::Paired && !interrupt::is_interrupted() {
        explain(plan, &sides, &mut result);
    }
    crate::shard::seal(&mut result);
    Ok(Decided { plan, journal, result })
}

fn reads(plan: &Plan<'_>) -> Vec<ReadsReport> {
    plan.suites.reaches.iter().map(|(key, taken)| ReadsReport::of(key, &taken.way)).collect()
}

fn origins(plan: &Plan<'_>) -> Sides<Origin> {
    let Plan { scope, baseline, method, .. } = plan;
    let origins = scope.revisions.as_ref().map(origin_of);
    match baseline {
        Some(record) if *method == Method::Baseline => Sides {
            base: Origin {
                commit: record.commit.clone().unwrap_or_default(),
                name: format!("committed baseline of {}", scope.session.machine.name),
                dirty: false,
            },
            ..origins
        },
        _ => origins,
    }
}

/// Collects the notices of all steps, and names the last self-test.
fn all_notices(plan: &Plan<'_>, measured: Vec<String>) -> Vec<String> {
    let session = &plan.scope.session;
    let mut notices = [plan.scope.notices.clone(), plan.notices.clone(), measured].concat();
    // One of another machine would not apply.
    if let Some(Ok(last)) = selftest::last(&session.workspace.work_dir())
        && last.machine.differences(&session.machine).is_empty()
    {
        notices.push(selftest::summary(&last));
    }
    // What holds for both sides is reported once.
    let mut unique = BTreeSet::new();
    notices.retain(|notice| unique.insert(notice.clone()));
    notices
}

/// Explains what a result flags, as long as there is time.
fn explain(plan: &Plan<'_>, sides: &Sides<Prepared>, result: &mut RunResult) {
    let timeout = plan.scope.policy.measure.timeout.min(LONGEST_OF_GATE);
    let explaining = Explaining { sides, build_dir: &plan.build_dir, timeout };
    let is_late = || plan.scope.is_out_of_time();
    match explaining.flagged(result, &is_late, &*plan.progress) {
        Ok(explanations) => result.explanations = explanations,
        // The verdict does not depend on it.
        Err(error) => result.notices.push(format!("not all is explained: {error}")),
    }
}
