//! `benchgate report`: a result, rendered again.

use benchgate_core::result::RunResult;
use benchgate_host::{HostError, files};

use crate::cli::ReportArgs;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::show;

pub(crate) fn run(arguments: &ReportArgs) -> Result<Exit, CommandError> {
    show::existing(&arguments.result)?;
    let bytes = files::read(&arguments.result)?;
    let result = RunResult::from_json(&bytes).map_err(|error| HostError::Content {
        path: arguments.result.clone(),
        problem: error.to_string(),
    })?;
    show::print(&result, arguments.format, arguments.limit);
    Ok(Exit::Pass)
}
