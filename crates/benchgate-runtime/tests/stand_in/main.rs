//! The stand-in, compiled: programs that are written as for Criterion run with it, alone and led.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

mod alone;
mod built;
mod led;
mod walk;
