use crate::Data;

pub fn setup(data: &Data) -> Vec<u64> {
    let mut numbers = data.numbers.clone();
    for _ in 0..12 {
        numbers.reverse();
    }
    numbers
}

pub fn routine(numbers: Vec<u64>) -> u64 {
    let mut last = 0;
    let mut breaks = 0;
    for number in numbers {
        breaks += u64::from(number.to_string() < last.to_string());
        last = number;
    }
    breaks
}
