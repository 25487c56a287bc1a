//! Memory that the processes of both sides held.

use super::{Side, Sides, Unit};

/// Bytes that a side's process held at most, and whether the sides took turns because both did not fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Most bytes of one process of each side.
    pub peaks: Sides<u64>,
    /// Whether one process ended before the other side's began.
    pub in_turn: bool,
}

impl Held {
    /// Bytes of both processes together.
    pub fn both(self) -> u64 {
        self.peaks.base.saturating_add(self.peaks.head)
    }

    /// Bytes of both processes together, as reports show them.
    pub fn shown(self) -> String {
        Unit::Bytes.show(self.both() as f64)
    }

    /// What both held at most, of two walks.
    pub fn most(self, other: Self) -> Self {
        let most = |side: Side| self.peaks[side].max(other.peaks[side]);
        Self {
            peaks: Sides::new(most(Side::Base), most(Side::Head)),
            in_turn: self.in_turn || other.in_turn,
        }
    }
}
