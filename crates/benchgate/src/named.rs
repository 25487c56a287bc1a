//! Every command and option that a document or a message names exists in this program.

use std::path::{Path, PathBuf};

use benchgate_core::report::words;
use clap::{Command, CommandFactory as _, Parser as _};

use crate::cli::Cli;

/// Options that pages name without the program that has them, which is another one.
const OF_OTHERS: [&str; 13] = [
    "--bench",
    "--benchmark_out_format",
    "--export-json",
    "--heap",
    "--kernel",
    "--measure",
    "--message-format",
    "--min-time",
    "--quick",
    "--sample-count",
    "--skip-ext-time",
    "--test",
    "--undo",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Files below a folder with this extension, as paths from the root.
fn files(folder: &str, extension: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            paths.extend(files(&path, extension));
        } else if Path::new(&path).extension().is_some_and(|it| it == extension) {
            paths.push(path);
        }
    }
    paths
}

/// The program, with the options that each command takes over.
fn program() -> Command {
    let mut program = Cli::command();
    program.build();
    program
}

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap()
}

/// Lines of code blocks, and what is between backticks outside of them.
fn code(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut typed, mut named) = (Vec::new(), Vec::new());
    let mut is_block = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            typed.push(line.trim());
        } else {
            named.extend(line.split('`').skip(1).step_by(2));
        }
    }
    (typed, named)
}

/// What is behind the name of the program, which cargo may run.
fn behind_name(text: &str) -> Option<&str> {
    let begin = ["benchgate ", "cargo benchgate ", "cargo gate "];
    let rest = begin.iter().find_map(|begin| text.strip_prefix(begin))?;
    // Neither an arrow of a diagram nor the context of a status.
    rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '-').then_some(rest)
}

/// Commands of a line that is typed, without comments and what the shell does with their output.
fn commands(line: &str) -> impl Iterator<Item = &str> {
    let line = line.split(" #").next().unwrap_or_default();
    line.split(" && ").filter_map(behind_name).map(|rest| {
        let rest = rest.split([';', '|']).next().unwrap_or(rest);
        rest.split(" >").next().unwrap_or(rest).trim()
    })
}

/// Why a command that is typed as it stands is refused; `None` if it is taken.
fn refused(command: &str) -> Option<String> {
    let words = words(&format!("benchgate {command}"))?;
    Cli::try_parse_from(words).err().map(|error| error.to_string())
}

/// A command with its options; those of the program itself are those of each.
fn has_option(command: &Command, name: &str) -> bool {
    let is_it = |long: Option<&str>| long.is_some_and(|long| name == format!("--{long}"));
    name == "--help" || command.get_arguments().any(|argument| is_it(argument.get_long()))
}

fn any_has_option(command: &Command, name: &str) -> bool {
    has_option(command, name) || command.get_subcommands().any(|it| any_has_option(it, name))
}

/// What the program lacks of a command that a sentence names, where placeholders stand for values.
fn lacking(command: &str, all: &Command) -> Option<String> {
    let mut at = all;
    for (place, word) in command.split([' ', '[', ']']).filter(|word| !word.is_empty()).enumerate()
    {
        let name = word.split('=').next().unwrap_or(word);
        if name == "--" || name.starts_with('>') {
            break;
        }
        if name.starts_with("--") {
            let is_known = has_option(at, name) || has_option(all, name);
            if !is_known {
                return Some(format!("`{}` has no {name}", at.get_name()));
            }
            continue;
        }
        // `save|list|show` names several.
        let names: Vec<_> = name.split('|').collect();
        let subcommands: Vec<_> =
            names.iter().filter_map(|name| at.find_subcommand(name)).collect();
        match (subcommands.len() == names.len(), place) {
            (true, _) => at = subcommands[0],
            (false, 0) if name != "help" => return Some(format!("there is no command {name}")),
            (false, _) => {}
        }
    }
    None
}

/// What is wrong with the commands and options of a page; `is_ours` where an option without a command is one of this
/// program.
fn wrong(text: &str, is_ours: bool, all: &Command) -> (usize, Vec<String>) {
    let (typed, named) = code(text);
    let (mut number, mut wrong) = (0, Vec::new());
    for command in typed.iter().flat_map(|line| commands(line)) {
        number += 1;
        wrong.extend(refused(command).map(|why| format!("{command}: {why}")));
    }
    for code in named {
        let command = behind_name(code).or_else(|| {
            let (first, rest) = code.split_once(' ')?;
            let is_command = rest.starts_with("--") && all.find_subcommand(first).is_some();
            is_command.then_some(code)
        });
        if let Some(command) = command {
            number += 1;
            wrong.extend(lacking(command, all).map(|why| format!("{code}: {why}")));
        } else if is_ours && code.starts_with("--") && code != "--" {
            number += 1;
            let name = code.split([' ', '=', '[']).next().unwrap_or(code);
            let is_known = any_has_option(all, name) || OF_OTHERS.contains(&name);
            wrong.extend((!is_known).then(|| format!("no command has {name}")));
        }
    }
    (number, wrong)
}

#[test]
fn every_command_and_option_of_a_document_is_one_that_the_program_has() {
    let all = program();
    let mut pages = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    pages.extend(files("docs", "md"));
    pages.extend(files("crates", "md").into_iter().filter(|file| !file.contains("/src/")));
    let (mut number, mut found) = (0, Vec::new());
    for page in pages {
        let is_ours =
            page == "README.md" || page.starts_with("docs/") && page.matches('/').count() == 1;
        let (of_page, wrong) = wrong(&read(&page), is_ours, &all);
        number += of_page;
        found.extend(wrong.into_iter().map(|why| format!("{page}: {why}")));
    }
    assert!(found.is_empty(), "{found:#?}");
    assert!(number > 150, "{number} commands and options");
}

#[test]
fn every_command_that_a_message_names_is_one_that_the_program_has() {
    let all = program();
    let (mut number, mut found) = (0, Vec::new());
    for package in ["benchgate", "benchgate-core", "benchgate-host"] {
        for file in files(&format!("crates/{package}/src"), "rs") {
            if file.ends_with("/named.rs") {
                continue;
            }
            for command in read(&file).split('`').filter_map(behind_name) {
                let command = command.split('\n').next().unwrap_or(command);
                number += 1;
                found.extend(lacking(command, &all).map(|why| format!("{file}: {command}: {why}")));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
    assert!(number > 50, "{number} commands");
}

#[test]
fn a_command_or_an_option_that_the_program_lacks_is_found() {
    let all = program();
    let count = |text: &str| wrong(text, true, &all).1.len();
    assert_eq!(
        count(
            "```sh\nbenchgate check --base main  # a comment --no\n```\n`check --base`, `--pairs`"
        ),
        0
    );
    assert_eq!(count("```sh\nx && benchgate check --no\n```"), 1);
    assert_eq!(count("`benchgate inspect`, `benchgate check --no`, `check --no`, `--no`"), 4);
    assert_eq!(count("`benchgate baseline save|list`, `benchgate init [--hook] [--workflows]`"), 0);
    assert_eq!(count("`benchgate report RESULT --limit`"), 1);
}
