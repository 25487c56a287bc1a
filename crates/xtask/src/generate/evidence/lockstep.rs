//! `docs/evidence/lockstep.md`: how both sides are led in lockstep, and what that reads and takes next to Criterion itself, from what
//! `scripts/evidence/lockstep` and `scripts/evidence/agreement` leave.

use std::collections::{BTreeMap, BTreeSet};

use benchgate_core::result::Seconds;
use serde::Deserialize;

use super::table::{or_dash, table};
use super::{Repository, agreement};
use crate::error::Error;

const RECORD: &str = "docs/evidence/recorded/lockstep.json";

const HEAD: &str = include_str!("lockstep.md");

#[derive(Deserialize)]
struct Record {
    on: String,
    load: f64,
    runs: Vec<Run>,
}

/// A check: the base against a head that does so much more work.
#[derive(Deserialize)]
struct Run {
    way: String,
    percent: u32,
    whole_seconds: f64,
    seconds: Seconds,
    kernels: BTreeMap<String, Kernel>,
}

#[derive(Deserialize)]
struct Kernel {
    finding: String,
    change: Option<Change>,
    pairs: Option<u32>,
}

#[derive(Deserialize)]
struct Change {
    estimate: f64,
    lower: f64,
    upper: f64,
}

pub(super) fn make(repository: &Repository) -> Result<String, Error> {
    let text = repository.read(RECORD)?;
    let record: Record =
        serde_json::from_str(&text).map_err(|error| Error::content(RECORD, error))?;
    let Record { on, load, runs } = &record;
    Ok(format!(
        "{HEAD}\nRecorded on {on} with two cores, at a load of {load:.2} before it began.\n\n{}\n\n{}\n\n{}\n",
        of_kernels(runs),
        of_runs(runs),
        agreement::part(repository)?
    ))
}

/// What each way reads of each kernel.
fn of_kernels(runs: &[Run]) -> String {
    let names: BTreeSet<&String> = runs.iter().flat_map(|run| run.kernels.keys()).collect();
    let mut rows = Vec::new();
    for name in names {
        for run in runs {
            let Some(Kernel { finding, change, pairs }) = run.kernels.get(name) else { continue };
            let percent = |size: f64| format!("{:+.1}", size * 100.0);
            rows.push([
                name.clone(),
                format!("+{} %", run.percent),
                run.way.clone(),
                or_dash(change.as_ref(), |change| {
                    let Change { estimate, lower, upper } = change;
                    let interval = format!("[{}, {}]", percent(*lower), percent(*upper));
                    format!("{} % {interval}", percent(*estimate))
                }),
                finding.clone(),
                or_dash(*pairs, |pairs| pairs.to_string()),
            ]);
        }
    }
    let head = ["kernel", "more work", "measured by", "change, 95 % interval", "finding", "pairs"];
    table(head, &rows)
}

/// What each check took.
fn of_runs(runs: &[Run]) -> String {
    let rows = runs.iter().map(|run| {
        let Seconds { build, measure } = run.seconds;
        [
            format!("+{} %", run.percent),
            run.way.clone(),
            format!("{build:.0} s"),
            format!("{measure:.0} s"),
            format!("{:.0} s", run.whole_seconds),
        ]
    });
    let head = ["more work", "measured by", "building", "measuring", "the whole check"];
    table(head, &rows.collect::<Vec<_>>())
}
