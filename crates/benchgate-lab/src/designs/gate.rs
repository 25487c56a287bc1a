//! The gate itself: recorded pairs, judged by its own engine.

use std::collections::BTreeMap;

use benchgate_core::model::Finding;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::{Decision, Design};
use crate::engine::{Engine, Measured, Stage, judge};
use crate::raw::{Gate, Pair, Raw, Sequence};
use crate::variant::Variant;

/// Decisions that were measured for themselves.
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
                Raw::Gate(gate) => runs.entry((recording, gate.cycle)).or_default().push(gate),
                _ => {}
            }
        }
        runs.into_values().flat_map(|run| decide(&run)).collect()
    }
}

/// A run is judged as a whole: its benchmarks share its error.
fn decide(run: &[&Gate]) -> Vec<Decision> {
    let values = |pairs: &[Pair]| pairs.iter().map(|pair| [pair.0, pair.1]).collect();
    let measured: Vec<Measured> = run
        .iter()
        .map(|gate| Measured {
            screening: values(&gate.screening),
            confirmation: values(&gate.confirmation),
        })
        .collect();
    let judged = judge(&measured);
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
                estimate: Some(judged.estimate),
                interval: Some(judged.interval),
                seconds: gate.screening.iter().chain(&gate.confirmation).map(|pair| pair.4).sum(),
            })
        })
        .collect()
}

/// The fewest recorded pairs that are drawn from: fewer would be the same pair again and again.
const LEAST_RECORDED: usize = 40;

/// Runs of the engine over pairs drawn with replacement from the long recorded sequences, so that fresh
/// pairs are drawn apart from the first ones. Many more decisions than could be measured, but of one
/// sample: what that sample has by chance, all of them have.
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
            cycle: run,
            kernel: kernel.clone(),
            variant: *variant,
            loaded: false,
            screening: Vec::new(),
            confirmation: Vec::new(),
        })
        .collect();
    while let Some(turn) = engine.next_turn() {
        let pairs = &recorded[turn.benchmark].1;
        let gate = &mut sequences[turn.benchmark];
        let pair = pairs[random.next_u64() as usize % pairs.len()];
        match turn.stage {
            Stage::Screening => gate.screening.push(pair),
            Stage::Confirmation => gate.confirmation.push(pair),
        }
        engine.tell(&turn, [pair.0, pair.1], pair.4 / 2.0);
    }
    decide(&sequences.iter().collect::<Vec<_>>())
}
