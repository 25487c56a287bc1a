//! `benchgate selftest`: shows what the gate can detect on this machine.

mod canaries;
mod copies;
mod stopwatch;

use std::path::Path;
use std::time::Instant;

use benchgate_core::model::{Machine, Verdict};
use benchgate_core::selftest::{SELFTEST_SCHEMA, SelfTest, terminal};
use benchgate_host::HostError;
use benchgate_host::system::{files, machine};

use self::copies::Copies;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::request::{MeasureRequest, SelftestRequest};
use crate::session::{Session, workspace};
use crate::{progress, seed, show};

/// Its file in `target/benchgate`.
const FILE: &str = "selftest.json";

pub(crate) fn run(request: &SelftestRequest) -> Result<Exit, CommandError> {
    let began = Instant::now();
    let progress = progress::progress();
    let seed = seed::of(request.seed);
    let (work, machine, copies) = if !request.copies {
        let (work, machine) = alone(request)?;
        (work, machine, None)
    } else {
        let MeasureRequest { machine, manifest_path, .. } = &request.measure;
        let session = Session::open(machine.as_deref(), manifest_path.as_deref())?;
        let copies = copies::compare(request, &session, seed, &*progress)?;
        (session.workspace.work_dir(), session.machine, Some(copies))
    };
    let canaries = match request.canaries {
        true => canaries::run(&work.join("selftest"), &*progress)?,
        false => Vec::new(),
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
    show::say(&format!("  written: {}", show::shown(&file)));
    Ok(match selftest.verdict() {
        Verdict::Pass => Exit::Pass,
        Verdict::Inconclusive => Exit::Inconclusive,
        // No code of the user is proven slower, whatever the gate reports about canaries.
        Verdict::Incomplete | Verdict::Regression => Exit::Incomplete,
    })
}

/// Folder and machine of a run with canaries alone, which need no benches of the user.
fn alone(request: &SelftestRequest) -> Result<(std::path::PathBuf, Machine), CommandError> {
    let machine = machine::fingerprint(request.measure.machine.as_deref())?;
    Ok((workspace()?.work_dir(), machine))
}

/// The last self-test of a workspace; `None` if there was none.
pub(crate) fn last(work_dir: &Path) -> Option<Result<SelfTest, HostError>> {
    let path = work_dir.join(FILE);
    let bytes = files::read(&path).ok()?;
    Some(SelfTest::from_json(&bytes).map_err(|error| HostError::format(path, error)))
}

/// Its date and its summary.
pub(crate) fn summary(selftest: &SelfTest) -> String {
    let day = selftest.time.get(..10).unwrap_or(&selftest.time);
    format!("selftest of {day}: {}", selftest.line())
}
