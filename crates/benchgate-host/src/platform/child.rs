//! Children, as all systems have them.

/// How a child and all that it started are stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// They may clean up.
    Ask,
    /// At once.
    Kill,
}

/// Resources that a child used.
pub(crate) struct Used {
    /// CPU time in nanoseconds.
    pub(crate) cpu: f64,
    /// Peak memory in bytes.
    pub(crate) peak: f64,
}
