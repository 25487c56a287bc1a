//! What runs of a suite were observed to read of the base's checkout, and what follows for a file that changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::paths::{and_above, folder_of, inside, name_of};
use super::tree::Tree;
use crate::identity::ending;
use crate::model::{Side, Sides, SuiteKey};

/// The files and folders that runs of a suite read. Paths are from the top of the repository, which itself is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Observed {
    /// Files that were read, and links that were followed.
    pub files: BTreeSet<String>,
    /// Folders that were listed.
    pub folders: BTreeSet<String>,
    /// Whether every benchmark of the suite ran while it was observed.
    pub is_whole: bool,
    /// Whether a variable has another value now than it had then.
    pub has_other_variables: bool,
    /// What else may say now which files are read, in words.
    pub led_by: Option<&'static str>,
}

impl Observed {
    /// Adds what others were observed to read.
    pub fn add(&mut self, other: Self) {
        self.files.extend(other.files);
        self.folders.extend(other.folders);
        self.is_whole |= other.is_whole;
        self.has_other_variables |= other.has_other_variables;
        self.led_by = self.led_by.or(other.led_by);
    }

    /// Whether it was read, or another file of its folder with its ending: a run that takes one input after the other comes
    /// to the first.
    fn is_alike(&self, path: &str) -> bool {
        let folder = folder_of(path);
        let begin = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let below = self.files.range(begin.clone()..).take_while(|file| file.starts_with(&begin));
        let ending_of = |path| ending(name_of(path));
        below
            .into_iter()
            .any(|file| folder_of(file) == folder && ending_of(file) == ending_of(path))
    }

    /// Whether a changed file was read, or appeared or disappeared in a folder that was listed.
    pub fn reads(&self, path: &str, changes: &Changes) -> bool {
        // A submodule is one path, and a folder.
        let below = format!("{path}/");
        let is_below = |found: Option<&String>| found.is_some_and(|it| it.starts_with(&below));
        if self.folders.contains(path)
            || self.is_alike(path)
            || is_below(self.files.range(below.clone()..).next())
            || is_below(self.folders.range(below.clone()..).next())
        {
            return true;
        }
        let is_listed = |entry: &str| self.folders.contains(folder_of(entry));
        match changes.is_modified(path) {
            true => false,
            false => and_above(path).any(|it| is_listed(it) && (it == path || changes.is_new(it))),
        }
    }
}

/// The way in which it is known what a run of a suite reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// Runs of it were observed.
    Observed(Observed),
    /// What strings of its sources name counts as read: why nothing was observed.
    Names(String),
}

impl Default for Way {
    fn default() -> Self {
        Self::Names("no run of it was observed".to_owned())
    }
}

impl Way {
    /// Why names count besides what was observed; `None` where the observation alone decides about a modified file.
    pub fn why_names(&self) -> Option<&str> {
        match self {
            Self::Observed(Observed { led_by: Some(reason), .. }) => Some(reason),
            Self::Observed(observed) if observed.is_whole => None,
            Self::Observed(_) => {
                Some("not every benchmark of it was observed; what was counts too")
            }
            Self::Names(reason) => Some(reason),
        }
    }

    /// What was observed.
    pub(super) fn observed(&self) -> Option<&Observed> {
        match self {
            Self::Observed(observed) => Some(observed),
            Self::Names(_) => None,
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why_names() {
            None => f.write_str("observed"),
            Some(reason) => write!(f, "by names: {reason}"),
        }
    }
}

/// The ways of suites; the others have the default.
pub type Ways = BTreeMap<SuiteKey, Way>;

/// What a path is. A file that may be started now and might not before is another one, though nobody read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A file.
    File,
    /// A file that may be started.
    Program,
    /// A symbolic link.
    Link,
    /// A folder with files.
    Folder,
}

/// Which of the changed files both sides have.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    modified: BTreeSet<String>,
    /// Changed files of one side, and the folders above them that this side alone has.
    new: BTreeSet<String>,
}

impl Changes {
    pub(super) fn of(changed: &[String], trees: Sides<&Tree>) -> Self {
        Self::new(changed, |side, path| trees[side].entry(path))
    }

    /// Those of these files; `entry` says what a side has at a path.
    pub fn new(changed: &[String], entry: impl Fn(Side, &str) -> Option<Entry>) -> Self {
        let mut changes = Self::default();
        for path in changed {
            let [base, head] = [Side::Base, Side::Head].map(|side| entry(side, path));
            if base.is_some() && base == head {
                changes.modified.insert(path.clone());
                continue;
            }
            let is_new =
                |it: &&str| entry(Side::Base, it).is_some() != entry(Side::Head, it).is_some();
            changes.new.extend(and_above(path).filter(is_new).map(str::to_owned));
        }
        changes
    }

    /// Whether both sides have this file, as the same kind of entry.
    pub(super) fn is_modified(&self, path: &str) -> bool {
        self.modified.contains(path)
    }

    fn is_new(&self, path: &str) -> bool {
        self.new.contains(path)
    }
}

impl Tree {
    /// What it has at a path.
    pub(super) fn entry(&self, path: &str) -> Option<Entry> {
        if self.files.contains(path) {
            return Some(if self.links.iter().any(|link| link.at == path) {
                Entry::Link
            } else if self.executable.contains(path) {
                Entry::Program
            } else {
                Entry::File
            });
        }
        let below = format!("{path}/");
        let is_folder =
            self.files.range(below..).next().is_some_and(|it| inside(it, path).is_some());
        is_folder.then_some(Entry::Folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> Tree {
        Tree { files: files.iter().map(|it| (*it).to_owned()).collect(), ..Tree::default() }
    }

    #[test]
    fn a_listed_folder_counts_where_an_entry_of_it_appears_or_is_gone() {
        let observed = Observed {
            files: ["p/read.md", "vendor/lib/x"].map(str::to_owned).into(),
            folders: ["p/listed", ""].map(str::to_owned).into(),
            is_whole: true,
            ..Observed::default()
        };
        let base = tree(&[
            "p/read.md",
            "p/other.md",
            "p/other.txt",
            "p/listed/a",
            "p/listed/deep/a",
            "gone/a",
        ]);
        let head = tree(&[
            "p/read.md",
            "p/other.md",
            "p/other.txt",
            "p/listed/a",
            "p/listed/deep/a",
            "p/new",
            "new/b/c",
            "p/listed/new",
            "p/listed/deep/new",
            "p/listed/folder/new",
        ]);
        for (path, expected) in [
            ("p/read.md", true),
            // Whoever took one of them may take the next one.
            ("p/other.md", true),
            ("p/other.txt", false),
            ("p/deep/other.md", false),
            // A submodule.
            ("vendor/lib", true),
            ("vendor/li", false),
            // Both sides have it.
            ("p/listed/a", false),
            ("p/listed/new", true),
            ("p/listed/deep/new", false),
            ("p/listed/folder/new", true),
            // The top has a folder more, or one less.
            ("new/b/c", true),
            ("gone/a", true),
            ("p/new", false),
        ] {
            let changes = Changes::of(&[path.to_owned()], Sides::new(&base, &head));
            assert_eq!(observed.reads(path, &changes), expected, "{path}");
        }
    }
}
