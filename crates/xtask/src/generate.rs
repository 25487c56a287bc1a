//! `cargo xtask generate`: every file that is made from other files of this repository.
//!
//! A generator is a file in `generate/` and one line of [`OTHERS`]; a generator that reads a record is in `generate/evidence/`, and in its table. Its output begins with a comment that
//! names the command, in a form that the output's format allows.

mod constants;
mod evidence;
mod schema;
mod tables;
mod workflows;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use similar::TextDiff;

use crate::error::Error;

/// What is not made of recorded data, in the order in which it is made.
const OTHERS: &[Generator] = &[
    Generator { name: "result-schema", output: "docs/result.schema.json", make: schema::result },
    // In the package that writes it for editors: a package holds no file of another folder.
    Generator {
        name: "policy-schema",
        output: "crates/benchgate/policy.schema.json",
        make: schema::policy,
    },
    Generator {
        name: "policy-default",
        output: "crates/benchgate-core/src/policy/default.toml",
        make: tables::policy,
    },
    Generator { name: "harnesses", output: "docs/harnesses.md", make: tables::harnesses },
    Generator { name: "metrics", output: "docs/harnesses.md", make: tables::metrics },
    Generator {
        name: "constants.cjs",
        output: ".github/actions/report/modules/constants.cjs",
        make: constants::javascript,
    },
    Generator { name: "constants.sh", output: "scripts/ci/constants.sh", make: constants::bash },
    Generator { name: "constants.py", output: "scripts/constants.py", make: constants::python },
    Generator {
        name: "workflow",
        output: ".github/workflows/bench.yml",
        make: constants::workflow,
    },
    Generator {
        name: "starter-workflow",
        output: "crates/benchgate-core/src/starter/workflows/bench.yml",
        make: constants::starter_workflow,
    },
    Generator {
        name: "example-bench-workflow",
        output: "docs/examples/.github/workflows/benchgate.yml",
        make: workflows::bench,
    },
    Generator {
        name: "example-report-workflow",
        output: "docs/examples/.github/workflows/benchgate-report.yml",
        make: workflows::report,
    },
    Generator {
        name: "example-own-bench-workflow",
        output: "docs/examples/own-machine/.github/workflows/benchgate.yml",
        make: workflows::own_bench,
    },
    Generator {
        name: "example-own-report-workflow",
        output: "docs/examples/own-machine/.github/workflows/benchgate-report.yml",
        make: workflows::own_report,
    },
    Generator {
        name: "example-baseline-workflow",
        output: "docs/examples/.github/workflows/benchgate-baseline.yml",
        make: workflows::baseline,
    },
    Generator {
        name: "example-anchor-workflow",
        output: "docs/examples/.github/workflows/benchgate-anchor.yml",
        make: workflows::anchor,
    },
    Generator {
        name: "example-bisect-workflow",
        output: "docs/examples/.github/workflows/benchgate-bisect.yml",
        make: workflows::bisect,
    },
];

struct Generator {
    name: &'static str,
    output: &'static str,
    make: fn(&Repository) -> Result<String, Error>,
}

/// Where generators read.
pub(crate) struct Repository {
    root: PathBuf,
}

impl Repository {
    fn has(&self, path: &str) -> bool {
        self.root.join(path).is_file()
    }

    /// The files of a folder, sorted; none if it is not there.
    fn files(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut files: Vec<String> = names.map(|name| format!("{folder}{name}")).collect();
        files.sort();
        files
    }

    fn read(&self, path: &str) -> Result<String, Error> {
        let text = fs::read_to_string(self.root.join(path))
            .map_err(|source| Error::Read { path: path.to_owned(), source })?;
        // git may check text out with other line ends.
        Ok(text.replace("\r\n", "\n"))
    }
}

fn all() -> Vec<&'static Generator> {
    evidence::GENERATORS.iter().chain(OTHERS).collect()
}

pub(crate) fn list() -> String {
    let all = all();
    let width = all.iter().map(|generator| generator.name.len()).max().unwrap_or_default();
    let lines = all.iter().map(|g| format!("  {:width$}  {}\n", g.name, g.output));
    lines.collect()
}

pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode, Error> {
    let (options, names): (Vec<&str>, Vec<&str>) =
        arguments.iter().partition(|argument| argument.starts_with('-'));
    if let Some(unknown) = options.iter().find(|option| **option != "--check") {
        return Err(Error::Usage(format!("unknown option `{unknown}`; there is --check")));
    }
    let repository = Repository { root: root.to_owned() };
    let wanted = wanted(all(), &names)?;
    if options.is_empty() {
        return write(&repository, &wanted).map(|()| ExitCode::SUCCESS);
    }
    let differences = check(&repository, &wanted)?;
    print!("{differences}");
    Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn wanted<'a>(all: Vec<&'a Generator>, names: &[&str]) -> Result<Vec<&'a Generator>, Error> {
    if names.is_empty() {
        return Ok(all);
    }
    let find = |name: &&str| {
        all.iter().copied().find(|generator| generator.name == *name).ok_or_else(|| {
            Error::Usage(format!("unknown generator `{name}`; there are:\n{}", list()))
        })
    };
    names.iter().map(find).collect()
}

fn write(repository: &Repository, generators: &[&Generator]) -> Result<(), Error> {
    for generator in generators {
        let text = (generator.make)(repository)?;
        fs::write(repository.root.join(generator.output), text)
            .map_err(|source| Error::Write { path: generator.output.to_owned(), source })?;
    }
    Ok(())
}

/// A diff of every file that is not what it is made from; empty if there is none.
fn check(repository: &Repository, generators: &[&Generator]) -> Result<String, Error> {
    let mut differences = String::new();
    for Generator { name, output, make } in generators {
        let made = make(repository)?;
        let committed = match repository.read(output) {
            Err(Error::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                String::new()
            }
            other => other?,
        };
        if made == committed {
            continue;
        }
        let diff = TextDiff::from_lines(&committed, &made);
        let diff = diff.unified_diff().header(output, "generated").to_string();
        differences.push_str(&diff);
        differences.push_str(&format!(
            "\n{output} is not up to date; to update it: cargo xtask generate {name}\n"
        ));
    }
    Ok(differences)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_upper_case(repository: &Repository) -> Result<String, Error> {
        Ok(repository.read("source.txt")?.to_uppercase())
    }

    const UPPER: Generator = Generator { name: "upper", output: "made.txt", make: in_upper_case };

    fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Repository) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let repository = Repository { root: folder.path().to_owned() };
        (folder, repository)
    }

    #[test]
    fn a_file_that_was_edited_by_hand_is_shown_with_the_command_that_makes_it() {
        let (_folder, repository) = folder(&[("source.txt", "a\nb\n"), ("made.txt", "A\nX\n")]);
        let differences = check(&repository, &[&UPPER]).unwrap();
        assert!(differences.contains("-X\n+B\n"), "{differences}");
        assert!(differences.ends_with("cargo xtask generate upper\n"), "{differences}");
    }

    #[test]
    fn what_was_generated_passes_the_check_with_any_line_ends() {
        let (folder, repository) = folder(&[("source.txt", "a\nb\n")]);
        assert_ne!(check(&repository, &[&UPPER]).unwrap(), "", "the file is missing");
        write(&repository, &[&UPPER]).unwrap();
        assert_eq!(check(&repository, &[&UPPER]).unwrap(), "");
        fs::write(folder.path().join("made.txt"), "A\r\nB\r\n").unwrap();
        assert_eq!(check(&repository, &[&UPPER]).unwrap(), "");
    }

    #[test]
    fn a_source_that_is_missing_is_an_error_with_its_path() {
        let (_folder, repository) = folder(&[]);
        let error = check(&repository, &[&UPPER]).unwrap_err().to_string();
        assert!(error.contains("source.txt"), "{error}");
    }

    #[test]
    fn an_unknown_generator_is_a_usage_error_that_lists_the_known_ones() {
        let error = wanted(all(), &["nonsense"]).err().unwrap();
        assert!(
            matches!(&error, Error::Usage(text) if text.contains("docs/evidence/benchmarks.md"))
        );
    }

    #[test]
    fn the_committed_files_are_what_they_are_made_from() {
        let repository = Repository { root: crate::workspace().to_owned() };
        let differences = check(&repository, &all()).unwrap();
        assert!(differences.is_empty(), "{differences}");
    }

    #[test]
    fn every_generated_file_names_its_command() {
        let repository = Repository { root: crate::workspace().to_owned() };
        for generator in all() {
            let text = repository.read(generator.output).unwrap();
            let command = format!("cargo xtask generate {}", generator.name);
            assert!(text.contains(&command), "{}", generator.output);
        }
    }
}
