//! Numbers and words in reasons.

use crate::policy::Limits;

/// A fraction as a percentage with one decimal.
pub(super) fn percent(fraction: f64) -> String {
    format!("{:.1} %", fraction * 100.0)
}

/// What reasons call a change, by what is measured.
pub(super) struct Words {
    pub(super) slower: &'static str,
    pub(super) faster: &'static str,
    pub(super) slowdown: &'static str,
    pub(super) a_slowdown: &'static str,
}

impl Words {
    pub(super) fn of(limits: &Limits) -> Self {
        match limits.is_duration {
            true => Self {
                slower: "slower",
                faster: "faster",
                slowdown: "slowdown",
                a_slowdown: "a slowdown",
            },
            false => Self {
                slower: "higher",
                faster: "lower",
                slowdown: "increase",
                a_slowdown: "an increase",
            },
        }
    }
}
