//! Gives each instruction of one side to a function and a line of the repository or of a dependency.
//!
//! An instruction belongs to the innermost function of its inline chain that is not the standard library's.
//! Where all of the chain is, as in `malloc`, it belongs to the places that call it, by what callgrind says that
//! each of those calls cost. So nothing is lost and nothing counts twice.

use std::collections::{BTreeMap, BTreeSet};

use super::bencher::{Purpose, within};
use super::frame::{CLOSURE, Frame, Name, Owner};
use super::graph::{Edge, Graph, by_function, weights};
use crate::adapters::profile::{Place, Profile};

/// The counts of one side.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Costs by address.
    pub profile: Profile,
    /// The object that the chains are of.
    pub object: String,
    /// The inline chain of each of its addresses, innermost frame first; the last one is the function that the
    /// symbol table names.
    pub chains: BTreeMap<u64, Vec<Frame>>,
}

impl Counted {
    /// Whether a place is in the object that the chains are of.
    fn has_code_of(&self, place: Place) -> bool {
        let function = self.profile.functions.get(place.function);
        function.is_some_and(|function| function.object == self.object)
    }

    /// The chain of a place; empty where none is known.
    pub(super) fn chain(&self, place: Place) -> &[Frame] {
        match self.chains.get(&place.address) {
            Some(chain) if self.has_code_of(place) => chain,
            _ => &[],
        }
    }

    fn symbol(&self, function: usize) -> &str {
        self.profile.functions.get(function).map_or("", |function| &function.name)
    }
}

/// A function: those of one name in one file are one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) file: String,
}

/// The instructions of a function of one side.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// Instructions by line.
    pub(super) lines: BTreeMap<u32, f64>,
    /// The costs in other objects: what the C library does for it.
    pub(super) elsewhere: f64,
    /// Number of its calls; 0 where none was found.
    pub(super) calls: f64,
    /// With its path, where a symbol has it.
    pub(super) path: Option<String>,
    /// Whether it is a function of the symbol table somewhere.
    pub(super) is_symbol: bool,
}

impl Row {
    pub(super) fn instructions(&self) -> f64 {
        self.lines.values().sum()
    }
}

/// Shares of the work that is done for each purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Purposes {
    pub(super) routine: f64,
    pub(super) setup: f64,
    pub(super) harness: f64,
}

impl Purposes {
    fn all(purpose: Purpose) -> Self {
        let mut all = Self::default();
        match purpose {
            Purpose::Routine => all.routine = 1.0,
            Purpose::Setup => all.setup = 1.0,
            Purpose::Harness => all.harness = 1.0,
        }
        all
    }

    fn add(&mut self, more: Self, weight: f64) {
        self.routine += more.routine * weight;
        self.setup += more.setup * weight;
        self.harness += more.harness * weight;
    }
}

/// All instructions of one side.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributed {
    /// The routine's.
    pub(super) rows: BTreeMap<Key, Row>,
    /// Instructions for each purpose.
    pub(super) totals: Purposes,
    /// Whether set-up may be among the routine's.
    pub(super) includes_setup: bool,
}

/// A line of a function, and how much of something belongs to it.
type Lines = BTreeMap<(Key, u32), f64>;

pub(super) fn attribute(counted: &Counted) -> Attributed {
    let graph = Graph::new(&counted.profile);
    let mut done = Attributed::default();
    let costs = by_function(&counted.profile);
    // For each group: the purposes of its work, and the lines that its work in the standard library belongs to.
    let mut purposes: Vec<Purposes> = Vec::new();
    let mut owners: Vec<Lines> = Vec::new();
    for (functions, incoming) in graph.groups.iter().zip(&graph.incoming) {
        let (purpose, owner) =
            asked_by(counted, &graph, incoming, &purposes, &owners, &mut done.includes_setup);
        for function in functions {
            for (place, cost) in costs.get(function).into_iter().flatten() {
                let chain = counted.chain(*place);
                let purpose = purpose_at(chain, None, purpose, &mut done.includes_setup);
                let cost = *cost as f64;
                let is_elsewhere = !counted.has_code_of(*place);
                done.totals.add(purpose, cost);
                let routine = purpose.routine * cost;
                if routine <= 0.0 {
                    continue;
                }
                let mut give = |(key, line): (Key, u32), amount: f64| {
                    let row = done.rows.entry(key).or_default();
                    *row.lines.entry(line).or_default() += amount;
                    row.elsewhere += if is_elsewhere { amount } else { 0.0 };
                };
                match own(chain) {
                    Some(line) => give(line, routine),
                    None if owner.is_empty() => give(fallback(counted, *place), routine),
                    None => {
                        for (line, share) in &owner {
                            give(line.clone(), routine * share);
                        }
                    }
                }
            }
        }
        purposes.push(purpose);
        owners.push(owner);
    }
    count_calls(counted, &graph, &purposes, &mut done);
    done
}

/// For what a group works, and the lines that its work belongs to unless somebody else owns it.
fn asked_by(
    counted: &Counted,
    graph: &Graph,
    incoming: &[Edge],
    purposes: &[Purposes],
    owners: &[Lines],
    is_guessed: &mut bool,
) -> (Purposes, Lines) {
    let (mut purpose, mut owner) = (Purposes::default(), Lines::new());
    if incoming.is_empty() {
        // Another thread's first function, or a function reached through the dynamic linker.
        return (Purposes::all(Purpose::Routine), owner);
    }
    for (edge, weight) in incoming.iter().zip(weights(incoming)) {
        let group = graph.group.get(edge.from.function).copied().unwrap_or_default();
        let of_caller = purposes.get(group).copied().unwrap_or_default();
        let chain = counted.chain(edge.from);
        let callee = Some(counted.symbol(edge.to));
        let at = purpose_at(chain, callee, of_caller, is_guessed);
        purpose.add(at, weight);
        let routine = at.routine * weight;
        if routine <= 0.0 {
            continue;
        }
        match (own(chain), owners.get(group)) {
            (Some(line), _) => *owner.entry(line).or_default() += routine,
            (None, Some(above)) => {
                for (line, share) in above {
                    *owner.entry(line.clone()).or_default() += routine * share;
                }
            }
            (None, None) => {}
        }
    }
    let sum: f64 = owner.values().sum();
    if sum > 0.0 {
        owner.values_mut().for_each(|share| *share /= sum);
    }
    (purpose, owner)
}

fn purpose_at(
    chain: &[Frame],
    callee: Option<&str>,
    of_function: Purposes,
    is_guessed: &mut bool,
) -> Purposes {
    match within(chain, callee) {
        Some(within) => {
            *is_guessed |= within.is_guessed;
            Purposes::all(within.purpose)
        }
        None => of_function,
    }
}

/// The innermost function of a chain that is the repository's or a dependency's. A closure belongs to the function
/// that it is written in: the next one outwards that is in its file.
pub(super) fn own(chain: &[Frame]) -> Option<(Key, u32)> {
    let mut closure: Option<&Frame> = None;
    for frame in chain.iter().filter(|frame| frame.owner == Owner::Own) {
        let is_bare = frame.name.is_closure && frame.name.short == CLOSURE;
        match closure {
            Some(inner) if !is_bare && inner.file == frame.file => {
                return Some((key(frame), inner.line));
            }
            Some(_) => {}
            None if is_bare => closure = Some(frame),
            None => return Some((key(frame), frame.line)),
        }
    }
    None
}

fn key(frame: &Frame) -> Key {
    Key { name: frame.name.short.clone(), file: frame.file.clone() }
}

/// Where nothing calls what is nobody's own: the closure that a bench passes to `iter`, or the symbol.
fn fallback(counted: &Counted, place: Place) -> (Key, u32) {
    let chain = counted.chain(place);
    let frame = chain.iter().find(|frame| frame.owner == Owner::Own).or(chain.last());
    match frame {
        Some(frame) => (key(frame), frame.line),
        None => {
            let name = Name::read(counted.symbol(place.function)).short;
            (Key { name, file: String::new() }, 0)
        }
    }
}

/// Counts calls: of a function of the symbol table by its calls, of an inlined one by how often the first
/// instruction of each copy runs.
fn count_calls(counted: &Counted, graph: &Graph, purposes: &[Purposes], done: &mut Attributed) {
    let share = |function: usize, chain: &[Frame]| {
        let group = graph.group.get(function).copied().unwrap_or_default();
        let of_function = purposes.get(group).copied().unwrap_or_default();
        purpose_at(chain, None, of_function, &mut false).routine
    };
    // Copies are visited by address: the first one of each is its entry.
    let mut seen: BTreeSet<(usize, &[Frame], &Name)> = BTreeSet::new();
    let mut symbols: BTreeMap<usize, Key> = BTreeMap::new();
    for (place, cost) in &counted.profile.costs {
        let chain = counted.chain(*place);
        let inner = within(chain, None).map_or(chain.len(), |within| within.inner);
        for (at, frame) in chain.iter().enumerate().take(inner) {
            if frame.owner != Owner::Own || frame.name.is_closure {
                continue;
            }
            let Some(row) = done.rows.get_mut(&key(frame)) else { continue };
            if at + 1 == chain.len() {
                row.is_symbol = true;
                let symbol = Name::read(counted.symbol(place.function));
                if symbol.short == frame.name.short && !symbol.is_closure {
                    row.path = symbol.path;
                }
                symbols.entry(place.function).or_insert_with(|| key(frame));
            } else if seen.insert((place.function, &chain[at + 1..], &frame.name)) {
                row.calls += *cost as f64 * share(place.function, chain);
            }
        }
    }
    for ((from, to), calls) in &counted.profile.calls {
        let Some(row) = symbols.get(to).and_then(|key| done.rows.get_mut(key)) else { continue };
        row.calls += calls.count as f64 * share(from.function, counted.chain(*from));
    }
}
