//! `cargo benchgate`: cargo runs `cargo-benchgate benchgate ...`, and this runs the `benchgate` next to it.

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    if arguments.peek().is_some_and(|first| first == "benchgate") {
        arguments.next();
    }
    let name = format!("benchgate{}", std::env::consts::EXE_SUFFIX);
    let program = std::env::current_exe().map(|own| own.with_file_name(&name));
    // Ctrl-C reaches both; this one waits for what the other makes of it.
    let ended = benchgate_host::system::interrupt::install()
        .map_err(std::io::Error::other)
        .and(program)
        .and_then(|program| Command::new(program).args(arguments).status());
    match ended {
        Ok(status) => {
            ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
        }
        Err(error) => {
            anstream::eprintln!("error: cannot run the `{name}` next to cargo-benchgate: {error}");
            anstream::eprintln!(
                "help: install both: `cargo install --locked --path crates/benchgate`"
            );
            ExitCode::from(1)
        }
    }
}
