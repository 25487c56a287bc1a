//! The shares that rules are about, on each kind of CPU that measured this repository: they differ by up to a half.
//! `shares.json` keeps those of a kind when the next record is of another one.

use std::collections::BTreeMap;

use benchgate_core::model::Machine;
use benchgate_core::policy::Rule;
use benchgate_core::result::RunResult;
use serde::{Deserialize, Serialize};

use super::Repository;
use super::benchmarks::RESULT;
use super::published::{self, Rules};
use super::recorded::{self, Times};
use super::table::{decimals, or_dash, three_digits, wide_table};
use crate::error::Error;

pub(super) const SHARES: &str = "docs/evidence/recorded/shares.json";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    made_by: String,
    cpus: Vec<Shares>,
}

/// What one kind of CPU measured.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shares {
    cpu: String,
    time: String,
    /// The code that was measured.
    commit: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// By the id of a benchmark, and of the benchmark that it is compared with.
    shares: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Shares {
    pub(super) fn of(&self, benchmark: &str, of: &str) -> Option<f64> {
        self.shares.get(benchmark)?.get(of).copied()
    }

    fn of_result(result: &RunResult, rules: &Rules) -> Self {
        let times = Times::of(RESULT, result);
        let mut shares: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
        for (rule, _, of) in rules.shares() {
            if let Ok(share) = times.ratio(&rule.benchmark, of) {
                // Rounding for readers must not bring a share below its limit, which has two digits.
                let scale = 10_f64.powi(decimals(share, 7));
                let kept = (share * scale).round() / scale;
                shares.entry(rule.benchmark.clone()).or_default().insert(of.to_owned(), kept);
            }
        }
        Self {
            cpu: kind(result),
            time: result.time.clone(),
            commit: result.head.commit.clone(),
            note: None,
            shares,
        }
    }
}

/// Virtual machines give one name to CPUs that are years apart; family, model and stepping tell them apart. A record
/// without them is of no kind that another one is of.
fn kind(result: &RunResult) -> String {
    match &result.machine {
        Some(Machine { cpu, stepping: Some(stepping), .. }) => format!("{cpu} {stepping}"),
        _ => format!("CPU of {}", result.time),
    }
}

/// The file with the newest record in the place of the one of the same CPU.
pub(super) fn make(repository: &Repository) -> Result<String, Error> {
    let rules = published::rules(repository)?;
    let newest = Shares::of_result(&recorded::result(repository, RESULT)?, &rules);
    let others = read(repository)?.into_iter().filter(|kept| kept.cpu != newest.cpu);
    let mut cpus: Vec<Shares> = others.collect();
    cpus.push(newest);
    cpus.sort_by(|a, b| b.time.cmp(&a.time));
    let made_by =
        "cargo xtask generate shares: those of result.json, and of other CPUs as they were";
    let file = File { made_by: made_by.to_owned(), cpus };
    let text =
        serde_json::to_string_pretty(&file).map_err(|problem| Error::content(SHARES, problem))?;
    Ok(text + "\n")
}

/// The newest first.
pub(super) fn read(repository: &Repository) -> Result<Vec<Shares>, Error> {
    let file: File = serde_json::from_str(&repository.read(SHARES)?)
        .map_err(|problem| Error::content(SHARES, problem))?;
    Ok(file.cpus)
}

/// The rules whose limit a CPU exceeds.
pub(super) fn exceeded(cpus: &[Shares], rules: &Rules) -> String {
    let heads: Vec<String> = cpus.iter().map(heading).collect();
    let rows: Vec<Vec<String>> = rules.shares().filter_map(|rule| row(cpus, rule)).collect();
    let head: Vec<&str> =
        ["", "limit"].into_iter().chain(heads.iter().map(String::as_str)).collect();
    let rows: Vec<_> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    wide_table(&head, &rows)
}

fn heading(cpu: &Shares) -> String {
    let Shares { cpu, time, note, .. } = cpu;
    let note = note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
    match cpu.ends_with(&**time) {
        true => format!("{cpu}{note}"),
        false => format!("{cpu}, {time}{note}"),
    }
}

fn row(cpus: &[Shares], (rule, limit, of): (&Rule, f64, &str)) -> Option<Vec<String>> {
    let shares: Vec<_> = cpus.iter().map(|cpu| cpu.of(&rule.benchmark, of)).collect();
    shares.iter().flatten().find(|share| **share > limit)?;
    let cell = |share: f64| match share > limit {
        true => format!("**{}**", three_digits(share)),
        false => three_digits(share),
    };
    let name = format!("`{}` / `{of}`", rule.benchmark);
    let cells = shares.into_iter().map(|share| or_dash(share, cell));
    Some([name, format!("{limit}")].into_iter().chain(cells).collect())
}
