use crate::Data;

pub fn run(data: &Data) -> u64 {
    data.numbers.iter().fold(1, |state, number| step(state, *number))
}

#[inline(never)]
fn step(state: u64, number: u64) -> u64 {
    (state ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7)
}
