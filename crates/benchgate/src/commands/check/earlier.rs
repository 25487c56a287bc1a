//! Going on with an earlier attempt on the same base and head: its pairs count, and what it settled is not measured
//! again.

use std::path::{Path, PathBuf};

use benchgate_core::judge::{Earlier, EarlierError};
use benchgate_core::model::{Machine, Toolchain};
use benchgate_core::result::{AttemptReport, BenchmarkReport, Method, RunResult};
use benchgate_host::HostError;
use benchgate_host::system::files;

use super::scope::Scope;
use super::shard::settings;
use crate::error::CommandError;
use crate::request::CheckRequest;
use crate::shard::digest_of_policy;
use crate::show;

/// The name of the file that keeps the result of the last attempt: this run's takes its place in `result.json`.
const KEPT: &str = "earlier.json";

/// The earlier attempts on the same base and head that a run continues.
pub(super) struct Previous {
    pub(super) earlier: Earlier,
    /// SHA-256 of the result of the last one.
    pub(super) digest: String,
    /// The result, as it was read.
    bytes: Vec<u8>,
    /// The file that keeps it.
    pub(super) kept: PathBuf,
}

impl Previous {
    /// Keeps the result: this run's takes its place.
    pub(super) fn keep(&self) -> Result<(), HostError> {
        files::write_atomically(&self.kept, &self.bytes)
    }

    /// Compares what built it with what builds now.
    pub(super) fn built_by(&self, toolchain: Option<&Toolchain>) -> Result<(), CommandError> {
        self.earlier.built_by(toolchain).map_err(|error| refused(&self.kept, &error))
    }

    /// What a reader must know of the attempts before this one.
    pub(super) fn notices(&self, machine: &Machine) -> Vec<String> {
        let attempts = self.earlier.attempts();
        let number = attempts.len() + 1;
        let mut notices = vec![format!(
            "this is attempt {number} on these commits: the pairs of all attempts count, and each attempt has its own \
             share of the run's error"
        )];
        let elsewhere =
            attempts.iter().zip(1..).filter(|(attempt, _)| attempt.machine != machine.name);
        notices.extend(elsewhere.map(|(attempt, number)| {
            format!(
                "attempt {number} was measured on `{}`: a change may differ there",
                attempt.machine
            )
        }));
        notices
    }
}

/// The attempt that this run is, as far as it is known before it measures; `None` for a run that no other one can go
/// on with.
pub(super) fn attempt(scope: &Scope) -> Option<AttemptReport> {
    let Scope { request, revisions, policy, of_head, method, .. } = scope;
    if request.shard.is_some() || *method == Method::Baseline {
        return None;
    }
    // How many pairs it may be is each attempt's own affair.
    let mut alike = policy.clone();
    alike.measure.pairs = 0;
    Some(AttemptReport {
        checkouts: revisions.as_ref().map(|revision| revision.checkout.clone()),
        policy: digest_of_policy(policy, of_head.as_ref()),
        settings: settings(request, &alike),
        earlier: Vec::new(),
        kept: Vec::new(),
    })
}

/// The result that `--earlier` names.
pub(super) fn read(
    request: &CheckRequest,
    attempt: Option<&AttemptReport>,
    output: &Path,
) -> Result<Option<Previous>, CommandError> {
    let Some(path) = &request.earlier else { return Ok(None) };
    let file = output.join(KEPT);
    if !path.is_file() && file.is_file() {
        let message = format!("no such file: {}", path.display());
        let next = format!("the result that the last run continued is {}", show::shown(&file));
        return Err(HostError::usage(message, next).into());
    }
    show::existing(path)?;
    let bytes = files::read(path)?;
    let result = RunResult::from_json(&bytes).map_err(|error| HostError::format(path, error))?;
    let Some(attempt) = attempt else {
        let message = "`--earlier` continues pairs of base and head, and `[gate]` of the policy has `method = \"baseline\"`";
        return Err(HostError::usage(message, "omit --earlier").into());
    };
    let earlier = Earlier::new(result, env!("CARGO_PKG_VERSION"), attempt)
        .map_err(|error| refused(path, &error))?;
    Ok(Some(Previous { earlier, digest: files::digest_of(&bytes), bytes, kept: file }))
}

/// Removes the result that the last run continued: this run continues none.
pub(super) fn forget(output: &Path) -> Result<(), HostError> {
    files::remove_file(&output.join(KEPT))
}

/// The error of a result that cannot be gone on with.
fn refused(path: &Path, error: &EarlierError) -> CommandError {
    let message = format!("cannot resume {}: {error}", show::shown(path));
    HostError::usage(message, "measure on its own, without --earlier").into()
}

/// Whether another attempt would measure more: of what this one left open or found slower.
pub(super) fn is_open(result: &RunResult) -> bool {
    let is_open =
        |report: &BenchmarkReport| report.pairs > 0 && (report.blocking || report.is_undecided());
    result.attempt.is_some() && result.benchmarks.iter().any(is_open)
}
