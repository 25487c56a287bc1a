//! The lines that the gate and an executable that it leads exchange, version 1 (`docs/formats.md`).
//!
//! This file is also part of the stand-in: it is written for every edition since 2018 and for compilers since 1.63,
//! and uses nothing but the standard library. Nothing in it panics, whatever the line.

use std::fmt;
use std::str::FromStr;

/// Version of the protocol, in the first answer.
pub const VERSION: u64 = 1;

/// Environment variable that asks an executable to be led. Its value is the token of its answers.
pub const VARIABLE: &str = "BENCHGATE_LEAD";

/// A line of the executable.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Once, before any other: version of the protocol, name and version of the harness.
    Hello {
        /// Version of the protocol.
        protocol: u64,
        /// Name of the harness, without spaces.
        name: String,
        /// Version of the harness, without spaces.
        version: String,
    },
    /// Arrived at a benchmark.
    At {
        /// Number of the benchmark in this process, from 0.
        ordinal: u64,
        /// Criterion's full id.
        id: String,
    },
    /// Measured what `run` asked for.
    Ran {
        /// Measured value of all timed iterations together, in the unit that `unit` answers. Finite.
        value: f64,
        /// Wall time of the whole call of the bench closure in ns, set-up included.
        whole: u64,
    },
    /// Could not measure what `run` asked for.
    None {
        /// Why not.
        reason: String,
    },
    /// Unit of the measured values: `ns` for wall time.
    Unit {
        /// As the formatter of the measurement names it.
        unit: String,
    },
    /// The names of the benchmark that it is at.
    Names {
        /// As Criterion writes them, with the throughput, into the object `id` of `benchmark.json`.
        json: String,
    },
    /// All benchmarks were passed.
    End,
}

/// A line of the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Call the bench closure with `untimed` iterations, unless that is 0, and then with `iterations`.
    Run {
        /// Iterations that are measured. At least 1.
        iterations: u64,
        /// Iterations whose value is thrown away.
        untimed: u64,
    },
    /// Answer the unit.
    Unit,
    /// Answer the names.
    Names,
    /// Go on to the next benchmark.
    Next,
}

/// A line that follows the form of the protocol no further than its first word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    line: String,
}

impl Malformed {
    fn new(line: &str) -> Self {
        Self { line: line.to_owned() }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = escape(&self.line).chars().take(200).collect();
        write!(f, "`{}` is not a line of the protocol, version {}", shown, VERSION)
    }
}

impl std::error::Error for Malformed {}

impl Answer {
    /// Returns the line without its end.
    pub fn line(&self, token: &str) -> String {
        format!("{} {}", token, self)
    }

    /// Reads a line without its end. `None` if it does not begin with the token: then it is of the bench.
    pub fn parse(line: &str, token: &str) -> Option<Result<Self, Malformed>> {
        let text = line.strip_prefix(token)?.strip_prefix(' ')?;
        Some(Self::from_text(text).ok_or_else(|| Malformed::new(line)))
    }

    fn from_text(text: &str) -> Option<Self> {
        let (word, rest) = match text.split_once(' ') {
            Some((word, rest)) => (word, Some(rest)),
            None => (text, None),
        };
        match (word, rest) {
            ("hello", Some(rest)) => {
                let (protocol, rest) = rest.split_once(' ')?;
                let (name, version) = rest.split_once(' ')?;
                let is_word = |text: &str| !text.is_empty() && !text.contains(' ');
                if !is_word(name) || !is_word(version) {
                    return None;
                }
                let protocol = number(protocol)?;
                let [name, version] = [unescape(name)?, unescape(version)?];
                Some(Answer::Hello { protocol, name, version })
            }
            ("at", Some(rest)) => {
                let (ordinal, id) = rest.split_once(' ')?;
                Some(Answer::At { ordinal: number(ordinal)?, id: unescape(id)? })
            }
            ("ran", Some(rest)) => {
                let (value, whole) = rest.split_once(' ')?;
                let value = f64::from_str(value).ok().filter(|value| value.is_finite())?;
                Some(Answer::Ran { value, whole: number(whole)? })
            }
            ("none", Some(reason)) => Some(Answer::None { reason: unescape(reason)? }),
            ("unit", Some(unit)) => Some(Answer::Unit { unit: unescape(unit)? }),
            ("names", Some(json)) => Some(Answer::Names { json: unescape(json)? }),
            ("end", None) => Some(Answer::End),
            _ => None,
        }
    }
}

/// The text after the token.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Hello { protocol, name, version } => {
                write!(f, "hello {} {} {}", protocol, escape(name), escape(version))
            }
            Answer::At { ordinal, id } => write!(f, "at {} {}", ordinal, escape(id)),
            Answer::Ran { value, whole } => write!(f, "ran {} {}", value, whole),
            Answer::None { reason } => write!(f, "none {}", escape(reason)),
            Answer::Unit { unit } => write!(f, "unit {}", escape(unit)),
            Answer::Names { json } => write!(f, "names {}", escape(json)),
            Answer::End => f.write_str("end"),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Run { iterations, untimed } => write!(f, "run {} {}", iterations, untimed),
            Command::Unit => f.write_str("unit"),
            Command::Names => f.write_str("names"),
            Command::Next => f.write_str("next"),
        }
    }
}

impl FromStr for Command {
    type Err = Malformed;

    fn from_str(line: &str) -> Result<Self, Malformed> {
        let run = |rest: &str| {
            let (iterations, untimed) = rest.split_once(' ')?;
            let [iterations, untimed] = [number(iterations)?, number(untimed)?];
            if iterations == 0 {
                return None;
            }
            Some(Command::Run { iterations, untimed })
        };
        let command = match (line, line.strip_prefix("run ")) {
            (_, Some(rest)) => run(rest),
            ("unit", _) => Some(Command::Unit),
            ("names", _) => Some(Command::Names),
            ("next", _) => Some(Command::Next),
            _ => None,
        };
        command.ok_or_else(|| Malformed::new(line))
    }
}

/// Replaces the backslash and control characters, so that the text fits on a line.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            control if control.is_control() => {
                escaped.push_str(&format!("\\u{{{:x}}}", u32::from(control)));
            }
            other => escaped.push(other),
        }
    }
    escaped
}

/// Reverses [`escape`]. `None` where a backslash begins nothing that it writes.
pub fn unescape(text: &str) -> Option<String> {
    let mut parts = text.split('\\');
    let mut plain = parts.next()?.to_owned();
    while let Some(part) = parts.next() {
        let mut characters = part.chars();
        match characters.next() {
            // Two backslashes: what follows the second is plain.
            None => {
                plain.push('\\');
                plain.push_str(parts.next()?);
            }
            Some('n') => {
                plain.push('\n');
                plain.push_str(characters.as_str());
            }
            Some('r') => {
                plain.push('\r');
                plain.push_str(characters.as_str());
            }
            Some('u') => {
                let (code, rest) = characters.as_str().strip_prefix('{')?.split_once('}')?;
                plain.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
                plain.push_str(rest);
            }
            Some(_) => return None,
        }
    }
    Some(plain)
}

/// Reads digits alone: `parse` would take a sign.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}
