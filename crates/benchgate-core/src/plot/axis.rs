//! A straight axis: values to pixels, and where its ticks are.

/// Percentages that ticks are put at, the most wanted first. As ratios they are round both ways: +100 % is twice,
/// −50 % is half.
const PERCENTAGES: [f64; 31] = [
    0.0, 100.0, -50.0, 10.0, -10.0, 300.0, -75.0, 900.0, -90.0, 20.0, -20.0, 50.0, -30.0, 5.0,
    -5.0, 2.0, -2.0, 15.0, -15.0, 1.0, -1.0, 0.5, -0.5, 0.2, -0.2, 0.1, -0.1, 0.05, -0.05, 0.02,
    -0.02,
];

/// An axis from one value to another, on the pixels from one to another.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    values: (f64, f64),
    pixels: (f64, f64),
}

/// From the minimum to the maximum of these values and of what is shown in any case; NaN and infinities are ignored.
pub fn span(values: impl Iterator<Item = f64>, at_least: (f64, f64)) -> (f64, f64) {
    let numbers = values.filter(|value| value.is_finite());
    numbers.fold(at_least, |(least, most), value| (least.min(value), most.max(value)))
}

/// A tick: its pixel and its label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) label: String,
}

impl Axis {
    /// Values that are equal, or no numbers, give an axis of width one.
    pub fn new(values: (f64, f64), pixels: (f64, f64)) -> Self {
        let is_usable = values.0.is_finite() && values.1.is_finite() && values.1 > values.0;
        let values = match is_usable {
            true => values,
            false if values.0.is_finite() => (values.0 - 0.5, values.0 + 0.5),
            false => (0.0, 1.0),
        };
        Self { values, pixels }
    }

    /// The pixel of a value; what is beyond an end is at that end.
    pub fn at(&self, value: f64) -> f64 {
        let share = (value - self.values.0) / (self.values.1 - self.values.0);
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        self.pixels.0 + share * (self.pixels.1 - self.pixels.0)
    }

    /// Whether it is between the ends.
    pub(super) fn holds(&self, value: f64) -> bool {
        (self.values.0..=self.values.1).contains(&value)
    }

    /// Ticks at 1, 2 or 5 times a power of ten, at most `most` and at least two where the values allow it.
    pub(super) fn round_ticks(&self, most: usize, label: impl Fn(f64) -> String) -> Vec<Tick> {
        let (from, to) = self.values;
        let rough = (to - from) / most.max(1) as f64;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|step| *step >= rough)
            .unwrap_or(rough);
        let (first, last) = ((from / step).ceil(), (to / step).floor());
        if !(step > 0.0 && (last - first).abs() <= most as f64 + 1.0) {
            return Vec::new();
        }
        (0..=(last - first).max(0.0) as usize)
            .map(|number| (first + number as f64) * step)
            .filter(|value| self.holds(*value))
            .map(|value| Tick { at: self.at(value), label: label(value) })
            .collect()
    }

    /// Ticks at round percentages of an axis of log-ratios, with at least `gap` pixels between them.
    pub(super) fn percent_ticks(&self, gap: f64) -> Vec<Tick> {
        let mut ticks: Vec<Tick> = Vec::new();
        for percent in PERCENTAGES {
            let log = (percent / 100.0).ln_1p();
            let at = self.at(log);
            if self.holds(log) && ticks.iter().all(|tick| (tick.at - at).abs() >= gap) {
                let label = match percent {
                    0.0 => "0 %".to_owned(),
                    percent => format!("{percent:+} %"),
                };
                ticks.push(Tick { at, label });
            }
        }
        ticks.sort_by(|a, b| a.at.total_cmp(&b.at));
        ticks
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn ticks_of_values_are_round() {
        for ((from, to), expected) in [
            ((0.0, 10.0), vec!["0", "2", "4", "6", "8", "10"]),
            ((84_100.0, 104_900.0), vec!["85000", "90000", "95000", "100000"]),
            ((0.0, 1e-3), vec!["0", "0.0002", "0.0004", "0.0006", "0.0008", "0.001"]),
        ] {
            let ticks = Axis::new((from, to), (0.0, 100.0)).round_ticks(5, |v| {
                let rounded = (v * 1e7).round() / 1e7;
                rounded.to_string()
            });
            assert_eq!(labels(&ticks), expected);
        }
    }

    #[test]
    fn ticks_of_ratios_are_round_percentages() {
        let ticks = |from: f64, to: f64| {
            let axis = Axis::new((from.ln_1p(), to.ln_1p()), (0.0, 400.0));
            axis.percent_ticks(40.0).into_iter().map(|tick| tick.label).collect::<Vec<_>>()
        };
        assert_eq!(ticks(-0.03, 0.12), ["-2 %", "0 %", "+2 %", "+5 %", "+10 %"]);
        assert_eq!(ticks(-0.5, 3.0), ["-50 %", "-20 %", "0 %", "+50 %", "+100 %", "+300 %"]);
        assert_eq!(ticks(-0.004, 0.004), ["-0.2 %", "-0.1 %", "0 %", "+0.1 %", "+0.2 %"]);
    }

    #[test]
    fn values_that_are_not_a_range_still_have_an_axis() {
        for values in [(1.0, 1.0), (f64::NAN, 1.0), (2.0, 1.0), (0.0, f64::INFINITY)] {
            let axis = Axis::new(values, (0.0, 100.0));
            assert!(axis.at(1.0).is_finite(), "{values:?}");
            assert!(axis.at(f64::NAN).is_finite());
            assert!(axis.round_ticks(5, |v| v.to_string()).len() <= 7);
        }
    }

    proptest! {
        #[test]
        fn ticks_are_within_the_axis_and_few(from in -1e12..1e12_f64, width in 1e-6..1e12_f64) {
            let axis = Axis::new((from, from + width), (0.0, 300.0));
            let ticks = axis.round_ticks(6, |v| v.to_string());
            prop_assert!(ticks.len() <= 8, "{ticks:?}");
            prop_assert!(ticks.iter().all(|tick| (0.0..=300.0).contains(&tick.at)));
        }

        #[test]
        fn ticks_of_ratios_keep_their_distance(from in -2.0..0.0_f64, to in 0.001..2.0_f64) {
            let ticks = Axis::new((from, to), (0.0, 500.0)).percent_ticks(50.0);
            prop_assert!(ticks.windows(2).all(|two| two[1].at - two[0].at >= 50.0));
            prop_assert!(!ticks.is_empty());
        }
    }
}
