//! How much of a slowdown is accepted.

use serde::{Deserialize, Serialize};

use crate::model::{Change, Metric};

/// The maximum that is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Ceiling {
    /// Head against base, as a fraction: 0.13 is 13 % more.
    Change(f64),
    /// The head's count, whatever the base's was: from nothing to something is not a percentage.
    Count(f64),
}

impl Ceiling {
    /// Whether a change is within it, and the head's count.
    pub fn allows(self, change: Option<f64>, head: Option<f64>) -> bool {
        match self {
            Self::Change(most) => change.is_some_and(|change| change <= most + ROUNDING),
            Self::Count(most) => head.is_some_and(|head| head <= most),
        }
    }

    /// Whether a slowdown is possible, and everything that is possible is within it.
    pub fn covers(self, change: Option<&Change>) -> bool {
        match (self, change.and_then(|change| change.upper)) {
            (Self::Change(most), Some(upper)) => upper > 0.0 && upper <= most + ROUNDING,
            _ => false,
        }
    }

    /// As it is written in a trailer: `13%`, `2 blocks`.
    pub fn written(self, metric: &Metric) -> String {
        match self {
            // A fraction that was a percentage once is one again.
            Self::Change(most) => format!("{}%", (most * 1e8).round() / 1e6),
            Self::Count(most) => format!("{most} {}", metric.unit()),
        }
    }
}

/// 13 % as a fraction is not exactly 0.13.
const ROUNDING: f64 = 1e-9;
