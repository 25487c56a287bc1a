//! The shares that rules are about, on each machine that measured this repository: they differ by up to a half.

use std::collections::BTreeMap;

use benchgate_core::model::Metric;
use benchgate_core::policy::{Policy, Rule, RuleBound};
use serde::Deserialize;

use super::Repository;
use super::recorded::{self, Times};
use super::table::{or_dash, table};
use crate::error::Error;

const POLICY: &str = "benchgate.toml";
/// The newest first. docs/benchmarks.md is made of that.
const RESULTS: [&str; 2] = ["docs/recorded/result.json", "docs/recorded/earlier-cpu.json"];
/// Of a record that has values of code that is not comparable, too: shares alone.
const SHARES: &str = "docs/recorded/other-cpu.json";

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

/// The limit of a rule about times, and the benchmark that it compares with.
pub(super) fn share(rule: &Rule) -> Option<(f64, &str)> {
    match &rule.bound {
        RuleBound::Share { share, of } if rule.metric == Metric::TIME => Some((*share, of)),
        _ => None,
    }
}

fn policy(repository: &Repository) -> Result<Policy, Error> {
    Policy::parse(&repository.read(POLICY)?).map_err(|problem| Error::content(POLICY, problem))
}

/// Each machine with the shares that its record has, the newest record first.
pub(super) fn read(repository: &Repository) -> Result<[Shares; 3], Error> {
    let policy = policy(repository)?;
    let of_result = |path| -> Result<Shares, Error> {
        let result = recorded::result(repository, path)?;
        let times = Times::of(path, &result);
        let pairs = policy.rules.iter().filter_map(|rule| Some((&*rule.benchmark, share(rule)?.1)));
        let shares = pairs.filter_map(|(benchmark, of)| {
            let share = times.ratio(benchmark, of).ok()?;
            Some(((benchmark.to_owned(), of.to_owned()), share))
        });
        Ok(Shares { shares: shares.collect(), time: result.time })
    };
    let kept: Kept = serde_json::from_str(&repository.read(SHARES)?)
        .map_err(|problem| Error::content(SHARES, problem))?;
    let shares = kept.shares.into_iter().map(|it| ((it.benchmark, it.of), it.share)).collect();
    let oldest = Shares { time: kept.time, shares };
    let [newest, earlier] = RESULTS;
    Ok([of_result(newest)?, of_result(earlier)?, oldest])
}

/// The rules whose limit a machine exceeds.
pub(super) fn exceeded(repository: &Repository) -> Result<String, Error> {
    let (machines, policy) = (read(repository)?, policy(repository)?);
    let mut rows = Vec::new();
    for rule in &policy.rules {
        let Some((limit, of)) = share(rule) else { continue };
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
    Ok(table(["", "limit", newest, earlier, oldest], &rows))
}
