//! Code that the fixture's benches run. Its constants are the only lines that `scripts/evidence/gate-fixtures`
//! edits between two commits.

/// Work of `a (b)/c+d [1]` in the suite `first`, and of nothing else.
pub const WORK: u64 = 1_000;
/// Work of every other benchmark.
pub const STEADY: u64 = 1_000;
/// One benchmark each.
pub const SIZES: &[u64] = &[64, 256];
/// Seconds that a group of the suite `first` wants to be measured for; without them there is no group.
pub const OWN_SECONDS: u64 = 0;
/// Makes a benchmark of the suite `second` panic.
pub const PANIC: bool = false;

/// A chain in which every step waits for the one before: its time is proportional to `steps` and does
/// not depend on where the linker puts it. A thousand steps take about two microseconds.
#[inline(never)]
pub fn mix(mut state: u64, steps: u64) -> u64 {
    for step in 0..steps {
        state = (state ^ (state >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ step;
    }
    state
}
