//! An executable that is led: the gate's side of the protocol, with a time limit for each line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use benchgate_runtime::protocol::{Answer, Command as Order, VARIABLE};

use crate::built::folder;

const TOKEN: &str = "t0ken";

/// Far more than any of the programs takes: a wait of this length is a hang.
const LIMIT: Duration = Duration::from_secs(60);

pub(crate) struct Walk {
    child: Child,
    orders: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Lines of stdout that are not of the protocol.
    pub(crate) noise: Vec<String>,
}

impl Walk {
    /// Starts a program and reads its greeting.
    pub(crate) fn start(version: &str, program: &str, variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(folder(version).join(program));
        command.arg("--bench").env(VARIABLE, TOKEN).envs(variables.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || stdout.lines().try_for_each(|line| sender.send(line.unwrap())));
        let orders = child.stdin.take();
        let mut walk = Self { child, orders, lines, noise: Vec::new() };
        let hello = Answer::Hello {
            protocol: 1,
            name: "criterion".to_owned(),
            version: version.to_owned(),
        };
        assert_eq!(walk.hear(), Some(hello));
        walk
    }

    /// The next answer. `None` at the end of the stream.
    pub(crate) fn hear(&mut self) -> Option<Answer> {
        loop {
            let line = match self.lines.recv_timeout(LIMIT) {
                Ok(line) => line,
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return None,
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("no line for {LIMIT:?}"),
            };
            match Answer::parse(&line, TOKEN) {
                Some(answer) => return Some(answer.unwrap()),
                None => self.noise.push(line),
            }
        }
    }

    pub(crate) fn order(&mut self, order: Order) {
        self.write(&format!("{order}\n"));
    }

    pub(crate) fn write(&mut self, text: &str) {
        self.orders.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    pub(crate) fn run(&mut self, iterations: u64, untimed: u64) -> Option<Answer> {
        self.order(Order::Run { iterations, untimed });
        self.hear()
    }

    pub(crate) fn unit(&mut self) -> Option<Answer> {
        self.order(Order::Unit);
        self.hear()
    }

    pub(crate) fn names(&mut self) -> String {
        self.order(Order::Names);
        match self.hear() {
            Some(Answer::Names { json }) => json,
            other => panic!("expected `names`, found {other:?}"),
        }
    }

    /// Goes on to the next benchmark and returns its id. `None` after the last.
    pub(crate) fn next_id(&mut self) -> Option<String> {
        self.order(Order::Next);
        self.arrive()
    }

    /// The id of the benchmark that the executable arrives at.
    pub(crate) fn arrive(&mut self) -> Option<String> {
        match self.hear() {
            Some(Answer::At { id, .. }) => Some(id),
            Some(Answer::End) => None,
            other => panic!("expected `at` or `end`, found {other:?}"),
        }
    }

    /// Skips to this benchmark, from the beginning of the process.
    pub(crate) fn skip_to(&mut self, wanted: &str) {
        let mut at = self.arrive();
        while at.as_deref() != Some(wanted) {
            assert!(at.is_some(), "no benchmark {wanted}");
            at = self.next_id();
        }
    }

    /// Closes stdin, and returns how the process ends and its stderr.
    pub(crate) fn end(mut self) -> (ExitStatus, String) {
        self.orders = None;
        let mut text = Vec::new();
        let mut stderr = self.child.stderr.take().unwrap();
        std::io::Read::read_to_end(&mut stderr, &mut text).unwrap();
        (self.child.wait().unwrap(), String::from_utf8_lossy(&text).into_owned())
    }
}

/// Ids of a program in order, with the ordinals that must belong to them, each benchmark run once.
pub(crate) fn ids(version: &str, program: &str) -> Vec<String> {
    let mut walk = Walk::start(version, program, &[]);
    let mut ids = Vec::new();
    loop {
        match walk.hear() {
            Some(Answer::At { ordinal, id }) => {
                assert_eq!(ordinal, ids.len() as u64, "{version} {program} {id}");
                ids.push(id);
                let ran = walk.run(3, 2);
                assert!(
                    matches!(ran, Some(Answer::Ran { .. } | Answer::None { .. })),
                    "{version} {program} {ids:?}: {ran:?}"
                );
                walk.order(Order::Next);
            }
            Some(Answer::End) => break,
            other => panic!("{version} {program}: expected `at` or `end`, found {other:?}"),
        }
    }
    assert_eq!(walk.hear(), None);
    assert_eq!(walk.noise.iter().filter(|line| !line.is_empty()).count(), 0, "{:?}", walk.noise);
    assert!(walk.end().0.success(), "{version} {program}");
    ids
}
