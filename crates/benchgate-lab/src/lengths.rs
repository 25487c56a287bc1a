//! How long a process should measure: the scatter of pairs, their bias, and what a decision costs, by length.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use benchgate_core::model::Sides;

use crate::engine::{Engine, Stage};
use crate::kernels::KERNELS;
use crate::raw::{Pair, Raw};
use crate::stats::{mean, median, robust_deviation};
use crate::variant::Variant;

/// Replayed decisions of each kernel, each from another place of its sequence.
const REPLAYED: usize = 200;

/// Pairs of one length, under one load.
type Cells<'a> = BTreeMap<(bool, (u32, u32)), BTreeMap<(&'a str, Variant), Vec<Pair>>>;

/// The table; empty without raw data.
pub(crate) fn table(raw: &[Raw]) -> String {
    let mut cells: Cells<'_> = BTreeMap::new();
    for raw in raw {
        if let Raw::Lengths(it) = raw {
            let of = cells.entry((it.loaded, it.settings)).or_default();
            of.entry((&it.kernel, it.variant)).or_default().extend(&it.pairs);
        }
    }
    if cells.is_empty() {
        return "Not recorded yet.\n".to_owned();
    }
    let mut text = format!(
        "| machine | warm-up + measuring | pairs a kernel | seconds a pair | unchanged: seconds, mean | median | 95th of 100 | pairs, mean | robust SD of a pair, %: {} | +5 % reads, %: {} |\n|{}\n",
        KERNELS.join(" "),
        KERNELS.join(" "),
        "---|".repeat(10),
    );
    for ((loaded, (warm_up, measuring)), of) in &cells {
        let pairs = |kernel, variant| of.get(&(kernel, variant)).map_or(&[][..], Vec::as_slice);
        let same: Vec<&[Pair]> = KERNELS.iter().map(|k| pairs(k, Variant::Same)).collect();
        let spent: Vec<(f64, usize)> = same.iter().flat_map(|pairs| replayed(pairs)).collect();
        let mut seconds: Vec<f64> = spent.iter().map(|(seconds, _)| *seconds).collect();
        seconds.sort_by(f64::total_cmp);
        let counts: Vec<f64> = spent.iter().map(|(_, pairs)| *pairs as f64).collect();
        let costs: Vec<f64> = same.iter().flat_map(|p| p.iter().map(|pair| pair.4)).collect();
        let spreads: Vec<String> =
            same.iter().map(|p| format!("{:.1}", robust_deviation(&logs(p)) * 100.0)).collect();
        let slower: Vec<String> = KERNELS
            .iter()
            .map(|k| format!("{:.1}", median(&logs(pairs(k, Variant::Slower(5)))).exp_m1() * 100.0))
            .collect();
        let _ = writeln!(
            text,
            "| {} | {warm_up} + {measuring} ms | {} | {:.3} | {:.2} | {:.2} | {:.2} | {:.1} | {} | {} |",
            if *loaded { "busy" } else { "quiet" },
            same.iter().map(|pairs| pairs.len()).min().unwrap_or_default(),
            mean(&costs),
            mean(&seconds),
            median(&seconds),
            seconds.get(seconds.len() * 95 / 100).copied().unwrap_or(f64::NAN),
            mean(&counts),
            spreads.join(" "),
            slower.join(" "),
        );
    }
    text
}

/// Seconds and pairs of decisions of the engine over the pairs of one kernel, each from another place.
fn replayed(pairs: &[Pair]) -> Vec<(f64, usize)> {
    let places = REPLAYED.min(pairs.len());
    (0..places)
        .map(|place| {
            let from = place * pairs.len() / places;
            let mut remaining = pairs.iter().cycle().skip(from);
            let mut engine = Engine::new(1, place as u64);
            let (mut seconds, mut count) = (0.0, 0);
            while let Some(turn) = engine.next_turn() {
                let Some(pair) = remaining.next() else { break };
                engine.record(&turn, Sides::new(pair.0, pair.1), pair.4 / 2.0);
                seconds += pair.4;
                count += usize::from(turn.stage == Stage::Screening);
            }
            (seconds, count)
        })
        .collect()
}

fn logs(pairs: &[Pair]) -> Vec<f64> {
    pairs.iter().map(Pair::log).collect()
}
