//! Designs of a gate, as functions from raw data to decisions. A design is a file and a line of
//! [`ALL`].

mod blocks;
mod criterion;
mod design;
mod gate;
mod lockstep;

use design::level_of;
pub(crate) use design::{Decision, Design, Install};
pub(crate) use gate::{planned, replayed};

/// All designs, in the order of the tables.
pub(crate) static ALL: [&dyn Design; 8] = [
    &gate::Benchgate,
    &criterion::CRITCMP_MEAN,
    &criterion::CRITCMP_MEDIAN,
    &criterion::VERDICT,
    &criterion::VERDICT_AT_DEFAULTS,
    &criterion::TWICE,
    &blocks::UTest,
    &lockstep::Tango,
];
