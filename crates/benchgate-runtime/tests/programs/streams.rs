//! Prints, reads stdin, and starts processes that inherit both.

use std::io::Read;
use std::process::Command;

use criterion::{criterion_group, criterion_main, Criterion};

fn prints(c: &mut Criterion) {
    print!("no end of line");
    println!("in the target");
    eprintln!("on stderr");
    c.bench_function("prints", |b| {
        println!("in the closure");
        b.iter(|| print!("in the routine "))
    });
    c.bench_function("reads", |b| {
        b.iter(|| {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).unwrap();
            assert_eq!(text, "");
        })
    });
    c.bench_function("child", |b| {
        b.iter(|| {
            let shown = "echo \"child ${BENCHGATE_LEAD-not led}\"; cat";
            assert!(Command::new("sh").args(["-c", shown]).status().unwrap().success());
        })
    });
}

criterion_group!(benches, prints);
criterion_main!(benches);
