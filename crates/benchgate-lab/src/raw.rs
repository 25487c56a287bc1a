//! Raw data: one JSON object per line. Every table and plot is made from these lines and nothing else.

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use benchgate_core::model::Finding;
use benchgate_host::HostError;
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use fs_err as fs;
use serde::{Deserialize, Serialize};

use crate::variant::Variant;

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Raw {
    /// The run itself.
    Run(Run),
    /// A build of the kernels.
    Executable(Executable),
    /// The true change of a kernel, measured without Criterion.
    Truth(Truth),
    /// Instructions per iteration.
    Instructions(Instructions),
    /// Pairs of processes as the gate runs them, all of them.
    Sequence(Sequence),
    /// A decision of the gate, measured individually.
    Gate(Gate),
    /// Two Criterion runs.
    Criterion(Criterion),
    /// Ten processes of the base, then ten of the head.
    Blocks(Blocks),
    /// Two processes in lock step.
    Lockstep(Lockstep),
    /// Several benchmarks in one process.
    Grouped(Grouped),
    /// Pairs of processes that measure for another time than the gate's.
    Lengths(Lengths),
    /// A whole check in lockstep.
    Check(Check),
}

/// A whole `benchgate check` of kernels at several sizes, of which some do more work: `scripts/evidence/decisions`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Check {
    /// The day.
    pub(crate) on: String,
    /// What measures, decides and is measured: a digest of git's names of its folders.
    pub(crate) engine: String,
    /// The share of the processors that other work took before it.
    pub(crate) load: f64,
    /// Seed of the check.
    pub(crate) seed: u64,
    /// More units of work, in percent.
    pub(crate) percent: u32,
    /// The sizes that do more.
    pub(crate) sizes: Vec<usize>,
    /// Least number of bytes by which the code of a kernel lies elsewhere in the head; 0 where it lies at the same places.
    #[serde(default)]
    pub(crate) moved: u32,
    /// Whether two busy processes ran alongside.
    pub(crate) busy: bool,
    /// Its exit code; that of a crash is another one than the gate's.
    pub(crate) exit: i32,
    /// The machine and the compiler.
    pub(crate) machine: String,
    /// What it took.
    pub(crate) seconds: Seconds,
    /// What it says of each benchmark; nothing after a crash.
    pub(crate) decisions: Vec<Decided>,
}

/// Seconds of a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seconds {
    /// Of building both sides.
    pub(crate) build: f64,
    /// Of measuring.
    pub(crate) measure: f64,
}

/// The id of a benchmark, what was found, the change with the ends of its interval, and pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Decided(
    pub(crate) String,
    pub(crate) Finding,
    pub(crate) Option<f64>,
    pub(crate) Option<f64>,
    pub(crate) Option<f64>,
    pub(crate) Option<u32>,
);

/// The settings and the machine of the recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// Seed of all random draws.
    pub(crate) seed: u64,
    /// Requested minutes.
    pub(crate) minutes: f64,
    /// Busy processes of a loaded cycle.
    pub(crate) load: usize,
    /// The processor.
    pub(crate) cpu: String,
    /// Its logical cores.
    pub(crate) cores: usize,
    /// `rustc --version`.
    pub(crate) rustc: String,
    /// The engine: git's name of the folder of the core's crate.
    pub(crate) engine: String,
    /// Criterion's warm-up and measurement of the gate's processes, in milliseconds.
    pub(crate) process: (u32, u32),
}

/// A build of the kernels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Executable {
    /// The variant.
    pub(crate) variant: Variant,
    /// Its size in bytes.
    pub(crate) bytes: u64,
    /// Number of bytes that differ from the base that it is compared with, where the sizes are equal.
    pub(crate) differing: Option<u64>,
}

/// The true change: one log-ratio per pair of long processes that drew the same states of the heap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Truth {
    /// Kernel.
    pub(crate) kernel: String,
    /// More units of work, in percent.
    pub(crate) percent: u32,
    /// ln(head / base), the mean over the states of the heap of one pair of processes.
    pub(crate) logs: Vec<f64>,
}

/// Instructions per iteration, counted by valgrind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Instructions {
    /// Kernel.
    pub(crate) kernel: String,
    /// The variant.
    pub(crate) variant: Variant,
    /// Instructions.
    pub(crate) count: f64,
}

/// A pair: nanoseconds per iteration of base and head, Criterion samples in addition to the policy's,
/// characters by which the home's path is longer, seconds for both processes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pair(pub f64, pub f64, pub u32, pub u32, pub f64);

impl Pair {
    /// ln(head / base).
    pub(crate) fn log(&self) -> f64 {
        (self.1 / self.0).ln()
    }
}

/// Pairs of processes in the order in which they ran.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sequence {
    /// Kernel.
    pub(crate) kernel: String,
    /// The head.
    pub(crate) variant: Variant,
    /// Whether busy processes ran alongside.
    pub(crate) loaded: bool,
    /// The pairs.
    pub(crate) pairs: Vec<Pair>,
}

/// All pairs that the gate measured for one benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Gate {
    /// The run of the gate that it was part of.
    pub(crate) run: u32,
    /// Kernel.
    pub(crate) kernel: String,
    /// The head.
    pub(crate) variant: Variant,
    /// Whether busy processes ran alongside.
    pub(crate) loaded: bool,
    /// The screening pairs.
    pub(crate) screening: Vec<Pair>,
    /// The confirmation pairs of a candidate.
    pub(crate) confirmation: Vec<Pair>,
    /// The layout of each confirmation pair.
    pub(crate) layouts: Vec<u32>,
    /// The place of each pair in the run, screening first.
    pub(crate) order: Vec<u32>,
}

/// The estimates of a Criterion run for one benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Estimates {
    /// Nanoseconds.
    pub(crate) mean: f64,
    /// Nanoseconds.
    pub(crate) median: f64,
}

/// A base suite, then a head suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Criterion {
    /// Kernel.
    pub(crate) kernel: String,
    /// The head.
    pub(crate) variant: Variant,
    /// Whether busy processes ran alongside.
    pub(crate) loaded: bool,
    /// Criterion's warm-up and measurement in seconds.
    pub(crate) settings: (f64, f64),
    /// Estimates of the base.
    pub(crate) base: Estimates,
    /// Estimates of the head.
    pub(crate) head: Estimates,
    /// Criterion's verdict on the change.
    pub(crate) verdict: Verdict,
    /// Seconds of both sides, for this benchmark alone.
    pub(crate) seconds: f64,
}

/// Criterion's verdict on a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    /// "Performance has regressed."
    Regressed,
    /// "Performance has improved."
    Improved,
    /// "Change within noise threshold."
    WithinNoise,
    /// "No change in performance detected."
    NoChange,
}

/// Processes of one side after those of the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Blocks {
    /// Kernel.
    pub(crate) kernel: String,
    /// The head.
    pub(crate) variant: Variant,
    /// Whether busy processes ran alongside.
    pub(crate) loaded: bool,
    /// Nanoseconds per iteration.
    pub(crate) base: Vec<f64>,
    /// Nanoseconds per iteration.
    pub(crate) head: Vec<f64>,
    /// Seconds of all processes.
    pub(crate) seconds: f64,
}

/// Two processes that took turns batch by batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lockstep {
    /// Kernel.
    pub(crate) kernel: String,
    /// The head.
    pub(crate) variant: Variant,
    /// Whether busy processes ran alongside.
    pub(crate) loaded: bool,
    /// Pairs of batches.
    pub(crate) pairs: usize,
    /// Mean of the base in nanoseconds per iteration.
    pub(crate) base: f64,
    /// Mean of head - base.
    pub(crate) difference: f64,
    /// Sample standard deviation of head - base.
    pub(crate) deviation: f64,
    /// Seconds of both processes, including start-up.
    pub(crate) seconds: f64,
}

/// Benchmarks of one executable, each in a separate process and all in one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Grouped {
    /// Kernel.
    pub(crate) kernel: String,
    /// The head.
    pub(crate) variant: Variant,
    /// Benchmarks in the process.
    pub(crate) together: usize,
    /// The pairs; seconds are the process's, shared equally.
    pub(crate) pairs: Vec<Pair>,
}

/// Pairs of processes of one length; those of the other lengths ran in turn with them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lengths {
    /// Kernel.
    pub(crate) kernel: String,
    /// The head.
    pub(crate) variant: Variant,
    /// Whether busy processes ran alongside.
    pub(crate) loaded: bool,
    /// Criterion's warm-up and measurement in milliseconds.
    pub(crate) settings: (u32, u32),
    /// The pairs.
    pub(crate) pairs: Vec<Pair>,
}

/// Rounds to five significant digits: precise to 1e-5, at a third of the bytes.
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

const PLAIN: &str = ".jsonl";
const PACKED: &str = ".jsonl.gz";

/// Writes raw data, line by line, so that an interrupted run keeps what it measured.
pub(crate) struct Writer {
    path: PathBuf,
    file: BufWriter<fs::File>,
}

impl Writer {
    /// Starts a new file in a folder, named after the seed: runs with other seeds are added.
    ///
    /// # Errors
    /// Names the path.
    pub(crate) fn create(folder: &Path, seed: u64) -> Result<Self, HostError> {
        fs::create_dir_all(folder)?;
        let packed = folder.join(format!("seed-{seed}{PACKED}"));
        if packed.exists() {
            fs::remove_file(packed)?;
        }
        let path = folder.join(format!("seed-{seed}{PLAIN}"));
        let file = BufWriter::new(fs::File::create(&path)?);
        Ok(Self { path, file })
    }

    /// Adds a line.
    ///
    /// # Errors
    /// Names the path.
    pub(crate) fn write(&mut self, raw: &Raw) -> Result<(), HostError> {
        let line =
            serde_json::to_string(raw).map_err(|error| HostError::format(&self.path, error))?;
        writeln!(self.file, "{line}")?;
        Ok(self.file.flush()?)
    }

    /// Packs what was written.
    ///
    /// # Errors
    /// Names the path.
    pub(crate) fn finish(self) -> Result<PathBuf, HostError> {
        drop(self.file);
        let plain = fs::read(&self.path)?;
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(&plain)?;
        let packed = self.path.with_extension(&PACKED[1..]);
        benchgate_host::system::files::write_atomically(&packed, &packer.finish()?)?;
        fs::remove_file(&self.path)?;
        Ok(packed)
    }
}

/// Reads all raw data of a folder, run after run.
///
/// # Errors
/// Names the path and the line; also when there is none.
pub(crate) fn read(folder: &Path) -> Result<Vec<Raw>, HostError> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let name = path.to_string_lossy();
        if name.ends_with(PACKED) {
            let unpacker = GzDecoder::new(BufReader::new(fs::File::open(&path)?));
            all.extend(lines(&path, BufReader::new(unpacker))?);
        } else if name.ends_with(PLAIN) {
            all.extend(lines(&path, BufReader::new(fs::File::open(&path)?))?);
        }
    }
    if all.is_empty() {
        let problem = "has no raw data: `lab run --out` records some".to_owned();
        return Err(HostError::Content { path: folder.to_owned(), problem });
    }
    Ok(all)
}

/// The data of each recording, a separate build, with its number, beginning with 1; what has no [`Raw::Run`] before it is of
/// number 0.
pub(crate) fn builds(raw: &[Raw]) -> impl Iterator<Item = (usize, &[Raw])> {
    let first = usize::from(matches!(raw.first(), Some(Raw::Run(_))));
    (first..).zip(raw.chunk_by(|_, next| !matches!(next, Raw::Run(_))))
}

fn lines(path: &Path, reader: impl BufRead) -> Result<Vec<Raw>, HostError> {
    reader
        .lines()
        .enumerate()
        .map(|(index, line)| {
            serde_json::from_str(&line?).map_err(|error| HostError::Content {
                path: path.to_owned(),
                problem: format!("line {}: {error}", index + 1),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_back_packed_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let raw = Raw::Sequence(Sequence {
            kernel: "sort".into(),
            variant: Variant::Heap(256),
            loaded: true,
            pairs: vec![Pair(100.25, 101.5, 3, 7, 0.09)],
        });
        let mut writer = Writer::create(folder.path(), 1).unwrap();
        writer.write(&raw).unwrap();
        writer.write(&raw).unwrap();
        let all = vec![raw.clone(), raw];
        assert_eq!(read(folder.path()).unwrap(), all);
        writer.finish().unwrap();
        assert_eq!(read(folder.path()).unwrap(), all);
        // Another run is added; the same one replaces the first.
        let mut writer = Writer::create(folder.path(), 2).unwrap();
        writer.write(&all[0]).unwrap();
        assert_eq!(read(folder.path()).unwrap().len(), 3);
        let mut writer = Writer::create(folder.path(), 1).unwrap();
        writer.write(&all[0]).unwrap();
        assert_eq!(read(folder.path()).unwrap().len(), 2);
    }

    #[test]
    fn a_torn_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("seed-1.jsonl"), "{\"kind\":\"run\"").unwrap();
        let error = read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("seed-1.jsonl: line 1: "), "{error}");
    }

    #[test]
    fn five_digits_are_kept() {
        assert_eq!([rounded(123_456.7), rounded(0.012_345_67)], [123_460.0, 0.012_346]);
    }
}
