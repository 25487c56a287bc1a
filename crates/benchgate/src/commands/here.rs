//! `benchgate` without a command: what to type in this folder.

use benchgate_core::policy::FILE_NAME;
use benchgate_core::report::quoted;
use benchgate_host::HostError;
use benchgate_host::cargo::Workspace;
use benchgate_host::git::{Repository, Revision};

use crate::error::CommandError;
use crate::exit::Exit;
use crate::{session, show};

/// What there is to measure in this folder.
#[derive(Debug, Default)]
struct Here {
    benches: usize,
    /// Whether files that git tracks have uncommitted changes.
    has_changes: bool,
    has_parent: bool,
    /// The branch that the current one forked from, where the head is not part of it.
    trunk: Option<String>,
    has_policy: bool,
    /// The result of the last check.
    last: Option<String>,
}

/// A command, and what it does.
type Offer = (String, &'static str);

/// Prints it; a command that was forgotten is no success.
pub(crate) fn run() -> Result<Exit, CommandError> {
    let folder = std::env::current_dir().map_err(HostError::from)?;
    let (place, offers) = match Repository::around(&folder) {
        Err(_) => ("this folder is in no git repository".to_owned(), nothing_here()),
        Ok(repository) => {
            let workspace = session::workspace()?;
            let here = Here::of(&repository, &workspace)?;
            let place = format!("the workspace here is `{}`", workspace.name);
            // A policy may have suites that are no bench targets.
            let is_empty = here.benches == 0 && !here.has_policy;
            (place, if is_empty { nothing_here() } else { here.offers() })
        }
    };
    let width = offers.iter().map(|(command, _)| command.len()).max().unwrap_or_default();
    let lines: String =
        offers.iter().map(|(command, what)| format!("  {command:width$}  {what}\n")).collect();
    anstream::eprint!("no command was given; {place}. What you can type:\n\n{lines}");
    Ok(Exit::Usage)
}

impl Here {
    fn of(repository: &Repository, workspace: &Workspace) -> Result<Self, HostError> {
        let head = repository.working_tree(&workspace.target_dir)?;
        let result = workspace.work_dir().join("result.json");
        let measured = workspace.benches.iter().filter(|bench| !bench.is_left_out);
        Ok(Self {
            benches: measured.count(),
            has_changes: head.has_tracked_changes(),
            has_parent: repository.parent(&head)?.is_some(),
            trunk: trunk(repository, &head),
            has_policy: workspace.root.join(FILE_NAME).is_file(),
            last: result.is_file().then(|| show::shown(&result)),
        })
    }

    fn offers(&self) -> Vec<Offer> {
        let check = match (self.has_changes, self.has_parent) {
            (true, _) => "your uncommitted changes, compared with the last commit",
            (false, true) => "the last commit, compared with the one before it",
            (false, false) => "once something is changed or committed: there is one commit yet",
        };
        let mut offers = vec![("benchgate check".to_owned(), check)];
        if let Some(trunk) = &self.trunk {
            let command = format!("benchgate check --base {}", quoted(trunk));
            offers.push((command, "this branch, compared with where it forked from that one"));
        }
        if let Some(last) = &self.last {
            offers.push((format!("benchgate report {}", quoted(last)), "the last result again"));
        }
        if !self.has_policy {
            offers.push(("benchgate init".to_owned(), "write a policy, with a word on each key"));
        }
        offers.push(all_commands());
        offers
    }
}

fn nothing_here() -> Vec<Offer> {
    let demo = "a throw-away repository whose last commit is slower, and its red report";
    vec![("benchgate demo".to_owned(), demo), all_commands()]
}

fn all_commands() -> Offer {
    ("benchgate --help".to_owned(), "all commands")
}

/// The branch that the head forked from; `None` where the head is of it.
fn trunk(repository: &Repository, head: &Revision) -> Option<String> {
    const USUAL: [&str; 2] = ["main", "master"];
    // Without a remote the default branch is the current branch.
    let names = repository.default_branch().into_iter().chain(USUAL.map(str::to_owned));
    for name in names {
        match repository.merge_base(&name, head) {
            Ok(fork) if fork.commit != head.commit => return Some(name),
            Ok(_) if USUAL.contains(&&*name) => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_offered_follows_from_what_is_here() {
        let branch = Here {
            benches: 2,
            has_changes: true,
            has_parent: true,
            trunk: Some("release/a b".to_owned()),
            has_policy: true,
            last: Some("target/benchgate/result.json".to_owned()),
        };
        let clean = Here { benches: 1, has_parent: true, ..Here::default() };
        let new = Here { benches: 1, has_policy: true, ..Here::default() };
        let shown = |here: &Here| {
            let lines =
                here.offers().into_iter().map(|(command, what)| format!("{command}: {what}\n"));
            lines.collect::<String>()
        };
        insta::assert_snapshot!([&branch, &clean, &new].map(shown).join("\n"), @"
        benchgate check: your uncommitted changes, compared with the last commit
        benchgate check --base 'release/a b': this branch, compared with where it forked from that one
        benchgate report target/benchgate/result.json: the last result again
        benchgate --help: all commands

        benchgate check: the last commit, compared with the one before it
        benchgate init: write a policy, with a word on each key
        benchgate --help: all commands

        benchgate check: once something is changed or committed: there is one commit yet
        benchgate --help: all commands
        ");
    }
}
