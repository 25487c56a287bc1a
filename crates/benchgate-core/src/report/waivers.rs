//! Describes what was accepted.

use super::text::{metric_name, one_line, short};
use crate::judge::suggestion;
use crate::model::Metric;
use crate::result::{BenchmarkReport, RunResult, WaiverReport, WaiverState};

/// Entries that a reader must see though no row shows them.
pub(super) fn alarming(result: &RunResult) -> impl Iterator<Item = &WaiverReport> {
    result.waivers.entries.iter().filter(|w| w.state >= WaiverState::Exceeded)
}

/// An entry: `waiver honoured: decode/* up to 13%, until 2026-12-31 (why; #7; benchgate.toml:12)`.
pub(super) fn line(waiver: &WaiverReport, name: impl Fn(&str) -> String) -> String {
    let mut text = format!("{} {}: ", waiver.source.name(), waiver.state.name());
    text.push_str(&name(&waiver.benchmark));
    for (kind, glob) in [("suite", &waiver.suite), ("package", &waiver.package)] {
        if let Some(glob) = glob {
            text.push_str(&format!(" of {kind} {}", name(glob)));
        }
    }
    let metric = waiver.metric.as_ref().unwrap_or(&Metric::TIME);
    text.push_str(&metric_name(metric));
    if let Some(ceiling) = waiver.ceiling {
        text.push_str(&format!(" up to {}", ceiling.written(metric)));
    }
    if let Some(until) = waiver.until {
        text.push_str(&format!(", until {until}"));
    }
    text.push_str(match waiver.state {
        WaiverState::Unmatched => {
            ", matches no benchmark of base or head: remove it from the head's policy, or fix its glob"
        }
        WaiverState::Dropped => ", matches no benchmark, and the head's policy no longer has it",
        WaiverState::Expired => ", has no effect",
        WaiverState::Skipped => ", its benchmarks were not measured",
        WaiverState::Unneeded => ", and its benchmarks need no waiver",
        WaiverState::Honoured | WaiverState::Exceeded => "",
    });
    let place = match (&waiver.commit, waiver.line) {
        (Some(commit), _) => format!("; commit {}", short(commit)),
        (None, Some(line)) => format!("; benchgate.toml, line {line}"),
        (None, None) => String::new(),
    };
    let issue = waiver.issue.as_ref().map(|issue| format!("; {issue}")).unwrap_or_default();
    text.push_str(&format!(" ({}{issue}{place})", waiver.reason));
    one_line(&text).into_owned()
}

/// For a proven slowdown that fails: the line to paste, formatted by `code`, and where.
pub(super) fn how_to_accept(
    result: &RunResult,
    row: &BenchmarkReport,
    code: impl Fn(&str) -> String,
) -> Option<String> {
    if !row.blocking || row.finding.level().is_none() {
        return None;
    }
    let line = code(&suggestion(row));
    Some(match result.waivers.trailers {
        true => format!("to accept it, in a commit message: {line}"),
        false => format!(
            "to accept it (the base needs {}), in a commit message: {line}",
            code("[gate] trailers = true")
        ),
    })
}
