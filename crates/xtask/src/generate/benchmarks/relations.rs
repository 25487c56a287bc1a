//! Ratios of two benchmarks of one run.

use super::Sources;
use crate::error::Error;
use crate::generate::published::{Comparison, Relation};
use crate::generate::recorded::Times;
use crate::generate::table::{duration, or_dash, table};

/// Those with a target, and the rule of the policy that is as tight as what was recorded allows.
pub(super) fn with_targets(
    relations: &[Relation],
    sources: &Sources,
    times: &Times,
) -> Result<String, Error> {
    let rows = relations.iter().map(|relation| row(relation, sources, times));
    Ok(table(
        ["", "medians", "published", "target", "measured", "of the fastest rounds", "", "rule"],
        &rows.collect::<Result<Vec<_>, Error>>()?,
    ))
}

fn row(
    relation: &Relation,
    Sources { rules, .. }: &Sources,
    times: &Times,
) -> Result<[String; 8], Error> {
    let Relation { what, benchmark, of, published, published_unsafe, target } = relation;
    let rule = format!("at most {:.2}", rules.share(relation)?);
    let target_cell = format!("at most {target:.2}");
    let with_unsafe = published_unsafe.map(|ratio| format!(" ({ratio:.3} with `Unsafe`)"));
    let published_cell = or_dash(*published, |ratio| format!("{ratio:.3}"));
    let published_cell = published_cell + &with_unsafe.unwrap_or_default();
    if let Some(missing) = times.missing_of(&[benchmark, of]) {
        let name = pair(what.as_deref(), benchmark, of);
        let none = String::new;
        return Ok([name, none(), published_cell, target_cell, missing, none(), none(), rule]);
    }
    let (measured, fastest) = (times.ratio(benchmark, of)?, times.fastest(benchmark, of)?);
    let verdict = match (measured <= *target, fastest <= *target) {
        (true, true) => "met",
        (true, false) => "met, but not by the fastest rounds",
        (false, _) => "**missed**",
    };
    Ok([
        pair(what.as_deref(), benchmark, of),
        format!("{} / {}", duration(times.median(benchmark)?), duration(times.median(of)?)),
        published_cell,
        target_cell,
        format!("**{measured:.3}**"),
        format!("{fastest:.3}"),
        verdict.to_owned(),
        rule,
    ])
}

/// Those without a target.
pub(super) fn compared(comparisons: &[Comparison], times: &Times) -> Result<String, Error> {
    let rows = comparisons.iter().map(|Comparison { what, benchmark, of }| {
        if let Some(missing) = times.missing_of(&[benchmark, of]) {
            let name = pair(Some(what), benchmark, of);
            return Ok([name, String::new(), missing, String::new()]);
        }
        Ok([
            pair(Some(what), benchmark, of),
            format!("{} / {}", duration(times.median(benchmark)?), duration(times.median(of)?)),
            format!("**{:.3}**", times.ratio(benchmark, of)?),
            format!("{:.3}", times.fastest(benchmark, of)?),
        ])
    });
    Ok(table(
        ["", "medians", "measured", "of the fastest rounds"],
        &rows.collect::<Result<Vec<_>, Error>>()?,
    ))
}

/// Both ids; the folder that they share is written once.
fn pair(what: Option<&str>, benchmark: &str, of: &str) -> String {
    let shared = benchmark.rsplit_once('/').map_or("", |(folder, _)| folder);
    let of = match of.strip_prefix(shared) {
        Some(rest) if !shared.is_empty() => format!("…{rest}"),
        _ => of.to_owned(),
    };
    let what = what.map(|what| format!("{what}: ")).unwrap_or_default();
    format!("{what}`{benchmark}` / `{of}`")
}
