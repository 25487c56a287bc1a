//! `benchgate report`: a result, rendered again.

use std::path::Path;

use benchgate_core::judge::contradictions;
use benchgate_core::result::RunResult;
use benchgate_host::{HostError, files};

use crate::cli::{Format, ReportArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::show;

pub(crate) fn run(arguments: &ReportArgs) -> Result<Exit, CommandError> {
    let mut result = judged(&arguments.result)?;
    if let Some(head) = arguments.head.as_ref().filter(|head| **head != result.head.commit) {
        let problem = format!("`head.commit`: `{}` is not `{head}`", result.head.commit);
        return Err(HostError::Content { path: arguments.result.clone(), problem }.into());
    }
    if let Some(suite) = &arguments.suite {
        if arguments.format != Format::Critcmp {
            return Err(HostError::usage(
                "a report of one suite would leave out what the verdict rests on",
                "add --format critcmp, or leave --suite out",
            )
            .into());
        }
        result.benchmarks.retain(|b| format!("{}.{}", b.package, b.suite) == *suite);
    }
    show::print(&result, arguments.format, arguments.max_bytes, arguments.run_url.as_ref());
    Ok(Exit::Pass)
}

/// Reads a result and judges it again from its own values.
pub(super) fn judged(path: &Path) -> Result<RunResult, CommandError> {
    show::existing(path)?;
    let bytes = files::read(path)?;
    let unusable = |problem: String| HostError::Content { path: path.to_owned(), problem };
    let result = RunResult::from_json(&bytes).map_err(|error| unusable(error.to_string()))?;
    let contradictions = contradictions(&result);
    if !contradictions.is_empty() {
        let problem = contradictions.join("; ");
        return Err(unusable(format!("judged again from its own values: {problem}")).into());
    }
    Ok(result)
}
