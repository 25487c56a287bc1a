//! Rank statistics of two independent samples: the shift between them and exact bounds of it.

use super::{Bounds, order};

/// Above this many pairwise differences the exact null distribution gives way to its normal
/// approximation: at 60 x 60 the two agree to three digits and the exact one takes milliseconds.
const EXACT_LIMIT: usize = 3_600;

/// The Hodges-Lehmann estimate of the shift from `a` to `b`: the median of all pairwise
/// differences; `None` when a sample is empty.
pub fn shift(a: &[f64], b: &[f64]) -> Option<f64> {
    order::median(&differences(a, b))
}

/// Bounds of that shift, each side wrong with probability at most `error`.
///
/// The bounds are order statistics of the pairwise differences at the critical value of the
/// Mann-Whitney U (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 4.3): exact for
/// any two distributions of one shape.
pub fn shift_bounds(a: &[f64], b: &[f64], error: f64) -> Bounds {
    let Some(rank) = critical_u(a.len(), b.len(), error) else { return Bounds::NONE };
    let mut all = differences(a, b);
    all.sort_by(f64::total_cmp);
    Bounds { lower: all[rank], upper: all[all.len() - 1 - rank] }
}

fn differences(a: &[f64], b: &[f64]) -> Vec<f64> {
    b.iter().flat_map(|y| a.iter().map(move |x| y - x)).collect()
}

/// The largest u with P(U <= u) <= error under equal distributions.
fn critical_u(n: usize, m: usize, error: f64) -> Option<usize> {
    if n == 0 || m == 0 {
        return None;
    }
    if n * m > EXACT_LIMIT {
        return critical_u_normal(n, m, error);
    }
    let mut cumulated = 0.0;
    let mut critical = None;
    for (u, probability) in null_distribution(n, m).into_iter().enumerate() {
        cumulated += probability;
        if cumulated > error {
            break;
        }
        critical = Some(u);
    }
    critical
}

/// P(U = u) for u from 0 to n*m: the coefficients of the Gaussian binomial, built up one member of
/// the first sample at a time and scaled to probabilities as it goes.
fn null_distribution(n: usize, m: usize) -> Vec<f64> {
    let size = n * m + 1;
    let mut density = vec![0.0; size];
    density[0] = 1.0;
    for i in 1..=n {
        // Times (1 - x^(m + i)), then divided by (1 - x^i), scaled by i / (m + i).
        for u in (m + i..size).rev() {
            density[u] -= density[u - (m + i)];
        }
        for u in i..size {
            density[u] += density[u - i];
        }
        let scale = i as f64 / (m + i) as f64;
        density.iter_mut().for_each(|p| *p *= scale);
    }
    density
}

fn critical_u_normal(n: usize, m: usize, error: f64) -> Option<usize> {
    let (n, m) = (n as f64, m as f64);
    let mean = n * m / 2.0;
    let deviation = (n * m * (n + m + 1.0) / 12.0).sqrt();
    let u = (mean - normal_quantile(error) * deviation - 0.5).floor();
    (u >= 0.0).then_some(u as usize)
}

/// The upper `error` quantile of the standard normal (Abramowitz and Stegun 26.2.23, within 4.5e-4).
fn normal_quantile(error: f64) -> f64 {
    let t = (-2.0 * error.clamp(1e-300, 0.5).ln()).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    t - above / below
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn critical_values_match_the_published_table() {
        // Mann-Whitney U, one-sided: n, m, error, U.
        for (n, m, error, expected) in [
            (3, 3, 0.05, Some(0)),
            (5, 5, 0.05, Some(4)),
            (5, 5, 0.025, Some(2)),
            (8, 8, 0.025, Some(13)),
            (10, 10, 0.025, Some(23)),
            (10, 10, 0.005, Some(16)),
            (15, 15, 0.005, Some(51)),
            (20, 20, 0.025, Some(127)),
            (8, 15, 0.025, Some(29)),
            (1, 1, 0.4, None),
            (0, 9, 0.4, None),
        ] {
            assert_eq!(critical_u(n, m, error), expected, "{n} x {m} at {error}");
        }
    }

    #[test]
    fn the_null_distribution_matches_exhaustive_enumeration() {
        for (n, m) in [(1, 1), (2, 3), (4, 4), (5, 3)] {
            let mut counts = vec![0_u32; n * m + 1];
            let mut total = 0_u32;
            for subset in 0_u32..1 << (n + m) {
                if subset.count_ones() as usize != n {
                    continue;
                }
                let u = (0..n + m)
                    .filter(|i| subset & (1 << i) != 0)
                    .map(|i| (0..i).filter(|j| subset & (1 << j) == 0).count())
                    .sum::<usize>();
                counts[u] += 1;
                total += 1;
            }
            for (u, p) in null_distribution(n, m).into_iter().enumerate() {
                let exact = f64::from(counts[u]) / f64::from(total);
                assert!((p - exact).abs() < 1e-12, "{n} x {m}, U = {u}: {p} and {exact}");
            }
        }
    }

    #[test]
    fn the_normal_approximation_meets_the_exact_distribution_where_it_takes_over() {
        for error in [0.025, 0.005] {
            let exact = critical_u(60, 60, error).unwrap();
            let normal = critical_u_normal(60, 60, error).unwrap();
            assert!(exact.abs_diff(normal) <= 3, "{exact} and {normal} at {error}");
        }
    }

    #[test]
    fn the_shift_of_a_sample_moved_by_three_is_three() {
        let a = [1.0, 5.0, 2.0, 9.0];
        let b = a.map(|x| x + 3.0);
        assert_eq!(shift(&a, &b), Some(3.0));
        assert_eq!(shift(&a, &[]), None);
    }

    proptest! {
        #[test]
        fn bounds_hold_the_shift_of_the_samples(
            a in prop::collection::vec(-1e6..1e6_f64, 0..20),
            b in prop::collection::vec(-1e6..1e6_f64, 0..20),
            error in 0.0005..0.3_f64,
        ) {
            let bounds = shift_bounds(&a, &b, error);
            if let Some(shift) = shift(&a, &b) {
                prop_assert!(bounds.lower <= shift && shift <= bounds.upper);
            }
        }
    }
}
