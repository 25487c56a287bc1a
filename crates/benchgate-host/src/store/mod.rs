//! What is kept between runs: baselines, bases, rounds, history.

pub mod baselines;
pub mod bases;
pub mod history;
pub mod journal;
pub mod sources;
