//! Plans what to run next. It returns turns, takes their readings and runs nothing itself, so tests can
//! simulate whole gates.

mod draw;
mod estimate;
mod gathered;
mod item;
mod long_calls;
mod memory;
mod pace;
mod pair_of_values;
mod plan;
mod relation;
mod repeats;
mod series;
mod slices;
mod track;

pub use draw::{Draw, Nuisance};
pub use estimate::{Estimate, estimate, loads};
pub use gathered::Gathered;
pub use item::{Goal, Measurements, Values};
pub use long_calls::LongCall;
pub use memory::fits;
pub use pace::{first_patience, is_to_try, pace_after};
pub use plan::{Plan, Reading, Turn};
pub use relation::{PAIRS_FOR_RULE, Relation};
pub use repeats::Repeat;
pub use slices::{Pilot, PilotSlices, Slice, Slices, Trial, Waiting};

/// Maximum number of benchmarks whose instructions are counted in one run: under valgrind each takes seconds.
pub const MOST_COUNTED: usize = 20;
