//! Keeps processors from halting while rounds are measured.

use std::io;

use crate::system::platform;

/// While it is there, a process of the idle class spins on each processor. It yields to anything else at once.
pub struct Awake {
    _spinning: platform::Spinning,
}

impl Awake {
    /// Begins to spin.
    ///
    /// # Errors
    /// Where the system does not allow it, or CPU time is limited; then nothing spins.
    pub fn begin() -> io::Result<Self> {
        Ok(Self { _spinning: platform::spin()? })
    }

    /// Why processors may halt while the gate measures; `None` if they are kept from it.
    pub fn refusal() -> Option<String> {
        Self::begin().err().map(|error| error.to_string())
    }
}

/// Returns the notice for a report where processors may halt.
pub fn notice() -> Option<String> {
    let why = Awake::refusal()?;
    Some(format!("processors may halt between rounds, which makes times scatter more: {why}"))
}
