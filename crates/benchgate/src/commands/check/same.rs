//! Finds suites that need not be measured: their executables have the same machine code.

use std::collections::BTreeMap;

use benchgate_core::affected::{Changes, Observed, Taken};
use benchgate_core::identity::Comparison;
use benchgate_core::model::{Sides, SuiteKey};
use benchgate_host::HostError;
use benchgate_host::harness::suites::{DeclaredFiles, same_files};
use benchgate_host::sides::BuiltSide;
use benchgate_host::sides::identity::identities;

use super::affected::Reaches;

/// Whether a suite need not be measured.
enum Found {
    /// It runs the same code on the same data, with the evidence.
    Same(String),
    /// It is measured; a notice says why one that is almost the same is.
    Other(Option<String>),
}

/// Suites that run the same code on the same data on both sides, with the evidence. A suite that is almost
/// the same gets a notice that names the difference.
pub(super) fn same_suites(
    sides: Sides<&BuiltSide>,
    changed: &[String],
    reaches: &Reaches,
    asked: &Observed,
    notices: &mut Vec<String>,
) -> Result<BTreeMap<SuiteKey, String>, HostError> {
    let Sides { base, head } = sides;
    let when_asked = read_of(changed, sides, asked);
    let may_start = |suite: &SuiteKey, program: &str| {
        reaches.get(suite).is_none_or(|taken| taken.may_start(program))
    };
    let mut found = Vec::new();
    for (suite, comparison) in identities(base, head, may_start)? {
        let read = read_by(&suite, changed, reaches).or_else(|| when_asked.clone());
        let of_suite = match read {
            Some(read) if comparison.is_same_code() => Found::Other(Some(format!(
                "`{suite}` is the same machine code, but {}",
                changed_and_read(&read)
            ))),
            _ => by_code(&suite, comparison),
        };
        found.push((suite, of_suite));
    }
    for (suite, files) in same_files(base, head)? {
        let of_suite = by_files(&suite, files, reaches.get(&suite));
        found.push((suite, of_suite));
    }
    let mut same = BTreeMap::new();
    for (suite, found) in found {
        match found {
            Found::Same(reason) => {
                same.insert(suite, reason);
            }
            Found::Other(notice) => notices.extend(notice),
        }
    }
    Ok(same)
}

/// By its executables, where no changed file may be read.
fn by_code(suite: &SuiteKey, comparison: Comparison) -> Found {
    match comparison {
        Comparison::Same => {
            Found::Same("both sides built the same executable, byte for byte".to_owned())
        }
        Comparison::SameCode { sections } => {
            let same = "the same machine code and constants on both sides";
            Found::Same(match sections.as_slice() {
                [] => same.to_owned(),
                sections => format!("{same}; only {} differ", sections.join(", ")),
            })
        }
        Comparison::Differs { sections } if sections.iter().all(|s| s.section != ".text") => {
            let differ: Vec<String> = sections
                .iter()
                .map(|s| match s.bytes {
                    0 => format!("{} (moved)", s.section),
                    bytes => format!("{} ({bytes} bytes)", s.section),
                })
                .collect();
            Found::Other(Some(format!(
                "`{suite}`: the instructions are the same and {} differ; a line number in a panic's \
                 message is enough for that: it is measured",
                differ.join(", ")
            )))
        }
        Comparison::OtherFile(file) => Found::Other(Some(format!(
            "`{suite}` is the same machine code, but `{file}`, which it runs or reads, differs: it is \
             measured"
        ))),
        Comparison::OtherVariable(variable) => Found::Other(Some(format!(
            "`{suite}` is the same machine code, but `{variable}`, which cargo gives it, differs: it is measured"
        ))),
        Comparison::Differs { .. } | Comparison::Unknown(_) => Found::Other(None),
    }
}

/// A suite of the policy, by the files that it declares.
fn by_files(suite: &SuiteKey, files: DeclaredFiles, taken: Option<&Taken>) -> Found {
    match (files, taken.and_then(|taken| taken.read.clone())) {
        (DeclaredFiles::Same, Some(read)) => Found::Other(Some(format!(
            "`{suite}` has the same `files`, but {}",
            changed_and_read(&read)
        ))),
        (DeclaredFiles::Same, None) => match taken.and_then(Taken::builds_more) {
            Some(what) => Found::Other(Some(format!(
                "`{suite}` has the same `files`, but may take in more of what is built, by {what}: it is \
                 measured, unless its `reads` says what it reads"
            ))),
            None => Found::Same("its `files` are the same on both sides".to_owned()),
        },
        (DeclaredFiles::Differ(difference), _) => {
            Found::Other(Some(format!("`{suite}`: {difference}: it is measured")))
        }
    }
}

/// The first changed file that a run of a suite may read, and how many more there are. One of which nothing is known may read
/// any.
fn read_by(suite: &SuiteKey, changed: &[String], reaches: &Reaches) -> Option<(String, usize)> {
    match reaches.get(suite) {
        Some(taken) => taken.read.clone(),
        None => Some((changed.first()?.clone(), changed.len() - 1)),
    }
}

fn changed_and_read((first, more): &(String, usize)) -> String {
    let more = if *more > 0 { format!(" (and {more} more)") } else { String::new() };
    format!("`{first}`{more} changed, which a bench may read: it is measured")
}

/// The first changed file that was observed to be read, and how many more there are.
fn read_of(
    changed: &[String],
    sides: Sides<&BuiltSide>,
    observed: &Observed,
) -> Option<(String, usize)> {
    let changes = Changes::new(changed, |side, path| sides[side].entry(path));
    let mut read = changed.iter().filter(|path| observed.reads(path, &changes));
    Some((read.next()?.clone(), read.count()))
}

#[cfg(test)]
mod tests {
    use benchgate_core::affected::{Reach, Taken, Way};

    use super::*;

    #[test]
    fn a_suite_of_which_nothing_is_known_may_read_any_changed_file() {
        let known = |read: Option<(String, usize)>| {
            let taken = Taken {
                reach: Reach::Untouched,
                read,
                inputs: Sides::default(),
                way: Way::default(),
            };
            Reaches::from([(SuiteKey::new("p", "speed"), taken)])
        };
        let of_b = Some(("b.md".to_owned(), 0));
        for (reaches, changed, expected) in [
            (known(None), &["a.md", "b.md"][..], None),
            (known(of_b.clone()), &["a.md", "b.md"], of_b),
            (Reaches::new(), &["a.md", "b.md"], Some(("a.md".to_owned(), 1))),
            (Reaches::new(), &["a.md"], Some(("a.md".to_owned(), 0))),
            (Reaches::new(), &[], None),
        ] {
            let changed: Vec<String> = changed.iter().map(|&path| path.to_owned()).collect();
            let read = read_by(&SuiteKey::new("p", "speed"), &changed, &reaches);
            assert_eq!(read, expected, "{changed:?}");
        }
    }
}
