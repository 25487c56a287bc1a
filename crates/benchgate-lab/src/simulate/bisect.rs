//! Searches on simulated histories, with the real search and the noise of the lab.

use std::collections::BTreeSet;
use std::thread;

use benchgate_core::bisect::{Build, History, Known, Next, advance};
use benchgate_core::policy::Thresholds;
use benchgate_core::result::FoundStep;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde::Serialize;

use super::noise::{Benchmark, Noise, uniform};

/// The longest history.
const MOST_COMMITS: usize = 1_000;

/// The error that a search is allowed.
const ERROR: f64 = 0.01;

/// Rounds of one step, at most: those of the default policy.
const MOST_ROUNDS: usize = 120;

/// Slowdowns are between these, as fractions.
const SLOWDOWNS: [f64; 2] = [0.03, 0.15];

/// Results of the histories of one kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Kind {
    /// The noise.
    noise: String,
    /// Slowdowns of a history.
    planted: usize,
    /// Histories.
    histories: usize,
    /// Histories in which nothing was searched.
    refused: usize,
    /// Slowdowns whose commit was named.
    named: usize,
    /// Slowdowns that are in a set.
    in_sets: usize,
    /// Histories that name a commit with which no slowdown came.
    wrong: usize,
    /// Histories with a set in which there is none.
    wrong_sets: usize,
    /// Maximum number of builds above the logarithm of the commits, of histories in which one commit was named.
    most_builds_more: f64,
    /// Rounds of all histories, each of one process of each member.
    processes: usize,
}

/// A history.
struct Simulated {
    kind: Kind,
    noise: usize,
}

/// Everything that was simulated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Simulation {
    /// Histories.
    histories: u64,
    /// Seed of all draws.
    seed: u64,
    /// The longest history.
    commits: usize,
    /// By noise and number of slowdowns.
    kinds: Vec<Kind>,
}

fn history(seed: u64) -> Simulated {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let noise = random.next_u32() as usize % Noise::ALL.len();
    let bad = 1 + random.next_u32() as usize % MOST_COMMITS;
    let planted = (random.next_u32() as usize % 3).min(bad);
    let mut steps = BTreeSet::new();
    while steps.len() < planted {
        steps.insert(1 + random.next_u32() as usize % bad);
    }
    let [least, most] = SLOWDOWNS;
    let mut logs = vec![0.0; bad + 1];
    for step in &steps {
        let log = (least + (most - least) * uniform(&mut random)).ln_1p();
        logs[*step..].iter_mut().for_each(|at| *at += log);
    }
    let (thresholds, error, seed) = (Thresholds::default(), ERROR, random.next_u64());
    let history = History { bad, thresholds, most: MOST_ROUNDS, error, seed };
    let mut benchmark = Benchmark::new(Noise::ALL[noise].1);
    let (mut known, mut processes) = (Known::default(), 0);
    let progress = loop {
        let progress = advance(&history, &known);
        match progress.next {
            None => break progress,
            Some(Next::Build(commit)) => {
                known.builds.insert(commit, Build::Testable { same_as: None });
            }
            Some(Next::Count(commit)) => {
                known.instructions.insert(commit, None);
            }
            Some(Next::Measure(mut round)) => {
                while round.round < round.until {
                    let mut values = vec![0.0; round.members.len()];
                    for place in round.draw(history.seed, false).0 {
                        values[place] = benchmark.value(&mut random, logs[round.members[place]]);
                    }
                    processes += values.len();
                    known.add_round(round.step, &round.members, values);
                    round.round += 1;
                }
            }
        }
    };
    let is_true = |found: &&FoundStep| steps.iter().any(|step| found.holds(*step));
    let (named, sets): (Vec<&FoundStep>, Vec<&FoundStep>) =
        progress.found.iter().partition(|found| found.culprit().is_some());
    let of = |found: &[&FoundStep]| {
        steps.iter().filter(|step| found.iter().any(|found| found.holds(**step))).count()
    };
    let is_one = planted == 1 && named.len() == 1 && sets.is_empty();
    let more = known.builds.len() as f64 - (bad as f64).log2();
    let kind = Kind {
        noise: Noise::ALL[noise].0.to_owned(),
        planted,
        histories: 1,
        refused: usize::from(progress.refused.is_some()),
        named: of(&named),
        in_sets: of(&sets),
        wrong: usize::from(!named.iter().all(&is_true)),
        wrong_sets: usize::from(!sets.iter().all(is_true)),
        most_builds_more: if is_one { more } else { 0.0 },
        processes,
    };
    Simulated { kind, noise }
}

/// Searches in this number of histories.
pub(crate) fn simulate(histories: u64, seed: u64) -> Simulation {
    let threads = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let all: Vec<Simulated> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                scope.spawn(move || {
                    let numbers = (worker..histories).step_by(threads as usize);
                    numbers.map(|at| history(seed.wrapping_mul(1 << 32) + at)).collect::<Vec<_>>()
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    });
    let kinds =
        (0..Noise::ALL.len()).flat_map(|noise| (0..=2).map(move |planted| (noise, planted)));
    let kinds = kinds.map(|(noise, planted)| {
        let first = Kind { noise: Noise::ALL[noise].0.to_owned(), planted, ..Kind::default() };
        let of = all.iter().filter(|one| one.noise == noise && one.kind.planted == planted);
        of.fold(first, |sum, one| sum.with(&one.kind))
    });
    Simulation { histories, seed, commits: MOST_COMMITS, kinds: kinds.collect() }
}

impl Kind {
    fn with(self, one: &Self) -> Self {
        Self {
            histories: self.histories + one.histories,
            refused: self.refused + one.refused,
            named: self.named + one.named,
            in_sets: self.in_sets + one.in_sets,
            wrong: self.wrong + one.wrong,
            wrong_sets: self.wrong_sets + one.wrong_sets,
            most_builds_more: self.most_builds_more.max(one.most_builds_more),
            processes: self.processes + one.processes,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_searches() {
        assert_eq!(simulate(20, 3), simulate(20, 3));
        assert_ne!(simulate(20, 3), simulate(20, 4));
    }

    #[test]
    fn few_searches_name_a_wrong_commit_and_most_of_quiet_machines_name_the_right_one() {
        let Simulation { kinds, .. } = simulate(160, 1);
        let sum = |of: fn(&Kind) -> usize| kinds.iter().map(of).sum::<usize>();
        assert_eq!(sum(|kind| kind.histories), 160);
        assert!(sum(|kind| kind.wrong) <= 1);
        let quiet: Vec<&Kind> = kinds.iter().take(6).collect();
        let planted: usize = quiet.iter().map(|kind| kind.planted * kind.histories).sum();
        let named: usize = quiet.iter().map(|kind| kind.named).sum();
        assert!(named * 10 > planted * 9, "{named} of {planted}");
    }
}
