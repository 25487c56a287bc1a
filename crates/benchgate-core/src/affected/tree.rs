//! The packages, sources and links of one side, as known before it is built.

use std::collections::{BTreeMap, BTreeSet};

use super::paths::{folder_of, inside, resolve};
use crate::model::SuiteKey;
use crate::policy::Suite;

/// One side: what its manifests and sources say. Paths are from the top of the repository, with `/` between their
/// parts; the top itself is empty.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The packages of the workspace.
    pub packages: Vec<Package>,
    /// The folders of the packages that each suite is built from, without what those depend on.
    pub suites: BTreeMap<SuiteKey, BTreeSet<String>>,
    /// All files, and links.
    pub files: BTreeSet<String>,
    /// Those of them that may be started.
    pub executable: BTreeSet<String>,
    /// Symbolic links.
    pub links: Vec<Link>,
    /// Other files with a short text, which may name more of them.
    pub texts: Vec<Source>,
    /// Whether there are more of them than were read.
    pub has_more_texts: bool,
    /// Suites that the policy declares.
    pub declared: BTreeMap<SuiteKey, Declared>,
    /// Why its manifests do not say what is built; `None` where they do.
    pub unclear: Option<String>,
}

impl Tree {
    /// The source file at a path.
    pub(super) fn source(&self, path: &str) -> Option<&Source> {
        self.packages.iter().flat_map(|package| &package.sources).find(|source| source.path == path)
    }

    /// The text of a file that is not Rust source; `None` where it is not known.
    pub(super) fn text(&self, path: &str) -> Option<&Source> {
        self.texts.iter().find(|source| source.path == path)
    }

    /// Adds a suite of the policy of the workspace in this folder.
    pub fn declare(&mut self, key: SuiteKey, suite: &Suite, workspace: &str) {
        let folder = |name: &String| {
            let package = self.packages.iter().find(|package| package.name == *name);
            // A name that no package has is a folder that none has, and then any file counts.
            package.map_or_else(|| format!("?{name}"), |package| package.folder.clone())
        };
        let folders = suite.built_from.iter().map(folder).collect();
        // The policy allows no path that leaves the checkout.
        let from_top = |path: &String| resolve(&format!("{workspace}/{}", suite.folder), path);
        let reads = suite.reads.as_ref().map(|paths| paths.iter().filter_map(from_top).collect());
        let folder = from_top(&".".to_owned()).unwrap_or_default();
        let declared = Declared { reads, words: suite.words(), folder };
        self.declared.insert(key.clone(), declared);
        self.suites.insert(key, folders);
    }
}

/// What the policy says of a suite that is not a bench target.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Declared {
    /// Files, folders and globs that its runs read; `None` where that follows from the sources.
    pub reads: Option<Vec<String>>,
    /// Strings of its table that may name a file.
    pub words: BTreeSet<String>,
    /// Where it is built and run, from the top.
    pub folder: String,
}

/// A package of the workspace.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub folder: String,
    /// Packages that are built from a path.
    pub dependencies: Vec<Dependency>,
    /// Whether it brings code that runs while others are built.
    pub runs: Option<Runs>,
    /// The names of the programs and libraries that cargo leaves next to its benches.
    pub programs: BTreeSet<String>,
    /// The source files of its targets, except of tests and examples.
    pub roots: Vec<String>,
    /// Those of them that are of bench targets.
    pub benches: Vec<String>,
    /// The Rust files in its folder, and in no other package's.
    pub sources: Vec<Source>,
}

impl Package {
    /// Whether a source may be of a bench target itself: the nearest folder with a root has one of those. cargo compiles
    /// these with `--cfg test`, also where they have a `main` of their own.
    pub(super) fn is_of_bench(&self, path: &str) -> bool {
        let folders = self.roots.iter().map(|root| folder_of(root));
        let nearest =
            folders.filter(|folder| inside(path, folder).is_some()).max_by_key(|it| it.len());
        nearest.is_some_and(|nearest| self.benches.iter().any(|root| folder_of(root) == nearest))
    }
}

/// A dependency on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The folder; `None` when it is outside of the repository.
    pub folder: Option<String>,
    /// Whether tests and benches alone need it.
    pub is_dev: bool,
}

/// Code that runs while packages are built, and may read any file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// `build.rs`.
    BuildScript,
    /// A crate of procedural macros.
    ProcMacro,
}

/// A source file.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Its path.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A symbolic link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its path.
    pub at: String,
    /// The path that it leads to.
    pub to: String,
    /// Whether it leads to a folder.
    pub is_folder: bool,
}
