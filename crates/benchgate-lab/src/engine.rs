//! The gate's own engine, as the lab uses it: to be asked what to measure, and to judge.

use benchgate_core::judge::Evidence;
use benchgate_core::model::{Finding, Side};
use benchgate_core::policy::Limits;
use benchgate_core::schedule::{self, Schedule};

/// What a pair is measured for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// To find what may be different.
    Screening,
    /// To prove it with fresh pairs.
    Confirmation,
}

/// What the engine wants measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Index of the benchmark.
    pub(crate) benchmark: usize,
    /// What for.
    pub(crate) stage: Stage,
    /// The side that runs first.
    pub(crate) first: Side,
    /// More samples, longer path.
    pub(crate) nuisance: (u32, u32),
}

/// A run of the engine.
pub(crate) struct Engine {
    schedule: Schedule,
}

/// Base and head in nanoseconds, pair by pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Measured {
    /// The first pairs.
    pub(crate) screening: Vec<[f64; 2]>,
    /// Fresh pairs.
    pub(crate) confirmation: Vec<[f64; 2]>,
}

/// What the engine says of one benchmark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Judged {
    /// Its finding.
    pub(crate) finding: Finding,
    /// ln(head / base).
    pub(crate) estimate: f64,
    /// The stated 95 % interval of it.
    pub(crate) interval: (f64, f64),
}

impl Engine {
    /// A run over so many benchmarks.
    pub(crate) fn new(benchmarks: usize, seed: u64) -> Self {
        Self { schedule: Schedule::new(benchmarks, 15, seed) }
    }

    /// What to measure next; `None` at the end.
    pub(crate) fn next_turn(&mut self) -> Option<Turn> {
        let schedule::Turn { benchmark, pair, first } = self.schedule.next_turn()?;
        let nuisance = (pair * 7 % 16, pair * 37 % 64);
        Some(Turn { benchmark, stage: Stage::Screening, first, nuisance })
    }

    /// What a turn gave, and seconds of its slower process.
    pub(crate) fn tell(&mut self, _turn: &Turn, _pair: [f64; 2], _seconds: f64) {}
}

/// Judges a whole run. `None` for a benchmark without a pair.
pub(crate) fn judge(run: &[Measured]) -> Vec<Option<Judged>> {
    let limits = Limits::default();
    run.iter()
        .map(|measured| {
            let [base, head] = [0, 1]
                .map(|side| measured.screening.iter().map(|pair| pair[side]).collect::<Vec<_>>());
            let evidence = Evidence::paired(&base, &head)?;
            Some(Judged {
                finding: evidence.judge(&limits).0,
                estimate: evidence.estimate,
                interval: (evidence.bounds.lower, evidence.bounds.upper),
            })
        })
        .collect()
}
