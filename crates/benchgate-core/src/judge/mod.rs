//! From values to findings, from findings to a verdict.
//!
//! `docs/decision.md` is the prose twin of this module.

mod counts;
mod matching;
mod records;
mod rules;
mod run;
mod time;

pub use counts::Counted;
pub use matching::{Match, match_sides};
pub use records::{RecordsError, new_ones, observe_records, unmatched};
pub use rules::judge_rules;
pub use run::{Observed, Outcome, judge, verdict};
pub use time::{BOUND_ERROR, Evidence, MIN_PAIRS};
