//! `benchgate selftest`: what the gate can see on this machine.

mod canaries;
mod copies;
mod stopwatch;

use std::path::Path;
use std::time::Instant;

use benchgate_core::adapters::FormatError;
use benchgate_core::model::{Machine, Verdict};
use benchgate_core::selftest::{SELFTEST_SCHEMA, SelfTest, terminal};
use benchgate_host::cargo::Workspace;
use benchgate_host::{HostError, files, machine};

use self::copies::Copies;
use crate::cli::SelftestArgs;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::session::Session;
use crate::{progress, seed, show};

/// Its file in `target/benchgate`.
const FILE: &str = "selftest.json";

pub(crate) fn run(arguments: &SelftestArgs) -> Result<Exit, CommandError> {
    let began = Instant::now();
    let progress = progress::progress();
    let seed = seed::of(arguments.seed);
    let (target, machine, copies) = if arguments.canaries_only {
        let (target, machine) = alone(arguments)?;
        (target, machine, None)
    } else {
        let session = Session::open(&arguments.measure)?;
        let copies = copies::compare(arguments, &session, seed, &*progress)?;
        (session.workspace.target_dir, session.machine, Some(copies))
    };
    let work = target.join("benchgate");
    let canaries = match arguments.no_canaries {
        true => Vec::new(),
        false => canaries::run(&work.join("selftest"), &*progress)?,
    };
    let (head, suites, benchmarks) = match copies {
        Some(Copies { head, suites, benchmarks }) => (Some(head), suites, benchmarks),
        None => (None, Vec::new(), Vec::new()),
    };
    let selftest = SelfTest {
        schema: SELFTEST_SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        time: show::now(),
        machine,
        head,
        seed,
        seconds: began.elapsed().as_secs_f64(),
        suites,
        benchmarks,
        canaries,
    };
    let file = work.join(FILE);
    files::write_atomically(&file, selftest.to_json().as_bytes())?;
    show::text(&terminal(&selftest, show::width()));
    show::say(&format!("  written: {}", show::told(&file)));
    Ok(match selftest.verdict() {
        Verdict::Pass => Exit::Pass,
        Verdict::Inconclusive => Exit::Inconclusive,
        // Nothing of the user's is proven slower, whatever the gate says about canaries.
        Verdict::Incomplete | Verdict::Regression => Exit::Incomplete,
    })
}

/// Canaries need no benches around them, only a place.
fn alone(arguments: &SelftestArgs) -> Result<(std::path::PathBuf, Machine), CommandError> {
    let here = std::env::current_dir().map_err(HostError::from)?;
    let machine = machine::fingerprint(arguments.measure.machine.as_deref())?;
    Ok((Workspace::around(&here)?.target_dir, machine))
}

/// The last self-test of a workspace; `None` where there was none.
pub(crate) fn last(target_dir: &Path) -> Option<Result<SelfTest, HostError>> {
    let path = target_dir.join("benchgate").join(FILE);
    let bytes = files::read(&path).ok()?;
    let problem = |problem: FormatError| HostError::Content { path, problem: problem.to_string() };
    Some(SelfTest::from_json(&bytes).map_err(problem))
}

/// When it was, and what it showed.
pub(crate) fn told(selftest: &SelfTest) -> String {
    let day = selftest.time.get(..10).unwrap_or(&selftest.time);
    format!("selftest of {day}: {}", selftest.line())
}
