//! One Criterion executable with the kernels of the accuracy lab.
//!
//! Without `LAB_MODE` it is a plain Criterion suite. With it, it runs one kernel without Criterion:
//!
//! | `LAB_MODE` | does |
//! |---|---|
//! | `calibrate KERNEL SEED STATES` | prints ns per iteration, one line per random state of the heap |
//! | `serve KERNEL` | runs as many iterations as each line of stdin says, answers with nanoseconds |
//! | `count KERNEL ITERATIONS` | runs that many iterations, for an instruction counter around it |
//! | `units` | prints the units of work of every kernel |

mod inject;
mod kernels;
mod modes;

use std::hint::black_box;

use criterion::Criterion;

use kernels::{KERNELS, SIZES};

fn main() {
    inject::settle();
    if let Ok(mode) = std::env::var("LAB_MODE") {
        return modes::run(&mode);
    }
    let mut criterion = Criterion::default().configure_from_args();
    for kernel in &KERNELS {
        for (index, size) in SIZES.into_iter().enumerate() {
            let mut work = None;
            criterion.bench_function(&kernel.id(size), |bencher| {
                // Criterion calls this once per sample; the input is made once per process.
                let work = work.get_or_insert_with(|| kernel.make(index));
                bencher.iter(|| black_box(work()));
            });
        }
    }
    criterion.final_summary();
}
