use crate::Data;

pub fn run(data: &Data) -> u64 {
    data.numbers.iter().map(|number| outer(*number)).fold(0, u64::wrapping_add)
}

fn outer(number: u64) -> u64 {
    middle(number) ^ middle(number >> 32)
}

fn middle(number: u64) -> u64 {
    (0..4).map(|byte| leaf((number >> (8 * byte)) as u8)).sum()
}

fn leaf(byte: u8) -> u64 {
    (0..8).map(|bit| u64::from(std::hint::black_box(byte) >> bit & 1)).sum()
}
