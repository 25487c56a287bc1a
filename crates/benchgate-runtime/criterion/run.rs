use std::time::{Duration, Instant};

use crate::bencher::Bencher;
use crate::criterion::{Criterion, Mode};
use crate::id::FullId;
use crate::lead;
use crate::measurement::Measurement;

/// The closure of a benchmark, called once for each measurement.
pub(crate) type Call<'c, M> = &'c mut dyn FnMut(&mut Bencher<'_, M>);

/// Does with a benchmark what the mode says. Returns whether the filter accepts it.
pub(crate) fn one<M: Measurement>(c: &Criterion<M>, id: &FullId, call: Call<'_, M>) -> bool {
    lead::begin();
    if !c.filter.matches(&id.id) {
        return false;
    }
    if lead::is_led() {
        lead::serve(id, &c.measurement, call);
        return true;
    }
    match c.mode {
        Mode::List { .. } => list(&id.title),
        Mode::Test => {
            println!("Testing {}", id.title);
            iterate(&c.measurement, call, 1);
            println!("Success");
        }
        Mode::Profile(time) => profile(c, id, call, time),
        Mode::Measure => measure(c, id, call),
    }
    true
}

/// Ends a group on the terminal.
pub(crate) fn separate<M: Measurement>(c: &Criterion<M>) {
    match c.mode {
        Mode::List { terse: true } => {}
        _ if lead::is_led() => {}
        _ => println!(),
    }
}

before_0_5! {
    fn list(title: &str) {
        println!("{}: bench", title);
    }
}
since_0_5! {
    fn list(title: &str) {
        println!("{}: benchmark", title);
    }
}

/// Returns the value and the wall time of so many iterations.
fn iterate<M: Measurement>(measurement: &M, call: Call<'_, M>, iterations: u64) -> (f64, Duration) {
    let mut bencher = Bencher::new(measurement, iterations);
    let start = Instant::now();
    call(&mut bencher);
    let wall = start.elapsed();
    assert!(bencher.is_called, "Benchmark function must call Bencher::iter or related method.");
    (measurement.to_f64(&bencher.value), wall)
}

/// A glance for the terminal: ten short samples.
fn measure<M: Measurement>(c: &Criterion<M>, id: &FullId, call: Call<'_, M>) {
    let mut iterations = 1;
    while iterate(&c.measurement, call, iterations).1 < Duration::from_millis(5)
        && iterations < 1 << 30
    {
        iterations *= 2;
    }
    let mut values: Vec<f64> =
        (0..10).map(|_| iterate(&c.measurement, call, iterations).0 / iterations as f64).collect();
    values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    let shown = |at: usize| c.measurement.formatter().format_value(values[at]);
    println!("{:<24}time:   [{} {} {}]", id.title, shown(0), shown(5), shown(9));
}

fn profile<M: Measurement>(c: &Criterion<M>, id: &FullId, call: Call<'_, M>, time: Duration) {
    let directory = c.output.join(&id.directory).join("profile");
    c.profiler.borrow_mut().start_profiling(&id.id, &directory);
    let start = Instant::now();
    let mut iterations = 1;
    while start.elapsed() < time {
        if iterate(&c.measurement, call, iterations).1 < Duration::from_millis(100) {
            iterations *= 2;
        }
    }
    c.profiler.borrow_mut().stop_profiling(&id.id, &directory);
}
