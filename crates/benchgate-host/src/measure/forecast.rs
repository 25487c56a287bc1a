//! Says before measuring, as soon as a benchmark turns out to take long, and after the first round of every benchmark,
//! how long it takes at least, where that is long.

use std::time::Duration;

use benchgate_core::model::{BenchmarkKey, Pace};
use benchgate_core::schedule::Turn;

use super::work::Work;

/// A shorter rest is not reported.
const LONG: Duration = Duration::from_secs(300);

/// A process that takes longer is named.
const DEAR: f64 = 3.0;

/// Maximum number of benchmarks that are named.
const NAMED: usize = 5;

/// A round of at least so long is named as what costs the time.
const SLOW: Duration = Duration::from_secs(1);

/// Processes of one benchmark before anything was measured.
pub(super) struct Ahead {
    /// Shortest time of a round, summed over the sides that take part.
    pub(super) turn: Duration,
    /// Seconds of the slowest side of a turn.
    pub(super) round: Duration,
    /// Turns until its first look.
    pub(super) turns: usize,
}

/// The lines to print before measuring: one, if the time that harnesses take at least is long.
///
/// `left` is the rest of the budget in seconds.
pub(super) fn before(work: &[Ahead], left: Option<f64>) -> Option<String> {
    #[expect(clippy::cast_precision_loss, reason = "shown in minutes")]
    let seconds = work.iter().map(|item| item.turn.as_secs_f64() * item.turns as f64).sum();
    let hint = hint(seconds, left)?;
    let slow: Vec<&Ahead> = work.iter().filter(|item| item.round >= SLOW).collect();
    let why = slow.iter().map(|item| item.round).max().map(|round| {
        let (count, seconds) = (slow.len(), round.as_secs_f64());
        let benchmarks = if count == 1 { "benchmark takes" } else { "benchmarks take" };
        format!(": {count} {benchmarks} {seconds} s or more a round, the least that their harness allows")
    });
    let minutes = (seconds / 60.0).floor();
    Some(format!("measuring takes at least {minutes} minutes{}; {hint}", why.unwrap_or_default()))
}

/// The next step, if this number of seconds is long and the budget is shorter.
fn hint(seconds: f64, left: Option<f64>) -> Option<String> {
    match left {
        _ if seconds < LONG.as_secs_f64() => None,
        None => Some("--budget bounds it, --filter leaves benchmarks out".to_owned()),
        Some(left) if left < seconds => {
            let minutes = (left.max(0.0) / 60.0).ceil();
            Some(format!("the budget ends in {minutes} min, --filter leaves benchmarks out"))
        }
        Some(_) => None,
    }
}

/// Seconds of the first turns, and the benchmarks whose processes take long.
pub(super) struct Forecast {
    benchmarks: usize,
    seen: usize,
    seconds: f64,
    dear: Vec<Dear>,
    has_warned: bool,
}

/// A benchmark whose rounds take long.
struct Dear {
    key: BenchmarkKey,
    seconds: f64,
    pace: Option<Pace>,
}

impl Forecast {
    pub(super) fn new(benchmarks: usize) -> Self {
        Self { benchmarks, seen: 0, seconds: 0.0, dear: Vec::new(), has_warned: false }
    }

    /// The lines to print after a turn, if the rest is long: some after the first turn of the first benchmark that
    /// makes it so, and after that of the last one.
    pub(super) fn after(
        &mut self,
        turn: &Turn,
        item: &Work,
        pace: Option<Pace>,
        seconds: f64,
        remaining: usize,
        left: Option<f64>,
    ) -> Vec<String> {
        if self.seen == self.benchmarks || turn.pair > 0 {
            return Vec::new();
        }
        self.seen += 1;
        let sides = item.iter().filter(|(_, key)| key.is_some()).count();
        self.seconds += seconds * if sides == 2 { 2.0 } else { 1.0 };
        let is_dear = seconds > DEAR;
        if let (true, Some(key)) = (is_dear, item.newest()) {
            self.dear.push(Dear { key: key.clone(), seconds, pace });
        }
        let is_last = self.seen == self.benchmarks;
        if !is_last && (self.has_warned || !is_dear) {
            return Vec::new();
        }
        let lines = self.lines(remaining, left);
        self.has_warned |= !lines.is_empty();
        lines
    }

    /// Benchmarks that were not seen yet count as nothing: it takes at least so long.
    fn lines(&mut self, remaining: usize, left: Option<f64>) -> Vec<String> {
        #[expect(clippy::cast_precision_loss, reason = "shown in minutes")]
        let rest = self.seconds / self.benchmarks.max(1) as f64 * remaining as f64;
        let Some(hint) = hint(rest, left) else { return Vec::new() };
        let minutes = (rest / 60.0).ceil();
        let mut lines = vec![format!("measuring takes at least {minutes} minutes more; {hint}")];
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

    fn first_turn(benchmark: usize, id: &str) -> (Turn, Work) {
        let key = Some(BenchmarkKey::new("crate", "suite", id));
        let (stage, nuisance) = (Stage::Screening, Nuisance::default());
        let (first, layout) = (Side::Base, None);
        let turn = Turn { benchmark, stage, pair: 0, first, nuisance, layout };
        (turn, Work::new(key.clone(), key))
    }

    fn lines(seconds: [f64; 2], remaining: usize, left: Option<f64>) -> Vec<String> {
        let mut forecast = Forecast::new(2);
        let mut lines = Vec::new();
        for (benchmark, (id, pace)) in
            [("old", Pace::Settings), ("long", Pace::Quick)].into_iter().enumerate()
        {
            let (turn, item) = first_turn(benchmark, id);
            assert!(lines.is_empty(), "not before the last one");
            lines = forecast.after(&turn, &item, Some(pace), seconds[benchmark], remaining, left);
        }
        lines
    }

    #[test]
    fn a_long_rest_is_announced_with_what_costs_most() {
        insta::assert_snapshot!(lines([12.0, 20.0], 12, None).join("\n"));
    }

    #[test]
    fn the_first_benchmarks_that_take_long_are_announced_before_the_others_were_seen() {
        let mut forecast = Forecast::new(12);
        let announced: Vec<usize> = (0..12)
            .filter(|&benchmark| {
                let (turn, item) = first_turn(benchmark, &format!("b{benchmark}"));
                !forecast.after(&turn, &item, None, 20.0, 71 - benchmark, None).is_empty()
            })
            .collect();
        // The second one's 40 s make it certain that five minutes are left; the last one says how many.
        assert_eq!(announced, [1, 11]);
    }

    #[test]
    fn a_short_rest_is_not_reported() {
        assert_eq!(lines([0.1, 4.0], 12, None), Vec::<String>::new());
    }

    #[test]
    fn a_budget_that_is_long_enough_needs_no_notice_and_a_shorter_one_is_named() {
        assert_eq!(lines([12.0, 20.0], 12, Some(400.0)), Vec::<String>::new());
        let messages = lines([12.0, 20.0], 12, Some(61.0));
        assert!(
            messages[0].contains("minutes more; the budget ends in 2 min, --filter"),
            "{messages:?}"
        );
    }

    #[test]
    fn what_harnesses_take_at_least_is_said_before_measuring() {
        let of = |seconds| {
            let round = Duration::from_secs_f64(seconds);
            Ahead { turn: 2 * round, round, turns: 6 }
        };
        let old = || (0..13).map(|_| of(2.0));
        assert_eq!(
            before(&old().collect::<Vec<_>>(), None).unwrap(),
            "measuring takes at least 5 minutes: 13 benchmarks take 2 s or more a round, the least that their \
             harness allows; --budget bounds it, --filter leaves benchmarks out"
        );
        assert_eq!(before(&old().skip(1).collect::<Vec<_>>(), None), None);
        let many: Vec<Ahead> = (0..1000).map(|_| of(0.03)).collect();
        assert!(before(&many, None).unwrap().starts_with("measuring takes at least 6 minutes; "));
        assert_eq!(before(&many, Some(400.0)), None);
    }
}
