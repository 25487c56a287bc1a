use std::collections::BTreeSet;

use crate::Data;

pub fn run(data: &Data) -> u64 {
    distinct(&data.numbers) as u64
}

fn distinct(numbers: &[u64]) -> usize {
    numbers.iter().map(|number| number % 997).collect::<BTreeSet<u64>>().len()
}
