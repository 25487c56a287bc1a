//! Allocations of one iteration of a benchmark, by stack.
//!
//! dhat writes addresses of the process that ran, and cuts names and paths. So the address at which the executable was
//! loaded is found by the lines that dhat names, and the stacks are read again from the line tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use benchgate_core::adapters::dhat::Heap;
use benchgate_core::explain::{Allocation, Frame, Owner};
use benchgate_core::model::Twice;
use object::{Object as _, ObjectSection as _};

use crate::evidence::line_tables::LineTables;
use crate::harness;
use crate::sides::Executable;
use crate::system::files;
use crate::{Availability, HostError};

/// An executable that counts, and a benchmark of it.
#[derive(Clone, Copy)]
pub struct Counting<'a> {
    /// The executable.
    pub executable: &'a Executable,
    /// The id of the benchmark.
    pub id: &'a str,
    /// The top of the checkout that the executable was built in.
    pub checkout: &'a Path,
}

/// Executables are loaded at a multiple of this, whatever the size of a page is.
const PAGE: u64 = 4096;

/// Profiles a benchmark twice.
///
/// # Errors
/// When interrupted, or when files of our own cannot be used.
pub fn profile_twice(
    counting: Counting<'_>,
    timeout: Duration,
    scratch: &Path,
) -> Result<Availability<Twice<Vec<Allocation>>>, HostError> {
    let bytes = files::read(&counting.executable.path)?;
    let mut profiles = Twice::default();
    for profile in [&mut profiles.first, &mut profiles.second] {
        let heap = harness::heap(counting.executable, counting.id, timeout, scratch.join("heap"))?;
        let resolved = |heap: Heap| resolved(&heap, &bytes, counting.checkout);
        match heap.into_result().and_then(resolved) {
            Ok(allocations) => *profile = allocations,
            Err(reason) => return Ok(Availability::Unavailable(reason)),
        }
    }
    Ok(Availability::Available(profiles))
}

/// The stacks with all inlined calls.
fn resolved(heap: &Heap, executable: &[u8], checkout: &Path) -> Result<Vec<Allocation>, String> {
    if heap.points.is_empty() {
        return Ok(Vec::new());
    }
    let lines = LineTables::of(executable)?;
    let checkout = checkout.to_string_lossy();
    let named = named(heap);
    let loaded = loaded_at(&named, &text(executable), |address| lines.chain(address, &checkout))
        .ok_or("its executable has no line tables that fit dhat's file")?;
    let mut chains: BTreeMap<u64, Vec<Frame>> = BTreeMap::new();
    let mut allocations = Vec::new();
    for point in &heap.points {
        let mut stack = Vec::new();
        let mut last = None;
        for address in point.stack.iter().filter_map(|frame| heap.frames.get(*frame)) {
            let address = address.address;
            // dhat has a frame for each inlined call of an address.
            if last.replace(address) == Some(address) {
                continue;
            }
            let chain = chains.entry(address).or_insert_with(|| {
                let inside = before(address).checked_sub(loaded);
                inside.map_or_else(Vec::new, |inside| lines.chain(inside, &checkout))
            });
            stack.extend(chain.iter().cloned());
        }
        allocations.push(Allocation { blocks: point.blocks, bytes: point.bytes, stack });
    }
    Ok(allocations)
}

/// The instruction that calls: a stack has the next one.
fn before(address: u64) -> u64 {
    address.saturating_sub(1)
}

/// The innermost line and file that dhat names at each address.
fn named(heap: &Heap) -> BTreeMap<u64, (&str, u32)> {
    let mut named = BTreeMap::new();
    for frame in heap.points.iter().flat_map(|point| &point.stack) {
        let Some(frame) = heap.frames.get(*frame).filter(|frame| frame.line > 0) else { continue };
        named.entry(frame.address).or_insert((&*frame.file, frame.line));
    }
    named
}

/// The addresses of an executable's code.
fn text(executable: &[u8]) -> std::ops::Range<u64> {
    let file = object::File::parse(executable).ok();
    let section = file.as_ref().and_then(|file| file.section_by_name(".text"));
    section.map_or(0..0, |text| text.address()..text.address() + text.size())
}

/// The address that the executable was loaded at: that by which every address that dhat names a line of has that line.
/// Addresses outside of its code are other libraries'.
fn loaded_at(
    named: &BTreeMap<u64, (&str, u32)>,
    text: &std::ops::Range<u64>,
    chain: impl Fn(u64) -> Vec<Frame>,
) -> Option<u64> {
    let candidates: BTreeSet<u64> = named
        .keys()
        .flat_map(|address| {
            let pages = text.start / PAGE..=text.end / PAGE;
            pages.filter_map(move |page| address.checked_sub(page * PAGE + address % PAGE))
        })
        .collect();
    // The number of addresses that have their lines, one of the repository's among them; `None` where one has not.
    let fits = |loaded: u64| {
        let (mut fitting, mut has_own) = (0_usize, false);
        for (address, (file, line)) in named {
            let inside = before(*address).checked_sub(loaded);
            let Some(inside) = inside.filter(|inside| text.contains(inside)) else { continue };
            let chain = chain(inside);
            // dhat omits the innermost inlined calls of an allocator.
            if !chain.iter().any(|at| at.line == *line && name(&at.file) == name(file)) {
                return None;
            }
            fitting += 1;
            has_own |= chain.iter().any(|frame| frame.owner == Owner::Own);
        }
        has_own.then_some(fitting)
    };
    let fitting = candidates.into_iter().filter_map(|loaded| Some((fits(loaded)?, loaded)));
    fitting.max().map(|(_, loaded)| loaded)
}

/// The name of a file: of its path, dhat keeps another end than is shown here.
fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: std::ops::Range<u64> = 0x1_0000..0x9_0000;

    /// A function of two lines in each page.
    fn chain(address: u64) -> Vec<Frame> {
        let line = u32::try_from(address / 0x800).unwrap();
        vec![Frame::read("f", "/c/src/lib.rs", line, "/c")]
    }

    fn found(loaded: u64, lines: &[(u64, u32)]) -> Option<u64> {
        let named =
            lines.iter().map(|(inside, line)| (loaded + inside + 1, ("c/src/lib.rs", *line)));
        loaded_at(&named.collect(), &TEXT, chain)
    }

    #[test]
    fn the_address_that_an_executable_was_loaded_at_is_found_by_its_lines() {
        let lines = [(0x2_0100, 0x40), (0x3_0900, 0x61)];
        for loaded in [0, 0x5555_5555_4000, 0x7fff_0000_1000] {
            assert_eq!(found(loaded, &lines), Some(loaded));
        }
    }

    #[test]
    fn lines_of_another_executable_fit_no_address() {
        assert_eq!(found(0x5555_5555_4000, &[(0x2_0100, 0x40), (0x3_0900, 0x70)]), None);
        assert_eq!(found(0, &[]), None);
    }
}
