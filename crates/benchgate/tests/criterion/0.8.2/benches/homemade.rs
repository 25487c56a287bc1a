//! `harness = false` without Criterion: it knows no option and prints what it likes.

fn main() {
    println!("{}", fixture::mix(1, fixture::STEADY));
}
