//! Finds suites that need not be measured: their executables have the same machine code.

use std::collections::BTreeMap;

use benchgate_core::identity::{Comparison, data_files};
use benchgate_core::model::SuiteKey;
use benchgate_host::HostError;
use benchgate_host::identity::identities;
use benchgate_host::sides::BuiltSide;
use benchgate_host::suites::{DeclaredFiles, same_files};

/// Suites that run the same code on the same data on both sides, with the evidence. A suite that is almost
/// the same gets a notice that names the difference.
pub(super) fn same_suites(
    base: &BuiltSide,
    head: &BuiltSide,
    changed: &[String],
    notices: &mut Vec<String>,
) -> Result<BTreeMap<SuiteKey, String>, HostError> {
    // Long: one arm for each way in which two executables can differ.
    let mut same = BTreeMap::new();
    // A bench may read any file of its checkout.
    let data = data_files(changed);
    for (suite, comparison) in identities(base, head)? {
        let name = format!("`{suite}`");
        match comparison {
            comparison if comparison.is_same_code() && !data.is_empty() => {
                let (first, more) = (data[0], data.len() - 1);
                let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
                notices.push(format!(
                    "{name} is the same machine code, but `{first}`{more} changed, which a bench may \
                     read: it is measured"
                ));
            }
            Comparison::Same => {
                let reason = "both sides built the same executable, byte for byte".to_owned();
                same.insert(suite, reason);
            }
            Comparison::SameCode { sections } => {
                let reason = match sections.as_slice() {
                    [] => "the same machine code and constants on both sides".to_owned(),
                    sections => format!(
                        "the same machine code and constants on both sides; only {} differ",
                        sections.join(", ")
                    ),
                };
                same.insert(suite, reason);
            }
            Comparison::Differs { sections } if sections.iter().all(|s| s.section != ".text") => {
                let differ: Vec<String> = sections
                    .iter()
                    .map(|s| match s.bytes {
                        0 => format!("{} (moved)", s.section),
                        bytes => format!("{} ({bytes} bytes)", s.section),
                    })
                    .collect();
                notices.push(format!(
                    "{name}: the instructions are the same and {} differ; a line number in a panic's \
                     message is enough for that: it is measured",
                    differ.join(", ")
                ));
            }
            Comparison::OtherFile(file) => notices.push(format!(
                "{name} is the same machine code, but `{file}`, which it runs or reads, differs: it is \
                 measured"
            )),
            Comparison::Differs { .. } | Comparison::Unknown(_) => {}
        }
    }
    for (suite, found) in same_files(base, head)? {
        match found {
            DeclaredFiles::Same => {
                same.insert(suite, "its `files` are the same on both sides".to_owned());
            }
            DeclaredFiles::Differ(difference) => {
                notices.push(format!("`{suite}`: {difference}: it is measured"));
            }
        }
    }
    Ok(same)
}
