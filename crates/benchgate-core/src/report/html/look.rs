//! How a finding looks: a mark and a tone, beside its word.

use maud::{Markup, html};

use crate::model::{Finding, Verdict};
use crate::plot::Tone;
use crate::result::{BenchmarkReport, RuleState};

/// The tone of a benchmark.
pub(super) fn tone(row: &BenchmarkReport) -> Tone {
    match row.finding {
        Finding::Critical | Finding::Warning | Finding::Note if row.blocking => Tone::Worse,
        Finding::Failed | Finding::Missing => Tone::Worse,
        Finding::Critical
        | Finding::Warning
        | Finding::Note
        | Finding::Drifted
        | Finding::Waived
        | Finding::Removed => Tone::Caution,
        Finding::Inconclusive | Finding::NonDeterministic => Tone::Open,
        Finding::Improved => Tone::Better,
        Finding::Unchanged
        | Finding::Identical
        | Finding::New
        | Finding::Renamed
        | Finding::Skipped => Tone::Even,
    }
}

/// The tone of a verdict.
pub(super) fn of_verdict(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Pass => Tone::Better,
        Verdict::Inconclusive => Tone::Open,
        Verdict::Incomplete | Verdict::Regression => Tone::Worse,
    }
}

/// A verdict with a mark of its own: it has no direction.
pub(super) fn verdict_badge(verdict: Verdict) -> Markup {
    let mark = match verdict {
        Verdict::Pass => "✔",
        Verdict::Inconclusive => "?",
        Verdict::Incomplete => "!",
        Verdict::Regression => "✖",
    };
    marked(of_verdict(verdict), mark, verdict.name())
}

/// The tone of a rule.
pub(super) fn of_rule(state: RuleState) -> Tone {
    match state {
        RuleState::Violated | RuleState::Unmeasured => Tone::Worse,
        RuleState::Unproven => Tone::Open,
        RuleState::Satisfied => Tone::Better,
        RuleState::Skipped => Tone::Even,
    }
}

/// A word with the mark of its tone. The word says it all: the mark is not read aloud.
pub(super) fn badge(tone: Tone, word: &str) -> Markup {
    let mark = match tone {
        Tone::Worse => "▲",
        Tone::Caution => "△",
        Tone::Better => "▼",
        Tone::Even => "●",
        Tone::Open => "◇",
    };
    marked(tone, mark, word)
}

fn marked(tone: Tone, mark: &str, word: &str) -> Markup {
    html! {
        span class={ "badge " (tone.class()) } { span aria-hidden="true" { (mark) } " " (word) }
    }
}
