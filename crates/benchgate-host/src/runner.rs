//! The runner that cargo's configuration names for benches, and for which target it builds.
//!
//! A runner may stand in any of cargo's files, under a triple or a `cfg(...)`, or in the environment. So
//! cargo is asked: a package of ours is run with it, and `--verbose` says by which command.

use std::path::Path;

use cargo_metadata::Message;

use crate::command::{cargo, without_network};
use crate::flags::write_package;
use crate::sandbox::Sandbox;
use crate::{HostError, process};

const MANIFEST: &str = "[package]\nname = \"benchgate-runner\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
    [[bin]]\nname = \"benchgate-runner\"\npath = \"main.rs\"\n\n[workspace]\n";

const BUILD_SCRIPT: &str = r#"fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=BENCHGATE_TARGET={}", std::env::var("TARGET").unwrap_or_default());
}
"#;

/// What cargo says of running something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Runner {
    /// The triple that is built for.
    pub(crate) target: String,
    /// The program before the executable, and its arguments; empty where none is configured.
    pub(crate) words: Vec<String>,
}

impl Runner {
    /// The runner in force in a folder; `None` where cargo does not say, such as with several targets. The
    /// package that is run is built below `scratch`.
    ///
    /// # Errors
    /// When cargo cannot be started, and when files of our own cannot be written.
    pub(crate) fn in_force(
        folder: &Path,
        packages: &Path,
        scratch: &Path,
        sandbox: &Sandbox,
    ) -> Result<Option<Self>, HostError> {
        let package = write_package(
            &packages.join("runner"),
            "benchgate-runner",
            &[("Cargo.toml", MANIFEST), ("build.rs", BUILD_SCRIPT), ("main.rs", "fn main() {}\n")],
        )?;
        let mut command = cargo(folder);
        command.args(["run", "--verbose", "--color=never", "--message-format=json"]);
        command.arg("--manifest-path").arg(package.join("Cargo.toml"));
        command.arg("--target-dir").arg(scratch.join("target"));
        without_network(&mut command, sandbox);
        let done = process::run(&mut sandbox.command(command)?, None, &mut |_| {})?;
        Ok(target(&done.stdout)
            .and_then(|target| Some(Self { target, words: runner(&done.stderr)? })))
    }
}

fn target(messages: &str) -> Option<String> {
    Message::parse_stream(messages.as_bytes()).filter_map(Result::ok).find_map(|message| {
        let Message::BuildScriptExecuted(script) = message else { return None };
        script
            .env
            .into_iter()
            .find(|(name, _)| name == "BENCHGATE_TARGET")
            .map(|(_, target)| target)
    })
}

/// The words before the executable in the last command that cargo names.
fn runner(stderr: &str) -> Option<Vec<String>> {
    let command = stderr
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Running `")?.strip_suffix('`'))
        .next_back()?;
    let mut words = words(command);
    let program = words.pop()?;
    Path::new(&program).file_stem().is_some_and(|name| name == "benchgate-runner").then_some(words)
}

/// Splits a command as a shell would: cargo quotes for one.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            ' ' if !is_quoted => words.extend(word.take()),
            '\\' if !is_quoted => word.get_or_insert_default().extend(characters.next()),
            character => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_before_the_executable_are_the_runner() {
        let said = "   Compiling x v0.1.0\n     Running `rustc --crate-name x main.rs`\n    Finished\n     \
                    Running `env 'A=it'\\''s a b' '' /t/debug/benchgate-runner`\n";
        let expected = ["env", "A=it's a b", ""].map(str::to_owned).to_vec();
        assert_eq!(runner(said), Some(expected));
        assert_eq!(runner("     Running `/t/debug/benchgate-runner`\n"), Some(Vec::new()));
        assert_eq!(runner("     Running `rustc main.rs`\nerror: no\n"), None);
    }
}
