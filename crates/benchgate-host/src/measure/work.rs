//! The benchmarks to measure, the settings, and the measurements.

use std::path::Path;
use std::time::{Duration, Instant};

use benchgate_core::model::{BenchmarkKey, CpuCounts, Held, Identity, Metric, Pace, Side, Sides};
use benchgate_core::policy::Measure;
use benchgate_core::schedule::{Measurements, Values};

use super::layouts::Layouts;
use crate::Progress;
use crate::harness::Failure;
use crate::store::journal::Journal;

/// Measurements of one benchmark.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Its pairs, or the rounds of the only side that has it.
    pub measurements: Measurements,
    /// Which benchmark it is, as baselines name it.
    pub identity: Option<Identity>,
    /// The side and the reason, when it gave no value.
    pub failure: Option<(Side, Failure)>,
    /// Why its confirmation pairs all ran in one layout of the code; empty if they did not.
    pub not_relinked: String,
    /// Wall seconds of its turns, both sides, without linking.
    pub seconds: f64,
    /// Memory of the processes of its suite so far, where both sides were led.
    pub held: Option<Held>,
    /// What the CPU counted in each confirmation pair that was run, where it can.
    pub counts: Vec<Sides<CpuCounts>>,
    /// The metrics of the first round of each side.
    metrics: Sides<Vec<Metric>>,
    /// The pace of its rounds; `None` until it is known.
    pub(super) pace: Option<Pace>,
}

/// A benchmark to measure, by its key on each side that takes part.
pub type Work = Sides<Option<BenchmarkKey>>;

/// Settings of rounds.
pub struct Settings<'a> {
    /// The policy's `[measure]`, for every harness.
    pub measure: &'a Measure,
    /// Start and length of the time that is given; `None` for no limit.
    pub budget: Option<(Instant, Duration)>,
    /// The folder of short-lived files.
    pub scratch: &'a Path,
    /// The journal that keeps turns during the run.
    pub journal: Option<&'a Journal>,
    /// Layouts of the executables of confirmation pairs; `None` for the built ones.
    pub layouts: Option<&'a Layouts<'a>>,
    /// The part of the run, as the journal names it.
    pub part: &'a str,
    /// The receiver of progress.
    pub progress: &'a dyn Progress,
}

impl Settings<'_> {
    /// Time that was spent on linking other layouts so far.
    pub(super) fn linking(&self) -> Duration {
        self.layouts.map(Layouts::linking).unwrap_or_default()
    }
}

impl Measured {
    /// Nothing yet, at this pace.
    pub(super) fn at(pace: Pace) -> Self {
        Self { pace: Some(pace), ..Self::default() }
    }

    /// Why the metrics of a round are not those of the first one, or the head lacks one of the base: a metric
    /// that is there now and then would wait for its next value for ever.
    pub(super) fn metrics_differ(&mut self, side: Side, values: &Values) -> Option<String> {
        let known = &mut self.metrics[side];
        if known.is_empty() {
            *known = values.keys().cloned().collect();
        }
        if !known.iter().eq(values.keys()) {
            let named = |metrics: &[&Metric]| {
                metrics.iter().map(|metric| metric.name()).collect::<Vec<_>>().join(", ")
            };
            let now: Vec<&Metric> = values.keys().collect();
            let first: Vec<&Metric> = known.iter().collect();
            return Some(format!("it gave {}, and {} before", named(&now), named(&first)));
        }
        let Sides { base, head } = &self.metrics;
        let is_other = |(of_base, of_head): &(&Metric, &Metric)| {
            of_base == of_head && !of_base.is_comparable_with(of_head)
        };
        if let Some((of_base, of_head)) = base.iter().zip(head).find(is_other) {
            let [base, head] = [of_base, of_head].map(Metric::unit);
            return Some(format!("the head measures {head}, and the base {base}"));
        }
        let lost = base.iter().find(|metric| !head.is_empty() && !head.contains(metric))?;
        Some(format!("the head gives no `{}`, which the base gives", lost.name()))
    }
}
