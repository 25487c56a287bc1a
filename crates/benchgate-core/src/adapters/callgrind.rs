//! Reads callgrind's counts: the instructions that a benchmark ran within Criterion's `iter` functions.
//!
//! Counting is not toggled on and off at those functions: one calls another (`iter_with_setup` calls
//! `iter_batched`), and a toggle inside of a toggle counts nothing. The whole process is counted instead,
//! and the calls of those functions are summed from the call graph.

use std::collections::BTreeMap;

use thiserror::Error;

/// Arguments that make valgrind count one process into `out`.
pub fn arguments(out: &str) -> Vec<String> {
    vec!["--quiet".to_owned(), "--tool=callgrind".to_owned(), format!("--callgrind-out-file={out}")]
}

/// The problem of a file without instruction counts.
pub(super) const NO_COUNTS: &str = "callgrind wrote no instruction counts";

/// Why there is no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Nothing {
    /// Not callgrind's format, or it counts something else.
    #[error("{}", NO_COUNTS)]
    NoCounts,
    /// No call of a function of that name.
    #[error(
        "no call of Criterion's `Bencher::iter` is named in the counts: the executable has no symbols, or \
         its Criterion is another one"
    )]
    NoIteration,
}

/// The instructions of all calls of Criterion's `iter` functions, without those of its clocks.
///
/// # Errors
/// When there are none: never a wrong number.
pub fn iteration(file: &str) -> Result<u64, Nothing> {
    let mut names: BTreeMap<&str, Role> = BTreeMap::new();
    let mut positions = None;
    let (mut caller, mut callee) = (Role::Other, Role::Other);
    let mut is_call = false;
    let (mut calls, mut instructions, mut clocks) = (0_u64, 0_u64, 0_u64);
    for line in file.lines() {
        if let Some(list) = line.strip_prefix("events:") {
            if list.split_whitespace().next() != Some("Ir") {
                return Err(Nothing::NoCounts);
            }
            // `positions` defaults to the line alone.
            positions = positions.or(Some(1));
        } else if let Some(list) = line.strip_prefix("positions:") {
            positions = Some(list.split_whitespace().count());
        } else if let Some(name) = line.strip_prefix("fn=") {
            caller = role(&mut names, name);
        } else if let Some(name) = line.strip_prefix("cfn=") {
            callee = role(&mut names, name);
        } else if let Some(count) = line.strip_prefix("calls=") {
            is_call = true;
            if callee == Role::Iteration && caller != Role::Iteration {
                let count = count.split_whitespace().next().and_then(|c| c.parse().ok());
                calls = calls.saturating_add(count.unwrap_or(0_u64));
            }
        } else if std::mem::take(&mut is_call) {
            // The line after `calls=` is what those calls cost, with all that they called.
            let cost = line.split_whitespace().nth(positions.ok_or(Nothing::NoCounts)?);
            let cost = cost.map_or(Ok(0), str::parse).map_err(|_| Nothing::NoCounts)?;
            match (caller, callee) {
                (Role::Iteration, Role::Iteration) => {}
                (_, Role::Iteration) => instructions = instructions.saturating_add(cost),
                (Role::Iteration, Role::Clock) => clocks = clocks.saturating_add(cost),
                _ => {}
            }
        }
    }
    match (positions, calls, instructions.saturating_sub(clocks)) {
        (None, ..) => Err(Nothing::NoCounts),
        (_, 0, _) | (.., 0) => Err(Nothing::NoIteration),
        (.., instructions) => Ok(instructions),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// `Bencher::iter`, `AsyncBencher::iter_batched` and their like.
    Iteration,
    /// Functions with which they read the time.
    Clock,
    Other,
}

/// Whether a demangled name is of one of Criterion's `iter` functions, or of a closure in one.
pub fn is_iteration(name: &str) -> bool {
    let plain = name.trim_start_matches('<');
    plain.starts_with("criterion::bencher::")
        && plain.contains("Bencher")
        && plain.contains("::iter")
}

/// Names are written once, as `(12) name`, and then as `(12)`.
fn role<'a>(names: &mut BTreeMap<&'a str, Role>, name: &'a str) -> Role {
    let (id, name) = name.split_once(' ').unwrap_or((name, ""));
    if name.is_empty() && id.starts_with('(') {
        return names.get(id).copied().unwrap_or(Role::Other);
    }
    let name = if id.starts_with('(') { name } else { id };
    let plain = name.trim_start_matches('<');
    let is_iteration = is_iteration(name);
    let is_clock = ["std::time::Instant", "criterion::measurement::", "clock_gettime"]
        .iter()
        .any(|clock| plain.starts_with(clock));
    let role = match (is_iteration, is_clock) {
        (true, _) => Role::Iteration,
        (_, true) => Role::Clock,
        _ => Role::Other,
    };
    names.insert(id, role);
    role
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The calls around `iter` as callgrind 3.19 wrote them of a Criterion 0.8.2 executable.
    const OF_0_8: &str = "\
# callgrind format
version: 1
creator: callgrind-3.19.0
positions: line
events: Ir
summary: 1201500

fn=(1600) <criterion::routine::Function<M,F,T> as criterion::routine::Routine<M,T>>::bench
0 40
cfn=(1618) criterion::bencher::Bencher<M>::iter
calls=1 0 
0 8301
0 12
cfn=(1640) alloc::vec::Vec<T>::push
calls=1 0 
0 99

fn=(1618)
0 10
cfn=(1620) <std::time::Instant>::now
calls=1 0 
0 28
0 5
cfn=(1626) <criterion::measurement::WallTime as criterion::measurement::Measurement>::start
calls=1 0 
0 32
0 11
cfn=(1628) fixture::mix
calls=1 0 
0 8007
0 7
cfn=(1630) <criterion::measurement::WallTime as criterion::measurement::Measurement>::end
calls=1 0 
0 97
0 4
cfn=(1632) <std::time::Instant>::elapsed
calls=1 0 
0 90
0 10

totals: 1201500
";

    #[test]
    fn an_iteration_is_the_body_and_its_loop_without_the_clocks() {
        assert_eq!(iteration(OF_0_8), Ok(8301 - 28 - 32 - 97 - 90));
    }

    #[test]
    fn an_iter_within_an_iter_counts_once() {
        let nested = "positions: line\nevents: Ir\n\
            fn=(1) a::main\ncfn=(2) criterion::bencher::Bencher<M>::iter_with_setup\ncalls=1 0\n0 500\n\
            fn=(2)\n0 20\ncfn=(3) criterion::bencher::Bencher<M>::iter_batched\ncalls=1 0\n0 480\n";
        assert_eq!(iteration(nested), Ok(500));
    }

    #[test]
    fn names_of_the_new_mangling_and_positions_of_instructions_are_read() {
        let new = "positions: instr line\nevents: Ir\n\
            fn=(1) <f as criterion::routine::Routine>::bench\n\
            cfn=(2) <criterion::bencher::AsyncBencher<_>>::iter::<u64, f::{closure#0}>\ncalls=2 0x1 0\n\
            0x10 0 77\n";
        assert_eq!(iteration(new), Ok(77));
    }

    #[test]
    fn without_symbols_there_is_no_number() {
        let stripped = "positions: line\nevents: Ir\nfn=(1) 0x000000000001ab70\n0 100\n\
            cfn=(2) 0x00000000000852a0\ncalls=1 0\n0 8301\n";
        assert_eq!(iteration(stripped), Err(Nothing::NoIteration));
        assert_eq!(iteration(""), Err(Nothing::NoCounts));
        assert_eq!(iteration("positions: line\nevents: Dr\n"), Err(Nothing::NoCounts));
        // A user's function that takes a bencher is not the bencher.
        let user = "events: Ir\nfn=(1) m\ncfn=(2) my::bench<criterion::bencher::Bencher>::iter\ncalls=1 0\n0 9\n";
        assert_eq!(iteration(user), Err(Nothing::NoIteration));
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in "(fn=|cfn=|calls=|events: Ir\n|[0-9 ()\n:a-z]){0,60}") {
            let _ = iteration(&text);
        }
    }
}
