//! Suites that are not bench targets: `[[suite]]`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use toml::Spanned;
use wildmatch::WildMatch;

use super::{Check, PolicyError};
use crate::model::SuiteKey;
use crate::policy::harness::HarnessName;
use crate::policy::sandbox::Reach;
use crate::policy::value::checked_inside;

/// A suite that the policy declares: how it is built and run in each side's checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Suite {
    /// The package it is listed under; `None` for that of the workspace.
    pub package: Option<String>,
    /// The name.
    pub name: String,
    /// How it is asked for its benchmarks and their values.
    pub harness: HarnessName,
    /// The command that builds it; empty where nothing has to be built.
    pub build: Vec<String>,
    /// The program and its leading arguments; never empty.
    pub run: Vec<String>,
    /// The folder in which it is built and run, relative to the workspace's; empty for that one.
    pub folder: String,
    /// Files that decide whether both sides are the same; empty where it is always measured.
    pub files: Vec<String>,
    /// The packages of the workspace that it is built from; empty where it is always built.
    pub built_from: Vec<String>,
    /// Files, folders and globs of the repository that a run reads; `None` where that follows from its sources.
    pub reads: Option<Vec<String>>,
    /// For each benchmark the arguments to add, with the harness `command`.
    pub arguments: BTreeMap<String, Vec<String>>,
    /// Programs without which it is skipped.
    pub needs: Vec<String>,
    /// Whether it is measured only when it is asked for by name.
    pub apart: bool,
    /// Files and network that its build and its rounds may reach in addition.
    pub sandbox: Reach,
}

/// Options of cargo before the name of a package or a target.
const NAMES_TARGET: [&str; 5] = ["-p", "--package", "--bin", "--bench", "--example"];

impl Suite {
    /// Its key in a workspace of this name.
    pub fn key(&self, workspace: &str) -> SuiteKey {
        SuiteKey::new(self.package.as_deref().unwrap_or(workspace), &*self.name)
    }

    /// Every string by which its commands may name a file, but for the packages and targets that cargo is told to build:
    /// `built_from` says what these are made of.
    pub fn words(&self) -> BTreeSet<String> {
        let commands = [&self.build, &self.run].into_iter().chain(self.arguments.values());
        let of_commands = commands.flat_map(|command| {
            let is_cargo = command.first().is_some_and(|program| program == "cargo");
            // What follows is the program's own.
            let own = command.iter().position(|word| word == "--").unwrap_or(command.len());
            let before = std::iter::once("").chain(command.iter().map(String::as_str));
            before.zip(command).enumerate().filter_map(move |(at, (before, word))| {
                (!is_cargo || at > own || !NAMES_TARGET.contains(&before)).then_some(word)
            })
        });
        let Reach { read, write, .. } = &self.sandbox;
        let paths = self.files.iter().chain(read).chain(write);
        of_commands.chain(paths).cloned().collect()
    }

    /// Whether an entry of `files` names this path.
    pub fn is_named(entry: &str, path: &str) -> bool {
        WildMatch::new(entry).matches(path)
    }
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SuiteTable {
    /// The name of the suite, in reports and for `--suite`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    name: Spanned<String>,
    /// The package that it is listed under; without it the name of the workspace.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    package: Option<Spanned<String>>,
    /// How the suite is asked for its benchmarks and their values.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = HarnessName::ALL.iter().map(|known| known.name()).collect::<Vec<_>>())))]
    harness: Spanned<String>,
    /// The command that builds it, as a list; without it nothing is built.
    #[serde(default)]
    build: Vec<String>,
    /// The program and its leading arguments.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>", length(min = 1)))]
    run: Spanned<Vec<String>>,
    /// Where it is built and run, inside the workspace.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    folder: Option<Spanned<String>>,
    /// Files that decide whether both sides are the same; without them it is always measured.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    #[serde(default)]
    files: Vec<Spanned<String>>,
    /// The packages of the workspace that it is built from: where no change can reach them, it is neither built nor
    /// measured. Without them it is always built.
    #[serde(default)]
    built_from: Vec<String>,
    /// Files, folders and globs of the repository that a run of it reads, where its sources have words for more; none: `[]`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<String>>"))]
    reads: Option<Vec<Spanned<String>>>,
    /// With the harness "command": for each benchmark the arguments to add.
    #[cfg_attr(feature = "schema", schemars(with = "Option<BTreeMap<String, Vec<String>>>"))]
    arguments: Option<Spanned<BTreeMap<String, Vec<String>>>>,
    /// Programs that its build and its run need: where one is not on `PATH`, it is skipped with that reason.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    #[serde(default)]
    needs: Vec<Spanned<String>>,
    /// Whether it is measured only when `--suite` names it.
    #[serde(default)]
    apart: bool,
    /// Files and network that its build and its rounds may reach in addition to those that `[sandbox]` allows all.
    #[serde(default)]
    sandbox: Reach,
}

pub(super) fn suites(
    tables: Vec<SuiteTable>,
    check: &Check<'_>,
) -> Result<Vec<Suite>, PolicyError> {
    let mut suites: Vec<Suite> = Vec::new();
    for table in tables {
        let span = table.name.span();
        let suite = table.checked(check)?;
        if suites.iter().any(|other| other.key("") == suite.key("")) {
            let message = format!("two suites are named `{}`: rename one", suite.name);
            return Err(check.error(&span, &message));
        }
        suites.push(suite);
    }
    Ok(suites)
}

impl SuiteTable {
    fn checked(self, check: &Check<'_>) -> Result<Suite, PolicyError> {
        let Some(harness) = HarnessName::named(self.harness.get_ref()) else {
            let message = format!(
                "unknown harness `{}`: expected one of {}",
                self.harness.get_ref(),
                HarnessName::known()
            );
            return Err(check.error(&self.harness.span(), &message));
        };
        if self.run.get_ref().first().is_none_or(String::is_empty) {
            let message = "`run` is empty: expected a program and its arguments, such as \
                           [\"./target/release/tool\", \"--fast\"]";
            return Err(check.error(&self.run.span(), message));
        }
        if let Some(arguments) = &self.arguments
            && !harness.takes_arguments()
        {
            let message = "`arguments` are for the harness `command`: the others are asked for their \
                           benchmarks";
            return Err(check.error(&arguments.span(), message));
        }
        if let Some(arguments) = &self.arguments
            && (arguments.get_ref().is_empty() || arguments.get_ref().contains_key(""))
        {
            let message = "invalid `arguments`: expected one entry for each benchmark, such as \
                           big = [\"big.txt\"]";
            return Err(check.error(&arguments.span(), message));
        }
        Ok(Suite {
            package: self.package.map(|package| label(package, check)).transpose()?,
            name: label(self.name, check)?,
            harness,
            build: self.build,
            run: self.run.into_inner(),
            folder: match self.folder {
                None => String::new(),
                Some(folder) if matches!(folder.get_ref().as_str(), "." | "./") => String::new(),
                Some(folder) => inside(folder, check)?,
            },
            files: all_inside(self.files, check)?,
            built_from: self.built_from,
            reads: self.reads.map(|files| all_inside(files, check)).transpose()?,
            arguments: self.arguments.map(Spanned::into_inner).unwrap_or_default(),
            needs: self
                .needs
                .into_iter()
                .map(|program| program_name(program, check))
                .collect::<Result<_, _>>()?,
            apart: self.apart,
            sandbox: self.sandbox,
        })
    }
}

/// A name that may be part of a file's.
fn label(name: Spanned<String>, check: &Check<'_>) -> Result<String, PolicyError> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if name.get_ref().is_empty() || !name.get_ref().chars().all(is_word) {
        let message = format!(
            "invalid name `{}`: expected letters, digits, `.`, `-` and `_`",
            name.get_ref().escape_debug()
        );
        return Err(check.error(&name.span(), &message));
    }
    Ok(name.into_inner())
}

/// A program as `PATH` has it.
fn program_name(name: Spanned<String>, check: &Check<'_>) -> Result<String, PolicyError> {
    let text = name.get_ref();
    if text.is_empty() || text.contains('/') {
        let message =
            format!("invalid program `{text}`: expected a name on `PATH`, such as \"java\"");
        return Err(check.error(&name.span(), &message));
    }
    Ok(name.into_inner())
}

fn all_inside(paths: Vec<Spanned<String>>, check: &Check<'_>) -> Result<Vec<String>, PolicyError> {
    paths.into_iter().map(|path| inside(path, check)).collect()
}

/// A path that does not leave the checkout.
fn inside(path: Spanned<String>, check: &Check<'_>) -> Result<String, PolicyError> {
    checked_inside(path.get_ref()).map_err(|message| check.error(&path.span(), &message))?;
    Ok(path.into_inner())
}

#[cfg(test)]
mod tests {
    use crate::policy::Policy;

    #[test]
    fn a_suite_says_how_it_is_built_and_run_and_what_makes_it_the_same() {
        let policy = Policy::parse(
            "[[suite]]\nname = \"sizes\"\nharness = \"counts\"\nbuild = [\"make\", \"sizes\"]\n\
             run = [\"./sizes\", \"-v\"]\nfolder = \"tools\"\nfiles = [\"sizes\", \"data/*\"]\n\
             built-from = [\"tool\"]\nreads = [\"pages\"]\nneeds = [\"make\"]\napart = true\n\
             sandbox = { network = true, read = [\"/srv/sizes\"], write = [\"~/.cache/sizes\"] }\n",
        )
        .unwrap();
        insta::assert_debug_snapshot!(policy.suites);
        assert_eq!(policy.suites[0].key("parser").to_string(), "parser.sizes");
    }

    #[test]
    fn a_suite_that_cannot_be_run_is_refused_by_its_line() {
        let known = super::HarnessName::known();
        let suite = "[[suite]]\nname = \"a\"\nharness = \"counts\"\nrun = [\"./a\"]";
        let table: String = [
            "[[suite]]\nname = \"a\"\nharness = \"counts\"".to_owned(),
            suite.replace("counts", "bencher"),
            suite.replace("\"./a\"", ""),
            suite.replace("\"a\"", "\"a/b\""),
            suite.replace("\"a\"", "\"\""),
            format!("{suite}\nfolder = \"../other\""),
            format!("{suite}\nfiles = [\n  \"a\",\n  \"/etc/passwd\",\n]"),
            format!("{suite}\nreads = [\"../a\"]"),
            format!("{suite}\n[suite.arguments]\nbig = [\"big.txt\"]"),
            format!("{suite}\nneeds = [\"/usr/bin/java\"]"),
            format!("{suite}\nwait = 3"),
            format!("{suite}\n{suite}"),
        ]
        .iter()
        .map(|text| {
            let error = Policy::parse(text).unwrap_err().to_string().replace(&known, "[…]");
            format!("{}\n    -> {error}\n", text.replace('\n', " ⏎ "))
        })
        .collect();
        insta::assert_snapshot!(table);
    }
}
