//! Records: results of the gate, and allocations that the suites counted.
//!
//! The only file here that knows how benchgate-core lays out a result.

use std::collections::BTreeMap;

use benchgate_core::model::Metric;
use benchgate_core::report::{Options, renderer};
use benchgate_core::result::RunResult;
use benchgate_core::stats;
use serde::Deserialize;

use super::Repository;
use super::table::number;
use crate::error::Error;

/// Reads a result through the checks that the gate itself makes.
pub(super) fn result(repository: &Repository, path: &str) -> Result<RunResult, Error> {
    let text = repository.read(path)?;
    RunResult::from_json(text.as_bytes()).map_err(|error| Error::content(path, error))
}

/// A recorded result in one of the formats of a report.
pub(super) fn rendered(
    repository: &Repository,
    path: &str,
    format: &str,
    options: &Options<'_>,
) -> Result<String, Error> {
    let result = result(repository, path)?;
    match renderer(format) {
        Some(renderer) => Ok((renderer.render)(&result, options)),
        None => Err(Error::content(path, format!("there is no renderer `{format}`"))),
    }
}

/// The rounds of every timed benchmark of one result.
pub(super) struct Times {
    path: String,
    /// The commit and the time of the record.
    pub(super) occasion: String,
    /// By id: the rounds of each side that counts. Equal indices were run in the same turn.
    sides: BTreeMap<String, Vec<Vec<f64>>>,
}

impl Times {
    pub(super) fn of(path: &str, result: &RunResult) -> Self {
        // Rounds of both sides are of one program only if the commits are the same.
        let is_same = result.base.commit == result.head.commit;
        let timed = result.benchmarks.iter().filter(|b| b.metric == Metric::TIME);
        let sides = timed.map(|benchmark| {
            let base = is_same.then(|| benchmark.evidence.rounds.base.clone());
            let sides = base.into_iter().chain([benchmark.evidence.rounds.head.clone()]).collect();
            (benchmark.id.clone(), sides)
        });
        let occasion = format!("commit `{}`, {}", short(&result.head.commit), result.time);
        Self { path: path.to_owned(), occasion, sides: sides.collect() }
    }

    /// Of a record that was not made yet.
    pub(super) fn empty(path: &str) -> Self {
        Self { path: path.to_owned(), occasion: String::new(), sides: BTreeMap::new() }
    }

    #[cfg(test)]
    pub(super) fn of_rounds(rounds: &[(&str, &[f64])]) -> Self {
        let sides = rounds.iter().map(|(id, rounds)| ((*id).to_owned(), vec![rounds.to_vec()]));
        Self { sides: sides.collect(), ..Self::empty("a record") }
    }

    pub(super) fn has(&self, id: &str) -> bool {
        self.sides.contains_key(id)
    }

    /// Returns the text for benchmarks that are newer than the record; `None` if it has all of them.
    pub(super) fn missing_of(&self, ids: &[&str]) -> Option<String> {
        let is_missing = ids.iter().any(|id| !self.has(id));
        is_missing.then(|| "not recorded yet".to_owned())
    }

    /// The ids in a group of benchmarks, sorted.
    pub(super) fn in_group<'a>(&'a self, group: &'a str) -> impl Iterator<Item = &'a str> {
        let ids = self.sides.keys().map(String::as_str);
        ids.filter(move |id| id.rsplit_once('/').is_some_and(|(folder, _)| folder == group))
    }

    pub(super) fn median(&self, id: &str) -> Result<f64, Error> {
        stats::median(&self.rounds(id)?.concat()).ok_or_else(|| self.missing(id))
    }

    /// The median over the rounds of the same turn, as a rule of the policy has it.
    pub(super) fn ratio(&self, id: &str, of: &str) -> Result<f64, Error> {
        let sides = self.rounds(id)?.iter().zip(self.rounds(of)?);
        let ratios: Vec<f64> = sides
            .flat_map(|(these, those)| these.iter().zip(those))
            .map(|(this, that)| this / that)
            .collect();
        stats::median(&ratios).ok_or_else(|| self.missing(id))
    }

    /// The ratio of the fastest rounds, which other work disturbs least.
    pub(super) fn fastest(&self, id: &str, of: &str) -> Result<f64, Error> {
        let least = |id| -> Result<f64, Error> {
            Ok(self.rounds(id)?.concat().into_iter().fold(f64::INFINITY, f64::min))
        };
        Ok(least(id)? / least(of)?)
    }

    /// The fewest and the most rounds that a benchmark has.
    pub(super) fn counts(&self) -> (usize, usize) {
        let counts = self.sides.values().map(|sides| sides.concat().len()).filter(|n| *n > 0);
        let least = counts.clone().min().unwrap_or_default();
        (least, counts.max().unwrap_or_default())
    }

    fn rounds(&self, id: &str) -> Result<&[Vec<f64>], Error> {
        let sides = self.sides.get(id).filter(|sides| sides.iter().any(|side| !side.is_empty()));
        sides.map(Vec::as_slice).ok_or_else(|| self.missing(id))
    }

    fn missing(&self, id: &str) -> Error {
        Error::content(&self.path, format!("no rounds of `{id}`"))
    }
}

/// Where and how a result was measured: pairs of name and value.
pub(super) fn conditions(result: &RunResult) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let Some(machine) = &result.machine {
        rows.push(("processor", format!("{}, {} cores", machine.cpu, machine.cores)));
        rows.push(("kernel", machine.kernel.clone()));
        rows.push(("memory", format!("{} MiB", number(machine.memory_mib))));
    }
    if let Some(toolchain) = &result.toolchain {
        let flags = match toolchain.rustflags.as_str() {
            "" => "none".to_owned(),
            flags => format!("`{flags}`"),
        };
        rows.push(("compiler", toolchain.rustc.clone()));
        rows.push(("profile", toolchain.profile.clone()));
        rows.push(("flags", flags));
    }
    rows.push(("measured", result.time.clone()));
    rows.push(("commit", format!("`{}`", short(&result.head.commit))));
    rows
}

fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or_default()
}

/// A line of what an allocation suite prints with `--json`, for one iteration.
#[derive(Debug)]
pub(super) struct Allocations {
    pub(super) id: String,
    pub(super) blocks: u64,
    pub(super) bytes: u64,
    pub(super) peak: u64,
}

#[derive(Deserialize)]
struct AllocationLine {
    id: String,
    iterations: u64,
    blocks: u64,
    bytes: u64,
    peak: u64,
}

pub(super) fn allocations(repository: &Repository, path: &str) -> Result<Vec<Allocations>, Error> {
    let text = repository.read(path)?;
    text.lines()
        .map(|line| allocation(line).map_err(|problem| Error::content(path, problem)))
        .collect()
}

fn allocation(line: &str) -> Result<Allocations, String> {
    let AllocationLine { id, iterations, blocks, bytes, peak } =
        serde_json::from_str(line).map_err(|error| error.to_string())?;
    let each = |total: u64| match total.checked_rem(iterations) {
        Some(0) => Ok(total / iterations),
        _ => {
            Err(format!("{id}: {total} is not the same number for each of {iterations} iterations"))
        }
    };
    Ok(Allocations { blocks: each(blocks)?, bytes: each(bytes)?, peak, id })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_allocations_are_those_of_one_iteration() {
        let line = r#"{"schema":"s","id":"a","iterations":10,"blocks":40,"bytes":1740,"peak":174}"#;
        let counted = allocation(line).unwrap();
        assert_eq!((counted.blocks, counted.bytes, counted.peak), (4, 174, 174));
    }

    #[test]
    fn iterations_that_differ_have_no_figure() {
        let line = r#"{"schema":"s","id":"a","iterations":10,"blocks":41,"bytes":1740,"peak":174}"#;
        assert!(allocation(line).unwrap_err().contains("a: 41"));
        let none = r#"{"schema":"s","id":"a","iterations":0,"blocks":0,"bytes":0,"peak":0}"#;
        assert!(allocation(none).is_err());
    }

    #[test]
    fn a_file_that_is_not_a_result_is_refused_by_name() {
        let repository = Repository { root: crate::workspace().to_owned() };
        let error = result(&repository, "docs/result.schema.json").unwrap_err().to_string();
        assert!(error.starts_with("docs/result.schema.json: "), "{error}");
    }
}
