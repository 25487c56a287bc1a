//! A child process: its output, its time-out, and no orphan whatever happens.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use crate::HostError;
use crate::system::interrupt;
use crate::system::platform::{self, Stop};

mod conversation;

pub(crate) use self::conversation::{Conversation, Heard};

/// Lines of a failed process's output that a report shows.
pub const TAIL: usize = 30;

/// How often a waiting parent wakes to look for Ctrl-C: rarely enough not to disturb a measurement.
const WAKE: Duration = Duration::from_millis(200);

/// How much of each output stream of a bench is kept: its end. What git and cargo say is data and kept
/// whole; only they have no time-out.
const KEPT_BYTES: usize = 4 << 20;

/// How much of what git and cargo say is read: more than any repository has been seen to need, and less than a machine
/// has.
const MOST_BYTES: usize = 512 << 20;

/// How much of a line is read at once: a line need not end.
const PART_BYTES: usize = 64 << 10;

/// Lines that may wait to be passed on before the child has to wait.
const WAITING_LINES: usize = 1024;

/// Exit status and output of a child.
#[derive(Debug)]
pub struct Finished {
    /// How it ended; `None` when it was stopped at its time-out.
    pub status: Option<ExitStatus>,
    /// Standard output, lossy UTF-8.
    pub stdout: String,
    /// Standard error, lossy UTF-8.
    pub stderr: String,
}

/// Characters of a line of output that are kept.
const LONGEST_LINE: usize = 400;

impl Finished {
    /// Whether it ended by itself with exit code 0.
    pub fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// Whether it ended by itself and failed: what aborts may do so for what it was denied, and the system kills for want of
    /// memory.
    pub fn failed_by_itself(&self) -> bool {
        self.status.is_some_and(|status| !status.success() && !platform::is_killed(status))
    }

    /// The last `lines` lines of both streams, standard error last: a panic is reported there.
    pub fn tail(&self, lines: usize) -> String {
        let mut all: Vec<&str> = self
            .stdout
            .lines()
            .chain(self.stderr.lines())
            .filter(|l| !l.trim().is_empty())
            .collect();
        if all.len() > lines {
            all = without_backtraces(&all);
        }
        let last = &all[all.len().saturating_sub(lines)..];
        // A panic can print megabytes in one line, and a report of that size is refused.
        let cut = |line: &&str| match line.char_indices().nth(LONGEST_LINE) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => (*line).to_owned(),
        };
        last.iter().map(cut).collect::<Vec<_>>().join("\n")
    }
}

/// Leaves out the frames of backtraces: with line tables they are long, and what the panic said is before them.
fn without_backtraces<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let is_frame = |line: &str| {
        let line = line.trim_start();
        let number = line.split_once(": ").map_or("", |(number, _)| number);
        line.starts_with("at ") || !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    };
    let mut is_within = false;
    let outside = lines.iter().filter(|line| {
        is_within = **line == "stack backtrace:" || is_within && is_frame(line);
        !is_within
    });
    outside.copied().collect()
}

/// Whether what a child leaves behind comes to this process.
static ADOPTS: AtomicBool = AtomicBool::new(false);

/// Children that run. Two of them run at once where both sides are led.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// Ends, with the last child that runs, whatever children left behind: a process that leaves its group and its session
/// would continue, and slow down the next measurement.
///
/// # Errors
/// When the system refuses.
pub fn adopt_orphans() -> Result<(), HostError> {
    platform::adopt_orphans()?;
    ADOPTS.store(true, Ordering::SeqCst);
    Ok(())
}

/// Keeps this process's limits, processors and priority: each child and each round begins with them, whatever an earlier
/// one did to this process. To be called once, before any child is started.
pub fn keep_standing() {
    platform::keep_standing();
}

/// Sets limits, processors and priority of this process as they were kept.
///
/// # Errors
/// When they were changed and cannot be set back.
fn restore_standing() -> Result<(), HostError> {
    platform::restore_standing().map_err(|error| {
        let what =
            "limits, processors or priority of the gate were changed, and cannot be set back";
        HostError::File(std::io::Error::new(error.kind(), format!("{what}: {error}")))
    })
}

/// Runs a command to its end, or to its time-out, or to Ctrl-C.
///
/// The child leads a separate process group, so that its own children end with it.
///
/// # Errors
/// When it cannot be started, and [`HostError::Interrupted`].
pub fn run(
    command: &mut Command,
    timeout: Option<Duration>,
    on_stderr_line: &mut dyn FnMut(&str),
) -> Result<Finished, HostError> {
    run_with_grace(command, timeout, None, on_stderr_line)
}

/// Runs a child that cleans up after itself: it gets a signal to stop, and is killed when it has not
/// done so within `grace`.
///
/// # Errors
/// As [`run`].
pub fn run_with_grace(
    command: &mut Command,
    timeout: Option<Duration>,
    grace: Option<Duration>,
    on_stderr_line: &mut dyn FnMut(&str),
) -> Result<Finished, HostError> {
    interrupt::check()?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut group = Group::start(command, grace)?;
    let keep = if timeout.is_some() { KEPT_BYTES } else { MOST_BYTES };
    let (sender, events) = mpsc::sync_channel(WAITING_LINES);
    let stdout = group.child.stdout.take().map(|pipe| collect(pipe, sender.clone(), false, keep));
    let stderr = group.child.stderr.take().map(|pipe| collect(pipe, sender, true, keep));
    let deadline = timeout.map(|timeout| Instant::now() + timeout);
    let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let mut late = false;
    // Both readers hang up when the child, and all that inherited its pipes, closed them.
    loop {
        let wait = deadline
            .map_or(WAKE, |deadline| deadline.saturating_duration_since(Instant::now()).min(WAKE));
        match events.recv_timeout(wait) {
            Ok(line) => on_stderr_line(&line),
            Err(RecvTimeoutError::Disconnected) => break,
            // The child may be gone while something it started holds its pipes open.
            Err(RecvTimeoutError::Timeout) if group.has_ended()? => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        // Also between two lines: a child that never stops talking is no reason to wait for ever.
        interrupt::check()?;
        if is_late() {
            late = true;
            break;
        }
    }
    let status = if late { None } else { group.wait(is_late)? };
    // Kills the rest of the group; the readers then see the end of their pipes.
    group.kill();
    // A reader that waits for room in the channel would wait for ever.
    drop(events);
    let output = |reader: Option<thread::JoinHandle<Kept>>| {
        reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
    };
    let (stdout, stderr) = (output(stdout), output(stderr));
    if timeout.is_none() && (stdout.is_cut || stderr.is_cut) {
        let program = command.get_program().to_string_lossy();
        let problem = format!("`{program}` printed more than {} MiB", MOST_BYTES >> 20);
        return Err(HostError::File(std::io::Error::other(problem)));
    }
    Ok(Finished { status, stdout: stdout.text(), stderr: stderr.text() })
}

/// What is kept of a stream.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    /// Whether it is only the end of it.
    is_cut: bool,
}

impl Kept {
    fn text(self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

fn collect(
    pipe: impl Read + Send + 'static,
    sender: SyncSender<String>,
    announce: bool,
    keep: usize,
) -> thread::JoinHandle<Kept> {
    thread::spawn(move || {
        let mut reader = BufReader::new(pipe);
        let mut output = Kept::default();
        let mut line = Vec::new();
        // Read to the end even past the limit: a child whose pipe is full or closed would stall or die.
        while let Ok(1..) = read_part(&mut reader, &mut line, announce) {
            let is_overwritten = line.ends_with(b"\r");
            if announce {
                let _ = sender.send(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
            if is_overwritten {
                line.clear();
            }
            output.bytes.append(&mut line);
            if output.bytes.len() > keep {
                output.bytes.drain(..output.bytes.len() - keep / 2);
                output.is_cut = true;
            }
        }
        output
    })
}

/// Reads a line, or a part of one that is long; of a stream that is shown as it comes, also what a carriage return ends
/// and overwrites, such as a progress bar.
fn read_part(reader: &mut impl BufRead, line: &mut Vec<u8>, shown: bool) -> std::io::Result<usize> {
    if !shown {
        return reader.take(PART_BYTES as u64).read_until(b'\n', line);
    }
    loop {
        let bytes = match reader.fill_buf() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        // `\r\n` is one end of a line.
        if line.ends_with(b"\r") && bytes.first() != Some(&b'\n') {
            return Ok(line.len());
        }
        let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let taken = end.map_or(bytes.len(), |end| end + 1);
        line.extend_from_slice(bytes.get(..taken).unwrap_or_default());
        reader.consume(taken);
        if taken == 0 || line.ends_with(b"\n") || line.len() >= PART_BYTES {
            return Ok(line.len());
        }
    }
}

/// A child and everything it started; killed when dropped before its end.
struct Group {
    child: Child,
    reaped: bool,
    is_killed: bool,
    grace: Option<Duration>,
}

impl Group {
    fn start(command: &mut Command, grace: Option<Duration>) -> Result<Self, HostError> {
        restore_standing()?;
        platform::lead_group(command);
        let child = command.spawn().map_err(|source| HostError::Start {
            program: command.get_program().to_string_lossy().into_owned(),
            source,
        })?;
        RUNNING.fetch_add(1, Ordering::SeqCst);
        Ok(Self { child, reaped: false, is_killed: false, grace })
    }

    fn has_ended(&mut self) -> Result<bool, HostError> {
        let ended = self.child.try_wait()?.is_some();
        self.reaped |= ended;
        Ok(ended)
    }

    /// Waits for the end of a child that has closed its output; `None` when it is late.
    fn wait(&mut self, is_late: impl Fn() -> bool) -> Result<Option<ExitStatus>, HostError> {
        loop {
            if let Some(status) = self.child.try_wait()? {
                self.reaped = true;
                return Ok(Some(status));
            }
            interrupt::check()?;
            if is_late() {
                return Ok(None);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn kill(&mut self) {
        if let (Some(grace), false) = (self.grace, self.reaped) {
            platform::stop(&mut self.child, Stop::Ask);
            let patience = Instant::now() + grace;
            while !self.has_ended().unwrap_or(true) && Instant::now() < patience {
                thread::sleep(Duration::from_millis(5));
            }
        }
        platform::stop(&mut self.child, Stop::Kill);
        if !self.reaped {
            let _ = self.child.wait();
            self.reaped = true;
        }
        self.is_killed = true;
        // Orphans of one child are not told from the children that still run.
        let running = RUNNING.fetch_sub(1, Ordering::SeqCst) - 1;
        if running == 0 && ADOPTS.load(Ordering::SeqCst) {
            platform::end_orphans();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.is_killed {
            self.kill();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_exit_and_lines_come_back() {
        let mut lines = Vec::new();
        let done =
            run(&mut shell("echo out; echo one >&2; echo two >&2; exit 3"), None, &mut |l| {
                lines.push(l.to_owned());
            })
            .unwrap();
        assert_eq!(done.stdout, "out\n");
        assert_eq!(lines, ["one", "two"]);
        assert_eq!(done.status.and_then(|s| s.code()), Some(3));
        assert_eq!(done.tail(2), "one\ntwo");
    }

    #[test]
    fn what_a_panic_says_is_kept_however_long_its_backtrace_is() {
        let frames: String =
            (0..20).map(|n| format!("  {n}: f::<g>\n             at ./b.rs:{n}:9\n")).collect();
        let text =
            format!("panicked at b.rs:9:9:\non purpose\nstack backtrace:\n{frames}note: more");
        let done = run(shell("printf '%s' \"$0\" >&2").arg(text), None, &mut |_| {}).unwrap();
        assert_eq!(done.tail(5), "panicked at b.rs:9:9:\non purpose\nnote: more");
        assert!(done.tail(100).contains("at ./b.rs:19:9"));
    }

    #[test]
    fn what_a_carriage_return_overwrites_is_announced_and_not_kept() {
        let mut lines = Vec::new();
        let script = r"printf 'first\r\n 1/2\r 2/2\r' >&2; printf 'last\nno end' >&2";
        let done = run(&mut shell(script), None, &mut |line| lines.push(line.to_owned())).unwrap();
        assert_eq!(done.stderr, "first\r\nlast\nno end");
        assert_eq!(lines, ["first", " 1/2", " 2/2", "last", "no end"]);
    }

    #[test]
    fn a_child_that_hangs_is_stopped_at_its_time_out_with_all_that_it_started() {
        let done = run(
            &mut shell("echo begun; sleep 1000 & echo $!; sleep 1000"),
            // Long enough for a shell to print on a machine that is busy with something else.
            Some(Duration::from_secs(3)),
            &mut |_| {},
        )
        .unwrap();
        assert!(done.status.is_none());
        let grandchild = done.stdout.lines().nth(1).unwrap();
        let state =
            || std::fs::read_to_string(format!("/proc/{grandchild}/stat")).unwrap_or_default();
        let is_gone = || state().is_empty() || state().contains(") Z ");
        // On a busy machine a killed process may wait for its turn to die.
        let patience = std::time::Instant::now() + Duration::from_secs(60);
        while !is_gone() && std::time::Instant::now() < patience {
            std::thread::yield_now();
        }
        assert!(is_gone(), "still alive: {}", state());
    }

    #[test]
    fn a_child_that_never_stops_talking_is_stopped_too() {
        let done = run(
            &mut shell("while :; do echo again >&2; done"),
            Some(Duration::from_millis(200)),
            &mut |_| {},
        )
        .unwrap();
        assert!(done.status.is_none());
        assert!(done.stderr.len() <= KEPT_BYTES);
    }

    #[test]
    fn of_a_line_without_an_end_no_more_than_the_last_part_is_held() {
        for announce in [false, true] {
            let endless = std::io::repeat(b'x').take(64 << 20);
            let (sender, lines) = mpsc::sync_channel(WAITING_LINES);
            let longest = thread::spawn(move || lines.iter().map(|line: String| line.len()).max());
            let output = collect(endless, sender, announce, KEPT_BYTES).join().unwrap();
            assert!(output.is_cut && output.bytes.capacity() <= 4 * KEPT_BYTES, "{announce}");
            assert!(longest.join().unwrap().is_none_or(|longest| longest <= 2 * PART_BYTES));
        }
    }

    #[test]
    fn a_child_with_grace_cleans_up_and_one_that_does_not_is_killed_all_the_same() {
        let stop = |script: &str, grace| {
            let timeout = Some(Duration::from_millis(500));
            run_with_grace(&mut shell(script), timeout, Some(grace), &mut |_| {}).unwrap()
        };
        let polite = "trap 'echo cleaned up; exit 0' TERM; while :; do sleep 0.01; done";
        let done = stop(polite, Duration::from_secs(60));
        assert!(done.status.is_none());
        assert_eq!(done.stdout, "cleaned up\n");
        let deaf = stop("trap '' TERM; while :; do sleep 0.01; done", Duration::from_millis(100));
        assert!(deaf.status.is_none());
    }

    #[test]
    fn a_child_that_leaves_a_daemon_with_its_pipes_does_not_hang_the_gate() {
        let done =
            run(&mut shell("sleep 1000 & echo done"), Some(Duration::from_secs(60)), &mut |_| {})
                .unwrap();
        assert!(done.succeeded());
        assert_eq!(done.stdout, "done\n");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(&mut Command::new("no-such-program"), None, &mut |_| {}).unwrap_err();
        assert!(error.to_string().starts_with("cannot run `no-such-program`: "), "{error}");
    }
}
