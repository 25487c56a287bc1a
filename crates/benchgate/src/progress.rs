//! Shows progress: a bar on a terminal, plain lines in CI and in files.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use benchgate_core::model::BenchmarkKey;
use benchgate_host::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// Interval of the lines where there is no bar.
const LINE_EVERY: Duration = Duration::from_secs(15);

/// A bar if stderr is a terminal and this is not CI; plain lines otherwise.
pub(crate) fn progress() -> Box<dyn Progress> {
    let is_terminal = console::Term::stderr().is_term();
    if resolve(is_terminal, std::env::var_os("CI").is_some()) {
        Box::new(Bar::default())
    } else {
        Box::new(Lines::default())
    }
}

/// Whether there is a bar.
fn resolve(is_terminal: bool, is_ci: bool) -> bool {
    is_terminal && !is_ci
}

#[derive(Default)]
struct Bar {
    bar: RefCell<Option<ProgressBar>>,
}

impl Progress for Bar {
    fn phase(&self, what: &str) {
        self.done();
        let bar = ProgressBar::new_spinner();
        bar.set_style(style("{spinner} {prefix}  {wide_msg}"));
        bar.set_prefix(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(120));
        *self.bar.borrow_mut() = Some(bar);
    }

    fn line(&self, text: &str) {
        if let Some(bar) = self.bar.borrow().as_ref() {
            bar.set_message(text.to_owned());
        }
    }

    fn turn(&self, done: usize, total: usize, key: &BenchmarkKey) {
        let mut bar = self.bar.borrow_mut();
        if bar.as_ref().is_none_or(|bar| bar.length().is_none()) {
            if let Some(spinner) = bar.take() {
                spinner.finish_and_clear();
            }
            let counted = ProgressBar::new(total as u64);
            // No steady tick: a thread that wakes ten times a second would be measured too.
            counted.set_style(style("{bar:24} {pos}/{len} pairs, {eta} left  {wide_msg}"));
            *bar = Some(counted);
        }
        if let Some(bar) = bar.as_ref() {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
            bar.set_message(key.to_string());
        }
    }

    fn done(&self) {
        if let Some(bar) = self.bar.borrow_mut().take() {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[derive(Default)]
struct Lines {
    started: Cell<Option<Instant>>,
    last_line: Cell<Option<Instant>>,
}

impl Progress for Lines {
    fn phase(&self, what: &str) {
        self.started.set(Some(Instant::now()));
        self.last_line.set(None);
        anstream::eprintln!("benchgate: {what}");
    }

    fn turn(&self, done: usize, total: usize, key: &BenchmarkKey) {
        let now = Instant::now();
        if self.last_line.get().is_some_and(|last| now.duration_since(last) < LINE_EVERY) {
            return;
        }
        self.last_line.set(Some(now));
        let left = self.started.get().and_then(|started| left(now - started, done, total));
        let left =
            left.map(|left| format!(", about {} s left", left.as_secs())).unwrap_or_default();
        anstream::eprintln!("benchgate: {done}/{total} pairs{left}; now {key}");
    }

    fn done(&self) {
        if let Some(started) = self.started.take() {
            anstream::eprintln!("benchgate: done in {:.0} s", started.elapsed().as_secs_f64());
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
    fn there_is_a_bar_on_a_terminal_that_is_not_ci() {
        for (is_terminal, is_ci, bar) in
            [(true, false, true), (true, true, false), (false, false, false), (false, true, false)]
        {
            assert_eq!(resolve(is_terminal, is_ci), bar);
        }
    }

    #[test]
    fn the_time_left_follows_the_pace_so_far() {
        assert_eq!(left(Duration::from_secs(10), 5, 15), Some(Duration::from_secs(20)));
        assert_eq!(left(Duration::from_secs(10), 0, 15), None);
    }
}
