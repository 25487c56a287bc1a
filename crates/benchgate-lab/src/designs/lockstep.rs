//! tango's rule, on pairs of batches of two processes that take turns.

use benchgate_core::model::Level;

use super::{Decision, Design};
use crate::raw::Raw;

/// tango's own constants: the z-score and the relative difference that a claim needs.
const Z: f64 = 2.6;
const LEAST: f64 = 0.01;

/// The mean paired difference compared with its standard error.
pub(crate) struct Tango;

impl Design for Tango {
    fn name(&self) -> &'static str {
        "two processes in lock step, tango's rule"
    }

    fn reports_sizes(&self) -> bool {
        false
    }

    fn decisions(&self, raw: &[Raw]) -> Vec<Decision> {
        raw.iter()
            .filter_map(|raw| match raw {
                Raw::Lockstep(lockstep) => Some(lockstep),
                _ => None,
            })
            .map(|lockstep| {
                let z = lockstep.difference / (lockstep.deviation / (lockstep.pairs as f64).sqrt());
                let relative = lockstep.difference / lockstep.base;
                Decision {
                    kernel: lockstep.kernel.clone(),
                    variant: lockstep.variant,
                    loaded: lockstep.loaded,
                    claim: (z >= Z && relative > LEAST).then_some(Level::Note),
                    is_inconclusive: false,
                    is_unchanged: false,
                    estimate: Some(relative.ln_1p()),
                    interval: None,
                    install: None,
                    seconds: lockstep.seconds,
                }
            })
            .collect()
    }
}
