//! Reads the records that a user compares: exports, baselines, Criterion homes, results, files of JMH.

use std::io::Read as _;
use std::mem;
use std::path::{Path, PathBuf};

use benchgate_core::adapters::unread::{self, Unread};
use benchgate_core::adapters::{critcmp, criterion, jmh, others};
use benchgate_core::json;
use benchgate_core::model::{BenchmarkKey, Recorded, RecordedBenchmark};
use benchgate_core::result::{RESULT_SCHEMA, RunResult};
use fs_err as fs;

use crate::HostError;
use crate::store::baselines;
use crate::system::files;

/// Number of bytes of a file that are searched for its schema.
const SCHEMA_WITHIN: usize = 4096;

/// Reads the record that `name` refers to: a critcmp export, a baseline file or a folder of them, a
/// `result.json` (its head), the JSON of JMH, hyperfine, google/benchmark or cargo-criterion, the text of bencher or
/// libtest, or a Criterion home with a baseline name behind a colon
/// (`target/criterion:main`; without one, `new`: the last run).
///
/// # Errors
/// Names the file and the key, or lists what a name may refer to.
pub fn read(name: &str) -> Result<Recorded, HostError> {
    read_named(name, &mut Vec::new())
}

/// Like [`read`], of both sides of a comparison.
///
/// # Errors
/// As [`read`].
pub fn read_both(base: &str, head: &str) -> Result<[Recorded; 2], HostError> {
    // To get the memory for a second text is a tenth of the time that large records take.
    let mut text = Vec::new();
    Ok([read_named(base, &mut text)?, read_named(head, &mut text)?])
}

/// Reads a record by means of the memory of another text.
fn read_named(name: &str, text: &mut Vec<u8>) -> Result<Recorded, HostError> {
    let path = Path::new(name);
    if path.is_file() {
        return read_file(path, text);
    }
    if path.is_dir() {
        let exports = baselines::json_files(path)?;
        return if exports.is_empty() {
            read_home(path, LAST_RUN)
        } else {
            read_folder(&exports, text)
        };
    }
    if let Some((home, baseline)) = name.rsplit_once(':')
        && Path::new(home).is_dir()
    {
        return read_home(Path::new(home), baseline);
    }
    Err(HostError::usage(format!("there is nothing at `{name}`"), READ))
}

/// What can be compared.
const READ: &str = "name a critcmp export, a baseline file or its folder, a result.json, the JSON of hyperfine \
                    (`--export-json`), google/benchmark (`--benchmark_out_format=json`), JMH (`-rf json`) or cargo-criterion \
                    (`--message-format=json`), the text of `cargo bench` with bencher or libtest, or a Criterion home with a \
                    baseline name (target/criterion:main)";

/// The ending of cargo-criterion's own files.
const CBOR: &str = "cbor";

/// The error of a format that is known and not read.
fn is_unread(path: &Path, Unread { what, instead }: Unread) -> HostError {
    HostError::usage(format!("{} is not read: it is {what}", path.display()), instead)
}

/// The error of cargo-criterion's own files.
fn is_cbor(path: &Path) -> HostError {
    HostError::usage(
        format!("{} holds files of cargo-criterion (CBOR), which are not read", path.display()),
        "let it print what is: `cargo criterion --message-format=json >head.json`",
    )
}

/// Whether a file has the schema of a result, of any version.
///
/// # Errors
/// Names the file that cannot be read.
pub fn is_result(path: &Path) -> Result<bool, HostError> {
    if !path.is_file() {
        return Ok(false);
    }
    let mut start = Vec::new();
    files::open(path)?.take(SCHEMA_WITHIN as u64).read_to_end(&mut start)?;
    Ok(is_text_of_result(&json::unmarked(start)))
}

fn is_text_of_result(text: &[u8]) -> bool {
    let family = RESULT_SCHEMA.split('/').next().unwrap_or(RESULT_SCHEMA).as_bytes();
    files::holds(text.get(..SCHEMA_WITHIN).unwrap_or(text), family)
}

fn read_text<'a>(path: &Path, text: &'a mut Vec<u8>) -> Result<&'a [u8], HostError> {
    files::read_into(path, text)?;
    *text = json::unmarked(mem::take(text));
    Ok(text)
}

fn read_file(path: &Path, text: &mut Vec<u8>) -> Result<Recorded, HostError> {
    let bytes = read_text(path, text)?;
    // A result of another version gets its own error.
    if is_text_of_result(bytes) {
        let result = RunResult::from_json(bytes).map_err(|error| HostError::format(path, error))?;
        return Ok(result.to_recorded());
    }
    if jmh::is_spoken(bytes) {
        return jmh::record(bytes).map_err(|error| HostError::format(path, error));
    }
    if let Some(record) = others::record(bytes) {
        return record.map_err(|error| HostError::format(path, error));
    }
    if path.extension().is_some_and(|ending| ending == CBOR) {
        return Err(is_cbor(path));
    }
    let is_object = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    let read = if is_object || bytes.is_empty() {
        read_export(path, bytes)
    } else {
        Err(HostError::Content {
            path: path.to_owned(),
            problem: "this is not a JSON object, nor of another format that is read (`benchgate compare --help` lists \
                      them)"
                .to_owned(),
        })
    };
    // Asked last: what can be read is.
    read.map_err(|error| unread::named(bytes).map_or(error, |known| is_unread(path, known)))
}

/// An export of critcmp, or a baseline.
fn read_export(path: &Path, bytes: &[u8]) -> Result<Recorded, HostError> {
    critcmp::record(bytes).map_err(|error| HostError::format(path, error))
}

fn read_folder(files: &[PathBuf], text: &mut Vec<u8>) -> Result<Recorded, HostError> {
    let mut all = Recorded::default();
    for path in files {
        let record = read_export(path, read_text(path, text)?)?;
        if let Some(key) = record.keys().find(|key| all.names(key)) {
            return Err(HostError::Content {
                path: path.clone(),
                problem: format!("`{key}` is also in another file of the folder"),
            });
        }
        all.benchmarks.extend(record.benchmarks);
        all.refused.extend(record.refused);
        all.commit = record.commit.or(all.commit);
        all.time = record.time.or(all.time);
        all.machine = record.machine.or(all.machine);
        all.toolchain = record.toolchain.or(all.toolchain);
    }
    Ok(all)
}

/// The folder of the last run: a baseline can be read from it, but not saved under its name.
const LAST_RUN: &str = "new";

fn read_home(home: &Path, baseline: &str) -> Result<Recorded, HostError> {
    if baseline != LAST_RUN {
        criterion::check_baseline_name(baseline)
            .map_err(|error| HostError::usage(error.to_string(), "name another baseline"))?;
    }
    let mut record = Recorded::default();
    let mut pending = vec![home.to_owned()];
    let mut has_cbor = false;
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                has_cbor |= entry.path().extension().is_some_and(|ending| ending == CBOR);
                continue;
            }
            let path = entry.path();
            if entry.file_name() == baseline && path.join("estimates.json").is_file() {
                let (key, values) = read_benchmark(&path)?;
                if record.names(&key) {
                    return Err(HostError::Content {
                        path,
                        problem: format!(
                            "`{key}` is also in another folder of this Criterion home"
                        ),
                    });
                }
                record.add(key, values);
            }
            pending.push(path);
        }
    }
    if record.is_empty() && has_cbor {
        return Err(is_cbor(home));
    }
    if record.is_empty() {
        return Err(HostError::usage(
            format!("{} holds no baseline `{baseline}`", home.display()),
            "name a Criterion home and a baseline that `cargo bench -- --save-baseline NAME` wrote",
        ));
    }
    Ok(record)
}

/// A benchmark of a home, and its values or the reason why they are none.
fn read_benchmark(
    folder: &Path,
) -> Result<(BenchmarkKey, Result<RecordedBenchmark, String>), HostError> {
    let identity_path = folder.join("benchmark.json");
    if !identity_path.is_file() {
        return Err(HostError::Content {
            path: identity_path,
            problem: "is missing: a run that crashed left its estimates behind; remove this folder"
                .to_owned(),
        });
    }
    let identity = criterion::identity(&files::read(&identity_path)?)
        .map_err(|error| HostError::format(identity_path, error))?;
    let estimates_path = folder.join("estimates.json");
    let text = files::read(&estimates_path)?;
    let values = match criterion::estimates(&text) {
        // Criterion empties those of all benchmarks at once.
        Err(error) if text.is_empty() => return Err(HostError::format(estimates_path, error)),
        values => values.map_err(|error| format!("estimates.json: {error}")),
    };
    Ok((BenchmarkKey::of_id(identity.full_id), values))
}
