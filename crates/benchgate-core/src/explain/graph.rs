//! The calls of a profile, callers before what they call. Functions that call each other are one group.

use std::collections::BTreeMap;

use crate::adapters::profile::{Calls, Place, Profile};

/// A call from a place to a function of another group.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: Place,
    pub(super) to: usize,
    pub(super) calls: Calls,
}

/// Functions in groups.
pub(super) struct Graph {
    /// The group of each function.
    pub(super) group: Vec<usize>,
    /// The functions of each group; a group comes after all that call it.
    pub(super) groups: Vec<Vec<usize>>,
    /// Of each group, the calls from other groups.
    pub(super) incoming: Vec<Vec<Edge>>,
}

impl Graph {
    pub(super) fn new(profile: &Profile) -> Self {
        let number = profile.functions.len();
        let mut callees: Vec<Vec<usize>> = vec![Vec::new(); number];
        let mut callers = callees.clone();
        for (from, to) in profile.calls.keys() {
            if let Some(callees) = callees.get_mut(from.function) {
                callees.push(*to);
            }
            if let Some(callers) = callers.get_mut(*to) {
                callers.push(from.function);
            }
        }
        // Kosaraju: those that are left last come first, and of what calls them only what is left belongs to them.
        let mut finished = Vec::with_capacity(number);
        let mut seen = vec![false; number];
        for start in 0..number {
            walk(start, &callees, &mut seen, |function| finished.push(function));
        }
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut seen = vec![false; number];
        for start in finished.into_iter().rev() {
            let mut group = Vec::new();
            walk(start, &callers, &mut seen, |function| group.push(function));
            if !group.is_empty() {
                groups.push(group);
            }
        }
        let mut group = vec![0; number];
        for (index, functions) in groups.iter().enumerate() {
            for function in functions {
                group[*function] = index;
            }
        }
        let mut incoming: Vec<Vec<Edge>> = vec![Vec::new(); groups.len()];
        for ((from, to), calls) in &profile.calls {
            let (caller, callee) = (group.get(from.function), group.get(*to));
            if let (Some(caller), Some(callee)) = (caller, callee)
                && caller != callee
            {
                incoming[*callee].push(Edge { from: *from, to: *to, calls: *calls });
            }
        }
        Self { group, groups, incoming }
    }

    /// Calls to other groups, by the group that calls.
    pub(super) fn outgoing(&self) -> Vec<Vec<Edge>> {
        let mut outgoing = vec![Vec::new(); self.groups.len()];
        for edge in self.incoming.iter().flatten() {
            if let Some(of_group) = self.group.get(edge.from.function) {
                outgoing[*of_group].push(*edge);
            }
        }
        outgoing
    }
}

/// Visits everything that is reached from `start` and not seen yet, each after all that it reaches.
fn walk(start: usize, next: &[Vec<usize>], seen: &mut [bool], mut leave: impl FnMut(usize)) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut stack = vec![(start, 0)];
    while let Some((at, child)) = stack.last_mut() {
        match next[*at].get(*child) {
            Some(function) => {
                *child += 1;
                if !std::mem::replace(&mut seen[*function], true) {
                    stack.push((*function, 0));
                }
            }
            None => {
                leave(*at);
                stack.pop();
            }
        }
    }
}

/// How much of a group's work each of its calls asks for; their sum is 1.
pub(super) fn weights(incoming: &[Edge]) -> Vec<f64> {
    let by_cost: f64 = incoming.iter().map(|edge| edge.calls.cost as f64).sum();
    let amount =
        |edge: &Edge| if by_cost > 0.0 { edge.calls.cost } else { edge.calls.count.max(1) };
    let total: f64 = incoming.iter().map(|edge| amount(edge) as f64).sum();
    incoming.iter().map(|edge| amount(edge) as f64 / total).collect()
}

/// Costs by function.
pub(super) fn by_function(profile: &Profile) -> BTreeMap<usize, Vec<(Place, u64)>> {
    let mut all: BTreeMap<usize, Vec<(Place, u64)>> = BTreeMap::new();
    for (place, cost) in &profile.costs {
        all.entry(place.function).or_default().push((*place, *cost));
    }
    all
}
