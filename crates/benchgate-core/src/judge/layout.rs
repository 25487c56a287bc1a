//! Distinguishes a slowdown of the code from one of its layout in memory.
//!
//! An edit that moves a hot loop by a few bytes can make it 15 % slower with the same instructions. Pairs of one
//! file per side prove that it is slower, but not the cause. Pairs that take another layout each scatter what a
//! layout does, and their bounds include it.

use std::collections::BTreeSet;

use super::instructions::MORE_WORK;
use crate::model::{Evidence, Finding};
use crate::policy::{LayoutNotRuledOut, Limits};

/// Applies the evidence about layout to a finding that would be red.
pub(super) fn weigh(
    finding: Finding,
    reason: String,
    limits: &Limits,
    evidence: &Evidence,
) -> (Finding, String) {
    let blocks = finding.level().is_some_and(|level| level >= limits.fail_on);
    if !blocks {
        return (finding, reason);
    }
    let Evidence { not_counted, layouts, .. } = evidence;
    let change = evidence.more_instructions();
    let counted = match change {
        Some(change) => format!("; instructions {:+.2} %", change * 100.0),
        None => String::new(),
    };
    if layouts.is_empty() || change.is_some_and(|change| change > MORE_WORK) {
        return (finding, format!("{reason}{counted}"));
    }
    if !layouts.contains(&0) {
        let distinct = layouts.iter().collect::<BTreeSet<_>>().len();
        return (finding, format!("{reason}, in {distinct} layouts of the same code{counted}"));
    }
    let why = match evidence.not_relinked.as_str() {
        "" => "not every confirmation pair has a layout of its own",
        why => why,
    };
    let counted = match not_counted.as_str() {
        "" => counted,
        why => format!("{counted}; instructions not counted: {why}"),
    };
    match limits.layout_not_ruled_out {
        LayoutNotRuledOut::Fail => {
            (finding, format!("{reason}; layout not ruled out: {why}{counted}"))
        }
        LayoutNotRuledOut::Inconclusive => {
            (Finding::Inconclusive, format!("layout not ruled out: {reason}, but {why}{counted}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Instructions;

    fn weighed(evidence: Evidence, limits: &Limits) -> (Finding, String) {
        super::weigh(Finding::Critical, "slower than 10 %".to_owned(), limits, &evidence)
    }

    #[test]
    fn a_slowdown_without_more_instructions_is_red_where_each_pair_has_a_layout_of_its_own() {
        let with = |head: Option<f64>, layouts: &[u32], not_relinked: &str, not_counted: &str| {
            let evidence = Evidence {
                instructions: head.map(|head| Instructions { base: 1000.0, head }),
                layouts: layouts.to_vec(),
                not_relinked: not_relinked.to_owned(),
                not_counted: not_counted.to_owned(),
                ..Evidence::default()
            };
            let (finding, reason) = weighed(evidence, &Limits::default());
            format!("{}: {reason}\n", finding.name())
        };
        let linker = "the repository sets its own linker";
        let cases = [
            with(None, &[], "", ""),
            with(Some(1110.0), &[], linker, ""),
            with(Some(1110.0), &[0, 0], linker, ""),
            with(Some(1000.0), &[0, 0], linker, ""),
            with(None, &[0, 0], linker, "`valgrind` is not installed"),
            with(Some(1000.0), &[1, 2, 1], "", ""),
            with(None, &[1, 2, 3], "", "`valgrind` is not installed"),
            with(None, &[1, 0, 3], "", ""),
        ];
        insta::assert_snapshot!(cases.concat());
    }

    #[test]
    fn a_policy_may_have_it_fail() {
        let evidence = Evidence {
            layouts: vec![0; 15],
            not_relinked: "sections cannot be moved".to_owned(),
            not_counted: "`valgrind` is not installed".to_owned(),
            ..Evidence::default()
        };
        let layout_not_ruled_out = LayoutNotRuledOut::Fail;
        let limits = Limits { layout_not_ruled_out, ..Limits::default() };
        let (finding, reason) = weighed(evidence, &limits);
        assert_eq!(finding, Finding::Critical);
        insta::assert_snapshot!(
            reason,
            @"slower than 10 %; layout not ruled out: sections cannot be moved; instructions not counted: `valgrind` is not installed"
        );
    }

    #[test]
    fn a_finding_that_is_not_red_is_left_as_it_is() {
        let evidence = Evidence { layouts: vec![0], ..Evidence::default() };
        let weighed = super::weigh(Finding::Note, "r".into(), &Limits::default(), &evidence);
        assert_eq!(weighed, (Finding::Note, "r".to_owned()));
    }
}
