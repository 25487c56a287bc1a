//! A child that answers requests, line by line, over its standard input and output.

use std::io::{Read as _, Write as _};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::{Finished, Group, KEPT_BYTES, Kept, WAITING_LINES, WAKE, collect, restore_standing};
use crate::HostError;
use crate::system::interrupt;
use crate::system::platform::{self, Readable, Stop};

/// A line that is longer is none of a child that answers.
const LONGEST_LINE: usize = 64 << 10;

/// Of such a line its end is kept.
const KEPT_OF_LINE: usize = 4 << 10;

/// How long the pipe of a child that has ended may stay open: what left its group and session may hold it, and the other
/// side's child runs on, so that nobody ends orphans yet.
const TO_CLOSE: Duration = Duration::from_secs(2);

/// A child that waits for a line and answers with one. It is killed when dropped.
pub(crate) struct Conversation {
    group: Group,
    questions: Option<ChildStdin>,
    answers: ChildStdout,
    /// What was read of the next lines.
    read: Vec<u8>,
    stderr: Option<JoinHandle<Kept>>,
    /// Closed by the reader of the error output with its pipe.
    closing: Receiver<String>,
}

/// What came of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// A line, without its end; lossy UTF-8.
    Line(String),
    /// The child closed its output.
    Closed,
    /// The time has passed.
    Late,
}

impl Conversation {
    /// Starts a child that leads a separate process group.
    ///
    /// # Errors
    /// When it cannot be started, and [`HostError::Interrupted`].
    pub(crate) fn start(command: &mut Command) -> Result<Self, HostError> {
        interrupt::check()?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = Group::start(command, None)?;
        let child = &mut group.child;
        let (questions, answers) = (child.stdin.take(), child.stdout.take());
        let Some(answers) = answers else {
            return Err(std::io::Error::other("a child without its standard output").into());
        };
        let (sender, closing) = mpsc::sync_channel(WAITING_LINES);
        let stderr = child.stderr.take().map(|pipe| collect(pipe, sender, false, KEPT_BYTES));
        Ok(Self { group, questions, answers, read: Vec::new(), stderr, closing })
    }

    /// The number of its process.
    pub(crate) fn process(&self) -> u32 {
        self.group.child.id()
    }

    /// Has the child and its group use no processor until [`Self::resume`].
    pub(crate) fn pause(&mut self) {
        platform::stop(&mut self.group.child, Stop::Pause);
    }

    /// Continues it.
    pub(crate) fn resume(&mut self) {
        platform::stop(&mut self.group.child, Stop::Resume);
    }

    /// Sends a line, which may begin a round. A child that does not read any more is noticed when it is listened to.
    ///
    /// # Errors
    /// When limits, processors or priority of the gate were changed and cannot be set back.
    pub(crate) fn say(&mut self, line: &str) -> Result<(), HostError> {
        restore_standing()?;
        if let Some(questions) = &mut self.questions {
            let _ = questions.write_all(format!("{line}\n").as_bytes());
        }
        Ok(())
    }

    /// Waits for the next line of the child.
    ///
    /// # Errors
    /// [`HostError::Interrupted`].
    pub(crate) fn listen(&mut self, deadline: Instant) -> Result<Heard, HostError> {
        loop {
            if let Some(end) = self.read.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=end).collect();
                return Ok(Heard::Line(String::from_utf8_lossy(&line[..end]).into_owned()));
            }
            if self.read.len() > LONGEST_LINE {
                // What a child answers may be at the end of what something else printed.
                self.read.drain(..self.read.len() - KEPT_OF_LINE);
            }
            interrupt::check()?;
            let wait = deadline.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                return Ok(Heard::Late);
            }
            match platform::readable(&self.answers, wait.min(WAKE))? {
                Readable::Now if self.more()? => {}
                Readable::Now => return Ok(Heard::Closed),
                Readable::NotYet => {}
            }
        }
    }

    /// Reads what there is; whether there was anything.
    fn more(&mut self) -> Result<bool, HostError> {
        let mut part = [0; 4096];
        loop {
            match self.answers.read(&mut part) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                read => {
                    let read = read?;
                    self.read.extend_from_slice(part.get(..read).unwrap_or_default());
                    return Ok(read > 0);
                }
            }
        }
    }

    /// Closes the child's input, waits for its end and kills what is left after `patience`. It has nothing to say afterwards.
    ///
    /// # Errors
    /// [`HostError::Interrupted`].
    pub(crate) fn end(&mut self, patience: Duration) -> Result<Finished, HostError> {
        self.questions = None;
        let deadline = Instant::now() + patience;
        let status = self.group.wait(|| Instant::now() >= deadline)?;
        if !self.group.is_killed {
            self.group.kill();
        }
        let is_closed = self.closing.recv_timeout(TO_CLOSE) == Err(RecvTimeoutError::Disconnected);
        let reader = self.stderr.take().filter(|_| is_closed);
        let output = reader.and_then(|reader| reader.join().ok()).unwrap_or_default();
        Ok(Finished { status, stdout: String::new(), stderr: output.text() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Conversation {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Conversation::start(&mut command).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn a_child_is_asked_and_answers_until_its_input_is_closed() {
        let mut child =
            shell("while read line; do echo \"heard $line\"; done; echo over >&2; exit 3");
        for word in ["one", "two"] {
            child.say(word).unwrap();
            assert_eq!(child.listen(soon()).unwrap(), Heard::Line(format!("heard {word}")));
        }
        let done = child.end(Duration::from_secs(60)).unwrap();
        assert_eq!(done.status.and_then(|status| status.code()), Some(3));
        assert_eq!(done.stderr, "over\n");
    }

    #[test]
    fn a_child_that_dies_closes_and_one_that_is_silent_is_late() {
        assert_eq!(shell("exit 1").listen(soon()).unwrap(), Heard::Closed);
        let mut silent = shell("read line");
        assert_eq!(silent.listen(Instant::now()).unwrap(), Heard::Late);
    }

    #[test]
    fn of_a_line_without_an_end_the_last_part_is_kept() {
        let mut child = shell("head -c 10000000 /dev/zero; echo word");
        let Heard::Line(line) = child.listen(soon()).unwrap() else { panic!("it has an end") };
        assert!(line.ends_with("word") && line.len() <= LONGEST_LINE + 4096, "{}", line.len());
    }

    #[test]
    fn a_child_that_is_paused_does_nothing_until_it_goes_on() {
        let mut child = shell("while read line; do echo heard; done");
        child.pause();
        child.say("one").unwrap();
        let soon_over = Instant::now() + Duration::from_millis(200);
        assert_eq!(child.listen(soon_over).unwrap(), Heard::Late);
        child.resume();
        assert_eq!(child.listen(soon()).unwrap(), Heard::Line("heard".to_owned()));
    }

    #[test]
    fn what_a_child_leaves_in_another_session_does_not_keep_its_end_waiting() {
        let mut child = shell("setsid sleep 1000 & echo $!");
        let Heard::Line(left) = child.listen(soon()).unwrap() else { panic!("it has an answer") };
        let began = Instant::now();
        child.end(Duration::from_secs(60)).unwrap();
        assert!(began.elapsed() < Duration::from_secs(60));
        Command::new("kill").arg(left).status().unwrap();
    }

    #[test]
    fn two_children_are_alive_at_once_and_the_end_of_one_is_not_the_others() {
        let (mut first, mut second) = (shell("cat"), shell("cat"));
        first.end(Duration::from_secs(60)).unwrap();
        second.say("still here").unwrap();
        assert_eq!(second.listen(soon()).unwrap(), Heard::Line("still here".to_owned()));
    }
}
