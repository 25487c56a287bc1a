//! Statistics that the lab uses and the gate does not.

use benchgate_core::stats;
use puruspe::{invbetai, ln_gamma};

/// A signed number; zero has no sign.
pub(crate) fn signed(value: f64, digits: usize) -> String {
    let shown = format!("{value:+.digits$}");
    let is_zero = shown.chars().all(|c| !c.is_ascii_digit() || c == '0');
    if is_zero { shown[1..].to_owned() } else { shown }
}

/// Enough halvings for every digit that is shown.
const HALVINGS: u32 = 40;

/// The 95 % Clopper-Pearson interval of a share: Clopper and Pearson, Biometrika 26 (1934). Computed by
/// bisection, because `puruspe::invbetai` fails for large samples.
pub(crate) fn clopper_pearson(hits: usize, of: usize) -> (f64, f64) {
    let share = |is_below: &dyn Fn(f64) -> bool| {
        let (mut below, mut above) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(below, above);
            *(if is_below(middle) { &mut below } else { &mut above }) = middle;
        }
        f64::midpoint(below, above)
    };
    let lower = match hits {
        0 => 0.0,
        _ => share(&|share| 1.0 - at_most(hits - 1, of, share) < 0.025),
    };
    let upper = if hits == of { 1.0 } else { share(&|share| at_most(hits, of, share) > 0.025) };
    (lower, upper)
}

/// The probability of at most this many hits.
fn at_most(hits: usize, of: usize, share: f64) -> f64 {
    let ln_factorial = |n: usize| ln_gamma(n as f64 + 1.0);
    let whole = ln_factorial(of);
    (0..=hits)
        .map(|hit| {
            let ways = whole - ln_factorial(hit) - ln_factorial(of - hit);
            (ways + hit as f64 * share.ln() + (of - hit) as f64 * (-share).ln_1p()).exp()
        })
        .sum()
}

/// The mean; `NaN` without values.
pub(crate) fn mean(values: &[f64]) -> f64 {
    stats::mean(values).unwrap_or(f64::NAN)
}

/// The middle value; `NaN` without values.
pub(crate) fn median(values: &[f64]) -> f64 {
    stats::median(values).unwrap_or(f64::NAN)
}

/// The standard deviation of a normal distribution with this median distance from the middle; `NaN` without
/// values.
pub(crate) fn robust_deviation(values: &[f64]) -> f64 {
    let centre = median(values);
    let away: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    1.4826 * median(&away)
}

/// The sample standard deviation; `NaN` of fewer than two values.
pub(crate) fn deviation(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return f64::NAN;
    }
    let centre = mean(values);
    let squares: f64 = values.iter().map(|value| (value - centre).powi(2)).sum();
    (squares / (values.len() as f64 - 1.0)).sqrt()
}

/// A centre with an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// Centre.
    pub(crate) centre: f64,
    /// Lower and upper end; infinite where the sample is too small.
    pub(crate) interval: (f64, f64),
}

/// An estimator: a centre and an interval that misses the truth with at most `error` on either side.
pub(crate) type Estimator = fn(values: &[f64], error: f64) -> Estimate;

/// The median, with exact order-statistic bounds.
pub(crate) fn by_median(values: &[f64], error: f64) -> Estimate {
    let bounds = stats::median_bounds(values, error);
    Estimate { centre: median(values), interval: (bounds.lower, bounds.upper) }
}

/// The Hodges-Lehmann estimate, with the bounds of Wilcoxon's signed-rank test: exact for symmetric
/// distributions (Hollander and Wolfe, Nonparametric Statistical Methods, 3.3).
pub(crate) fn by_walsh_averages(values: &[f64], error: f64) -> Estimate {
    let n = values.len();
    let mut averages: Vec<f64> = (0..n)
        .flat_map(|i| (i..n).map(move |j| (i, j)))
        .map(|(i, j)| f64::midpoint(values[i], values[j]))
        .collect();
    averages.sort_by(f64::total_cmp);
    let interval = match signed_rank(n, error) {
        Some(rank) => (averages[rank], averages[averages.len() - 1 - rank]),
        None => (f64::NEG_INFINITY, f64::INFINITY),
    };
    Estimate { centre: median(&averages), interval }
}

/// The largest `k` with P(W <= k) <= `error`, W the signed-rank statistic of `n` values.
fn signed_rank(n: usize, error: f64) -> Option<usize> {
    let mut ways = vec![0.0; n * (n + 1) / 2 + 1];
    ways[0] = 1.0;
    for rank in 1..=n {
        for sum in (rank..ways.len()).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let all = 2.0_f64.powi(n as i32);
    let mut cumulated = 0.0;
    let mut found = None;
    for (k, ways) in ways.iter().enumerate() {
        cumulated += ways / all;
        if cumulated > error {
            break;
        }
        found = Some(k);
    }
    found
}

/// The share cut off at either end of a trimmed mean.
const TRIMMED: f64 = 0.2;

/// The 20 % trimmed mean, and its standard error from the winsorised variance (Tukey and McLaughlin
/// 1963); `NaN` without values.
pub(crate) fn trimmed_mean(values: &[f64]) -> (f64, f64) {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let cut = (TRIMMED * n as f64) as usize;
    let middle = &sorted[cut..n - cut];
    let (Some(first), Some(last)) = (middle.first(), middle.last()) else {
        return (f64::NAN, f64::NAN);
    };
    let winsorised: Vec<f64> = sorted.iter().map(|value| value.clamp(*first, *last)).collect();
    let share = 1.0 - 2.0 * cut as f64 / n as f64;
    (mean(middle), deviation(&winsorised) / (share * (n as f64).sqrt()))
}

/// The 20 % trimmed mean, with t bounds.
pub(crate) fn by_trimmed_mean(values: &[f64], error: f64) -> Estimate {
    let (centre, spread) = trimmed_mean(values);
    let number = values.len() - 2 * (TRIMMED * values.len() as f64) as usize;
    t_interval(centre, spread, number, error)
}

/// The mean, with t bounds.
pub(crate) fn by_mean(values: &[f64], error: f64) -> Estimate {
    let spread = deviation(values) / (values.len() as f64).sqrt();
    t_interval(mean(values), spread, values.len(), error)
}

fn t_interval(centre: f64, spread: f64, values: usize, error: f64) -> Estimate {
    let reach = match values {
        0 | 1 => f64::INFINITY,
        _ => t_quantile(values as f64 - 1.0, error) * spread,
    };
    Estimate { centre, interval: (centre - reach, centre + reach) }
}

/// The upper quantile of Student's t with this many degrees of freedom, by its beta
/// distribution (Abramowitz and Stegun 26.7.1).
fn t_quantile(freedom: f64, error: f64) -> f64 {
    let x = invbetai(2.0 * error, freedom / 2.0, 0.5);
    (freedom * (1.0 - x) / x).sqrt()
}

/// The two-sided p-value of the Mann-Whitney U test, exact; `NaN` without values on a side.
///
/// Values that are equal on both sides count a half each, and the sum is rounded against a
/// difference.
pub(crate) fn mann_whitney(a: &[f64], b: &[f64]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return f64::NAN;
    }
    let above: f64 = a
        .iter()
        .flat_map(|x| b.iter().map(move |y| (x, y)))
        .map(|(x, y)| match x.total_cmp(y) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        })
        .sum();
    let most = (a.len() * b.len()) as f64;
    let u = above.min(most - above).ceil() as usize;
    // Ways to reach each U: the coefficients of the Gaussian binomial.
    let mut ways = vec![0.0; a.len() * b.len() + 1];
    ways[0] = 1.0;
    for i in 1..=a.len() {
        let (up, down) = (b.len() + i, i);
        for at in (up..ways.len()).rev() {
            ways[at] -= ways[at - up];
        }
        for at in down..ways.len() {
            ways[at] += ways[at - down];
        }
    }
    let all: f64 = ways.iter().sum();
    let tail: f64 = ways.iter().take(u + 1).sum();
    (2.0 * tail / all).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 5e-4
    }

    #[test]
    fn a_share_of_many_has_a_narrow_interval_and_of_few_a_wide_one() {
        // R: binom.test(x, n)$conf.int
        let close = |(hits, of), (lower, upper): (f64, f64)| {
            let (a, b) = clopper_pearson(hits, of);
            assert!(
                (a - lower).abs() < 1e-4 && (b - upper).abs() < 1e-4,
                "{hits} of {of}: {a} {b}"
            );
        };
        close((0, 600), (0.0, 0.006_129));
        close((3, 4), (0.1941, 0.9937));
        close((91, 186), (0.4154, 0.5634));
        let (lower, upper) = clopper_pearson(3430, 7000);
        assert!(
            0.478 < lower && lower < 0.479 && 0.501 < upper && upper < 0.502,
            "{lower} {upper}"
        );
    }

    #[test]
    fn clopper_pearson_matches_published_intervals() {
        for (hits, of, lower, upper) in [
            (0, 600, 0.0, 0.0061),
            (0, 60, 0.0, 0.0596),
            (10, 10, 0.6915, 1.0),
            (5, 10, 0.1871, 0.8129),
            (91, 186, 0.4154, 0.5634),
        ] {
            let (l, u) = clopper_pearson(hits, of);
            assert!(close(l, lower) && close(u, upper), "{hits} of {of}: [{l}, {u}]");
        }
    }

    #[test]
    fn the_signed_rank_bound_matches_the_published_table() {
        // One-sided critical values of W at 2.5 % (Hollander and Wolfe, table A.4).
        for (n, expected) in
            [(5, None), (6, Some(0)), (10, Some(8)), (15, Some(25)), (20, Some(52))]
        {
            assert_eq!(signed_rank(n, 0.025), expected, "n = {n}");
        }
    }

    #[test]
    fn the_deviation_of_one_value_is_undefined_and_not_zero() {
        assert!(deviation(&[]).is_nan() && deviation(&[1.0]).is_nan());
        assert!(close(deviation(&[1.0, 3.0]), std::f64::consts::SQRT_2));
    }

    #[test]
    fn quantiles_of_t_match_the_published_table() {
        for (freedom, error, expected) in
            [(3.0, 0.025, 3.1824), (5.0, 0.025, 2.5706), (9.0, 0.005, 3.2498), (35.0, 0.05, 1.6896)]
        {
            let t = t_quantile(freedom, error);
            assert!(close(t, expected), "{freedom} {error}: {t}");
        }
    }

    #[test]
    fn mann_whitney_matches_published_values() {
        let low = [1.0, 2.0, 3.0, 4.0];
        let high = [5.0, 6.0, 7.0, 8.0];
        assert!(close(mann_whitney(&low, &high), 2.0 / 70.0));
        assert!(close(mann_whitney(&high, &low), 2.0 / 70.0));
        assert_eq!(mann_whitney(&low, &low), 1.0);
        // Ten against ten is significant at 5 % from U = 23 down: two-sided 0.0433.
        let a: Vec<f64> = (0..10).map(f64::from).collect();
        let b: Vec<f64> = a.iter().map(|value| value + 4.9).collect();
        assert!(mann_whitney(&a, &b) < 0.05);
        assert!(mann_whitney(&[], &a).is_nan());
    }

    #[test]
    fn every_estimator_centres_on_the_middle_of_a_symmetric_sample() {
        let values: Vec<f64> = (1..=15).map(f64::from).collect();
        let all: [Estimator; 4] = [by_median, by_walsh_averages, by_trimmed_mean, by_mean];
        let lines: Vec<String> = all
            .map(|estimator| {
                let Estimate { centre, interval } = estimator(&values, 0.025);
                format!("{centre:.2} [{:.2}, {:.2}]", interval.0, interval.1)
            })
            .to_vec();
        insta::assert_snapshot!(lines.join("\n"));
    }
}
