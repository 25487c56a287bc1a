//! The published comparison of NoProto with five other formats, and prost in addition: the same values
//! in each, the same work done by each.
//!
//! Nothing here measures by itself: what the suites in `suites/` time and count is in
//! [`libraries`], and the values are in [`model`].

pub mod generated;
pub mod libraries;
pub mod model;
pub mod recorded;
pub mod sizes;
pub mod tables;
pub mod timing;
