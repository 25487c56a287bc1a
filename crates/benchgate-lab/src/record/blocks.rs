//! Ten processes of the base, then ten of the head: the usual input of `benchstat`.

use std::time::Instant;

use benchgate_core::schedule::Nuisance;
use benchgate_host::HostError;

use super::{Bench, changed_of};
use crate::kernels::{KERNELS, round};
use crate::raw::{Blocks, Raw, rounded};
use crate::variant::Variant;

/// Processes per side: benchstat's "at least 10".
const PROCESSES: usize = 10;

/// Per kernel a decision without a change, and one with a slowdown or a shift.
pub(crate) fn cycle(bench: &mut Bench, cycle: u32) -> Result<(), HostError> {
    for kernel in KERNELS {
        for variant in [Variant::Same, changed_of(cycle)] {
            let start = Instant::now();
            let side = |suite| -> Result<Vec<f64>, HostError> {
                (0..PROCESSES)
                    .map(|_| round(suite, kernel, Nuisance::default(), &bench.scratch).map(rounded))
                    .collect()
            };
            let base = side(bench.kernels.base(variant))?;
            let head = side(bench.kernels.head(variant))?;
            let seconds = rounded(start.elapsed().as_secs_f64());
            let (kernel, loaded) = (kernel.to_owned(), bench.loaded);
            let blocks = Blocks { kernel, variant, loaded, base, head, seconds };
            bench.raw.write(&Raw::Blocks(blocks))?;
        }
    }
    Ok(())
}
