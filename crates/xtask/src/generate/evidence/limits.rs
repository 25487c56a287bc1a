//! Tests that the limits of `benchgate.toml` are as tight as what was recorded allows. Here is the tolerance.

use std::collections::BTreeMap;

use super::Repository;
use super::cpus::{self, Shares};
use super::published::{self, NoProto, Published};
use super::recorded::{self, Times};
use super::table::decimals;

/// The Java suites have a separate record.
const JAVA: &str = "docs/evidence/recorded/java.json";

/// How much more than the recorded share a rule allows.
const TOLERANCE: f64 = 1.1;

/// Like `TOLERANCE`, for the Java suites. Their record has ten rounds of each side, and its intervals are wide: the upper end
/// is 1.2 to 2.4 times the estimate, so that a limit of 1.1 times would be exceeded without a change.
const JAVA_TOLERANCE: f64 = 1.25;

/// Limits are rounded up to this number of significant digits.
const DIGITS: i32 = 2;

/// The recorded shares that a rule is compared with, and the target and tolerance of its limit.
struct Recorded {
    /// On each machine that measured this repository.
    shares: Vec<f64>,
    target: Option<f64>,
    tolerance: f64,
}

impl Recorded {
    fn meets_target(&self, share: f64) -> bool {
        self.target.is_none_or(|target| share <= target)
    }

    /// The largest limit that is tight around one share: at most the target, unless that is missed.
    fn largest(&self, share: f64) -> f64 {
        let limit = rounded_up(self.tolerance * share);
        self.target.filter(|_| self.meets_target(share)).map_or(limit, |target| limit.min(target))
    }

    /// A limit is tight around the largest share that satisfies it: it is not loosened for a machine that
    /// exceeds it. docs/evidence/benchmarks.md lists those.
    fn problem(&self, limit: f64, reason: &str) -> Option<String> {
        let Self { shares, .. } = self;
        let within = shares.iter().copied().filter(|share| *share <= limit);
        let Some(share) = within.max_by(f64::total_cmp) else {
            return Some(format!("{limit} is below all of the recorded {shares:.4?}"));
        };
        let largest = self.largest(share);
        let is_met = shares.iter().all(|share| self.meets_target(*share));
        if limit > largest * (1.0 + f64::EPSILON) {
            Some(format!("{limit} is looser than {largest:.4}, for {share:.4} is recorded"))
        } else if reason.contains("missed") == is_met {
            Some(format!("{shares:.4?} are recorded, and the reason is `{reason}`"))
        } else {
            None
        }
    }
}

fn rounded_up(value: f64) -> f64 {
    let scale = 10_f64.powi(decimals(value, DIGITS));
    // A number that is whole except for its last bit is not rounded up.
    (value * scale - 1e-9).ceil() / scale
}

/// By the ids of both benchmarks.
type Targets = BTreeMap<(String, String), f64>;

fn targets(published: &Published) -> Targets {
    let Published { dataset, stream, robobuffers, java, noproto, .. } = published;
    let relations = [dataset, stream, robobuffers, java].into_iter().flatten();
    let relations = relations.map(|it| (it.benchmark.clone(), it.of.clone(), it.target));
    let all = relations.chain(noproto.iter().flat_map(NoProto::targets));
    all.map(|(id, of, target)| ((id, of), target)).collect()
}

#[test]
fn every_share_is_at_least_what_was_recorded_and_at_most_the_tolerance_more() {
    let repository = Repository { root: crate::workspace().to_owned() };
    // Without a separate record, a limit is the target.
    let java = match repository.has(JAVA) {
        true => Times::of(JAVA, &recorded::result(&repository, JAVA).unwrap()),
        false => Times::empty(JAVA),
    };
    let rules = published::rules(&repository).unwrap();
    let cpus = cpus::read(&repository).unwrap();
    let published = published::read(&repository).unwrap();
    let targets = targets(&published);

    let (mut compared, mut unrecorded) = (0, 0);
    let mut problems = String::new();
    for (rule, limit, of) in rules.shares() {
        let id = &*rule.benchmark;
        let (shares, tolerance) = match rule.package.as_deref() {
            Some("java") => (java.ratio(id, of).into_iter().collect(), JAVA_TOLERANCE),
            _ => (cpus.iter().filter_map(|cpu: &Shares| cpu.of(id, of)).collect(), TOLERANCE),
        };
        let target = targets.get(&(id.to_owned(), of.to_owned())).copied();
        let recorded = Recorded { shares, target, tolerance };
        // A benchmark may be newer than all records, or its record withdrawn: its limit is the target, then.
        if recorded.shares.is_empty() {
            unrecorded += 1;
            if target.is_some_and(|target| limit > target) {
                problems.push_str(&format!(
                    "`{id}` / `{of}`: {limit} is above the target, and not recorded\n"
                ));
            }
            continue;
        }
        compared += 1;
        if let Some(problem) = recorded.problem(limit, &rule.reason) {
            problems.push_str(&format!("`{id}` / `{of}`: {problem}\n"));
        }
    }
    assert!(problems.is_empty(), "benchgate.toml, the tolerance is in limits.rs:\n{problems}");
    assert!(
        compared + unrecorded >= 100,
        "{compared} rules were compared, {unrecorded} are not recorded"
    );
    assert!(compared >= 75, "{compared} rules were compared");
}

#[test]
fn every_target_has_a_rule() {
    let repository = Repository { root: crate::workspace().to_owned() };
    let rules = published::rules(&repository).unwrap();
    let has_rule = |id: &str, of: &str| {
        rules.shares().any(|(rule, _, other)| rule.benchmark == id && other == of)
    };
    let targets = targets(&published::read(&repository).unwrap());
    let without: Vec<_> = targets.keys().filter(|(id, of)| !has_rule(id, of)).collect();
    assert!(without.is_empty(), "benchgate.toml has no rule about {without:#?}");
}

#[test]
fn a_limit_is_below_the_target_unless_that_is_missed() {
    let recorded = |shares: &[f64]| Recorded {
        shares: shares.to_vec(),
        target: Some(0.5),
        tolerance: TOLERANCE,
    };
    let largest = |share| recorded(&[]).largest(share);
    assert_eq!(largest(0.2), 0.22);
    assert_eq!(largest(0.301), 0.34);
    assert_eq!(largest(0.48), 0.5);
    assert_eq!(largest(0.6), 0.66);
    let noproto = Recorded { shares: vec![], target: Some(0.1261), tolerance: TOLERANCE };
    assert_eq!(noproto.largest(0.124), 0.1261, "a target is not rounded up");
    let problem = |shares, limit, reason| recorded(shares).problem(limit, reason).is_some();
    assert!(!problem(&[0.2], 0.22, "target 0.5"));
    assert!(problem(&[0.2], 0.23, "target 0.5"), "looser");
    assert!(problem(&[0.2], 0.19, "target 0.5"), "nothing satisfies it");
    assert!(problem(&[0.2], 0.22, "target 0.5, missed"), "it is met");
    assert!(problem(&[0.6], 0.66, "target 0.5"), "it is missed");
    assert!(!problem(&[0.2, 0.3], 0.22, "target 0.5"), "one machine exceeds it");
    assert!(
        problem(&[0.2, 0.3], 0.29, "target 0.5"),
        "loosened for the machine that exceeds it anyway"
    );
    assert!(problem(&[0.2, 0.6], 0.22, "target 0.5"), "one machine misses the target");
    assert!(!problem(&[0.2, 0.6], 0.22, "target 0.5, missed on one"));
}
