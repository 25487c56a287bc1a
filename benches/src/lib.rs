//! The benchmark suites the gate measures: what they share.

pub mod flatstream;
