//! How a finding looks: a mark and a tone, next to its word.

use maud::{Markup, html};

use crate::model::{Finding, Verdict};
use crate::plot::Tone;
use crate::report::WebAddress;
use crate::report::text::{one_line, short};
use crate::result::{BenchmarkReport, RuleState};

/// The tone of a benchmark.
pub(super) fn tone(row: &BenchmarkReport) -> Tone {
    of_finding(row.finding, row.blocking)
}

/// The tone of a finding, and whether it makes the gate red.
pub(super) fn of_finding(finding: Finding, blocking: bool) -> Tone {
    match finding {
        Finding::Critical | Finding::Warning | Finding::Note if blocking => Tone::Worse,
        Finding::Failed | Finding::Missing => Tone::Worse,
        Finding::Critical
        | Finding::Warning
        | Finding::Note
        | Finding::Drifted
        | Finding::Waived
        | Finding::Removed => Tone::Caution,
        Finding::Inconclusive | Finding::NonDeterministic => Tone::Open,
        Finding::Improved => Tone::Better,
        Finding::NotSlower
        | Finding::Unchanged
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

/// A verdict has a separate mark, because it has no direction.
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
        RuleState::ExceededBefore => Tone::Caution,
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

/// Text in which what is between backticks is code. It may be untrusted: it becomes no other element.
pub(super) fn prose(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    // The last backtick of an odd number opens nothing.
    let is_closed = |number: usize| number + 1 < parts.len();
    html! {
        @for (number, part) in parts.iter().enumerate() {
            @if number % 2 == 0 { (one_line(part)) }
            @else if is_closed(number) { code { (one_line(part)) } }
            @else { "`" (one_line(part)) }
        }
    }
}

/// Lines to paste; the script puts a button to copy them there.
pub(super) fn copied(lines: &str) -> Markup {
    html! { pre data-copy="" { code { (lines) } } }
}

/// A commit by the beginning of its id, with the whole id as its title; a link where the run that measured it is known.
pub(super) fn commit(id: &str, run: Option<&WebAddress>) -> Markup {
    let shown = html! { code title=(one_line(id)) { (one_line(short(id))) } };
    match run.and_then(|run| run.of_commit(id)) {
        Some(address) => html! { a href=(address) { (shown) } },
        None => shown,
    }
}

fn marked(tone: Tone, mark: &str, word: &str) -> Markup {
    html! {
        span class={ "badge " (tone.class()) } { span aria-hidden="true" { (mark) } " " (word) }
    }
}

/// A part that may be wider than the screen: it scrolls by itself, also by keys.
pub(super) fn scrolling(class: &str, label: &str, inside: &Markup) -> Markup {
    html! { div class=(class) tabindex="0" role="group" aria-label=(label) { (inside) } }
}

/// The end of a process's output, without what would change how other lines are shown.
pub(super) fn output(text: &str, is_open: bool) -> Markup {
    let lines: Vec<_> = text.lines().map(one_line).collect();
    html! {
        @if !lines.is_empty() {
            details open[is_open] { summary { "The end of its output" } pre { (lines.join("\n")) } }
        }
    }
}
