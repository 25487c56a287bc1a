//! The Java suites: QuickBuffers alongside protobuf-java, its lite runtime and FlatBuffers.

use benchgate_core::model::{Finding, Metric, Verdict};
use benchgate_core::result::RunResult;
use benchgate_core::stats;
use serde::Deserialize;

use super::{JAVA, JAVA_WARM_UP, Sources, relations};
use crate::error::Error;
use crate::generate::recorded::{self, Times};
use crate::generate::table::{duration, table};

const NOT_RECORDED: &str = "not recorded yet";

/// The iterations of [`WarmUp`] that are as late in a process as those that a round measures, by the settings in
/// `benchgate.toml`: after 0.8 s, for 0.4 s.
const MEASURED: std::ops::Range<usize> = 8..12;

/// The iterations that are as good as warm.
const LAST: std::ops::Range<usize> = 20..30;

/// The length of an iteration.
const MILLISECONDS: f64 = 100.0;

/// One benchmark from the start of its process, as `scripts/java-warm-up` records it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WarmUp {
    id: String,
    /// The time of an operation in each iteration.
    nanoseconds: Vec<f64>,
    /// Milliseconds that the compiler took in each iteration, on any CPU.
    compiling_ms: Vec<f64>,
}

impl WarmUp {
    /// The share of compiling in what a round measures.
    fn compiling(&self) -> Option<f64> {
        let measured = self.compiling_ms.get(MEASURED)?;
        Some(measured.iter().sum::<f64>() / (MILLISECONDS * measured.len() as f64))
    }

    /// How much slower it is in what a round measures than at the end.
    fn slower(&self) -> Option<f64> {
        let value = |range| stats::quantile(self.nanoseconds.get(range)?, 0.25);
        Some(value(MEASURED)? / value(LAST)? - 1.0)
    }
}

/// With the record, if there is one.
fn recorded_by(
    sources: &Sources,
    make: impl Fn(&RunResult, &Times) -> Result<String, Error>,
) -> Result<String, Error> {
    match &sources.java {
        Some(result) => make(result, &Times::of(JAVA, result)),
        None => Ok(NOT_RECORDED.to_owned()),
    }
}

/// Where they were measured, and what a run of the same code on both sides found.
pub(super) fn machine(sources: &Sources) -> Result<String, Error> {
    recorded_by(sources, |result, times| {
        let (least, most) = times.counts();
        let runtimes = result.toolchain.iter().flat_map(|toolchain| toolchain.runtimes.clone());
        let flagged = result.benchmarks.iter().filter(|b| b.finding.level().is_some()).count();
        let found = |finding| result.benchmarks.iter().filter(|b| b.finding == finding).count();
        let [unchanged, open] = [Finding::Unchanged, Finding::Inconclusive].map(found);
        let ended = match result.verdict {
            Verdict::Incomplete => ", then interrupted",
            _ => "",
        };
        let rows: Vec<[String; 2]> = recorded::conditions(result)
            .into_iter()
            .chain(runtimes.map(|runtime| ("virtual machine", runtime)))
            .chain([
                ("rounds of each benchmark", format!("{least} to {most}")),
                (
                    "of the same code on both sides",
                    format!(
                        "{} times and counts: {unchanged} unchanged, {open} inconclusive, {flagged} flagged",
                        result.benchmarks.len()
                    ),
                ),
                ("time", format!("{:.0} minutes of measuring{ended}", result.seconds.measure / 60.0)),
            ])
            .map(|(name, value)| [name.to_owned(), value])
            .collect();
        Ok(table(["", ""], &rows))
    })
}

/// Whether rounds are past compiling.
pub(super) fn warm_up(sources: &Sources) -> Result<String, Error> {
    let Some(benchmarks) = &sources.java_warm_up else { return Ok(NOT_RECORDED.to_owned()) };
    let values = |of: fn(&WarmUp) -> Option<f64>| -> Result<Vec<f64>, Error> {
        let value = |benchmark| {
            of(benchmark).ok_or_else(|| {
                Error::content(JAVA_WARM_UP, format!("`{}` has too few iterations", benchmark.id))
            })
        };
        benchmarks.iter().map(value).collect()
    };
    let row = |name: &str, values: &[f64]| {
        let shown = |q| {
            stats::quantile(values, q)
                .map_or_else(String::new, |value| format!("{:.1} %", value * 100.0))
        };
        [name.to_owned(), shown(0.0), shown(0.5), shown(0.9), shown(1.0)]
    };
    let rows = [
        row("compiling, of the time that is measured", &values(WarmUp::compiling)?),
        row("slower than two seconds later", &values(WarmUp::slower)?),
    ];
    Ok(table(
        [
            &format!("{} benchmarks", benchmarks.len()),
            "least",
            "median",
            "of nine in ten at most",
            "most",
        ],
        &rows,
    ))
}

pub(super) fn relations(sources: &Sources) -> Result<String, Error> {
    let none = Times::empty(JAVA);
    let times = sources.java.as_ref().map_or(none, |result| Times::of(JAVA, result));
    relations::with_targets(&sources.published.java, sources, &times)
}

pub(super) fn comparisons(sources: &Sources) -> Result<String, Error> {
    recorded_by(sources, |_, times| relations::compared(&sources.published.java_comparison, times))
}

/// Writing is what reading and writing takes beyond reading: a difference of two medians.
pub(super) fn writes(sources: &Sources) -> Result<String, Error> {
    recorded_by(sources, |_, times| {
        let write = |library: &str, stream: u32| -> Result<f64, Error> {
            let id = |method: &str| {
                format!("robobuffers.Streams.{method}/library={library}/stream={stream}")
            };
            Ok(times.median(&id("readWrite"))? - times.median(&id("read"))?)
        };
        let row = |stream: u32| -> Result<[String; 4], Error> {
            let [quickbuf, protobuf] = [write("quickbuf", stream)?, write("protobuf", stream)?];
            let ratio = match quickbuf > 0.0 && protobuf > 0.0 {
                true => format!("{:.2}", quickbuf / protobuf),
                false => "none: the difference is within the scatter".to_owned(),
            };
            let shown = |difference: f64| match difference > 0.0 {
                true => duration(difference),
                false => "below 0".to_owned(),
            };
            Ok([stream.to_string(), shown(quickbuf), shown(protobuf), ratio])
        };
        let rows = (1..=5).map(row).collect::<Result<Vec<_>, Error>>()?;
        Ok(table(["stream", "QuickBuffers", "protobuf-java", "ratio"], &rows))
    })
}

/// Bytes that an operation allocates.
pub(super) fn allocations(sources: &Sources) -> Result<String, Error> {
    recorded_by(sources, |result, _| {
        let counted = result.benchmarks.iter().filter(|b| b.metric == Metric::ALLOC_BYTES);
        let rows: Vec<[String; 2]> = counted
            .filter_map(|b| Some([format!("`{}`", b.id), Metric::ALLOC_BYTES.show(b.head?)]))
            .collect();
        Ok(table(["benchmark", "bytes of an operation"], &rows))
    })
}

#[cfg(test)]
mod tests {
    /// The settings that [`super::MEASURED`] follows from.
    #[test]
    fn the_suite_measures_after_eight_tenths_of_a_second_for_four() {
        let policy = include_str!("../../../../../benchgate.toml");
        let settings = r#""-wi", "4", "-w", "200ms", "-i", "4", "-r", "100ms""#;
        assert!(policy.contains(settings));
    }
}
