//! Suites that cannot be led: they are built and measured as cargo and Criterion do, and the report says why.

use std::collections::BTreeMap;

use benchgate_core::model::{Finding, Sides, SuiteKey};
use benchgate_core::policy::{Policy, Runtime};
use benchgate_core::result::SuiteReport;
use benchgate_host::sides::BuildDir;

use crate::building::Prepared;

/// The suites of sides that were to be led and cannot be, and why.
pub(crate) fn refused(
    sides: Sides<Option<&Prepared>>,
    policy: &Policy,
    build_dir: &BuildDir,
) -> BTreeMap<SuiteKey, String> {
    let mut refused = BTreeMap::new();
    if policy.build.runtime != Runtime::Lockstep {
        return refused;
    }
    for (side, prepared) in sides.iter() {
        let Some(prepared) = prepared else { continue };
        // A base that does not build where the head does is inconclusive.
        let failed =
            |suite: &&SuiteReport| matches!(suite.finding, Finding::Failed | Finding::Inconclusive);
        for suite in prepared.inventory.suites_left_out.iter().filter(failed) {
            let reason = format!("{}: {}", side.name(), suite.reason);
            refused.entry(suite.key()).or_insert(reason);
        }
    }
    if let Some(sides) = sides.both() {
        let is_led = sides.map(|prepared| {
            let executables = prepared.built.iter().flat_map(|built| &built.executables);
            executables.map(|executable| (executable.key.clone(), executable.is_led)).collect()
        });
        let Sides::<BTreeMap<SuiteKey, bool>> { base, head } = is_led;
        for (suite, of_base) in base {
            if head.get(&suite).is_some_and(|of_head| *of_head != of_base) {
                refused
                    .entry(suite)
                    .or_insert_with(|| "it can be led on one side alone".to_owned());
            }
        }
    }
    refused.retain(|suite, _| build_dir.may_be_led(suite));
    refused
}

/// A notice about suites that are not led.
pub(crate) fn notice(refused: &BTreeMap<SuiteKey, String>) -> String {
    let named: Vec<String> =
        refused.iter().map(|(suite, reason)| format!("`{suite}` ({reason})")).collect();
    format!(
        "measured by Criterion itself, because it could not be led in lockstep: {}",
        named.join("; ")
    )
}
