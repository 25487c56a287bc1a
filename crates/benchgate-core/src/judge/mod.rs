//! From values to findings, from findings to a verdict.
//!
//! `docs/decision.md` is the prose twin of this module.

mod again;
mod confirm;
mod counts;
mod drift;
mod layout;
pub mod looks;
mod matching;
mod pairs;
mod records;
mod rules;
mod run;
mod screen;
mod sequence;
mod time;
mod verdict;
mod waive;

pub use again::contradictions;
pub use confirm::{Confirmed, Family, confirm, p_value, standing};
pub use counts::Counted;
pub use layout::{Instructions, Layout};
pub use looks::RUN_ERROR;
pub use matching::{Match, match_sides};
pub use pairs::{PROVEN_SHARE, Pairs};
pub use records::{RecordsError, new_ones, observe_records, unmatched};
pub use rules::{NOT_BUILT, judge_rules};
pub use run::{Compared, Observed, Outcome, judge};
pub use screen::{Screened, screen};
pub use sequence::{Conclusion, Sequence, Stage};
pub use time::{BOUND_ERROR, Evidence, MIN_PAIRS};
pub use verdict::verdict;
pub use waive::{Request, Trailer, suggestion, waive};
