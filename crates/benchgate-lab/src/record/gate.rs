//! Whole runs of the gate: all benchmarks in one plan, each measured as its engine plans.

use benchgate_core::model::Sides;
use benchgate_host::HostError;
use rand_core::Rng;

use super::sequences::pair;
use super::{Bench, one_of, slowdowns_of};
use crate::engine::{Engine, Stage};
use crate::kernels::SMALL;
use crate::raw::{Gate, Raw};
use crate::variant::{Family, Variant};

/// Decisions without a change, per kernel and cycle.
const UNCHANGED: usize = 15;

/// Slowdowns per kernel and cycle.
const SLOWDOWNS: usize = 2;

/// Decisions on the kernel of a few nanoseconds, per cycle.
const SMALL_ONES: usize = 6;

/// A run of the gate in which most benchmarks are unchanged, as in practice.
pub(crate) fn cycle(bench: &mut Bench, cycle: u32) -> Result<(), HostError> {
    let mut variants = vec![Variant::Same; UNCHANGED];
    variants.extend(slowdowns_of(cycle, SLOWDOWNS));
    variants.extend([Family::Address, Family::Heap].map(|family| one_of(family, cycle)));
    variants.push(one_of(Family::Unaligned, cycle));
    let all = of_kernels(bench, &variants);
    run(bench, 2 * cycle, all)
}

/// A run of the gate in which most benchmarks are slower: for power, which needs many decisions.
pub(crate) fn slowdowns(bench: &mut Bench, cycle: u32) -> Result<(), HostError> {
    let mut variants = Variant::of(Family::Slower);
    variants.extend([Family::Address, Family::Heap].map(|family| one_of(family, cycle)));
    let mut all = of_kernels(bench, &variants);
    all.extend([(SMALL, Variant::Small); SMALL_ONES]);
    run(bench, 2 * cycle + 1, all)
}

fn of_kernels(bench: &Bench, variants: &[Variant]) -> Vec<(&'static str, Variant)> {
    let of = |variant: &Variant| {
        let variant = *variant;
        bench.decided.iter().map(move |kernel| (*kernel, variant))
    };
    variants.iter().flat_map(of).collect()
}

fn run(bench: &mut Bench, run: u32, all: Vec<(&'static str, Variant)>) -> Result<(), HostError> {
    let mut decisions: Vec<Gate> = all
        .into_iter()
        .map(|(kernel, variant)| Gate {
            run,
            kernel: kernel.to_owned(),
            variant,
            loaded: bench.loaded,
            screening: Vec::new(),
            confirmation: Vec::new(),
            layouts: Vec::new(),
            order: Vec::new(),
        })
        .collect();
    let mut engine = Engine::new(decisions.len(), bench.random.next_u64());
    let mut place = 0;
    while let Some(turn) = engine.next_turn() {
        let decision = &mut decisions[turn.benchmark];
        let (kernel, variant, nuisance) = (&decision.kernel, decision.variant, turn.nuisance);
        // The gate's copies of screening come again after 30 pairs.
        let layout = turn.layout.unwrap_or(0);
        let pair = pair(bench, kernel, variant, turn.first, nuisance, layout)?;
        match turn.stage {
            Stage::Screening => decision.screening.push(pair),
            Stage::Confirmation => decision.confirmation.push(pair),
        }
        decision.layouts.extend(turn.layout);
        decision.order.push(place);
        place += 1;
        engine.record(&turn, Sides::new(pair.0, pair.1), pair.4 / 2.0);
    }
    decisions.into_iter().try_for_each(|decision| bench.raw.write(&Raw::Gate(decision)))
}
