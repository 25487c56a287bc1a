//! Running a kernel without Criterion.

use std::hint::black_box;
use std::io::{BufRead, Write};
use std::time::Instant;

use crate::inject::units;
use crate::kernels::{KERNELS, Kernel, Random, Work};

/// Batches per state of the heap, after as many for warm-up as stated below.
const BATCHES: usize = 9;
const WARM_UP: usize = 2;

/// Runs the mode in `LAB_MODE`.
pub fn run(mode: &str) {
    let words: Vec<&str> = mode.split(' ').collect();
    let number = |at: usize| words[at].parse::<u64>().expect("a number");
    match words[0] {
        "calibrate" => calibrate(named(words[1]), number(2), number(3)),
        "serve" => serve(named(words[1])),
        "count" => {
            time(&mut named(words[1]).make(0), number(2));
        }
        "units" => {
            for kernel in &KERNELS {
                println!("{} {}", kernel.name, units(kernel.base, 0));
            }
        }
        other => panic!("invalid LAB_MODE `{other}`: expected calibrate, serve, count or units"),
    }
}

fn named(name: &str) -> &'static Kernel {
    KERNELS.iter().find(|kernel| kernel.name == name).expect("the name of a kernel")
}

fn time(work: &mut Work, iterations: u64) -> u128 {
    let start = Instant::now();
    for _ in 0..iterations {
        black_box(work());
    }
    start.elapsed().as_nanos()
}

/// The heap is what makes one process differ from another for a kernel that allocates, so it is drawn
/// again for every value: with the same seed the same on both sides.
fn calibrate(kernel: &Kernel, seed: u64, states: u64) {
    let mut random = Random(seed * 2 + 1);
    let mut kept: Vec<Vec<u8>> = Vec::new();
    for _ in 0..states {
        for _ in 0..random.below(24) {
            let size = 16 << random.below(9);
            kept.push(vec![1; size + random.below(size)]);
        }
        for _ in 0..random.below(kept.len() + 1) {
            kept.swap_remove(random.below(kept.len()));
        }
        let mut work = kernel.make(0);
        for _ in 0..WARM_UP {
            time(&mut work, kernel.batch);
        }
        let mut batches: Vec<u128> = (0..BATCHES).map(|_| time(&mut work, kernel.batch)).collect();
        batches.sort_unstable();
        println!("{}", batches[BATCHES / 4] as f64 / kernel.batch as f64);
    }
}

fn serve(kernel: &Kernel) {
    let mut work = kernel.make(0);
    let mut answers = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let iterations = line.expect("a line").trim().parse().expect("a number of iterations");
        let nanoseconds = time(&mut work, iterations);
        writeln!(answers, "{nanoseconds}").and_then(|()| answers.flush()).expect("a reader");
    }
}
