//! The figures of the page on accuracy, as files.

use benchgate_core::model::Level;
use benchgate_core::plot::{self, Line, Measure, PairGroup, PairsPlot, Ranged, ScatterPoint, Tone};

use crate::estimators::{sequences, truths};
use crate::raw::Raw;
use crate::stats::{by_median, clopper_pearson};
use crate::tables::{Decided, Share, at, claimed, on};
use crate::variant::{Family, Variant};

/// False alarms against power, a point per design, with 95 % intervals of both. The first design is the gate's.
pub(crate) fn false_alarms_against_power(decided: &[Decided<'_>]) -> String {
    let points: Vec<ScatterPoint> = decided
        .iter()
        .enumerate()
        .filter_map(|(index, (design, decisions))| {
            let alarms = claimed(on(decisions, Family::Same), Level::Note);
            let power = claimed(at(decisions, 5), Level::Note);
            Some(ScatterPoint {
                name: design.name().to_owned(),
                across: percent(&alarms)?,
                up: percent(&power)?,
                tone: if index == 0 { Tone::Better } else { Tone::Open },
            })
        })
        .collect();
    let alarms = Measure { name: "unchanged executables called slower, %", ends: (0.0, 80.0) };
    let power = Measure { name: "+5 % of work called slower, %", ends: (0.0, 100.0) };
    plot::file(&plot::scatter("designs", "False alarms against power", [&alarms, &power], &points))
}

fn percent(share: &Share) -> Option<Ranged> {
    let (lower, upper) = clopper_pearson(share.hits, share.of);
    (share.of > 0)
        .then(|| Ranged { value: share.value() * 100.0, interval: (lower * 100.0, upper * 100.0) })
}

/// A recorded sequence: every pair, and the estimate after each.
pub(crate) fn effect_per_pair(raw: &[Raw], kernel: &str, variant: Variant) -> Option<String> {
    /// Error on either side of a 95 % interval.
    const ERROR: f64 = 0.025;
    let logs = sequences(raw).remove(&(kernel.to_owned(), variant))?;
    let truth = truths(raw).get(&(kernel.to_owned(), variant.percent()))?.0;
    let so_far: Vec<(usize, [f64; 3])> = (6..=logs.len())
        .map(|pairs| {
            let estimate = by_median(&logs[..pairs], ERROR);
            let (lower, upper) = estimate.interval;
            (pairs, [lower, estimate.centre, upper])
        })
        .collect();
    let name = format!("{kernel}, +{} % of work", variant.percent());
    let lines = [Line { log: truth, label: format!("true {:+.1} %", truth.exp_m1() * 100.0) }];
    let groups = [PairGroup { label: "pairs".to_owned(), is_filled: true, logs }];
    Some(plot::file(&plot::pairs(&PairsPlot {
        id: "pairs",
        name: &name,
        groups: &groups,
        deciding: 0,
        so_far: &so_far,
        lines: &lines,
        tone: Tone::Worse,
    })))
}
