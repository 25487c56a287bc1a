//! What runs of the base's suites read of its checkout: observed while they are asked and measured, and kept for later runs
//! with the same base. Also what the head reads while it is asked, for this run.

use std::collections::{BTreeMap, BTreeSet};

use benchgate_core::affected::Observed;
use benchgate_core::judge::{Observation, Outcome};
use benchgate_core::model::{BenchmarkKey, SuiteKey};
use benchgate_host::access_times::AccessTimes;
use benchgate_host::measure::Inventory;
use benchgate_host::sides::BuiltSide;
use benchgate_host::{Availability, interrupt};

use super::build::Built;
use super::plan::Plan;
use crate::error::CommandError;

/// What is observed of one side.
pub(super) struct Watch {
    times: Availability<AccessTimes>,
}

impl Watch {
    /// Begins to watch a side; `None` where nobody would read what it observes.
    pub(super) fn begin(side: Option<&BuiltSide>) -> Option<Self> {
        side.map(|side| Self { times: AccessTimes::set_back(side.folder()) })
    }

    /// What was read since; or why that is not known.
    pub(super) fn end(self) -> Result<Observed, String> {
        self.times.into_result().and_then(|times| times.reads().into_result())
    }
}

/// A side, unless it is known already what all of its suites read.
pub(super) fn unknown<'s>(plan: &Plan<'_>, side: Option<&'s BuiltSide>) -> Option<&'s BuiltSide> {
    let is_known = |key: &SuiteKey| {
        plan.suites.reaches.get(key).is_some_and(|taken| taken.way.why_names().is_none())
    };
    side.filter(|side| {
        let mut of_cargo = side.executables.iter().filter(|it| it.declared.is_none());
        of_cargo.any(|executable| !is_known(&executable.key))
    })
}

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
    // The compiler reads what no bench does.
    let is_compiled = plan.build_dir.has_compiled_again();
    let mut read = asked;
    if !is_compiled {
        read.add(measured);
    }
    let is_whole = plan.is_whole()
        && !is_compiled
        && !interrupt::is_interrupted()
        && plan.attempt.going_on.is_none()
        && plan.attempt.interrupted.is_none();
    let inventory = &built.sides.base.inventory;
    let ran = ran(observations);
    let of = |executable: &benchgate_host::sides::Executable| {
        let key = &executable.key;
        let is_own = executable.declared.is_none() && !built.same.contains_key(key);
        let is_whole = is_whole && is_all(inventory, key, &ran);
        (is_own && inventory.has(key)).then(|| (key.clone(), Observed { is_whole, ..read.clone() }))
    };
    base.keep_observed(base.executables.iter().filter_map(of).collect::<BTreeMap<_, _>>())?;
    Ok(None)
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

/// Whether all benchmarks of a suite ran: those that count do so while they are asked.
fn is_all(inventory: &Inventory, suite: &SuiteKey, ran: &BTreeSet<BenchmarkKey>) -> bool {
    let failed = inventory.suites_left_out.iter().any(|left_out| left_out.key() == *suite);
    let keys = inventory.keys();
    !failed && keys.iter().filter(|key| key.is_of(suite)).all(|key| ran.contains(key))
}
