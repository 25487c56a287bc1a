//! The state that every part of a recording uses, and the variants of each cycle.

use std::path::{Path, PathBuf};
use std::time::Instant;

use rand_chacha::ChaCha8Rng;
use rand_core::Rng;

use crate::kernels::Kernels;
use crate::raw::Writer;
use crate::variant::{Family, Variant};

/// The state that every part of a recording uses.
pub(super) struct Bench {
    pub(super) kernels: Kernels,
    pub(super) scratch: PathBuf,
    pub(super) raw: Writer,
    pub(super) random: ChaCha8Rng,
    pub(super) loaded: bool,
    pub(super) deadline: Instant,
    /// The kernels that the gate decides on.
    pub(super) decided: Vec<&'static str>,
}

impl Bench {
    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.deadline
    }

    pub(super) fn draw(&mut self, limit: usize) -> usize {
        self.random.next_u32() as usize % limit.max(1)
    }
}

/// The slowdowns of this cycle.
pub(super) fn slowdowns_of(cycle: u32, count: usize) -> Vec<Variant> {
    let all = Variant::of(Family::Slower);
    all.iter().cycle().skip(cycle as usize * count).take(count).copied().collect()
}

/// The variant of a family in this cycle.
pub(super) fn one_of(family: Family, cycle: u32) -> Variant {
    let all = Variant::of(family);
    all[cycle as usize % all.len()]
}

/// The shift without a change of work in this cycle.
pub(super) fn null_of(cycle: u32) -> Variant {
    let families = [Family::Address, Family::Heap];
    one_of(families[cycle as usize % families.len()], cycle / 2)
}

/// A slowdown in two cycles of three, a shift in the third.
pub(super) fn changed_of(cycle: u32) -> Variant {
    let slowdowns = Variant::of(Family::Slower);
    match cycle % 3 {
        2 => null_of(cycle / 3),
        at => slowdowns[(cycle / 3 * 2 + at) as usize % slowdowns.len()],
    }
}

/// A command that runs an executable of the kernels in one of its modes.
pub(super) fn in_mode(path: &Path, mode: &str) -> std::process::Command {
    let mut command = std::process::Command::new(path);
    command.env("LAB_MODE", mode);
    command
}
