//! Builds the executables under test and makes their variants.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use benchgate_core::model::{Metric, SuiteKey};
use benchgate_core::policy::Measure;
use benchgate_core::schedule::Nuisance;
use benchgate_host::flags::ALIGNMENT;
use benchgate_host::harness::{Criterion, Request, Suite as _};
use benchgate_host::sandbox::Sandbox;
use benchgate_host::sides::Executable;
use benchgate_host::{HostError, process};
use fs_err as fs;

use crate::raw;
use crate::variant::Variant;

/// The benchmarks of the executable, in its order.
pub(crate) const KERNELS: [&str; 7] =
    ["varint", "hash", "alloc", "parse", "hashmap", "chase", "sort"];

/// The mark in front of the two words that make a variant.
const MARK: [u8; 8] = 0x6c61_622d_776f_7264_u64.to_le_bytes();

/// Both sides of every variant.
pub(crate) struct Kernels {
    /// With aligned functions, and without.
    bases: BTreeMap<bool, Criterion>,
    heads: BTreeMap<Variant, Criterion>,
    /// The descriptions of the heads, for the raw data.
    pub(crate) described: Vec<raw::Executable>,
}

impl Kernels {
    /// Builds the kernels and makes the variants below `folder`.
    ///
    /// # Errors
    /// When cargo fails, or when an executable does not have its mark exactly once.
    pub(crate) fn build(folder: &Path) -> Result<Self, HostError> {
        let mut built: BTreeMap<(bool, u32), Vec<u8>> = BTreeMap::new();
        let mut kernels =
            Self { bases: BTreeMap::new(), heads: BTreeMap::new(), described: Vec::new() };
        let bin = folder.join("bin");
        for base in [Variant::Same, Variant::Unaligned(0)] {
            let bytes = compile(folder, base)?;
            // Paths of both sides have equal length: a process starts with its path on the stack.
            let path = bin.join("base").join(format!("{base:_<16}"));
            kernels.bases.insert(base.is_aligned(), install(&path, &bytes, folder)?);
            built.insert((base.is_aligned(), 0), bytes);
        }
        for variant in Variant::ALL {
            let key = (variant.is_aligned(), variant.padding());
            let mut bytes = match built.get(&key) {
                Some(bytes) => bytes.clone(),
                None => built.entry(key).or_insert(compile(folder, variant)?).clone(),
            };
            write_words(&mut bytes, variant)?;
            let path = bin.join("head").join(format!("{variant:_<16}"));
            kernels.heads.insert(variant, install(&path, &bytes, folder)?);
            let base = &built[&(variant.is_aligned(), 0)];
            let differing = || bytes.iter().zip(base).filter(|(a, b)| a != b).count() as u64;
            kernels.described.push(raw::Executable {
                variant,
                bytes: bytes.len() as u64,
                differing: (bytes.len() == base.len()).then(differing),
            });
        }
        Ok(kernels)
    }

    /// The base that a variant is compared with.
    pub(crate) fn base(&self, variant: Variant) -> &Criterion {
        &self.bases[&variant.is_aligned()]
    }

    /// The variant.
    pub(crate) fn head(&self, variant: Variant) -> &Criterion {
        &self.heads[&variant]
    }
}

/// Runs one benchmark of a suite as the gate does.
///
/// # Errors
/// When the bench gives no value: here that is an error of the lab.
pub(crate) fn round(
    suite: &Criterion,
    kernel: &str,
    nuisance: Nuisance,
    scratch: &Path,
) -> Result<f64, HostError> {
    round_of(suite, kernel, nuisance, scratch, &Measure::default())
}

/// Runs one benchmark of a suite as the gate does with another policy.
///
/// # Errors
/// When the bench gives no value: here that is an error of the lab.
pub(crate) fn round_of(
    suite: &Criterion,
    kernel: &str,
    nuisance: Nuisance,
    scratch: &Path,
    measure: &Measure,
) -> Result<f64, HostError> {
    let request = Request { nuisance, ..Request::new(measure, scratch) };
    match suite.round(kernel, &request)? {
        Ok(round) => match round.values.get(&Metric::TIME) {
            Some(value) => Ok(*value),
            None => Err(broken(suite, format!("{kernel}: no time"))),
        },
        Err(failure) => Err(broken(suite, format!("{kernel}: {}", failure.reason))),
    }
}

/// The error of an executable that does not behave as expected.
pub(crate) fn broken(suite: &Criterion, problem: String) -> HostError {
    HostError::Content { path: suite.executable().path.clone(), problem }
}

fn install(path: &Path, bytes: &[u8], scratch: &Path) -> Result<Criterion, HostError> {
    benchgate_host::files::write_atomically(path, bytes)?;
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let executable = Executable {
        key: SuiteKey::new("lab-kernels", "kernels"),
        path: path.to_owned(),
        arguments: Vec::new(),
        folder: scratch.to_owned(),
        declared: None,
        start: None,
        names: Vec::new(),
        sandbox: Sandbox::default(),
    };
    Criterion::open(executable, &Measure::default(), scratch)?
        .map_err(|failure| HostError::Content { path: path.to_owned(), problem: failure.reason })
}

fn compile(folder: &Path, variant: Variant) -> Result<Vec<u8>, HostError> {
    let target = folder.join("build");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .current_dir(&source)
        .args(["rustc", "--quiet", "--locked", "--release", "--target-dir"])
        .arg(&target)
        .env("LAB_PAD", variant.padding().to_string());
    if variant.is_aligned() {
        command.args(["--", ALIGNMENT]);
    }
    let done = process::run(&mut command, None, &mut |line| eprintln!("{line}"))?;
    if !done.succeeded() {
        let output = done.tail(40);
        return Err(HostError::Cargo { what: "build the kernels".into(), output });
    }
    Ok(fs::read(target.join("release/lab-kernels"))?)
}

fn write_words(bytes: &mut [u8], variant: Variant) -> Result<(), HostError> {
    let found: Vec<usize> =
        (0..bytes.len().saturating_sub(24)).filter(|at| bytes[*at..].starts_with(&MARK)).collect();
    let [at] = found[..] else {
        let problem = format!("the mark of the variant occurs {} times in it", found.len());
        return Err(HostError::Content { path: PathBuf::from("lab-kernels"), problem });
    };
    bytes[at + 8..at + 16].copy_from_slice(&u64::from(variant.percent()).to_le_bytes());
    bytes[at + 16..at + 24].copy_from_slice(&u64::from(variant.heap()).to_le_bytes());
    Ok(())
}
