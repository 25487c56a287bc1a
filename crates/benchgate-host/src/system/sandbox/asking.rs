//! Asking why a process failed: it runs once more in the same sandbox, and is watched. Nothing runs outside of the sandbox
//! for it, as it may be the code of a stranger.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::denial::Denial;
use super::launch::Access;
use super::{Sandbox, launch, places};
use crate::HostError;
use crate::system::{files, process};

/// How many denials are named: the last ones, as a process may try much before it fails for one thing.
const SHOWN: usize = 4;

/// How long a build, or a command of the policy, may take that runs once more: it did not fail later, as a rule.
pub(crate) const OF_A_BUILD: Duration = Duration::from_mins(10);

/// Said while that takes its time.
pub(crate) const ASKS: &str = "it failed, and runs once more to see what the sandbox denied it";

/// Said where that told nothing.
const RAN_AGAIN: &str = "it ran once more to see what the sandbox denied it";

/// Where nothing can be watched, as in some containers.
const NOT_WATCHED: &str = "it ran in the sandbox, and cannot be watched here: if it works outside of it, that denied it something \
    (docs/sandbox.md)\nhelp: name what it needs in benchgate.toml of the base: `[sandbox]` with `read = [\"PATH\"]`, \
    `write = [\"PATH\"]`, `variables = [\"NAME\"]` or `network = true`";

impl Sandbox {
    /// The output of a command that has failed, with what it was denied.
    ///
    /// # Errors
    /// As [`Sandbox::denied_to`].
    pub(crate) fn explained(
        &self,
        confined: &Command,
        output: &str,
        patience: Duration,
    ) -> Result<String, HostError> {
        Ok(with_last_line(output, &self.denied_to(confined, output, patience)?))
    }

    /// Says what a command was denied that has failed with this output, by running it once more, or that this was stopped;
    /// empty where that is nothing. `confined` is the command as [`Sandbox::command`] made it.
    ///
    /// # Errors
    /// When interrupted, or when files of our own cannot be used.
    pub(crate) fn denied_to(
        &self,
        confined: &Command,
        output: &str,
        patience: Duration,
    ) -> Result<String, HostError> {
        let Some(gate) = &self.gate else { return Ok(String::new()) };
        let report = tempfile::NamedTempFile::new()?;
        let mut command = match self.restricts() {
            true => launch::watched(gate, report.path(), confined),
            false => launch::watched(gate, report.path(), &launch::free(gate, confined)),
        };
        // Where the gate's own file is gone, what failed is reported all the same.
        let seen: Option<Vec<Denial>> =
            match process::run(&mut command, Some(patience), &mut |_| {}) {
                Err(HostError::Start { .. }) => None,
                Err(error) => return Err(error),
                // It was not waited for, and nothing is known.
                Ok(done) if done.status.is_none() && !self.restricts() => return Ok(String::new()),
                Ok(done) if done.status.is_none() => {
                    let seconds = patience.as_secs();
                    return Ok(format!("{RAN_AGAIN}, and was stopped after {seconds} s"));
                }
                Ok(_) => serde_json::from_slice(&files::read(report.path())?).ok(),
            };
        let Some(seen) = seen else {
            let said = if self.restricts() { NOT_WATCHED } else { "" };
            return Ok(said.to_owned());
        };
        let (missed, refused): (Vec<_>, Vec<_>) =
            seen.into_iter().partition(|denial| matches!(denial, Denial::Find(_)));
        let mut denials: Vec<Denial> = refused.into_iter().filter(|it| self.denies(it)).collect();
        if denials.is_empty() {
            // Not a shell or the gate, which have the names of some.
            let is_own = |path: &&Path| !places::is_of_system(path) && **path != **gate;
            let program = launch::program(confined).filter(is_own);
            let program = program.and_then(|path| files::read(path).ok());
            let texts = [output.as_bytes(), program.as_deref().unwrap_or_default()];
            denials.extend(self.withheld_of(&texts).map(Denial::Variable));
        }
        denials.drain(..denials.len().saturating_sub(SHOWN));
        // A line for each: long lines are cut.
        let named =
            denials.iter().map(|it| format!("the sandbox denied it {it} (docs/sandbox.md)"));
        let named: Vec<String> = named.collect();
        self.log(missed.into_iter().chain(denials));
        Ok(named.join("\n"))
    }

    /// Whether it was the sandbox that refused something: a file that is no program cannot be started anywhere.
    fn denies(&self, refused: &Denial) -> bool {
        let Access { read, write, has_network, has_filter } = &*self.access;
        let is_in = |folders: &[PathBuf], path: &Path| {
            let mut folders = folders.iter().filter_map(|it| files::real(it));
            files::real(path).is_some_and(|path| folders.any(|it| path.starts_with(it)))
        };
        self.restricts()
            && match refused {
                Denial::Read(path) => !is_in(read, path) && !is_in(write, path),
                Denial::Write(path) => !is_in(write, path),
                Denial::Network => !has_network,
                Denial::Call(_) => *has_filter,
                Denial::Variable(_) | Denial::Find(_) => true,
            }
    }

    /// Variables of the gate's environment that programs do not get, and that one of these texts has the name of.
    fn withheld_of(&self, texts: &[&[u8]]) -> impl Iterator<Item = String> {
        /// A shorter name may be any text.
        const SHORTEST: usize = 5;
        let passed = self.inherited();
        let withheld = std::env::vars_os().filter(move |(name, _)| !passed.contains_key(name));
        let names = withheld.filter_map(|(name, _)| name.into_string().ok());
        names.filter(|name| {
            name.len() >= SHORTEST
                && texts.iter().any(|text| files::holds_name(text, name.as_bytes()))
        })
    }
}

/// An output with a line more, unless that is empty.
pub(crate) fn with_last_line(output: &str, line: &str) -> String {
    if line.is_empty() { output.to_owned() } else { format!("{}\n{line}\n", output.trim_end()) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn what_a_rule_allows_was_refused_by_something_else() {
        let folder = tempfile::tempdir().unwrap();
        let inside = |name: &str| {
            let path = folder.path().join(name);
            fs_err::create_dir(&path).unwrap();
            path
        };
        let [read, write, other] = ["read", "write", "other"].map(inside);
        let access = Access {
            read: vec![read.clone()],
            write: vec![write.clone()],
            has_network: false,
            has_filter: true,
        };
        let confined = Sandbox {
            gate: Some(Arc::from(Path::new("/gate"))),
            restricts: true,
            access: Arc::new(access),
            ..Sandbox::default()
        };
        let (reads, writes) =
            (|it: &Path| Denial::Read(it.join("x")), |it: &Path| Denial::Write(it.join("new/x")));
        for (refused, denies) in [
            (reads(&read), false),
            (reads(&write), false),
            (reads(&other), true),
            (writes(&read), true),
            (writes(&write), false),
            (writes(&other), true),
            (Denial::Network, true),
            (Denial::Call(142), true),
        ] {
            assert_eq!(confined.denies(&refused), denies, "{refused}");
            assert!(!Sandbox::default().denies(&refused), "{refused}");
        }
    }
}
