//! What else runs on the machine while benchmarks are measured.

use std::time::{Duration, Instant};

use crate::system::platform;

/// From the beginning of what is measured to its end.
pub struct Others {
    began: Instant,
    /// CPU time of others by then; `None` if unknown.
    used: Option<Duration>,
}

impl Others {
    /// Begins.
    pub fn begin() -> Self {
        Self { began: Instant::now(), used: platform::time_of_others() }
    }

    /// How many processors others used on average since then, and how many there are; `None` if unknown.
    pub fn end(self) -> Option<(f64, usize)> {
        let used = platform::time_of_others()?.saturating_sub(self.used?);
        let processors = platform::processors().ok()?.len();
        Some((used.as_secs_f64() / self.began.elapsed().as_secs_f64(), processors))
    }
}
