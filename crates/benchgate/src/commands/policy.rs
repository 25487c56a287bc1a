//! `benchgate policy`: is the policy valid, and what holds by it?

use std::path::{Path, PathBuf};

use benchgate_core::policy::{FILE_NAME, Shown};
use benchgate_host::HostError;
use benchgate_host::git::Repository;
use benchgate_host::system::files;

use crate::cli::{PolicyFormat, PolicyShowArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::session::workspace;
use crate::show;

/// Checks a policy file: by default that of the working tree, which holds after the change.
pub(crate) fn check(file: Option<&Path>) -> Result<Exit, CommandError> {
    let path = match file {
        Some(path) => path.to_owned(),
        None => workspace()?.root.join(FILE_NAME),
    };
    if file.is_none() && !path.is_file() {
        show::say(&format!("there is no {FILE_NAME}: every setting has its default"));
        return Ok(Exit::Pass);
    }
    show::existing(&path)?;
    let text = text_of(&path)?;
    let shown = shown(&path, &text)?;
    let set = shown.settings.iter().filter(|setting| setting.line.is_some()).count();
    show::say(&format!(
        "{}: valid: settings: {set}, entries: {}",
        show::shown(&path),
        shown.entries.len()
    ));
    Ok(Exit::Pass)
}

/// Shows what holds, and where each value is from.
pub(crate) fn show(arguments: &PolicyShowArgs) -> Result<Exit, CommandError> {
    let (path, text) = match (&arguments.file, &arguments.revision) {
        (Some(path), _) => {
            show::existing(path)?;
            (path.clone(), text_of(path)?)
        }
        (None, revision) => committed(revision)?,
    };
    let shown = shown(&path, &text)?;
    let name = show::shown(&path);
    show::text(&match arguments.format {
        PolicyFormat::Toml => shown.to_toml(&name),
        PolicyFormat::Json => shown.to_json(&name),
    });
    Ok(Exit::Pass)
}

/// The policy of a commit; empty if it has none.
fn committed(revision: &str) -> Result<(PathBuf, String), CommandError> {
    let here = std::env::current_dir().map_err(HostError::from)?;
    let repository = Repository::around(&here)?;
    let path = workspace()?.root.join(FILE_NAME);
    let inside = path.strip_prefix(repository.top()).unwrap_or(&path).to_owned();
    let commit = repository.commit(revision)?;
    let text = repository.file_at(&commit.commit, &inside.to_string_lossy())?;
    Ok((inside, text.unwrap_or_default()))
}

fn text_of(path: &Path) -> Result<String, CommandError> {
    Ok(String::from_utf8_lossy(&files::read(path)?).into_owned())
}

fn shown(path: &Path, text: &str) -> Result<Shown, CommandError> {
    Shown::read(text).map_err(|error| CommandError::Policy { path: path.to_owned(), error })
}
