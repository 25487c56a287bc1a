//! A turn: both sides, or the existing one. A pair counts whole or not at all.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use benchgate_core::journal::Kept;
use benchgate_core::model::{BenchmarkKey, Metric, Pace, Side, Sides, Stage};
use benchgate_core::schedule::{Reading, Turn, Values, first_patience, is_to_try, pace_after};

use super::inventory::Inventory;
use super::layouts::Placed;
use super::walk::{Leading, LedPair, Taking, Walks};
use super::work::{Measured, Settings, Work};
use crate::HostError;
use crate::harness::{Failure, Led, Request, Suite};
use crate::system::platform;

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
    /// A round that was not stopped, of the built executable.
    fn of(reading: Reading, seconds: f64) -> Self {
        Self { reading, seconds, layout: None, is_stopped: false }
    }
}

/// A turn of a plan, and everything that running it takes.
#[derive(Clone, Copy)]
pub(super) struct Running<'a> {
    pub(super) inventories: Sides<&'a Inventory>,
    pub(super) item: &'a Work,
    pub(super) turn: &'a Turn,
    pub(super) settings: &'a Settings<'a>,
    pub(super) walks: &'a RefCell<Walks>,
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
        let is_led = self.leading().is_some();
        // A candidate is proven in processes that measure nothing else before it.
        if !is_led || turn.stage == Stage::Confirmation {
            self.walks.borrow_mut().end()?;
        }
        let continues = self.leading().is_some_and(|leading| self.walks.borrow().reaches(&leading));
        // A process that runs keeps the copy that it was started with.
        let placed = if continues { None } else { self.placed()? };
        let inventories = match &placed {
            Some(placed) => placed.inventories(self.inventories),
            None => self.inventories,
        };
        let running = Running { inventories, ..*self };
        let ran = match (running.leading(), slot.pace) {
            (Some(leading), _) => running.lead(&leading, slot)?,
            (None, Some(pace)) => running.rounds(pace, measure.timeout, slot)?,
            (None, None) => running.first(slot)?,
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

    /// Puts the executables of a pair in its layout; `None` if the built ones are run.
    fn placed(&self) -> Result<Option<Placed>, HostError> {
        let Self { item, turn, settings, .. } = *self;
        let keys = item.as_ref().map(Option::as_ref).both();
        let (Some(layouts), Some(keys)) = (settings.layouts, keys) else { return Ok(None) };
        let Some(layout) = turn.layout else {
            layouts.copy(keys, turn.first, turn.pair)?;
            return Ok(None);
        };
        let has_layouts = |(side, key): (Side, &&BenchmarkKey)| {
            self.inventories[side].suite_of(key).is_some_and(|suite| suite.has_layouts())
        };
        layouts.place(keys, turn.first, layout, keys.iter().any(has_layouts)).map(Some)
    }

    /// How the benchmark is led; `None` unless all that take part are.
    fn leading(&self) -> Option<Leading<'_>> {
        let Self { item, turn, settings: Settings { measure, scratch, .. }, .. } = *self;
        let suites = item.as_ref().try_map(|side, key| match key {
            None => Ok(None),
            Some(key) => {
                let led = self.inventories[side].suite_of(key).and_then(Suite::led);
                led.map(Some).ok_or(())
            }
        });
        let suites: Taking<&Led> = suites.ok()?;
        suites.newest()?;
        Some(Leading {
            keys: item.as_ref().map(Option::as_ref),
            suites,
            first: turn.first,
            nuisance: turn.nuisance,
            timeout: measure.timeout,
            memory: measure.memory,
            scratch,
        })
    }

    /// Leads both sides through the benchmark.
    fn lead(&self, leading: &Leading<'_>, slot: &mut Measured) -> Result<Ran, HostError> {
        let started = Instant::now();
        slot.pace = Some(Pace::Settings);
        let mut walks = self.walks.borrow_mut();
        let led = walks.measure(leading)?;
        if self.turn.stage == Stage::Confirmation {
            walks.end()?;
        }
        let seconds = started.elapsed().as_secs_f64();
        let LedPair { values, averages, identity, held } = match led {
            Ok(led) => led,
            Err((side, failure)) => return Ok(self.failed(side, failure, seconds, slot)),
        };
        for (side, values) in values.iter() {
            let Some(values) = values else { continue };
            let reason = match slot.metrics_differ(side, values) {
                Some(difference) => difference,
                None if are_usable(values) => continue,
                None => format!("unusable values: {values:?}"),
            };
            return Ok(self.failed(side, Failure::new(reason), seconds, slot));
        }
        slot.identity = Some(identity);
        slot.held = Some(held).filter(|_| leading.keys.both().is_some());
        Ok(Ran::of(reading(values, averages.both()), seconds))
    }

    /// A turn in which a side failed.
    fn failed(&self, side: Side, failure: Failure, seconds: f64, slot: &mut Measured) -> Ran {
        let is_stopped = failure.is_stopped;
        let reason = format!("{} (round {})", failure.reason, self.turn.pair + 1);
        slot.failure = Some((side, Failure { reason, ..failure }));
        Ran { is_stopped, ..Ran::of(Reading::Failed, seconds) }
    }

    /// Finds out how to request rounds of this benchmark: a bench may have its own settings, which make
    /// a round take seconds, and both sides must be measured in the same way.
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
                Ok(round) if are_usable(&round.values) => {
                    match slot.metrics_differ(side, &round.values) {
                        Some(difference) => Failure::new(difference),
                        None => {
                            values[side] = Some(round.values);
                            slowest = slowest.max(round.seconds);
                            slot.identity = Some(round.identity);
                            continue;
                        }
                    }
                }
                Ok(round) => Failure::new(format!("unusable values: {:?}", round.values)),
                Err(failure) => failure,
            };
            return Ok(self.failed(side, failure, slowest, slot));
        }
        slot.counts.extend(counts.both());
        Ok(Ran::of(reading(values, None), slowest))
    }
}

/// The values of the sides that took part, and the means of a pair.
fn reading(values: Taking<Values>, averages: Option<Sides<f64>>) -> Reading {
    match values {
        Sides { base: Some(base), head: Some(head) } => {
            Reading::Pair { values: Sides { base, head }, averages }
        }
        Sides { base: Some(values), head: None } | Sides { base: None, head: Some(values) } => {
            Reading::Round(values)
        }
        Sides { base: None, head: None } => Reading::Failed,
    }
}

/// Whether every value can be compared: a ratio of zero or of no number is none, and a count may be zero.
fn are_usable(values: &Values) -> bool {
    let usable = |(metric, value): (&Metric, &f64)| {
        value.is_finite() && (*value > 0.0 || metric.is_count() && *value == 0.0)
    };
    !values.is_empty() && values.iter().all(usable)
}
