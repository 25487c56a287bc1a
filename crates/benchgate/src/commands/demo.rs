//! `benchgate demo`: the gate on a throw-away repository, of which the last commit is slower.

use benchgate_core::report::renderer;
use benchgate_host::sides::sample_repository::SampleRepository;
use benchgate_host::system::platform;
use benchgate_host::{HostError, sides};

use super::check;
use crate::cli::Format;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::request::CheckRequest;
use crate::show::{TERMINAL, say};

const LIBRARY: (&str, &str) = ("src/lib.rs", include_str!("../../demo/src/lib.rs"));
const OTHERS: [(&str, &str); 4] = [
    // cargo leaves a folder with a Cargo.toml out of the package that holds it.
    ("Cargo.toml", include_str!("../../demo/Cargo.toml.in")),
    ("benches/speed.rs", include_str!("../../demo/benches/speed.rs")),
    ("benchgate.toml", include_str!("../../demo/benchgate.toml")),
    // Criterion is built once, also for the next demonstration.
    (".cargo/config.toml", "[build]\ntarget-dir = \"../target\"\n"),
];

/// The dependencies are those of the canaries: one lock file to keep.
const CANARIES_LOCK: &str = include_str!("../../canaries/Cargo.lock");
const NAMES: [&str; 2] = ["name = \"canaries\"", "name = \"calculator\""];

/// The line that the last commit replaces by [`AFTER`], which copies every part of a list before it reads it.
const BEFORE: &str = "    numbers(list).sum()\n";
const AFTER: &str =
    "    let parts: Vec<String> = list.split(',').map(|part| part.trim().to_owned()).collect();
    parts.iter().filter_map(|part| part.parse::<u64>().ok()).sum()
";

pub(crate) fn run() -> Result<Exit, CommandError> {
    platform::require()?;
    let folder = sides::cache_dir().join("benchgate/demo");
    let repository = SampleRepository::create(&folder.join("repository"))?;
    commit(&repository)?;
    let path = repository.folder();
    say(&format!("a library with two benchmarks, in {}", path.display()));
    say(
        "the last commit makes one of them slower; `benchgate check` measures it as in any repository:\n",
    );
    std::env::set_current_dir(path).map_err(HostError::from)?;
    let Some(terminal) = renderer(TERMINAL) else { return Ok(Exit::Internal) };
    let request = CheckRequest { output: Some(folder.join("report")), ..CheckRequest::default() };
    let exit = check::run(request, None, Format(terminal))?;
    if exit != Exit::Regression {
        let message = "the planted slowdown was not proven: see above";
        return Err(CommandError::Unmeasured(message.to_owned()));
    }
    say(&format!(
        "\n  what was planted:  git -C '{0}' show\n  to type its lines: cd '{0}'\n  remove it all:     rm -r '{1}'\n  \
         the exit code of this check was 100, a proven slowdown; in a repository of yours: `benchgate check`",
        path.display(),
        folder.display(),
    ));
    Ok(Exit::Pass)
}

/// The library, and then its slowdown.
fn commit(repository: &SampleRepository) -> Result<(), HostError> {
    let lock = CANARIES_LOCK.replacen(NAMES[0], NAMES[1], 1);
    let files = [&OTHERS[..], &[LIBRARY, ("Cargo.lock", &lock)]].concat();
    repository.commit(&files, "A library that reads lists of numbers")?;
    let slower = LIBRARY.1.replacen(BEFORE, AFTER, 1);
    repository.commit(&[(LIBRARY.0, &slower)], "Copy every part of a list").map(drop)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn the_last_commit_makes_the_library_slower_and_cargo_takes_the_lock_file_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let repository = SampleRepository::create(&folder.path().join("demo")).unwrap();
        commit(&repository).unwrap();
        let output = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            command.args(arguments).current_dir(repository.folder());
            let done = command.output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            String::from_utf8(done.stdout).unwrap()
        };
        let difference = output("git", &["diff", "--stat", "HEAD^", "HEAD"]);
        assert!(difference.contains("src/lib.rs | 3 ++-"), "{difference}");
        let names: Vec<String> = output("git", &["show", "HEAD:Cargo.lock"])
            .lines()
            .filter_map(|line| line.strip_prefix("name = ").map(str::to_owned))
            .collect();
        assert!(names.is_sorted() && names.contains(&"\"calculator\"".to_owned()), "{names:?}");
        let names = output("cargo", &["metadata", "--no-deps", "--format-version", "1"]);
        assert!(names.contains("\"name\":\"speed\""), "{names}");
    }
}
