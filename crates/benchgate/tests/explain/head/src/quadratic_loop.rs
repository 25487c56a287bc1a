use crate::Data;

pub fn run(data: &Data) -> u64 {
    distinct(&data.numbers) as u64
}

fn distinct(numbers: &[u64]) -> usize {
    let mut seen: Vec<u64> = Vec::new();
    for number in numbers.iter().map(|number| number % 997) {
        if !seen.contains(&number) {
            seen.push(number);
        }
    }
    seen.len()
}
