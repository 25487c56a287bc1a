use crate::Data;

pub fn run(data: &Data) -> u64 {
    pipeline(&data.numbers)
}

fn pipeline(numbers: &[u64]) -> u64 {
    let odd =
        numbers.iter().copied().filter(|number| number % 2 == 1).collect::<Vec<u64>>().into_iter();
    odd.map(|number| number.count_ones()).map(u64::from).sum()
}
