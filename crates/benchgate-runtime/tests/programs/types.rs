//! The types of the interface, as benches name them in their signatures.

#[macro_use]
extern crate criterion;

use std::borrow::Cow;
use std::rc::Rc;

use criterion::measurement::{Measurement, WallTime};
use criterion::{Bencher, BenchmarkGroup, BenchmarkId, Criterion, Throughput};

fn is_send_and_sync<T: Send + Sync>() {}

fn group_of_wall_time(group: &mut BenchmarkGroup<'_, WallTime>) {
    group.bench_function("wall", |b| b.iter(|| 1 + 1));
}

fn group_of_any<M: Measurement>(group: &mut BenchmarkGroup<M>) {
    group.bench_function("any", |b| b.iter(|| 1 + 1));
}

fn criterion_of_any<M: Measurement + 'static>(c: &mut Criterion<M>) {
    c.bench_function("any", |b| b.iter(|| 1 + 1));
    group_of_any(&mut c.benchmark_group("group of any"));
}

fn plain(b: &mut Bencher) {
    b.iter(|| 1 + 1);
}

fn with_lifetime(b: &mut Bencher<'_>) {
    b.iter(|| 1 + 1);
}

fn with_measurement(b: &mut Bencher<'_, WallTime>) {
    b.iter(|| 1 + 1);
}

struct Named;

impl From<Named> for String {
    fn from(_: Named) -> String {
        "named".to_owned()
    }
}

fn signatures(c: &mut Criterion) {
    is_send_and_sync::<Bencher<'_, WallTime>>();
    criterion_of_any(c);
    let mut group = c.benchmark_group("signatures");
    group_of_wall_time(&mut group);
    group_of_any(&mut group);
    group.bench_function("plain", plain);
    group.bench_function("lifetime", with_lifetime);
    group.bench_function("measurement", with_measurement);
    let boxed: Vec<(&str, Box<dyn FnMut(&mut Bencher)>)> = vec![("boxed", Box::new(plain))];
    for (name, mut call) in boxed {
        group.bench_function(name, |b| call(b));
    }
    group.finish();
}

fn names(c: &mut Criterion) {
    let string = String::from("string");
    let counted: Rc<str> = Rc::from("counted");
    let boxed: Box<str> = Box::from("boxed");
    c.bench_function(&string, plain);
    c.bench_function(&counted, plain);
    c.bench_function(&boxed, plain);
    c.bench_function(&format!("format {}", 1), plain);
    c.bench_function(string.as_ref(), plain);
    c.bench_with_input(BenchmarkId::new("input", 3), &3, |b, n| b.iter(|| n + 1));
    let mut group = c.benchmark_group(String::from("names"));
    group
        .bench_function(&string, plain)
        .bench_function(Cow::Borrowed("cow"), plain)
        .bench_function(boxed, plain)
        .bench_function('c', plain)
        .bench_function(Named, plain)
        .bench_function(BenchmarkId::new("function", "value"), plain)
        .bench_function(BenchmarkId::from_parameter(3.5), plain)
        .bench_function(BenchmarkId::from_parameter(""), plain);
}

fn inputs(c: &mut Criterion) {
    let mut group = c.benchmark_group("inputs");
    let bytes = vec![1_u8, 2, 3];
    group.throughput(Throughput::Bytes(3));
    group.bench_with_input::<_, _, [u8]>("slice", &bytes, |b, bytes| b.iter(|| bytes.len()));
    group.bench_with_input::<String, _, str>("str".to_owned(), "text", |b, s| b.iter(|| s.len()));
    group.bench_with_input("array", &[1, 2], |b, [x, y]| b.iter(|| x + y));
    group.bench_with_input(BenchmarkId::from_parameter(1), "unsized", |b, s| b.iter(|| s.len()));
    let mut grown = Vec::new();
    group.bench_function("state", |b| b.iter(|| grown.push(1)));
    let borrowed = String::from("outlives the closure");
    group.bench_function("borrow", |b| {
        b.iter_with_large_drop(|| borrowed.as_str());
        let _ = &borrowed;
    });
}

criterion_group!(benches, signatures, names, inputs,);
criterion_main!(benches);
