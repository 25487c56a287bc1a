//! Statistics of small samples: no random numbers, total on any input. What decides is distribution-free; the normal
//! distribution is for chains of many runs.
//!
//! Each is a few lines and part of the product, so there is no dependency for it; the tests compare them
//! with published tables, exhaustive enumeration and simulated coverage.

mod family;
mod normal;
mod order;
mod rank;

pub use family::holm;
pub use normal::normal_quantile;
pub use order::{lower_median, mean, median, median_bounds, quantile, sign_p};
pub use rank::{shift, shift_bounds};

/// An interval for a centre; infinite on a side where the sample is too small for the requested error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The true centre is below this with at most the stated error.
    pub lower: f64,
    /// The true centre is above this with at most the stated error.
    pub upper: f64,
}

impl Bounds {
    /// Nothing is excluded.
    pub const NONE: Self = Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
}
