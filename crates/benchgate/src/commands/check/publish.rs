//! Writes and prints a result.

use benchgate_core::report::Options;
use benchgate_host::system::interrupt;

use super::decide::Decided;
use super::{earlier, resume};
use crate::cli::{FailOn, Format};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::{progress, show};

pub(super) fn publish(decided: &Decided<'_>, format: Format) -> Result<Exit, CommandError> {
    let Decided { plan, journal, result } = decided;
    let attempt = &plan.attempt;
    // Where the files do not fit on the disk, stdout is where the result is.
    let wrote = show::write(result, &attempt.output);
    show::print(result, format.0, Options::default());
    wrote.map_err(|error| resume::unwritten(error, journal, &attempt.resume()))?;
    show::written(&attempt.output, format.0);
    if plan.scope.request.open {
        show::open(&attempt.output.join("report.html"));
    }
    if earlier::is_open(result) && !interrupt::is_interrupted() {
        progress::say(&format!("  more pairs of what is open: {}", attempt.more()));
    }
    Ok(FailOn::exit(plan.scope.request.fail_on, result))
}
