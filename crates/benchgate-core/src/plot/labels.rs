//! Labels that do not overlap: along one direction, each as near to its wanted position as the others allow.

/// Positions for labels of one size, in the order given. If all have room between the ends, they do not overlap.
pub(super) fn spread(wanted: &[f64], size: f64, (from, to): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut placed = wanted.to_vec();
    let mut least = from;
    for index in &order {
        placed[*index] = wanted[*index].max(least);
        least = placed[*index] + size;
    }
    // Labels that were pushed beyond the end come back, and push the others.
    let mut most = to;
    for index in order.iter().rev() {
        placed[*index] = placed[*index].min(most);
        most = placed[*index] - size;
    }
    placed
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn labels_with_room_stay_where_they_are_wanted() {
        assert_eq!(spread(&[10.0, 50.0, 30.0], 12.0, (0.0, 100.0)), [10.0, 50.0, 30.0]);
    }

    #[test]
    fn labels_at_one_place_are_put_side_by_side() {
        assert_eq!(
            spread(&[10.0, 10.0, 99.0, 99.0], 12.0, (0.0, 100.0)),
            [10.0, 22.0, 88.0, 100.0]
        );
    }

    proptest! {
        #[test]
        fn labels_with_room_for_all_never_overlap(
            wanted in prop::collection::vec(-50.0..550.0_f64, 0..20),
        ) {
            let mut placed = spread(&wanted, 20.0, (0.0, 400.0));
            prop_assert!(placed.iter().all(|at| (-1e-9..=400.0).contains(at)), "{placed:?}");
            placed.sort_by(f64::total_cmp);
            prop_assert!(placed.windows(2).all(|two| two[1] - two[0] >= 20.0 - 1e-9), "{placed:?}");
        }
    }
}
