//! The gate itself: its engine judges recorded pairs.

use std::collections::BTreeMap;

use benchgate_core::model::{Evidence, Finding, Rounds, Sides};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::{Decision, Design, Install};
use crate::engine::{Engine, Stage, Taken, judge, taken};
use crate::raw::{Gate, Pair, Raw, Sequence, builds};
use crate::variant::Variant;

/// Decisions that were measured individually.
pub(crate) struct Benchgate;

impl Design for Benchgate {
    fn name(&self) -> &'static str {
        "benchgate"
    }

    fn decisions(&self, raw: &[Raw]) -> Vec<Decision> {
        let counts = counts(raw);
        let decide = |(install, run): (Install, Vec<&Gate>)| {
            decide(&taken_of(&run), Some(install), counts.get(&install.build))
        };
        runs(raw).into_iter().flat_map(decide).collect()
    }
}

fn runs(raw: &[Raw]) -> BTreeMap<Install, Vec<&Gate>> {
    let mut runs: BTreeMap<Install, Vec<&Gate>> = BTreeMap::new();
    for (build, raw) in builds(raw) {
        for raw in raw {
            if let Raw::Gate(gate) = raw {
                runs.entry(Install { build, run: gate.run }).or_default().push(gate);
            }
        }
    }
    runs
}

/// Instructions of one iteration, by kernel and variant.
type Counts<'a> = BTreeMap<(&'a str, Variant), f64>;

/// The counts of each build.
fn counts(raw: &[Raw]) -> BTreeMap<usize, Counts<'_>> {
    let mut counts: BTreeMap<usize, Counts<'_>> = BTreeMap::new();
    for (build, raw) in builds(raw) {
        for raw in raw {
            if let Raw::Instructions(it) = raw {
                counts.entry(build).or_default().insert((&it.kernel, it.variant), it.count);
            }
        }
    }
    counts
}

/// How many decisions were recorded, and of how many this engine would have measured other pairs.
pub(crate) fn planned(raw: &[Raw]) -> (usize, usize) {
    runs(raw).into_values().fold((0, 0), |(all, others), run| {
        let taken = taken(&measured(run.iter().copied(), None));
        let is_other = |(gate, taken): &(&&Gate, Taken)| {
            let recorded = (gate.screening.len(), gate.confirmation.len());
            taken.is_cut || recorded != (taken.screening, taken.confirmation)
        };
        (all + run.len(), others + run.iter().zip(taken).filter(is_other).count())
    })
}

/// The pairs of a recorded run that this engine takes.
fn taken_of(run: &[&Gate]) -> Vec<Gate> {
    let taken = taken(&measured(run.iter().copied(), None));
    run.iter()
        .zip(taken)
        .map(|(gate, taken)| {
            let mut gate = (*gate).clone();
            gate.screening.truncate(taken.screening);
            gate.confirmation.truncate(taken.confirmation);
            gate.layouts.truncate(taken.confirmation);
            gate
        })
        .collect()
}

fn measured<'a>(run: impl Iterator<Item = &'a Gate>, counts: Option<&Counts<'_>>) -> Vec<Evidence> {
    let rounds = |pairs: &[Pair]| {
        let (base, head) = pairs.iter().map(|pair| (pair.0, pair.1)).unzip();
        Rounds { base, head }
    };
    let count = |kernel: &str, variant| counts?.get(&(kernel, variant)).copied();
    run.map(|gate| {
        let of = [Variant::Same, gate.variant].map(|variant| count(&gate.kernel, variant));
        // The gate counts those of candidates.
        let instructions = match of {
            [Some(base), Some(head)] if !gate.confirmation.is_empty() => {
                Some(Sides::new(base, head))
            }
            _ => None,
        };
        Evidence {
            rounds: rounds(&gate.screening),
            confirmation: rounds(&gate.confirmation),
            layouts: gate.layouts.clone(),
            instructions,
            ..Evidence::default()
        }
    })
    .collect()
}

/// A run is judged as a whole: its benchmarks share its error.
fn decide(run: &[Gate], install: Option<Install>, counts: Option<&Counts<'_>>) -> Vec<Decision> {
    let judged = judge(measured(run.iter(), counts));
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
                is_unchanged: matches!(judged.finding, Finding::Unchanged | Finding::NotSlower),
                estimate: Some(judged.estimate),
                interval: Some(judged.interval),
                install,
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
            layouts: Vec::new(),
            order: Vec::new(),
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
        gate.layouts.extend(turn.layout);
        engine.record(&turn, Sides::new(pair.0, pair.1), pair.4 / 2.0);
    }
    decide(&sequences, None, None)
}

#[cfg(test)]
mod tests {
    use benchgate_core::model::Level;

    use super::*;
    use crate::raw;
    use crate::variant::Family;

    #[test]
    fn what_was_recorded_alongside_busy_processes_without_a_change_is_never_red() {
        let folder =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/evidence/accuracy");
        let raw = raw::read(&folder).unwrap();
        let decisions = Benchgate.decisions(&raw);
        let unchanged: Vec<&Decision> = decisions
            .iter()
            .filter(|decision| decision.loaded)
            .filter(|decision| !matches!(decision.variant.family(), Family::Slower | Family::Small))
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
