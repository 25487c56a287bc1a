//! A metric of a benchmark in a plan: it is looked at, becomes a candidate and is settled independently.

use super::series::Series;
use crate::judge::looks::MIN_PAIRS;
use crate::judge::{Confirmed, Counted, Family, Known, Minority, Pairs, Screened, confirm, screen};
use crate::model::{Evidence, Level, Rounds, Sides, Stage};
use crate::policy::Limits;
use crate::stats;

/// The state of one metric of a benchmark.
#[derive(Clone, Debug)]
pub(super) struct Track {
    state: State,
    /// Counts prove a change by themselves, and are not candidates.
    is_count: bool,
    series: Series,
    /// The limits of the benchmark for this metric.
    limits: Limits,
    /// Pairs of this attempt after which something happens next.
    look_at: usize,
    /// An earlier attempt confirmed it, or tried to, and did not settle it.
    is_unconfirmed: bool,
}

/// The state of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Screening,
    Candidate,
    Settled,
}

impl Track {
    /// A metric that no earlier attempt measured.
    pub(super) fn new(is_count: bool, limits: Limits, attempts: usize, look_at: usize) -> Self {
        Self {
            state: State::Screening,
            is_count,
            series: Series::new(attempts),
            limits,
            look_at,
            is_unconfirmed: false,
        }
    }

    /// A metric that an earlier attempt measured, with its first look of this attempt.
    pub(super) fn known(
        is_count: bool,
        limits: Limits,
        known: Known,
        attempts: usize,
        look_at: usize,
        most: usize,
    ) -> Self {
        let Known { evidence, is_settled } = known;
        let is_unconfirmed = !is_settled && !evidence.confirmation.is_empty();
        let series = Series::known(evidence, attempts);
        let mut track =
            Self { state: State::Screening, is_count, series, limits, look_at, is_unconfirmed };
        let is_candidate = || track.when_cut() == Some(Screened::Candidate);
        if is_settled {
            track.state = State::Settled;
        } else if track.is_unconfirmed || is_candidate() {
            track.become_candidate(most);
        }
        track
    }

    /// What was measured, by this attempt and by earlier ones.
    pub(super) fn into_evidence(self) -> Evidence {
        self.series.into_evidence()
    }

    pub(super) fn evidence(&self) -> &Evidence {
        &self.series.evidence
    }

    /// The pairs of one stage that this attempt measured.
    pub(super) fn measured(&self, stage: Stage) -> usize {
        self.series.measured(stage)
    }

    pub(super) fn is_count(&self) -> bool {
        self.is_count
    }

    pub(super) fn is(&self, state: State) -> bool {
        self.state == state
    }

    /// Asks for screening pairs of this attempt up to this number.
    pub(super) fn extend_to(&mut self, until: usize) {
        self.state = State::Screening;
        self.look_at = self.look_at.max(until);
    }

    pub(super) fn is_open(&self, stage: Stage) -> bool {
        match stage {
            Stage::Screening => self.state == State::Screening,
            Stage::Confirmation => self.state == State::Candidate,
        }
    }

    /// Adds a pair, unless the track waits for none: what was decided stays decided by the same values.
    pub(super) fn add(
        &mut self,
        stage: Stage,
        layout: Option<u32>,
        pair: Sides<f64>,
        averages: Option<Sides<f64>>,
        most: usize,
        family: usize,
    ) {
        if !self.is_open(stage) {
            return;
        }
        // Before the look at them: it takes both.
        self.series.evidence.push(stage, pair);
        if let Some(averages) = averages {
            self.series.evidence.push_average(stage, averages);
        }
        self.series.evidence.layouts.extend(layout);
        let measured = self.measured(stage);
        if measured >= self.look_at.min(stage.most(most)) {
            self.look(stage, measured, most, family);
        }
    }

    pub(super) fn seems_slower(&self, baseline: Option<f64>) -> bool {
        let Rounds { base, head } = &self.evidence().rounds;
        let most = 1.0 + self.limits.thresholds.of(Level::Note);
        let ratios: Vec<f64> = base.iter().zip(head).map(|(base, head)| head / base).collect();
        let above_base = stats::median(&ratios).is_some_and(|ratio| ratio > most);
        let above_baseline = baseline
            .zip(stats::median(head))
            .is_some_and(|(baseline, head)| head > baseline * most);
        above_base || above_baseline
    }

    fn look(&mut self, stage: Stage, measured: usize, most: usize, family: usize) {
        self.look_at = stage.next_look(measured, stage.most(most));
        if self.is_count {
            return self.look_at_counts(measured, most);
        }
        let last = measured >= stage.most(most);
        match stage {
            Stage::Screening => match self.screened(last) {
                Some(Screened::Open) | None => {}
                Some(Screened::Candidate) => self.become_candidate(most),
                Some(_) if self.is_unconfirmed => self.become_candidate(most),
                Some(Screened::Unchanged(_) | Screened::NotSlower(_) | Screened::Undecided(_)) => {
                    self.state = State::Settled;
                }
            },
            Stage::Confirmation => {
                if let Some(Confirmed::Settled(..)) = self.confirmed(family, last) {
                    self.state = State::Settled;
                }
            }
        }
    }

    fn look_at_counts(&mut self, measured: usize, most: usize) {
        if measured >= most || Counted::is_settled(&self.evidence().rounds) {
            self.state = State::Settled;
        }
        self.look_at = self.look_at.min(MIN_PAIRS);
    }

    fn become_candidate(&mut self, most: usize) {
        self.state = State::Candidate;
        let stage = Stage::Confirmation;
        self.look_at = stage.next_look(0, stage.most(most));
    }

    fn screened(&self, last: bool) -> Option<Screened> {
        let pairs = Pairs::of(self.evidence(), Stage::Screening)?;
        let minority = Minority::of(self.evidence(), Stage::Screening, &self.limits);
        Some(screen(&pairs, minority.as_ref(), &self.limits, last))
    }

    fn confirmed(&self, family: usize, last: bool) -> Option<Confirmed> {
        let pairs = Pairs::of(self.evidence(), Stage::Confirmation)?;
        let minority = Minority::of(self.evidence(), Stage::Confirmation, &self.limits);
        Some(confirm(&pairs, minority.as_ref(), &self.limits, Family::Of(family), last))
    }

    /// Returns the result for a time that is still screened if nothing more is measured for it.
    pub(super) fn when_cut(&self) -> Option<Screened> {
        let is_screened = self.state == State::Screening && !self.is_count;
        is_screened.then(|| self.screened(true)).flatten()
    }

    /// The time for screening is over; whether it was too short.
    pub(super) fn cut(&mut self, most: usize) -> bool {
        if self.state != State::Screening {
            return false;
        }
        if self.is_count {
            self.state = State::Settled;
            return !Counted::is_settled(&self.evidence().rounds);
        }
        match self.when_cut() {
            found if self.is_unconfirmed || found == Some(Screened::Candidate) => {
                self.become_candidate(most);
                false
            }
            Some(Screened::Unchanged(_) | Screened::NotSlower(_)) => {
                self.state = State::Settled;
                false
            }
            _ => {
                self.state = State::Settled;
                true
            }
        }
    }

    pub(super) fn remaining(&self, stage: Stage) -> usize {
        match self.is_open(stage) {
            true => self.look_at.saturating_sub(self.measured(stage)),
            false => 0,
        }
    }
}
