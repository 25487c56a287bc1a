//! Work whose time is proportional to a number.

/// So many dependent steps: each needs the result of the one before, so no processor and no compiler
/// does two at once.
#[inline(never)]
pub fn work(steps: u64) -> u64 {
    let mut state = steps;
    for _ in 0..steps {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^= state >> 29;
    }
    state
}
