//! Compiles the kernels once and links them often: in other orders of their functions, and with padding between them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use benchgate_host::HostError;
use benchgate_host::cargo::flags::ALIGNMENT;
use benchgate_host::system::{files, links, process};
use fs_err as fs;

use crate::variant::{Code, Variant};

/// The seed of the padding between functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Padding(pub(crate) u32);

/// What was compiled, by its code.
pub(crate) struct Linker {
    /// The executable of each code, with what it was linked from next to it.
    compiled: BTreeMap<Code, PathBuf>,
    linked: PathBuf,
}

impl Linker {
    /// Compiles all code of the variants below `folder`.
    ///
    /// # Errors
    /// When cargo fails, and when it does not link as on x86-64 Linux.
    pub(crate) fn build(folder: &Path) -> Result<Self, HostError> {
        let all = Variant::ALL.into_iter().chain([Variant::Unaligned(0)]);
        let codes: BTreeSet<Code> = all.map(Variant::code).collect();
        let compile = |code| Ok((code, compile(folder, code)?));
        let compiled = codes.into_iter().map(compile).collect::<Result<_, HostError>>()?;
        Ok(Self { compiled, linked: folder.join("linked") })
    }

    /// Links some code: functions in the order of a seed, and moved by padding as the gate moves them.
    ///
    /// # Errors
    /// When the linker fails.
    pub(crate) fn link(
        &self,
        code: Code,
        order: u32,
        padding: Option<Padding>,
    ) -> Result<Vec<u8>, HostError> {
        let mut more = vec![
            // Mangled names only: padding in front of the code stays there.
            format!("-Wl,--shuffle-sections=.text._*={order}"),
            "-Wl,--strip-all".to_owned(),
        ];
        if let Some(Padding(seed)) = padding {
            more.push(format!("-Wl,--randomize-section-padding={seed}"));
        }
        let compiled = &self.compiled[&code];
        let Some(mut command) = links::command(compiled, &self.linked, &more) else {
            let problem = "nothing is kept of what it was linked from".to_owned();
            return Err(HostError::Content { path: compiled.clone(), problem });
        };
        let done = process::run(&mut command, None, &mut |_| ())?;
        if !done.succeeded() {
            let output = done.tail(10);
            return Err(HostError::Cargo { what: "link the kernels".into(), output });
        }
        Ok(fs::read(&self.linked)?)
    }
}

/// The path of the executable, and next to it what it was linked from.
fn compile(folder: &Path, code: Code) -> Result<PathBuf, HostError> {
    let (is_aligned, padding) = code;
    let target = folder.join("build");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .current_dir(&source)
        .args(["rustc", "--quiet", "--locked", "--release", "--target-dir"])
        .arg(&target)
        .env("LAB_PAD", padding.to_string())
        .env(links::LINKER, links::linker_in(&folder.join("linker"))?);
    if is_aligned {
        command.args(["--", ALIGNMENT]);
    }
    let done = process::run(&mut command, None, &mut |line| eprintln!("{line}"))?;
    if !done.succeeded() {
        let output = done.tail(40);
        return Err(HostError::Cargo { what: "build the kernels".into(), output });
    }
    // The next code takes its place.
    let name = if is_aligned { format!("aligned-{padding}") } else { format!("as-is-{padding}") };
    let compiled = folder.join("compiled").join(name);
    files::remove_dir(&links::folder(&compiled))?;
    fs::create_dir_all(folder.join("compiled"))?;
    fs::rename(links::folder(&built(&target.join("release/deps"))?), links::folder(&compiled))?;
    Ok(compiled)
}

/// The executable in cargo's folder whose objects were kept.
fn built(deps: &Path) -> Result<PathBuf, HostError> {
    for entry in fs::read_dir(deps)? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "link") {
            return Ok(path.with_extension(""));
        }
    }
    let problem = "nothing was kept of what was linked: layouts are linked on x86-64 Linux only";
    Err(HostError::Content { path: deps.to_owned(), problem: problem.to_owned() })
}
