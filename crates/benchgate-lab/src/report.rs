//! Generates `docs/evidence/accuracy.md` and its plots from raw data: the text is in a template, and every number
//! is inserted here.

use std::fmt::Write as _;
use std::path::Path;

use benchgate_host::HostError;
use benchgate_host::system::files;

use crate::raw::{Raw, Run, builds};
use crate::variant::Variant;
use crate::{
    checks, coverage, designs, estimators, grouping, lengths, placement, plot, tables, targets,
};

const TEMPLATE: &str = include_str!("accuracy.template.md");

/// Replayed runs of the engine: enough to distinguish 93 % from 95 % in every cell.
const REPLAYED: u32 = 1000;

/// The benchmark whose pairs are plotted: it depends on its heap.
const DRAWN: (&str, Variant) = ("alloc", Variant::Slower(5));

/// The whole page.
pub(crate) fn markdown(raw: &[Raw]) -> String {
    page(raw, REPLAYED)
}

fn page(raw: &[Raw], runs: u32) -> String {
    let decided = tables::decide(raw);
    let gate = decided.first().map_or(&[][..], |(_, decisions)| decisions);
    let replayed = designs::replayed(raw, runs);
    let of_replayed = coverage::covered(&replayed, &coverage::of_recorded(raw));
    let of_measured = coverage::covered(gate, &coverage::of_others(raw));
    let measured = targets::Measured { decisions: gate, raw, replayed: of_replayed.worst_cell };
    let parts = [
        ("checks", checks::section(raw)),
        ("run", run(raw)),
        ("planned", planned(raw)),
        ("targets", targets::table(&measured)),
        ("targets-apart", targets::apart(&measured)),
        ("false-alarms", tables::false_alarms(&decided)),
        ("power", tables::power(&decided)),
        ("power-by-kernel", tables::power_by_kernel(gate)),
        ("power-replayed", tables::power(&[(designs::ALL[0], replayed.clone())])),
        ("nulls", tables::nulls(&decided)),
        ("nulls-by-kernel", tables::nulls_by_kernel(gate)),
        ("placement", placement::table(raw)),
        ("coverage", of_measured.table),
        ("coverage-replayed", of_replayed.table),
        ("centres", coverage::centres(raw)),
        ("estimators", estimators::summary(raw)),
        ("bias", tables::bias(&decided, raw)),
        ("truth", estimators::true_changes(raw)),
        ("executables", executables(raw)),
        ("grouping", grouping::table(raw)),
        ("lengths", lengths::table(raw)),
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
    plots(raw, docs)
}

fn plots(raw: &[Raw], docs: &Path) -> Result<(), HostError> {
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
    let shown = builds(raw).filter_map(|(number, build)| {
        let Some(Raw::Run(run)) = build.first() else { return None };
        let Run { seed, minutes, load, cpu, cores, rustc, engine, process } = run;
        let has_others = build.iter().any(|raw| matches!(raw, Raw::Criterion(_)));
        let only = if has_others { "" } else { "; decisions of the gate only" };
        Some(format!(
            "- Build {number}: {cores} cores of {cpu}, {rustc}, {minutes} minutes, seed {seed}; every third cycle \
             alongside {load} busy processes; the engine {engine}, processes of {} + {} ms{only}.\n",
            process.0, process.1,
        ))
    });
    shown.collect()
}

/// Whether today's engine planned what was recorded.
fn planned(raw: &[Raw]) -> String {
    match designs::planned(raw) {
        (all, 0) => format!(
            "The engine that judges here also planned what was measured: replayed over all {all} recorded decisions, it \
             asks for the same pairs."
        ),
        (all, others) => format!(
            "Of {all} recorded decisions, {others} were planned by another engine than the one that judges here. Of \
             their pairs it takes what it would have measured, in their order; where it would have measured more, it \
             decides on what there is, as at the end of a budget."
        ),
    }
}

fn executables(raw: &[Raw]) -> String {
    let mut text =
        "| build | head | bytes | bytes that differ from the base |\n|---|---|---|---|\n"
            .to_owned();
    for (number, build) in builds(raw) {
        for raw in build {
            let Raw::Executable(it) = raw else { continue };
            let differing = it.differing.map_or("other size".to_owned(), |bytes| bytes.to_string());
            let _ = writeln!(text, "| {number} | {} | {} | {differing} |", it.variant, it.bytes);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::KERNELS;
    use crate::raw::{
        Blocks, Criterion, Estimates, Gate, Lockstep, Pair, Sequence, Truth, Verdict,
    };

    /// A pair of a kernel whose head is slower by `log`, and scatters evenly by 0.2 %.
    fn pair(at: usize, log: f64) -> Pair {
        let scatter = ((at * 7 % 15) as f64 - 7.0) / 7.0 * 0.002;
        Pair(1000.0, 1000.0 * (log + scatter).exp(), 0, 0, 0.05)
    }

    /// The raw data of a run on a machine without noise.
    fn made_up() -> Vec<Raw> {
        let mut raw = Vec::new();
        for kernel in KERNELS {
            let kernel = kernel.to_owned();
            for percent in Variant::PERCENTS {
                let log = (f64::from(percent) / 100.0).ln_1p();
                let logs = (0..6).map(|at| pair(at, log).log()).collect();
                raw.push(Raw::Truth(Truth { kernel: kernel.clone(), percent, logs }));
            }
            for variant in Variant::ALL {
                let log = (f64::from(variant.percent()) / 100.0).ln_1p();
                let pairs = |count| (0..count).map(|at| pair(at, log)).collect::<Vec<_>>();
                let loaded = variant == Variant::Same;
                let head = 1000.0 * log.exp();
                raw.extend([
                    Raw::Gate(Gate {
                        run: 0,
                        kernel: kernel.clone(),
                        variant,
                        loaded,
                        screening: pairs(15),
                        confirmation: if variant.percent() > 2 { pairs(15) } else { Vec::new() },
                        layouts: if variant.percent() > 2 {
                            (1..=15).collect()
                        } else {
                            Vec::new()
                        },
                        order: (0..30).collect(),
                    }),
                    Raw::Sequence(Sequence {
                        kernel: kernel.clone(),
                        variant,
                        loaded,
                        pairs: pairs(45),
                    }),
                    Raw::Criterion(Criterion {
                        kernel: kernel.clone(),
                        variant,
                        loaded,
                        settings: (0.15, 0.4),
                        base: Estimates { mean: 1000.0, median: 1000.0 },
                        head: Estimates { mean: head, median: head },
                        verdict: if log > 0.0 { Verdict::Regressed } else { Verdict::NoChange },
                        seconds: 1.5,
                    }),
                    Raw::Blocks(Blocks {
                        kernel: kernel.clone(),
                        variant,
                        loaded,
                        base: pairs(10).iter().map(|pair| pair.0 + pair.4).collect(),
                        head: pairs(10).iter().map(|pair| pair.1).collect(),
                        seconds: 0.9,
                    }),
                    Raw::Lockstep(Lockstep {
                        kernel: kernel.clone(),
                        variant,
                        loaded,
                        pairs: 4000,
                        base: 1000.0,
                        difference: head - 1000.0,
                        deviation: 30.0,
                        seconds: 1.1,
                    }),
                ]);
            }
        }
        raw
    }

    #[test]
    fn every_part_of_the_page_is_made_from_raw_data() {
        let page = page(&made_up(), 1);
        assert!(!page.contains("<!--"), "a placeholder of the template was not replaced");
        let of = |from: &str, to: &str| {
            page.split(from).nth(1).and_then(|rest| rest.split(to).next()).unwrap().to_owned()
        };
        insta::assert_snapshot!("targets", of("## Targets", "## False"));
        insta::assert_snapshot!("false_alarms", of("byte copy of the base.", "Seconds are"));
        insta::assert_snapshot!("power", of("every claim counts.", "## Changes"));
        insta::assert_snapshot!("bias", of("over all slowdowns.", "## True"));
    }

    #[test]
    fn the_same_raw_data_gives_the_same_page_and_the_same_plots() {
        let raw = made_up();
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let written = folders.map(|folder| {
            plots(&raw, folder.path()).unwrap();
            ["accuracy/designs.svg", "accuracy/pairs.svg"]
                .map(|name| std::fs::read_to_string(folder.path().join(name)).unwrap())
        });
        assert_eq!(written[0], written[1]);
        assert!(written[0][0].contains("benchgate"));
        assert_eq!(page(&raw, 2), page(&raw, 2));
    }
}
