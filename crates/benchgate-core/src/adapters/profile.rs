//! Reads callgrind's counts of each instruction: costs by object and address, and the calls between functions.
//!
//! Addresses are those of the object's file, not of its place in memory, so that two runs agree
//! ([callgrind's format](https://valgrind.org/docs/manual/cl-format.html)). Names and positions are compressed:
//! a name is written once with a number, a position as the difference to the last one.

use std::collections::BTreeMap;

use thiserror::Error;

use super::callgrind::NO_COUNTS;

/// Arguments that make valgrind count what runs within these functions, and nothing else, into `out`. None of them
/// may call another: that would not be counted. (`--zero-before` and `--dump-before` would not mind, but callgrind 3.19
/// forgets some of them if there are many.)
pub fn arguments(out: &str, functions: &[String], with_caches: bool) -> Vec<String> {
    let mut arguments: Vec<String> = [
        "--quiet",
        "--tool=callgrind",
        "--dump-instr=yes",
        "--dump-line=no",
        // Names as the symbol table has them: what is demangled differs between versions of valgrind.
        "--demangle=no",
    ]
    .map(str::to_owned)
    .into();
    arguments.push(format!("--callgrind-out-file={out}"));
    for function in functions {
        arguments.push(format!("--toggle-collect={function}"));
    }
    if with_caches {
        arguments.extend(["--cache-sim=yes", "--branch-sim=yes"].map(str::to_owned));
    }
    arguments
}

/// A function of one object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Function {
    /// The file that holds its code.
    pub object: String,
    /// Its symbol; with `'2` behind it for the second level of a recursion.
    pub name: String,
}

/// An instruction of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Index into [`Profile::functions`].
    pub function: usize,
    /// Its address in the object.
    pub address: u64,
}

/// The calls from a place to one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Number of calls.
    pub count: u64,
    /// Instructions of the callee and of all that it calls.
    pub cost: u64,
}

/// The counts of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Every function that ran or was called.
    pub functions: Vec<Function>,
    /// Instructions at each place. Each execution of an instruction counts one.
    pub costs: BTreeMap<Place, u64>,
    /// Calls from a place to a function.
    pub calls: BTreeMap<(Place, usize), Calls>,
    /// The sums that callgrind wrote, by event; `Ir` are instructions.
    pub totals: BTreeMap<String, u64>,
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProfileError {
    /// Not callgrind's format, or it counts something else.
    #[error("{}", NO_COUNTS)]
    NoCounts,
    /// Addresses are missing.
    #[error("callgrind wrote no addresses")]
    NoAddresses,
    /// A line that is not of the format.
    #[error("line {0} of callgrind's counts is not of its format")]
    Line(usize),
}

impl Profile {
    /// Reads a file.
    ///
    /// # Errors
    /// Names the line that is not of the format.
    pub fn read(text: &str) -> Result<Self, ProfileError> {
        let mut reader = Reader::default();
        for (index, line) in text.lines().enumerate() {
            reader.line(line.trim_end()).map_err(|wrong| match wrong {
                Wrong::Line => ProfileError::Line(index + 1),
                Wrong::NoCounts => ProfileError::NoCounts,
                Wrong::NoAddresses => ProfileError::NoAddresses,
            })?;
        }
        if reader.events.is_empty() { Err(ProfileError::NoCounts) } else { Ok(reader.profile) }
    }

    /// The sum of all instructions.
    pub fn total(&self) -> u64 {
        self.costs.values().fold(0, |sum, cost| sum.saturating_add(*cost))
    }
}

fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

enum Wrong {
    Line,
    NoCounts,
    NoAddresses,
}

/// The names of one kind: objects or functions.
#[derive(Default)]
struct Names(BTreeMap<String, String>);

impl Names {
    /// `(12) name` gives a name its number, `(12)` repeats it; a name may also have none.
    fn read(&mut self, text: &str) -> Result<String, Wrong> {
        if !text.starts_with('(') {
            return Ok(text.to_owned());
        }
        let (number, name) = text.split_once(')').ok_or(Wrong::Line)?;
        let name = name.trim_start();
        if name.is_empty() {
            return self.0.get(number).cloned().ok_or(Wrong::Line);
        }
        self.0.insert(number.to_owned(), name.to_owned());
        Ok(name.to_owned())
    }
}

#[derive(Default)]
struct Reader {
    profile: Profile,
    index: BTreeMap<Function, usize>,
    objects: Names,
    functions: Names,
    /// The kinds of positions, in their order.
    positions: Vec<String>,
    events: Vec<String>,
    last: Vec<u64>,
    object: String,
    function: Option<usize>,
    callee_object: Option<String>,
    callee: Option<usize>,
    /// The kind of the next line of positions.
    next: Next,
}

#[derive(Default)]
enum Next {
    #[default]
    Cost,
    Call(u64),
    Jump,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), Wrong> {
        if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            return self.costs(line);
        }
        if let Some((key, value)) = line.split_once(": ").or_else(|| line.split_once(':'))
            && !key.contains(['=', ' '])
        {
            return self.header(key, value.trim());
        }
        let Some((key, value)) = line.split_once('=') else {
            return if line.is_empty() || line.starts_with('#') {
                Ok(())
            } else {
                Err(Wrong::Line)
            };
        };
        match key {
            "ob" => self.object = self.objects.read(value)?,
            "fn" => {
                let name = self.functions.read(value)?;
                self.function = Some(self.function_of(self.object.clone(), name));
            }
            "cob" => self.callee_object = Some(self.objects.read(value)?),
            "cfn" => {
                let object = self.callee_object.take().unwrap_or_else(|| self.object.clone());
                let name = self.functions.read(value)?;
                self.callee = Some(self.function_of(object, name));
            }
            "calls" => {
                let count = value.split(' ').next().and_then(|count| count.parse().ok());
                self.next = Next::Call(count.ok_or(Wrong::Line)?);
            }
            "jump" | "jcnd" => self.next = Next::Jump,
            // Files: lines are resolved from the object itself.
            _ => {}
        }
        Ok(())
    }

    fn header(&mut self, key: &str, value: &str) -> Result<(), Wrong> {
        let words = || value.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        match key {
            "positions" => {
                self.positions = words();
                self.last = vec![0; self.positions.len()];
            }
            "events" => {
                self.events = words();
                if self.events.first().is_none_or(|event| event != "Ir") {
                    return Err(Wrong::NoCounts);
                }
                if self.positions.first().is_none_or(|kind| kind != "instr") {
                    return Err(Wrong::NoAddresses);
                }
            }
            "totals" => {
                for (event, total) in self.events.iter().zip(value.split_whitespace()) {
                    let total = total.parse().map_err(|_| Wrong::Line)?;
                    self.profile.totals.insert(event.clone(), total);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn costs(&mut self, line: &str) -> Result<(), Wrong> {
        if self.events.is_empty() {
            return Err(Wrong::NoCounts);
        }
        let mut words = line.split_whitespace();
        for last in &mut self.last {
            *last = position(words.next().ok_or(Wrong::Line)?, *last).ok_or(Wrong::Line)?;
        }
        // Zeros at the end are omitted.
        let cost = words.next().map_or(Ok(0), str::parse::<u64>).map_err(|_| Wrong::Line)?;
        let function = self.function.ok_or(Wrong::Line)?;
        let place = Place { function, address: self.last.first().copied().unwrap_or_default() };
        match std::mem::take(&mut self.next) {
            Next::Jump => {}
            Next::Cost => add(self.profile.costs.entry(place).or_default(), cost),
            Next::Call(count) => {
                let callee = self.callee.ok_or(Wrong::Line)?;
                let calls = self.profile.calls.entry((place, callee)).or_default();
                add(&mut calls.count, count);
                add(&mut calls.cost, cost);
            }
        }
        Ok(())
    }

    fn function_of(&mut self, object: String, name: String) -> usize {
        let function = Function { object, name };
        *self.index.entry(function.clone()).or_insert_with(|| {
            self.profile.functions.push(function);
            self.profile.functions.len() - 1
        })
    }
}

/// `+3`, `-3`, `*` (the same), `0x10` or `16`.
fn position(word: &str, last: u64) -> Option<u64> {
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    match word.split_at_checked(1)? {
        ("*", "") => Some(last),
        ("+", more) => last.checked_add(number(more)?),
        ("-", less) => last.checked_sub(number(less)?),
        _ => number(word),
    }
}

#[cfg(test)]
mod tests;
