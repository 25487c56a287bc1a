//! Order statistics: quantiles, and exact bounds of a median.

use super::Bounds;

/// The `q`-quantile, interpolated linearly between order statistics (Hyndman and Fan 1996, type 7,
/// which is also Criterion's); `None` of an empty sample.
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let rank = q.clamp(0.0, 1.0) * last as f64;
    let below = rank.floor() as usize;
    let above = (below + 1).min(last);
    let weight = rank - below as f64;
    Some(sorted[below] + (sorted[above] - sorted[below]) * weight)
}

/// The arithmetic mean; `None` of an empty sample.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The middle value; `None` of an empty sample.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The middle value, or the lower one of the two in the middle: one of the values themselves; `None` of an empty
/// sample.
pub fn lower_median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

/// Bounds of the median of the distribution that `values` were drawn from, each side wrong with
/// probability at most `error`.
///
/// The number of values below the true median is binomial(n, 1/2) whatever the distribution, so two
/// order statistics bound it exactly (David and Nagaraja, Order Statistics, 7.1). With fewer than
/// log2(1/error) values there is no such order statistic and nothing is excluded.
pub fn median_bounds(values: &[f64], error: f64) -> Bounds {
    let Some(rank) = bound_rank(values.len(), error) else { return Bounds::NONE };
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    Bounds { lower: sorted[rank], upper: sorted[sorted.len() - 1 - rank] }
}

/// The p-value of "the median is at most `null`" against "it is above", by the sign test: the chance
/// that as few values or fewer would lie at or below `null`. 1 for no values.
pub fn sign_p(values: &[f64], null: f64) -> f64 {
    let not_above = values.iter().filter(|value| **value <= null).count();
    binomial_cumulated(values.len()).nth(not_above).unwrap_or(1.0).min(1.0)
}

/// The largest index k with P(binomial(n, 1/2) <= k) <= error.
fn bound_rank(n: usize, error: f64) -> Option<usize> {
    let within = binomial_cumulated(n).take(n.div_ceil(2)).take_while(|chance| *chance <= error);
    within.count().checked_sub(1)
}

/// P(binomial(n, 1/2) <= k) for k = 0, 1 … n. The terms are kept as logarithms: with n = 1,075 and more the first
/// is too small for a floating-point number.
fn binomial_cumulated(n: usize) -> impl Iterator<Item = f64> {
    let first = n as f64 * 0.5_f64.ln();
    (0..=n).scan((first, 0.0), move |(term, cumulated), k| {
        *cumulated += term.exp();
        *term += ((n - k) as f64 / (k + 1) as f64).ln();
        Some(*cumulated)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_quantile_interpolates_between_order_statistics() {
        let values = [4.0, 1.0, 3.0, 2.0];
        for (q, expected) in [(0.0, 1.0), (0.25, 1.75), (0.5, 2.5), (0.75, 3.25), (1.0, 4.0)] {
            assert_eq!(quantile(&values, q), Some(expected), "q = {q}");
        }
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(median(&[7.0]), Some(7.0));
    }

    #[test]
    fn the_rank_of_a_bound_matches_the_published_sign_test_table() {
        // One-sided critical values of the sign test: n, error, index from zero.
        for (n, error, expected) in [
            (4, 0.05, None),
            (5, 0.05, Some(0)),
            (8, 0.05, Some(1)),
            (10, 0.025, Some(1)),
            (15, 0.025, Some(3)),
            (15, 0.005, Some(2)),
            (20, 0.025, Some(5)),
            (25, 0.025, Some(7)),
            (30, 0.005, Some(7)),
            (0, 0.5, None),
            (1, 0.5, Some(0)),
            // Sums of exact binomial coefficients, in whole numbers of any length.
            (1_000, 0.005, Some(458)),
            (1_074, 0.025, Some(504)),
            (1_075, 0.011, Some(499)),
            (2_000, 0.005, Some(941)),
            (10_000, 0.005, Some(4_870)),
            (10_000, 0.025, Some(4_901)),
        ] {
            assert_eq!(bound_rank(n, error), expected, "n = {n}, error = {error}");
        }
    }

    #[test]
    fn seven_values_exclude_nothing_at_half_a_percent_and_eight_do() {
        let values: Vec<f64> = (1..=8).map(f64::from).collect();
        assert_eq!(median_bounds(&values[..7], 0.005), Bounds::NONE);
        assert_eq!(median_bounds(&values, 0.005), Bounds { lower: 1.0, upper: 8.0 });
    }

    #[test]
    fn the_sign_test_matches_its_published_table() {
        // Values not above the null, values: the one-sided p-value.
        for (not_above, n, expected) in [
            (0, 8, 0.003_906_25),
            (1, 10, 0.010_742_187_5),
            (3, 15, 0.017_578_125),
            (5, 20, 0.020_694_732_666_015_625),
            (20, 20, 1.0),
            (0, 0, 1.0),
            (500, 1_075, 0.011_982_302_924_506_819),
            (950, 2_000, 0.013_412_073_120_140_347),
            (4_900, 10_000, 0.023_292_763_852_473_693),
            (10_000, 10_000, 1.0),
        ] {
            let values: Vec<f64> = (0..n).map(|i| if i < not_above { 0.0 } else { 2.0 }).collect();
            assert!((sign_p(&values, 1.0) - expected).abs() < 1e-10, "{not_above} of {n}");
        }
    }

    proptest! {
        #[test]
        fn the_sign_test_and_the_bounds_agree(
            values in prop::collection::vec(-1e3..1e3_f64, 1..60),
            null in -1e3..1e3_f64,
            error in 0.0001..0.4_f64,
        ) {
            let excluded = median_bounds(&values, error).lower > null;
            prop_assert_eq!(excluded, sign_p(&values, null) <= error);
        }

        #[test]
        fn bounds_hold_the_median_of_the_sample(
            values in prop::collection::vec(-1e9..1e9_f64, 0..60),
            error in 0.0001..0.4_f64,
        ) {
            let bounds = median_bounds(&values, error);
            if let Some(median) = median(&values) {
                prop_assert!(bounds.lower <= median && median <= bounds.upper);
            }
        }

        #[test]
        fn a_smaller_error_never_gives_a_narrower_interval(
            values in prop::collection::vec(-1e9..1e9_f64, 1..60),
            error in 0.001..0.4_f64,
        ) {
            let wide = median_bounds(&values, error / 2.0);
            let narrow = median_bounds(&values, error);
            prop_assert!(wide.lower <= narrow.lower && narrow.upper <= wide.upper);
        }

        #[test]
        fn no_floating_point_number_causes_a_panic(
            values in prop::collection::vec(any::<f64>(), 0..20),
            q in any::<f64>(),
        ) {
            let _ = quantile(&values, q);
            let _ = median_bounds(&values, 0.01);
        }
    }
}
