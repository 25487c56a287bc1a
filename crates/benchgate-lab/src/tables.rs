//! Tables from raw data.

use std::fmt::Write as _;

use benchgate_core::model::Level;

use crate::designs::{ALL, Decision, Design};
use crate::estimators::truths;
use crate::kernels::KERNELS;
use crate::raw::Raw;
use crate::stats::{self, clopper_pearson, signed};
use crate::variant::{Family, Variant};

/// Hits of a number of trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Share {
    /// Hits.
    pub(crate) hits: usize,
    /// Trials.
    pub(crate) of: usize,
}

impl Share {
    /// Counts the items for which a test is true.
    pub(crate) fn of<'a, T: 'a>(
        items: impl IntoIterator<Item = &'a T>,
        test: impl Fn(&T) -> bool,
    ) -> Self {
        items.into_iter().fold(Self::default(), |share, item| Self {
            hits: share.hits + usize::from(test(item)),
            of: share.of + 1,
        })
    }

    /// The share; `NaN` without trials.
    pub(crate) fn value(self) -> f64 {
        self.hits as f64 / self.of as f64
    }

    /// The lower end of its interval: a claim of at least that much is met if this meets it.
    pub(crate) fn lower(self) -> f64 {
        if self.of == 0 { 0.0 } else { clopper_pearson(self.hits, self.of).0 }
    }

    /// The upper end of its interval: a claim of at most that much is met if this meets it.
    pub(crate) fn upper(self) -> f64 {
        if self.of == 0 { 1.0 } else { clopper_pearson(self.hits, self.of).1 }
    }

    /// In per cent with its interval.
    pub(crate) fn shown(self) -> String {
        if self.of == 0 {
            return "-".to_owned();
        }
        let (lower, upper) = clopper_pearson(self.hits, self.of);
        let [share, lower, upper] =
            [self.value(), lower, upper].map(|share| percent(share * 100.0));
        format!("{share} [{lower}, {upper}]")
    }

    /// Hits and trials.
    pub(crate) fn counted(self) -> String {
        if self.of == 0 { "-".to_owned() } else { format!("{} of {}", self.hits, self.of) }
    }
}

fn percent(percent: f64) -> String {
    if percent == 0.0 || percent >= 10.0 {
        format!("{percent:.0}")
    } else {
        format!("{percent:.1}")
    }
}

/// A design with its decisions.
pub(crate) type Decided<'a> = (&'static dyn Design, Vec<Decision>);

/// Decisions of every design that has some.
pub(crate) fn decide(raw: &[Raw]) -> Vec<Decided<'static>> {
    ALL.into_iter()
        .map(|design| (design, design.decisions(raw)))
        .filter(|(_, decisions)| !decisions.is_empty())
        .collect()
}

/// Decisions on a family of variants.
pub(crate) fn on(
    decisions: &[Decision],
    family: Family,
) -> impl Iterator<Item = &Decision> + Clone {
    decisions.iter().filter(move |decision| decision.variant.family() == family)
}

/// How often a claim of at least this level is made.
pub(crate) fn claimed<'a>(
    decisions: impl IntoIterator<Item = &'a Decision>,
    level: Level,
) -> Share {
    Share::of(decisions, |decision| decision.claim.is_some_and(|claim| claim >= level))
}

const LEVELS: [Level; 3] = [Level::Note, Level::Warning, Level::Critical];

/// Claims of a slowdown for byte copies.
pub(crate) fn false_alarms(decided: &[Decided<'_>]) -> String {
    let mut text = String::from(
        "| design | decisions | > 2 % or any | > 5 % | > 10 % | under load, any | seconds |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for (design, decisions) in decided {
        let same: Vec<&Decision> = on(decisions, Family::Same).collect();
        let _ = write!(text, "| {} | {} |", design.name(), same.len());
        for level in LEVELS {
            let shown = if level == Level::Note || design.reports_sizes() {
                claimed(same.iter().copied(), level).shown()
            } else {
                String::new()
            };
            let _ = write!(text, " {shown} |");
        }
        let loaded = same.iter().copied().filter(|decision| decision.loaded);
        let seconds = seconds_unchanged(decisions);
        let _ = writeln!(
            text,
            " {} | {:.2} |",
            claimed(loaded, Level::Note).shown(),
            stats::median(&seconds)
        );
    }
    text
}

/// The slowdowns, and the levels that must be claimed for them.
const TARGETS: [(u32, Level); 6] = [
    (2, Level::Note),
    (3, Level::Note),
    (5, Level::Note),
    (6, Level::Warning),
    (10, Level::Warning),
    (12, Level::Critical),
];

/// The name of a level and those above it.
pub(crate) fn at_least(level: Level) -> String {
    match level {
        Level::Critical => level.name().to_owned(),
        _ => format!("{} or worse", level.name()),
    }
}

/// How often a true slowdown is claimed.
pub(crate) fn power(decided: &[Decided<'_>]) -> String {
    let mut text = String::from("| design |");
    for (percent, level) in TARGETS {
        let _ = write!(text, " +{percent} %: {} |", at_least(level));
    }
    text += " inconclusive at +5 % | at +10 % |\n|---|---|---|---|---|---|---|---|---|\n";
    for (design, decisions) in decided {
        if on(decisions, Family::Slower).next().is_none() {
            continue;
        }
        let _ = write!(text, "| {} |", design.name());
        for (percent, level) in TARGETS {
            let level = if design.reports_sizes() { level } else { Level::Note };
            let _ = write!(text, " {} |", claimed(at(decisions, percent), level).shown());
        }
        for percent in [5, 10] {
            let open = Share::of(at(decisions, percent), |decision| decision.is_inconclusive);
            let _ = write!(text, " {} |", open.shown());
        }
        text += "\n";
    }
    text
}

/// The gate's claims of true slowdowns, its wrong answers, and its time without a change, by kernel.
pub(crate) fn power_by_kernel(decisions: &[Decision]) -> String {
    let mut text = String::from("| kernel |");
    for (percent, level) in TARGETS {
        let _ = write!(text, " +{percent} %: {} |", at_least(level));
    }
    text += " +3 % unchanged | +5 % and more unchanged | inconclusive | without a change: inconclusive | seconds: mean | \
             median |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for kernel in KERNELS {
        let of_kernel: Vec<Decision> =
            decisions.iter().filter(|decision| decision.kernel == kernel).cloned().collect();
        let slower: Vec<&Decision> = on(&of_kernel, Family::Slower).collect();
        let unchanged = |is: &dyn Fn(u32) -> bool| {
            let those = slower.iter().copied().filter(|decision| is(decision.variant.percent()));
            Share::of(those, |decision| decision.is_unchanged).counted()
        };
        let _ = write!(text, "| {kernel} |");
        for (percent, level) in TARGETS {
            let _ = write!(text, " {} |", claimed(at(&of_kernel, percent), level).counted());
        }
        let open = Share::of(slower.iter().copied(), |decision| decision.is_inconclusive);
        let same = Share::of(on(&of_kernel, Family::Same), |decision| decision.is_inconclusive);
        let seconds = seconds_unchanged(&of_kernel);
        let _ = writeln!(
            text,
            " {} | {} | {} | {} | {:.2} | {:.2} |",
            unchanged(&|percent| percent == 3),
            unchanged(&|percent| percent >= 5),
            open.counted(),
            same.counted(),
            stats::mean(&seconds),
            stats::median(&seconds)
        );
    }
    text
}

/// The measuring time of each decision on a byte copy, both sides.
pub(crate) fn seconds_unchanged(decisions: &[Decision]) -> Vec<f64> {
    on(decisions, Family::Same).map(|decision| decision.seconds).collect()
}

/// Decisions on a slowdown of this many percent of the work.
pub(crate) fn at(decisions: &[Decision], percent: u32) -> impl Iterator<Item = &Decision> + Clone {
    decisions.iter().filter(move |decision| decision.variant == Variant::Slower(percent))
}

/// Claims where the work is the same and a nuisance setting differs.
pub(crate) fn nulls(decided: &[Decided<'_>]) -> String {
    let mut text = String::from(
        "| design | code moved: any | critical | heap shifted: any | critical | \
         moved without alignment: any | critical |\n|---|---|---|---|---|---|---|\n",
    );
    for (design, decisions) in decided {
        let families = [Family::Address, Family::Heap, Family::Unaligned];
        if families.iter().all(|family| on(decisions, *family).next().is_none()) {
            continue;
        }
        let _ = write!(text, "| {} |", design.name());
        for family in families {
            let any = claimed(on(decisions, family), Level::Note).counted();
            let critical = if design.reports_sizes() {
                claimed(on(decisions, family), Level::Critical).counted()
            } else {
                String::new()
            };
            let _ = write!(text, " {any} | {critical} |");
        }
        text += "\n";
    }
    text
}

/// The nulls of one design, by kernel and shift.
pub(crate) fn nulls_by_kernel(decisions: &[Decision]) -> String {
    let mut text = String::from("| shift |");
    for kernel in KERNELS {
        let _ = write!(text, " {kernel} |");
    }
    text += "\n|---|---|---|---|---|---|---|---|\n";
    for variant in Variant::ALL {
        if matches!(variant.family(), Family::Same | Family::Slower | Family::Small) {
            continue;
        }
        let _ = write!(text, "| {variant} |");
        for kernel in KERNELS {
            let cell: Vec<f64> = decisions
                .iter()
                .filter(|decision| decision.variant == variant && decision.kernel == kernel)
                .filter_map(|decision| decision.estimate)
                .collect();
            let _ = match cell.is_empty() {
                true => write!(text, " - |"),
                false => write!(text, " {} |", signed(stats::median(&cell).exp_m1() * 100.0, 1)),
            };
        }
        text += "\n";
    }
    text
}

/// Mean error of the estimate, in percentage points, by kernel.
pub(crate) fn bias(decided: &[Decided<'_>], raw: &[Raw]) -> String {
    let truths = truths(raw);
    let mut text = String::from("| design |");
    for kernel in KERNELS {
        let _ = write!(text, " {kernel} |");
    }
    text += "\n|---|---|---|---|---|---|---|---|\n";
    for (design, decisions) in decided {
        if decisions.iter().all(|decision| decision.estimate.is_none()) {
            continue;
        }
        let _ = write!(text, "| {} |", design.name());
        for kernel in KERNELS {
            let errors: Vec<f64> = decisions
                .iter()
                .filter(|decision| decision.kernel == kernel)
                .filter(|decision| decision.variant.family() == Family::Slower)
                .filter_map(|decision| {
                    let key = (decision.kernel.clone(), decision.variant.percent());
                    Some(100.0 * (decision.estimate?.exp_m1() - truths.get(&key)?.0.exp_m1()))
                })
                .collect();
            let _ = match errors.is_empty() {
                true => write!(text, " - |"),
                false => write!(
                    text,
                    " {} ± {:.1} |",
                    signed(stats::mean(&errors), 1),
                    stats::median(&errors.iter().map(|error| error.abs()).collect::<Vec<_>>())
                ),
            };
        }
        text += "\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        let shown = [-0.04, 0.04, -0.06, 1.0].map(|value| signed(value, 1));
        assert_eq!(shown, ["0.0", "0.0", "-0.1", "+1.0"]);
    }

    #[test]
    fn a_share_is_shown_with_its_interval() {
        assert_eq!(Share { hits: 0, of: 600 }.shown(), "0 [0, 0.6]");
        assert_eq!(Share { hits: 91, of: 186 }.shown(), "49 [42, 56]");
        assert_eq!(Share::default().shown(), "-");
        assert_eq!(Share { hits: 3, of: 4 }.counted(), "3 of 4");
    }
}
