//! The JSON that crosses from measuring and judging to rendering.
//!
//! Versioned by module: a change that an old reader would misread gets a `v2`.

mod v1;
mod waivers;

pub use v1::*;
pub use waivers::{WaiverReport, WaiverSource, WaiverState, Waivers};
