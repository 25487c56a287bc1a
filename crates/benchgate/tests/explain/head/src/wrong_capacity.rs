use crate::Data;

pub fn run(data: &Data) -> u64 {
    squares(&data.numbers).len() as u64
}

fn squares(numbers: &[u64]) -> Vec<u64> {
    let mut squares = Vec::new();
    for number in numbers {
        if number % 3 != 0 {
            squares.push(number.wrapping_mul(*number));
        }
    }
    squares
}
