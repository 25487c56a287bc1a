//! `cargo xtask`: commands for working on this repository.

mod error;
mod generate;
mod lines;

use std::path::Path;
use std::process::ExitCode;

use error::Error;

const USAGE: &str = "\
Usage: cargo xtask generate [--check] [NAME...]
       cargo xtask lines

generate writes the files of this repository that are made from others; all of them, or those named.

  --check  writes nothing; prints what differs, and exits with 1 if anything does

lines prints the code of the product without blank lines, comments and tests, and its functions above 60 lines.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(if matches!(error, Error::Usage(_)) { 2 } else { 1 })
        }
    }
}

fn run(arguments: &[&str]) -> Result<ExitCode, Error> {
    match arguments {
        ["-h" | "--help" | "help"] | [] => {
            print!("{USAGE}");
            print!("\n{}", generate::list());
            Ok(ExitCode::SUCCESS)
        }
        ["generate", rest @ ..] => generate::run(workspace(), rest),
        ["lines"] => lines::run(workspace()).map(|()| ExitCode::SUCCESS),
        [other, ..] => Err(Error::Usage(format!("unknown command `{other}`\n\n{USAGE}"))),
    }
}

/// The root of this repository.
fn workspace() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).unwrap_or(package)
}
