//! The gate's own engine, as the lab uses it: it plans what to measure, and decides.

use benchgate_core::judge::{Context, Observation, Outcome, decide};
use benchgate_core::model::{BenchmarkKey, Evidence, Finding, Metric, Sides};
use benchgate_core::policy::{Limits, Measure, Policy};
use benchgate_core::schedule::{Goal, Plan, Reading};

pub(crate) use benchgate_core::model::Stage;
pub(crate) use benchgate_core::schedule::Turn;

/// A run of the engine, at the policy's defaults.
pub(crate) struct Engine {
    plan: Plan,
}

impl Engine {
    /// A run over this many benchmarks.
    pub(crate) fn new(benchmarks: usize, seed: u64) -> Self {
        let goal = Goal::Compare { limits: Limits::default(), at_least: 0, baseline: None };
        let plan = Plan::new(vec![goal; benchmarks], Measure::default().pairs, seed);
        Self { plan: plan.with_layouts(Policy::default().build.layouts) }
    }

    /// The next turn; `None` at the end.
    pub(crate) fn next_turn(&mut self) -> Option<Turn> {
        self.plan.next_turn()
    }

    /// Records the pair of a turn, and the seconds of its slower process.
    pub(crate) fn record(&mut self, turn: &Turn, pair: Sides<f64>, seconds: f64) {
        self.plan.record(turn, Reading::of_times(pair), seconds);
    }
}

/// How many of the recorded pairs of a benchmark the engine takes, and whether it would have measured more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Screening pairs.
    pub(crate) screening: usize,
    /// Confirmation pairs.
    pub(crate) confirmation: usize,
    /// Whether the recorded pairs ended before the engine did.
    pub(crate) is_cut: bool,
}

/// Counts the pairs that the engine takes of a recorded run, which an earlier engine may have planned: pairs after its
/// decision are not its own, and a benchmark that runs out of pairs is decided as at the end of a budget.
pub(crate) fn taken(run: &[Evidence]) -> Vec<Taken> {
    let mut engine = Engine::new(run.len(), 0);
    let mut taken = vec![Taken::default(); run.len()];
    while let Some(turn) = engine.next_turn() {
        let pairs = run[turn.benchmark].stage(turn.stage);
        let at = turn.pair as usize;
        let pair = pairs.as_ref().map(|values| values.get(at).copied()).both();
        let of = &mut taken[turn.benchmark];
        match pair {
            Some(pair) => {
                match turn.stage {
                    Stage::Screening => of.screening += 1,
                    Stage::Confirmation => of.confirmation += 1,
                }
                engine.record(&turn, pair, 0.0);
            }
            None => {
                of.is_cut = true;
                engine.plan.record(&turn, Reading::Failed, 0.0);
            }
        }
    }
    taken
}

/// The decision of the engine on one benchmark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Judged {
    /// Its finding.
    pub(crate) finding: Finding,
    /// ln(head / base).
    pub(crate) estimate: f64,
    /// The stated 95 % interval of it.
    pub(crate) interval: (f64, f64),
}

/// Decides a whole run, in the order given: its candidates share its error. `None` for a benchmark without
/// a pair.
pub(crate) fn judge(run: Vec<Evidence>) -> Vec<Option<Judged>> {
    let observed = run.into_iter().enumerate().map(|(index, evidence)| Observation {
        // Results are in the order of their keys.
        key: BenchmarkKey::new("lab", "kernels", format!("{index:09}")),
        metric: Metric::TIME,
        outcome: Outcome::Compared { evidence: Box::new(evidence), renamed_from: None },
    });
    let result = decide(observed.collect(), Vec::new(), &Policy::default(), Context::default());
    let log = |bound: Option<f64>, none: f64| bound.map_or(none, f64::ln_1p);
    result
        .benchmarks
        .into_iter()
        .map(|report| {
            let change = report.change?;
            Some(Judged {
                finding: report.finding,
                estimate: change.estimate.ln_1p(),
                interval: (log(change.lower, f64::NEG_INFINITY), log(change.upper, f64::INFINITY)),
            })
        })
        .collect()
}
