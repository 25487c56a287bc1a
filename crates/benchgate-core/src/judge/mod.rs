//! From values to findings, from findings to a verdict. [`decide`] is the only entry point.
//!
//! `docs/decision.md` describes this module.

mod again;
mod conclude;
mod confirm;
mod counters;
mod counts;
mod decide;
mod drift;
mod earlier;
mod effect;
mod findings;
mod instructions;
mod layout;
mod limited;
pub mod looks;
mod matches;
mod merge;
mod minority;
mod pairs;
mod records;
mod red;
mod rules;
mod screen;
mod unpaired;
mod unused;
mod verdict;
mod waive;
mod words;

pub use again::contradictions;
pub use conclude::{Conclusion, conclude};
pub use confirm::{Confirmed, Family, confirm};
pub use counters::counters;
pub use counts::Counted;
pub use decide::{Context, decide};
pub use earlier::{Earlier, EarlierError, Known};
pub use effect::Effect;
pub use findings::{Observation, Outcome};
pub(crate) use instructions::MORE_WORK;
pub(crate) use limited::{Limited, OneSide};
pub use matches::{Match, match_sides};
pub use merge::{MergeError, Merging, merge, notice_of_shard};
pub use minority::Minority;
pub use pairs::Pairs;
pub use records::{new_ones, observe_records, unmatched};
pub use red::red_in_any_layout;
pub use screen::{Screened, screen};
pub use unused::unused_entries;
pub use verdict::{lacks_something, lacks_values};
pub use waive::{Trailer, suggestion, waiver};
