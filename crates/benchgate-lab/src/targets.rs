//! Targets of the gate, and whether they are met: by the end of an interval, never by the share alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use benchgate_core::model::Level;

use crate::coverage::{self, Centres};
use crate::designs::{Decision, Install};
use crate::estimators::sequences;
use crate::kernels::KERNELS;
use crate::raw::Raw;
use crate::stats;
use crate::tables::{Share, at, at_least, claimed, on, seconds_unchanged};
use crate::variant::{Family, Variant};

/// A kernel whose pairs scatter by less is measured more.
const CALM: f64 = 0.05;

/// What the targets are judged by.
pub(crate) struct Measured<'a> {
    /// Decisions of the gate, all of them.
    pub(crate) decisions: &'a [Decision],
    /// The raw data that they were made from.
    pub(crate) raw: &'a [Raw],
    /// The coverage of the worst cell of replayed decisions.
    pub(crate) replayed: Option<Share>,
}

/// A line of a table of targets.
pub(crate) struct Row {
    pub(crate) target: String,
    pub(crate) measured: String,
    pub(crate) is_met: bool,
}

/// The table of all decisions.
pub(crate) fn table(measured: &Measured<'_>) -> String {
    let mut text = String::from("| target | measured | met |\n|---|---|---|\n");
    let mut rows = rows(measured.decisions, measured.raw);
    let at = rows.len() - OF_SECONDS;
    let shown = measured.replayed;
    rows.insert(
        at,
        Row {
            target: "the 95 % interval holds the truth, each kernel and effect, at least 93 % (replayed decisions)".to_owned(),
            measured: shown.map_or("-".to_owned(), |worst| format!("the worst: {}", counted(worst))),
            is_met: shown.is_some_and(|worst| worst.lower() >= COVERED),
        },
    );
    for Row { target, measured, is_met } in rows {
        let met = if is_met { "yes" } else { "**no**" };
        let _ = writeln!(text, "| {target} | {measured} | {met} |");
    }
    text
}

/// The table of some decisions only: with and without busy processes, and of each build of the kernels.
pub(crate) fn apart(measured: &Measured<'_>) -> String {
    let builds: BTreeSet<usize> =
        measured.decisions.iter().filter_map(|it| Some(it.install?.build)).collect();
    let mut columns: Vec<(String, Vec<Decision>)> = Vec::new();
    let mut add = |name: String, is_in: &dyn Fn(&Decision) -> bool| {
        let those = measured.decisions.iter().filter(|it| is_in(it)).cloned().collect();
        columns.push((name, those));
    };
    add("quiet".to_owned(), &|it| !it.loaded);
    add("busy".to_owned(), &|it| it.loaded);
    for build in builds {
        add(format!("build {build}"), &|it| it.install.is_some_and(|it| it.build == build));
    }
    let names: Vec<&str> = columns.iter().map(|(name, _)| &**name).collect();
    let mut text =
        format!("| target | {} |\n|{}\n", names.join(" | "), "---|".repeat(names.len() + 1));
    let of: Vec<Vec<Row>> = columns.iter().map(|(_, those)| rows(those, measured.raw)).collect();
    for (at, row) in of.first().into_iter().flatten().enumerate() {
        let cells: Vec<&str> = of.iter().map(|rows| &*rows[at].measured).collect();
        let _ = writeln!(text, "| {} | {} |", row.target, cells.join(" | "));
    }
    text
}

/// The last rows are of seconds.
const OF_SECONDS: usize = 2;

/// The share of intervals that must hold the truth.
const COVERED: f64 = 0.93;

/// A share with its numbers and its interval.
pub(crate) fn counted(share: Share) -> String {
    match share.of {
        0 => "-".to_owned(),
        _ => format!("{}: {}", share.counted(), share.shown()),
    }
}

/// The runs whose unchanged benchmarks alone would let them pass: an open one is exit 102.
fn green_runs(decisions: &[Decision]) -> Share {
    let mut runs: BTreeMap<Install, bool> = BTreeMap::new();
    for decision in on(decisions, Family::Same) {
        if let Some(install) = decision.install {
            let is_settled = decision.claim.is_none() && !decision.is_inconclusive;
            *runs.entry(install).or_insert(true) &= is_settled;
        }
    }
    Share::of(runs.values(), |is_green| *is_green)
}

fn rows(decisions: &[Decision], raw: &[Raw]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row = |target: &str, measured: String, is_met: bool| {
        rows.push(Row { target: target.to_owned(), measured, is_met });
    };
    let installs: BTreeSet<(Option<Install>, &str)> =
        on(decisions, Family::Same).map(|it| (it.install, &*it.kernel)).collect();
    let installs = installs.len();
    let same = claimed(on(decisions, Family::Same), Level::Note);
    row(
        "unchanged, at least 2,000 decisions of at least 40 installs (kernel, build, link order): the upper bound of those flagged at 2 % is at most 0.3 %",
        format!("{installs} installs, {}", counted(same)),
        same.of >= 2_000 && installs >= 40 && same.upper() <= 0.003,
    );
    let critical = claimed(on(decisions, Family::Same), Level::Critical);
    row("unchanged: none is critical", critical.counted(), critical.of > 0 && critical.hits == 0);
    let open = Share::of(on(decisions, Family::Same), |decision| decision.is_inconclusive);
    row(
        "unchanged: the upper bound of those inconclusive is at most 0.5 %",
        counted(open),
        open.of > 0 && open.upper() <= 0.005,
    );
    let green = green_runs(decisions);
    row(
        "unchanged: runs of about 100 benchmarks that end with exit 0, none of them flagged or inconclusive, lower bound at least 95 %",
        counted(green),
        green.lower() >= 0.95,
    );
    let moved = || {
        let families = [Family::Same, Family::Address, Family::Heap];
        families.into_iter().flat_map(|family| on(decisions, family))
    };
    let cells: BTreeSet<_> = moved().map(|it| (it.install, &*it.kernel, it.variant)).collect();
    let critical = claimed(moved(), Level::Critical);
    row(
        "code moved, heap shifted or file copied, at least 200 cells (kernel, shift, build, link order): none is critical",
        format!("{} cells, {}", cells.len(), critical.counted()),
        cells.len() >= 200 && critical.hits == 0,
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
            counted(share),
            share.lower() >= least,
        );
        if percent == 3 {
            let of_calm = claimed(at(decisions, 3).filter(|it| calm.contains(&&*it.kernel)), level);
            row(
                &format!(
                    "the same of kernels whose pairs scatter by less than 5 % ({}): 95 %",
                    calm.join(", ")
                ),
                counted(of_calm),
                of_calm.lower() >= 0.95,
            );
            let unchanged = Share::of(at(decisions, 3), |decision| decision.is_unchanged);
            row(
                "+3 %: at most 3 % are called unchanged or not slower",
                counted(unchanged),
                unchanged.upper() <= 0.03,
            );
        }
    }
    let small = claimed(on(decisions, Family::Small), Level::Note);
    row(
        "a benchmark of a few nanoseconds, at most +15 %: note or worse, lower bound at least 90 %",
        counted(small),
        small.lower() >= 0.9,
    );
    let by_kernel = KERNELS
        .map(|kernel| claimed(at(decisions, 12).filter(|it| it.kernel == kernel), Level::Critical));
    let worst = by_kernel.into_iter().min_by(|a, b| a.lower().total_cmp(&b.lower()));
    let worst = worst.unwrap_or_default();
    row(
        "+12 %: critical, each kernel, lower bound at least 95 %",
        format!("the worst: {}", counted(worst)),
        worst.lower() >= 0.95,
    );
    let large = Share::of(
        on(decisions, Family::Slower).filter(|it| it.variant.percent() >= 6),
        |decision| decision.is_unchanged,
    );
    row(
        "+6 % or more: none of at least 500 is called unchanged or not slower",
        large.counted(),
        large.of >= 500 && large.hits == 0,
    );
    let centres: Centres = coverage::of_others(raw);
    let worst = coverage::covered(decisions, &centres).worst_kernel.unwrap_or_default();
    row(
        "the 95 % interval holds the truth, each kernel, all effects, at least 93 % (measured decisions)",
        format!("the worst: {}", counted(worst)),
        worst.lower() >= COVERED,
    );
    let seconds = seconds_unchanged(decisions);
    for (what, most, value) in
        [("mean", 0.6, stats::mean(&seconds)), ("median", 0.4, stats::median(&seconds))]
    {
        row(
            &format!("an unchanged benchmark takes at most {most} s in the {what}, both sides"),
            format!("{value:.2} s"),
            value <= most,
        );
    }
    rows
}
