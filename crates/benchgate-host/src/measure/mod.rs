//! Rounds as a plan asks for them. What it reads it gives to the plan; it judges nothing.

mod forecast;
mod inventory;
mod layouts;
mod turn;
mod work;

use std::time::Instant;

use benchgate_core::model::Sides;
use benchgate_core::schedule::{Plan, Turn};

use self::forecast::Forecast;
pub use self::inventory::Inventory;
pub use self::layouts::Layouts;
use self::turn::{Ran, Running};
pub use self::work::{Measured, Settings, Work};
use crate::HostError;

/// Runs all turns of a plan over `work`; the plan was made for as many benchmarks.
///
/// # Errors
/// When files of our own cannot be used. A run that was interrupted ends with what it has by then.
pub fn measure(
    base: &Inventory,
    head: &Inventory,
    work: &[Work],
    mut plan: Plan,
    settings: &Settings<'_>,
) -> Result<Vec<Measured>, HostError> {
    let mut measured = vec![Measured::default(); work.len()];
    settings.progress.phase("measuring");
    let mut done = 0;
    let mut forecast = Forecast::new(work.len());
    // What is left of the time when measuring begins is what is shared out.
    let started = Instant::now();
    let left = settings.budget.map(|(began, given)| {
        given.saturating_sub(started.saturating_duration_since(began)).as_secs_f64()
    });
    let inventories = Sides::new(base, head);
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
        let Ran { reading, seconds, layout, .. } =
            match (Running { inventories, item, turn: &turn, settings }).run(slot) {
                // What there is, is kept: the caller sees that the run was interrupted.
                Err(HostError::Interrupted) => {
                    plan.spend(f64::INFINITY);
                    break;
                }
                ran => ran?,
            };
        plan.record(&Turn { layout, ..turn }, reading, seconds);
        done += 1;
        let lines = forecast.after(&turn, item, slot.pace, seconds, plan.remaining());
        lines.iter().for_each(|line| settings.progress.line(line));
    }
    settings.progress.done();
    for (slot, measurements) in measured.iter_mut().zip(plan.into_measurements()) {
        slot.measurements = measurements;
    }
    Ok(measured)
}
