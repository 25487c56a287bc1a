//! Which suites a change can reach, decided before anything is built.
//!
//! A suite that no changed file can reach is the same on both sides. Whatever is uncertain counts as reaching:
//! a build for nothing costs minutes, a suite that is left out wrongly costs the promise. `docs/building.md` has
//! the rule.

mod closure;
mod paths;
mod reach;
mod source;
mod test_items;
mod tree;
mod words;

use std::collections::{BTreeMap, BTreeSet};

pub use reach::{Reach, Why};
pub use tree::{Dependency, Link, Package, Runs, Source, Tree};

use self::closure::Closure;
use self::reach::Changed;
use self::source::{Reads, reads};
use crate::model::{Side, Sides, SuiteKey};

/// Returns how the files that differ between the sides can reach each suite of either side.
pub fn affected(changed: &[String], trees: Sides<&Tree>) -> BTreeMap<SuiteKey, Reach> {
    let of_base = reaches(changed, trees.base);
    let mut of_head = reaches(changed, trees.head);
    let mut all: BTreeMap<SuiteKey, Reach> = of_base
        .into_iter()
        .map(|(key, of_base)| {
            let reach = match of_head.remove(&key) {
                // The head's reason comes first: its author changed the files that the head is built from.
                Some(of_head) if of_head != Reach::Untouched => of_head,
                Some(_) => of_base,
                None => Reach::Reached { file: None, why: Why::OnlyOn(Side::Base) },
            };
            (key, reach)
        })
        .collect();
    all.extend(
        of_head
            .into_keys()
            .map(|key| (key, Reach::Reached { file: None, why: Why::OnlyOn(Side::Head) })),
    );
    all
}

fn reaches(changed: &[String], tree: &Tree) -> BTreeMap<SuiteKey, Reach> {
    let changed: Vec<Changed<'_>> =
        changed.iter().map(|path| Changed::new(path, &tree.links)).collect();
    // Packages that several suites are built from are read once.
    let mut read: BTreeMap<&str, Reads> = BTreeMap::new();
    for package in &tree.packages {
        for Source { path, text } in &package.sources {
            read.insert(path, reads(path, text, &package.folder));
        }
    }
    let reach = |folders: &BTreeSet<String>| match &tree.unclear {
        Some(why) if !changed.is_empty() => {
            Reach::Reached { file: None, why: Why::Unclear(why.clone()) }
        }
        _ => Closure::of(folders, tree, &read).reach(&changed, tree),
    };
    // Suites of one package are built from the same files.
    let all: BTreeSet<&BTreeSet<String>> = tree.suites.values().collect();
    let reaches: BTreeMap<&BTreeSet<String>, Reach> =
        all.into_iter().map(|folders| (folders, reach(folders))).collect();
    let of_suite = |(key, folders): (&SuiteKey, &BTreeSet<String>)| {
        Some((key.clone(), reaches.get(folders)?.clone()))
    };
    tree.suites.iter().filter_map(of_suite).collect()
}

#[cfg(test)]
mod tests;
