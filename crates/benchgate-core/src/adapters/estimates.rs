//! Criterion's `estimates.json`: the figures that critcmp's exports repeat, and the same figures
//! computed from rounds.

use serde::{Deserialize, Serialize};

use crate::json::{FormatError, positive};
use crate::stats;

/// The parts of an `estimates.json` that are read: point estimates only, for a within-process interval
/// says nothing about another process.
#[derive(Deserialize)]
pub(super) struct Estimates {
    mean: Point,
    std_dev: Point,
}

#[derive(Deserialize)]
struct Point {
    point_estimate: f64,
}

impl Estimates {
    /// Mean and standard deviation in nanoseconds per iteration.
    pub(super) fn checked(&self) -> Result<(f64, f64), FormatError> {
        let mean = positive("mean.point_estimate", self.mean.point_estimate)?;
        let std_dev = self.std_dev.point_estimate;
        if !(std_dev >= 0.0 && std_dev.is_finite()) {
            return Err(FormatError::at(
                "std_dev.point_estimate",
                format!("invalid deviation {std_dev}: must be >= 0"),
            ));
        }
        Ok((mean, std_dev))
    }
}

/// A whole `estimates.json` as Criterion writes it.
#[derive(Serialize)]
pub(super) struct FullEstimates {
    mean: Estimate,
    median: Estimate,
    median_abs_dev: Estimate,
    slope: Option<Estimate>,
    std_dev: Estimate,
}

#[derive(Serialize)]
struct Estimate {
    confidence_interval: ConfidenceInterval,
    point_estimate: f64,
    standard_error: f64,
}

#[derive(Serialize)]
struct ConfidenceInterval {
    confidence_level: f64,
    lower_bound: f64,
    upper_bound: f64,
}

/// Scales a median absolute deviation to a standard deviation under normality, as Criterion does.
const MAD_SCALE: f64 = 1.4826;

impl FullEstimates {
    /// Estimates over rounds: the sample is one value per process. Intervals are 95 % from the
    /// jackknife's standard error (Efron 1982, chapter 3); there is no slope across processes.
    pub(super) fn of_rounds(rounds: &[f64]) -> Self {
        Self {
            mean: Estimate::jackknife(rounds, mean),
            median: Estimate::jackknife(rounds, |v| stats::median(v).unwrap_or_default()),
            median_abs_dev: Estimate::jackknife(rounds, median_abs_dev),
            slope: None,
            std_dev: Estimate::jackknife(rounds, std_dev),
        }
    }
}

impl Estimate {
    fn jackknife(values: &[f64], statistic: impl Fn(&[f64]) -> f64) -> Self {
        let point = statistic(values);
        let count = values.len();
        let standard_error = if count < 2 {
            0.0
        } else {
            let left_out: Vec<f64> = (0..count)
                .map(|skip| {
                    let mut rest = values.to_vec();
                    rest.swap_remove(skip);
                    statistic(&rest)
                })
                .collect();
            let centre = mean(&left_out);
            let squares: f64 = left_out.iter().map(|value| (value - centre).powi(2)).sum();
            (squares * (count - 1) as f64 / count as f64).sqrt()
        };
        let reach = 1.96 * standard_error;
        Self {
            confidence_interval: ConfidenceInterval {
                confidence_level: 0.95,
                // Times and spreads end at zero.
                lower_bound: (point - reach).max(0.0),
                upper_bound: point + reach,
            },
            point_estimate: point,
            standard_error,
        }
    }
}

pub(super) fn mean(values: &[f64]) -> f64 {
    stats::mean(values).unwrap_or_default()
}

pub(super) fn std_dev(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let centre = mean(values);
    let squares: f64 = values.iter().map(|value| (value - centre).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

fn median_abs_dev(values: &[f64]) -> f64 {
    let centre = stats::median(values).unwrap_or_default();
    let away: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    stats::median(&away).unwrap_or_default() * MAD_SCALE
}
