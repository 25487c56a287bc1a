//! What runs of the base's suites read of its checkout, kept for later runs with the same base.

use std::collections::{BTreeMap, BTreeSet};

use benchgate_core::affected::Observed;
use benchgate_core::judge::{Observation, Outcome};
use benchgate_core::model::{BenchmarkKey, SuiteKey};
use benchgate_host::interrupt;
use benchgate_host::measure::Inventory;

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
