//! Compares what functions run on both sides.

use std::collections::{BTreeMap, BTreeSet};

use super::attribute::{Counted, Key, Row, attribute};
use super::flame::flame;
use super::lines::Moved;
use super::noise::{is_apart, is_large, middle, of_function, of_routine};
use crate::model::{BenchmarkKey, Sides};
use crate::result::{DifferenceKind, Explanation, FunctionDifference, Hint};

/// Maximum spread of the counts of one side; beyond it, the side does not do the same work twice.
const MOST_SCATTER: f64 = 0.2;

/// Functions that are named; the others are one sum.
const MOST_FUNCTIONS: usize = 30;

/// Explains the difference between two sides, each counted several times.
pub fn explain(key: &BenchmarkKey, sides: Sides<&[Counted]>, moved: &Moved) -> Explanation {
    let counts = sides.map(|counts| counts.iter().map(attribute).collect::<Vec<_>>());
    let counts = counts.as_ref().map(Vec::as_slice);
    let Some(shown) = counts.map(middle).both() else {
        return Explanation::unavailable(key, "nothing was counted");
    };
    let ranges = counts.map(of_routine);
    if let Some((side, range)) = ranges.iter().find(|(_, range)| range.scatter() > MOST_SCATTER) {
        let reason = format!("{}: the counts of one executable differ: {range}", side.name());
        return Explanation::unavailable(key, reason);
    }
    let middle = counts.zip(shown).map(|(counts, shown)| &counts[shown]);
    let totals = middle.map(|side| side.totals);
    let instructions = totals.map(|totals| count(totals.routine));
    let all = instructions.base.max(instructions.head) as f64;
    let keys: BTreeSet<&Key> = middle.base.rows.keys().chain(middle.head.rows.keys()).collect();
    let total = instructions.head as f64 - instructions.base as f64;
    let mut functions: Vec<FunctionDifference> = keys
        .into_iter()
        .filter(|key| is_apart(counts.map(|counts| of_function(counts, key))))
        .filter_map(|key| {
            let rows = middle.map(|side| side.rows.get(key));
            let elsewhere = rows.map(|row| row.map_or(0.0, |row| row.elsewhere));
            let difference = function(key, rows, moved.get(&key.file))?;
            is_large(distance(&difference), elsewhere.head - elsewhere.base, all)
                .then_some(difference)
        })
        .collect();
    let elsewhere = middle.map(|side| side.rows.values().map(|row| row.elsewhere).sum::<f64>());
    // Those that go the way of the whole come first.
    let sign = if total < 0.0 { -1.0 } else { 1.0 };
    functions.sort_by(|a, b| {
        (sign * distance(b)).total_cmp(&(sign * distance(a))).then_with(|| a.name.cmp(&b.name))
    });
    keep_both_ends(&mut functions);
    let listed = |side: fn(&FunctionDifference) -> u64| functions.iter().map(side).sum::<u64>();
    let listed = Sides::new(listed(|f| f.instructions.base), listed(|f| f.instructions.head));
    let unlisted = Sides::new(
        instructions.base.saturating_sub(listed.base),
        instructions.head.saturating_sub(listed.head),
    );
    Explanation {
        instructions: Some(instructions),
        setup: totals.map(|totals| count(totals.setup)),
        harness: totals.map(|totals| count(totals.harness)),
        includes_setup: middle.base.includes_setup || middle.head.includes_setup,
        is_flat: !is_large(total, elsewhere.head - elsewhere.base, all) || !is_apart(ranges),
        functions,
        others: unlisted,
        flame: flame(sides.zip(shown).map(|(counts, shown)| &counts[shown])),
        ..Explanation::of(key)
    }
}

/// The events of simulated caches and branches.
pub fn hints(sides: Sides<&Counted>) -> Vec<Hint> {
    let rows: [(&str, &[&str]); 4] = [
        ("mispredicted branches", &["Bcm", "Bim"]),
        ("misses of the first data cache", &["D1mr", "D1mw"]),
        ("misses of the instruction cache", &["I1mr"]),
        ("misses of the last cache", &["ILmr", "DLmr", "DLmw"]),
    ];
    rows.into_iter()
        .map(|(event, names)| Hint {
            event: event.to_owned(),
            count: sides
                .map(|side| names.iter().filter_map(|name| side.profile.totals.get(*name)).sum()),
        })
        .collect()
}

fn distance(function: &FunctionDifference) -> f64 {
    crate::result::difference(function.instructions)
}

fn count(amount: f64) -> u64 {
    amount.round().max(0.0) as u64
}

/// Of more functions than are named, those that differ most in either direction.
fn keep_both_ends(functions: &mut Vec<FunctionDifference>) {
    while functions.len() > MOST_FUNCTIONS {
        let least = functions
            .iter()
            .enumerate()
            .min_by(|(_, a), (_, b)| distance(a).abs().total_cmp(&distance(b).abs()))
            .map_or(0, |(index, _)| index);
        functions.remove(least);
    }
}

fn function(
    key: &Key,
    rows: Sides<Option<&Row>>,
    moved: Option<&BTreeMap<u32, u32>>,
) -> Option<FunctionDifference> {
    let instructions = rows.map(|row| row.map_or(0, |row| count(row.instructions())));
    rows.base.or(rows.head)?;
    let kind = DifferenceKind::of(rows.map(|row| row.is_some()));
    let calls = rows.both().map(|rows| rows.map(|row| count(row.calls)));
    let calls = calls.filter(|calls| calls.base > 0 && calls.head > 0);
    let more_calls = calls.map(|calls| {
        let per_call = instructions.base as f64 / calls.base as f64;
        ((calls.head as f64 - calls.base as f64) * per_call).round() as i64
    });
    let all = instructions.head as i64 - instructions.base as i64;
    let path = |row: Option<&Row>| row.and_then(|row| row.path.clone());
    Some(FunctionDifference {
        name: path(rows.head).or_else(|| path(rows.base)).unwrap_or_else(|| key.name.clone()),
        file: key.file.clone(),
        line: heaviest_line(rows.map(|row| row.map(|row| &row.lines)), moved),
        kind,
        instructions,
        calls,
        more_calls,
        costlier_calls: more_calls.map(|more| all.saturating_sub(more)),
        inlined: rows.map(|row| row.is_some_and(|row| !row.is_symbol)),
    })
}

/// An amount by line.
pub(super) type Lines = BTreeMap<u32, f64>;

/// The line with most of the difference.
pub(super) fn heaviest_line(
    lines: Sides<Option<&Lines>>,
    moved: Option<&BTreeMap<u32, u32>>,
) -> u32 {
    let heaviest = |lines: &Lines| {
        let most = lines.iter().max_by(|a, b| a.1.total_cmp(b.1));
        most.map_or(0, |(line, _)| *line)
    };
    let (base, head) = match lines {
        Sides { base: Some(base), head: Some(head) } => (base, head),
        Sides { base, head } => return head.or(base).map_or(0, heaviest),
    };
    let mut differences = head.clone();
    for (line, cost) in base {
        let now = moved.map_or(Some(*line), |moved| moved.get(line).copied());
        if let Some(now) = now {
            *differences.entry(now).or_default() -= cost;
        }
    }
    let sum = |lines: &Lines| lines.values().sum::<f64>();
    let sign = if sum(head) < sum(base) { -1.0 } else { 1.0 };
    // Line 0 stands for an unknown line: it shows a reader nowhere to look.
    let known = differences.iter().filter(|(line, _)| **line > 0);
    known
        .max_by(|a, b| (sign * a.1).total_cmp(&(sign * b.1)))
        .map_or_else(|| heaviest(head), |(line, _)| *line)
}
