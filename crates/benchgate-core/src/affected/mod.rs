//! Which suites a change can reach, decided before anything is built.
//!
//! A suite that no changed file can reach is the same on both sides. Whatever is uncertain counts as reaching:
//! a build for nothing costs minutes, a suite that is left out wrongly costs the promise. `docs/building.md` has
//! the rule.

mod inputs;
mod listing;
mod names;
mod nested;
mod observed;
mod paths;
mod reach;
mod source;
mod spelled;
mod test_items;
mod tree;
mod words;

use std::collections::{BTreeMap, BTreeSet};

pub use inputs::Inputs;
pub use observed::{Changes, Entry, Observed, Way, Ways};
pub use reach::{Reach, Why};
pub use tree::{Declared, Dependency, Link, Package, Runs, Source, Tree};

use self::reach::{Changed, Observing};
use self::source::{Reads, reads};
use crate::model::{Side, Sides, SuiteKey};

/// Returns how the files that differ between the sides can reach each suite of either side.
pub fn affected(changed: &[String], trees: Sides<&Tree>) -> BTreeMap<SuiteKey, Reach> {
    of_change(changed, trees, &Ways::new())
        .into_iter()
        .map(|(key, taken)| (key, taken.reach))
        .collect()
}

/// What a change means for a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Whether it has to be built.
    pub reach: Reach,
    /// The first changed file that a run of it may read, and how many more there are: with one, equal machine code does
    /// not prove equal work.
    pub read: Option<(String, usize)>,
    /// The inputs of each side that has it.
    pub inputs: Sides<Option<Inputs>>,
    /// How it is known what a run of it reads.
    pub way: Way,
}

impl Taken {
    /// By what a run may take in more of what is built than its program, on either side: a library, another program, what a
    /// build script writes.
    pub fn builds_more(&self) -> Option<&str> {
        let of = |side: Side| self.inputs[side].as_ref()?.builds_more();
        of(Side::Base).or_else(|| of(Side::Head))
    }

    /// Whether a run may start a program of this name on either side.
    pub fn may_start(&self, program: &str) -> bool {
        self.inputs
            .iter()
            .any(|(_, inputs)| inputs.as_ref().is_some_and(|of| of.may_start(program)))
    }
}

/// Returns what the files that differ between the sides mean for each suite of either side. `ways` has what runs of
/// the base's suites were observed to read.
pub fn of_change(
    changed: &[String],
    trees: Sides<&Tree>,
    ways: &Ways,
) -> BTreeMap<SuiteKey, Taken> {
    let changes = Changes::of(changed, trees);
    let mut of_base = of_side(changed, trees.base, &changes, ways);
    let mut of_head = of_side(changed, trees.head, &changes, ways);
    let keys: BTreeSet<SuiteKey> = of_base.keys().chain(of_head.keys()).cloned().collect();
    let only_on = |side| Reach::Reached { file: None, why: Why::OnlyOn(side) };
    let mut all: BTreeMap<SuiteKey, Taken> = BTreeMap::new();
    for key in keys {
        let way = ways.get(&key).cloned().unwrap_or_default();
        let taken = match (of_base.remove(&key), of_head.remove(&key)) {
            (Some(base), Some(head)) => Taken {
                // The head's reason comes first: its author changed the files that the head is built from.
                reach: if head.0 == Reach::Untouched { base.0 } else { head.0 },
                read: head.1.or(base.1),
                inputs: Sides::new(Some(base.2), Some(head.2)),
                way,
            },
            (Some((_, read, inputs)), None) => {
                let inputs = Sides::new(Some(inputs), None);
                Taken { reach: only_on(Side::Base), read, inputs, way }
            }
            (None, of_head) => {
                let (read, inputs) = of_head.map(|(_, read, inputs)| (read, inputs)).unzip();
                let inputs = Sides::new(None, inputs);
                Taken { reach: only_on(Side::Head), read: read.flatten(), inputs, way }
            }
        };
        all.insert(key, taken);
    }
    with_started(&mut all, trees);
    all
}

/// Has suites built of which another one that is built may start programs: cargo builds those with the suite. What a suite
/// of the policy starts is built by its own command.
fn with_started(all: &mut BTreeMap<SuiteKey, Taken>, trees: Sides<&Tree>) {
    let programs = |key: &SuiteKey| -> BTreeSet<&String> {
        let packages = trees.iter().flat_map(|(_, tree)| &tree.packages);
        packages.filter(|of| of.name == key.package).flat_map(|of| &of.programs).collect()
    };
    let built: Vec<SuiteKey> = all
        .iter()
        .filter(|(_, taken)| taken.reach != Reach::Untouched)
        .map(|(key, _)| key.clone())
        .filter(|key| !trees.iter().all(|(_, tree)| tree.declared.contains_key(key)))
        .collect();
    for key in built {
        let Some(by) = all.get(&key).cloned() else { continue };
        let is_started = |other: &SuiteKey| {
            other.package != key.package && programs(other).into_iter().any(|it| by.may_start(it))
        };
        let others: Vec<SuiteKey> = all
            .iter()
            .filter(|(other, taken)| taken.reach == Reach::Untouched && is_started(other))
            .map(|(other, _)| other.clone())
            .collect();
        for other in others {
            if let Some(taken) = all.get_mut(&other) {
                taken.reach = Reach::Reached { file: None, why: Why::Starts(key.clone()) };
            }
        }
    }
}

/// What each source reads. Packages that several suites are built from are read once.
fn sources(tree: &Tree) -> BTreeMap<&str, Reads> {
    let mut read: BTreeMap<&str, Reads> = BTreeMap::new();
    let mut left: Vec<String> = Vec::new();
    for package in &tree.packages {
        for Source { path, text } in &package.sources {
            let is_of_bench = package.is_of_bench(path);
            let found = reads(path, text, &package.folder, is_of_bench);
            left.extend(found.code.iter().filter(|_| is_of_bench).cloned());
            read.insert(path, found);
        }
    }
    // What a bench target includes is compiled as it is.
    let mut known: BTreeSet<String> = BTreeSet::new();
    while let Some(included) = left.pop() {
        let of = |package: &&Package| package.sources.iter().any(|it| it.path == included);
        if let Some(package) = tree.packages.iter().find(of)
            && let Some(Source { path, text }) = tree.source(&included)
            && known.insert(included)
        {
            let found = reads(path, text, &package.folder, true);
            left.extend(found.code.iter().cloned());
            read.insert(path, found);
        }
    }
    read
}

type OfSide = (Reach, Option<(String, usize)>, Inputs);

/// What suites have in common whose inputs are the same: packages, what the policy says of it, and what was observed.
type Alike<'t> = (&'t BTreeSet<String>, Option<&'t Declared>, Option<&'t Way>);

fn of_side(
    changed: &[String],
    tree: &Tree,
    changes: &Changes,
    ways: &Ways,
) -> BTreeMap<SuiteKey, OfSide> {
    let changed: Vec<Changed<'_>> = changed.iter().map(|path| Changed::new(path, tree)).collect();
    let read = sources(tree);
    // Suites of one package are built from the same files.
    let mut known: BTreeMap<Alike<'_>, OfSide> = BTreeMap::new();
    let mut all = BTreeMap::new();
    for (key, folders) in &tree.suites {
        let way = ways.get(key);
        let of = known.entry((folders, tree.declared.get(key), way)).or_insert_with(|| {
            let observing = Observing { observed: way.and_then(Way::observed), changes };
            let inputs = Inputs::of(key, tree, &read);
            let reach = match &tree.unclear {
                Some(why) if !changed.is_empty() => {
                    Reach::Reached { file: None, why: Why::Unclear(why.clone()) }
                }
                _ => inputs.reach(&changed, tree, observing),
            };
            let read = match (&tree.unclear, changed.as_slice()) {
                // What its packages are is not known, nor what they read.
                (Some(_), [first, ..]) => Some((first.path().to_owned(), changed.len())),
                _ => inputs.read_of(&changed, observing),
            };
            (reach, read, inputs)
        });
        all.insert(key.clone(), of.clone());
    }
    all
}

#[cfg(test)]
mod mutations;
#[cfg(test)]
mod tests;
