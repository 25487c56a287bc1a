//! Records pairs of processes of several lengths, in turn, so that all of them meet the same machine.

use std::time::{Duration, Instant};

use benchgate_core::model::Side;
use benchgate_core::policy::Measure;
use benchgate_host::HostError;

use super::Bench;
use super::sequences::{nuisance, pair_of};
use crate::kernels::KERNELS;
use crate::raw::{Lengths, Raw};
use crate::variant::Variant;

/// Criterion's warm-up and measurement in milliseconds.
const LENGTHS: [(u32, u32); 4] = [(1, 5), (2, 10), (3, 15), (5, 30)];

/// The variants that are compared with the base.
const VARIANTS: [Variant; 2] = [Variant::Same, Variant::Slower(5)];

/// Pairs per cycle.
const PAIRS: usize = 12;

/// Adds pairs of every length, all benchmarks in turn.
pub(crate) fn cycle(bench: &mut Bench, _cycle: u32) -> Result<(), HostError> {
    let mut recorded: Vec<Lengths> = Vec::new();
    for kernel in KERNELS {
        for variant in VARIANTS {
            recorded.extend(LENGTHS.map(|settings| Lengths {
                kernel: kernel.to_owned(),
                variant,
                loaded: bench.loaded,
                settings,
                pairs: Vec::new(),
            }));
        }
    }
    for _ in 0..PAIRS {
        for sequence in &mut recorded {
            let (warm_up, measurement) = sequence.settings;
            let measure = Measure {
                warm_up: Duration::from_millis(warm_up.into()),
                measurement: Duration::from_millis(measurement.into()),
                ..Measure::default()
            };
            let nuisance = nuisance(bench);
            let first = if bench.draw(2) == 0 { Side::Base } else { Side::Head };
            let (kernel, variant) = (&sequence.kernel, sequence.variant);
            let sides = [bench.kernels.base(variant), bench.kernels.head(variant)];
            let start = Instant::now();
            let pair = pair_of(bench, sides, kernel, first, nuisance, &measure, start)?;
            sequence.pairs.push(pair);
        }
    }
    recorded.into_iter().try_for_each(|sequence| bench.raw.write(&Raw::Lengths(sequence)))
}
