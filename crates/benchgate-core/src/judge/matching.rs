//! Which benchmark of the base is which of the head, so that none drops out unnamed.

use std::collections::BTreeSet;

use crate::model::BenchmarkKey;
use crate::policy::Policy;

/// What is to be done with one benchmark.
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
    /// Only the base has it, and nothing says that it may go.
    Missing(BenchmarkKey),
    /// The policy says that it may go.
    Removed(BenchmarkKey, String),
    /// The policy leaves it out.
    Skipped(BenchmarkKey, String),
}

/// Matches the benchmarks of both sides, in the order of their keys. Each key of either side comes
/// out exactly once.
pub fn match_sides(
    base: &BTreeSet<BenchmarkKey>,
    head: &BTreeSet<BenchmarkKey>,
    policy: &Policy,
) -> Vec<Match> {
    let mut taken: BTreeSet<BenchmarkKey> = BTreeSet::new();
    let mut matches = Vec::with_capacity(base.len().max(head.len()));
    for key in base {
        let renamed = BenchmarkKey { id: policy.renamed(&key.id).to_owned(), ..key.clone() };
        // An old name whose new name the base has too was renamed earlier: the entry is stale.
        let is_stale = &renamed != key && base.contains(&renamed);
        let names = if is_stale { vec![key] } else { vec![key, &renamed] };
        let target = names.into_iter().find(|k| head.contains(*k) && !taken.contains(*k));
        if let Some(reason) = policy.skip_reason(target.unwrap_or(key)) {
            matches.push(Match::Skipped(target.unwrap_or(key).clone(), reason.to_owned()));
            taken.extend(target.cloned());
        } else if let Some(target) = target {
            matches.push(Match::Both { base: key.clone(), head: target.clone() });
            taken.insert(target.clone());
        } else if let Some(reason) = policy.removal_reason(key) {
            matches.push(Match::Removed(key.clone(), reason.to_owned()));
        } else {
            matches.push(Match::Missing(key.clone()));
        }
    }
    for key in head.iter().filter(|key| !taken.contains(key)) {
        matches.push(match policy.skip_reason(key) {
            Some(reason) => Match::Skipped(key.clone(), reason.to_owned()),
            None => Match::New(key.clone()),
        });
    }
    matches.sort_by(|a, b| a.key().cmp(b.key()));
    matches
}

impl Match {
    /// The key under which it is reported: the head's, where there is one.
    pub fn key(&self) -> &BenchmarkKey {
        match self {
            Self::Both { head: key, .. }
            | Self::New(key)
            | Self::Missing(key)
            | Self::Removed(key, _)
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

    fn told(base: &[&str], head: &[&str], policy: &str) -> Vec<String> {
        match_sides(&keys(base), &keys(head), &Policy::parse(policy).unwrap())
            .iter()
            .map(|m| match m {
                Match::Both { base, head } if base == head => format!("both {}", base.id),
                Match::Both { base, head } => format!("both {} -> {}", base.id, head.id),
                Match::New(key) => format!("new {}", key.id),
                Match::Missing(key) => format!("missing {}", key.id),
                Match::Removed(key, reason) => format!("removed {}: {reason}", key.id),
                Match::Skipped(key, reason) => format!("skipped {}: {reason}", key.id),
            })
            .collect()
    }

    #[test]
    fn what_only_one_side_has_is_new_or_missing() {
        assert_eq!(told(&["a", "b"], &["b", "c"], ""), ["missing a", "both b", "new c"]);
    }

    #[test]
    fn a_renamed_benchmark_is_compared_under_its_new_name() {
        let policy = "[[rename]]\nfrom = \"a\"\nto = \"z\"";
        assert_eq!(told(&["a", "b"], &["b", "z"], policy), ["both b", "both a -> z"]);
        // The old name is still there: nothing was renamed.
        assert_eq!(told(&["a"], &["a", "z"], policy), ["both a", "new z"]);
        assert_eq!(told(&["a"], &["b"], policy), ["missing a", "new b"]);
        // Both were there before: a comparison is not taken from the one that kept its name.
        assert_eq!(told(&["a", "z"], &["z"], policy), ["missing a", "both z"]);
    }

    #[test]
    fn a_removal_and_a_skip_are_named_with_their_reason() {
        let policy = "[[removed]]\nbenchmark = \"a\"\nreason = \"obsolete\"\n\
                      [[skip]]\nbenchmark = \"n*\"\nreason = \"network\"";
        assert_eq!(
            told(&["a", "n1"], &["n1", "n2"], policy),
            ["removed a: obsolete", "skipped n1: network", "skipped n2: network"]
        );
    }

    #[test]
    fn the_same_id_in_two_suites_is_two_benchmarks() {
        let base =
            BTreeSet::from([BenchmarkKey::new("p", "s", "a"), BenchmarkKey::new("p", "t", "a")]);
        let head = BTreeSet::from([BenchmarkKey::new("p", "t", "a")]);
        let matches = match_sides(&base, &head, &Policy::default());
        assert!(matches!(&matches[0], Match::Missing(key) if key.suite == "s"));
        assert!(matches!(&matches[1], Match::Both { .. }));
    }

    proptest! {
        #[test]
        fn no_benchmark_of_either_side_drops_out(
            base in prop::collection::btree_set("[a-e]", 0..5),
            head in prop::collection::btree_set("[a-e]", 0..5),
        ) {
            let policy = Policy::parse(
                "[[rename]]\nfrom = \"a\"\nto = \"b\"\n[[skip]]\nbenchmark = \"c\"\nreason = \"r\"",
            ).unwrap();
            let of = |ids: &BTreeSet<String>| ids.iter().map(|i| BenchmarkKey::new("", "", i)).collect();
            let (base, head): (BTreeSet<_>, BTreeSet<_>) = (of(&base), of(&head));
            let mut seen = Vec::new();
            for m in match_sides(&base, &head, &policy) {
                if let Match::Both { base, .. } = &m {
                    seen.push(("base", base.clone()));
                }
                match &m {
                    Match::Missing(k) | Match::Removed(k, _) => seen.push(("base", k.clone())),
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
