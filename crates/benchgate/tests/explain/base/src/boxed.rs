use crate::Data;

pub fn run(data: &Data) -> u64 {
    build(&data.numbers).iter().map(|number| **number & 0xff).sum()
}

fn build(numbers: &[u64]) -> Vec<&u64> {
    numbers.iter().filter(|number| **number % 5 != 0).collect()
}
