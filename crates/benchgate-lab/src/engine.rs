//! The gate's own engine, as the lab uses it: to be asked what to measure, and to judge.

use benchgate_core::judge::{Sequence, standing};
use benchgate_core::model::Finding;
use benchgate_core::policy::{Limits, Measure};
use benchgate_core::result::Rounds;
use benchgate_core::schedule::{Goal, Plan, Seen};

pub(crate) use benchgate_core::judge::Stage;
pub(crate) use benchgate_core::schedule::Turn;

/// A run of the engine, at the policy's defaults.
pub(crate) struct Engine {
    plan: Plan,
}

impl Engine {
    /// A run over so many benchmarks.
    pub(crate) fn new(benchmarks: usize, seed: u64) -> Self {
        let goal = Goal::Compare { limits: Limits::default(), at_least: 0, baseline: None };
        Self { plan: Plan::new(vec![goal; benchmarks], Measure::default().pairs, seed) }
    }

    /// What to measure next; `None` at the end.
    pub(crate) fn next_turn(&mut self) -> Option<Turn> {
        self.plan.next_turn()
    }

    /// What a turn gave, and seconds of its slower process.
    pub(crate) fn tell(&mut self, turn: &Turn, pair: [f64; 2], seconds: f64) {
        self.plan.tell(turn, Seen::Pair(pair), seconds);
    }
}

/// Base and head in nanoseconds, pair by pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Measured {
    /// The first pairs.
    pub(crate) screening: Vec<[f64; 2]>,
    /// Fresh pairs.
    pub(crate) confirmation: Vec<[f64; 2]>,
}

/// Of which benchmarks of a recorded run the engine would have asked for more than was recorded.
pub(crate) fn unfinished(run: &[Measured]) -> Vec<bool> {
    let mut engine = Engine::new(run.len(), 0);
    let mut unfinished = vec![false; run.len()];
    while let Some(turn) = engine.next_turn() {
        let Measured { screening, confirmation } = &run[turn.benchmark];
        let pairs = match turn.stage {
            Stage::Screening => screening,
            Stage::Confirmation => confirmation,
        };
        match pairs.get(turn.pair as usize) {
            Some(pair) => engine.tell(&turn, *pair, 0.0),
            None => {
                unfinished[turn.benchmark] = true;
                engine.plan.tell(&turn, Seen::Nothing, 0.0);
            }
        }
    }
    unfinished
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

/// Judges a whole run: its candidates share its error. `None` for a benchmark without a pair.
pub(crate) fn judge(run: &[Measured]) -> Vec<Option<Judged>> {
    let limits = Limits::default();
    let sequences: Vec<Sequence> = run
        .iter()
        .map(|measured| Sequence {
            screening: rounds(&measured.screening),
            confirmation: rounds(&measured.confirmation),
        })
        .collect();
    let p_values: Vec<Option<f64>> =
        sequences.iter().map(|sequence| sequence.p_value(&limits)).collect();
    let candidates: Vec<f64> = p_values.iter().flatten().copied().collect();
    let mut stand = standing(&candidates).into_iter();
    sequences
        .iter()
        .zip(p_values)
        .map(|(sequence, p_value)| {
            let stands = p_value.is_some() && stand.next().unwrap_or(false);
            let conclusion = sequence.conclude(&limits, stands)?;
            let change = conclusion.change;
            let log = |bound: Option<f64>, none: f64| bound.map_or(none, f64::ln_1p);
            Some(Judged {
                finding: conclusion.finding,
                estimate: change.estimate.ln_1p(),
                interval: (log(change.lower, f64::NEG_INFINITY), log(change.upper, f64::INFINITY)),
            })
        })
        .collect()
}

fn rounds(pairs: &[[f64; 2]]) -> Rounds {
    let side = |side: usize| pairs.iter().map(|pair| pair[side]).collect();
    Rounds { base: side(0), head: side(1) }
}
