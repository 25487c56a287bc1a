//! The part of `docs/evidence/lockstep.md` on how far both ways agree, from what `scripts/evidence/agreement` leaves.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Repository;
use super::table::{duration, table};
use crate::error::Error;

const RECORD: &str = "docs/evidence/recorded/agreement.json";

const LIST: &str = "scripts/evidence/corpus.json";

const HEAD: &str = "\
## How far both ways agree

`scripts/evidence/agreement --record` measures published packages of others four times: in lockstep, by Criterion, in
lockstep, by Criterion. They are every tenth of `scripts/evidence/corpus.json`, in the newest version, with Criterion benches,
and at most ten benchmarks of each, evenly chosen.
Both sides of a check are the same commit. A check by Criterion has one pair, whose rounds take some seconds each, one in
lockstep has six; a value is the median of the rounds of both sides. Two values are 5 % apart where
the larger is 1.05 times the smaller. How far a way is from itself, one check and the next, is what the machine allows.

Where each way repeats its own value and not the other's, the executables differ: other crates are linked into them, so the
code has another layout and the process another heap. Which of the two it is was not examined. Both sides of a check are
measured the same way, and values of the two are never mixed.";

/// Nanoseconds below which an iteration is called short.
const SHORT: f64 = 100.0;

/// Further apart than this, a benchmark is listed.
const FAR: f64 = 0.05;

#[derive(Deserialize)]
struct Record {
    on: String,
    load: f64,
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    harness: String,
    /// What a way did not measure.
    problems: Vec<String>,
    benchmarks: BTreeMap<String, Values>,
}

/// Nanoseconds of an iteration, by each way in one check and the next.
#[derive(Deserialize)]
struct Values {
    #[serde(default)]
    criterion: Vec<f64>,
    #[serde(default)]
    lockstep: Vec<f64>,
}

impl Values {
    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    /// How far both ways are apart; `None` where one has no value.
    fn ways(&self) -> Option<f64> {
        let Self { criterion, lockstep } = self;
        let both = !criterion.is_empty() && !lockstep.is_empty();
        both.then(|| apart(Self::mean(criterion), Self::mean(lockstep)))
    }

    /// How far a way is from itself.
    fn itself(values: &[f64]) -> Option<f64> {
        let [first, second] = values else { return None };
        Some(apart(*first, *second))
    }

    fn is_short(&self) -> bool {
        self.criterion.first().or(self.lockstep.first()).is_some_and(|value| *value < SHORT)
    }
}

fn apart(one: f64, other: f64) -> f64 {
    one.max(other) / one.min(other) - 1.0
}

pub(super) fn part(repository: &Repository) -> Result<String, Error> {
    let text = repository.read(RECORD)?;
    let Record { on, load, packages } =
        serde_json::from_str(&text).map_err(|error| Error::content(RECORD, error))?;
    let list = repository.read(LIST)?;
    let list: Vec<Entry> =
        serde_json::from_str(&list).map_err(|error| Error::content(LIST, error))?;
    // As the script chooses them.
    let chosen: Vec<String> = list.into_iter().skip(4).step_by(10).map(|it| it.name).collect();
    let measured =
        format!("Recorded on {on} with two cores, at a load of {load:.2} before it began.");
    let sections =
        [HEAD.to_owned(), measured, shares(&packages), far(&packages), named(&packages, &chosen)];
    Ok(sections.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n\n"))
}

/// How far two values of a benchmark are apart; `None` where one of them is not there.
type Distance = Box<dyn Fn(&Values) -> Option<f64>>;

/// The share of benchmarks that are near each other, of the ways and of each way with itself.
fn shares(packages: &[Package]) -> String {
    let all = || packages.iter().flat_map(|package| package.benchmarks.values());
    let itself = |of: fn(&Values) -> &[f64]| move |values: &Values| Values::itself(of(values));
    let compared: [(&str, Distance); 3] = [
        ("both ways, each the mean of its checks", Box::new(Values::ways)),
        ("Criterion with itself", Box::new(itself(|values| &values.criterion))),
        ("lockstep with itself", Box::new(itself(|values| &values.lockstep))),
    ];
    let lengths = [("at least 100 ns", false), ("shorter", true)];
    let rows = compared.iter().flat_map(|(what, distance)| {
        lengths.map(|(length, is_short)| {
            let apart: Vec<f64> =
                all().filter(|values| values.is_short() == is_short).filter_map(distance).collect();
            let within = |most: f64| {
                let near = apart.iter().filter(|apart| **apart <= most).count();
                format!("{:.0} %", 100.0 * near as f64 / apart.len().max(1) as f64)
            };
            let number = apart.len().to_string();
            [(*what).to_owned(), length.to_owned(), number, within(0.02), within(FAR)]
        })
    });
    let head = [
        "compared",
        "iterations of",
        "benchmarks",
        "within 2 % (asked: 95)",
        "within 5 % (asked: 99)",
    ];
    table(head, &rows.collect::<Vec<_>>())
}

/// The benchmarks of which both ways are far apart.
fn far(packages: &[Package]) -> String {
    let rows = packages.iter().flat_map(|package| {
        package.benchmarks.iter().filter_map(|(id, values)| {
            let distance = values.ways().filter(|apart| *apart > FAR)?;
            let of = |values: &[f64]| {
                values.iter().map(|value| duration(*value)).collect::<Vec<_>>().join(", ")
            };
            Some([
                format!("{} {}", package.name, package.version),
                format!("`{id}`"),
                of(&values.criterion),
                of(&values.lockstep),
                format!("{:.0} %", 100.0 * distance),
            ])
        })
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = ["package", "benchmark", "Criterion", "lockstep", "apart"];
    format!("Further apart than 5 %:\n\n{}", table(head, &rows))
}

/// The packages, those of which there is no record yet, and what of them a way did not measure.
fn named(packages: &[Package], chosen: &[String]) -> String {
    let names: Vec<String> = packages
        .iter()
        .map(|it| {
            format!(
                "{} {} ({}, {} benchmarks)",
                it.name,
                it.version,
                it.harness,
                it.benchmarks.len()
            )
        })
        .collect();
    let problems: Vec<String> = packages
        .iter()
        .flat_map(|it| it.problems.iter().map(|problem| format!("{}: {problem}", it.name)))
        .collect();
    let is_missing = |name: &&String| packages.iter().all(|it| it.name != **name);
    let missing: Vec<String> = chosen.iter().filter(is_missing).cloned().collect();
    let said = |what: &str, list: &[String]| match list {
        [] => String::new(),
        list => format!(" {what}: {}.", list.join("; ")),
    };
    format!(
        "The packages: {}.{}{}",
        names.join(", "),
        said("No record yet", &missing),
        said("Not measured", &problems)
    )
}
