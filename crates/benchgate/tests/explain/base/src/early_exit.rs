use crate::Data;

pub fn run(data: &Data) -> u64 {
    (0..40).map(|n| position(&data.numbers, data.numbers[n * 7]) as u64).sum()
}

fn position(numbers: &[u64], wanted: u64) -> usize {
    let mut found = numbers.len();
    for (index, number) in numbers.iter().enumerate() {
        if *number == wanted && found == numbers.len() {
            found = index;
            break;
        }
    }
    found
}
