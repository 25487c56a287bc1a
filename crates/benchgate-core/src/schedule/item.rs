//! One benchmark of a plan: what it is measured for, and what is next for it.
//!
//! A round may give values of several metrics. Each has a track of its own: it is looked at, becomes a
//! candidate and is settled by itself, and only the processes are shared.

use std::collections::BTreeMap;

use crate::judge::looks::MIN_PAIRS;
use crate::judge::{Confirmed, Counted, Family, Pairs, Screened, confirm, screen};
use crate::model::{Evidence, Level, Metric, Rounds, Sides, Stage};
use crate::policy::Limits;
use crate::stats;

/// Values of one round, by metric.
pub type Values = BTreeMap<Metric, f64>;

/// The purpose for which one benchmark is measured.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// Base and head are compared.
    Compare {
        /// The limits of the benchmark.
        limits: Limits,
        /// Pairs before the first look: a rule about the benchmark needs its values.
        at_least: u32,
        /// Median of the committed baseline of this machine, in nanoseconds per iteration.
        baseline: Option<f64>,
    },
    /// One side has it: so many rounds.
    Record(u32),
}

/// The values that a plan measured of one benchmark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurements {
    /// Pairs of both sides, by metric.
    pub evidence: BTreeMap<Metric, Evidence>,
    /// Rounds of a benchmark that only one side has, by metric.
    pub rounds: BTreeMap<Metric, Vec<f64>>,
    /// Whether the time ran out before it was settled.
    pub is_cut: bool,
}

/// Pairs of a first look: their median is not moved by one process that another one disturbed. It
/// decides nothing but who is measured first.
const FIRST_LOOK: usize = 3;

/// Pairs up to which the others wait for a suspect. Most are settled by then; one that is not, and
/// perhaps never will be, must not take the time of all.
const AHEAD: usize = 15;

/// The state of a benchmark.
#[derive(Clone, Debug)]
pub(super) struct Item {
    goal: Goal,
    tracks: BTreeMap<Metric, Track>,
    rounds: BTreeMap<Metric, Vec<f64>>,
    is_cut: bool,
    /// Nothing more is asked of it.
    has_ended: bool,
    pub(super) is_slow: bool,
    /// Whether the first look found the head slower than its base or than the committed baseline.
    is_suspect: bool,
    /// Turns of the present stage.
    pub(super) turns: u32,
}

/// The state of one metric of a benchmark.
#[derive(Clone, Debug)]
struct Track {
    state: State,
    /// Counts prove a change by themselves, and are not candidates.
    is_count: bool,
    evidence: Evidence,
    /// The limits of the benchmark for this metric.
    limits: Limits,
    /// Pairs after which something happens next.
    look_at: usize,
}

/// The state of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Screening,
    Candidate,
    Settled,
}

impl Item {
    pub(super) fn new(goal: Goal) -> Self {
        Self {
            goal,
            tracks: BTreeMap::new(),
            rounds: BTreeMap::new(),
            is_cut: false,
            has_ended: false,
            is_slow: false,
            is_suspect: false,
            turns: 0,
        }
    }

    pub(super) fn is_compared(&self) -> bool {
        matches!(self.goal, Goal::Compare { .. })
    }

    pub(super) fn is_open(&self, stage: Stage) -> bool {
        !self.has_ended
            && match (stage, &self.goal) {
                (Stage::Screening, Goal::Record(rounds)) => self.recorded() < *rounds as usize,
                // Only its first round shows which metrics it has.
                (Stage::Screening, Goal::Compare { .. }) => {
                    self.tracks.is_empty() || self.any(State::Screening)
                }
                (Stage::Confirmation, _) => self.any(State::Candidate),
            }
    }

    /// Metrics that are candidates.
    pub(super) fn candidates(&self) -> usize {
        let is_candidate = |track: &&Track| track.state == State::Candidate;
        if self.has_ended { 0 } else { self.tracks.values().filter(is_candidate).count() }
    }

    /// Whether the others wait for it.
    pub(super) fn is_waited_for(&self) -> bool {
        self.is_suspect && self.is_open(Stage::Screening) && (self.turns as usize) < AHEAD
    }

    /// Whether it can wait for the suspects: not before its first look, and not when a rule compares
    /// its values with those that others gave in the same turns.
    pub(super) fn can_wait(&self) -> bool {
        match &self.goal {
            Goal::Compare { at_least: 0, .. } => {
                !self.is_waited_for() && self.turns as usize >= FIRST_LOOK
            }
            Goal::Compare { .. } | Goal::Record(_) => false,
        }
    }

    pub(super) fn add_round(&mut self, values: Values) {
        for (metric, value) in values {
            self.rounds.entry(metric).or_default().push(value);
        }
    }

    pub(super) fn add_pair(
        &mut self,
        stage: Stage,
        layout: Option<u32>,
        pair: Sides<Values>,
        most: usize,
        family: usize,
    ) {
        let Goal::Compare { limits, at_least, baseline } = &self.goal else { return };
        for (metric, base) in pair.base {
            let Some(head) = pair.head.get(&metric) else { continue };
            let track = self.tracks.entry(metric.clone()).or_insert_with(|| Track {
                state: State::Screening,
                is_count: metric.is_count(),
                evidence: Evidence::default(),
                limits: limits.clone().of_metric(&metric),
                look_at: Stage::Screening.next_look(at_least.saturating_sub(1) as usize, most),
            });
            track.add(stage, layout, Sides::new(base, *head), most, family);
            if track.is_count {
                continue;
            }
            let first_look = track.evidence.rounds.base.len() == FIRST_LOOK;
            if stage == Stage::Screening && first_look {
                let baseline = baseline.filter(|_| metric == Metric::TIME);
                self.is_suspect |= track.seems_slower(baseline);
            }
        }
    }

    /// The rounds of the head so far.
    pub(super) fn head(&self, metric: &Metric) -> &[f64] {
        let track = self.tracks.get(metric).map(|track| &track.evidence.rounds.head);
        track.or(self.rounds.get(metric)).map_or(&[], Vec::as_slice)
    }

    /// Asks for rounds up to this number, whatever it needs for itself.
    pub(super) fn go_on(&mut self, metric: &Metric, until: usize) {
        if self.is_cut || self.has_ended || self.head(metric).len() >= until {
            return;
        }
        if let Goal::Record(rounds) = &mut self.goal {
            *rounds = (*rounds).max(u32::try_from(until).unwrap_or(u32::MAX));
        }
        if let Some(track) = self.tracks.get_mut(metric) {
            track.state = State::Screening;
            track.look_at = track.look_at.max(until);
        }
    }

    /// It gives no value: nothing more is asked of it.
    pub(super) fn give_up(&mut self) {
        self.has_ended = true;
    }

    /// Whether something of it would be a candidate if the time for screening were over.
    pub(super) fn would_be_candidate(&self) -> bool {
        !self.has_ended
            && self.tracks.values().any(|track| track.when_cut() == Some(Screened::Candidate))
    }

    /// The time for screening is over.
    pub(super) fn cut(&mut self, most: usize) {
        if self.tracks.is_empty() {
            self.end();
        }
        for track in self.tracks.values_mut() {
            self.is_cut |= track.cut(most);
        }
        // Rounds of one side are not screened: they end with the time for it.
        self.has_ended |= !self.is_compared();
        self.is_cut |= !self.is_compared();
    }

    /// All time is over.
    pub(super) fn end(&mut self) {
        self.is_cut = true;
        self.has_ended = true;
    }

    /// Turns until the next look.
    pub(super) fn remaining(&self, stage: Stage) -> usize {
        if !self.is_open(stage) {
            return 0;
        }
        match &self.goal {
            Goal::Record(rounds) => (*rounds as usize).saturating_sub(self.recorded()),
            Goal::Compare { .. } if self.tracks.is_empty() => {
                Stage::Screening.next_look(0, usize::MAX)
            }
            Goal::Compare { .. } => {
                self.tracks.values().map(|track| track.remaining(stage)).max().unwrap_or(0)
            }
        }
    }

    pub(super) fn into_measurements(self) -> Measurements {
        let evidence =
            self.tracks.into_iter().map(|(metric, track)| (metric, track.evidence)).collect();
        Measurements { evidence, rounds: self.rounds, is_cut: self.is_cut }
    }

    fn any(&self, state: State) -> bool {
        self.tracks.values().any(|track| track.state == state)
    }

    fn recorded(&self) -> usize {
        self.rounds.values().map(Vec::len).max().unwrap_or(0)
    }
}

impl Track {
    fn is_open(&self, stage: Stage) -> bool {
        match stage {
            Stage::Screening => self.state == State::Screening,
            Stage::Confirmation => self.state == State::Candidate,
        }
    }

    /// Adds a pair, unless the track waits for none: what was decided stays decided by the same values.
    fn add(
        &mut self,
        stage: Stage,
        layout: Option<u32>,
        pair: Sides<f64>,
        most: usize,
        family: usize,
    ) {
        if !self.is_open(stage) {
            return;
        }
        self.evidence.push(stage, pair);
        self.evidence.layouts.extend(layout);
        let measured = self.evidence.stage(stage).base.len();
        if measured >= self.look_at.min(stage.most(most)) {
            self.look(stage, measured, most, family);
        }
    }

    fn seems_slower(&self, baseline: Option<f64>) -> bool {
        let Rounds { base, head } = &self.evidence.rounds;
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
                Some(Screened::Unchanged(_) | Screened::Undecided(_)) => {
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
        if measured >= most || Counted::is_settled(&self.evidence.rounds) {
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
        Some(screen(&Pairs::new(&self.evidence.rounds)?, &self.limits, last))
    }

    fn confirmed(&self, family: usize, last: bool) -> Option<Confirmed> {
        let pairs = Pairs::new(&self.evidence.confirmation)?;
        Some(confirm(&pairs, &self.limits, Family::Of(family), last))
    }

    /// Returns the result for a time that is still screened if nothing more is measured for it.
    fn when_cut(&self) -> Option<Screened> {
        let is_screened = self.state == State::Screening && !self.is_count;
        is_screened.then(|| self.screened(true)).flatten()
    }

    /// The time for screening is over; whether it was too short.
    fn cut(&mut self, most: usize) -> bool {
        if self.state != State::Screening {
            return false;
        }
        if self.is_count {
            self.state = State::Settled;
            return !Counted::is_settled(&self.evidence.rounds);
        }
        match self.when_cut() {
            Some(Screened::Candidate) => {
                self.become_candidate(most);
                false
            }
            Some(Screened::Unchanged(_)) => {
                self.state = State::Settled;
                false
            }
            Some(Screened::Undecided(_) | Screened::Open) | None => {
                self.state = State::Settled;
                true
            }
        }
    }

    fn remaining(&self, stage: Stage) -> usize {
        match self.is_open(stage) {
            true => self.look_at.saturating_sub(self.evidence.stage(stage).base.len()),
            false => 0,
        }
    }
}
