//! The gate's decisions on the Java suites: for the same code on both sides, and for planted changes.

use std::collections::BTreeMap;

use benchgate_core::model::{Finding, Metric};
use benchgate_core::stats;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{JAVA, Sources};
use crate::error::Error;
use crate::generate::Repository;
use crate::generate::evidence::table::table;

const DECISIONS: &str = "docs/evidence/recorded/java-decisions.json";
const PLANTED: &str = "docs/evidence/recorded/java-planted.json";

/// The decisions of one run with the same code on both sides, as `scripts/evidence/java decisions` keeps them.
#[derive(Deserialize)]
pub(super) struct Decided {
    commit: String,
    measured: String,
    seconds: u64,
    verdict: String,
    times: BTreeMap<String, usize>,
    counts: BTreeMap<String, usize>,
    /// Rules whose limit the estimate exceeds; `None` of a run that did not keep them.
    exceeded: Option<Vec<Exceeded>>,
}

#[derive(Deserialize)]
struct Exceeded {
    benchmark: String,
    limit: f64,
    estimate: f64,
}

impl Exceeded {
    fn words(&self) -> String {
        format!("`{}` {:.2}, at most {:.2}", self.benchmark, self.estimate, self.limit)
    }
}

/// A planted change, as `scripts/evidence/java planted` keeps it.
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

/// Decisions of some kind: how many there are of each finding.
fn total<'a>(runs: impl Iterator<Item = &'a BTreeMap<String, usize>>) -> BTreeMap<String, usize> {
    let mut total = BTreeMap::new();
    for (finding, number) in runs.flatten() {
        *total.entry(finding.clone()).or_default() += number;
    }
    total
}

fn words(found: &BTreeMap<String, usize>) -> String {
    let words = found.iter().map(|(name, number)| format!("{number} {name}"));
    words.collect::<Vec<_>>().join(", ")
}

/// Decisions that something is worse, or better.
fn flagged(found: &BTreeMap<String, usize>) -> usize {
    let even = [Finding::NotSlower, Finding::Unchanged, Finding::Inconclusive, Finding::Identical];
    let is_even = |name: &str| even.iter().any(|finding| finding.name() == name);
    found.iter().filter(|(name, _)| !is_even(name)).map(|(_, number)| number).sum()
}

/// All runs of the same code on both sides.
pub(super) fn decisions(sources: &Sources) -> Result<String, Error> {
    let runs = &sources.java_decisions;
    let summary = |found: BTreeMap<String, usize>| {
        let all: usize = found.values().sum();
        (all, format!("{}, {} flagged", words(&found), flagged(&found)))
    };
    let (all_times, times) = summary(total(runs.iter().map(|run| &run.times)));
    let (all_counts, counts) = summary(total(runs.iter().map(|run| &run.counts)));
    // What was not decided could be a change of at least this much, in the record that this page has.
    let detectable: Vec<f64> = sources
        .java
        .iter()
        .flat_map(|result| &result.benchmarks)
        .filter(|b| b.metric == Metric::TIME && b.finding == Finding::Inconclusive)
        .filter_map(|b| b.detectable)
        .collect();
    let detectable = stats::median(&detectable)
        .map(|median| format!(
            " An undecided time shows little: of those in `{JAVA}` a change is detectable from {:.0} % on, in the median.",
            median * 100.0
        ))
        .unwrap_or_default();
    let exceeded = |run: &Decided| match run.exceeded.as_deref() {
        None => "not kept".to_owned(),
        Some([]) => "none".to_owned(),
        Some(rules) => rules.iter().map(Exceeded::words).collect::<Vec<_>>().join("<br>"),
    };
    let rows: Vec<[String; 6]> = runs
        .iter()
        .map(|run| {
            let commit = run.commit.get(..12).unwrap_or(&run.commit);
            [
                run.measured.clone(),
                format!("`{commit}`"),
                format!("{:.0} min, {}", run.seconds as f64 / 60.0, run.verdict),
                words(&run.times),
                words(&run.counts),
                exceeded(run),
            ]
        })
        .collect();
    let table = table(
        [
            "measured",
            "commit",
            "building and measuring",
            "times",
            "bytes of an operation",
            "rules that the estimate exceeds",
        ],
        &rows,
    );
    Ok(format!(
        "The decisions of {} runs of the same code on both sides: of {all_times} of times {times}; of {all_counts} of \
         counts {counts}.{detectable} What a run estimated above the limit that it had is listed.\n\n{table}",
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
