//! Compares the machine code of two executables.
//!
//! Only loaded bytes run: sections with `SHF_ALLOC`, the headers that place them, and nothing else.
//! Debug information, symbol tables and comments are not loaded; a build id is loaded, but nothing reads it.
//! Read by hand, because it is one table: the `object` crate would cost three seconds of every first build.

mod data;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(crate) use data::{ending, is_data};

const BUILD_ID: &str = ".note.gnu.build-id";

/// The outcome of comparing two executables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Equal byte for byte.
    Same,
    /// All loaded sections are equal.
    SameCode {
        /// The sections that differ without being loaded, and those that differ in the folder of the
        /// checkout only.
        sections: Vec<String>,
    },
    /// A loaded section differs.
    Differs {
        /// The loaded sections that differ.
        sections: Vec<Difference>,
    },
    /// All loaded sections are equal, and this, which it runs or reads, is not.
    OtherFile(String),
    /// All loaded sections are equal, and this variable, which cargo gives it, is not.
    OtherVariable(String),
    /// They differ, and the format cannot be read section by section: the reason.
    Unknown(String),
}

/// A section that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its name.
    pub section: String,
    /// Number of its bytes that differ; 0 when it only moved.
    pub bytes: usize,
}

impl Comparison {
    /// Whether both run the same instructions on the same constants.
    pub fn is_same_code(&self) -> bool {
        matches!(self, Self::Same | Self::SameCode { .. })
    }
}

/// Compares two executables. `folders` are pairs of folders of the two sides, such as their checkouts: where
/// one executable names its own and the other, at the same place of its constants, its own, that is not a
/// difference.
pub fn compare(base: &[u8], head: &[u8], folders: &[[&[u8]; 2]]) -> Comparison {
    if base == head {
        return Comparison::Same;
    }
    let (base, head) = match (Elf::read(base), Elf::read(head)) {
        (Ok(base), Ok(head)) => (base, head),
        (Err(reason), _) | (_, Err(reason)) => return Comparison::Unknown(reason.to_owned()),
    };
    let mut loaded = Vec::new();
    let mut unloaded = Vec::new();
    let headers = different(base.headers, head.headers);
    if headers > 0 || base.segments.len() != head.segments.len() {
        loaded.push(Difference { section: "file header".to_owned(), bytes: headers });
    }
    let segments = different(base.segments, head.segments);
    if segments > 0 {
        loaded.push(Difference { section: "program headers".to_owned(), bytes: segments });
    }
    let names: BTreeSet<_> = base.sections.keys().chain(head.sections.keys()).collect();
    for name in names {
        let pair = (base.sections.get(name), head.sections.get(name));
        let section = name.0.clone();
        let (Some(old), Some(new)) = pair else {
            let Some(only) = pair.0.or(pair.1) else { continue };
            if only.is_loaded() {
                loaded.push(Difference { section, bytes: only.size });
            } else {
                unloaded.push(section);
            }
            continue;
        };
        if !old.is_loaded() && !new.is_loaded() {
            if old.bytes != new.bytes {
                unloaded.push(section);
            }
            continue;
        }
        let is_moved = old.place() != new.place();
        if section == BUILD_ID && !is_moved {
            continue;
        }
        let bytes = different(old.bytes, new.bytes);
        if !is_moved && bytes == 0 {
            continue;
        }
        let is_code = old.is_code() || new.is_code();
        if !is_moved && !is_code && only_folders(old.bytes, new.bytes, folders) {
            unloaded.push(format!("{section} (the folder of the checkout)"));
        } else {
            loaded.push(Difference { section, bytes });
        }
    }
    if loaded.is_empty() {
        Comparison::SameCode { sections: unloaded }
    } else {
        Comparison::Differs { sections: loaded }
    }
}

/// The names of the dynamic libraries that an executable loads when it starts; empty where its format is not read.
pub fn libraries(executable: &[u8]) -> Vec<String> {
    const NEEDED: u64 = 1;
    let Ok(elf) = Elf::read(executable) else { return Vec::new() };
    let section = |name: &str| elf.sections.get(&(name.to_owned(), 0)).map(|of| of.bytes);
    let (Some(dynamic), Some(names)) = (section(".dynamic"), section(".dynstr")) else {
        return Vec::new();
    };
    let name = |entry: &[u8]| {
        let at = usize::try_from(number(entry, 8..16)?).ok()?;
        let is_needed = number(entry, 0..8)? == NEEDED;
        let name = names.get(at..)?.split(|byte| *byte == 0).next()?;
        is_needed.then(|| String::from_utf8_lossy(name).into_owned())
    };
    dynamic.chunks_exact(16).filter_map(name).collect()
}

fn different(base: &[u8], head: &[u8]) -> usize {
    if base == head {
        return 0;
    }
    base.iter().zip(head).filter(|(base, head)| base != head).count()
        + base.len().abs_diff(head.len())
}

fn only_folders(base: &[u8], head: &[u8], folders: &[[&[u8]; 2]]) -> bool {
    if base.len() != head.len() {
        return false;
    }
    let usable = |[base, head]: &&[&[u8]; 2]| !base.is_empty() && base.len() == head.len();
    let folders: Vec<_> = folders.iter().filter(usable).collect();
    let (mut base, mut head) = (base, head);
    while let (Some((old, rest_of_base)), Some((new, rest_of_head))) =
        (base.split_first(), head.split_first())
    {
        let after = folders.iter().find_map(|[of_base, of_head]| {
            Some((base.strip_prefix(*of_base)?, head.strip_prefix(*of_head)?))
        });
        if let Some(after) = after {
            (base, head) = after;
        } else if old == new {
            (base, head) = (rest_of_base, rest_of_head);
        } else {
            return false;
        }
    }
    true
}

/// The compared parts of a 64-bit little-endian ELF file.
struct Elf<'a> {
    /// The file header up to where the section table is: kind, machine, entry.
    headers: &'a [u8],
    segments: &'a [u8],
    /// By name and, of one name, by order.
    sections: BTreeMap<(String, usize), Section<'a>>,
}

struct Section<'a> {
    kind: u64,
    flags: u64,
    address: u64,
    size: usize,
    bytes: &'a [u8],
}

impl Section<'_> {
    fn is_loaded(&self) -> bool {
        self.flags & 2 != 0 // SHF_ALLOC
    }

    fn is_code(&self) -> bool {
        self.flags & 4 != 0 // SHF_EXECINSTR
    }

    fn place(&self) -> (u64, u64, u64, usize) {
        (self.kind, self.flags, self.address, self.size)
    }
}

/// Sizes of an entry of the two tables.
const SECTION_HEADER: usize = 64;
const SEGMENT_HEADER: usize = 56;

impl<'a> Elf<'a> {
    fn read(file: &'a [u8]) -> Result<Self, &'static str> {
        if !file.starts_with(b"\x7fELF\x02\x01") {
            return Err(
                "only ELF executables of 64 bits, little-endian, are read section by section",
            );
        }
        Self::tables(file).ok_or("its ELF headers are damaged or missing")
    }

    fn tables(file: &'a [u8]) -> Option<Self> {
        let segments = part(file, number(file, 32..40)?, count(file, 56)?, SEGMENT_HEADER)?;
        let (sections_at, sections) = (number(file, 40..48)?, count(file, 60)?);
        let table = part(file, sections_at, sections, SECTION_HEADER)?;
        if number(file, 58..60)? != SECTION_HEADER as u64 || sections == 0 {
            return None;
        }
        let headers: Vec<&[u8]> = table.chunks_exact(SECTION_HEADER).collect();
        let names = bytes_of(file, headers.get(count(file, 62)?)?)?;
        let mut elf = Self { headers: file.get(..32)?, segments, sections: BTreeMap::new() };
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut total = 0_usize;
        // The first entry is empty by definition.
        for header in headers.iter().skip(1) {
            let name = names.get(usize::try_from(number(header, 0..4)?).ok()?..)?;
            let name = name.split(|byte| *byte == 0).next()?;
            let name = String::from_utf8_lossy(name).into_owned();
            let bytes = bytes_of(file, header)?;
            total = total.checked_add(bytes.len())?;
            let section = Section {
                kind: number(header, 4..8)?,
                flags: number(header, 8..16)?,
                address: number(header, 16..24)?,
                size: usize::try_from(number(header, 32..40)?).ok()?,
                bytes,
            };
            let order = seen.entry(name.clone()).or_default();
            elf.sections.insert((name, *order), section);
            *order += 1;
        }
        // Sections do not overlap; overlapping ones would be compared many times.
        (total <= file.len()).then_some(elf)
    }
}

/// The bytes of a section; empty for a section that has only a size, such as `.bss`.
fn bytes_of<'a>(file: &'a [u8], header: &[u8]) -> Option<&'a [u8]> {
    const NOBITS: u64 = 8;
    if number(header, 4..8)? == NOBITS {
        return Some(&[]);
    }
    part(file, number(header, 24..32)?, usize::try_from(number(header, 32..40)?).ok()?, 1)
}

fn part(file: &[u8], at: u64, count: usize, size: usize) -> Option<&[u8]> {
    let start = usize::try_from(at).ok()?;
    file.get(start..start.checked_add(count.checked_mul(size)?)?)
}

fn count(file: &[u8], at: usize) -> Option<usize> {
    usize::try_from(number(file, at..at + 2)?).ok()
}

fn number(bytes: &[u8], at: Range<usize>) -> Option<u64> {
    let bytes = bytes.get(at)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests;
