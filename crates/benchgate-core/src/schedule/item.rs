//! One benchmark of a plan: what it is measured for, and what is next for it.
//!
//! A round may give values of several metrics. Each has a separate track; only the processes are shared.

use std::collections::BTreeMap;

use super::series::Series;
use super::track::{State, Track};
use crate::judge::{Known, OneSide, Screened};
use crate::model::{Evidence, Metric, Side, Sides, Stage};
use crate::policy::Limits;

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
    /// Only one side has it: the number of rounds.
    Record(u32),
}

/// The values that a plan measured of one benchmark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurements {
    /// Pairs of both sides, by metric.
    pub evidence: BTreeMap<Metric, Evidence>,
    /// Rounds of a benchmark that only one side has, by metric: they are the head's.
    pub rounds: BTreeMap<Metric, Evidence>,
    /// Whether the time ran out before it was settled.
    pub is_cut: bool,
}

/// Pairs of a first look: their median is not moved by one process that another one disturbed. It
/// decides nothing but who is measured first.
const FIRST_LOOK: usize = 3;

/// Pairs up to which the others wait for a suspect. Most are settled by then; a suspect that is not, and
/// perhaps never will be, must not take the time of all.
const AHEAD: usize = 15;

/// The state of a benchmark.
#[derive(Clone, Debug)]
pub(super) struct Item {
    goal: Goal,
    tracks: BTreeMap<Metric, Track>,
    rounds: BTreeMap<Metric, Series>,
    /// The number of earlier attempts.
    attempts: usize,
    is_cut: bool,
    /// Nothing more is requested from it.
    has_ended: bool,
    pub(super) is_slow: bool,
    /// Whether the first look found the head slower than its base or than the committed baseline.
    is_suspect: bool,
    /// Turns of the present stage.
    pub(super) turns: u32,
}

impl Item {
    pub(super) fn new(goal: Goal) -> Self {
        Self {
            goal,
            tracks: BTreeMap::new(),
            rounds: BTreeMap::new(),
            attempts: 0,
            is_cut: false,
            has_ended: false,
            is_slow: false,
            is_suspect: false,
            turns: 0,
        }
    }

    /// Takes over the values of earlier attempts, and requests more for the benchmarks that they left open.
    pub(super) fn resume(&mut self, attempts: usize, known: BTreeMap<Metric, Known>, most: usize) {
        self.attempts = attempts;
        match &mut self.goal {
            Goal::Record(rounds) => {
                // A rule is judged by rounds of one attempt: what was cut is recorded again from the first.
                let had = |known: &Known| known.evidence.rounds.head.len() >= *rounds as usize;
                if known.values().any(had) {
                    *rounds = 0;
                }
                let series = |(metric, known): (Metric, Known)| {
                    (metric, Series::known(known.evidence, attempts))
                };
                self.rounds = known.into_iter().map(series).collect();
            }
            Goal::Compare { limits, at_least, .. } => {
                let look = first_look(*at_least as usize, most);
                for (metric, known) in known {
                    let limits = limits.clone().of_metric(&metric);
                    let track =
                        Track::known(metric.is_count(), limits, known, attempts, look, most);
                    self.tracks.insert(metric, track);
                }
            }
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
        let is_candidate = |track: &&Track| track.is(State::Candidate);
        if self.has_ended { 0 } else { self.tracks.values().filter(is_candidate).count() }
    }

    /// Metrics whose slowdown is tested: those that are candidates, and those that were.
    pub(super) fn tests(&self) -> usize {
        let is_tested = |track: &&Track| {
            !track.evidence().confirmation.is_empty()
                || (track.is(State::Candidate) && !self.has_ended)
        };
        self.tracks.values().filter(is_tested).count()
    }

    /// Metrics whose slowdown may be tested before the run ends.
    pub(super) fn most_tests(&self) -> usize {
        self.tracks.values().filter(|track| !track.is_count()).count()
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
            let series = self.rounds.entry(metric).or_insert_with(|| Series::new(self.attempts));
            series.evidence.rounds.head.push(value);
        }
    }

    pub(super) fn add_pair(
        &mut self,
        stage: Stage,
        layout: Option<u32>,
        pair: Sides<Values>,
        averages: Option<Sides<f64>>,
        most: usize,
        family: usize,
    ) {
        let Goal::Compare { limits, at_least, baseline } = &self.goal else { return };
        for (metric, base) in pair.base {
            let Some(head) = pair.head.get(&metric) else { continue };
            let track = self.tracks.entry(metric.clone()).or_insert_with(|| {
                let limits = limits.clone().of_metric(&metric);
                let look = first_look(*at_least as usize, most);
                Track::new(metric.is_count(), limits, self.attempts, look)
            });
            let averages = averages.filter(|_| metric == Metric::TIME);
            track.add(stage, layout, Sides::new(base, *head), averages, most, family);
            if metric.is_count() {
                continue;
            }
            if stage == Stage::Screening && track.measured(stage) == FIRST_LOOK {
                let baseline = baseline.filter(|_| metric == Metric::TIME);
                self.is_suspect |= track.seems_slower(baseline);
            }
        }
    }

    /// The rounds of a side so far.
    pub(super) fn side(&self, metric: &Metric, side: Side) -> OneSide<'_> {
        let alone = || self.rounds.get(metric).map(|series| &series.evidence);
        let evidence = self.tracks.get(metric).map(Track::evidence).or_else(alone);
        evidence.map(|it| OneSide::of(it, side)).unwrap_or_default()
    }

    /// Asks for rounds of this attempt up to this number, whatever it needs for itself.
    pub(super) fn extend_to(&mut self, metric: &Metric, until: usize) {
        let of_track = |track: &Track| track.measured(Stage::Screening);
        let measured = self.tracks.get(metric).map_or_else(|| self.recorded(), of_track);
        if self.is_cut || self.has_ended || measured >= until {
            return;
        }
        if let Goal::Record(rounds) = &mut self.goal {
            *rounds = (*rounds).max(u32::try_from(until).unwrap_or(u32::MAX));
        }
        if let Some(track) = self.tracks.get_mut(metric) {
            track.extend_to(until);
        }
    }

    /// Marks it as without value: nothing more is requested from it.
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
        let tracks = self.tracks.into_iter();
        let rounds = self.rounds.into_iter();
        Measurements {
            evidence: tracks.map(|(metric, track)| (metric, track.into_evidence())).collect(),
            rounds: rounds.map(|(metric, series)| (metric, series.into_evidence())).collect(),
            is_cut: self.is_cut,
        }
    }

    fn any(&self, state: State) -> bool {
        self.tracks.values().any(|track| track.is(state))
    }

    fn recorded(&self) -> usize {
        let of = |series: &Series| series.measured(Stage::Screening);
        self.rounds.values().map(of).max().unwrap_or(0)
    }
}

/// The pairs after which a benchmark is looked at first, if it needs at least that many.
fn first_look(at_least: usize, most: usize) -> usize {
    Stage::Screening.next_look(at_least.saturating_sub(1), most)
}
