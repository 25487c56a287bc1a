//! Common ways to compare two Criterion runs.

use benchgate_core::model::Level;

use super::{Decision, Design, level_of};
use crate::raw::{Criterion, Raw, Verdict};
use crate::record::DEFAULT_SETTINGS;

/// A rule over two Criterion runs.
pub(crate) struct TwoRuns {
    name: &'static str,
    reports_sizes: bool,
    at_defaults: bool,
    claim: fn(&Criterion) -> Option<Level>,
    ratio: Option<fn(&Criterion) -> f64>,
}

/// critcmp's ratio, with thresholds.
pub(crate) const CRITCMP_MEAN: TwoRuns = TwoRuns {
    name: "Criterion twice, critcmp's ratio of means",
    reports_sizes: true,
    at_defaults: false,
    claim: |runs| level_of(means(runs)),
    ratio: Some(means),
};

/// The design with medians.
pub(crate) const CRITCMP_MEDIAN: TwoRuns = TwoRuns {
    name: "Criterion twice, ratio of medians",
    reports_sizes: true,
    at_defaults: false,
    claim: |runs| level_of(medians(runs)),
    ratio: Some(medians),
};

/// "Performance has regressed."
pub(crate) const VERDICT: TwoRuns = TwoRuns {
    name: "Criterion's own verdict",
    reports_sizes: false,
    at_defaults: false,
    claim: regressed,
    ratio: None,
};

/// The design at the default settings.
pub(crate) const VERDICT_AT_DEFAULTS: TwoRuns =
    TwoRuns { name: "Criterion's own verdict, 3 s + 5 s", at_defaults: true, ..VERDICT };

/// github-action-benchmark alerts at 200 % of the previous mean by default.
pub(crate) const TWICE: TwoRuns = TwoRuns {
    name: "github-action-benchmark, 200 % of the mean",
    reports_sizes: false,
    at_defaults: false,
    claim: |runs| (means(runs) > 2.0).then_some(Level::Note),
    ratio: None,
};

fn means(runs: &Criterion) -> f64 {
    runs.head.mean / runs.base.mean
}

fn medians(runs: &Criterion) -> f64 {
    runs.head.median / runs.base.median
}

fn regressed(runs: &Criterion) -> Option<Level> {
    (runs.verdict == Verdict::Regressed).then_some(Level::Note)
}

impl Design for TwoRuns {
    fn name(&self) -> &'static str {
        self.name
    }

    fn reports_sizes(&self) -> bool {
        self.reports_sizes
    }

    fn decisions(&self, raw: &[Raw]) -> Vec<Decision> {
        raw.iter()
            .filter_map(|raw| match raw {
                Raw::Criterion(runs) => Some(runs),
                _ => None,
            })
            .filter(|runs| (runs.settings == DEFAULT_SETTINGS) == self.at_defaults)
            .map(|runs| Decision {
                kernel: runs.kernel.clone(),
                variant: runs.variant,
                loaded: runs.loaded,
                claim: (self.claim)(runs),
                is_inconclusive: false,
                is_unchanged: false,
                estimate: self.ratio.map(|ratio| ratio(runs).ln()),
                interval: None,
                install: None,
                seconds: runs.seconds,
            })
            .collect()
    }
}
