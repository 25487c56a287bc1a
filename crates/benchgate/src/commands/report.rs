//! `benchgate report`: renders a result again.

use std::collections::BTreeMap;
use std::path::Path;

use benchgate_core::judge::contradictions;
use benchgate_core::model::SuiteKey;
use benchgate_core::policy::nearest;
use benchgate_core::report::{Options, option};
use benchgate_core::result::{Bisection, RunResult};
use benchgate_host::HostError;
use benchgate_host::system::files;
use clap::ValueEnum as _;

use crate::cli::{BisectFormat, ReportArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::{recorded, show};

/// The only format that shows a history.
const PAGE: &str = "html";

pub(crate) fn run(arguments: &ReportArgs) -> Result<Exit, CommandError> {
    show::existing(&arguments.result)?;
    let bytes = files::read(&arguments.result)?;
    if Bisection::is_meant(&bytes) {
        return bisection(arguments, &bytes);
    }
    let mut result = judged_of(&arguments.result, &bytes)?;
    is_of_head(arguments, "head.commit", &result.head.commit)?;
    if let Some(suite) = &arguments.suite {
        if arguments.format.0.name != "critcmp" {
            return Err(HostError::usage(
                "a report of one suite would omit the reasons for the verdict",
                "add --format critcmp, or omit --suite",
            )
            .into());
        }
        let mut known: BTreeMap<String, SuiteKey> = result
            .benchmarks
            .iter()
            .map(|b| b.key().suite_key())
            .map(|key| (key.to_string(), key))
            .collect();
        let Some(key) = known.remove(suite) else {
            return Err(unknown_suite(suite, known.keys().map(String::as_str)).into());
        };
        result.benchmarks.retain(|b| b.key().is_of(&key));
    }
    let is_page = arguments.format.0.name == PAGE;
    let history = is_page.then(|| recorded::before(&result.base.commit)).flatten();
    let options = Options {
        limit: arguments.max_bytes,
        run_url: arguments.run_url.as_ref(),
        page_url: arguments.page_url.as_ref(),
        history: history.as_ref(),
        ..Options::default()
    };
    show::print(&result, arguments.format.0, options);
    Ok(Exit::Pass)
}

fn is_of_head(arguments: &ReportArgs, key: &str, commit: &str) -> Result<(), HostError> {
    match &arguments.head {
        Some(head) if head != commit => {
            let problem = format!("`{key}`: `{commit}` is not `{head}`");
            Err(HostError::Content { path: arguments.result.clone(), problem })
        }
        _ => Ok(()),
    }
}

/// Renders a result of `benchgate bisect`. Its last commit is its head.
fn bisection(arguments: &ReportArgs, bytes: &[u8]) -> Result<Exit, CommandError> {
    let bisection =
        Bisection::read(bytes).map_err(|error| HostError::format(&arguments.result, error))?;
    let last = bisection.commits.last().map_or("", |last| &last.commit);
    is_of_head(arguments, "commits", last)?;
    let format = arguments.format.0.name;
    let Ok(format) = BisectFormat::from_str(format, false) else {
        let message = format!("a bisection has no report in the format {format}");
        let help = "add --format terminal, markdown or json";
        return Err(HostError::usage(message, help).into());
    };
    super::bisect::show(&bisection, format);
    Ok(Exit::Pass)
}

fn unknown_suite<'a>(suite: &str, known: impl Iterator<Item = &'a str> + Clone) -> HostError {
    let help = match nearest(suite, known.clone()) {
        Some(meant) => format!("did you mean `{}`?", option("--suite", &meant)),
        None => format!("name one of: {}", known.collect::<Vec<_>>().join(", ")),
    };
    HostError::usage(format!("the result has no suite `{suite}`"), help)
}

/// Reads a result and judges it again from its own values.
pub(super) fn judged(path: &Path) -> Result<RunResult, CommandError> {
    show::existing(path)?;
    judged_of(path, &files::read(path)?)
}

fn judged_of(path: &Path, bytes: &[u8]) -> Result<RunResult, CommandError> {
    let result = RunResult::from_json(bytes).map_err(|error| HostError::format(path, error))?;
    let contradictions = contradictions(&result);
    if !contradictions.is_empty() {
        let problem = format!("judged again from its own values: {}", contradictions.join("; "));
        return Err(HostError::Content { path: path.to_owned(), problem }.into());
    }
    Ok(result)
}
