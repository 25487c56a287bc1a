//! The committed baseline of this machine, and whether it can be used.

use benchgate_core::model::Recorded;
use benchgate_core::policy::Suite;
use benchgate_core::result::{Method, ShardReport};
use benchgate_host::harness::toolchain;
use benchgate_host::store::baselines;

use super::scope::Scope;
use crate::error::CommandError;

/// The consequence where a baseline was meant to decide and cannot be used.
const IN_PAIRS: &str = "pairs of base and head decide instead";

/// Returns the baseline of this machine in the base commit. It is `None`, with a notice that names the differences, if it
/// was measured with another machine or toolchain.
pub(super) fn usable(
    scope: &Scope,
    shard: Option<&ShardReport>,
) -> Result<(Option<Recorded>, Option<String>), CommandError> {
    let Scope { request, session, policy, revisions, method, .. } = scope;
    let (base, workspace, machine) = (&revisions.base, &session.workspace, &session.machine);
    let otherwise = |otherwise: &'static str| match method {
        Method::Baseline => IN_PAIRS,
        _ => otherwise,
    };
    let records =
        baselines::committed(&session.repository, &base.commit, &workspace.root, &machine.name)?;
    if records.is_empty() {
        let instead = otherwise("drift since the last release is not checked");
        let notice = format!(
            "{} has no baseline for the machine `{}`: {instead} (`benchgate baseline save` makes one)",
            base.name, machine.name
        );
        return Ok((None, Some(notice)));
    }
    let selection = &request.measure.selection;
    let is_left_out = selection.suites_left_out(&workspace.name, policy, shard);
    let is_built = |suite: &&Suite| is_left_out(&suite.key(&workspace.name)).is_none();
    let suites = policy.suites.iter().filter(is_built);
    let here = toolchain::fingerprint(workspace, &policy.build, suites)?;
    // Suites may have been saved at different times: every file is checked.
    for (name, record) in &records {
        let found = match (&record.machine, &record.toolchain) {
            (Some(then), Some(with)) => {
                [machine.differences(then), here.differences(with)].concat()
            }
            _ => vec!["the file does not name its machine".to_owned()],
        };
        if !found.is_empty() {
            let instead = otherwise("drift is not checked");
            let notice = format!(
                "`{name}` was measured with another machine or toolchain ({}): {instead}",
                found.join("; ")
            );
            return Ok((None, Some(notice)));
        }
    }
    Ok((baselines::merged(records), None))
}
