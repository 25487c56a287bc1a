//! What byte copies read in screening, run by run: the place of their files in memory.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::kernels::KERNELS;
use crate::raw::{Pair, Raw, builds};
use crate::stats::{deviation, mean, median, signed};
use crate::variant::Variant;

/// The table.
pub(crate) fn table(raw: &[Raw]) -> String {
    let mut runs: BTreeMap<(&str, usize, u32), Vec<f64>> = BTreeMap::new();
    for (build, raw) in builds(raw) {
        for raw in raw {
            if let Raw::Gate(gate) = raw
                && gate.variant == Variant::Same
            {
                let logs: Vec<f64> = gate.screening.iter().map(Pair::log).collect();
                let read = median(&logs).exp_m1() * 100.0;
                runs.entry((&gate.kernel, build, gate.run)).or_default().push(read);
            }
        }
    }
    let mut text = String::from(
        "| kernel | runs | least | most | standard deviation within a run, largest |\n|---|---|---|---|---|\n",
    );
    for kernel in KERNELS {
        let of: Vec<&Vec<f64>> =
            runs.iter().filter(|((of, ..), _)| *of == kernel).map(|(_, read)| read).collect();
        let means: Vec<f64> = of.iter().map(|read| mean(read)).collect();
        let end = |pick: fn(f64, f64) -> f64| means.iter().copied().reduce(pick);
        let shown = |value: Option<f64>| value.map_or("-".to_owned(), |value| signed(value, 1));
        let within = of.iter().map(|read| deviation(read)).filter(|it| it.is_finite());
        let within = within.reduce(f64::max);
        let _ = writeln!(
            text,
            "| {kernel} | {} | {} | {} | {} |",
            of.len(),
            shown(end(f64::min)),
            shown(end(f64::max)),
            within.map_or("-".to_owned(), |within| format!("{within:.1}")),
        );
    }
    text
}
