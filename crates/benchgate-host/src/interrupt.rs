//! Ctrl-C and termination: a flag that whoever waits looks at, so that clean-up is ordinary code.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::HostError;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Catches SIGINT, SIGTERM and SIGHUP from now on.
///
/// # Errors
/// When the system refuses a handler.
pub fn install() -> Result<(), HostError> {
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::SeqCst))
        .map_err(|error| HostError::File(std::io::Error::other(error)))
}

/// Whether somebody asked to stop.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// An error once somebody asked to stop.
///
/// # Errors
/// [`HostError::Interrupted`].
pub fn check() -> Result<(), HostError> {
    if is_interrupted() { Err(HostError::Interrupted) } else { Ok(()) }
}
