//! Where a difference of allocations sits, in words.

use super::text::{located, one_line, place, thousands};
use crate::model::Sides;
use crate::report::Table;
use crate::result::{Allocations, DifferenceKind, SiteDifference, difference};

/// At most this number of lines: the functions with most of the difference; or why there are none.
pub(super) fn summary(
    found: &Allocations,
    most: usize,
    quote: impl Fn(&str) -> String,
    plain: impl Fn(&str) -> String,
) -> Vec<String> {
    if found.sites.is_empty() {
        return vec![nowhere(found).to_owned()];
    }
    let is_up = |blocks: Sides<u64>, bytes: Sides<u64>| {
        (difference(blocks), difference(bytes)) >= (0.0, 0.0)
    };
    let up = is_up(found.blocks, found.bytes);
    let along = found.sites.iter().filter(|site| is_up(site.blocks, site.bytes) == up);
    along
        .take(most)
        .map(|site| {
            let name = located(quote(&site.name), &place(&site.file, site.line), &plain);
            let amounts = format!("{} blocks, {} bytes", more(site.blocks), more(site.bytes));
            format!("{name}: {amounts}; {}", how(site))
        })
        .collect()
}

/// The whole explanation, for a terminal of this number of columns; below the name of the benchmark.
pub(super) fn terminal(found: &Allocations, width: Option<u16>) -> String {
    let mut text = format!("{} in one iteration\n", amounts(found.blocks, found.bytes));
    if found.sites.is_empty() {
        text.push_str(&format!("  {}\n", nowhere(found)));
    } else {
        let heads = ["blocks", "bytes", "function", "place", "base", "head", "how"];
        let mut table = Table::new(&heads, &[0, 1, 4, 5]);
        for site in &found.sites {
            table.row([
                more(site.blocks).into(),
                more(site.bytes).into(),
                one_line(&site.name),
                one_line(&place(&site.file, site.line)).into_owned().into(),
                of_side(site.blocks.base, site.bytes.base).into(),
                of_side(site.blocks.head, site.bytes.head).into(),
                how(site).into(),
            ]);
        }
        text.push_str(&table.text(width, |_| anstyle::Style::new()));
    }
    text.push_str(&format!(
        "  all other sites: {}\n",
        amounts(found.other_blocks, found.other_bytes)
    ));
    if let Some(line) = counted(found) {
        text.push_str(&format!("  {line}\n"));
    }
    text
}

/// Of both sides: `3 → 8 blocks, 300 → 340 bytes`.
pub(super) fn amounts(blocks: Sides<u64>, bytes: Sides<u64>) -> String {
    let both = |sides: Sides<u64>| match sides.base == sides.head {
        true => thousands(sides.base),
        false => format!("{} → {}", thousands(sides.base), thousands(sides.head)),
    };
    format!("{} blocks, {} bytes", both(blocks), both(bytes))
}

/// Of one side; a dash if it allocates nothing.
pub(super) fn of_side(blocks: u64, bytes: u64) -> String {
    match blocks {
        0 => "–".to_owned(),
        _ => format!("{} blocks, {} bytes", thousands(blocks), thousands(bytes)),
    }
}

/// A difference with its sign.
pub(super) fn more(sides: Sides<u64>) -> String {
    let amount = thousands(sides.base.abs_diff(sides.head));
    match sides.head.cmp(&sides.base) {
        std::cmp::Ordering::Less => format!("-{amount}"),
        std::cmp::Ordering::Equal => amount,
        std::cmp::Ordering::Greater => format!("+{amount}"),
    }
}

pub(super) fn how(site: &SiteDifference) -> String {
    let times =
        |sides: Sides<u64>| format!("{:.2} ×", sides.head as f64 / sides.base.max(1) as f64);
    match site.kind {
        DifferenceKind::New => "new".to_owned(),
        DifferenceKind::Vanished => "gone".to_owned(),
        DifferenceKind::Changed if site.blocks.base == site.blocks.head => {
            format!("{} the bytes in as many blocks", times(site.bytes))
        }
        DifferenceKind::Changed => format!("{} the blocks", times(site.blocks)),
    }
}

/// Returns the sentence for allocations of which no site differs.
pub(super) fn nowhere(found: &Allocations) -> &'static str {
    match difference(found.blocks) == 0.0 && difference(found.bytes) == 0.0 {
        true => "the profiled iteration asks for the same on both sides",
        false => {
            "all of it in the standard library alone, called by no function of the repository or of a dependency"
        }
    }
}

/// The gate's counts, if they are others.
pub(super) fn counted(found: &Allocations) -> Option<String> {
    let Sides { base, head } = found.counted?;
    Some(format!(
        "the gate counted {base} → {head} blocks an iteration: the iterations differ, and one is profiled"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn lines(found: &Allocations) -> String {
        summary(found, 3, |name| format!("`{name}`"), str::to_owned).join("\n")
    }

    #[test]
    fn the_function_with_most_of_the_blocks_is_named_with_its_place_and_how_it_changed() {
        let allocations = samples::allocations();
        insta::assert_snapshot!(lines(&allocations));
        insta::assert_snapshot!(terminal(&allocations, None));
    }

    #[test]
    fn no_site_is_said_in_words_and_other_counts_of_the_gate_are_not_hidden() {
        let allocations = Allocations {
            blocks: Sides::new(3, 3),
            bytes: Sides::new(30, 30),
            counted: Some(Sides::new(3.0, 3.1)),
            ..Allocations::default()
        };
        let other = Allocations { blocks: Sides::new(3, 4), ..allocations.clone() };
        insta::assert_snapshot!(format!(
            "{}\n{}\n{}",
            lines(&allocations),
            lines(&other),
            terminal(&allocations, None)
        ));
    }
}
