use crate::Data;

pub fn run(data: &Data) -> u64 {
    let table = data.numbers.first_chunk().expect("there are 600 numbers");
    gather(table, &data.others)
}

fn gather(table: &[u64; 256], keys: &[u64]) -> u64 {
    let mut sum = 0_u64;
    for key in keys {
        sum = sum.rotate_left(5) ^ table[(key % 256) as usize];
    }
    sum
}
