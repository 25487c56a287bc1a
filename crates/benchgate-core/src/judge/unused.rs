//! Names the entries of a policy that are about no benchmark: most are typing errors or left over.

use std::collections::BTreeSet;

use super::waive::may_hold;
use crate::model::{BenchmarkKey, Finding, Sides};
use crate::policy::{Policy, Rule, Selector, nearest, nearest_name};
use crate::result::SuiteReport;

/// A notice for each table of which an entry matches nothing. Waivers and quarantines have separate findings.
/// Entries that a suite which was not measured may match are not named.
pub fn unused_entries(
    policy: &Policy,
    keys: Sides<&BTreeSet<BenchmarkKey>>,
    suites: &[SuiteReport],
) -> Vec<String> {
    let Sides { base, head } = keys;
    let is_unused = |selector: &Selector, keys: &[&BTreeSet<BenchmarkKey>]| {
        !keys.iter().any(|keys| keys.iter().any(|key| selector.matches(key)))
            && !suites.iter().any(|suite| may_hold(suite, selector))
    };
    let described = |selector: &Selector| {
        let ids = head.iter().chain(base).map(|key| key.id.as_str());
        let meant = nearest(&selector.benchmark.pattern(), ids);
        let meant = meant.map(|glob| format!(", did you mean `{glob}`?")).unwrap_or_default();
        format!("{selector}{meant}")
    };
    let unused = |selectors: &mut dyn Iterator<Item = &Selector>,
                  keys: &[&BTreeSet<BenchmarkKey>]| {
        selectors.filter(|entry| is_unused(entry, keys)).map(described).collect()
    };
    let overrides = unused(&mut policy.overrides.iter().map(|(entry, _)| entry), &[base, head]);
    let skips = unused(&mut policy.skips.iter().map(|(entry, _)| entry), &[base, head]);
    // These two are for benchmarks that the base still has and the head no longer does.
    let removals = unused(&mut policy.removals.iter().map(|(entry, _)| entry), &[base]);
    let is_unknown =
        |suite: &SuiteReport| matches!(suite.finding, Finding::Failed | Finding::Identical);
    let is_whole = !suites.iter().any(is_unknown);
    let renames = policy
        .renames
        .iter()
        .filter(|rename| is_whole && base.iter().all(|key| rename.apply(key).is_none()))
        .map(ToString::to_string)
        .collect();
    let rules = unknown_of_rules(policy, keys, suites);
    let both = "of base and head";
    let gone = "of the base";
    [
        ("override", overrides, both),
        ("skip", skips, both),
        ("removed", removals, gone),
        ("rename", renames, gone),
        ("rule", rules, both),
    ]
    .into_iter()
    .filter_map(|(table, entries, of): (&str, Vec<String>, &str)| notice(table, &entries, of))
    .collect()
}

/// The benchmarks that rules name and neither side has, each once.
fn unknown_of_rules(
    policy: &Policy,
    keys: Sides<&BTreeSet<BenchmarkKey>>,
    suites: &[SuiteReport],
) -> Vec<String> {
    let all = || keys.head.iter().chain(keys.base);
    let mut unknown = Vec::new();
    // A suite that is opt-in, or that this machine lacks something for, may hold what its rules name.
    let is_elsewhere =
        |rule: &&Rule| suites.iter().any(|it| it.skip.is_some() && rule.names_suite(&it.key()));
    for rule in policy.rules.iter().filter(|rule| !is_elsewhere(rule)) {
        let mut look = |id: &str, named: Option<&Rule>| {
            let is_it = |key: &&BenchmarkKey| match named {
                Some(rule) => rule.limits(key),
                None => key.id == id,
            };
            let selector = Selector::of_rule(id, named);
            if all().any(|key| is_it(&key)) || suites.iter().any(|it| may_hold(it, &selector)) {
                return;
            }
            let has_id = all().any(|key| key.id == id);
            let meant = match named.and_then(|rule| rule.suite.as_deref()) {
                // Its suite or its package is wrong then.
                suite if has_id => {
                    let suites = || all().map(|key| key.suite.as_str());
                    let near = suite.and_then(|suite| nearest_name(suite, suites()));
                    near.map(|near| format!("suite `{near}`"))
                }
                _ => nearest_name(id, all().map(|key| key.id.as_str()))
                    .map(|near| format!("`{near}`")),
            };
            let meant = meant.map(|near| format!(", did you mean {near}?")).unwrap_or_default();
            let described = format!("{selector}{meant}");
            if !unknown.contains(&described) {
                unknown.push(described);
            }
        };
        look(&rule.benchmark, Some(rule));
        if let Some(of) = rule.of() {
            look(of, None);
        }
    }
    unknown
}

fn notice(table: &str, entries: &[String], of: &str) -> Option<String> {
    let entries = match entries {
        [] => return None,
        entries => entries.join("; "),
    };
    Some(format!(
        "`[[{table}]]` in benchgate.toml matches no benchmark {of}: {entries} (remove it, or fix its name)"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{SkipReason, SuiteKey};

    fn keys(ids: &[&str]) -> BTreeSet<BenchmarkKey> {
        ids.iter().map(|id| BenchmarkKey::new("p", "s", *id)).collect()
    }

    fn failed(suite: &str) -> SuiteReport {
        SuiteReport::failed(SuiteKey::new("p", suite), "", "")
    }

    const POLICY: &str = "[[override]]\nbenchmark = \"decod/*\"\nnote = 3\n\
         [[override]]\nbenchmark = \"decode/*\"\nnote = 3\n\
         [[skip]]\nbenchmark = \"network/*\"\nsuite = \"later\"\nreason = \"r\"\n\
         [[removed]]\nbenchmark = \"gone\"\nreason = \"r\"\n\
         [[removed]]\nbenchmark = \"old\"\nreason = \"r\"\n\
         [[rename]]\nfrom = \"a\"\nto = \"decode/a\"\n\
         [[rename]]\nsuite = \"s\"\nto-suite = \"t\"\n\
         [[rule]]\nbenchmark = \"decode/a\"\nshare = 1\nof = \"olld\"\nreason = \"r\"\n\
         [[rule]]\nbenchmark = \"old\"\nbudget = \"1s\"\nreason = \"r\"\n";

    #[test]
    fn an_entry_that_matches_nothing_is_named_with_what_was_probably_meant() {
        let policy = Policy::parse(POLICY).unwrap();
        let (base, head) = (keys(&["decode/a", "old"]), keys(&["decode/a"]));
        let notices = unused_entries(&policy, Sides::new(&base, &head), &[]);
        insta::assert_snapshot!(notices.join("\n"), @r"
        `[[override]]` in benchgate.toml matches no benchmark of base and head: `decod/*`, did you mean `decode/*`? (remove it, or fix its name)
        `[[skip]]` in benchgate.toml matches no benchmark of base and head: `network/*` of suite `later` (remove it, or fix its name)
        `[[removed]]` in benchgate.toml matches no benchmark of the base: `gone` (remove it, or fix its name)
        `[[rename]]` in benchgate.toml matches no benchmark of the base: `a` (remove it, or fix its name)
        `[[rule]]` in benchgate.toml matches no benchmark of base and head: `olld`, did you mean `old`? (remove it, or fix its name)
        ");
    }

    #[test]
    fn what_a_suite_that_failed_or_was_not_built_may_hold_is_not_named() {
        let policy = Policy::parse(POLICY).unwrap();
        let (base, head) = (keys(&["decode/a", "old"]), keys(&["decode/a"]));
        let same = SuiteReport::identical(SuiteKey::new("p", "later"), "");
        for suite in [failed("later"), same] {
            let notices = unused_entries(&policy, Sides::new(&base, &head), &[suite]);
            assert!(notices.is_empty(), "{notices:?}");
        }
    }

    #[test]
    fn a_rule_whose_suite_or_package_has_no_such_benchmark_is_named() {
        let rule = |more: &str| {
            let rule = "[[rule]]\nbenchmark = \"old\"\nbudget = \"1s\"\nreason = \"r\"\n";
            let policy = Policy::parse(&format!("{rule}{more}")).unwrap();
            move |suites: &[SuiteReport]| {
                let base = [BenchmarkKey::new("p", "speed", "old")].into();
                unused_entries(&policy, Sides::new(&base, &BTreeSet::new()), suites)
            }
        };
        let notice = |found: &str| {
            format!(
                "`[[rule]]` in benchgate.toml matches no benchmark of base and head: {found} (remove it, or fix its name)"
            )
        };
        assert_eq!(rule("")(&[]), Vec::<String>::new());
        let suite = "`old` of suite `sped`, did you mean suite `speed`?";
        assert_eq!(rule("suite = \"sped\"")(&[]), [notice(suite)]);
        let of_q = rule("package = \"q\"");
        assert_eq!(of_q(&[]), [notice("`old` of package `q`")]);
        let opt_in = SuiteReport::skipped(SuiteKey::new("q", "t"), SkipReason::Apart, "");
        assert_eq!(of_q(&[opt_in]), Vec::<String>::new());
    }

    #[test]
    fn a_policy_without_entries_has_no_notice() {
        let none = BTreeSet::new();
        assert!(unused_entries(&Policy::default(), Sides::new(&none, &none), &[]).is_empty());
    }
}
