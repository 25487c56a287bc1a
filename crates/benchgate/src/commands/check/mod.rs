//! `benchgate check`: the gate.

mod addition;
mod affected;
mod attempt;
mod baseline;
mod build;
mod counting;
mod decide;
mod earlier;
mod hints;
mod journal;
mod measure;
mod observed;
mod plan;
mod preview;
mod publish;
mod resume;
mod same;
pub(crate) mod scope;
mod shard;
mod watch;

use self::build::build;
use self::decide::decide;
use self::measure::measure;
use self::plan::plan;
use self::publish::publish;
use self::scope::Scope;
use crate::cli::{Format, Preview};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::request::CheckRequest;

/// Runs the gate: each step makes the next value of the last one. What a reader must know travels in them as notices.
pub(crate) fn run(
    request: CheckRequest,
    preview: Option<Preview>,
    format: Format,
) -> Result<Exit, CommandError> {
    let scope = Scope::open(request)?;
    if let Some(preview) = preview {
        return preview::show(&scope, preview);
    }
    let plan = plan(&scope)?;
    let built = build(&plan)?;
    let measured = measure(built)?;
    let decided = decide(measured)?;
    publish(&decided, format)
}
