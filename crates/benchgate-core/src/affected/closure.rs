//! The packages that a suite is built from, and what they read.

use std::collections::{BTreeMap, BTreeSet};

use super::paths::inside;
use super::source::{Reads, reads};
use super::tree::{Package, Runs, Tree};

/// Folders and files that the suites of some packages are built from.
#[derive(Debug, Default)]
pub(super) struct Closure<'a> {
    /// The folders of its packages.
    pub(super) folders: BTreeSet<&'a str>,
    /// The first item found that may read any file of the repository, in words.
    pub(super) anything: Option<String>,
    /// Files and folders that a source names, each with the first source that does.
    pub(super) named: BTreeMap<String, &'a str>,
}

impl<'a> Closure<'a> {
    /// That of the packages in these folders, whose benches are built; `read` is what each source reads.
    pub(super) fn of(
        folders: &'a BTreeSet<String>,
        tree: &'a Tree,
        read: &'a BTreeMap<&'a str, Reads>,
    ) -> Self {
        let mut closure = Self::default();
        let packages = closure.packages(folders, tree);
        let mut scanned = BTreeSet::new();
        let mut code = Vec::new();
        for package in &packages {
            match package.runs {
                Some(Runs::BuildScript) => {
                    closure.anything(format!("the build script of `{}`", package.name));
                }
                Some(Runs::ProcMacro) => {
                    closure.anything(format!("a macro of `{}`", package.name));
                }
                None => {}
            }
            for source in package.sources.iter().filter(|source| is_built(&source.path, package)) {
                let Some(found) = read.get(&*source.path) else { continue };
                scanned.insert(&*source.path);
                code.extend(found.code.iter().map(|file| (&**file, &*source.path, *package)));
                closure.named(&found.named, &source.path);
                if let Some(name) = &found.anything {
                    closure.anything(format!("`{name}` in `{}`", source.path));
                }
            }
        }
        closure.links(&packages, tree);
        for (file, from, package) in code.into_iter().filter(|of| !scanned.contains(of.0)) {
            match tree.source(file).map(|source| reads(file, &source.text, &package.folder)) {
                Some(found) if found.is_all_code() => {
                    closure.named(&found.named, file);
                    closure.named.insert(file.to_owned(), from);
                }
                // More code is not followed.
                _ => closure.anything(format!("`{file}`, which `{from}` includes,")),
            }
        }
        closure
    }

    fn packages(&mut self, first: &'a BTreeSet<String>, tree: &'a Tree) -> Vec<&'a Package> {
        let mut packages = Vec::new();
        let mut left: Vec<&str> = first.iter().map(String::as_str).collect();
        while let Some(folder) = left.pop() {
            if !self.folders.insert(folder) {
                continue;
            }
            let Some(package) = tree.packages.iter().find(|package| package.folder == folder)
            else {
                self.anything(format!("the package in `{folder}`, which is not of the workspace,"));
                continue;
            };
            let is_first = first.contains(folder);
            for dependency in package.dependencies.iter().filter(|of| is_first || !of.is_dev) {
                match &dependency.folder {
                    Some(folder) => left.push(folder),
                    None => self.anything(format!(
                        "a dependency of `{}` that is outside of the repository",
                        package.name
                    )),
                }
            }
            packages.push(package);
        }
        packages
    }

    /// Counts a link to code as reading any file: files behind links are not read here.
    fn links(&mut self, packages: &[&Package], tree: &Tree) {
        let is_of = |at: &str, package: &&Package| {
            inside(at, &package.folder).is_some() && is_built(at, package)
        };
        let to_code = tree.links.iter().find(|link| {
            (link.is_folder || link.to.ends_with(".rs"))
                && packages.iter().any(|package| is_of(&link.at, package))
        });
        if let Some(link) = to_code {
            self.anything(format!("what the link `{}` leads to", link.at));
        }
    }

    fn named(&mut self, files: &BTreeSet<String>, source: &'a str) {
        for file in files {
            self.named.entry(file.clone()).or_insert(source);
        }
    }

    fn anything(&mut self, what: String) {
        self.anything.get_or_insert(what);
    }
}

/// Whether a file may be part of what benches need: tests and examples are not, unless a target says so.
pub(super) fn is_built(path: &str, package: &Package) -> bool {
    ["tests", "examples"].into_iter().all(|name| {
        let is_in = |path: &str| {
            inside(path, &package.folder).is_some_and(|path| inside(path, name).is_some())
        };
        !is_in(path) || package.roots.iter().any(|root| is_in(root))
    })
}
