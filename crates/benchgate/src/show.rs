//! Results, printed and written.

use std::io::Write as _;
use std::path::Path;

use benchgate_core::adapters::critcmp;
use benchgate_core::model::Date;
use benchgate_core::report::{self, RunUrl, Style};
use benchgate_core::result::RunResult;
use benchgate_host::{HostError, files};

use crate::cli::Format;
use crate::error::CommandError;

/// What GitHub takes as a step summary, and far more than a reader does.
const REPORT_LIMIT: usize = 1_000_000;

/// Prints a result on stdout; `run_url` is where GitHub shows the run.
pub(crate) fn print(result: &RunResult, format: Format, limit: usize, run_url: Option<&RunUrl>) {
    let plain = |text: String| drop(std::io::stdout().lock().write_all(text.as_bytes()));
    match format {
        Format::Terminal => {
            // anstream takes the colours out again where they are not wanted.
            let text = report::terminal(result, Style { width: width(), colour: true });
            drop(anstream::stdout().lock().write_all(text.as_bytes()));
        }
        Format::Markdown => plain(report::markdown(result, limit)),
        Format::Github => plain(report::github(result, run_url, limit)),
        Format::Line => plain(format!("{}\n", report::line(result))),
        Format::Json => plain(result.to_json()),
        Format::Critcmp => plain(critcmp::export("this run", &result.clone().into_recorded())),
    }
}

/// Prints a text that may be coloured.
pub(crate) fn text(text: &str) {
    drop(anstream::stdout().lock().write_all(text.as_bytes()));
}

/// Prints a line. Whoever closes the pipe early has seen enough: that is no error here or above.
pub(crate) fn say(line: &str) {
    drop(writeln!(anstream::stdout().lock(), "{line}"));
}

/// A path as the user would type it.
pub(crate) fn told(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}

/// Columns of the terminal; `None` where there is none.
pub(crate) fn width() -> Option<u16> {
    console::Term::stdout().size_checked().map(|(_, columns)| columns)
}

/// A file that the user named must be there.
pub(crate) fn existing(path: &Path) -> Result<(), CommandError> {
    if path.is_file() {
        return Ok(());
    }
    let message = format!("there is no file {}", path.display());
    Err(HostError::usage(message, "name a file that is there").into())
}

/// Removes what [`write()`] writes.
pub(crate) fn remove(folder: &Path) -> Result<(), CommandError> {
    for name in ["result.json", "report.md"] {
        files::remove_file(&folder.join(name))?;
    }
    Ok(())
}

/// Writes `result.json` and `report.md` into a folder.
pub(crate) fn write(result: &RunResult, folder: &Path) -> Result<(), CommandError> {
    files::write_atomically(&folder.join("result.json"), result.to_json().as_bytes())?;
    let markdown = report::markdown(result, REPORT_LIMIT);
    files::write_atomically(&folder.join("report.md"), markdown.as_bytes())?;
    Ok(())
}

/// Today, in UTC.
pub(crate) fn today() -> Result<Date, CommandError> {
    let now = now();
    let day = now.get(..10).unwrap_or(&now);
    day.parse().map_err(|problem| CommandError::Unmeasured(format!("the clock is off: {problem}")))
}

/// Now, as results write it.
pub(crate) fn now() -> String {
    humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string()
}
