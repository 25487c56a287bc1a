use crate::Data;

pub fn run(data: &Data) -> u64 {
    let mut kept = vec![0; 64];
    data.numbers.iter().map(|number| length(number % 64, &mut kept)).sum()
}

fn length(number: u64, kept: &mut [u64]) -> u64 {
    let at = &mut kept[number as usize];
    if *at == 0 {
        *at = collatz(number + 1);
    }
    *at
}

fn collatz(mut number: u64) -> u64 {
    let mut steps = 1;
    while number != 1 {
        number = if number % 2 == 0 { number / 2 } else { 3 * number + 1 };
        steps += 1;
    }
    steps
}
