//! Long sequences of pairs as the gate runs them: the data for estimators, coverage and replayed
//! decisions.

use std::time::Instant;

use benchgate_core::model::Side;
use benchgate_core::policy::Measure;
use benchgate_core::schedule::Nuisance;
use benchgate_host::HostError;
use benchgate_host::harness::Criterion;

use super::Bench;
use crate::kernels::{KERNELS, round_of};
use crate::raw::{Pair, Raw, Sequence, rounded};
use crate::variant::Variant;

/// The variants with long sequences: no change, and the sizes with targets for coverage and power.
const VARIANTS: [Variant; 5] = [
    Variant::Same,
    Variant::Slower(2),
    Variant::Slower(5),
    Variant::Slower(10),
    Variant::Slower(12),
];

/// Pairs per cycle.
const PAIRS: usize = 24;

/// Ranges of the nuisance settings: the engine's own, `benchgate_core::schedule`.
const MORE_SAMPLES: usize = 16;
const PADDING: usize = 64;

/// Adds pairs to every sequence, all benchmarks in turn.
pub(crate) fn cycle(bench: &mut Bench, _cycle: u32) -> Result<(), HostError> {
    let mut sequences: Vec<Sequence> = KERNELS
        .iter()
        .flat_map(|kernel| VARIANTS.map(|variant| (kernel, variant)))
        .map(|(kernel, variant)| Sequence {
            kernel: (*kernel).to_owned(),
            variant,
            loaded: bench.loaded,
            pairs: Vec::new(),
        })
        .collect();
    for _ in 0..PAIRS {
        for sequence in &mut sequences {
            let nuisance = nuisance(bench);
            let first = if bench.draw(2) == 0 { Side::Base } else { Side::Head };
            let (kernel, variant) = (&sequence.kernel, sequence.variant);
            sequence.pairs.push(pair(bench, kernel, variant, first, nuisance, 0)?);
        }
    }
    sequences.into_iter().try_for_each(|sequence| bench.raw.write(&Raw::Sequence(sequence)))
}

/// Draws the settings of a pair.
pub(super) fn nuisance(bench: &mut Bench) -> Nuisance {
    Nuisance { more_samples: bench.draw(MORE_SAMPLES) as u32, padding: bench.draw(PADDING) as u32 }
}

/// Runs one pair of processes of fresh copies, as the gate does in both stages, in a layout: 0 is that of the files that
/// were linked. Its seconds are with copying and without linking.
pub(super) fn pair(
    bench: &Bench,
    kernel: &str,
    variant: Variant,
    first: Side,
    nuisance: Nuisance,
    layout: u32,
) -> Result<Pair, HostError> {
    bench.kernels.prepare(variant, layout)?;
    let start = Instant::now();
    let placed = bench.kernels.place(variant, layout)?;
    pair_of(bench, placed, kernel, first, nuisance, &Measure::default(), start)
}

/// Runs one pair of processes of a base and a head.
pub(super) fn pair_of(
    bench: &Bench,
    sides: [&Criterion; 2],
    kernel: &str,
    first: Side,
    nuisance: Nuisance,
    measure: &Measure,
    start: Instant,
) -> Result<Pair, HostError> {
    let mut values = [0.0; 2];
    for side in [first, first.other()] {
        let suite = sides[side as usize];
        values[side as usize] =
            rounded(round_of(suite, kernel, nuisance, &bench.scratch, measure)?);
    }
    let [base, head] = values;
    Ok(Pair(
        base,
        head,
        nuisance.more_samples,
        nuisance.padding,
        rounded(start.elapsed().as_secs_f64()),
    ))
}
