//! The rounds of a run as they are written during the run, one JSON object a line: measured rounds
//! survive an interruption, and `check --resume` continues from them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::json::{self, FormatError};
use crate::model::{BenchmarkKey, Identity, Metric, Pace, Sides, Stage};
use crate::schedule::{Reading, Turn, Values};

/// The format of the first line.
pub const JOURNAL_SCHEMA: &str = "benchgate.journal/2";

/// The first line: which run it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Header {
    /// The format.
    pub schema: String,
    /// Seed of the order of rounds.
    pub seed: u64,
    /// The commits that were checked out.
    pub commits: Sides<String>,
    /// SHA-256 of the earlier result that it went on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<String>,
    /// SHA-256 of each executable, by suite.
    pub executables: Sides<BTreeMap<String, String>>,
    /// How rounds were asked for.
    pub measure: String,
    /// The command that resumes the run.
    pub command: String,
}

/// The other lines: one turn that gave values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The part of the run: `pairs`, or `rounds` of the head alone.
    pub part: String,
    /// Cargo package.
    pub package: String,
    /// Suite.
    pub suite: String,
    /// Id.
    pub id: String,
    /// Stage of the plan.
    pub stage: Stage,
    /// Number of the turn within the stage.
    pub pair: u32,
    /// How the rounds were asked for.
    pub pace: Pace,
    /// The layout of the code that it ran in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<u32>,
    /// Wall seconds of the slowest process.
    pub seconds: f64,
    /// Which benchmark it was, as baselines name it.
    pub identity: Identity,
    /// Values of the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub base: Vec<Value>,
    /// Values of the head.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub head: Vec<Value>,
    /// Means of all that was timed, of a pair whose harness gives them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub averages: Option<Sides<f64>>,
}

/// A value: its metric's name and unit, and the number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value(String, String, f64);

/// The result of a turn, without its [`Place`].
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// How the rounds were asked for.
    pub pace: Pace,
    /// The layout of the code that it ran in, as of [`Turn::layout`].
    pub layout: Option<u32>,
    /// The values.
    pub reading: Reading,
    /// Wall seconds of the slowest process.
    pub seconds: f64,
    /// Which benchmark it was.
    pub identity: Identity,
}

/// Which turn of which part an entry is.
pub type Place = (String, BenchmarkKey, Stage, u32);

impl Entry {
    /// The line of a turn; `None` for a turn without a value, which is tried again.
    pub fn of(part: &str, key: &BenchmarkKey, turn: &Turn, kept: &Kept) -> Option<Self> {
        let listed = |values: &Values| {
            let value = |(metric, value): (&Metric, &f64)| {
                Value(metric.name().to_owned(), metric.unit().to_owned(), *value)
            };
            values.iter().map(value).collect::<Vec<_>>()
        };
        let (base, head, averages) = match &kept.reading {
            Reading::Pair { values, averages } => {
                (listed(&values.base), listed(&values.head), *averages)
            }
            Reading::Round(values) => (Vec::new(), listed(values), None),
            Reading::Failed => return None,
        };
        Some(Self {
            part: part.to_owned(),
            package: key.package.clone(),
            suite: key.suite.clone(),
            id: key.id.clone(),
            stage: turn.stage,
            pair: turn.pair,
            pace: kept.pace,
            layout: kept.layout,
            seconds: kept.seconds,
            identity: kept.identity.clone(),
            base,
            head,
            averages,
        })
    }

    /// The line, with its end.
    pub fn to_line(&self) -> String {
        // Nothing in it can fail to be written as JSON: its keys are text and its numbers are finite.
        json::one_line(self, 256) + "\n"
    }

    fn kept(self) -> Result<(Place, Kept), String> {
        let Self { part, package, suite, id, stage, pair, pace, layout, .. } = self;
        let Self { seconds, identity, base, head, averages, .. } = self;
        let [base, head] = [base, head].map(|values| {
            let value = |Value(name, unit, value): Value| Ok((Metric::named(&name, &unit)?, value));
            values.into_iter().map(value).collect::<Result<Values, String>>()
        });
        let (base, head) = (base?, head?);
        let reading = match (base.is_empty(), head.is_empty()) {
            (_, true) => return Err("it has no value of the head".to_owned()),
            (true, false) => Reading::Round(head),
            (false, false) => Reading::Pair { values: Sides { base, head }, averages },
        };
        let place = (part, BenchmarkKey::new(package, suite, id), stage, pair);
        Ok((place, Kept { pace, layout, reading, seconds, identity }))
    }
}

impl Header {
    /// The line, with its end.
    pub fn to_line(&self) -> String {
        json::one_line(self, 256) + "\n"
    }
}

/// Reads a journal. A last line without its end was being written when the run ended: it is
/// ignored.
///
/// # Errors
/// Names the line.
pub fn read(text: &str) -> Result<(Header, BTreeMap<Place, Kept>), FormatError> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.lines().enumerate();
    let Some((_, first)) = lines.next() else {
        return Err(FormatError::whole("it ends before its first line does"));
    };
    let header: Header = json::parse(first.as_bytes())?;
    if header.schema != JOURNAL_SCHEMA {
        return Err(FormatError::at(
            "schema",
            format!("`{}` is not `{JOURNAL_SCHEMA}`", header.schema.escape_debug()),
        ));
    }
    let mut entries = BTreeMap::new();
    for (index, line) in lines {
        let at = |problem: String| FormatError::at(format!("line {}", index + 1), problem);
        let entry: Entry = json::parse(line.as_bytes()).map_err(|error| at(error.to_string()))?;
        let (place, kept) = entry.kept().map_err(at)?;
        entries.insert(place, kept);
    }
    Ok((header, entries))
}

#[cfg(test)]
mod tests;
