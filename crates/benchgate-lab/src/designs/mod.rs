//! Designs of a gate, as functions from raw data to decisions. A design is a file and a line of
//! [`ALL`].

mod blocks;
mod criterion;
mod gate;
mod lockstep;

use benchgate_core::model::Level;

use crate::raw::Raw;
use crate::variant::Variant;

pub(crate) use gate::replayed;

/// What a design says of one benchmark.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decision {
    /// Kernel.
    pub(crate) kernel: String,
    /// The head.
    pub(crate) variant: Variant,
    /// Whether busy processes ran beside.
    pub(crate) loaded: bool,
    /// What it claims; a design that knows no sizes claims [`Level::Note`].
    pub(crate) claim: Option<Level>,
    /// Whether it says that it cannot say.
    pub(crate) is_inconclusive: bool,
    /// ln(head / base), by designs that state it.
    pub(crate) estimate: Option<f64>,
    /// The stated 95 % interval of it.
    pub(crate) interval: Option<(f64, f64)>,
    /// Measuring time, both sides.
    pub(crate) seconds: f64,
}

/// A design.
pub(crate) trait Design: Sync {
    /// As tables name it.
    fn name(&self) -> &'static str;

    /// Whether it tells how large a slowdown is.
    fn knows_sizes(&self) -> bool {
        true
    }

    /// Every decision that the raw data hold for it.
    fn decisions(&self, raw: &[Raw]) -> Vec<Decision>;
}

/// All designs, in the order of the tables.
pub(crate) static ALL: [&dyn Design; 8] = [
    &gate::Benchgate,
    &criterion::CRITCMP_MEAN,
    &criterion::CRITCMP_MEDIAN,
    &criterion::VERDICT,
    &criterion::VERDICT_AT_DEFAULTS,
    &criterion::TWICE,
    &blocks::UTest,
    &lockstep::Tango,
];

/// The three sizes that peers are given, too, as fractions.
const SIZES: [(Level, f64); 3] =
    [(Level::Critical, 0.10), (Level::Warning, 0.05), (Level::Note, 0.02)];

/// The level of a ratio by itself, without proof.
fn level_of(ratio: f64) -> Option<Level> {
    SIZES.into_iter().find(|(_, size)| ratio > 1.0 + size).map(|(level, _)| level)
}
