//! Matches the benchmarks of base and head, so that every one of them is reported.

use std::collections::BTreeSet;

use crate::model::BenchmarkKey;
use crate::policy::Policy;

/// The match of one benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Match {
    /// Both sides have it.
    Both {
        /// Its key on the base.
        base: BenchmarkKey,
        /// Its key on the head; another id where the policy says that it was renamed.
        head: BenchmarkKey,
    },
    /// Only the head has it.
    New(BenchmarkKey),
    /// Only the base has it, and the policy does not declare it removed.
    Missing(BenchmarkKey),
    /// Removed on purpose.
    Removed {
        /// Its key on the base.
        key: BenchmarkKey,
        /// The reason.
        reason: String,
        /// Whether the base's policy accepts that: it declares it itself, or allows changes to declare it.
        is_accepted: bool,
    },
    /// The policy leaves it out.
    Skipped(BenchmarkKey, String),
}

/// Matches the benchmarks of both sides, in the order of their keys. Each key of either side comes
/// out exactly once. `declared` is the head's policy, if it differs: it may say what the change renames
/// and removes, and nothing else.
pub fn match_sides(
    base: &BTreeSet<BenchmarkKey>,
    head: &BTreeSet<BenchmarkKey>,
    policy: &Policy,
    declared: Option<&Policy>,
) -> Vec<Match> {
    // A new name never exists in the base, so these and the base's are all taken names.
    let mut renamed_to: BTreeSet<BenchmarkKey> = BTreeSet::new();
    let mut matches = Vec::with_capacity(base.len().max(head.len()));
    for key in base {
        let policies = [Some(policy), declared];
        let renamed = policies.into_iter().flatten().filter_map(|policy| policy.renamed(key));
        // An old name whose new name the base has too was renamed earlier: the entry is stale.
        let renamed = renamed.filter(|name| !base.contains(name));
        let target = std::iter::once(key.clone())
            .chain(renamed)
            .find(|name| head.contains(name) && !renamed_to.contains(name));
        if let Some(target) = target.as_ref().filter(|target| *target != key) {
            renamed_to.insert(target.clone());
        }
        if let Some(reason) = policy.skip_reason(target.as_ref().unwrap_or(key)) {
            let reason = reason.to_owned();
            matches.push(Match::Skipped(target.unwrap_or_else(|| key.clone()), reason));
        } else if let Some(head) = target {
            matches.push(Match::Both { base: key.clone(), head });
        } else {
            matches.push(removal(key, policy, declared).unwrap_or(Match::Missing(key.clone())));
        }
    }
    for key in head.iter().filter(|key| !base.contains(key) && !renamed_to.contains(key)) {
        matches.push(match policy.skip_reason(key) {
            Some(reason) => Match::Skipped(key.clone(), reason.to_owned()),
            None => Match::New(key.clone()),
        });
    }
    matches.sort_by(|a, b| a.key().cmp(b.key()));
    matches
}

fn removal(key: &BenchmarkKey, policy: &Policy, declared: Option<&Policy>) -> Option<Match> {
    let by = |declaring: &Policy, is_accepted: bool| {
        let reason = declaring.removal_reason(key)?.to_owned();
        Some(Match::Removed { key: key.clone(), reason, is_accepted })
    };
    by(policy, true).or_else(|| by(declared?, policy.removals_allowed))
}

impl Match {
    /// The key under which it is reported: the head's, if there is one.
    pub fn key(&self) -> &BenchmarkKey {
        match self {
            Self::Both { head: key, .. }
            | Self::New(key)
            | Self::Missing(key)
            | Self::Removed { key, .. }
            | Self::Skipped(key, _) => key,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keys(ids: &[&str]) -> BTreeSet<BenchmarkKey> {
        ids.iter().map(|id| BenchmarkKey::new("p", "s", *id)).collect()
    }

    fn matched(base: &[&str], head: &[&str], policy: &str) -> Vec<String> {
        described(&match_sides(&keys(base), &keys(head), &Policy::parse(policy).unwrap(), None))
    }

    /// Like `matched`, with a policy of the change itself.
    fn declared(base: &[&str], head: &[&str], policy: &str) -> Vec<String> {
        let declared = Policy::parse(policy).unwrap();
        let policy = Policy::default();
        described(&match_sides(&keys(base), &keys(head), &policy, Some(&declared)))
    }

    fn described(matches: &[Match]) -> Vec<String> {
        matches
            .iter()
            .map(|m| match m {
                Match::Both { base, head } if base == head => format!("both {}", base.id),
                Match::Both { base, head } => format!("both {} -> {}", base.id, head.id),
                Match::New(key) => format!("new {}", key.id),
                Match::Missing(key) => format!("missing {}", key.id),
                Match::Removed { key, reason, is_accepted } => {
                    let word = if *is_accepted { "removed" } else { "declared removed" };
                    format!("{word} {}: {reason}", key.id)
                }
                Match::Skipped(key, reason) => format!("skipped {}: {reason}", key.id),
            })
            .collect()
    }

    #[test]
    fn what_only_one_side_has_is_new_or_missing() {
        assert_eq!(matched(&["a", "b"], &["b", "c"], ""), ["missing a", "both b", "new c"]);
    }

    #[test]
    fn a_renamed_benchmark_is_compared_under_its_new_name() {
        let policy = "[[rename]]\nfrom = \"a\"\nto = \"z\"";
        assert_eq!(matched(&["a", "b"], &["b", "z"], policy), ["both b", "both a -> z"]);
        // The old name is still there: nothing was renamed.
        assert_eq!(matched(&["a"], &["a", "z"], policy), ["both a", "new z"]);
        assert_eq!(matched(&["a"], &["b"], policy), ["missing a", "new b"]);
        // Both were there before: a comparison is not taken from the benchmark that kept its name.
        assert_eq!(matched(&["a", "z"], &["z"], policy), ["missing a", "both z"]);
    }

    #[test]
    fn a_removal_and_a_skip_are_named_with_their_reason() {
        let policy = "[[removed]]\nbenchmark = \"a\"\nreason = \"obsolete\"\n\
                      [[skip]]\nbenchmark = \"n*\"\nreason = \"network\"";
        assert_eq!(
            matched(&["a", "n1"], &["n1", "n2"], policy),
            ["removed a: obsolete", "skipped n1: network", "skipped n2: network"]
        );
    }

    #[test]
    fn a_change_may_declare_what_it_renames_and_removes_and_skips_nothing() {
        let policy = "[[rename]]\nfrom = \"a\"\nto = \"z\"\n\
                      [[removed]]\nbenchmark = \"b\"\nreason = \"obsolete\"\n\
                      [[skip]]\nbenchmark = \"c\"\nreason = \"slow\"";
        assert_eq!(
            declared(&["a", "b", "c"], &["c", "z"], policy),
            ["declared removed b: obsolete", "both c", "both a -> z"]
        );
    }

    #[test]
    fn the_same_id_in_two_suites_is_two_benchmarks() {
        let base =
            BTreeSet::from([BenchmarkKey::new("p", "s", "a"), BenchmarkKey::new("p", "t", "a")]);
        let head = BTreeSet::from([BenchmarkKey::new("p", "t", "a")]);
        let matches = match_sides(&base, &head, &Policy::default(), None);
        assert!(matches!(&matches[0], Match::Missing(key) if key.suite == "s"));
        assert!(matches!(&matches[1], Match::Both { .. }));
    }

    proptest! {
        #[test]
        fn no_benchmark_of_either_side_is_lost(
            base in prop::collection::btree_set("[a-e]", 0..5),
            head in prop::collection::btree_set("[a-e]", 0..5),
        ) {
            let policy = Policy::parse(
                "[[rename]]\nfrom = \"a\"\nto = \"b\"\n[[skip]]\nbenchmark = \"c\"\nreason = \"r\"",
            ).unwrap();
            let of = |ids: &BTreeSet<String>| ids.iter().map(|i| BenchmarkKey::new("", "", i)).collect();
            let (base, head): (BTreeSet<_>, BTreeSet<_>) = (of(&base), of(&head));
            let mut seen = Vec::new();
            for m in match_sides(&base, &head, &policy, None) {
                if let Match::Both { base, .. } = &m {
                    seen.push(("base", base.clone()));
                }
                match &m {
                    Match::Missing(k) | Match::Removed { key: k, .. } => seen.push(("base", k.clone())),
                    Match::New(k) | Match::Both { head: k, .. } => seen.push(("head", k.clone())),
                    Match::Skipped(k, _) => {
                        for (side, keys) in [("base", &base), ("head", &head)] {
                            if keys.contains(k) {
                                seen.push((side, k.clone()));
                            }
                        }
                    }
                }
            }
            let mut all: Vec<_> = base.iter().map(|k| ("base", k.clone()))
                .chain(head.iter().map(|k| ("head", k.clone()))).collect();
            seen.sort();
            all.sort();
            prop_assert_eq!(seen, all);
        }
    }
}
