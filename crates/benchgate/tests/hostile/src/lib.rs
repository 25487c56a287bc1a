//! Attempts of a benchmark or a build script. Each line of a file of attempts is a name, an action and its target.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Makes every attempt of a file and says of each what came of it.
pub fn attempt_all(file: &Path) -> usize {
    let attempts = fs::read_to_string(file).unwrap_or_default();
    for line in attempts.lines() {
        let mut parts = line.split('|');
        let mut part = || parts.next().unwrap_or_default();
        let (name, what, target) = (part(), part(), part());
        match attempt(what, target) {
            Ok(()) => eprintln!("attempt {name}: done"),
            Err(error) => eprintln!("attempt {name}: denied: {error}"),
        }
    }
    attempts.lines().count()
}

fn attempt(what: &str, target: &str) -> io::Result<()> {
    let path = Path::new(target);
    match what {
        // A comment in every file that is read again while the attempts go on.
        "append" => OpenOptions::new().append(true).open(path)?.write_all(b"# forged\n"),
        "create" => fs::write(path, "forged"),
        // As a running program is replaced.
        "replace" => {
            fs::write(path.with_extension("new"), "forged")?;
            fs::rename(path.with_extension("new"), path)
        }
        "remove" => fs::remove_file(path),
        "empty" => OpenOptions::new().write(true).truncate(true).open(path).map(drop),
        "link-and-write" => {
            let link = temporary().join("linked");
            let _ = fs::remove_file(&link);
            fs::hard_link(path, &link)?;
            OpenOptions::new().append(true).open(&link)?.write_all(b"forged")
        }
        "read" => fs::read(path).map(drop),
        "read-parent" => fs::read(format!("/proc/{}/environ", parent())).map(drop),
        "open-memory-of-parent" => {
            OpenOptions::new().write(true).open(format!("/proc/{}/mem", parent())).map(drop)
        }
        "connect" => std::net::TcpStream::connect(target).map(drop),
        "listen" => std::net::TcpListener::bind(target).map(drop),
        "kill-parent" => {
            let killed = std::process::Command::new("kill").args(["-KILL", &parent()]).status()?;
            killed.success().then_some(()).ok_or_else(|| io::Error::other("not permitted"))
        }
        other => Err(io::Error::other(format!("a mistake of the test: {other}"))),
    }
}

/// A folder that may be written.
fn temporary() -> std::path::PathBuf {
    std::env::temp_dir()
}

fn parent() -> String {
    std::os::unix::process::parent_id().to_string()
}
