//! Instructions of one benchmark, counted by valgrind's callgrind: evidence alongside a time. They repeat to a
//! hundredth of a percent on a busy machine and do not see where code lies.

use std::path::Path;
use std::time::Duration;

use benchgate_core::adapters::callgrind;

use crate::evidence::callgrind::run;
use crate::harness::Suite;
use crate::{Availability, HostError};

/// Maximum distance of two counts of one executable: beyond it, it does not do the same work twice.
pub const REPEATABLE: f64 = 0.001;

/// Counts the instructions of one iteration of a benchmark, twice.
///
/// # Errors
/// When interrupted, or when files of our own cannot be used.
pub fn count(
    suite: &dyn Suite,
    id: &str,
    timeout: Duration,
    scratch: &Path,
) -> Result<Availability<u64>, HostError> {
    let mut counts = [0; 2];
    for count in &mut counts {
        match once(suite, id, timeout, scratch)? {
            Availability::Available(instructions) => *count = instructions,
            unavailable @ Availability::Unavailable(_) => return Ok(unavailable),
        }
    }
    let [first, second] = counts;
    #[expect(clippy::cast_precision_loss, reason = "a share of a count")]
    let distance = first.abs_diff(second) as f64 / first.min(second).max(1) as f64;
    Ok(if distance <= REPEATABLE {
        Availability::Available(first.min(second))
    } else {
        Availability::Unavailable(format!(
            "two counts of one executable differ ({first} and {second} instructions)"
        ))
    })
}

fn once(
    suite: &dyn Suite,
    id: &str,
    timeout: Duration,
    scratch: &Path,
) -> Result<Availability<u64>, HostError> {
    let counts = run(suite, id, timeout, &scratch.join("count"), callgrind::arguments)?;
    let read = |text: String| callgrind::iteration(&text).map_err(|nothing| nothing.to_string());
    Ok(counts.into_result().and_then(read).into())
}
