//! Instructions of one iteration of a benchmark by address, with the inline chain of each address.
//!
//! The executables are those that are measured: they have line tables ([`flags`](crate::cargo::flags)), which keep inline
//! chains under whole-program optimisation too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use benchgate_core::adapters::callgrind::is_iteration;
use benchgate_core::adapters::profile::{self, Profile};
use benchgate_core::explain::{Counted, Frame, Moved, Name, Owner, moved};
use benchgate_core::model::Sides;
use fs_err as fs;
use object::{Object as _, ObjectSymbol as _, SymbolKind};

use crate::evidence::callgrind::{once, run};
use crate::evidence::line_tables::LineTables;
use crate::harness::Suite;
use crate::sides::BuiltSide;
use crate::system::files;
use crate::{Availability, HostError};

/// A benchmark whose instructions are counted.
#[derive(Clone, Copy)]
pub struct Benchmark<'a> {
    /// Its suite.
    pub suite: &'a dyn Suite,
    /// Its id.
    pub id: &'a str,
    /// The top of the checkout that the suite was built in.
    pub checkout: &'a Path,
}

/// Lengths that are added to the path of Criterion's home: the heap begins at other addresses, and other pieces of it
/// are free. Two counts are often alike in what a third is not; five of a side and five of an identical one differ
/// by chance in one of 126 cases.
const LENGTHS: [usize; 5] = [0, 40, 90, 150, 220];

/// Instructions of an iteration that is counted often. Callgrind runs some 50 million a second: more would take minutes
/// in all, and are counted twice.
const SHORT: u64 = 200_000_000;

/// Counts a benchmark several times, with other addresses each time.
///
/// # Errors
/// When interrupted, or when files of our own cannot be used.
pub fn count_often(
    benchmark: Benchmark<'_>,
    timeout: Duration,
    scratch: &Path,
) -> Result<Availability<Vec<Counted>>, HostError> {
    let mut counts = Vec::new();
    for length in LENGTHS {
        let home = scratch.join(format!("count{}", "-".repeat(length)));
        match count(benchmark, timeout, &home, false)? {
            Availability::Available(counted) => counts.push(counted),
            Availability::Unavailable(reason) => return Ok(Availability::Unavailable(reason)),
        }
        let is_long = counts.iter().any(|count: &Counted| count.profile.total() > SHORT);
        if is_long && counts.len() == 2 {
            break;
        }
    }
    Ok(Availability::Available(counts))
}

/// Counts a benchmark in a folder that is removed after it; `with_caches` with a simulated cache and branch predictor.
///
/// # Errors
/// When interrupted, or when files of our own cannot be used.
pub fn count(
    benchmark: Benchmark<'_>,
    timeout: Duration,
    home: &Path,
    with_caches: bool,
) -> Result<Availability<Counted>, HostError> {
    let Benchmark { suite, id, checkout } = benchmark;
    if let Err(reason) = once(suite, id) {
        return Ok(Availability::Unavailable(reason));
    }
    let executable = &suite.executable().path;
    let bytes = files::read(executable)?;
    let functions = match iterations(&bytes) {
        Ok(functions) => functions,
        Err(reason) => return Ok(Availability::Unavailable(reason)),
    };
    let arguments = |out: &str| profile::arguments(out, &functions, with_caches);
    let counts = match run(suite, id, timeout, home, arguments)? {
        Availability::Available(counts) => counts,
        Availability::Unavailable(reason) => return Ok(Availability::Unavailable(reason)),
    };
    let path = fs::canonicalize(executable)?;
    let profile = read(&counts, &functions);
    Ok(profile.and_then(|profile| resolved(profile, &path, &bytes, checkout)).into())
}

/// The functions that run an iteration; the others of `Bencher` call one of them.
const ITERATIONS: [&str; 4] = ["iter", "iter_batched", "iter_batched_ref", "iter_custom"];

/// The symbols of those functions.
fn iterations(executable: &[u8]) -> Result<Vec<String>, String> {
    let file = object::File::parse(executable)
        .map_err(|error| format!("its executable cannot be read: {error}"))?;
    let names = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
    let names: BTreeSet<String> = names
        .filter_map(|symbol| symbol.name().ok())
        .filter(|raw| {
            let name = Name::read(raw);
            let is_one = !name.is_closure && ITERATIONS.contains(&name.short.as_str());
            is_one && name.path.as_deref().is_some_and(is_iteration)
        })
        .map(str::to_owned)
        .collect();
    if names.is_empty() {
        return Err(
            "its executable has no symbol of Criterion's `Bencher::iter`: it is stripped, its \
                    benchmarks are async, or its harness is another one"
                .to_owned(),
        );
    }
    Ok(names.into_iter().collect())
}

/// Reads callgrind's output without the calls to the counted functions: their callers are not part of an iteration.
fn read(counts: &str, functions: &[String]) -> Result<Profile, String> {
    let mut profile = Profile::read(counts).map_err(|error| error.to_string())?;
    let names = &profile.functions;
    profile.calls.retain(|(_, callee), _| {
        names.get(*callee).is_none_or(|callee| !functions.contains(&callee.name))
    });
    if profile.total() == 0 {
        return Err("it calls none of Criterion's `iter` functions".to_owned());
    }
    Ok(profile)
}

/// Adds the inline chains of all addresses.
fn resolved(
    profile: Profile,
    path: &Path,
    executable: &[u8],
    checkout: &Path,
) -> Result<Counted, String> {
    let lines = LineTables::of(executable)?;
    let object = path.to_string_lossy().into_owned();
    let checkout = checkout.to_string_lossy();
    let places = profile.costs.keys().chain(profile.calls.keys().map(|(from, _)| from));
    let addresses: BTreeSet<u64> = places
        .filter(|place| profile.functions.get(place.function).is_some_and(|f| f.object == object))
        .map(|place| place.address)
        .collect();
    let mut chains = BTreeMap::new();
    for address in addresses {
        let chain = lines.chain(address, &checkout);
        if !chain.is_empty() {
            chains.insert(address, chain);
        }
    }
    if !chains.values().flatten().any(|frame: &Frame| frame.owner == Owner::Own) {
        return Err("its executable has no line tables".to_owned());
    }
    Ok(Counted { profile, object, chains })
}

/// Which line was which in the files of both sides that ran, known by the frames of each.
///
/// # Errors
/// When a file of a checkout cannot be read.
pub fn moved_lines<'a, F>(sides: Sides<(&BuiltSide, F)>) -> Result<Moved, HostError>
where
    F: Iterator<Item = &'a Frame>,
{
    let sides = sides.map(|(built, frames)| {
        let frames = frames.filter(|frame| frame.owner == Owner::Own);
        (built, frames.map(|frame| &frame.file).collect::<BTreeSet<&String>>())
    });
    let files = sides.as_ref().map(|(_, files)| files);
    let mut lines = Moved::new();
    for file in files.base.intersection(files.head).copied() {
        let Sides { base: old, head: new } =
            sides.as_ref().map(|(built, _)| built.folder().join(file));
        // An executable may name any file.
        if !sides.base.0.owns(&old) || !sides.head.0.owns(&new) {
            continue;
        }
        let [old, new] = [files::read(&old)?, files::read(&new)?];
        if old != new {
            let [old, new] = [old, new].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            lines.insert(file.clone(), moved(&old, &new));
        }
    }
    Ok(lines)
}
