use crate::Data;

pub fn run(data: &Data) -> u64 {
    data.numbers.iter().zip(&data.others).map(|(a, b)| gcd(*a % 10_000, *b % 10_000)).sum()
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
