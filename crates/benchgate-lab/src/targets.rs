//! Targets of the gate, and whether they are met: by the end of an interval, never by the share alone.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use benchgate_core::model::Level;

use crate::designs::Decision;
use crate::estimators::sequences;
use crate::kernels::KERNELS;
use crate::raw::Raw;
use crate::stats;
use crate::tables::{Share, at, at_least, claimed, on};
use crate::variant::{Family, Variant};

/// A kernel whose pairs scatter by less is asked for more.
const CALM: f64 = 0.05;

/// Decisions and raw data, and the two coverages that other tables have.
pub(crate) struct Measured<'a> {
    /// Decisions of the gate.
    pub(crate) decisions: &'a [Decision],
    /// The raw data that they were made from.
    pub(crate) raw: &'a [Raw],
    /// Coverage of the stated interval: the worst of replayed cells, and of the measured kernels.
    pub(crate) coverage: [Option<Share>; 2],
}

/// The table.
pub(crate) fn table(measured: &Measured<'_>) -> String {
    let mut text = String::from("| target | measured | met |\n|---|---|---|\n");
    let mut row = |target: &str, measured: String, met: bool| {
        let met = if met { "yes" } else { "**no**" };
        let _ = writeln!(text, "| {target} | {measured} | {met} |");
    };
    let Measured { decisions, raw, coverage } = measured;
    let shown = |share: Share| format!("{}: {}", share.counted(), share.shown());

    let installs = installs(raw);
    let same = claimed(on(decisions, Family::Same), Level::Note);
    row(
        "unchanged, at least 2,000 decisions of at least 40 installs: the upper bound of those flagged at 2 % is at most 0.3 %",
        format!("{} installs, {}", installs, shown(same)),
        same.of >= 2_000 && installs >= 40 && same.upper() <= 0.003,
    );
    let critical = claimed(on(decisions, Family::Same), Level::Critical);
    row("unchanged: none is critical", critical.counted(), critical.of > 0 && critical.hits == 0);
    let moved = || on(decisions, Family::Address).chain(on(decisions, Family::Heap));
    let cells: BTreeSet<_> = moved().map(|it| (it.kernel.clone(), it.variant)).collect();
    let critical = claimed(moved(), Level::Critical);
    row(
        "code moved or heap shifted, at least 200 cells (kernel, shift, install): none is critical",
        format!("at most {} cells, {}", cells.len() * installs, critical.counted()),
        cells.len() * installs >= 200 && critical.hits == 0,
    );

    let sequences = sequences(raw);
    let is_calm = |kernel: &&str| {
        let pairs = sequences.get(&((*kernel).to_owned(), Variant::Same));
        pairs.is_some_and(|logs| stats::robust_deviation(logs) < CALM)
    };
    let calm: Vec<&str> = KERNELS.into_iter().filter(is_calm).collect();
    for (percent, level, least) in [
        (3, Level::Note, 0.85),
        (5, Level::Note, 0.97),
        (6, Level::Warning, 0.95),
        (10, Level::Warning, 0.95),
    ] {
        let share = claimed(at(decisions, percent), level);
        row(
            &format!(
                "+{percent} %: {}, lower bound at least {:.0} %",
                at_least(level),
                least * 100.0
            ),
            shown(share),
            share.lower() >= least,
        );
        if percent == 3 {
            let of_calm = claimed(at(decisions, 3).filter(|it| calm.contains(&&*it.kernel)), level);
            row(
                &format!(
                    "the same of kernels whose pairs scatter by less than 5 % ({}): 95 %",
                    calm.join(", ")
                ),
                shown(of_calm),
                of_calm.lower() >= 0.95,
            );
            let unchanged = Share::of(at(decisions, 3), |decision| decision.is_unchanged);
            row(
                "+3 %: at most 3 % are called unchanged",
                shown(unchanged),
                unchanged.upper() <= 0.03,
            );
        }
    }
    let by_kernel = KERNELS
        .map(|kernel| claimed(at(decisions, 12).filter(|it| it.kernel == kernel), Level::Critical));
    let worst = by_kernel.into_iter().min_by(|a, b| a.lower().total_cmp(&b.lower()));
    if let Some(worst) = worst {
        let measured = format!("the worst: {}", shown(worst));
        row(
            "+12 %: critical, each kernel, lower bound at least 95 %",
            measured,
            worst.lower() >= 0.95,
        );
    }
    let large = Share::of(
        on(decisions, Family::Slower).filter(|it| it.variant.percent() >= 6),
        |decision| decision.is_unchanged,
    );
    row(
        "+6 % or more: none of at least 500 is called unchanged",
        large.counted(),
        large.of >= 500 && large.hits == 0,
    );
    for (target, worst) in [
        "the 95 % interval holds the truth, each kernel and effect, at least 93 % (replayed decisions)",
        "the same, each kernel, all effects (measured decisions)",
    ]
    .into_iter()
    .zip(*coverage)
    {
        row(
            target,
            worst.map_or("-".to_owned(), |worst| format!("the worst: {}", shown(worst))),
            worst.is_some_and(|worst| worst.lower() >= 0.93),
        );
    }
    let seconds: Vec<f64> = on(decisions, Family::Same).map(|decision| decision.seconds).collect();
    for (what, most, value) in
        [("mean", 0.6, stats::mean(&seconds)), ("median", 0.4, stats::median(&seconds))]
    {
        row(
            &format!("an unchanged benchmark takes at most {most} s in the {what}, both sides"),
            format!("{value:.2} s"),
            value <= most,
        );
    }
    text
}

/// Recordings that have decisions of the gate: each builds the kernels once.
fn installs(raw: &[Raw]) -> usize {
    let recordings = raw.chunk_by(|_, next| !matches!(next, Raw::Run(_)));
    recordings.filter(|of_one| of_one.iter().any(|raw| matches!(raw, Raw::Gate(_)))).count()
}
