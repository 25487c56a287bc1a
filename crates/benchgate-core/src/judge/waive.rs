//! Applies waivers, trailers and quarantines to finished findings. Accepted benchmarks are measured and
//! reported like all others.

use crate::model::{BenchmarkKey, Date, Finding, Metric};
use crate::policy::{Acceptance, Ceiling, Policy, Selector, TRAILER, Term, plain_glob, trailer};
use crate::result::{
    BenchmarkReport, SuiteReport, WaiverReport, WaiverSource, WaiverState, Waivers,
};

/// The facts about a change that waivers depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    /// Today, in UTC.
    pub today: Date,
    /// The trailers of its commits.
    pub trailers: &'a [Trailer],
    /// The head's policy; `None` if it is the effective one. It can only remove exceptions.
    pub head: Option<&'a Policy>,
    /// Whether the findings are of all suites: only then does an entry that matches none of them fail.
    pub whole: bool,
}

/// A `Benchgate-Accept` of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trailer {
    /// The commit's id.
    pub commit: String,
    /// The value of the trailer.
    pub text: String,
}

/// Changes the findings that are accepted, and reports the state of every entry; refused trailers are in
/// the notices.
pub(super) fn waive(
    benchmarks: &mut [BenchmarkReport],
    suites: &[SuiteReport],
    policy: &Policy,
    request: &Request<'_>,
) -> (Waivers, Vec<String>) {
    let (mut entries, notices) = entries(policy, request);
    if !entries.is_empty() {
        for benchmark in benchmarks {
            apply(benchmark, &mut entries);
        }
    }
    let entries = entries.into_iter().map(|entry| entry.settled(suites, request)).collect();
    (Waivers { trailers: policy.trailers, entries }, notices)
}

/// The trailer that accepts the measured change of a benchmark, rounded up to whole percents plus one for
/// the noise of the next run.
pub fn suggestion(benchmark: &BenchmarkReport) -> String {
    trailer(&benchmark.id, &benchmark.metric, accepting(benchmark))
}

/// The `[[waiver]]` that accepts the same, until a day, where the policy allows no trailers; of its suite alone, where
/// another one may have a benchmark of the same id.
pub fn waiver(benchmark: &BenchmarkReport, until: Option<Date>, of_suite: bool) -> String {
    let suite = match of_suite {
        true => format!(
            "suite = {}\npackage = {}\n",
            quoted(&plain_glob(&benchmark.suite)),
            quoted(&plain_glob(&benchmark.package))
        ),
        false => String::new(),
    };
    let ceiling = match accepting(benchmark) {
        Ceiling::Change(most) => format!("ceiling = {}", (most * 1e8).round() / 1e6),
        Ceiling::Count(most) => format!("count = {most}"),
    };
    let until = until.map_or_else(|| "<the last day>".to_owned(), |day| day.to_string());
    format!(
        "[[waiver]]\nbenchmark = {}\n{suite}metric = {}\n{ceiling}\nuntil = {until}\n\
         issue = \"<issue>\"\nreason = \"<why>\"",
        quoted(&plain_glob(&benchmark.id)),
        quoted(benchmark.metric.name()),
    )
}

/// A basic string of TOML. The text has no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The measured change, rounded up to whole percents plus one for the noise of the next run.
fn accepting(benchmark: &BenchmarkReport) -> Ceiling {
    match (benchmark.to_accept(), benchmark.head) {
        (Some(change), _) => {
            let percent = (change.max(0.0) * 1e8).round() / 1e6;
            Ceiling::Change((percent.ceil() + 1.0) / 100.0)
        }
        (None, Some(head)) if benchmark.metric.is_count() => Ceiling::Count(head),
        (None, _) => Ceiling::Change(0.01),
    }
}

struct Entry {
    selector: Selector,
    report: WaiverReport,
    /// Number of benchmarks that it matches, and how many of them were skipped.
    matched: usize,
    left_out: usize,
}

fn entries(policy: &Policy, request: &Request<'_>) -> (Vec<Entry>, Vec<String>) {
    let mut entries = Vec::new();
    for quarantine in &policy.quarantines {
        let source = WaiverSource::Quarantine;
        entries.push(Entry::of_policy(source, &quarantine.selector, &quarantine.term, request));
    }
    for waiver in &policy.waivers {
        let mut entry =
            Entry::of_policy(WaiverSource::Waiver, &waiver.selector, &waiver.term, request);
        entry.report.metric = Some(waiver.metric.clone());
        entry.report.ceiling = Some(waiver.ceiling);
        entries.push(entry);
    }
    let mut notices = Vec::new();
    for Trailer { commit, text } in request.trailers {
        let refused = |why: &str| {
            let commit = commit.get(..10).unwrap_or(commit);
            format!("`{TRAILER}: {text}` of commit {commit} is not honoured: {why}")
        };
        if !policy.trailers {
            notices.push(refused("the base's benchgate.toml has no `[gate] trailers = true`"));
            continue;
        }
        match Acceptance::parse(text) {
            Ok(accepted) => entries.push(Entry::of_commit(commit, accepted)),
            Err(problem) => notices.push(refused(&problem)),
        }
    }
    (entries, notices)
}

impl Entry {
    fn new(source: WaiverSource, selector: &Selector, reason: String) -> Self {
        let report = WaiverReport {
            source,
            state: WaiverState::Unneeded,
            benchmark: selector.benchmark.pattern(),
            suite: selector.suite.as_ref().map(|glob| glob.pattern()),
            package: selector.package.as_ref().map(|glob| glob.pattern()),
            metric: None,
            ceiling: None,
            until: None,
            issue: None,
            reason,
            line: None,
            commit: None,
            finding: None,
        };
        Self { selector: selector.clone(), report, matched: 0, left_out: 0 }
    }

    fn of_policy(
        source: WaiverSource,
        selector: &Selector,
        term: &Term,
        request: &Request<'_>,
    ) -> Self {
        let mut entry = Self::new(source, selector, term.reason.clone());
        if term.is_over(request.today) {
            entry.report.state = WaiverState::Expired;
        }
        entry.report.until = Some(term.until);
        entry.report.issue = Some(term.issue.clone());
        entry.report.line = Some(term.line);
        entry
    }

    fn of_commit(commit: &str, accepted: Acceptance) -> Self {
        let mut entry = Self::new(WaiverSource::Trailer, &accepted.selector, accepted.reason);
        entry.report.metric = Some(accepted.metric);
        entry.report.ceiling = Some(accepted.ceiling);
        entry.report.commit = Some(commit.to_owned());
        entry
    }

    fn is_about(&self, key: &BenchmarkKey, metric: &Metric) -> bool {
        self.report.metric.as_ref().is_none_or(|own| own == metric) && self.selector.matches(key)
    }

    /// Its effect on a finding; `None` when there is nothing to accept.
    fn effect(&self, benchmark: &BenchmarkReport) -> Option<WaiverState> {
        let proven = benchmark.finding.level().is_some();
        let open = benchmark.finding == Finding::Inconclusive;
        if self.report.state == WaiverState::Expired {
            return (proven || open).then_some(WaiverState::Expired);
        }
        let Some(ceiling) = self.report.ceiling else {
            // A quarantine is for noise: a missing benchmark is not noisy.
            let noisy = matches!(benchmark.finding, Finding::NonDeterministic | Finding::Failed);
            return (proven || open || noisy).then_some(WaiverState::Honoured);
        };
        let change = benchmark.change.as_ref();
        match (proven, open) {
            (true, _) if ceiling.allows(benchmark.to_accept(), benchmark.head) => {
                Some(WaiverState::Honoured)
            }
            (true, _) => Some(WaiverState::Exceeded),
            (_, true) if ceiling.covers(change) => Some(WaiverState::Honoured),
            _ => None,
        }
    }

    /// Its report at the end of the run.
    fn settled(self, suites: &[SuiteReport], request: &Request<'_>) -> WaiverReport {
        let mut report = self.report;
        report.state = match report.state {
            WaiverState::Expired => WaiverState::Expired,
            state if self.matched > self.left_out => state,
            _ if self.matched > 0 || !request.whole => WaiverState::Skipped,
            _ if suites.iter().any(|suite| may_hold(suite, &self.selector)) => WaiverState::Skipped,
            _ if request.head.is_some_and(|head| !holds(head, &report, &self.selector)) => {
                WaiverState::Dropped
            }
            _ => WaiverState::Unmatched,
        };
        report
    }
}

/// Whether a suite that was not measured may hold the benchmark of an entry. For a suite that is always
/// skipped the entry must name it, or else one such suite would excuse every entry.
pub(super) fn may_hold(suite: &SuiteReport, selector: &Selector) -> bool {
    let is_unknown =
        matches!(suite.finding, Finding::Failed | Finding::Missing | Finding::Identical);
    (is_unknown && suite.suite.is_empty())
        || ((is_unknown || selector.suite.is_some())
            && selector.is_about_suite(&suite.package, &suite.suite))
}

/// Whether a policy also has the entry.
fn holds(policy: &Policy, report: &WaiverReport, selector: &Selector) -> bool {
    match report.source {
        WaiverSource::Waiver => policy
            .waivers
            .iter()
            .any(|w| w.selector == *selector && Some(&w.metric) == report.metric.as_ref()),
        WaiverSource::Quarantine => policy.quarantines.iter().any(|q| q.selector == *selector),
        WaiverSource::Trailer => true,
    }
}

/// The first entry that takes effect decides; then the first whose ceiling is too low; then an expired one.
fn apply(benchmark: &mut BenchmarkReport, entries: &mut [Entry]) {
    let key = benchmark.key();
    let mut decided: Option<(usize, WaiverState)> = None;
    for (index, entry) in entries.iter_mut().enumerate() {
        if !entry.is_about(&key, &benchmark.metric) {
            continue;
        }
        entry.matched += 1;
        entry.left_out += usize::from(benchmark.finding == Finding::Skipped);
        let Some(state) = entry.effect(benchmark) else { continue };
        let rank = |state| match state {
            WaiverState::Honoured => 2,
            WaiverState::Exceeded => 1,
            _ => 0,
        };
        if decided.is_none_or(|(_, before)| rank(state) > rank(before)) {
            decided = Some((index, state));
        }
    }
    let Some((entry, state)) = decided.and_then(|(i, state)| Some((entries.get_mut(i)?, state)))
    else {
        return;
    };
    entry.report.state = entry.report.state.max(state);
    let waiver = WaiverReport { state, finding: Some(benchmark.finding), ..entry.report.clone() };
    benchmark.reason = explained(&waiver, &benchmark.reason);
    if state == WaiverState::Honoured {
        benchmark.blocking = false;
        benchmark.is_open = false;
        if waiver.source != WaiverSource::Quarantine {
            benchmark.finding = Finding::Waived;
        }
    }
    benchmark.waiver = Some(Box::new(waiver));
}

/// The reason of a finding with the effect of its waiver.
fn explained(waiver: &WaiverReport, reason: &str) -> String {
    let was = waiver.finding.map_or("", Finding::name);
    let why = match &waiver.issue {
        Some(issue) => format!("{}; {issue}", waiver.reason),
        None => waiver.reason.clone(),
    };
    let metric = waiver.metric.as_ref().unwrap_or(&Metric::TIME);
    let ceiling = waiver.ceiling.map_or_else(String::new, |ceiling| ceiling.written(metric));
    let until = waiver.until.map_or_else(String::new, |until| until.to_string());
    let source = match (&waiver.commit, waiver.source) {
        (Some(commit), _) => format!("commit {}", commit.get(..10).unwrap_or(commit)),
        (None, source) => format!("the {} until {until}", source.name()),
    };
    match (waiver.state, waiver.source) {
        (WaiverState::Honoured, WaiverSource::Quarantine) => {
            format!("in quarantine until {until} ({why}), so it decides nothing: {reason}")
        }
        (WaiverState::Honoured, _) => {
            format!("{was}, accepted up to {ceiling} by {source} ({why}): {reason}")
        }
        (WaiverState::Exceeded, _) => {
            format!("{reason}; beyond the {ceiling} that {source} accepts ({why})")
        }
        _ => {
            let source = waiver.source.name();
            format!("{reason}; its {source} expired: it was valid until {until} ({why})")
        }
    }
}

#[cfg(test)]
mod tests;
