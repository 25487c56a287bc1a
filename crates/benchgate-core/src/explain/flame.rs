//! The calls of both sides as one tree: each node with what it costs on each side.
//!
//! Callgrind knows calls, not stacks. What a function costs in all is divided among its callers by what it says that
//! each of their calls cost, so that the tree adds up; functions that call each other are side by side.

use std::collections::BTreeMap;

use super::attribute::Counted;
use super::bencher::{Purpose, within};
use super::frame::{Frame, Name, Owner};
use super::graph::{Edge, Graph, by_function, weights};
use crate::model::{Side, Sides};
use crate::result::FlameNode;

/// Nodes with less than this share of all instructions on both sides are part of their caller.
const LEAST: f64 = 0.004;
/// Maximum depth of a stack.
const DEEPEST: usize = 60;

/// A tree while it grows.
struct Tree {
    nodes: Vec<Node>,
}

struct Node {
    name: String,
    parent: usize,
    children: BTreeMap<String, usize>,
    cost: Sides<f64>,
    depth: usize,
}

impl Tree {
    /// The child of a node; deeper than anyone looks, the node itself.
    fn child(&mut self, parent: usize, name: String) -> usize {
        let depth = self.nodes[parent].depth + 1;
        if depth > DEEPEST {
            return parent;
        }
        if let Some(child) = self.nodes[parent].children.get(&name) {
            return *child;
        }
        let child = self.nodes.len();
        self.nodes[parent].children.insert(name.clone(), child);
        self.nodes.push(Node {
            name,
            parent,
            children: BTreeMap::new(),
            cost: Sides::default(),
            depth,
        });
        child
    }

    /// Adds to a node and to all that called it.
    fn add(&mut self, node: usize, side: Side, cost: f64) {
        let mut at = node;
        loop {
            let node = &mut self.nodes[at];
            match side {
                Side::Base => node.cost.base += cost,
                Side::Head => node.cost.head += cost,
            }
            if at == 0 {
                return;
            }
            at = node.parent;
        }
    }
}

pub(super) fn flame(sides: Sides<&Counted>) -> Vec<FlameNode> {
    let root = Node {
        name: "one iteration".to_owned(),
        parent: 0,
        children: BTreeMap::new(),
        cost: Sides::default(),
        depth: 0,
    };
    let mut tree = Tree { nodes: vec![root] };
    for (side, counted) in sides.iter() {
        grow(&mut tree, side, counted);
    }
    flat(&tree)
}

/// A group of functions to be added below a node, and how much of all that it does.
struct Visit {
    group: usize,
    below: usize,
    share: f64,
}

fn grow(tree: &mut Tree, side: Side, counted: &Counted) {
    let profile = &counted.profile;
    let graph = Graph::new(profile);
    let outgoing = graph.outgoing();
    let costs = by_function(profile);
    let least = profile.total() as f64 * LEAST / 4.0;
    let shares: Vec<BTreeMap<(crate::adapters::profile::Place, usize), f64>> = graph
        .incoming
        .iter()
        .map(|incoming| {
            let keys = incoming.iter().map(|edge: &Edge| (edge.from, edge.to));
            keys.zip(weights(incoming)).collect()
        })
        .collect();
    let roots = graph.incoming.iter().enumerate().filter(|(_, incoming)| incoming.is_empty());
    let mut pending: Vec<Visit> =
        roots.map(|(group, _)| Visit { group, below: 0, share: 1.0 }).collect();
    while let Some(Visit { group, below, share }) = pending.pop() {
        for function in graph.groups.get(group).into_iter().flatten() {
            for (place, cost) in costs.get(function).into_iter().flatten() {
                if let Some(node) = node(tree, counted, *place, None, below) {
                    tree.add(node, side, *cost as f64 * share);
                }
            }
        }
        for edge in outgoing.get(group).into_iter().flatten() {
            let callee =
                counted.profile.functions.get(edge.to).map(|function| function.name.as_str());
            let Some(node) = node(tree, counted, edge.from, callee, below) else { continue };
            let to = graph.group.get(edge.to).copied().unwrap_or_default();
            let of_edge = shares.get(to).and_then(|shares| shares.get(&(edge.from, edge.to)));
            let cost = edge.calls.cost as f64 * share;
            if cost < least {
                tree.add(node, side, cost);
            } else {
                pending.push(Visit {
                    group: to,
                    below: node,
                    share: share * of_edge.copied().unwrap_or_default(),
                });
            }
        }
    }
}

/// The node of a place below a node; `None` of what is not the routine's.
fn node(
    tree: &mut Tree,
    counted: &Counted,
    place: crate::adapters::profile::Place,
    callee: Option<&str>,
    below: usize,
) -> Option<usize> {
    let chain = counted.chain(place);
    let inner = match within(chain, callee) {
        Some(within) if within.purpose != Purpose::Routine => return None,
        Some(within) => &chain[..within.inner],
        None => chain,
    };
    if chain.is_empty() {
        let symbol = counted.profile.functions.get(place.function).map_or("", |f| &f.name);
        return Some(tree.child(below, Name::read(symbol).short));
    }
    Some(inner.iter().rev().fold(below, |at, frame| tree.child(at, name(frame))))
}

fn name(frame: &Frame) -> String {
    match frame.owner {
        Owner::Own if !frame.file.is_empty() => format!("{} ({})", frame.name.short, frame.file),
        _ => frame.name.short.clone(),
    }
}

/// The nodes that are large enough, parents first.
fn flat(tree: &Tree) -> Vec<FlameNode> {
    let all = &tree.nodes[0].cost;
    let least = all.base.max(all.head) * LEAST;
    let mut nodes: Vec<FlameNode> = Vec::new();
    let mut pending: Vec<(usize, Option<usize>)> = vec![(0, None)];
    while let Some((at, parent)) = pending.pop() {
        let node = &tree.nodes[at];
        let instructions = node.cost.map(|cost| cost.round() as u64);
        nodes.push(FlameNode { name: node.name.clone(), parent, instructions });
        let index = nodes.len() - 1;
        let children = node.children.values().rev();
        pending.extend(
            children
                .filter(|child| {
                    let cost = tree.nodes[**child].cost;
                    cost.base.max(cost.head) >= least
                })
                .map(|child| (*child, Some(index))),
        );
    }
    nodes
}
