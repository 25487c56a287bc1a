//! Rounds as a plan asks for them. What it reads it gives to the plan; it judges nothing.

mod copies;
mod forecast;
mod inventory;
mod layouts;
mod named;
pub mod relink;
mod turn;
mod walk;
mod work;

use std::cell::RefCell;
use std::time::{Duration, Instant};

use benchgate_core::model::Sides;
use benchgate_core::schedule::{Plan, Turn};

use self::forecast::{Ahead, Forecast, before};
pub use self::inventory::{Inventory, UNSTABLE};
pub use self::layouts::Layouts;
use self::turn::{Ran, Running};
use self::walk::Walks;
pub use self::work::{Measured, Settings, Work};
use crate::HostError;
use crate::store::journal::Journal;
use crate::system::awake::Awake;

/// Runs all turns of a plan over `work`; the plan was made for as many benchmarks.
///
/// # Errors
/// When files of our own cannot be used. A run that was interrupted ends with what it has by then.
// Long: the loop of turns, in the order in which a turn goes.
pub fn measure(
    base: &Inventory,
    head: &Inventory,
    work: &[Work],
    mut plan: Plan,
    settings: &Settings<'_>,
) -> Result<Vec<Measured>, HostError> {
    let mut measured = vec![Measured::default(); work.len()];
    // If it is refused, the caller reports that.
    let _awake = Awake::begin();
    settings.progress.phase("measuring");
    let mut done = 0;
    let mut forecast = Forecast::new(work.len());
    // The plan spends the time that is left when measuring begins.
    let started = Instant::now();
    let left = settings.budget.map(|(began, given)| {
        given.saturating_sub(started.saturating_duration_since(began)).as_secs_f64()
    });
    let inventories = Sides::new(base, head);
    let walks = RefCell::new(Walks::default());
    let ahead: Vec<Ahead> = work
        .iter()
        .enumerate()
        .map(|(n, item)| ahead(n, item, inventories, &plan, settings))
        .collect();
    before(&ahead, left).iter().for_each(|line| settings.progress.notice(line));
    loop {
        if let Some(left) = left {
            let share = started.elapsed().as_secs_f64() / left;
            plan.spend(if left > 0.0 { share } else { f64::INFINITY });
        }
        let Some(turn) = plan.next_turn() else { break };
        let item = &work[turn.benchmark];
        if let Some(key) = item.newest() {
            settings.progress.turn(done, done + plan.remaining(), key);
        }
        let slot = &mut measured[turn.benchmark];
        let (began, linked) = (Instant::now(), settings.linking());
        let Ran { reading, seconds, layout, .. } =
            match (Running { inventories, item, turn: &turn, settings, walks: &walks }).run(slot) {
                Ok(ran) => ran,
                // The turns so far are kept: the caller sees that the run was interrupted.
                Err(error) => {
                    end(error, settings.journal)?;
                    plan.spend(f64::INFINITY);
                    break;
                }
            };
        let linking = settings.linking().saturating_sub(linked);
        // What the journal had took the time of another run.
        slot.seconds += began.elapsed().saturating_sub(linking).as_secs_f64().max(seconds);
        plan.record(&Turn { layout, ..turn }, reading, seconds);
        done += 1;
        let left = left.map(|left| left - started.elapsed().as_secs_f64());
        // Some of them may have been kept from an earlier run: fewer is still true.
        let remaining = plan.remaining().saturating_sub(settings.journal.map_or(0, Journal::len));
        let lines = forecast.after(&turn, item, slot.pace, seconds, remaining, left);
        lines.iter().for_each(|line| settings.progress.notice(line));
    }
    settings.progress.done();
    for (slot, measurements) in measured.iter_mut().zip(plan.into_measurements()) {
        slot.measurements = measurements;
    }
    Ok(measured)
}

/// Returns the shortest times of one benchmark's rounds, and its number of turns, before its first round.
fn ahead(
    index: usize,
    item: &Work,
    inventories: Sides<&Inventory>,
    plan: &Plan,
    settings: &Settings<'_>,
) -> Ahead {
    let rounds = item.iter().filter_map(|(side, key)| {
        let suite = inventories[side].suite_of(key.as_ref()?)?;
        Some(suite.shortest(settings.measure))
    });
    let (turn, round) = rounds.fold((Duration::ZERO, Duration::ZERO), |(sum, longest), round| {
        (sum + round, longest.max(round))
    });
    let kept = settings.journal.zip(item.newest());
    let kept = kept.map_or(0, |(journal, key)| journal.kept_of(settings.part, key));
    Ahead { turn, round, turns: plan.remaining_of(index).saturating_sub(kept) }
}

/// Ends a run that can be resumed; an error that prevents resuming is returned.
fn end(error: HostError, journal: Option<&Journal>) -> Result<(), HostError> {
    match (error, journal) {
        (HostError::Interrupted, _) => Ok(()),
        (HostError::File(error), Some(journal)) => {
            journal.stop(&error);
            Ok(())
        }
        (error, _) => Err(error),
    }
}
