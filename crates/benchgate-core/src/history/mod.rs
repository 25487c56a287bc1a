//! How benchmarks changed from merge to merge.
//!
//! A run on the default branch leaves a [`Record`]. Its values are ratios of paired rounds, head to base on one machine,
//! so that a chain of them shows changes of the code: a new machine, kernel or compiler changes both sides of a pair.

mod record;
mod series;
mod shifts;

pub use record::{RECORD_SCHEMA, Ratio, Record, Row, SuiteRecord};
pub use series::{Event, History, Point, Series, SeriesKey};
pub use shifts::{ERROR, Increment, Shift, shifts};
