//! `benchgate report`: a result, rendered again.

use benchgate_core::judge::contradictions;
use benchgate_core::result::RunResult;
use benchgate_host::{HostError, files};

use crate::cli::{Format, ReportArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::show;

pub(crate) fn run(arguments: &ReportArgs) -> Result<Exit, CommandError> {
    show::existing(&arguments.result)?;
    let bytes = files::read(&arguments.result)?;
    let unusable = |problem: String| HostError::Content { path: arguments.result.clone(), problem };
    let mut result = RunResult::from_json(&bytes).map_err(|error| unusable(error.to_string()))?;
    if let Some(head) = arguments.head.as_ref().filter(|head| **head != result.head.commit) {
        let found = &result.head.commit;
        return Err(unusable(format!("`head.commit`: `{found}` is not `{head}`")).into());
    }
    let contradictions = contradictions(&result);
    if !contradictions.is_empty() {
        let problem = contradictions.join("; ");
        return Err(unusable(format!("judged again from its own values: {problem}")).into());
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
