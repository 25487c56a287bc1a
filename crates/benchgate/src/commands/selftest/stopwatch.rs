//! Measures how long the pairs of each benchmark took, from the progress events of a run.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Instant;

use benchgate_core::model::BenchmarkKey;
use benchgate_host::Progress;

pub(super) struct Stopwatch<'a> {
    inner: &'a dyn Progress,
    running: RefCell<Option<(BenchmarkKey, Instant)>>,
    seconds: RefCell<BTreeMap<BenchmarkKey, f64>>,
}

impl<'a> Stopwatch<'a> {
    pub(super) fn new(inner: &'a dyn Progress) -> Self {
        Self { inner, running: RefCell::default(), seconds: RefCell::default() }
    }

    pub(super) fn seconds(&self, key: &BenchmarkKey) -> f64 {
        self.seconds.borrow().get(key).copied().unwrap_or_default()
    }

    fn stop(&self) {
        if let Some((key, since)) = self.running.borrow_mut().take() {
            *self.seconds.borrow_mut().entry(key).or_default() += since.elapsed().as_secs_f64();
        }
    }
}

impl Progress for Stopwatch<'_> {
    fn phase(&self, what: &str) {
        self.inner.phase(what);
    }

    fn line(&self, text: &str) {
        self.inner.line(text);
    }

    fn notice(&self, text: &str) {
        self.inner.notice(text);
    }

    fn turn(&self, done: usize, total: usize, key: &BenchmarkKey) {
        self.stop();
        self.inner.turn(done, total, key);
        *self.running.borrow_mut() = Some((key.clone(), Instant::now()));
    }

    fn done(&self) {
        self.stop();
        self.inner.done();
    }
}
