//! The decision: judge every benchmark, apply waivers, check the rules, give the verdict.

use super::effect::has_lost_its_routine;
use super::findings::{Observation, judge};
use super::looks::run_error;
use super::rules::{self, Heads, judge_rules};
use super::verdict::verdict;
use super::waive::{Request, Trailer, waive};
use crate::model::{Date, Finding, Machine, Metric, SandboxReport, Sides, Toolchain, Verdict};
use crate::policy::{Policy, Rule};
use crate::result::{
    AttemptReport, BenchmarkReport, MeasuredSuite, Method, Origin, RESULT_SCHEMA, ReadsReport,
    RuleReport, RunResult, Seconds, ShardReport, SuiteReport, Waivers,
};

/// The parts of a result other than its values.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Version of the benchgate that decides.
    pub version: String,
    /// End of the run, RFC 3339 in UTC.
    pub time: String,
    /// The day on which waivers are checked for expiry, in UTC.
    pub today: Date,
    /// The method of comparison.
    pub method: Method,
    /// The origin of both sides.
    pub origins: Sides<Origin>,
    /// The machine that measured the head.
    pub machine: Option<Machine>,
    /// The toolchain that built the head.
    pub toolchain: Option<Toolchain>,
    /// Whether both were in a sandbox.
    pub sandbox: Option<SandboxReport>,
    /// Seed of the order of rounds.
    pub seed: u64,
    /// The part of the run that is decided; it has its share of the error.
    pub shard: Option<ShardReport>,
    /// The attempt on this base and head.
    pub attempt: Option<AttemptReport>,
    /// Wall seconds spent.
    pub seconds: Seconds,
    /// The way in which it is known what runs of each suite read.
    pub reads: Vec<ReadsReport>,
    /// What it took to measure each suite.
    pub measured: Vec<MeasuredSuite>,
    /// The trailers of the commits of the change.
    pub trailers: Vec<Trailer>,
    /// The head's policy, if it differs from the effective one. It can only remove exceptions.
    pub head_policy: Option<Policy>,
    /// Whether only some suites were selected. Then a waiver that matches nothing may be about the others.
    pub is_narrowed: bool,
    /// Statements that a reader needs in order to trust the numbers.
    pub notices: Vec<String>,
    /// The command that repeats the run.
    pub reproduce: String,
}

/// Decides a run. Never fails: every observation gets a finding.
pub fn decide(
    observed: Vec<Observation>,
    suites: Vec<SuiteReport>,
    policy: &Policy,
    context: Context,
) -> RunResult {
    let Context { version, time, today, method, origins, machine, toolchain, sandbox, .. } =
        context;
    let Context {
        seed,
        shard,
        attempt,
        seconds,
        reads,
        measured,
        trailers,
        head_policy,
        is_narrowed,
        notices,
        reproduce,
        ..
    } = context;
    let (rules, p_values) = rules::tested(&policy.rules, &Heads::Observed(&observed));
    let error = run_error(shard.as_ref().map(|shard| shard.part));
    let most = policy.measure.pairs as usize;
    let (mut benchmarks, survive) =
        judge(observed, &|key| policy.limits_for(key), method, &p_values, error, most);
    let request =
        Request { today, trailers: &trailers, head: head_policy.as_ref(), whole: !is_narrowed };
    let (waivers, refused) = waive(&mut benchmarks, &suites, policy, &request);
    let removed = without_routine(&benchmarks, policy);
    let (rules, verdict) = settle(&rules, &survive, &benchmarks, &suites, &waivers);
    RunResult {
        schema: RESULT_SCHEMA.to_owned(),
        version,
        verdict,
        time,
        method,
        base: origins.base,
        head: origins.head,
        machine,
        toolchain,
        sandbox,
        seed,
        shard,
        attempt,
        seconds,
        suites,
        reads,
        measured,
        benchmarks,
        rules,
        false_alarm: (method == Method::Paired).then_some(error),
        waivers,
        explanations: Vec::new(),
        notices: once_each([notices, refused, Vec::from_iter(removed)].concat()),
        reproduce,
    }
}

/// Names the benchmarks that became faster than a loop without a routine: the compiler may have left nothing to measure.
fn without_routine(benchmarks: &[BenchmarkReport], policy: &Policy) -> Option<String> {
    let lost = |row: &&BenchmarkReport| {
        let (Some(base), Some(head)) = (row.base, row.head) else { return false };
        row.finding == Finding::Improved
            && row.metric == Metric::TIME
            && has_lost_its_routine(base, head, &policy.limits_for(&row.key()))
    };
    let named: Vec<String> = benchmarks
        .iter()
        .filter(lost)
        .map(|row| format!("`{}` ({})", row.id, row.metric.show(row.head.unwrap_or_default())))
        .collect();
    (!named.is_empty()).then(|| {
        format!(
            "faster than a loop with a routine can be: {}; the compiler may have removed what is measured: pass its input \
             and its result through `black_box`",
            named.join(", ")
        )
    })
}

/// Notices without those that both sides, or several shards, give in the same words.
fn once_each(notices: Vec<String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::with_capacity(notices.len());
    for notice in notices {
        if !all.contains(&notice) {
            all.push(notice);
        }
    }
    all
}

/// Derives from findings the state of every rule, and the verdict. `survive` states for each rule whether its
/// p-value survives the correction for the run's other tests.
pub(super) fn settle(
    rules: &[Rule],
    survive: &[bool],
    benchmarks: &[BenchmarkReport],
    suites: &[SuiteReport],
    waivers: &Waivers,
) -> (Vec<RuleReport>, Verdict) {
    let rules = judge_rules(rules, survive, benchmarks, suites);
    let verdict = verdict(benchmarks, suites, &rules).max(waivers.verdict());
    (rules, verdict)
}
