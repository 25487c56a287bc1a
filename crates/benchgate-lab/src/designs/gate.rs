//! The gate itself: its engine judges recorded pairs.

use std::collections::BTreeMap;

use benchgate_core::model::{Evidence, Finding, Rounds, Sides};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::{Decision, Design};
use crate::engine::{Engine, Stage, judge, taken};
use crate::raw::{Gate, Pair, Raw, Sequence};
use crate::variant::Variant;

/// Decisions that were measured individually.
pub(crate) struct Benchgate;

impl Design for Benchgate {
    fn name(&self) -> &'static str {
        "benchgate"
    }

    fn decisions(&self, raw: &[Raw]) -> Vec<Decision> {
        let mut runs: BTreeMap<(usize, u32), Vec<&Gate>> = BTreeMap::new();
        let mut recording = 0;
        for raw in raw {
            match raw {
                Raw::Run(_) => recording += 1,
                Raw::Gate(gate) => runs.entry((recording, gate.run)).or_default().push(gate),
                _ => {}
            }
        }
        runs.into_values().flat_map(|run| decide(&taken_of(&run))).collect()
    }
}

/// The pairs of a recorded run that this engine takes.
fn taken_of(run: &[&Gate]) -> Vec<Gate> {
    let taken = taken(&measured(run.iter().copied()));
    run.iter()
        .zip(taken)
        .map(|(gate, taken)| {
            let mut gate = (*gate).clone();
            gate.screening.truncate(taken.screening);
            gate.confirmation.truncate(taken.confirmation);
            gate
        })
        .collect()
}

fn measured<'a>(run: impl Iterator<Item = &'a Gate>) -> Vec<Evidence> {
    let rounds = |pairs: &[Pair]| {
        let (base, head) = pairs.iter().map(|pair| (pair.0, pair.1)).unzip();
        Rounds { base, head }
    };
    run.map(|gate| Evidence {
        rounds: rounds(&gate.screening),
        confirmation: rounds(&gate.confirmation),
        ..Evidence::default()
    })
    .collect()
}

/// A run is judged as a whole: its benchmarks share its error.
fn decide(run: &[Gate]) -> Vec<Decision> {
    let judged = judge(measured(run.iter()));
    run.iter()
        .zip(judged)
        .filter_map(|(gate, judged)| {
            let judged = judged?;
            Some(Decision {
                kernel: gate.kernel.clone(),
                variant: gate.variant,
                loaded: gate.loaded,
                claim: judged.finding.level(),
                is_inconclusive: judged.finding == Finding::Inconclusive,
                is_unchanged: judged.finding == Finding::Unchanged,
                estimate: Some(judged.estimate),
                interval: Some(judged.interval),
                seconds: gate.screening.iter().chain(&gate.confirmation).map(|pair| pair.4).sum(),
            })
        })
        .collect()
}

/// Minimum number of recorded pairs to draw from: fewer would repeat the same pairs.
const LEAST_RECORDED: usize = 40;

/// Runs of the engine over the long recorded sequences, each stage from its own random starting point
/// and on from there in the recorded order, which keeps the correlation between pairs. Many more decisions
/// than could be measured, but of one sample: they share its random error.
pub(crate) fn replayed(raw: &[Raw], runs: u32) -> Vec<Decision> {
    let mut recorded: BTreeMap<(String, Variant), Vec<Pair>> = BTreeMap::new();
    for raw in raw {
        if let Raw::Sequence(Sequence { kernel, variant, pairs, .. }) = raw {
            recorded.entry((kernel.clone(), *variant)).or_default().extend(pairs);
        }
    }
    let recorded: Vec<_> =
        recorded.into_iter().filter(|(_, pairs)| pairs.len() >= LEAST_RECORDED).collect();
    (0..runs).flat_map(|run| replay(&recorded, run)).collect()
}

fn replay(recorded: &[((String, Variant), Vec<Pair>)], run: u32) -> Vec<Decision> {
    let mut random = ChaCha8Rng::seed_from_u64(u64::from(run));
    let mut engine = Engine::new(recorded.len(), random.next_u64());
    let mut sequences: Vec<Gate> = recorded
        .iter()
        .map(|((kernel, variant), _)| Gate {
            run,
            kernel: kernel.clone(),
            variant: *variant,
            loaded: false,
            screening: Vec::new(),
            confirmation: Vec::new(),
        })
        .collect();
    let places: Vec<[usize; 2]> =
        recorded.iter().map(|_| [0, 1].map(|_| random.next_u32() as usize)).collect();
    while let Some(turn) = engine.next_turn() {
        let pairs = &recorded[turn.benchmark].1;
        let gate = &mut sequences[turn.benchmark];
        let place = places[turn.benchmark][usize::from(turn.stage == Stage::Confirmation)];
        let pair = pairs[(place + turn.pair as usize) % pairs.len()];
        match turn.stage {
            Stage::Screening => gate.screening.push(pair),
            Stage::Confirmation => gate.confirmation.push(pair),
        }
        engine.record(&turn, Sides::new(pair.0, pair.1), pair.4 / 2.0);
    }
    decide(&sequences)
}

#[cfg(test)]
mod tests {
    use benchgate_core::model::Level;

    use super::*;
    use crate::raw;
    use crate::variant::Family;

    #[test]
    fn what_was_recorded_alongside_busy_processes_without_a_change_is_never_red() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/accuracy");
        let raw = raw::read(&folder).unwrap();
        let decisions = Benchgate.decisions(&raw);
        let unchanged: Vec<&Decision> = decisions
            .iter()
            .filter(|decision| decision.loaded)
            .filter(|decision| !matches!(decision.variant.family(), Family::Slower))
            .filter(|decision| decision.variant.is_aligned())
            .collect();
        assert!(unchanged.len() >= 100, "{} decisions", unchanged.len());
        let red = unchanged.iter().filter(|decision| decision.claim == Some(Level::Critical));
        assert_eq!(red.count(), 0);
        // The busy processes did disturb the measurement: the seconds show it.
        let median = |loaded| {
            let seconds: Vec<f64> = decisions
                .iter()
                .filter(|decision| decision.loaded == loaded && decision.variant == Variant::Same)
                .map(|decision| decision.seconds)
                .collect();
            crate::stats::median(&seconds)
        };
        assert!(median(true) > median(false), "{} {}", median(true), median(false));
    }
}
