//! Says after the first round of every benchmark how long the rest takes at least, where that is long.

use std::time::Duration;

use benchgate_core::model::{BenchmarkKey, Pace};
use benchgate_core::schedule::Turn;

use super::work::Work;

/// A rest that is shorter is no news.
const LONG: Duration = Duration::from_secs(300);

/// A process that takes longer is named.
const DEAR: f64 = 3.0;

/// Most benchmarks that are named.
const NAMED: usize = 5;

/// What the first rounds cost.
pub(super) struct Forecast {
    benchmarks: usize,
    seen: usize,
    seconds: f64,
    dear: Vec<Dear>,
}

/// A benchmark whose rounds take long.
struct Dear {
    key: BenchmarkKey,
    seconds: f64,
    pace: Option<Pace>,
}

impl Forecast {
    pub(super) fn new(benchmarks: usize) -> Self {
        Self { benchmarks, seen: 0, seconds: 0.0, dear: Vec::new() }
    }

    /// The lines to print after a turn: some after the first turn of the last benchmark, if the rest is long.
    pub(super) fn after(
        &mut self,
        turn: &Turn,
        item: &Work,
        pace: Option<Pace>,
        seconds: f64,
        remaining: usize,
    ) -> Vec<String> {
        if self.seen == self.benchmarks || turn.pair > 0 {
            return Vec::new();
        }
        self.seen += 1;
        let sides = item.iter().filter(|(_, key)| key.is_some()).count();
        self.seconds += seconds * if sides == 2 { 2.0 } else { 1.0 };
        if let (true, Some(key)) = (seconds > DEAR, item.newest()) {
            self.dear.push(Dear { key: key.clone(), seconds, pace });
        }
        if self.seen < self.benchmarks { Vec::new() } else { self.lines(remaining) }
    }

    fn lines(&mut self, remaining: usize) -> Vec<String> {
        #[expect(clippy::cast_precision_loss, reason = "shown in minutes")]
        let rest = self.seconds / self.benchmarks.max(1) as f64 * remaining as f64;
        if rest < LONG.as_secs_f64() {
            return Vec::new();
        }
        let mut lines = vec![format!(
            "measuring takes at least {:.0} minutes more; --budget bounds it, --filter leaves benchmarks out",
            (rest / 60.0).ceil()
        )];
        self.dear.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        lines.extend(self.dear.iter().take(NAMED).map(|Dear { key, seconds, pace }| {
            let why = match pace {
                Some(Pace::Quick) => "its work takes that long",
                _ => "it starts slowly, or settings in its bench hold and its harness has no shorter way",
            };
            format!("`{key}` takes {seconds:.0} s a round: {why}")
        }));
        lines
    }
}

#[cfg(test)]
mod tests {
    use benchgate_core::model::{Side, Stage};
    use benchgate_core::schedule::Nuisance;

    use super::*;

    fn lines(seconds: [f64; 2], remaining: usize) -> Vec<String> {
        let mut forecast = Forecast::new(2);
        let mut said = Vec::new();
        for (benchmark, (id, pace)) in
            [("old", Pace::Settings), ("long", Pace::Quick)].into_iter().enumerate()
        {
            let key = Some(BenchmarkKey::new("crate", "suite", id));
            let nuisance = Nuisance::default();
            let stage = Stage::Screening;
            let (first, layout) = (Side::Base, None);
            let turn = Turn { benchmark, stage, pair: 0, first, nuisance, layout };
            let item = Work::new(key.clone(), key);
            assert!(said.is_empty(), "not before the last one");
            said = forecast.after(&turn, &item, Some(pace), seconds[benchmark], remaining);
        }
        said
    }

    #[test]
    fn a_long_rest_is_announced_with_what_costs_most() {
        insta::assert_snapshot!(lines([12.0, 20.0], 12).join("\n"));
    }

    #[test]
    fn a_short_rest_is_no_news() {
        assert_eq!(lines([0.1, 4.0], 12), Vec::<String>::new());
    }
}
