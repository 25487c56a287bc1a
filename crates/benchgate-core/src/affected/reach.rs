//! The suites that one changed file can reach, and why.

use std::fmt;

use super::inputs::{Inputs, is_built};
use super::observed::{Changes, Entry, Observed};
use super::paths::{and_above, inside, name_of};
use super::tree::{Package, Tree};
use crate::identity::is_data;
use crate::model::{Side, SuiteKey};
use crate::policy::{self, Suite};

/// Whether a change can reach a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Nothing that it is built from changed.
    Untouched,
    /// It has to be built.
    Reached {
        /// The changed file; `None` where it is not one that decides.
        file: Option<String>,
        /// The reason.
        why: Why,
    },
}

/// Why a changed file reaches a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// One side alone has the suite.
    OnlyOn(Side),
    /// The manifests do not say what is built.
    Unclear(String),
    /// Every build depends on it.
    Configuration,
    /// A bench may read it when it runs.
    Data,
    /// It is of a package that the suite is built from; the folder of it.
    OfPackage(String),
    /// It is Rust source of no package that is known.
    OfNoPackage,
    /// A source names it.
    NamedBy(String),
    /// A bench may read it when it runs: a string in this file names it.
    Read(String),
    /// It may start a program of another suite's package, which is built with that suite.
    Starts(SuiteKey),
    /// A run of the base read it, or listed the folder that it is in.
    Observed,
    /// Something that may read any file.
    Anything(String),
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Untouched => f.write_str("nothing that it is built from changed"),
            Self::Reached { file: Some(file), why } => write!(f, "`{file}` {why}"),
            Self::Reached { file: None, why } => why.fmt(f),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnlyOn(side) => write!(f, "only {} has it", side.name()),
            Self::Unclear(why) => f.write_str(why),
            Self::Configuration => f.write_str("changed, which every build depends on"),
            Self::Data => f.write_str("changed, which a bench may read"),
            Self::OfPackage(folder) if folder.is_empty() => f.write_str("changed, at the top"),
            Self::OfPackage(folder) => write!(f, "changed, in `{folder}`"),
            Self::OfNoPackage => f.write_str("changed, which is in no package of the workspace"),
            Self::NamedBy(source) => write!(f, "changed, which `{source}` names"),
            Self::Read(source) => {
                write!(f, "changed, which a bench may read: a string in `{source}` names it")
            }
            Self::Starts(suite) => write!(f, "{suite} may start a program that is built with it"),
            Self::Observed => f.write_str("changed, which a run of the base was observed to read"),
            Self::Anything(what) => write!(f, "changed, and {what} may read any file"),
        }
    }
}

/// Files that every build depends on, by their names and the beginnings of their names.
const CONFIGURATION: [&str; 5] =
    ["Cargo.toml", "Cargo.lock", ".gitattributes", ".gitmodules", policy::FILE_NAME];
const TOOLCHAIN: &str = "rust-toolchain";
const CARGO_FOLDER: &str = ".cargo";

/// A changed file under all its names.
pub(super) struct Changed<'a> {
    path: &'a str,
    names: Vec<String>,
    /// Whether it is a submodule: one path, with any files below it.
    is_folder: bool,
}

impl<'a> Changed<'a> {
    /// Its own path.
    pub(super) fn path(&self) -> &'a str {
        self.path
    }

    /// Follows links as often as there are links: one may lead to another.
    pub(super) fn new(path: &'a str, tree: &Tree) -> Self {
        let links = &tree.links;
        let mut names = vec![path.to_owned()];
        for _ in links {
            let known = names.len();
            for link in links {
                let through = |name: &String| match name == &link.to {
                    true => Some(link.at.clone()),
                    false => Some(format!("{}/{}", link.at, inside(name, &link.to)?)),
                };
                let new: Vec<String> = names.iter().filter_map(through).collect();
                // A link into a folder above itself has names without end.
                let is_new = |name: &String| !names.contains(name) && name.len() < LONGEST_NAME;
                let new: Vec<String> = new.into_iter().filter(is_new).collect();
                names.extend(new);
            }
            if names.len() == known || names.len() > MOST_NAMES {
                break;
            }
        }
        Self { path, names, is_folder: tree.entry(path) == Some(Entry::Folder) }
    }
}

/// As long as paths may be on Linux.
const LONGEST_NAME: usize = 4096;

/// A file has few names, except where links go round in a circle.
const MOST_NAMES: usize = 1000;

/// What runs of a suite were observed to read, if anything was, and which files both sides have.
#[derive(Clone, Copy)]
pub(super) struct Observing<'a> {
    pub(super) observed: Option<&'a Observed>,
    pub(super) changes: &'a Changes,
}

impl Observing<'_> {
    fn reads(self, file: &Changed<'_>) -> bool {
        self.observed.is_some_and(|observed| observed.reads(file.path, self.changes))
    }

    /// Whether the observation alone decides: of a whole run, and a file that is there on both sides. That one was looked
    /// for and was not there is not observed.
    fn decides(self, file: &Changed<'_>, inputs: &Inputs) -> bool {
        let is_of_now = |observed: &Observed| {
            // It may have said which file is read.
            observed.led_by.is_none()
                && !(observed.has_other_variables && inputs.is_led_by_variables)
        };
        self.observed.is_some_and(|observed| observed.is_whole && is_of_now(observed))
            && inputs.escapes.is_none()
            && self.changes.is_modified(file.path)
    }
}

impl Inputs {
    /// Whether one of these files can reach it; by the first that does.
    pub(super) fn reach(
        &self,
        changed: &[Changed<'_>],
        tree: &Tree,
        observing: Observing<'_>,
    ) -> Reach {
        let found = changed.iter().find_map(|file| {
            let decides = observing.decides(file, self);
            let why = file.names.iter().find_map(|name| self.why(name, tree, decides));
            let why = why.or_else(|| file.is_folder.then_some(Why::Data));
            let why = why.or_else(|| observing.reads(file).then_some(Why::Observed))?;
            Some(Reach::Reached { file: Some(file.path.to_owned()), why })
        });
        found.unwrap_or(Reach::Untouched)
    }

    /// The first of these files that a run may read, though the machine code is the same, and the number of them.
    pub(super) fn read_of(
        &self,
        changed: &[Changed<'_>],
        observing: Observing<'_>,
    ) -> Option<(String, usize)> {
        let is_named = |name: &String| is_data(name) || self.named_by(name).is_some();
        let is_read = |file: &&Changed<'_>| {
            // No string is compared with a name that is not UTF-8.
            let may_be = || file.path.contains(char::REPLACEMENT_CHARACTER);
            let by_names = || match &self.reads {
                Some(_) => may_be() || file.names.iter().any(|name| self.says_read(name)),
                None => may_be() || self.lists.is_some() || file.names.iter().any(is_named),
            };
            let by_names = || file.is_folder || by_names();
            // What a checkout makes of the files that an attribute is about, no content says.
            let is_attributes = name_of(file.path) == ".gitattributes";
            is_attributes || observing.reads(file) || (!observing.decides(file, self) && by_names())
        };
        let mut read = changed.iter().filter(is_read).map(|file| file.path.to_owned());
        Some((read.next()?, read.count()))
    }

    /// Whether the policy says that a run reads a file: by `reads`, or by what starts it.
    fn says_read(&self, path: &str) -> bool {
        let is_named =
            |entry: &String| Suite::is_named(entry, path) || inside(path, entry).is_some();
        self.reads.iter().flatten().any(is_named) || self.names_of_builds.source_of(path).is_some()
    }

    /// Why a file reaches it by its name; `is_observed` where what a run reads is known without it.
    fn why(&self, path: &str, tree: &Tree, is_observed: bool) -> Option<Why> {
        let is_known = is_observed || self.reads.is_some();
        let name = name_of(path);
        if CONFIGURATION.contains(&name)
            || name.starts_with(TOOLCHAIN)
            || and_above(path).any(|path| name_of(path) == CARGO_FOLDER)
        {
            return Some(Why::Configuration);
        }
        if let Some(what) = &self.anything {
            return Some(Why::Anything(what.clone()));
        }
        if let Some(what) = self.lists.as_ref().filter(|_| !is_known) {
            return Some(Why::Anything(what.clone()));
        }
        // With the same code on both sides it would be measured for such a file.
        if is_data(path) {
            return Some(Why::Data);
        }
        if let Some(source) = and_above(path).find_map(|path| self.included.get(path)) {
            return Some(Why::NamedBy(source.clone()));
        }
        if self.reads.is_some() && !is_observed && self.says_read(path) {
            return Some(Why::Read(policy::FILE_NAME.to_owned()));
        }
        // What a build reads is not observed.
        let names = if is_known { &self.names_of_builds } else { &self.names };
        if let Some(source) = names.source_of(path) {
            return Some(Why::Read(source.to_owned()));
        }
        if name.ends_with(".rs") {
            let holds = |package: &&Package| inside(path, &package.folder).is_some();
            let packages = tree.packages.iter().filter(holds);
            let Some(owner) = packages.max_by_key(|package| package.folder.len()) else {
                return Some(Why::OfNoPackage);
            };
            let is_part = self.folders.contains(&*owner.folder) && is_built(path, owner);
            return is_part.then(|| Why::OfPackage(owner.folder.clone()));
        }
        None
    }
}
