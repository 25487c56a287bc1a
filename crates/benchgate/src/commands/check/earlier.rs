//! Going on with an earlier attempt on the same base and head: its pairs count, and what it settled is not measured
//! again.

use std::path::{Path, PathBuf};

use benchgate_core::judge::{Earlier, EarlierError};
use benchgate_core::model::{Machine, Sides};
use benchgate_core::report::quoted;
use benchgate_core::result::{AttemptReport, RunResult};
use benchgate_host::{HostError, files};

use super::shard::settings;
use crate::error::CommandError;
use crate::opened::Opened;
use crate::request::CheckRequest;
use crate::shard::digest_of_policy;
use crate::show;

/// The name of the file that keeps the result of the last attempt: this run's takes its place in `result.json`.
const KEPT: &str = "earlier.json";

/// The attempt that this run is, as far as it is known before it measures; `None` for a run that no other one can go
/// on with.
pub(super) fn attempt(request: &CheckRequest, opened: &Opened) -> Option<AttemptReport> {
    let Opened { base, head, policy, of_head, .. } = opened;
    if request.shard.is_some() || request.is_of_head_alone(policy) {
        return None;
    }
    // How many pairs it may be is each attempt's own affair.
    let mut alike = policy.clone();
    alike.measure.pairs = 0;
    Some(AttemptReport {
        checkouts: Sides::new(base.checkout.clone(), head.checkout.clone()),
        policy: digest_of_policy(policy, of_head.as_ref()),
        settings: settings(request, &alike),
        earlier: Vec::new(),
    })
}

/// The result that `--earlier` names, and where it is kept from now on.
pub(super) fn read(
    request: &CheckRequest,
    attempt: Option<&AttemptReport>,
    output: &Path,
) -> Result<Option<(Earlier, PathBuf)>, CommandError> {
    let Some(path) = &request.earlier else { return Ok(None) };
    let kept = output.join(KEPT);
    if !path.is_file() && kept.is_file() {
        let message = format!("no such file: {}", path.display());
        let next = format!("the result that the last run went on with is {}", show::shown(&kept));
        return Err(HostError::usage(message, next).into());
    }
    show::existing(path)?;
    let bytes = files::read(path)?;
    let result = RunResult::from_json(&bytes).map_err(|error| HostError::format(path, error))?;
    let Some(attempt) = attempt else {
        let message = "`--earlier` goes on with pairs of base and head, and the policy says `gate = \"baseline\"`";
        return Err(HostError::usage(message, "omit --earlier").into());
    };
    let earlier = Earlier::new(result, env!("CARGO_PKG_VERSION"), attempt)
        .map_err(|error| refused(path, &error))?;
    files::write_atomically(&kept, &bytes)?;
    Ok(Some((earlier, kept)))
}

/// The error of a result that cannot be gone on with.
pub(super) fn refused(path: &Path, error: &EarlierError) -> CommandError {
    let message = format!("cannot go on with {}: {error}", show::shown(path));
    HostError::usage(message, "measure on its own, without --earlier").into()
}

/// What a reader must know of the attempts before this one.
pub(super) fn notices(earlier: &Earlier, machine: &Machine) -> Vec<String> {
    let attempts = earlier.attempts();
    let number = attempts.len() + 1;
    let mut notices = vec![format!(
        "this is attempt {number} on these commits: the pairs of all attempts count, and each attempt has its own share \
         of the run's error"
    )];
    let elsewhere = attempts.iter().zip(1..).filter(|(attempt, _)| attempt.machine != machine.name);
    notices.extend(elsewhere.map(|(attempt, number)| {
        format!("attempt {number} was measured on `{}`: a change may differ there", attempt.machine)
    }));
    notices
}

/// The command that measures more of what this run left open or found slower; `None` where nothing is.
pub(super) fn going_on(result: &RunResult, command: &str, output: &Path) -> Option<String> {
    result.attempt.as_ref()?;
    let is_open = |report: &benchgate_core::result::BenchmarkReport| {
        report.pairs > 0 && (report.blocking || report.is_undecided())
    };
    if !result.benchmarks.iter().any(is_open) {
        return None;
    }
    let command = command.rsplit_once(" --seed ").map_or(command, |(words, _)| words);
    let command = command.split_once(" --earlier ").map_or(command, |(words, _)| words);
    let path = show::shown(&output.join("result.json"));
    Some(format!("{command} --earlier {}", quoted(&path)))
}
