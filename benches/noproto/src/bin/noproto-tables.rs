//! Prints the five published tables with what is measured here next to them.
//!
//! `cargo run --profile bench -p noproto-benches --bin noproto-tables` measures; `--record` prints
//! what was measured as a file, and with such a file as its argument it prints the tables of that.

use std::process::ExitCode;
use std::{env, fs};

use noproto_benches::{recorded, sizes, tables, timing};

const ROUNDS: usize = 400;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let tables = |times: &[timing::Time]| tables::all(&sizes::all(), times);
    match &*arguments {
        [] => print!("{}", tables(&timing::all(ROUNDS))),
        [option] if option == "--record" => print!("{}", recorded::write(&timing::all(ROUNDS))),
        [path] if !path.starts_with('-') => {
            let times = fs::read_to_string(path).ok().and_then(|text| recorded::read(&text));
            let Some(times) = times else {
                eprintln!("error: {path} is not what `noproto-tables --record` prints");
                return ExitCode::FAILURE;
            };
            print!("{}", tables(&times));
        }
        _ => {
            eprintln!("usage: noproto-tables [--record | FILE]");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
