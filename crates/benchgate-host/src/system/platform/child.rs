//! Children, as all systems have them.

use std::path::PathBuf;

/// What a process was about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Act {
    Read,
    /// To make, change or remove.
    Write,
    /// To look for what is not there.
    Find,
    Network,
    /// A system call that the filter knows, by its number.
    Call(std::ffi::c_long),
}

/// Something that a process could not do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Refused {
    pub(crate) act: Act,
    /// Empty where none is named.
    pub(crate) path: PathBuf,
}

/// How a child and all that it started are stopped, or continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// They may clean up.
    Ask,
    /// At once.
    Kill,
    /// Until they are continued.
    Pause,
    /// Continues the paused ones.
    Resume,
}

/// Resources that a child used.
pub(crate) struct Used {
    /// CPU time in nanoseconds.
    pub(crate) cpu: f64,
    /// Peak memory in bytes.
    pub(crate) peak: f64,
}

/// Whether there is something to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readable {
    /// There is, or the end.
    Now,
    /// There was not within the time.
    NotYet,
}
