//! The executables under test: both sides of every variant, linked in an order that is drawn.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use benchgate_core::model::{Metric, SuiteKey};
use benchgate_core::policy::Measure;
use benchgate_core::schedule::Nuisance;
use benchgate_host::HostError;
use benchgate_host::harness::{Criterion, Request, Suite as _};
use benchgate_host::sides::Executable;
use benchgate_host::system::sandbox::Sandbox;
use fs_err as fs;

use crate::linking::{Linker, Padding};
use crate::raw;
use crate::variant::{Code, Variant};

/// The benchmarks of the executable, in its order.
pub(crate) const KERNELS: [&str; 7] =
    ["varint", "hash", "alloc", "parse", "hashmap", "chase", "sort"];

/// The benchmark that takes a few nanoseconds. It has separate decisions alone: next to it, the others are long.
pub(crate) const SMALL: &str = "small";

/// The mark in front of the words that make a variant.
const MARK: [u8; 8] = 0x6c61_622d_776f_7264_u64.to_le_bytes();

/// Both sides of every variant, in one order of their functions.
pub(crate) struct Kernels {
    linker: Linker,
    bin: PathBuf,
    scratch: PathBuf,
    order: u32,
    /// The executables of this order by their code and layout: each is linked when the first pair needs it.
    linked: RefCell<BTreeMap<(Code, u32), Vec<u8>>>,
    /// With aligned functions, and without.
    bases: BTreeMap<bool, Criterion>,
    heads: BTreeMap<Variant, Criterion>,
    /// The base and the head of a pair in a separate layout: fresh copies at these paths.
    pair: Option<[Criterion; 2]>,
}

impl Kernels {
    /// Builds the kernels below `folder`, and links them in the order of this seed.
    ///
    /// # Errors
    /// When cargo or the linker fails, or when an executable does not have its mark exactly once.
    pub(crate) fn build(folder: &Path, order: u32) -> Result<Self, HostError> {
        let mut kernels = Self {
            linker: Linker::build(folder)?,
            bin: folder.join("bin"),
            scratch: folder.to_owned(),
            order,
            linked: RefCell::default(),
            bases: BTreeMap::new(),
            heads: BTreeMap::new(),
            pair: None,
        };
        kernels.link(order)?;
        Ok(kernels)
    }

    /// Links both sides of every variant in another order of their functions.
    ///
    /// # Errors
    /// As [`Kernels::build`].
    pub(crate) fn link(&mut self, order: u32) -> Result<(), HostError> {
        self.order = order;
        self.linked.borrow_mut().clear();
        for variant in [Variant::Same, Variant::Unaligned(0)] {
            // Paths of both sides have equal length: a process starts with its path on the stack.
            let path = self.bin.join("base").join(format!("{variant:_<16}"));
            let suite = self.install(&path, &self.bytes(variant.base_code(), variant, 0)?)?;
            self.bases.insert(variant.is_aligned(), suite);
        }
        for variant in Variant::ALL {
            let path = self.bin.join("head").join(format!("{variant:_<16}"));
            let suite = self.install(&path, &self.bytes(variant.code(), variant, 0)?)?;
            self.heads.insert(variant, suite);
        }
        let bytes = self.bytes(Variant::Same.code(), Variant::Same, 0)?;
        let opened = ["base", "head"].map(|side| self.install(&self.placed(side), &bytes));
        let [base, head] = opened;
        self.pair = Some([base?, head?]);
        Ok(())
    }

    /// The description of every head, for the raw data.
    ///
    /// # Errors
    /// When the linker fails.
    pub(crate) fn described(&self) -> Result<Vec<raw::Executable>, HostError> {
        let describe = |variant: Variant| {
            let head = self.bytes(variant.code(), variant, 0)?;
            let base = self.bytes(variant.base_code(), Variant::Same, 0)?;
            let differing = || head.iter().zip(&base).filter(|(a, b)| a != b).count() as u64;
            Ok(raw::Executable {
                variant,
                bytes: head.len() as u64,
                differing: (head.len() == base.len()).then(differing),
            })
        };
        Variant::ALL.into_iter().map(describe).collect()
    }

    /// The base that a variant is compared with.
    pub(crate) fn base(&self, variant: Variant) -> &Criterion {
        &self.bases[&variant.is_aligned()]
    }

    /// The variant.
    pub(crate) fn head(&self, variant: Variant) -> &Criterion {
        &self.heads[&variant]
    }

    /// Links what [`Kernels::place`] copies.
    ///
    /// # Errors
    /// When the linker fails.
    pub(crate) fn prepare(&self, variant: Variant, layout: u32) -> Result<(), HostError> {
        self.linked(variant.base_code(), layout)?;
        self.linked(variant.code(), layout).map(drop)
    }

    /// Fresh copies of both sides, in a layout as the gate numbers them: 0 is that of [`Kernels::base`].
    ///
    /// # Errors
    /// When the linker fails.
    pub(crate) fn place(
        &self,
        variant: Variant,
        layout: u32,
    ) -> Result<[&Criterion; 2], HostError> {
        let base = self.bytes(variant.base_code(), Variant::Same, layout)?;
        write(&self.placed("base"), &base)?;
        write(&self.placed("head"), &self.bytes(variant.code(), variant, layout)?)?;
        self.pair.as_ref().map(|[base, head]| [base, head]).ok_or_else(|| HostError::Content {
            path: self.bin.clone(),
            problem: "it has no executables: nothing was linked".to_owned(),
        })
    }

    fn placed(&self, side: &str) -> PathBuf {
        self.bin.join("pair").join(side).join(format!("{:_<16}", "kernels"))
    }

    /// The executable of some code with the words of a variant.
    fn bytes(&self, code: Code, variant: Variant, layout: u32) -> Result<Vec<u8>, HostError> {
        let mut bytes = self.linked(code, layout)?;
        write_words(&mut bytes, variant)?;
        Ok(bytes)
    }

    fn linked(&self, code: Code, layout: u32) -> Result<Vec<u8>, HostError> {
        if let Some(bytes) = self.linked.borrow().get(&(code, layout)) {
            return Ok(bytes.clone());
        }
        // As the gate's: padding of the seed and the number of the layout.
        let padding = (layout > 0).then(|| Padding(self.order.wrapping_add(layout)));
        let bytes = self.linker.link(code, self.order, padding)?;
        self.linked.borrow_mut().insert((code, layout), bytes.clone());
        Ok(bytes)
    }

    fn install(&self, path: &Path, bytes: &[u8]) -> Result<Criterion, HostError> {
        write(path, bytes)?;
        let executable = Executable {
            key: SuiteKey::new("lab-kernels", "kernels"),
            path: path.to_owned(),
            arguments: Vec::new(),
            folder: self.scratch.clone(),
            declared: None,
            start: None,
            is_led: false,
            names: Vec::new(),
            neighbours: std::collections::BTreeSet::new(),
            sandbox: Sandbox::default(),
            own_folders: Vec::new(),
        };
        Criterion::open(executable, &Measure::default(), &self.scratch)?.map_err(|failure| {
            HostError::Content { path: path.to_owned(), problem: failure.reason }
        })
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

/// Writes into a new file, whose pages are not those of the old one.
fn write(path: &Path, bytes: &[u8]) -> Result<(), HostError> {
    benchgate_host::system::files::write_atomically(path, bytes)?;
    Ok(fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?)
}

fn write_words(bytes: &mut [u8], variant: Variant) -> Result<(), HostError> {
    let mut places = bytes.windows(MARK.len()).enumerate().filter(|(_, window)| *window == MARK);
    let (Some((at, _)), None) = (places.next(), places.next()) else {
        let problem = "the mark of the variant does not occur exactly once in it".to_owned();
        return Err(HostError::Content { path: PathBuf::from("lab-kernels"), problem });
    };
    bytes[at + 8..at + 16].copy_from_slice(&u64::from(variant.percent()).to_le_bytes());
    bytes[at + 16..at + 24].copy_from_slice(&u64::from(variant.heap()).to_le_bytes());
    Ok(())
}
