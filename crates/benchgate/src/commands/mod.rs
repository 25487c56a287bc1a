//! One file per command.

pub(crate) mod baseline;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod report;
