//! The Java suites: QuickBuffers alongside protobuf-java, its lite runtime and FlatBuffers.

use benchgate_core::model::{Finding, Metric, Verdict};
use benchgate_core::result::RunResult;
use benchgate_core::stats;
use serde::Deserialize;

use super::{JAVA, JAVA_WARM_UP, Sources, relations};
use crate::error::Error;
use crate::generate::evidence::published::Relation;
use crate::generate::evidence::recorded::{self, Times};
use crate::generate::evidence::table::table;

const NOT_RECORDED: &str =
    "Not recorded: `scripts/evidence/java run` and `scripts/evidence/java warm-up` do.";

/// The iterations of [`WarmUp`] that are as late in a process as those that a round measures, by the settings in
/// `benchgate.toml`: after 0.8 s, for 0.4 s.
const MEASURED: std::ops::Range<usize> = 8..12;

/// The iterations that are as good as warm.
const LAST: std::ops::Range<usize> = 20..30;

/// The length of an iteration.
const MILLISECONDS: f64 = 100.0;

/// One benchmark from the start of its process, as `scripts/evidence/java warm-up` records it.
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

    /// The time of an operation in what a round measures.
    fn measured(&self) -> Option<f64> {
        stats::quantile(self.nanoseconds.get(MEASURED)?, 0.25)
    }

    /// The time of an operation at the end.
    fn last(&self) -> Option<f64> {
        stats::quantile(self.nanoseconds.get(LAST)?, 0.25)
    }

    /// How much slower it is in what a round measures than at the end.
    fn slower(&self) -> Option<f64> {
        Some(self.measured()? / self.last()? - 1.0)
    }

    fn value(&self, of: fn(&Self) -> Option<f64>) -> Result<f64, Error> {
        of(self).ok_or_else(|| {
            Error::content(JAVA_WARM_UP, format!("`{}` has too few iterations", self.id))
        })
    }
}

/// The times of the record, of which there are none without one.
pub(super) fn recorded_times(sources: &Sources) -> Times {
    sources.java.as_ref().map_or_else(|| Times::empty(JAVA), |result| Times::of(JAVA, result))
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
        let found = |is_time: bool| {
            let rows = result.benchmarks.iter().filter(|b| (b.metric == Metric::TIME) == is_time);
            let count =
                |holds: fn(&Finding) -> bool| rows.clone().filter(|b| holds(&b.finding)).count();
            format!(
                "{} unchanged, {} inconclusive, {} flagged",
                count(|finding| *finding == Finding::Unchanged),
                count(|finding| *finding == Finding::Inconclusive),
                count(|finding| finding.level().is_some()),
            )
        };
        let ended = match result.verdict {
            Verdict::Incomplete => ", then interrupted",
            _ => "",
        };
        let rows: Vec<[String; 2]> = recorded::conditions(result)
            .into_iter()
            .chain(runtimes.map(|runtime| ("virtual machine", runtime)))
            .chain([
                ("rounds of each benchmark", format!("{least} to {most}")),
                ("times of the same code on both sides", found(true)),
                ("counts of the same code on both sides", found(false)),
                (
                    "time",
                    format!("{:.0} minutes of measuring{ended}", result.seconds.measure / 60.0),
                ),
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
        benchmarks.iter().map(|benchmark| benchmark.value(of)).collect()
    };
    let row = |name: &str, values: &[f64]| {
        let shown = |q| stats::quantile(values, q).map_or_else(String::new, percent);
        [name.to_owned(), shown(0.0), shown(0.5), shown(0.9), shown(1.0)]
    };
    let rows = [
        row("compiling, of the time that is measured", &values(WarmUp::compiling)?),
        row("slower than two seconds later", &values(WarmUp::slower)?),
    ];
    let head = format!("{} benchmarks", benchmarks.len());
    Ok(table([&head, "least", "median", "of nine in ten at most", "most"], &rows))
}

/// How many benchmarks the table of the slowest ones has.
const SLOWEST: usize = 5;

/// The benchmarks that are the slowest in what a round measures, and what that does to the shares.
pub(super) fn slowest(sources: &Sources) -> Result<String, Error> {
    let Some(benchmarks) = &sources.java_warm_up else { return Ok(NOT_RECORDED.to_owned()) };
    let shares = sources.published.java.iter().map(|relation| {
        let of = |id: &str| {
            benchmarks.iter().find(|benchmark| benchmark.id == id).ok_or_else(|| {
                Error::content(JAVA_WARM_UP, format!("there is no benchmark `{id}`"))
            })
        };
        let (this, that) = (of(&relation.benchmark)?, of(&relation.of)?);
        let share = |value: fn(&WarmUp) -> Option<f64>| -> Result<f64, Error> {
            Ok(this.value(value)? / that.value(value)?)
        };
        Ok((relation, share(WarmUp::measured)?, share(WarmUp::last)?))
    });
    let shares = shares.collect::<Result<Vec<(&Relation, f64, f64)>, Error>>()?;

    let slower = benchmarks.iter().map(|it| Ok((it.value(WarmUp::slower)?, it)));
    let mut slower = slower.collect::<Result<Vec<_>, Error>>()?;
    slower.sort_by(|(this, _), (that, _)| that.total_cmp(this));
    slower.truncate(SLOWEST);
    let times = sources.java.as_ref().map(|result| Times::of(JAVA, result));
    let recorded = |Relation { benchmark, of, .. }: &Relation| -> Result<String, Error> {
        let ratio = times.as_ref().map(|times| times.ratio(benchmark, of)).transpose()?;
        Ok(ratio.map(|ratio| format!("; {ratio:.3}")).unwrap_or_default())
    };
    let rows = slower.iter().map(|(slower, WarmUp { id, .. })| {
        let part_of = shares.iter().filter(|(it, ..)| it.benchmark == *id || it.of == *id);
        let shares = part_of.map(|(relation, measured, last)| {
            let recorded = recorded(relation)?;
            Ok(format!("`{}`: {measured:.3} → {last:.3}{recorded}", relation.benchmark))
        });
        let shares = shares.collect::<Result<Vec<_>, Error>>()?.join("<br>");
        Ok([format!("`{id}`"), percent(*slower), shares])
    });
    let rows = rows.collect::<Result<Vec<[String; 3]>, Error>>()?;
    let is_compared_with = |id: &str| shares.iter().any(|(relation, ..)| relation.of == id);
    let compared_with = slower.iter().filter(|(_, it)| is_compared_with(&it.id)).count();
    let lower = shares.iter().filter(|(_, measured, last)| measured < last).count();
    let missed = shares.iter().filter(|(relation, _, last)| *last > relation.target);
    let missed: Vec<String> = missed
        .map(|(relation, _, last)| {
            format!("`{}` {last:.3} (target {:.2})", relation.benchmark, relation.target)
        })
        .collect();
    let missed = match &*missed {
        [] => "none exceeds its target".to_owned(),
        missed => format!("{} exceed their target: {}", missed.len(), missed.join(", ")),
    };
    Ok(format!(
        "{compared_with} of the {SLOWEST} slowest are what QuickBuffers is compared with, which makes its shares \
         low. In this record, of one process for each benchmark, {lower} of {} shares are lower in what is measured \
         than two seconds later; of the later ones {missed}.\n\n{}",
        shares.len(),
        table(["the slowest", "slower", "as measured → two seconds later; in the rounds"], &rows)
    ))
}

fn percent(fraction: f64) -> String {
    format!("{:.1} %", fraction * 100.0)
}

pub(super) fn relations(sources: &Sources) -> Result<String, Error> {
    relations::with_targets(&sources.published.java, sources, &recorded_times(sources))
}

pub(super) fn comparisons(sources: &Sources) -> Result<String, Error> {
    recorded_by(sources, |_, times| relations::compared(&sources.published.java_comparison, times))
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
        let policy = include_str!("../../../../../../benchgate.toml");
        let settings = r#""-wi", "4", "-w", "200ms", "-i", "4", "-r", "100ms""#;
        assert!(policy.contains(settings));
    }
}
