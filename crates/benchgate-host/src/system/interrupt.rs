//! Ctrl-C and termination signals set a flag, which waiting code checks, so that clean-up is ordinary code.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::HostError;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Installs handlers of SIGINT, SIGTERM and SIGHUP.
///
/// # Errors
/// When the system refuses a handler.
pub fn install() -> Result<(), HostError> {
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::SeqCst))
        .map_err(|error| HostError::File(std::io::Error::other(error)))
}

/// Ends the run as a signal to stop does.
pub(crate) fn stop() {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// Whether a signal to stop was received.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Returns an error once a signal to stop was received.
///
/// # Errors
/// [`HostError::Interrupted`].
pub fn check() -> Result<(), HostError> {
    if is_interrupted() { Err(HostError::Interrupted) } else { Ok(()) }
}
