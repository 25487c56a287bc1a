use crate::Data;

pub fn run(data: &Data) -> u64 {
    sum(&data.numbers)
}

fn sum(numbers: &[u64]) -> u64 {
    let mut total = 0_u64;
    for number in numbers {
        let number = number.rotate_left((total & 63) as u32) >> 32;
        total = total.checked_add(number).expect("fits");
    }
    total
}
