//! Suites that need no measuring: their executables are the same machine code.

use std::collections::BTreeMap;

use benchgate_core::identity::{Comparison, data_files};
use benchgate_host::HostError;
use benchgate_host::identity::identities;
use benchgate_host::sides::BuiltSide;

/// Suites, by package and name, that run the same code on the same data on both sides, and how that is
/// known. What was nearly the same gets a remark that says what differs.
pub(super) fn same_suites(
    base: &BuiltSide,
    head: &BuiltSide,
    changed: &[String],
    remarks: &mut Vec<String>,
) -> Result<BTreeMap<(String, String), String>, HostError> {
    let mut same = BTreeMap::new();
    // A bench may read any file of its checkout.
    let data = data_files(changed, "");
    for ((package, suite), comparison) in identities(base, head)? {
        let name = format!("`{package}.{suite}`");
        match comparison {
            comparison if comparison.is_same_code() && !data.is_empty() => {
                let (first, more) = (data[0], data.len() - 1);
                let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
                remarks.push(format!(
                    "{name} is the same machine code, but `{first}`{more} changed, which a bench may \
                     read: it is measured"
                ));
            }
            Comparison::Same => {
                let reason = "both sides built the same executable, byte for byte".to_owned();
                same.insert((package, suite), reason);
            }
            Comparison::SameCode { sections } => {
                let reason = match sections.as_slice() {
                    [] => "the same machine code and constants on both sides".to_owned(),
                    sections => format!(
                        "the same machine code and constants on both sides; only {} differ",
                        sections.join(", ")
                    ),
                };
                same.insert((package, suite), reason);
            }
            Comparison::Differs { sections } if sections.iter().all(|s| s.section != ".text") => {
                let differ: Vec<String> = sections
                    .iter()
                    .map(|s| match s.bytes {
                        0 => format!("{} (moved)", s.section),
                        bytes => format!("{} ({bytes} bytes)", s.section),
                    })
                    .collect();
                remarks.push(format!(
                    "{name}: the instructions are the same and {} differ; a line number in a panic's \
                     message is enough for that: it is measured",
                    differ.join(", ")
                ));
            }
            Comparison::Differs { .. } | Comparison::Unknown(_) => {}
        }
    }
    Ok(same)
}
