//! Describes what was accepted.

use super::naming::Naming;
use super::text::{metric_name, one_line, short};
use crate::judge::{suggestion, waiver};
use crate::model::{Date, Metric};
use crate::result::{BenchmarkReport, Method, RunResult, WaiverReport, WaiverState};

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

/// Where what fails can be accepted.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// In the message of a commit.
    Trailer,
    /// A change cannot accept itself: the policy is that of the commit that it forked from and of the tip of its base.
    PolicyOfBase,
    /// Two records have neither a base branch nor commits.
    PolicyOfRecords,
}

impl Way {
    /// The way that the policy allows.
    pub(super) fn of(result: &RunResult) -> Self {
        match result.method {
            Method::Recorded | Method::Estimates => Self::PolicyOfRecords,
            Method::Paired | Method::Baseline if result.waivers.trailers => Self::Trailer,
            Method::Paired | Method::Baseline => Self::PolicyOfBase,
        }
    }

    pub(super) fn place(self) -> &'static str {
        match self {
            Self::Trailer => "at the end of the message of a commit of this change",
            Self::PolicyOfBase => {
                "in benchgate.toml of the base branch; then update this branch with it"
            }
            Self::PolicyOfRecords => "in the policy of this comparison",
        }
    }

    /// What is between the lines of two benchmarks: git reads the trailers of one paragraph.
    pub(super) fn between(self) -> &'static str {
        match self {
            Self::Trailer => "\n",
            Self::PolicyOfBase | Self::PolicyOfRecords => "\n\n",
        }
    }

    /// The language of the lines, for a fence of Markdown.
    pub(super) fn language(self) -> &'static str {
        match self {
            Self::Trailer => "text",
            Self::PolicyOfBase | Self::PolicyOfRecords => "toml",
        }
    }

    /// The lines that accept what fails of one metric; `None` where nothing fails that could be accepted.
    pub(super) fn lines(
        self,
        result: &RunResult,
        naming: Naming,
        row: &BenchmarkReport,
    ) -> Option<String> {
        row.is_proven_to_fail().then(|| match self {
            Self::Trailer => suggestion(row),
            Self::PolicyOfBase | Self::PolicyOfRecords => {
                waiver(row, month_after(&result.time), naming.needs_suite(row))
            }
        })
    }
}

/// A day in the month after that of a time: `2026-01-31T…` gives 2026-02-28.
fn month_after(time: &str) -> Option<Date> {
    let day: Date = time.get(..10)?.parse().ok()?;
    let text = day.to_string();
    let mut parts = text.split('-').map(|part| part.parse::<u16>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    Date::new(year, u8::try_from(month).ok()?, u8::try_from(day.min(28)).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;
    use crate::report::samples;

    #[test]
    fn where_suites_may_share_an_id_the_waiver_is_of_one_suite() {
        let mut result = samples::regression();
        let row = result.benchmarks.iter().find(|row| row.blocking).unwrap().clone();
        let twin = BenchmarkReport { suite: "another".into(), ..row.clone() };
        result.benchmarks.push(twin.clone());
        let lines = Way::of(&result).lines(&result, Naming::of(&result), &row).unwrap();
        let lines = lines.replace("<issue>", "#1").replace("<why>", "faster to read");
        let [accepted] = &Policy::parse(&lines).unwrap().waivers[..] else { panic!("{lines}") };
        assert!(accepted.selector.matches(&row.key()), "{lines}");
        assert!(!accepted.selector.matches(&twin.key()), "{lines}");
    }

    #[test]
    fn two_records_have_no_base_branch_and_no_trailers() {
        let mut result = samples::regression();
        result.waivers.trailers = true;
        result.method = Method::Recorded;
        let row = result.benchmarks.iter().find(|row| row.blocking).unwrap();
        let way = Way::of(&result);
        assert_eq!(way.place(), "in the policy of this comparison");
        let lines = way.lines(&result, Naming::of(&result), row).unwrap();
        assert!(lines.starts_with("[[waiver]]\n"), "{lines}");
    }

    #[test]
    fn the_last_day_of_a_waiver_is_a_month_later() {
        for (time, expected) in [
            ("2026-01-31T00:00:00Z", Some("2026-02-28")),
            ("2026-12-05T00:00:00Z", Some("2027-01-05")),
            ("yesterday", None),
            ("", None),
        ] {
            let day = month_after(time).map(|day| day.to_string());
            assert_eq!(day.as_deref(), expected, "{time}");
        }
    }
}
