use crate::Data;

pub trait Step {
    fn apply(&self, value: u64) -> u64;
}

pub struct Add(pub u64);
pub struct Rotate(pub u32);

impl Step for Add {
    fn apply(&self, value: u64) -> u64 {
        value.wrapping_add(self.0)
    }
}

impl Step for Rotate {
    fn apply(&self, value: u64) -> u64 {
        value.rotate_left(self.0)
    }
}

pub fn run(data: &Data) -> u64 {
    apply_all(&data.numbers)
}

fn apply_all(numbers: &[u64]) -> u64 {
    let add = Add(numbers[0]);
    let rotate = Rotate(11);
    numbers.iter().fold(0, |sum, number| rotate.apply(add.apply(sum ^ number)))
}
