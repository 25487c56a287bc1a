//! The benchmark suites the gate measures.
