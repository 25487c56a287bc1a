//! The gate's decisions on the Java suites: for the same code on both sides, and for planted changes.

use std::collections::BTreeMap;

use benchgate_core::model::Finding;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Sources;
use crate::error::Error;
use crate::generate::Repository;
use crate::generate::table::table;

const DECISIONS: &str = "docs/recorded/java-decisions.json";
const PLANTED: &str = "docs/recorded/java-planted.json";

/// The decisions of one run with the same code on both sides, as `scripts/java-decisions` keeps them.
#[derive(Deserialize)]
pub(super) struct Decided {
    commit: String,
    measured: String,
    seconds: u64,
    verdict: String,
    times: BTreeMap<String, usize>,
    counts: BTreeMap<String, usize>,
}

/// A planted change, as `scripts/java-planted` keeps it.
#[derive(Deserialize)]
pub(super) struct Planted {
    planted: String,
    exit: u8,
    verdict: String,
    benchmarks: Vec<Benchmark>,
    suites: Vec<Suite>,
}

#[derive(Deserialize)]
struct Benchmark {
    id: String,
    finding: String,
    change: Option<Change>,
    pairs: u32,
}

#[derive(Deserialize)]
struct Change {
    estimate: f64,
    lower: Option<f64>,
    upper: Option<f64>,
}

#[derive(Deserialize)]
struct Suite {
    finding: String,
    reason: String,
}

pub(super) fn read_decisions(repository: &Repository) -> Result<Vec<Decided>, Error> {
    read(repository, DECISIONS)
}

pub(super) fn read_planted(repository: &Repository) -> Result<Vec<Planted>, Error> {
    read(repository, PLANTED)
}

fn read<T: DeserializeOwned>(repository: &Repository, path: &str) -> Result<T, Error> {
    serde_json::from_str(&repository.read(path)?).map_err(|problem| Error::content(path, problem))
}

impl Decided {
    fn number(&self) -> usize {
        self.times.values().chain(self.counts.values()).sum()
    }

    /// Decisions that something is worse, or better.
    fn flagged(&self) -> usize {
        let even = [Finding::Unchanged, Finding::Inconclusive, Finding::Identical];
        let is_even = |name: &str| even.iter().any(|finding| finding.name() == name);
        let of = self.times.iter().chain(&self.counts);
        of.filter(|(name, _)| !is_even(name)).map(|(_, number)| number).sum()
    }
}

/// All runs of the same code on both sides.
pub(super) fn decisions(sources: &Sources) -> Result<String, Error> {
    let runs = &sources.java_decisions;
    let all: usize = runs.iter().map(Decided::number).sum();
    let flagged: usize = runs.iter().map(Decided::flagged).sum();
    let words = |found: &BTreeMap<String, usize>| {
        let words = found.iter().map(|(name, number)| format!("{number} {name}"));
        words.collect::<Vec<_>>().join(", ")
    };
    let rows: Vec<[String; 5]> = runs
        .iter()
        .map(|run| {
            let commit = run.commit.get(..12).unwrap_or(&run.commit);
            [
                run.measured.clone(),
                format!("`{commit}`"),
                format!("{:.0} min, {}", run.seconds as f64 / 60.0, run.verdict),
                words(&run.times),
                words(&run.counts),
            ]
        })
        .collect();
    let table = table(
        ["measured", "commit", "building and measuring", "times", "bytes of an operation"],
        &rows,
    );
    Ok(format!(
        "Of {all} decisions in {} runs of the same code on both sides {flagged} are flagged:\n\n{table}",
        runs.len()
    ))
}

/// Returns a table of the gate's findings for each planted change.
pub(super) fn planted(sources: &Sources) -> Result<String, Error> {
    let percent = |fraction: f64| format!("{:+.1}", fraction * 100.0);
    let benchmark = |of: &Benchmark| {
        let change = of.change.as_ref().map_or_else(String::new, |change| {
            let bound = |bound: Option<f64>| bound.map_or_else(|| "–".to_owned(), percent);
            let [lower, upper] = [bound(change.lower), bound(change.upper)];
            format!(": {} % [{lower}, {upper}], {} pairs", percent(change.estimate), of.pairs)
        });
        format!("`{}` {}{change}", of.id, of.finding)
    };
    let rows: Vec<[String; 3]> = sources
        .java_planted
        .iter()
        .map(|of| {
            let suites =
                of.suites.iter().map(|suite| format!("{}: {}", suite.finding, suite.reason));
            let found: Vec<String> = of.benchmarks.iter().map(benchmark).chain(suites).collect();
            [of.planted.clone(), format!("{} ({})", of.verdict, of.exit), found.join("<br>")]
        })
        .collect();
    Ok(table(["planted", "verdict", "found"], &rows))
}
