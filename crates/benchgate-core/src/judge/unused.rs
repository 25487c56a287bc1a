//! Names the entries of a policy that are about no benchmark: most are typing errors or left over.

use std::collections::BTreeSet;

use super::waive::may_hold;
use crate::model::{BenchmarkKey, Finding, Sides};
use crate::policy::{Policy, Selector, nearest};
use crate::result::SuiteReport;

/// One notice for each table of which an entry matches nothing. Rules, waivers and quarantines have findings
/// of their own. What a suite that was not measured may hold is not named.
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
    // What the head no longer has and the base still does is what these two are for.
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
    let both = "of base and head";
    let gone = "of the base";
    [
        ("override", overrides, both),
        ("skip", skips, both),
        ("removed", removals, gone),
        ("rename", renames, gone),
    ]
    .into_iter()
    .filter_map(|(table, entries, of): (&str, Vec<String>, &str)| notice(table, &entries, of))
    .collect()
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
    use crate::model::SuiteKey;

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
         [[rename]]\nsuite = \"s\"\nto-suite = \"t\"\n";

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
    fn a_policy_without_entries_has_no_notice() {
        let none = BTreeSet::new();
        assert!(unused_entries(&Policy::default(), Sides::new(&none, &none), &[]).is_empty());
    }
}
