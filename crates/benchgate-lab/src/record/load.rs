//! Busy processes alongside the measured ones.

use std::hint::black_box;
use std::io::Read;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use benchgate_host::HostError;

/// A busy process; ends when dropped, and when the lab ends for any reason.
pub(crate) struct Busy {
    child: Child,
    _held: Option<ChildStdin>,
}

/// Starts `count` of them.
///
/// # Errors
/// When the lab's own executable cannot be started.
pub(crate) fn start(count: usize) -> Result<Vec<Busy>, HostError> {
    let start = |_| {
        let mut child =
            Command::new(std::env::current_exe()?).arg("busy").stdin(Stdio::piped()).spawn()?;
        let held = child.stdin.take();
        Ok(Busy { child, _held: held })
    };
    (0..count).map(start).collect()
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Bytes that a busy process walks over: more than a core's own caches hold, so that it disturbs
/// memory as a build does, and not only the clock.
const WORKING_SET: usize = 16 << 20;

/// Works in bursts with short pauses, as a build does, until standard input is closed.
pub(crate) fn be_busy() {
    static CLOSED: AtomicBool = AtomicBool::new(false);
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        CLOSED.store(true, Ordering::Relaxed);
    });
    let mut memory = vec![1_u64; WORKING_SET / 8];
    let mut state = u64::from(std::process::id()) * 2 + 1;
    while !CLOSED.load(Ordering::Relaxed) {
        let burst = Duration::from_millis(20 + state % 180);
        let start = Instant::now();
        while start.elapsed() < burst {
            for _ in 0..4096 {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let at = state as usize % memory.len();
                memory[at] = memory[at].wrapping_mul(state);
            }
        }
        black_box(&memory);
        std::thread::sleep(Duration::from_millis(1 + state % 8));
    }
}
