//! The shares that rules are about, on each machine that measured this repository: they differ by up to a half.

use std::collections::BTreeMap;

use benchgate_core::result::RunResult;
use serde::Deserialize;

use super::Repository;
use super::published::Rules;
use super::recorded::{self, Times};
use super::table::{or_dash, table};
use crate::error::Error;

const EARLIER: &str = "docs/evidence/recorded/earlier-cpu.json";
/// Of a record that has values of code that is not comparable, too: shares alone.
const SHARES: &str = "docs/evidence/recorded/other-cpu.json";

/// The shares of one machine.
pub(super) struct Shares {
    /// When they were measured.
    time: String,
    /// By the ids of both benchmarks.
    shares: BTreeMap<(String, String), f64>,
}

impl Shares {
    pub(super) fn of(&self, benchmark: &str, of: &str) -> Option<f64> {
        self.shares.get(&(benchmark.to_owned(), of.to_owned())).copied()
    }
}

#[derive(Deserialize)]
struct Kept {
    time: String,
    shares: Vec<KeptShare>,
}

#[derive(Deserialize)]
struct KeptShare {
    benchmark: String,
    of: String,
    share: f64,
}

impl Shares {
    /// Those that a result has of the rules.
    fn of_result(path: &str, result: &RunResult, rules: &Rules) -> Self {
        let times = Times::of(path, result);
        let shares = rules.shares().filter_map(|(rule, _, of)| {
            let share = times.ratio(&rule.benchmark, of).ok()?;
            Some(((rule.benchmark.clone(), of.to_owned()), share))
        });
        Self { time: result.time.clone(), shares: shares.collect() }
    }
}

/// Each machine with the shares that its record has: of the newest record, and of the others.
pub(super) fn read(
    repository: &Repository,
    path: &str,
    newest: &RunResult,
    rules: &Rules,
) -> Result<[Shares; 3], Error> {
    let earlier = recorded::result(repository, EARLIER)?;
    let kept: Kept = serde_json::from_str(&repository.read(SHARES)?)
        .map_err(|problem| Error::content(SHARES, problem))?;
    let shares = kept.shares.into_iter().map(|it| ((it.benchmark, it.of), it.share)).collect();
    let oldest = Shares { time: kept.time, shares };
    let of_result = |path, result| Shares::of_result(path, result, rules);
    Ok([of_result(path, newest), of_result(EARLIER, &earlier), oldest])
}

/// The rules whose limit a machine exceeds.
pub(super) fn exceeded(machines: &[Shares; 3], rules: &Rules) -> String {
    let mut rows = Vec::new();
    for (rule, limit, of) in rules.shares() {
        let shares = machines.each_ref().map(|machine| machine.of(&rule.benchmark, of));
        if shares.iter().flatten().all(|share| *share <= limit) {
            continue;
        }
        let cell = |share: f64| match share > limit {
            true => format!("**{share:.3}**"),
            false => format!("{share:.3}"),
        };
        let name = format!("`{}` / `{of}`", rule.benchmark);
        let [newest, earlier, oldest] = shares.map(|share| or_dash(share, cell));
        rows.push([name, format!("{limit}"), newest, earlier, oldest]);
    }
    let [newest, earlier, oldest] = machines.each_ref().map(|machine| &*machine.time);
    table(["", "limit", newest, earlier, oldest], &rows)
}
