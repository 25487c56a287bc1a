//! Plain lines, in CI and in files.

use std::cell::{Cell, RefCell};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use benchgate_core::model::BenchmarkKey;
use benchgate_host::Progress;

use super::words::compiling;

/// Interval of the lines.
const LINE_EVERY: Duration = Duration::from_secs(15);

pub(super) struct Lines {
    is_verbose: bool,
    started: Cell<Option<Instant>>,
    last_line: Cell<Option<Instant>>,
    ticker: RefCell<Option<Ticker>>,
}

impl Lines {
    pub(super) fn new(is_verbose: bool) -> Self {
        Self {
            is_verbose,
            started: Cell::new(None),
            last_line: Cell::new(None),
            ticker: RefCell::new(None),
        }
    }

    fn latest(&self, text: String) {
        if let Some(ticker) = self.ticker.borrow().as_ref() {
            *ticker.latest.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
    }
}

impl Progress for Lines {
    fn phase(&self, what: &str) {
        let started = Instant::now();
        self.started.set(Some(started));
        self.last_line.set(None);
        anstream::eprintln!("benchgate: {what}");
        let what = what.to_owned();
        let say = move |latest: &str| {
            let seconds = started.elapsed().as_secs();
            let latest = if latest.is_empty() { String::new() } else { format!("; {latest}") };
            anstream::eprintln!("benchgate: {what}, {seconds} s{latest}");
        };
        *self.ticker.borrow_mut() = Some(Ticker::start(LINE_EVERY, say));
    }

    fn line(&self, text: &str) {
        if self.is_verbose {
            anstream::eprintln!("{text}");
        } else {
            self.latest(text.to_owned());
        }
    }

    fn notice(&self, text: &str) {
        anstream::eprintln!("benchgate: {text}");
    }

    fn compiling(&self, done: usize, total: usize, what: &str) {
        self.latest(compiling(done, total, what));
    }

    fn turn(&self, done: usize, total: usize, key: &BenchmarkKey) {
        let now = Instant::now();
        let named = key.clone();
        let still = move |_: &str| {
            anstream::eprintln!("benchgate: now {named}, for {} s", now.elapsed().as_secs());
        };
        // No thread of ours wakes during a round that is shorter: the line names what runs longer, as it begins again.
        *self.ticker.borrow_mut() = Some(Ticker::start(LINE_EVERY, still));
        if self.last_line.get().is_some_and(|last| now.duration_since(last) < LINE_EVERY) {
            return;
        }
        self.last_line.set(Some(now));
        let remaining = self.started.get().and_then(|started| left(now - started, done, total));
        let remaining = remaining
            .map(|remaining| format!(", at least {} s left", remaining.as_secs()))
            .unwrap_or_default();
        anstream::eprintln!("benchgate: {done}/{total} pairs{remaining}; now {key}");
    }

    fn done(&self) {
        self.ticker.borrow_mut().take();
        if let Some(started) = self.started.take() {
            anstream::eprintln!("benchgate: done in {:.0} s", started.elapsed().as_secs_f64());
        }
    }
}

/// Says at intervals what is being done, until it is dropped: a build may print nothing for minutes.
struct Ticker {
    latest: Arc<Mutex<String>>,
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    fn start(every: Duration, mut say: impl FnMut(&str) + Send + 'static) -> Self {
        let latest = Arc::new(Mutex::new(String::new()));
        let (stop, stopped) = mpsc::channel::<()>();
        let shared = Arc::clone(&latest);
        let thread = thread::spawn(move || {
            while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                let latest = shared.lock().unwrap_or_else(PoisonError::into_inner).clone();
                say(&latest);
            }
        });
        Self { latest, stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The remaining time at the pace so far.
fn left(elapsed: Duration, done: usize, total: usize) -> Option<Duration> {
    (done > 0).then(|| elapsed.mul_f64(total.saturating_sub(done) as f64 / done as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_that_prints_nothing_is_still_reported_and_no_longer_than_it_lasts() {
        let (sender, lines) = mpsc::channel();
        let say = move |latest: &str| drop(sender.send(latest.to_owned()));
        let ticker = Ticker::start(Duration::from_millis(1), say);
        assert_eq!(lines.recv().unwrap(), "");
        *ticker.latest.lock().unwrap() = compiling(34, 120, "serde");
        let count = lines.iter().find(|line| !line.is_empty()).unwrap();
        assert_eq!(count, "compiling 34/120: serde");
        drop(ticker);
        // The thread has ended, and its sender with it.
        assert!(lines.iter().all(|line| line == count));
    }

    #[test]
    fn the_time_left_follows_the_pace_so_far() {
        assert_eq!(left(Duration::from_secs(10), 5, 15), Some(Duration::from_secs(20)));
        assert_eq!(left(Duration::from_secs(10), 0, 15), None);
    }
}
