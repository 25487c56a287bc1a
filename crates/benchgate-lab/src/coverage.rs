//! Coverage: how often the stated intervals of the gate hold the true change.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::designs::Decision;
use crate::estimators::{sequences, truths};
use crate::kernels::KERNELS;
use crate::raw::Raw;
use crate::stats::signed;
use crate::stats::{self, Estimate};
use crate::tables::Share;
use crate::variant::{Family, Variant};

/// True changes by kernel and head: ln(head / base).
pub(crate) type Centres = BTreeMap<(String, Variant), f64>;

/// Error on either side of a 95 % interval.
const ERROR: f64 = 0.025;

/// The median of the long recorded sequences, by kernel and head.
fn recorded(raw: &[Raw]) -> BTreeMap<(String, Variant), (usize, Estimate)> {
    sequences(raw)
        .into_iter()
        .map(|(key, logs)| (key, (logs.len(), stats::by_median(&logs, ERROR))))
        .collect()
}

/// The median of the sequences that replayed decisions are drawn from: exactly the truth for them.
pub(crate) fn of_recorded(raw: &[Raw]) -> Centres {
    recorded(raw).into_iter().map(|(key, (_, estimate))| (key, estimate.centre)).collect()
}

/// The truth for decisions that were measured individually: 0 for byte copies, and elsewhere the median of
/// the long recorded sequences.
pub(crate) fn of_others(raw: &[Raw]) -> Centres {
    let mut centres = of_recorded(raw);
    centres.retain(|(_, variant), _| variant.family() == Family::Slower);
    centres.extend(KERNELS.map(|kernel| ((kernel.to_owned(), Variant::Same), 0.0)));
    centres
}

/// Shares of intervals that hold the truth.
pub(crate) struct Covered {
    /// By kernel and head.
    pub(crate) table: String,
    /// The share of the worst cell.
    pub(crate) worst_cell: Option<Share>,
    /// The share of the worst kernel, all heads together.
    pub(crate) worst_kernel: Option<Share>,
}

/// Counts the intervals that hold the truth.
pub(crate) fn covered(decisions: &[Decision], centres: &Centres) -> Covered {
    let held = |decision: &Decision| {
        let centre = centres.get(&(decision.kernel.clone(), decision.variant))?;
        let (lower, upper) = decision.interval?;
        Some(lower <= *centre && *centre <= upper)
    };
    let variants = variants(centres);
    let mut text = String::from("| kernel |");
    for variant in &variants {
        let _ = write!(text, " {variant} |");
    }
    let _ = writeln!(text, " all |\n|---|{}---|", "---|".repeat(variants.len()));
    let (mut worst_cell, mut worst_kernel) = (None, None);
    for kernel in KERNELS {
        let _ = write!(text, "| {kernel} |");
        let mut whole = Share::default();
        for variant in &variants {
            let known: Vec<bool> = decisions
                .iter()
                .filter(|decision| decision.kernel == kernel && decision.variant == *variant)
                .filter_map(held)
                .collect();
            let share = Share::of(&known, |held| *held);
            whole = Share { hits: whole.hits + share.hits, of: whole.of + share.of };
            if share.of == 0 {
                let _ = write!(text, " - |");
                continue;
            }
            worst_cell = worse(worst_cell, share);
            let _ = write!(text, " {:.1} % of {} |", share.value() * 100.0, share.of);
        }
        let _ = writeln!(text, " {} |", whole.shown());
        if whole.of > 0 {
            worst_kernel = worse(worst_kernel, whole);
        }
    }
    Covered { table: text, worst_cell, worst_kernel }
}

fn worse(worst: Option<Share>, share: Share) -> Option<Share> {
    Some(worst.filter(|worst| worst.value() <= share.value()).unwrap_or(share))
}

/// The centres compared with the true changes, which were measured without the gate, in per cent.
pub(crate) fn centres(raw: &[Raw]) -> String {
    let (recorded, truths) = (recorded(raw), truths(raw));
    let variants = variants(&of_recorded(raw));
    let mut text = String::from("| kernel |");
    for variant in &variants {
        let _ = write!(text, " {variant} | true |");
    }
    let _ = writeln!(text, "\n|---|{}", "---|---|".repeat(variants.len()));
    let percent = |log: f64| signed(log.exp_m1() * 100.0, 2);
    for kernel in KERNELS {
        let _ = write!(text, "| {kernel} |");
        for variant in &variants {
            let _ = match recorded.get(&(kernel.to_owned(), *variant)) {
                Some((pairs, estimate)) => {
                    let (lower, upper) = estimate.interval;
                    let [centre, lower, upper] = [estimate.centre, lower, upper].map(percent);
                    write!(text, " {centre} [{lower}, {upper}] of {pairs} |")
                }
                None => write!(text, " - |"),
            };
            let _ = match truths.get(&(kernel.to_owned(), variant.percent())) {
                Some((log, error)) if *error > 0.0 => {
                    write!(text, " {} ± {:.2} |", percent(*log), error * 100.0)
                }
                Some((log, _)) => write!(text, " {} |", percent(*log)),
                None => write!(text, " - |"),
            };
        }
        text += "\n";
    }
    text
}

fn variants(centres: &Centres) -> Vec<Variant> {
    let mut variants: Vec<Variant> = centres.keys().map(|(_, variant)| *variant).collect();
    variants.sort();
    variants.dedup();
    variants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_counts_where_the_truth_is_known_and_the_worst_cell_is_returned() {
        let decision = |kernel: &str, percent, interval| Decision {
            kernel: kernel.to_owned(),
            variant: Variant::Slower(percent),
            loaded: false,
            claim: None,
            is_inconclusive: false,
            is_unchanged: false,
            estimate: Some(0.05),
            interval: Some(interval),
            install: None,
            seconds: 1.0,
        };
        let centres = Centres::from([(("hash".to_owned(), Variant::Slower(5)), 0.05)]);
        let decisions = [
            decision("hash", 5, (0.04, 0.06)),
            decision("hash", 5, (0.051, 0.06)),
            decision("hash", 10, (0.0, 0.01)),
            decision("sort", 5, (0.0, 0.01)),
        ];
        let Covered { table: text, worst_cell, .. } = covered(&decisions, &centres);
        assert_eq!(worst_cell, Some(Share { hits: 1, of: 2 }));
        assert!(text.contains("| hash | 50.0 % of 2 | 50 [1.3, 99] |"), "{text}");
        assert!(text.contains("| sort | - | - |"), "{text}");
    }
}
