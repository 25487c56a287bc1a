//! `benchgate report`: renders a result again.

use std::collections::BTreeSet;
use std::path::Path;

use benchgate_core::judge::contradictions;
use benchgate_core::policy::nearest;
use benchgate_core::report::quoted;
use benchgate_core::result::RunResult;
use benchgate_host::{HostError, files};

use crate::cli::ReportArgs;
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
        if arguments.format.0.name != "critcmp" {
            return Err(HostError::usage(
                "a report of one suite would omit the reasons for the verdict",
                "add --format critcmp, or omit --suite",
            )
            .into());
        }
        let known: BTreeSet<String> =
            result.benchmarks.iter().map(|b| b.key().suite_key().to_string()).collect();
        if !known.contains(suite) {
            return Err(unknown_suite(suite, &known).into());
        }
        result.benchmarks.retain(|b| b.key().suite_key().to_string() == *suite);
    }
    show::print(&result, arguments.format.0, arguments.max_bytes, arguments.run_url.as_ref());
    Ok(Exit::Pass)
}

fn unknown_suite(suite: &str, known: &BTreeSet<String>) -> HostError {
    let help = match nearest(suite, known.iter().map(String::as_str)) {
        Some(meant) => format!("did you mean `--suite {}`?", quoted(&meant)),
        None => format!(
            "name one of: {}",
            known.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
        ),
    };
    HostError::usage(format!("the result has no suite `{suite}`"), help)
}

/// Reads a result and judges it again from its own values.
pub(super) fn judged(path: &Path) -> Result<RunResult, CommandError> {
    show::existing(path)?;
    let bytes = files::read(path)?;
    let result = RunResult::from_json(&bytes).map_err(|error| HostError::format(path, error))?;
    let contradictions = contradictions(&result);
    if !contradictions.is_empty() {
        let problem = format!("judged again from its own values: {}", contradictions.join("; "));
        return Err(HostError::Content { path: path.to_owned(), problem }.into());
    }
    Ok(result)
}
