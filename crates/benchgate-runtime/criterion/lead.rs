//! The side of the executable of the protocol: it says where it is, and does what the gate asks for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Instant;

use crate::bencher::Bencher;
use crate::id::FullId;
use crate::measurement::Measurement;
use crate::protocol::{self, Answer, Command};
use crate::run::Call;

// One for the process, because a bench may use the runtime on any thread. Nobody holds it while a bench runs.
static STREAM: Mutex<Option<stream::Stream>> = Mutex::new(None);
static BEGUN: Once = Once::new();
static LED: AtomicBool = AtomicBool::new(false);
/// Between arriving at a benchmark and leaving it.
static AT_BENCHMARK: AtomicBool = AtomicBool::new(false);

/// At the first call, takes the descriptors if the process is led.
pub(crate) fn begin() {
    BEGUN.call_once(|| {
        let token = match std::env::var(protocol::VARIABLE) {
            Ok(token) => token,
            Err(_) => return,
        };
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            fail(&format!("{} is not a token of letters and digits", protocol::VARIABLE));
        }
        match stream::Stream::open(token) {
            Ok(stream) => *lock() = Some(stream),
            Err(error) => fail(&format!("stdin and stdout cannot be taken: {}", error)),
        }
        // Children of the bench are not led.
        std::env::remove_var(protocol::VARIABLE);
        LED.store(true, Ordering::SeqCst);
        say(&Answer::Hello {
            protocol: protocol::VERSION,
            name: "criterion".to_owned(),
            version: crate::versions::VERSION.to_owned(),
        });
    });
}

pub(crate) fn is_led() -> bool {
    LED.load(Ordering::SeqCst)
}

/// Does what the gate asks for at a benchmark, until it asks for the next.
pub(crate) fn serve<M: Measurement>(id: &FullId, measurement: &M, call: Call<'_, M>) {
    AT_BENCHMARK.store(true, Ordering::SeqCst);
    let ordinal = lock().as_mut().map_or(0, stream::Stream::next_ordinal);
    say(&Answer::At { ordinal, id: id.id.clone() });
    loop {
        match hear() {
            Command::Run { iterations, untimed } => {
                say(&match run(measurement, call, iterations, untimed) {
                    Ok((value, whole)) => Answer::Ran { value, whole },
                    Err(reason) => Answer::None { reason: reason.to_owned() },
                });
            }
            Command::Unit => {
                let unit = measurement.formatter().scale_for_machines(&mut [1.0]);
                say(&Answer::Unit { unit: unit.to_owned() });
            }
            Command::Names => say(&Answer::Names { json: id.json() }),
            Command::Next => break,
        }
    }
    AT_BENCHMARK.store(false, Ordering::SeqCst);
}

fn run<M: Measurement>(
    measurement: &M,
    call: Call<'_, M>,
    iterations: u64,
    untimed: u64,
) -> Result<(f64, u64), &'static str> {
    if untimed > 0 {
        once(measurement, call, untimed)?;
    }
    let start = Instant::now();
    let value = once(measurement, call, iterations);
    let whole = start.elapsed().as_nanos() as u64;
    let mut values = [measurement.to_f64(&value?)];
    measurement.formatter().scale_for_machines(&mut values);
    if values[0].is_finite() {
        Ok((values[0], whole))
    } else {
        Err("the measured value is not a finite number")
    }
}

fn once<M: Measurement>(
    measurement: &M,
    call: Call<'_, M>,
    iterations: u64,
) -> Result<M::Value, &'static str> {
    let mut bencher = Bencher::new(measurement, iterations);
    call(&mut bencher);
    // Of several calls the last one counts, as in Criterion.
    if bencher.is_called {
        Ok(bencher.value)
    } else {
        Err("the closure called no `iter`")
    }
}

fn say(answer: &Answer) {
    let sent = match lock().as_mut() {
        Some(stream) => stream.write(answer),
        None => Ok(()),
    };
    if sent.is_err() {
        leave();
    }
}

fn hear() -> Command {
    let line = match lock().as_mut() {
        Some(stream) => stream.read(),
        None => Ok(None),
    };
    match line {
        Ok(Some(line)) => match line.parse() {
            Ok(command) => command,
            Err(error) => fail(&format!("{}", error)),
        },
        Ok(None) | Err(_) => leave(),
    }
}

/// The gate has ended.
fn leave() -> ! {
    std::process::exit(0)
}

fn fail(message: &str) -> ! {
    eprintln!("benchgate: {}", message);
    std::process::exit(2)
}

fn lock() -> MutexGuard<'static, Option<stream::Stream>> {
    STREAM.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says that no benchmark follows, unless the process ends at one. Whether it ended well, its exit code says.
#[cfg(unix)]
extern "C" fn at_exit() {
    if AT_BENCHMARK.load(Ordering::SeqCst) {
        return;
    }
    // Another thread that waits for the gate has the lock: then it is at a benchmark.
    if let Ok(mut stream) = STREAM.try_lock() {
        if let Some(stream) = stream.as_mut().filter(|stream| stream.is_of_this_process()) {
            let _ = stream.write(&Answer::End);
        }
    }
}

#[cfg(unix)]
mod stream {
    use std::fs::File;
    use std::io::{self, BufRead, BufReader, Write};
    use std::os::unix::io::{AsRawFd, BorrowedFd};

    use crate::protocol::Answer;

    extern "C" {
        fn dup2(old: i32, new: i32) -> i32;
        fn atexit(call: extern "C" fn()) -> i32;
    }

    pub(super) struct Stream {
        token: String,
        commands: BufReader<File>,
        answers: File,
        ordinal: u64,
        process: u32,
    }

    impl Stream {
        /// Copies descriptors 0 and 1, then points 0 at nothing and 1 at 2: what the bench reads and prints never
        /// meets the protocol.
        pub(super) fn open(token: String) -> io::Result<Self> {
            let commands = copy(0)?;
            let mut answers = copy(1)?;
            replace(0, File::open("/dev/null")?.as_raw_fd())?;
            replace(1, 2)?;
            // SAFETY: a function of the C library, and one that it may call.
            if unsafe { atexit(super::at_exit) } != 0 {
                return Err(io::Error::new(io::ErrorKind::Other, "atexit failed"));
            }
            // What the bench printed before may have no end of line.
            answers.write_all(b"\n")?;
            let commands = BufReader::new(commands);
            Ok(Stream { token, commands, answers, ordinal: 0, process: std::process::id() })
        }

        pub(super) fn next_ordinal(&mut self) -> u64 {
            self.ordinal += 1;
            self.ordinal - 1
        }

        pub(super) fn write(&mut self, answer: &Answer) -> io::Result<()> {
            self.answers.write_all(format!("{}\n", answer.line(&self.token)).as_bytes())
        }

        pub(super) fn read(&mut self) -> io::Result<Option<String>> {
            let mut line = String::new();
            self.commands.read_line(&mut line)?;
            // Without its end it was cut: the gate has ended.
            Ok(line.strip_suffix('\n').map(str::to_owned))
        }

        /// A fork of the bench ends as well, and must not speak.
        pub(super) fn is_of_this_process(&self) -> bool {
            self.process == std::process::id()
        }
    }

    /// Copies are closed in children.
    fn copy(descriptor: i32) -> io::Result<File> {
        // SAFETY: the descriptor is borrowed for this call alone, and if it is closed the call says so.
        let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
        Ok(File::from(borrowed.try_clone_to_owned()?))
    }

    fn replace(descriptor: i32, by: i32) -> io::Result<()> {
        // SAFETY: a function of the C library on two numbers.
        match unsafe { dup2(by, descriptor) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}

/// Where descriptors are something else, nothing is led, and the gate gets no answer.
#[cfg(not(unix))]
mod stream {
    use std::io;

    use crate::protocol::Answer;

    pub(super) struct Stream;

    impl Stream {
        pub(super) fn open(_token: String) -> io::Result<Self> {
            Err(io::Error::new(io::ErrorKind::Other, "not on this operating system"))
        }
        pub(super) fn next_ordinal(&mut self) -> u64 {
            0
        }
        pub(super) fn write(&mut self, _answer: &Answer) -> io::Result<()> {
            Ok(())
        }
        pub(super) fn read(&mut self) -> io::Result<Option<String>> {
            Ok(None)
        }
    }
}
