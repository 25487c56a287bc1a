//! `docs/accuracy.md` and its plots, from raw data alone: what a person wrote stands in a template,
//! every number is put into it here.

use std::path::Path;

use benchgate_host::{HostError, files};

use crate::raw::{Raw, Run};
use crate::variant::Variant;
use crate::{designs, estimators, grouping, plot, tables};

const TEMPLATE: &str = include_str!("accuracy.template.md");

/// Replayed runs of the engine: enough for shares to a per cent.
const REPLAYED: u32 = 200;

/// The benchmark whose pairs are drawn: the one that depends on its heap.
const DRAWN: (&str, Variant) = ("alloc", Variant::Slower(5));

/// The whole page.
pub(crate) fn markdown(raw: &[Raw]) -> String {
    let decided = tables::decide(raw);
    let gate = decided.first().map_or(&[][..], |(_, decisions)| decisions);
    let replayed = designs::replayed(raw, REPLAYED);
    let parts = [
        ("run", run(raw)),
        ("asked", tables::asked(&decided, raw)),
        ("false-alarms", tables::false_alarms(&decided)),
        ("power", tables::power(&decided)),
        ("nulls", tables::nulls(&decided)),
        ("nulls-by-kernel", tables::nulls_by_kernel(gate)),
        ("coverage", tables::coverage(gate, raw).0),
        ("coverage-replayed", tables::coverage(&replayed, raw).0),
        ("bias", tables::bias(&decided, raw)),
        ("truth", estimators::true_changes(raw)),
        ("executables", executables(raw)),
        ("grouping", grouping::table(raw)),
    ];
    parts.into_iter().fold(TEMPLATE.to_owned(), |text, (name, table)| {
        text.replace(&format!("<!-- {name} -->"), table.trim_end())
    })
}

/// Writes the page and its plots.
///
/// # Errors
/// Names the path.
pub(crate) fn write(raw: &[Raw], docs: &Path) -> Result<(), HostError> {
    files::write_atomically(&docs.join("accuracy.md"), markdown(raw).as_bytes())?;
    let folder = docs.join("accuracy");
    let plots = [
        ("designs.svg", Some(plot::false_alarms_against_power(&tables::decide(raw)))),
        ("pairs.svg", plot::effect_per_pair(raw, DRAWN.0, DRAWN.1)),
    ];
    for (name, svg) in plots {
        if let Some(svg) = svg {
            files::write_atomically(&folder.join(name), svg.as_bytes())?;
        }
    }
    Ok(())
}

fn run(raw: &[Raw]) -> String {
    raw.iter()
        .find_map(|raw| match raw {
            Raw::Run(Run { seed, minutes, load, cpu, cores, rustc }) => Some(format!(
                "{cores} cores of {cpu}, {rustc}, {minutes} minutes, seed {seed}; every third cycle \
                 beside {load} busy processes."
            )),
            _ => None,
        })
        .unwrap_or_default()
}

fn executables(raw: &[Raw]) -> String {
    raw.iter()
        .filter_map(|raw| match raw {
            Raw::Executable(it) => Some(it),
            _ => None,
        })
        .fold(
            "| head | bytes | of them not the base's |\n|---|---|---|\n".to_owned(),
            |text, it| {
                let differing =
                    it.differing.map_or("other size".to_owned(), |bytes| bytes.to_string());
                text + &format!("| {} | {} | {differing} |\n", it.variant, it.bytes)
            },
        )
}
