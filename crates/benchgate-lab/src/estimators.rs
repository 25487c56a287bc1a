//! Compares estimators: coverage of the truth, and width of the interval.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::kernels::KERNELS;
use crate::raw::Raw;
use crate::stats::{self, Estimator, signed};
use crate::variant::Variant;

/// The estimators that are compared.
const ESTIMATORS: [(&str, Estimator); 4] = [
    ("median, order statistics", stats::by_median),
    ("Hodges-Lehmann, signed ranks", stats::by_walsh_averages),
    ("20 % trimmed mean, t", stats::by_trimmed_mean),
    ("mean, t", stats::by_mean),
];

/// Sample sizes.
const SIZES: [usize; 5] = [6, 10, 15, 30, 60];

/// Error on either side of a 95 % interval.
const ERROR: f64 = 0.025;

/// True changes by kernel and percent: ln(head / base) and its standard error.
pub(crate) fn truths(raw: &[Raw]) -> BTreeMap<(String, u32), (f64, f64)> {
    let mut logs: BTreeMap<(String, u32), Vec<f64>> = BTreeMap::new();
    for raw in raw {
        if let Raw::Truth(truth) = raw {
            logs.entry((truth.kernel.clone(), truth.percent)).or_default().extend(&truth.logs);
        }
    }
    let known = KERNELS.map(|kernel| ((kernel.to_owned(), 0), (0.0, 0.0)));
    // A pair of processes that another one disturbed throughout must not move the truth.
    let measured = logs.into_iter().map(|(key, logs)| (key, stats::trimmed_mean(&logs)));
    known.into_iter().chain(measured).collect()
}

/// Log-ratios of every recorded sequence, by kernel and variant.
pub(crate) fn sequences(raw: &[Raw]) -> BTreeMap<(String, Variant), Vec<f64>> {
    let mut sequences: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for raw in raw {
        if let Raw::Sequence(sequence) = raw {
            sequences
                .entry((sequence.kernel.clone(), sequence.variant))
                .or_default()
                .extend(sequence.pairs.iter().map(crate::raw::Pair::log));
        }
    }
    sequences
}

/// Over all consecutive windows: the number of intervals that hold the truth, and their widths.
#[derive(Clone, Copy, Debug, Default)]
struct Coverage {
    windows: usize,
    held: usize,
    width: f64,
    away: f64,
}

impl Coverage {
    /// Absolute errors are added, so that those of two kernels do not cancel.
    fn add(&mut self, other: &Self) {
        self.windows += other.windows;
        self.held += other.held;
        self.width += other.width;
        self.away += other.away.abs();
    }
}

fn coverage(logs: &[f64], truth: f64, size: usize, estimator: Estimator) -> Coverage {
    let mut coverage = Coverage::default();
    for window in logs.windows(size) {
        let estimate = estimator(window, ERROR);
        let (lower, upper) = estimate.interval;
        coverage.windows += 1;
        coverage.held += usize::from(lower <= truth && truth <= upper);
        coverage.width += upper - lower;
        coverage.away += estimate.centre - truth;
    }
    coverage
}

/// True changes in per cent, and those of the instructions.
pub(crate) fn true_changes(raw: &[Raw]) -> String {
    let truths = truths(raw);
    let mut counts: BTreeMap<(&str, Variant), f64> = BTreeMap::new();
    for raw in raw {
        if let Raw::Instructions(it) = raw {
            counts.insert((&it.kernel, it.variant), it.count);
        }
    }
    let mut text = String::from("| kernel |");
    for percent in Variant::PERCENTS {
        let _ = write!(text, " +{percent} % | instructions |");
    }
    let _ = writeln!(text, "\n|---|{}", "---|---|".repeat(Variant::PERCENTS.len()));
    for kernel in KERNELS {
        let _ = write!(text, "| {kernel} |");
        let base = counts.get(&(kernel, Variant::Same));
        for percent in Variant::PERCENTS {
            let _ = match truths.get(&(kernel.to_owned(), percent)) {
                Some((log, error)) => {
                    write!(text, " {:.2} ± {:.2} |", log.exp_m1() * 100.0, error * 100.0)
                }
                None => write!(text, " - |"),
            };
            let _ = match (base, counts.get(&(kernel, Variant::Slower(percent)))) {
                (Some(base), Some(count)) => {
                    write!(text, " {:.2} |", (count / base - 1.0) * 100.0)
                }
                _ => write!(text, " - |"),
            };
        }
        text += "\n";
    }
    text
}

/// Coverage, width and error of every estimator, over all kernels: without a change, and slower.
pub(crate) fn summary(raw: &[Raw]) -> String {
    let (truths, sequences) = (truths(raw), sequences(raw));
    let mut text = String::from("| estimator | of |");
    for size in SIZES {
        let _ = write!(text, " n = {size} |");
    }
    let _ = writeln!(text, "\n|---|---|{}", "---|".repeat(SIZES.len()));
    for (name, estimator) in ESTIMATORS {
        for (of, is_slower) in [("no change", false), ("slowdowns", true)] {
            let _ = write!(text, "| {name} | {of} |");
            for size in SIZES {
                let mut whole = Coverage::default();
                for ((kernel, variant), logs) in &sequences {
                    let truth = truths.get(&(kernel.clone(), variant.percent()));
                    if let Some((truth, _)) = truth.filter(|_| (variant.percent() > 0) == is_slower)
                    {
                        whole.add(&coverage(logs, *truth, size, estimator));
                    }
                }
                let _ = write!(text, "{}", cell(&whole));
            }
            text += "\n";
        }
    }
    text
}

/// Tables of coverage, width and bias.
pub(crate) fn tables(raw: &[Raw]) -> String {
    let (truths, sequences) = (truths(raw), sequences(raw));
    let mut text = format!("## True changes\n\n{}", true_changes(raw));
    for (name, estimator) in ESTIMATORS {
        let _ =
            write!(text, "\n## {name}\n\nCoverage in % (mean width, mean error, both in %)\n\n");
        text += "| kernel | head | pairs | robust SD |";
        for size in SIZES {
            let _ = write!(text, " n = {size} |");
        }
        text += "\n|---|---|---|---|---|---|---|---|---|\n";
        let mut whole = [[Coverage::default(); SIZES.len()]; 2];
        for ((kernel, variant), logs) in &sequences {
            let Some((truth, _)) = truths.get(&(kernel.clone(), variant.percent())) else {
                continue;
            };
            let centre = stats::median(logs);
            let away: Vec<f64> = logs.iter().map(|log| (log - centre).abs()).collect();
            let spread = stats::median(&away) * 148.26;
            let _ = write!(text, "| {kernel} | {variant} | {} | {spread:.2} |", logs.len());
            let whole = &mut whole[usize::from(variant.percent() > 0)];
            for (size, whole) in SIZES.into_iter().zip(whole) {
                let coverage = coverage(logs, *truth, size, estimator);
                whole.add(&coverage);
                let _ = write!(text, "{}", cell(&coverage));
            }
            text += "\n";
        }
        for (name, whole) in ["all without a change", "all slower"].into_iter().zip(whole) {
            let _ = write!(text, "| **{name}** | | | |");
            for whole in whole {
                let _ = write!(text, "{}", cell(&whole));
            }
            text += "\n";
        }
    }
    text
}

fn cell(coverage: &Coverage) -> String {
    let Coverage { windows, held, width, away } = *coverage;
    if windows == 0 {
        return " - |".to_owned();
    }
    let per_window = 100.0 / windows as f64;
    let (held, width) = (held as f64 * per_window, width * per_window);
    format!(" {held:.0} ({width:.1}, {}) |", signed(away * per_window, 2))
}
