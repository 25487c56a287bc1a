//! One turn: both sides, or the one that there is. A pair counts whole or not at all.

use std::time::Duration;

use benchgate_core::journal::Kept;
use benchgate_core::model::{BenchmarkKey, Metric, Pace, Side, Sides, Stage};
use benchgate_core::schedule::{Reading, Turn, first_patience, is_to_try, pace_after};

use super::inventory::Inventory;
use super::layouts::Placed;
use super::work::{Measured, Settings, Work};
use crate::harness::{Failure, Request, Round};
use crate::{HostError, platform};

/// The reading of a turn's rounds, and how they ran.
pub(super) struct Ran {
    pub(super) reading: Reading,
    /// Wall seconds of the slowest process.
    pub(super) seconds: f64,
    /// The layout of the code that they ran in.
    pub(super) layout: Option<u32>,
    /// Whether a process was stopped because its time had passed.
    is_stopped: bool,
}

impl Ran {
    /// One that was not stopped, of what was built.
    fn of(reading: Reading, seconds: f64) -> Self {
        Self { reading, seconds, layout: None, is_stopped: false }
    }
}

/// One turn of a plan, and everything that running it takes.
#[derive(Clone, Copy)]
pub(super) struct Running<'a> {
    pub(super) inventories: Sides<&'a Inventory>,
    pub(super) item: &'a Work,
    pub(super) turn: &'a Turn,
    pub(super) settings: &'a Settings<'a>,
}

impl Running<'_> {
    /// Takes the turn from the journal, or runs it and adds it there.
    pub(super) fn run(&self, slot: &mut Measured) -> Result<Ran, HostError> {
        let Self { item, turn, settings: Settings { journal, part, measure, .. }, .. } = self;
        let Some(key) = item.newest() else {
            return Ok(Ran::of(Reading::Failed, 0.0));
        };
        if let Some(kept) = journal.and_then(|journal| journal.kept(part, key, turn)) {
            slot.pace = Some(kept.pace);
            slot.identity = Some(kept.identity.clone());
            return Ok(Ran { layout: kept.layout, ..Ran::of(kept.reading.clone(), kept.seconds) });
        }
        let placed = self.placed()?;
        let inventories = match &placed {
            Some(placed) => placed.inventories(self.inventories),
            None => self.inventories,
        };
        let running = Running { inventories, ..*self };
        let ran = match slot.pace {
            Some(pace) => running.rounds(pace, measure.timeout, slot)?,
            None => running.first(slot)?,
        };
        let layout = placed.as_ref().and_then(|placed| placed.layout);
        if let Some(placed) = placed {
            slot.not_relinked = placed.not_relinked;
        }
        if let (Some(journal), Some(identity)) = (journal, &slot.identity) {
            let (pace, reading) = (slot.pace.unwrap_or_default(), ran.reading.clone());
            let (seconds, identity) = (ran.seconds, identity.clone());
            journal.add(part, key, turn, &Kept { pace, layout, reading, seconds, identity })?;
        }
        Ok(Ran { layout, ..ran })
    }

    /// Puts what the pair runs in its layout; `None` where what was built is run.
    fn placed(&self) -> Result<Option<Placed>, HostError> {
        let Self { item, turn, settings, .. } = *self;
        let keys = item.as_ref().map(Option::as_ref).both();
        let (Some(layouts), Some(keys)) = (settings.layouts, keys) else { return Ok(None) };
        let Some(layout) = turn.layout else {
            layouts.copy(keys, turn.pair)?;
            return Ok(None);
        };
        let has_layouts = |(side, key): (Side, &&BenchmarkKey)| {
            self.inventories[side].suite_of(key).is_some_and(|suite| suite.has_layouts())
        };
        layouts.place(keys, layout, keys.iter().any(has_layouts)).map(Some)
    }

    /// Finds out how this benchmark is asked for its rounds: a bench may have settings of its own that make
    /// one take seconds, and both sides must be measured in the same way.
    fn first(&self, slot: &mut Measured) -> Result<Ran, HostError> {
        let timeout = self.settings.measure.timeout;
        let has_quick = self.has_quick();
        let patience = first_patience(has_quick, timeout);
        let by_settings = self.rounds(Pace::Settings, patience, slot)?;
        slot.pace = Some(Pace::Settings);
        let failed = by_settings.reading == Reading::Failed && !by_settings.is_stopped;
        let is_long = by_settings.is_stopped || is_to_try(by_settings.seconds);
        if failed || !has_quick || !is_long {
            return Ok(by_settings);
        }
        let mut fresh = Measured::at(Pace::Quick);
        // A round that was stopped to try another pace is no failure, and an interruption leaves it as it is.
        let stopped = slot.failure.take();
        let quick = self.rounds(Pace::Quick, timeout, &mut fresh)?;
        slot.failure = stopped;
        let seconds = |ran: &Ran| (ran.reading != Reading::Failed).then_some(ran.seconds);
        if pace_after(seconds(&by_settings), seconds(&quick)) == Pace::Quick {
            *slot = fresh;
            return Ok(quick);
        }
        if by_settings.is_stopped && patience < timeout {
            *slot = Measured::at(Pace::Settings);
            return self.rounds(Pace::Settings, timeout, slot);
        }
        Ok(by_settings)
    }

    /// Whether all that take part have a quick way.
    fn has_quick(&self) -> bool {
        self.item.iter().all(|(side, key)| {
            let suite = |key| self.inventories[side].suite_of(key);
            key.as_ref().is_none_or(|key| suite(key).is_some_and(|suite| suite.has_quick()))
        })
    }

    fn rounds(
        &self,
        pace: Pace,
        patience: Duration,
        slot: &mut Measured,
    ) -> Result<Ran, HostError> {
        let Self { turn, settings: Settings { measure, scratch, .. }, .. } = *self;
        let request = Request { measure, pace, patience, nuisance: turn.nuisance, scratch };
        let mut values = Sides { base: None, head: None };
        let mut counts = Sides { base: None, head: None };
        let mut slowest = 0.0_f64;
        for side in [turn.first, turn.first.other()] {
            let Some(key) = &self.item[side] else { continue };
            let run = || self.inventories[side].round(key, &request);
            // Where a slowdown is to be proven: counting costs a little, on both sides the same.
            let (round, counted) = match turn.stage {
                Stage::Confirmation => platform::counted(run),
                Stage::Screening => (run(), None),
            };
            counts[side] = counted;
            let failure = match round? {
                Ok(round) if is_usable(&round) => match slot.metrics_differ(side, &round.values) {
                    Some(difference) => Failure::new(difference),
                    None => {
                        values[side] = Some(round.values);
                        slowest = slowest.max(round.seconds);
                        slot.identity = Some(round.identity);
                        continue;
                    }
                },
                Ok(round) => Failure::new(format!("unusable values: {:?}", round.values)),
                Err(failure) => failure,
            };
            let is_stopped = failure.is_stopped;
            let reason = format!("{} (round {})", failure.reason, turn.pair + 1);
            slot.failure = Some((side, Failure { reason, ..failure }));
            return Ok(Ran { is_stopped, ..Ran::of(Reading::Failed, slowest) });
        }
        let reading = match values {
            Sides { base: Some(base), head: Some(head) } => {
                slot.counts.extend(counts.both());
                Reading::Pair(Sides { base, head })
            }
            Sides { base: Some(values), head: None } | Sides { base: None, head: Some(values) } => {
                Reading::Round(values)
            }
            Sides { base: None, head: None } => Reading::Failed,
        };
        Ok(Ran::of(reading, slowest))
    }
}

/// Whether every value can be compared: a ratio of zero or of no number is none, and a count may be zero.
fn is_usable(round: &Round) -> bool {
    let usable = |(metric, value): (&Metric, &f64)| {
        value.is_finite() && (*value > 0.0 || metric.is_count() && *value == 0.0)
    };
    !round.values.is_empty() && round.values.iter().all(usable)
}
