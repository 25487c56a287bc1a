//! What whole checks in lockstep decide of kernels whose truth is known: targets, and every kernel.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use benchgate_core::model::{Finding, Level};

use crate::raw::{Check, Raw};
use crate::stats;
use crate::tables::{Share, at_least};
use crate::targets::{Row, counted};

/// The kernel of a few nanoseconds: a percent of its work is less than an instruction.
const SMALL: &str = "small";

/// Additions of 100 of its units, and its units at the smallest size.
const ADDED: usize = 13;
const UNITS: usize = 100;

/// A decision of which the truth is known.
struct Decision<'a> {
    kernel: &'a str,
    /// More work in percent; of the small kernel, if it has more at all.
    percent: u32,
    /// Whether the head's code lies elsewhere.
    moved: bool,
    finding: Finding,
    estimate: Option<f64>,
    interval: Option<(f64, f64)>,
}

impl<'a> Decision<'a> {
    fn all_of(check: &'a Check) -> impl Iterator<Item = Self> {
        check.decisions.iter().map(move |decided| {
            let (kernel, size) = decided.0.split_once('/').unwrap_or((&decided.0, "1"));
            let size = size.parse().unwrap_or(1);
            let is_slower = check.sizes.contains(&size) && has_more(kernel, size, check.percent);
            Decision {
                kernel,
                percent: if is_slower { check.percent } else { 0 },
                moved: check.moved > 0,
                finding: decided.1,
                estimate: decided.2,
                interval: decided.3.zip(decided.4),
            }
        })
    }

    fn claims(&self, level: Level) -> bool {
        let worst = match level {
            Level::Note => [Finding::Note, Finding::Warning, Finding::Critical].as_slice(),
            Level::Warning => &[Finding::Warning, Finding::Critical],
            Level::Critical => &[Finding::Critical],
        };
        worst.contains(&self.finding)
    }

    /// Whether it says that nothing became slower.
    fn passes(&self) -> bool {
        let passing = [
            Finding::Unchanged,
            Finding::NotSlower,
            Finding::Improved,
            Finding::Drifted,
            Finding::Identical,
        ];
        passing.contains(&self.finding)
    }

    /// Whether it says nothing: *inconclusive*, or failed.
    fn is_open(&self) -> bool {
        !self.claims(Level::Note) && !self.passes()
    }

    /// Whether the interval holds no change.
    fn holds_zero(&self) -> bool {
        self.interval.is_some_and(|(lower, upper)| lower <= 0.0 && upper >= 0.0)
    }
}

/// Whether this percentage of more units is more work.
fn has_more(kernel: &str, size: usize, percent: u32) -> bool {
    let added = |units: usize| (units * ADDED + UNITS / 2) / UNITS;
    let units = UNITS * size;
    kernel != SMALL || added(units + units * percent as usize / 100) > added(units)
}

/// The section.
pub(crate) fn section(raw: &[Raw]) -> String {
    let checks: Vec<&Check> = raw
        .iter()
        .filter_map(|raw| match raw {
            Raw::Check(check) => Some(check),
            _ => None,
        })
        .collect();
    let Some(most) = checks.iter().map(|check| check.decisions.len()).max() else {
        return "Nothing is recorded yet.".to_owned();
    };
    let all_of = |of: fn(&Check) -> &str| {
        let all: BTreeSet<&str> =
            checks.iter().map(|check| of(check)).filter(|it| !it.is_empty()).collect();
        all.into_iter().collect::<Vec<_>>().join(" and ")
    };
    format!(
        "{} checks of {most} benchmarks each, {} of them alongside two busy processes, on {}, with {}; the engine {}.\n\n{}\n{}",
        checks.len(),
        checks.iter().filter(|check| check.busy).count(),
        all_of(|check| &check.on),
        all_of(|check| &check.machine),
        all_of(|check| &check.engine),
        targets(&checks),
        by_kernel(&checks)
    )
}

fn targets(checks: &[&Check]) -> String {
    let only = |busy: bool| checks.iter().copied().filter(|it| it.busy == busy).collect::<Vec<_>>();
    let [all, quiet, busy] = [checks.to_vec(), only(false), only(true)].map(|checks| rows(&checks));
    let mut text = "| target | measured | met | quiet | busy |\n|---|---|---|---|---|\n".to_owned();
    for ((row, quiet), busy) in all.iter().zip(quiet).zip(busy) {
        let met = if row.is_met { "yes" } else { "**no**" };
        let Row { target, measured, .. } = row;
        let _ = writeln!(
            text,
            "| {target} | {measured} | {met} | {} | {} |",
            quiet.measured, busy.measured
        );
    }
    text
}

fn rows(checks: &[&Check]) -> Vec<Row> {
    let all: Vec<Decision<'_>> = checks.iter().flat_map(|check| Decision::all_of(check)).collect();
    let same = || all.iter().filter(|it| it.percent == 0 && !it.moved);
    let slower = |percent| all.iter().filter(move |it| it.percent == percent && it.kernel != SMALL);
    let mut rows = of_unchanged(checks, &all);
    rows.extend(of_moved(checks, &all));
    for (percent, level) in
        [(3, Level::Note), (5, Level::Note), (6, Level::Warning), (10, Level::Warning)]
    {
        let least = if percent == 3 { 0.95 } else { 0.97 };
        let share = Share::of(slower(percent), |it| it.claims(level));
        let of = at_least(level);
        rows.push(Row {
            target: format!("+{percent} %: {of}, lower bound at least {:.0} %", least * 100.0),
            measured: counted(share),
            is_met: share.lower() >= least,
        });
    }
    let kernels: BTreeSet<&str> =
        all.iter().map(|it| it.kernel).filter(|it| *it != SMALL).collect();
    let critical = |kernel: &&str| {
        Share::of(slower(12).filter(|it| it.kernel == *kernel), |it| it.claims(Level::Critical))
    };
    let worst = kernels.iter().map(critical).min_by(|a, b| a.lower().total_cmp(&b.lower()));
    let worst = worst.unwrap_or_default();
    rows.push(Row {
        target: "+12 %: critical, each kernel, lower bound at least 95 %".to_owned(),
        measured: format!("the worst: {}", counted(worst)),
        is_met: worst.lower() >= 0.95,
    });
    let missed = Share::of(slower(3), Decision::passes);
    rows.push(Row {
        target: "+3 %: the upper bound of those called unchanged or not slower is at most 1 %"
            .to_owned(),
        measured: counted(missed),
        is_met: missed.upper() <= 0.01,
    });
    let large = all.iter().filter(|it| it.percent >= 6 && it.kernel != SMALL);
    let missed = Share::of(large, Decision::passes);
    rows.push(Row {
        target: "+6 % or more: none of at least 1,000 is called unchanged or not slower".to_owned(),
        measured: missed.counted(),
        is_met: missed.of >= 1_000 && missed.hits == 0,
    });
    let small = all.iter().filter(|it| it.percent > 0 && it.kernel == SMALL);
    let small = Share::of(small, |it| it.claims(Level::Note));
    rows.push(Row {
        target: "a few nanoseconds, one addition more or several: note or worse, lower bound at least 90 %".to_owned(),
        measured: counted(small),
        is_met: small.lower() >= 0.9,
    });
    let holds =
        |kernel: &str| Share::of(same().filter(|it| it.kernel == kernel), Decision::holds_zero);
    let worst =
        kernels.iter().map(|kernel| holds(kernel)).min_by(|a, b| a.lower().total_cmp(&b.lower()));
    let worst = worst.unwrap_or_default();
    rows.push(Row {
        target: "unchanged: the 95 % interval holds 0, each kernel, lower bound at least 94 %"
            .to_owned(),
        measured: format!("the worst: {}", counted(worst)),
        is_met: worst.lower() >= 0.94,
    });
    rows
}

fn of_unchanged(checks: &[&Check], all: &[Decision<'_>]) -> Vec<Row> {
    let same = || all.iter().filter(|it| it.percent == 0 && !it.moved);
    let flagged = Share::of(same(), |it| it.claims(Level::Note));
    let critical = Share::of(same(), |it| it.claims(Level::Critical));
    let faster = Share::of(same(), |it| it.finding == Finding::Improved);
    let open = Share::of(same(), Decision::is_open);
    let unchanged: Vec<&&Check> =
        checks.iter().filter(|check| check.percent == 0 && check.moved == 0).collect();
    let green = Share::of(unchanged.iter().copied(), |check| check.exit == 0);
    let seconds: Vec<f64> = unchanged
        .iter()
        .filter(|check| !check.decisions.is_empty())
        .map(|check| check.seconds.measure / check.decisions.len() as f64)
        .collect();
    let seconds = stats::mean(&seconds);
    [
        (
            "unchanged, at least 4,000 decisions: none is flagged at 2 %, upper bound at most 0.1 %",
            counted(flagged),
            flagged.of >= 4_000 && flagged.hits == 0 && flagged.upper() <= 0.001,
        ),
        ("unchanged: none is critical", critical.counted(), critical.of > 0 && critical.hits == 0),
        ("unchanged: none is improved", faster.counted(), faster.of > 0 && faster.hits == 0),
        (
            "unchanged: the upper bound of those inconclusive is at most 0.5 %",
            counted(open),
            open.upper() <= 0.005,
        ),
        (
            "checks without a change end with exit 0, lower bound at least 95 %",
            counted(green),
            green.lower() >= 0.95,
        ),
        (
            "a benchmark of such a check takes at most 0.3 s of measuring, in the mean, both sides",
            if seconds.is_nan() { "-".to_owned() } else { format!("{seconds:.2} s") },
            seconds <= 0.3,
        ),
    ]
    .map(|(target, measured, is_met)| Row { target: target.to_owned(), measured, is_met })
    .into()
}

/// Of heads that do the same work by the same instructions at other addresses. What a place costs is real, and no regression
/// of the code.
fn of_moved(checks: &[&Check], all: &[Decision<'_>]) -> [Row; 4] {
    let moved = || all.iter().filter(|it| it.percent == 0 && it.moved);
    let flagged = Share::of(moved(), |it| it.claims(Level::Note));
    let faster = Share::of(moved(), |it| it.finding == Finding::Improved);
    let open = Share::of(moved(), Decision::is_open);
    let green = Share::of(checks.iter().filter(|check| check.moved > 0), |check| check.exit == 0);
    [
        (
            "code moved, the same work: none is flagged at 2 %, upper bound at most 0.1 %",
            counted(flagged),
            flagged.hits == 0 && flagged.upper() <= 0.001,
        ),
        ("code moved: none is improved", faster.counted(), faster.of > 0 && faster.hits == 0),
        (
            "code moved: the upper bound of those inconclusive is at most 0.5 %",
            counted(open),
            open.upper() <= 0.005,
        ),
        (
            "checks of moved code end with exit 0, lower bound at least 95 %",
            counted(green),
            green.lower() >= 0.95,
        ),
    ]
    .map(|(target, measured, is_met)| Row { target: target.to_owned(), measured, is_met })
}

/// Every kernel at all of its sizes.
fn by_kernel(checks: &[&Check]) -> String {
    const PERCENTS: [(u32, Level); 5] = [
        (3, Level::Note),
        (5, Level::Note),
        (6, Level::Warning),
        (10, Level::Warning),
        (12, Level::Critical),
    ];
    let all: Vec<Decision<'_>> = checks.iter().flat_map(|check| Decision::all_of(check)).collect();
    let mut text =
        "| kernel | unchanged: flagged | inconclusive | the interval holds 0 | code moved: flagged | moved: inconclusive | moved: it reads, % |"
            .to_owned();
    for (percent, level) in PERCENTS {
        let _ = write!(text, " +{percent} %: {} | it reads, % |", at_least(level));
    }
    let _ = writeln!(text, "\n|{}", "---|".repeat(7 + 2 * PERCENTS.len()));
    let kernels: BTreeSet<&str> = all.iter().map(|it| it.kernel).collect();
    for kernel in kernels {
        let at = |moved: bool, percent| {
            let is_at = move |it: &&Decision<'_>| {
                it.kernel == kernel && it.percent == percent && it.moved == moved
            };
            all.iter().filter(is_at)
        };
        let of = |percent| at(false, percent);
        let flagged = |moved| Share::of(at(moved, 0), |it| it.claims(Level::Note)).counted();
        let open = |moved| Share::of(at(moved, 0), Decision::is_open).counted();
        let holds = Share::of(of(0), Decision::holds_zero).counted();
        let _ = write!(
            text,
            "| {kernel} | {} | {} | {holds} | {} | {} | {} |",
            flagged(false),
            open(false),
            flagged(true),
            open(true),
            read(at(true, 0)),
        );
        for (percent, level) in PERCENTS {
            let share = Share::of(of(percent), |it| it.claims(level));
            let _ = write!(text, " {} | {} |", share.counted(), read(of(percent)));
        }
        text.push('\n');
    }
    text
}

/// The median of estimates, and the lowest and the highest.
fn read<'a, 'b: 'a>(decisions: impl Iterator<Item = &'a Decision<'b>>) -> String {
    let mut estimates: Vec<f64> =
        decisions.filter_map(|it| it.estimate).map(|it| it * 100.0).collect();
    estimates.sort_by(f64::total_cmp);
    let (Some(lowest), Some(highest)) = (estimates.first(), estimates.last()) else {
        return "-".to_owned();
    };
    let signed = |value: f64| stats::signed(value, 1);
    format!("{} ({} to {})", signed(stats::median(&estimates)), signed(*lowest), signed(*highest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::{Decided, Seconds};

    fn check(percent: u32, exit: i32, decisions: &[(&str, Finding, f64)]) -> Raw {
        let decided = |(id, finding, at): &(&str, Finding, f64)| {
            Decided(
                (*id).to_owned(),
                *finding,
                Some(*at),
                Some(at - 0.01),
                Some(at + 0.01),
                Some(6),
            )
        };
        Raw::Check(Check {
            on: "2026-11-28".to_owned(),
            engine: "abc".to_owned(),
            load: 0.1,
            seed: 1,
            percent,
            sizes: if percent > 0 { vec![2] } else { Vec::new() },
            moved: 0,
            busy: false,
            exit,
            machine: "2 cores".to_owned(),
            seconds: Seconds { build: 1.0, measure: 0.8 },
            decisions: decisions.iter().map(decided).collect(),
        })
    }

    /// A check of code that lies elsewhere and does the same.
    fn moved(decisions: &[(&str, Finding, f64)]) -> Raw {
        let Raw::Check(of_same_code) = check(0, 102, decisions) else { unreachable!() };
        Raw::Check(Check { moved: 64, ..of_same_code })
    }

    #[test]
    fn every_decision_is_counted_by_what_its_benchmark_does() {
        let raw = [
            check(
                0,
                0,
                &[("hash", Finding::Unchanged, 0.0), ("hash/2", Finding::NotSlower, -0.02)],
            ),
            check(0, 102, &[("hash", Finding::Inconclusive, 0.03), ("sort", Finding::Note, 0.03)]),
            check(
                12,
                100,
                &[("hash", Finding::Unchanged, 0.0), ("hash/2", Finding::Critical, 0.12)],
            ),
            check(12, 100, &[("sort/2", Finding::Warning, 0.08), ("small/2", Finding::Note, 0.1)]),
            moved(&[("hash", Finding::Improved, -0.03), ("sort/2", Finding::Inconclusive, -0.2)]),
            // It crashed.
            check(12, -6, &[]),
            // Three per cent of 26 additions are one; of 13, none.
            check(
                3,
                0,
                &[("small", Finding::Unchanged, 0.0), ("small/2", Finding::Unchanged, 0.0)],
            ),
        ];
        insta::assert_snapshot!(section(&raw));
    }

    #[test]
    fn without_checks_nothing_is_claimed() {
        assert_eq!(section(&[]), "Nothing is recorded yet.");
    }
}
