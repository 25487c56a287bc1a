//! Prints and writes results.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use benchgate_core::model::Date;
use benchgate_core::report::{self, Options, Renderer};
use benchgate_core::result::RunResult;
use benchgate_host::HostError;
use benchgate_host::system::files;

use crate::error::CommandError;
use crate::{progress, recorded};

/// Maximum size of a report in bytes: the limit of a GitHub step summary.
const REPORT_LIMIT: usize = 1_000_000;

/// The name of the renderer for a terminal.
pub(crate) const TERMINAL: &str = "terminal";

/// Prints a result on stdout; width and colour are those of the terminal.
pub(crate) fn print(result: &RunResult, renderer: &Renderer, options: Options<'_>) {
    let options = Options { width: width(), colour: true, ..options };
    let rendered = (renderer.render)(result, &options);
    // anstream removes colours if they are not wanted; other formats have none.
    if renderer.name == TERMINAL {
        text(&rendered);
    } else {
        drop(std::io::stdout().lock().write_all(rendered.as_bytes()));
    }
}

/// Prints a result for a terminal.
pub(crate) fn print_terminal(result: &RunResult) {
    if let Some(renderer) = report::renderer(TERMINAL) {
        print(result, renderer, Options::default());
    }
}

/// Prints a text that may have colours, all of it at once: anstream would write every line by itself.
pub(crate) fn text(text: &str) {
    let choice = anstream::stdout().current_choice();
    let mut shown = anstream::AutoStream::new(Vec::new(), choice);
    // A vector takes everything.
    drop(shown.write_all(text.as_bytes()));
    drop(std::io::stdout().lock().write_all(&shown.into_inner()));
}

/// Prints a line. A pipe that the reader closed early is not an error.
pub(crate) fn say(line: &str) {
    drop(writeln!(anstream::stdout().lock(), "{line}"));
}

/// A path as the user would type it.
pub(crate) fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}

/// Columns of the terminal; `None` if there is none.
pub(crate) fn width() -> Option<u16> {
    console::Term::stdout().size_checked().map(|(_, columns)| columns)
}

/// Returns an error if a file that the user named does not exist.
pub(crate) fn existing(path: &Path) -> Result<(), CommandError> {
    if path.is_file() {
        return Ok(());
    }
    let message = format!("no such file: {}", path.display());
    Err(HostError::usage(message, "name an existing file").into())
}

/// Removes what [`write()`] writes.
pub(crate) fn remove(folder: &Path) -> Result<(), CommandError> {
    for name in ["result.json", "report.md", "report.html"] {
        files::remove_file(&folder.join(name))?;
    }
    Ok(())
}

/// Writes `result.json`, `report.md` and `report.html` into a folder.
pub(crate) fn write(result: &RunResult, folder: &Path) -> Result<(), CommandError> {
    files::write_atomically(&folder.join("result.json"), result.to_json().as_bytes())?;
    let history = recorded::before(&result.base.commit);
    for (name, file) in [("markdown", "report.md"), ("html", "report.html")] {
        if let Some(renderer) = report::renderer(name) {
            let options =
                Options { limit: REPORT_LIMIT, history: history.as_ref(), ..Options::default() };
            let text = (renderer.render)(result, &options);
            files::write_atomically(&folder.join(file), text.as_bytes())?;
        }
    }
    Ok(())
}

/// Says where results were written.
pub(crate) fn written(folder: &Path, renderer: &Renderer) {
    let written = format!("  written: {}", shown(folder));
    // Other formats are data, and nothing else is on stdout.
    if renderer.name == TERMINAL {
        say(&written);
    } else {
        progress::say(&written);
    }
}

/// Opens a page with the program that the desktop has for it; where that is not possible, says where the page is.
pub(crate) fn open(page: &Path) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(program);
    command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let problem = match command.status() {
        Ok(status) if status.success() => return,
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    progress::say(&format!(
        "notice: `{program}` could not open {} ({problem}): open it with a browser",
        shown(page)
    ));
}

/// Today, in UTC.
pub(crate) fn today() -> Result<Date, CommandError> {
    let now = now();
    let day = now.get(..10).unwrap_or(&now);
    day.parse().map_err(|problem| CommandError::Unmeasured(format!("the clock is off: {problem}")))
}

/// The current time in the format of results.
pub(crate) fn now() -> String {
    humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string()
}
