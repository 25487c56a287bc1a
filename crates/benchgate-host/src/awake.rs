//! Keeps processors from halting while rounds are measured.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use crate::platform;

/// While it is there, one thread of the idle class spins on each processor. It yields to anything else at once.
pub struct Awake {
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Awake {
    /// Begins to spin.
    ///
    /// # Errors
    /// Where the system does not allow it, or CPU time is limited; then nothing spins.
    pub fn begin() -> io::Result<Self> {
        let processors = platform::spinnable()?;
        let mut awake = Self { is_over: Arc::default(), threads: Vec::new() };
        let (sender, answers) = mpsc::channel();
        for processor in &processors {
            let (sender, is_over) = (sender.clone(), Arc::clone(&awake.is_over));
            let processor = *processor;
            awake.threads.push(thread::Builder::new().name("awake".to_owned()).spawn(
                move || {
                    let answer = platform::yield_to_all(processor);
                    let may_spin = answer.is_ok();
                    let is_heard = sender.send(answer).is_ok();
                    drop(sender);
                    if may_spin && is_heard {
                        platform::spin(&is_over);
                    }
                },
            )?);
        }
        drop(sender);
        // One that is dropped ends all.
        answers.iter().collect::<io::Result<()>>()?;
        Ok(awake)
    }

    /// Why processors may halt while the gate measures; `None` where they are kept from it.
    pub fn refusal() -> Option<String> {
        Self::begin().err().map(|error| error.to_string())
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Returns the notice for a report where processors may halt.
pub fn notice() -> Option<String> {
    let why = Awake::refusal()?;
    Some(format!("processors may halt between rounds, which makes times scatter more: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_of_the_idle_class_runs_on_each_processor_and_none_is_left_behind() {
        let of_idle_class = || {
            let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
            let stats = tasks.filter_map(|it| std::fs::read_to_string(it.path().join("stat")).ok());
            // The field `policy` is the 41st; the name in brackets is the second.
            let policy = |stat: &String| {
                stat.rsplit_once(") ")
                    .and_then(|(_, rest)| rest.split(' ').nth(38).map(str::to_owned))
            };
            stats.filter_map(|stat| policy(&stat)).filter(|it| it == "5").count()
        };
        let Ok(awake) = Awake::begin() else { return };
        // Other tests may ask at the same time whether it is allowed.
        assert!(of_idle_class() >= platform::spinnable().unwrap().len());
        assert!(awake.threads.iter().all(|thread| !thread.is_finished()));
        let held_by_threads = Arc::downgrade(&awake.is_over);
        drop(awake);
        assert_eq!(held_by_threads.strong_count(), 0);
    }
}
