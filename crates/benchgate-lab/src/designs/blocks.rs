//! benchstat's test, on the lower quartiles of ten processes a side.

use super::{Decision, Design, level_of};
use crate::raw::Raw;
use crate::stats::{mann_whitney, median};

/// benchstat's default.
const ALPHA: f64 = 0.05;

/// Mann-Whitney, and the ratio of medians above a threshold.
pub(crate) struct UTest;

impl Design for UTest {
    fn name(&self) -> &'static str {
        "10 + 10 processes, U test (benchstat)"
    }

    fn decisions(&self, raw: &[Raw]) -> Vec<Decision> {
        raw.iter()
            .filter_map(|raw| match raw {
                Raw::Blocks(blocks) => Some(blocks),
                _ => None,
            })
            .map(|blocks| {
                let ratio = median(&blocks.head) / median(&blocks.base);
                let is_significant = mann_whitney(&blocks.base, &blocks.head) < ALPHA;
                Decision {
                    kernel: blocks.kernel.clone(),
                    variant: blocks.variant,
                    loaded: blocks.loaded,
                    claim: level_of(ratio).filter(|_| is_significant),
                    is_inconclusive: false,
                    is_unchanged: false,
                    estimate: Some(ratio.ln()),
                    interval: None,
                    install: None,
                    seconds: blocks.seconds,
                }
            })
            .collect()
    }
}
