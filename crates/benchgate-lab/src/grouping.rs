//! The cost in accuracy, and the saved time, of one process for all benchmarks of an executable.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::estimators::truths;
use crate::kernels::KERNELS;
use crate::raw::{Pair, Raw};
use crate::stats::{deviation, mean, median, robust_deviation};
use crate::variant::Variant;

/// Pairs of one decision.
const PAIRS: usize = 10;

/// The table.
pub(crate) fn table(raw: &[Raw]) -> String {
    let truths = truths(raw);
    let mut alone: BTreeMap<(&str, Variant), Vec<Pair>> = BTreeMap::new();
    let mut together: BTreeMap<(&str, Variant), Vec<Pair>> = BTreeMap::new();
    for raw in raw {
        match raw {
            Raw::Sequence(it) => {
                alone.entry((&it.kernel, it.variant)).or_default().extend(&it.pairs);
            }
            Raw::Grouped(it) => {
                together.entry((&it.kernel, it.variant)).or_default().extend(&it.pairs);
            }
            _ => {}
        }
    }
    let mut text = String::from(
        "| kernel | head | pairs, alone / together | bias, points | robust SD of a pair, % | \
         SD of the median of 10 pairs, % | seconds a pair |\n|---|---|---|---|---|---|---|\n",
    );
    for ((kernel, variant), together) in &together {
        let truth = truths.get(&((*kernel).to_owned(), variant.percent()));
        let (Some(alone), Some((truth, _))) = (alone.get(&(*kernel, *variant)), truth) else {
            continue;
        };
        let described = [alone, together].map(|pairs| describe(pairs, *truth));
        let cell = |digits: usize, of: fn(&Described) -> f64| {
            let [alone, together] = described.each_ref().map(of);
            let shown = |value: f64| match value.is_nan() {
                true => "-".to_owned(),
                false => format!("{value:.digits$}"),
            };
            format!("{} / {}", shown(alone), shown(together))
        };
        let _ = writeln!(
            text,
            "| {kernel} | {variant} | {} / {} | {} | {} | {} | {} |",
            alone.len(),
            together.len(),
            cell(2, |it| it.bias),
            cell(2, |it| it.spread),
            cell(2, |it| it.of_decisions),
            cell(3, |it| it.seconds),
        );
    }
    let _ = writeln!(
        text,
        "\nAlone: a process per benchmark. Together: one for all {}.",
        KERNELS.len()
    );
    text
}

struct Described {
    bias: f64,
    spread: f64,
    of_decisions: f64,
    seconds: f64,
}

fn describe(pairs: &[Pair], truth: f64) -> Described {
    let logs: Vec<f64> = pairs.iter().map(Pair::log).collect();
    let centre = median(&logs);
    let decisions: Vec<f64> = logs.chunks_exact(PAIRS).map(median).collect();
    let seconds: Vec<f64> = pairs.iter().map(|pair| pair.4).collect();
    Described {
        bias: 100.0 * (centre.exp_m1() - truth.exp_m1()),
        spread: robust_deviation(&logs) * 100.0,
        of_decisions: deviation(&decisions) * 100.0,
        seconds: mean(&seconds),
    }
}
