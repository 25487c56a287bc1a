//! Many tests in one run.

/// Whether each hypothesis is rejected, in the order of `p_values`, with a family-wise error of at most
/// `error` (Holm 1979): the smallest p-value is compared with error/n, the next with error/(n-1), and so on
/// until one is larger.
pub fn holm(p_values: &[f64], error: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut rejected = vec![false; p_values.len()];
    for (rank, index) in order.into_iter().enumerate() {
        if p_values[index] * (p_values.len() - rank) as f64 > error {
            break;
        }
        rejected[index] = true;
    }
    rejected
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn it_gives_the_worked_example_of_the_paper() {
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005], 0.05), [true, false, false, true]);
        assert_eq!(holm(&[0.01, 0.02, 0.03, 0.005], 0.05), [true, true, true, true]);
        assert_eq!(holm(&[], 0.05), [] as [bool; 0]);
    }

    proptest! {
        #[test]
        fn it_rejects_no_less_than_bonferroni_and_no_more_than_no_correction(
            p_values in prop::collection::vec(0.0..1.0_f64, 1..40),
            error in 0.001..0.2_f64,
        ) {
            let n = p_values.len() as f64;
            for (p, rejected) in p_values.iter().zip(holm(&p_values, error)) {
                prop_assert!(rejected || p * n > error);
                prop_assert!(!rejected || *p <= error);
            }
        }
    }
}
