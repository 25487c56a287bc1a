//! The interface of a design, and its decisions.

use benchgate_core::model::Level;

use crate::raw::Raw;
use crate::variant::Variant;

/// Which executables a decision of the gate is about: other ones lie elsewhere in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Install {
    /// The recording: each compiles the kernels in a separate folder.
    pub(crate) build: usize,
    /// The run: each links them in another order.
    pub(crate) run: u32,
}

/// The decision of a design on one benchmark.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decision {
    /// Kernel.
    pub(crate) kernel: String,
    /// The head.
    pub(crate) variant: Variant,
    /// Whether busy processes ran alongside.
    pub(crate) loaded: bool,
    /// The level that it claims; a design that does not report sizes claims [`Level::Note`].
    pub(crate) claim: Option<Level>,
    /// Whether it is inconclusive.
    pub(crate) is_inconclusive: bool,
    /// Whether it says that nothing changed, or that it is not slower: both pass. Designs without such an answer never do.
    pub(crate) is_unchanged: bool,
    /// ln(head / base), by designs that state it.
    pub(crate) estimate: Option<f64>,
    /// The stated 95 % interval of it.
    pub(crate) interval: Option<(f64, f64)>,
    /// The executables, of decisions of the gate that were measured individually.
    pub(crate) install: Option<Install>,
    /// Measuring time, both sides.
    pub(crate) seconds: f64,
}

/// A design.
pub(crate) trait Design: Sync {
    /// Its name in tables.
    fn name(&self) -> &'static str;

    /// Whether it reports the size of a slowdown.
    fn reports_sizes(&self) -> bool {
        true
    }

    /// Every decision that the raw data hold for it.
    fn decisions(&self, raw: &[Raw]) -> Vec<Decision>;
}

/// The three thresholds that other designs use too, as fractions.
const SIZES: [(Level, f64); 3] =
    [(Level::Critical, 0.10), (Level::Warning, 0.05), (Level::Note, 0.02)];

/// The level of a ratio by itself, without proof.
pub(super) fn level_of(ratio: f64) -> Option<Level> {
    SIZES.into_iter().find(|(_, size)| ratio > 1.0 + size).map(|(level, _)| level)
}
