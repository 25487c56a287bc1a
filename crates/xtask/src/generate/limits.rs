//! Tests that the limits of `benchgate.toml` are as tight as what was recorded allows. Here is the tolerance.

use std::collections::BTreeMap;

use benchgate_core::model::Metric;
use benchgate_core::policy::{Policy, Rule, RuleBound};
use serde::Deserialize;

use super::Repository;
use super::published::{self, NoProto, Published};
use super::recorded::{self, Times};

/// How much more than the recorded share a rule allows.
const TOLERANCE: f64 = 1.1;

/// The same of the Java suites. Their record has ten rounds of each side, and its intervals are wide: the upper end
/// is 1.2 to 2.4 times the estimate, so that a limit of 1.1 times would be exceeded without a change.
const JAVA_TOLERANCE: f64 = 1.25;

/// Limits are rounded up to so many significant digits.
const DIGITS: i32 = 2;

/// Shares on the other kind of CPU that measured this repository: they differ by up to a half.
#[derive(Deserialize)]
struct OtherCpu {
    record: String,
    shares: Vec<OtherShare>,
}

#[derive(Deserialize)]
struct OtherShare {
    benchmark: String,
    of: String,
    share: f64,
}

/// The recorded share that a rule is compared with, and the target and tolerance of its limit.
struct Recorded {
    /// The larger of both kinds of CPU.
    share: f64,
    target: Option<f64>,
    tolerance: f64,
}

impl Recorded {
    fn is_met(&self) -> bool {
        self.target.is_none_or(|target| self.share <= target)
    }

    /// The largest limit that is tight: at most the target, unless that is missed.
    fn largest(&self) -> f64 {
        let limit = rounded_up(self.tolerance * self.share);
        self.target.filter(|_| self.is_met()).map_or(limit, |target| limit.min(target))
    }

    fn problem(&self, limit: f64, reason: &str) -> Option<String> {
        let largest = self.largest();
        if limit < self.share {
            Some(format!("{limit} is below the recorded {:.4}: nothing satisfies it", self.share))
        } else if limit > largest * (1.0 + f64::EPSILON) {
            Some(format!("{limit} is looser than {largest:.4}, for {:.4} is recorded", self.share))
        } else if reason.contains("missed") == self.is_met() {
            Some(format!("{:.4} is recorded, and the reason is `{reason}`", self.share))
        } else {
            None
        }
    }
}

fn rounded_up(value: f64) -> f64 {
    let digits = DIGITS - 1 - value.log10().floor() as i32;
    let scale = 10_f64.powi(digits);
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

fn share(rule: &Rule) -> Option<(f64, &str)> {
    match &rule.bound {
        RuleBound::Share { share, of } if rule.metric == Metric::TIME => Some((*share, of)),
        _ => None,
    }
}

#[test]
fn every_share_is_at_least_what_was_recorded_and_at_most_the_tolerance_more() {
    let repository = Repository { root: crate::workspace().to_owned() };
    let times = |path| Times::of(path, &recorded::result(&repository, path).unwrap());
    let (rust, java) = (times("docs/recorded/result.json"), times("docs/recorded/java.json"));
    let other = repository.read("docs/recorded/other-cpu.json").unwrap();
    let OtherCpu { record, shares } = serde_json::from_str(&other).unwrap();
    assert!(record.starts_with("git show "), "it says where it is from: {record}");
    let published = published::read(&repository).unwrap();
    let targets = targets(&published);
    let policy = Policy::parse(&repository.read("benchgate.toml").unwrap()).unwrap();

    let mut compared = 0;
    let mut problems = String::new();
    for rule in &policy.rules {
        let Some((limit, of)) = share(rule) else { continue };
        let id = &*rule.benchmark;
        let is_java = rule.package.as_deref() == Some("java");
        let (times, tolerance) = if is_java { (&java, JAVA_TOLERANCE) } else { (&rust, TOLERANCE) };
        if times.missing_of(&[id, of]).is_some() {
            continue;
        }
        let elsewhere = shares.iter().find(|it| it.benchmark == id && it.of == of);
        let here = times.ratio(id, of).unwrap();
        let recorded = Recorded {
            share: elsewhere.map_or(here, |it| it.share.max(here)),
            target: targets.get(&(id.to_owned(), of.to_owned())).copied(),
            tolerance,
        };
        compared += 1;
        if let Some(problem) = recorded.problem(limit, &rule.reason) {
            problems.push_str(&format!("`{id}` / `{of}`: {problem}\n"));
        }
    }
    assert!(problems.is_empty(), "benchgate.toml, the tolerance is in limits.rs:\n{problems}");
    assert!(compared >= 75, "{compared} rules were compared");
}

#[test]
fn every_target_has_a_rule() {
    let repository = Repository { root: crate::workspace().to_owned() };
    let policy = Policy::parse(&repository.read("benchgate.toml").unwrap()).unwrap();
    let has_rule = |id: &str, of: &str| {
        let mut rules = policy.rules.iter().filter(|rule| rule.benchmark == id);
        rules.any(|rule| share(rule).is_some_and(|(_, other)| other == of))
    };
    let targets = targets(&published::read(&repository).unwrap());
    let without: Vec<_> = targets.keys().filter(|(id, of)| !has_rule(id, of)).collect();
    assert!(without.is_empty(), "benchgate.toml has no rule about {without:#?}");
}

#[test]
fn a_limit_is_below_the_target_unless_that_is_missed() {
    let recorded = |share| Recorded { share, target: Some(0.5), tolerance: TOLERANCE };
    assert_eq!(recorded(0.2).largest(), 0.22);
    assert_eq!(recorded(0.301).largest(), 0.34);
    assert_eq!(recorded(0.48).largest(), 0.5);
    assert_eq!(recorded(0.6).largest(), 0.66);
    let noproto = Recorded { share: 0.124, target: Some(0.1261), tolerance: TOLERANCE };
    assert_eq!(noproto.largest(), 0.1261, "a target is not rounded up");
    let problem = |share, limit, reason| recorded(share).problem(limit, reason).is_some();
    assert!(!problem(0.2, 0.22, "target 0.5"));
    assert!(problem(0.2, 0.23, "target 0.5"), "looser");
    assert!(problem(0.2, 0.19, "target 0.5"), "nothing satisfies it");
    assert!(problem(0.2, 0.22, "target 0.5, missed"), "it is met");
    assert!(problem(0.6, 0.66, "target 0.5"), "it is missed");
}
