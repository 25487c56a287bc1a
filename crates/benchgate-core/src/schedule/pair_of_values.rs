//! The values of a pair, from the slices of both sides in one walk.

use super::slices::{Slice, Slices};
use crate::model::Sides;
use crate::stats;

impl Slices {
    /// Ns per iteration of each side in one walk. Their ratio is the median of the ratios of neighbouring slices, which the
    /// same moment of the machine disturbs; their middle is that of the sides' lower quartiles, as what disturbs a slice makes
    /// it longer, never shorter. A side without the other one has its lower quartile.
    pub fn values(&self, run: &Sides<Vec<Slice>>) -> Sides<Option<f64>> {
        let each = run.as_ref().map(|slices| self.each(slices));
        let usual = each.as_ref().map(|each| stats::quantile(each, 0.25));
        let (Some(base), Some(head)) = (usual.base, usual.head) else { return usual };
        let Some(change) = stats::median(&changes(&each)) else { return usual };
        let (middle, half) = ((base.ln() + head.ln()) / 2.0, change / 2.0);
        Sides::new((middle - half).exp(), (middle + half).exp()).map(Some)
    }

    /// Ns per iteration of a side over all of its slices: what is slow now and then is in it, and is not in the value.
    pub fn average(&self, slices: &[Slice]) -> Option<f64> {
        stats::mean(&self.each(slices))
    }

    /// Ns per iteration of each slice.
    fn each(&self, slices: &[Slice]) -> Vec<f64> {
        slices.iter().map(|slice| slice.timed / self.iterations.max(1) as f64).collect()
    }
}

/// Logarithms of head to base, of slices that are close to each other: those of a turn, of which the second one follows the
/// other side and may have to reload, and those of the same place in neighbouring turns, which have as much to reload.
fn changes(each: &Sides<Vec<f64>>) -> Vec<f64> {
    let Sides { base, head } = each;
    let change = |(base, head): (&f64, &f64)| head.ln() - base.ln();
    let of_turn = base.iter().zip(head).map(change);
    let before = base.iter().zip(head.iter().skip(1)).map(change);
    let after = base.iter().skip(1).zip(head).map(change);
    of_turn.chain(before).chain(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slices of 10 iterations each, in ns.
    fn run(timed: &[f64]) -> Vec<Slice> {
        timed.iter().map(|&timed| Slice { timed, whole: timed }).collect()
    }

    /// The values of such slices, with three digits.
    fn values(base: &[f64], head: &[f64]) -> Sides<Option<f64>> {
        let slices = Slices { iterations: 10, untimed: 0, count: 5 };
        let values = slices.values(&Sides::new(run(base), run(head)));
        values.map(|value| value.map(|value| (value * 1e3).round() / 1e3))
    }

    #[test]
    fn the_value_of_one_side_is_the_lower_quartile_of_its_slices_per_iteration() {
        let alone = [50.0, 10.0, 20.0, 30.0, 40.0];
        assert_eq!(values(&alone, &[]), Sides::new(Some(2.0), None));
        assert_eq!(values(&[], &alone[..1]), Sides::new(None, Some(5.0)));
        assert_eq!(values(&[], &[]), Sides::new(None, None));
    }

    #[test]
    fn the_ratio_of_two_sides_is_that_of_slices_that_are_neighbours() {
        assert_eq!(values(&[10.0; 4], &[10.0; 4]), Sides::new(Some(1.0), Some(1.0)));
        assert_eq!(values(&[10.0; 4], &[11.0; 4]), Sides::new(Some(1.0), Some(1.1)));
        // The machine is half as fast for most of the time, and a quartile of the base alone is of the better half.
        let base = [10.0, 20.0, 20.0, 10.0, 20.0, 20.0];
        let head = [11.0, 22.0, 22.0, 22.0, 22.0, 22.0];
        let Sides { base: Some(base), head: Some(head) } = values(&base, &head) else { panic!() };
        assert!((head / base - 1.1).abs() < 1e-3, "{base} {head}");
        // Slices after the other side's take twice the time: the first of each turn follows its own.
        let (own, other) = (10.0, 20.0);
        let base = [own, other, own, other];
        let head = [other, own, other, own];
        assert_eq!(values(&base, &head), Sides::new(Some(1.0), Some(1.0)));
        let head = head.map(|ns| ns * 1.05);
        let Sides { base: Some(base), head: Some(head) } = values(&base, &head) else { panic!() };
        assert!((head / base - 1.05).abs() < 1e-3, "{base} {head}");
    }

    #[test]
    fn a_slice_that_is_disturbed_changes_no_value() {
        let calm = values(&[10.0; 12], &[11.0; 12]);
        for at in 0..12 {
            let mut base = [10.0; 12];
            base[at] = 1e6;
            assert_eq!(values(&base, &[11.0; 12]), calm, "{at}");
        }
    }

    #[test]
    fn the_average_is_of_all_slices_and_has_the_slow_ones() {
        let slices = Slices { iterations: 10, untimed: 0, count: 4 };
        let run: Vec<Slice> =
            [10.0, 10.0, 10.0, 90.0].map(|timed| Slice { timed, whole: timed }).to_vec();
        assert_eq!(slices.average(&run), Some(3.0));
        assert_eq!(slices.average(&[]), None);
    }
}
