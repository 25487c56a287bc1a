use crate::Data;

pub fn run(data: &Data) -> u64 {
    data.numbers.iter().zip(&data.others).map(|(a, b)| gcd(*a % 10_000, *b % 10_000)).sum()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 {
        return a;
    }
    let found = gcd(b, a % b);
    // Not a call at the end, which would be a loop again.
    std::hint::black_box(found)
}
