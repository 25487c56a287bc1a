//! Ratios of two benchmarks of one run.

use super::Sources;
use crate::error::Error;
use crate::generate::evidence::published::{Comparison, Relation};
use crate::generate::evidence::recorded::Times;
use crate::generate::evidence::table::{duration, or_dash, table};

/// Relations with a target, and the rule of the policy that is as tight as the record allows.
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
    let limit = rules.share(relation)?;
    let rule = format!("at most {limit:.2}");
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
    // A limit is tighter than its target where the record was: it may be exceeded where the target is met.
    let rule = if measured > limit { format!("{rule}: **missed**") } else { rule };
    Ok([
        pair(what.as_deref(), benchmark, of),
        medians(times, benchmark, of)?,
        published_cell,
        target_cell,
        format!("**{measured:.3}**"),
        format!("{fastest:.3}"),
        verdict.to_owned(),
        rule,
    ])
}

/// Relations without a target.
pub(super) fn compared(comparisons: &[Comparison], times: &Times) -> Result<String, Error> {
    let rows = comparisons.iter().map(|Comparison { what, benchmark, of }| {
        if let Some(missing) = times.missing_of(&[benchmark, of]) {
            let name = pair(Some(what), benchmark, of);
            return Ok([name, String::new(), missing, String::new()]);
        }
        Ok([
            pair(Some(what), benchmark, of),
            medians(times, benchmark, of)?,
            format!("**{:.3}**", times.ratio(benchmark, of)?),
            format!("{:.3}", times.fastest(benchmark, of)?),
        ])
    });
    Ok(table(
        ["", "medians", "measured", "of the fastest rounds"],
        &rows.collect::<Result<Vec<_>, Error>>()?,
    ))
}

/// How far the ratio of the medians may be from the ratio that is shown without being named.
const APART: f64 = 1.15;

/// Both medians. Those of all rounds are of other turns than the ratio, which is of rounds of the same turn: if they
/// give another ratio, it is named.
pub(super) fn medians(times: &Times, benchmark: &str, of: &str) -> Result<String, Error> {
    let (this, that) = (times.median(benchmark)?, times.median(of)?);
    let both = format!("{} / {}", duration(this), duration(that));
    Ok(match by_medians(times, benchmark, of)? {
        None => both,
        Some(ratio) => format!("{both} (by these {ratio:.3})"),
    })
}

/// The ratio, and that of the medians, which other columns have, if it is another one.
pub(super) fn ratio(times: &Times, benchmark: &str, of: &str) -> Result<String, Error> {
    let ratio = times.ratio(benchmark, of)?;
    Ok(match by_medians(times, benchmark, of)? {
        None => format!("{ratio:.2}"),
        Some(by_medians) => format!("{ratio:.2} (by medians {by_medians:.2})"),
    })
}

/// The ratio of the medians, if it is not about the ratio of rounds of the same turn.
fn by_medians(times: &Times, benchmark: &str, of: &str) -> Result<Option<f64>, Error> {
    let by_medians = times.median(benchmark)? / times.median(of)?;
    let factor = by_medians / times.ratio(benchmark, of)?;
    Ok((!(APART.recip()..=APART).contains(&factor)).then_some(by_medians))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_that_give_another_ratio_than_the_one_that_is_shown_say_so() {
        let times = |this: &[f64], that: &[f64]| Times::of_rounds(&[("a", this), ("b", that)]);
        let calm = times(&[10.0, 11.0, 12.0], &[20.0, 22.0, 24.0]);
        assert_eq!(medians(&calm, "a", "b").unwrap(), "11.0 ns / 22.0 ns");
        // Each turn has a ratio of 0.5, but that the slow turn of one is not that of the other.
        let uneven = times(&[10.0, 30.0, 30.0], &[40.0, 60.0, 30.0]);
        assert_eq!(uneven.ratio("a", "b").unwrap(), 0.5);
        assert_eq!(medians(&uneven, "a", "b").unwrap(), "30.0 ns / 40.0 ns (by these 0.750)");
        assert_eq!(ratio(&uneven, "a", "b").unwrap(), "0.50 (by medians 0.75)");
        assert_eq!(ratio(&calm, "a", "b").unwrap(), "0.50");
    }
}
