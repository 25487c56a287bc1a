//! Change points in simulated histories: the real engine measures every merge, the real search looks for changes.

use std::thread;

use benchgate_core::history::{ERROR, Increment, Shift, shifts};
use benchgate_core::model::{Evidence, Side};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde::Serialize;

use super::noise::{Benchmark, Noise};
use crate::engine::{Engine, judge};

/// Merges of a history.
const MERGES: usize = 1_000;

/// A step, as a fraction.
const STEP: f64 = 0.03;

/// A step of a creep, and the number of steps.
const SMALL_STEP: f64 = 0.015;
const SMALL_STEPS: usize = 8;

/// Standard errors on either side of a 95 % interval.
const REACH: f64 = 1.959_964;

/// Results of the histories of one noise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Kind {
    /// The noise.
    noise: String,
    /// The usual standard error of a merge, in percent.
    error_percent: f64,
    /// Histories of each sort.
    histories: usize,
    /// Histories without a change in which one was found.
    false_alarms: usize,
    /// Histories with one step of 3 % in which a change holds it.
    steps_found: usize,
    /// Of these, those whose change is that merge alone.
    steps_named: usize,
    /// Histories with eight steps of 1.5 % in eight merges in which changes hold at least 8 % of it.
    creeps_found: usize,
    /// Like `creeps_found`, with nine merges between two steps.
    slow_creeps_found: usize,
}

/// Everything that was simulated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Simulation {
    /// Seed of all draws.
    seed: u64,
    /// Merges of a history.
    merges: usize,
    /// By noise.
    kinds: Vec<Kind>,
}

/// Simulates the gate's records of merges with a change of this size, as ln(head / base).
fn increments(noise: Noise, log: f64, count: usize, seed: u64) -> Vec<Increment> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut all = Vec::with_capacity(count);
    while all.len() < count {
        let mut engine = Engine::new(1, random.next_u64());
        let mut benchmark = Benchmark::new(noise);
        let mut measured = Evidence::default();
        while let Some(turn) = engine.next_turn() {
            let pair = benchmark.pair(&mut random, turn.first == Side::Base, log);
            measured.push(turn.stage, pair);
            engine.record(&turn, pair, 0.04);
        }
        if let Some(Some(judged)) = judge(vec![measured]).pop() {
            let (lower, upper) = judged.interval;
            let log = judged.estimate;
            all.push(Increment { log, below: (log - lower) / REACH, above: (upper - log) / REACH });
        }
    }
    all
}

fn kind(name: &str, noise: Noise, histories: usize, seed: u64) -> Kind {
    let of = |log: f64, count: usize, part: u64| increments(noise, log, count, seed ^ (part << 56));
    let unchanged = of(0.0, histories * MERGES, 1);
    let steps = of(STEP.ln_1p(), histories, 2);
    let small = of(SMALL_STEP.ln_1p(), histories * SMALL_STEPS, 3);
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ (4 << 56));
    let mut place = |room: usize| 1 + random.next_u32() as usize % (MERGES - room - 1);
    let mut kind = Kind {
        noise: name.to_owned(),
        error_percent: 0.0,
        histories,
        false_alarms: 0,
        steps_found: 0,
        steps_named: 0,
        creeps_found: 0,
        slow_creeps_found: 0,
    };
    let mut errors: Vec<f64> = unchanged.iter().map(|at| at.error()).collect();
    errors.sort_by(f64::total_cmp);
    kind.error_percent = errors[errors.len() / 2] * 100.0;
    for ((plain, step), small) in
        unchanged.chunks(MERGES).zip(&steps).zip(small.chunks(SMALL_STEPS))
    {
        kind.false_alarms += usize::from(!shifts(plain, ERROR).is_empty());
        let at = place(0);
        let mut history = plain.to_vec();
        history[at] = *step;
        let detected = shifts(&history, ERROR);
        let holds = |shift: &&Shift| (shift.first..=shift.last).contains(&at) && shift.log > 0.0;
        kind.steps_found += usize::from(detected.iter().any(|shift| holds(&shift)));
        kind.steps_named +=
            usize::from(detected.iter().any(|shift| shift.first == at && shift.last == at));
        kind.creeps_found += usize::from(creep(plain, small, place(SMALL_STEPS), 1));
        kind.slow_creeps_found += usize::from(creep(plain, small, place(SMALL_STEPS * 10), 10));
    }
    kind
}

/// Whether changes that hold some of these steps come to two thirds of them.
fn creep(plain: &[Increment], small: &[Increment], from: usize, every: usize) -> bool {
    let mut history = plain.to_vec();
    for (number, step) in small.iter().enumerate() {
        history[from + number * every] = *step;
    }
    let last = from + (small.len() - 1) * every;
    let detected = shifts(&history, ERROR);
    let of_creep = detected.iter().filter(|shift| shift.first <= last && shift.last >= from);
    let whole = SMALL_STEP.ln_1p() * SMALL_STEPS as f64;
    of_creep.map(|shift| shift.log).sum::<f64>() >= whole * 2.0 / 3.0
}

/// So many histories of each sort and noise.
pub(crate) fn simulate(histories: usize, seed: u64) -> Simulation {
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut kinds: Vec<(usize, Kind)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                scope.spawn(move || {
                    let noises = Noise::ALL.into_iter().enumerate().skip(worker).step_by(threads);
                    let kind = |(at, (name, noise)): (usize, (&str, Noise))| {
                        (at, kind(name, noise, histories, seed.wrapping_mul(1 << 32) + at as u64))
                    };
                    noises.map(kind).collect::<Vec<_>>()
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    });
    kinds.sort_by_key(|(at, _)| *at);
    let kinds = kinds.into_iter().map(|(_, kind)| kind).collect();
    Simulation { seed, merges: MERGES, kinds }
}
