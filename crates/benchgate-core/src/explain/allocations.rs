//! Compares what functions ask the allocator for on both sides.

use std::collections::{BTreeMap, BTreeSet};

use super::attribute::{Key, own};
use super::compare::{Lines, heaviest_line};
use super::frame::Frame;
use super::lines::Moved;
use crate::model::{BenchmarkKey, Sides, Twice};
use crate::result::{Allocations, DifferenceKind, Explanation, SiteDifference, difference};

/// Sites that are named; the others are one sum.
const MOST_SITES: usize = 30;

/// Memory that one stack asked for in one iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// Blocks, resized ones included.
    pub blocks: u64,
    /// The bytes of those blocks.
    pub bytes: u64,
    /// The stack with its inlined calls, the innermost first.
    pub stack: Vec<Frame>,
}

/// Memory that a function of one side asks for.
#[derive(Clone, Debug, Default, PartialEq)]
struct Site {
    blocks: u64,
    bytes: u64,
    /// Blocks and bytes by line, each as a share of all of the side's.
    lines: Lines,
}

type Sites = BTreeMap<Key, Site>;

/// Explains the difference between two sides, each profiled twice.
///
/// `counted` is what the gate counted of each side, in blocks an iteration.
pub fn allocations(
    key: &BenchmarkKey,
    sides: Sides<&Twice<Vec<Allocation>>>,
    counted: Option<Sides<f64>>,
    moved: &Moved,
) -> Explanation {
    let counts = sides.map(|profiles| Twice::new(sites(&profiles.first), sites(&profiles.second)));
    if let Some((side, _)) = counts.iter().find(|(_, sites)| sites.first != sites.second) {
        let side = side.name();
        let reason = format!("{side}: two profiles of one executable have other allocations");
        return Explanation::unavailable(key, reason);
    }
    let sites = counts.as_ref().map(|sites| &sites.first);
    let profiles = sides.map(|profiles| &profiles.first);
    let blocks = profiles.map(|profile| profile.iter().map(|it| it.blocks).sum::<u64>());
    let bytes = profiles.map(|profile| profile.iter().map(|it| it.bytes).sum::<u64>());
    let share = |site: &SiteDifference| {
        difference(site.blocks) / blocks.base.max(1) as f64
            + difference(site.bytes) / bytes.base.max(1) as f64
    };
    let keys: BTreeSet<&Key> = sites.base.keys().chain(sites.head.keys()).collect();
    let mut rows: Vec<SiteDifference> = keys
        .into_iter()
        .filter_map(|key| site(key, sites.map(|sites| sites.get(key)), moved.get(&key.file)))
        .collect();
    let whole = SiteDifference { blocks, bytes, ..SiteDifference::default() };
    // Those that go the way of the whole come first.
    let sign = if share(&whole) < 0.0 { -1.0 } else { 1.0 };
    rows.sort_by(|a, b| {
        (sign * share(b)).total_cmp(&(sign * share(a))).then_with(|| a.name.cmp(&b.name))
    });
    while rows.len() > MOST_SITES {
        let least = rows.iter().enumerate();
        let least = least.min_by(|(_, a), (_, b)| share(a).abs().total_cmp(&share(b).abs()));
        let least = least.map_or(0, |(index, _)| index);
        rows.remove(least);
    }
    let remainder = |all: Sides<u64>, of: fn(&SiteDifference) -> Sides<u64>| {
        let listed = |side: fn(Sides<u64>) -> u64| rows.iter().map(|row| side(of(row))).sum();
        Sides::new(
            all.base.saturating_sub(listed(|sides| sides.base)),
            all.head.saturating_sub(listed(|sides| sides.head)),
        )
    };
    let other_blocks = remainder(blocks, |row| row.blocks);
    let other_bytes = remainder(bytes, |row| row.bytes);
    // One iteration is profiled; where the gate counted another number, iterations differ.
    let counted = counted.filter(|counted| {
        let same = |blocks: u64, counted: f64| (blocks as f64 - counted).abs() < 1e-6;
        !(same(blocks.base, counted.base) && same(blocks.head, counted.head))
    });
    let counts = Allocations { blocks, bytes, counted, sites: rows, other_blocks, other_bytes };
    Explanation { allocations: Some(counts), ..Explanation::of(key) }
}

/// Returns the memory that each function asks for, without that of stacks in the standard library alone.
fn sites(allocations: &[Allocation]) -> Sites {
    let blocks = allocations.iter().map(|it| it.blocks).sum::<u64>().max(1) as f64;
    let bytes = allocations.iter().map(|it| it.bytes).sum::<u64>().max(1) as f64;
    let mut sites = Sites::new();
    for allocation in allocations {
        let Some((key, line)) = own(&allocation.stack[allocator(&allocation.stack)..]) else {
            continue;
        };
        let site = sites.entry(key).or_default();
        site.blocks += allocation.blocks;
        site.bytes += allocation.bytes;
        *site.lines.entry(line).or_default() +=
            allocation.blocks as f64 / blocks + allocation.bytes as f64 / bytes;
    }
    sites
}

/// The number of innermost frames that are the allocator's: dhat's own, and the shim that rustc makes of
/// `#[global_allocator]`, which has the file of that attribute.
fn allocator(stack: &[Frame]) -> usize {
    let is_allocator = |frame: &Frame| {
        let name = &frame.name.short;
        name.starts_with("__rust_") || name.starts_with("__rg_") || frame.file.starts_with("dhat-")
    };
    stack.iter().rposition(is_allocator).map_or(0, |last| last + 1)
}

fn site(
    key: &Key,
    rows: Sides<Option<&Site>>,
    moved: Option<&BTreeMap<u32, u32>>,
) -> Option<SiteDifference> {
    let amount = |of: fn(&Site) -> u64| rows.map(|row| row.map_or(0, of));
    let (blocks, bytes) = (amount(|site| site.blocks), amount(|site| site.bytes));
    if blocks.base == blocks.head && bytes.base == bytes.head {
        return None;
    }
    Some(SiteDifference {
        name: key.name.clone(),
        file: key.file.clone(),
        line: heaviest_line(rows.map(|row| row.map(|row| &row.lines)), moved),
        kind: DifferenceKind::of(rows.map(|row| row.is_some())),
        blocks,
        bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECKOUT: &str = "/c";

    fn frame(name: &str, file: &str, line: u32) -> Frame {
        Frame::read(name, file, line, CHECKOUT)
    }

    /// An allocation of `name` by way of a vector, called by `main`.
    fn asked(name: &str, line: u32, blocks: u64, bytes: u64) -> Allocation {
        let library = "/rustc/0/library/alloc/src/vec/mod.rs";
        let stack = vec![
            frame("alloc", "/h/registry/src/i-0/dhat-0.3.3/src/lib.rs", 1176),
            frame("__rust_alloc", "/c/benches/counts.rs", 4),
            frame("with_capacity<u8>", library, 7),
            frame(name, "/c/src/lib.rs", line),
            frame("main", "/c/benches/counts.rs", 9),
        ];
        Allocation { blocks, bytes, stack }
    }

    fn explained(base: &[Allocation], head: &[Allocation], moved: &Moved) -> Allocations {
        let key = BenchmarkKey::new("p", "s", "b");
        let twice = |side: &[Allocation]| Twice::new(side.to_vec(), side.to_vec());
        let sides = Sides::new(twice(base), twice(head));
        allocations(&key, sides.as_ref(), None, moved).allocations.unwrap()
    }

    #[test]
    fn a_site_is_the_innermost_function_of_neither_the_allocator_nor_the_standard_library() {
        let base = [asked("decode", 10, 3, 300), asked("encode", 30, 1, 64)];
        let head =
            [asked("decode", 10, 3, 300), asked("decode", 12, 5, 40), asked("grow", 50, 1, 8)];
        let explanation = explained(&base, &head, &Moved::new());
        let rows: Vec<String> = explanation
            .sites
            .iter()
            .map(|row| {
                format!(
                    "{} {}:{} {:?} {:?} {:?}",
                    row.name, row.file, row.line, row.kind, row.blocks, row.bytes
                )
            })
            .collect();
        insta::assert_snapshot!(rows.join("\n"));
        assert_eq!(
            (explanation.blocks, explanation.bytes),
            (Sides::new(4, 9), Sides::new(364, 348))
        );
        assert_eq!(
            (explanation.other_blocks, explanation.other_bytes),
            (Sides::default(), Sides::default())
        );
    }

    #[test]
    fn the_same_allocations_at_lines_that_moved_name_nothing() {
        let moved = Moved::from([("src/lib.rs".into(), BTreeMap::from([(10, 14)]))]);
        let explanation =
            explained(&[asked("decode", 10, 3, 300)], &[asked("decode", 14, 3, 300)], &moved);
        assert_eq!(explanation.sites, []);
        assert_eq!(explanation.other_blocks, Sides::new(3, 3));
    }

    #[test]
    fn what_is_in_no_function_is_among_the_others_so_that_all_adds_up() {
        let mut bare = asked("decode", 10, 7, 70);
        bare.stack.truncate(3);
        let explanation = explained(&[], &[bare, asked("decode", 10, 1, 8)], &Moved::new());
        assert_eq!(explanation.sites.len(), 1);
        assert_eq!(
            (explanation.other_blocks, explanation.other_bytes),
            (Sides::new(0, 7), Sides::new(0, 70))
        );
    }

    #[test]
    fn profiles_of_one_executable_that_differ_are_a_reason_and_no_number() {
        let key = BenchmarkKey::new("p", "s", "b");
        let base = Twice::new(vec![asked("decode", 10, 3, 300)], vec![asked("decode", 10, 4, 300)]);
        let explanation = allocations(&key, Sides::new(&base, &base), None, &Moved::new());
        assert_eq!(explanation.allocations, None);
        insta::assert_snapshot!(explanation.unavailable.unwrap());
    }

    #[test]
    fn what_the_gate_counted_is_said_only_where_the_profiled_iteration_is_another() {
        let key = BenchmarkKey::new("p", "s", "b");
        let profile = vec![asked("decode", 10, 3, 300)];
        let twice = Twice::new(profile.clone(), profile);
        let sides = Sides::new(&twice, &twice);
        let counted = |base, head| {
            let counted = Some(Sides::new(base, head));
            let explanation = allocations(&key, sides, counted, &Moved::new());
            explanation.allocations.unwrap().counted
        };
        assert_eq!(counted(3.0, 3.0), None);
        assert_eq!(counted(3.0, 3.1), Some(Sides::new(3.0, 3.1)));
    }
}
