//! Whole runs of the gate on simulated machines, with the real engine: many more than could be measured,
//! with every draw from a seed.

pub(crate) mod bisect;
pub(crate) mod history;
mod noise;

use std::fmt::Write as _;
use std::thread;

use benchgate_core::model::{Evidence, Finding, Level, Side};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::engine::{Engine, judge};
use crate::tables::{Share, at_least};
use noise::{Benchmark, Noise};

/// Benchmarks per run.
const BENCHMARKS: usize = 100;

/// Slowdowns of the power table, in percent, and the level that must be claimed for them.
const SLOWDOWNS: [(f64, Level); 6] = [
    (2.0, Level::Note),
    (3.0, Level::Note),
    (5.0, Level::Note),
    (6.0, Level::Warning),
    (10.0, Level::Warning),
    (12.0, Level::Critical),
];

/// How many benchmarks of a run with slowdowns are slower.
const SLOWER: usize = 5;

/// The decision on a benchmark of a run.
struct Decided {
    noise: usize,
    slowdown: Option<usize>,
    finding: Option<Finding>,
    pairs: usize,
}

/// A run: every benchmark with a randomly drawn noise model, some of them slower.
fn run(seed: u64, slowdown: Option<usize>) -> Vec<Decided> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut benchmarks: Vec<(usize, Option<usize>, Benchmark)> = (0..BENCHMARKS)
        .map(|index| {
            let noise = random.next_u32() as usize % Noise::ALL.len();
            let slowdown = slowdown.filter(|_| index < SLOWER);
            (noise, slowdown, Benchmark::new(Noise::ALL[noise].1))
        })
        .collect();
    let mut engine = Engine::new(BENCHMARKS, random.next_u64());
    let mut measured = vec![Evidence::default(); BENCHMARKS];
    while let Some(turn) = engine.next_turn() {
        let (_, slowdown, benchmark) = &mut benchmarks[turn.benchmark];
        let log = slowdown.map_or(0.0, |index| (SLOWDOWNS[index].0 / 100.0).ln_1p());
        let pair = benchmark.pair(&mut random, turn.first == Side::Base, log);
        measured[turn.benchmark].push(turn.stage, pair);
        engine.record(&turn, pair, 0.04);
    }
    let pairs: Vec<usize> = measured.iter().map(|evidence| evidence.all().base.len()).collect();
    benchmarks
        .iter()
        .zip(pairs)
        .zip(judge(measured))
        .map(|(((noise, slowdown, _), pairs), judged)| Decided {
            noise: *noise,
            slowdown: *slowdown,
            finding: judged.map(|judged| judged.finding),
            pairs,
        })
        .collect()
}

/// Runs in as many threads as there are cores, in the order of their seeds.
fn runs(
    count: u64,
    seed: u64,
    slowdown: impl Fn(u64) -> Option<usize> + Sync,
) -> Vec<Vec<Decided>> {
    let threads = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let slowdown = &slowdown;
    let mut all: Vec<(u64, Vec<Decided>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                scope.spawn(move || {
                    (worker..count)
                        .step_by(threads as usize)
                        .map(|at| (at, run(seed.wrapping_mul(1 << 32) + at, slowdown(at))))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, decided)| decided).collect()
}

fn reaches(decided: &Decided, level: Level) -> bool {
    decided.finding.and_then(Finding::level).is_some_and(|found| found >= level)
}

/// Tables of false alarms and power.
pub(crate) fn tables(count: u64, seed: u64) -> String {
    let unchanged = runs(count, seed, |_| None);
    let mut text = String::from("| of runs with 100 unchanged benchmarks | |\n|---|---|\n");
    for level in [Level::Note, Level::Warning, Level::Critical] {
        let share = Share::of(&unchanged, |run| run.iter().any(|decided| reaches(decided, level)));
        let name = at_least(level);
        let _ = writeln!(text, "| with any {name} | {}: {} % |", share.counted(), share.shown());
    }
    let all: Vec<&Decided> = unchanged.iter().flatten().collect();
    text += "\n| noise | decisions | note or worse | critical | inconclusive, % | mean pairs |\n";
    text += "|---|---|---|---|---|---|\n";
    for (index, (name, _)) in Noise::ALL.iter().enumerate() {
        let of: Vec<&Decided> =
            all.iter().copied().filter(|decided| decided.noise == index).collect();
        let count = |level| Share::of(of.iter().copied(), |decided| reaches(decided, level)).hits;
        let inconclusive = Share::of(of.iter().copied(), |decided: &Decided| {
            decided.finding.is_none_or(|finding| finding == Finding::Inconclusive)
        });
        let pairs: usize = of.iter().map(|decided| decided.pairs).sum();
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {:.2} | {:.1} |",
            of.len(),
            count(Level::Note),
            count(Level::Critical),
            inconclusive.value() * 100.0,
            pairs as f64 / of.len() as f64
        );
    }
    let slower = runs(count.div_ceil(5), seed + 1, |at| Some(at as usize % SLOWDOWNS.len()));
    let slower: Vec<&Decided> = slower.iter().flatten().collect();
    text += "\nPower in %, five slower benchmarks of a hundred\n\n";
    let reach = |decided: &Decided, level| reaches(decided, level);
    text += &by_slowdown(&slower, |level| format!(": {}", at_least(level)), reach);
    text += "\nOf the same, inconclusive in %\n\n";
    let is_open = |decided: &Decided, _| decided.finding == Some(Finding::Inconclusive);
    text += &by_slowdown(&slower, |_| String::new(), is_open);
    text
}

/// A share by noise and slowdown.
fn by_slowdown(
    slower: &[&Decided],
    heading: impl Fn(Level) -> String,
    test: impl Fn(&Decided, Level) -> bool,
) -> String {
    let mut text = String::from("| noise |");
    for (percent, level) in SLOWDOWNS {
        let _ = write!(text, " +{percent} %{} |", heading(level));
    }
    text += "\n|---|---|---|---|---|---|---|\n";
    for (index, (name, _)) in Noise::ALL.iter().enumerate() {
        let _ = write!(text, "| {name} |");
        for (slowdown, (_, level)) in SLOWDOWNS.iter().enumerate() {
            let of = slower
                .iter()
                .copied()
                .filter(|decided| decided.noise == index && decided.slowdown == Some(slowdown));
            let _ = write!(text, " {} |", Share::of(of, |decided| test(decided, *level)).shown());
        }
        text += "\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_tables() {
        assert_eq!(tables(6, 3), tables(6, 3));
        assert_ne!(tables(6, 3), tables(6, 4));
    }

    #[test]
    fn slowdowns_are_found_and_unchanged_benchmarks_are_not_flagged() {
        let unchanged = runs(20, 1, |_| None);
        let critical =
            unchanged.iter().flatten().filter(|decided| reaches(decided, Level::Critical));
        assert_eq!(critical.count(), 0);
        let slower = runs(20, 2, |_| Some(5));
        let quiet = slower
            .iter()
            .flatten()
            .filter(|decided| decided.slowdown.is_some() && decided.noise == 0);
        let share = Share::of(quiet, |decided| reaches(decided, Level::Critical));
        assert!(share.value() > 0.9, "{share:?}");
    }
}
