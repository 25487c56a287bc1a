//! A bar on a terminal.

use std::cell::RefCell;
use std::time::Duration;

use benchgate_core::model::BenchmarkKey;
use benchgate_host::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use super::words::compiling;

pub(super) struct Bar {
    is_verbose: bool,
    bar: RefCell<Option<ProgressBar>>,
}

impl Bar {
    pub(super) fn new(is_verbose: bool) -> Self {
        Self { is_verbose, bar: RefCell::new(None) }
    }

    fn message(&self, text: String) {
        if let Some(bar) = self.bar.borrow().as_ref() {
            bar.set_message(text);
        }
    }
}

impl Progress for Bar {
    fn phase(&self, what: &str) {
        self.done();
        let bar = ProgressBar::new_spinner();
        bar.set_style(style("{spinner} {prefix} {elapsed}  {wide_msg}"));
        bar.set_prefix(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(120));
        *self.bar.borrow_mut() = Some(bar);
    }

    fn line(&self, text: &str) {
        match (self.is_verbose, self.bar.borrow().as_ref()) {
            (true, Some(bar)) => bar.println(text),
            (true, None) => anstream::eprintln!("{text}"),
            (false, _) => self.message(text.to_owned()),
        }
    }

    fn notice(&self, text: &str) {
        let say = || anstream::eprintln!("benchgate: {text}");
        match self.bar.borrow().as_ref() {
            // Above the bar: what is its message is overwritten by the next one.
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }

    fn compiling(&self, done: usize, total: usize, what: &str) {
        self.message(compiling(done, total, what));
    }

    fn turn(&self, done: usize, total: usize, key: &BenchmarkKey) {
        let mut bar = self.bar.borrow_mut();
        if bar.as_ref().is_none_or(|bar| bar.length().is_none()) {
            if let Some(spinner) = bar.take() {
                spinner.finish_and_clear();
            }
            let counted = ProgressBar::new(total as u64);
            // No steady tick: a thread that wakes ten times a second would be measured too.
            counted.set_style(style("{bar:24} {pos}/{len} pairs, at least {eta} left  {wide_msg}"));
            *bar = Some(counted);
        }
        if let Some(bar) = bar.as_ref() {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
            bar.set_message(key.to_string());
            // Draws whatever was drawn last: the round that begins now may take minutes.
            bar.suspend(|| ());
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
