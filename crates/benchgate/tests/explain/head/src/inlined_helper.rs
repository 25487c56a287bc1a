use crate::Data;

pub fn run(data: &Data) -> u64 {
    data.numbers.iter().fold(0, |sum, number| sum ^ mix(*number))
}

#[inline]
fn mix(mut number: u64) -> u64 {
    for _ in 0..3 {
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    number
}
