use crate::Data;

pub fn run(data: &Data) -> u64 {
    digits(&data.numbers)
}

fn digits(numbers: &[u64]) -> u64 {
    let mut sum = 0;
    let mut buffer: Vec<u8> = Vec::with_capacity(20);
    for number in numbers {
        buffer = Vec::with_capacity(20);
        let mut left = *number;
        while left > 0 {
            buffer.push((left % 10) as u8);
            left /= 10;
        }
        sum += buffer.iter().map(|digit| u64::from(*digit)).sum::<u64>();
    }
    sum
}
