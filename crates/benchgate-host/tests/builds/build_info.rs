//! Prints how it was built.

use std::hint::black_box;

/// The constant that a commit changes.
const CODE: u64 = 1;

#[inline(never)]
fn sum(numbers: &[u64], at: usize) -> u64 {
    // The place of this panic is a constant of the executable.
    numbers[at] + CODE
}

fn main() {
    let aligned = black_box(library::ALL).iter().all(|f| *f as usize % 64 == 0);
    let sum = sum(&black_box([1, 2, 3]), black_box(1));
    let places: Vec<usize> = black_box(library::ALL).iter().map(|f| *f as usize % 4096).collect();
    println!("user_flag={} aligned={aligned} sum={sum}", cfg!(user_flag));
    println!("folder={}", env!("CARGO_MANIFEST_DIR"));
    println!("places={places:?}");
}
