//! Benchmarks, suites and packages that go by another name now: `[[rename]]`.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::file::{Check, PolicyError};
use crate::model::{BenchmarkKey, SuiteKey};

/// An old name and a new one. What is `None` is any, and stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Rename {
    from: Name,
    to: Name,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
struct Name {
    package: Option<String>,
    suite: Option<String>,
    id: Option<String>,
}

impl Rename {
    /// The new key of a benchmark of the base; `None` where the entry is not about it.
    pub fn apply(&self, key: &BenchmarkKey) -> Option<BenchmarkKey> {
        let Self { from, to } = self;
        Some(BenchmarkKey {
            package: new_name(&from.package, &to.package, &key.package)?,
            suite: new_name(&from.suite, &to.suite, &key.suite)?,
            id: new_name(&from.id, &to.id, &key.id)?,
        })
    }
}

/// The new name for an old one; `None` where the entry is not about it. A `*` in both is the same text, whichever it is.
fn new_name(from: &Option<String>, to: &Option<String>, own: &str) -> Option<String> {
    let Some(from) = from else { return Some(to.clone().unwrap_or_else(|| own.to_owned())) };
    let texts = if from == own { None } else { Some(between(from, own)?) };
    let Some(to) = to else { return Some(own.to_owned()) };
    match texts {
        None => Some(to.clone()),
        Some(texts) if texts.len() == to.matches('*').count() => {
            let mut texts = texts.into_iter();
            let parts = to.split('*').enumerate();
            Some(
                parts
                    .map(|(n, part)| match n {
                        0 => part.to_owned(),
                        _ => format!("{}{part}", texts.next().unwrap_or_default()),
                    })
                    .collect(),
            )
        }
        // To one name from several: which of them it was, nobody knows.
        Some(_) => None,
    }
}

/// The texts that stand for each `*` of a pattern, the shortest ones from the left; `None` where it does not match.
fn between<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let (first, rest) = pattern.split_once('*')?;
    let mut text = text.strip_prefix(first)?;
    let mut texts = Vec::new();
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        let at = match parts.peek() {
            None => text.len().checked_sub(part.len()).filter(|_| text.ends_with(part))?,
            Some(_) => text.find(part)?,
        };
        texts.push(text.get(..at)?);
        text = text.get(at + part.len()..)?;
    }
    Some(texts)
}

/// Ids that are looked at for a pattern.
const MOST_IDS: usize = 300;

/// A pattern of old ids and one of new ids that rename most of the benchmarks which are gone to new ones, at least two.
pub fn common_rename(gone: &[&str], new: &[&str]) -> Option<(String, String)> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for old in gone.iter().take(MOST_IDS) {
        for name in new.iter().take(MOST_IDS) {
            if let Some(found) = changed_start(old, name) {
                *counts.entry(found).or_default() += 1;
            }
        }
    }
    let (found, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count >= 2).then_some(found)
}

/// What two ids begin with in another way, each with `*` for the end that they share; `None` where they share none.
fn changed_start(old: &str, new: &str) -> Option<(String, String)> {
    let same = old.chars().rev().zip(new.chars().rev()).take_while(|(a, b)| a == b);
    let same: usize = same.map(|(c, _)| c.len_utf8()).sum();
    let (start, end) = old.split_at_checked(old.len() - same)?;
    // Whole words alone: the end of a name may be like that of another one by chance.
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let skip = if start.ends_with(word) { end.find(|c| !word(c))? } else { 0 };
    let gap = end.get(skip..)?.find(word).unwrap_or(0);
    let kept = end.get(skip + gap..).filter(|kept| !kept.is_empty())?;
    let pattern = |id: &str| id.strip_suffix(kept).map(|start| format!("{start}*"));
    Some((pattern(old)?, pattern(new)?))
}

impl Rename {
    /// The suite that benchmarks of this suite of the base may be in now; `None` where the entry is not about it.
    pub fn suite(&self, key: &SuiteKey) -> Option<SuiteKey> {
        let id = self.from.id.clone().unwrap_or_default();
        self.apply(&key.benchmark(id)).map(|to| to.suite_key())
    }
}

impl fmt::Display for Rename {
    /// The old name: `from` of `suite` of `package`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Name { package, suite, id } = &self.from;
        let parts = [("", id), ("suite ", suite), ("package ", package)];
        let parts = parts.into_iter().filter_map(|(kind, name)| Some((kind, name.as_ref()?)));
        let parts: Vec<String> = parts.map(|(kind, name)| format!("{kind}`{name}`")).collect();
        f.write_str(&parts.join(" of "))
    }
}

/// `[[rename]]`.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RenameTable {
    /// The base's id; `*` stands for any text, which `to` has at its own `*`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    from: Option<Spanned<String>>,
    /// The head's id.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    to: Option<Spanned<String>>,
    /// The base's suite; without it any.
    suite: Option<String>,
    /// The head's suite, where it is another.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    to_suite: Option<Spanned<String>>,
    /// The base's package; without it any.
    package: Option<String>,
    /// The head's package, where it is another.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    to_package: Option<Spanned<String>>,
}

impl RenameTable {
    fn checked(self, check: &Check<'_>) -> Result<Rename, PolicyError> {
        let Self { from, to, suite, to_suite, package, to_package } = self;
        let span = [&from, &to, &to_suite, &to_package].into_iter().flatten().map(Spanned::span);
        let span = span.min_by_key(|span| span.start).unwrap_or(0..0);
        if from.is_some() != to.is_some() {
            return Err(check.error(&span, "a renamed benchmark has `from` and `to`"));
        }
        if to_suite.is_some() && suite.is_none() {
            return Err(check.error(&span, "a renamed suite has `suite` and `to-suite`"));
        }
        if to_package.is_some() && package.is_none() {
            return Err(check.error(&span, "a renamed package has `package` and `to-package`"));
        }
        if to.is_none() && to_suite.is_none() && to_package.is_none() {
            let message = "a rename has `from` and `to`, `suite` and `to-suite`, or `package` and \
                           `to-package`";
            return Err(check.error(&span, message));
        }
        let text = |name: Option<Spanned<String>>| name.map(Spanned::into_inner);
        Ok(Rename {
            from: Name { package, suite, id: text(from) },
            to: Name { package: text(to_package), suite: text(to_suite), id: text(to) },
        })
    }
}

/// Checks all entries: two that lead to one name are an error.
pub(super) fn renames(
    tables: Vec<RenameTable>,
    check: &Check<'_>,
) -> Result<Vec<Rename>, PolicyError> {
    let mut renames: Vec<Rename> = Vec::new();
    for table in tables {
        let span = table.to.as_ref().map_or(0..0, Spanned::span);
        let rename = table.checked(check)?;
        let is_taken = |it: &Rename| {
            it.to == rename.to && it.from.suite == rename.from.suite && rename.to.id.is_some()
        };
        if renames.iter().any(is_taken) {
            let to = rename.to.id.as_deref().unwrap_or_default();
            let message = format!("two benchmarks cannot both be renamed to `{to}`");
            return Err(check.error(&span, &message));
        }
        renames.push(rename);
    }
    Ok(renames)
}

#[cfg(test)]
mod tests {
    use super::super::Policy;
    use super::*;

    #[test]
    fn an_id_a_suite_or_a_package_is_renamed_and_the_rest_stays() {
        let renamed = |policy: &str| {
            let policy = Policy::parse(&format!("[[rename]]\n{policy}")).unwrap();
            let key = BenchmarkKey::new("p", "s", "a");
            policy.renamed(&key).map(|key| key.to_string()).unwrap_or_default()
        };
        for (policy, expected) in [
            ("from = \"a\"\nto = \"b\"", "p.s: b"),
            ("from = \"a\"\nto = \"b\"\nsuite = \"s\"", "p.s: b"),
            ("from = \"a\"\nto = \"b\"\nsuite = \"t\"", ""),
            ("suite = \"s\"\nto-suite = \"t\"", "p.t: a"),
            ("package = \"p\"\nto-package = \"q\"", "q.s: a"),
            ("package = \"x\"\nto-package = \"q\"", ""),
            ("from = \"*\"\nto = \"b/*\"", "p.s: b/a"),
            ("from = \"*\"\nto = \"b\"", ""),
            ("suite = \"*\"\nto-suite = \"new_*\"", "p.new_s: a"),
            ("from = \"a\"\nto = \"b\"\nsuite = \"s\"\nto-suite = \"t\"", "p.t: b"),
        ] {
            assert_eq!(renamed(policy), expected, "{policy}");
        }
    }

    #[test]
    fn a_pattern_renames_all_ids_of_a_moved_module_and_a_star_in_an_id_is_still_one() {
        let policy = |from: &str, to: &str| {
            Policy::parse(&format!("[[rename]]\nfrom = {from:?}\nto = {to:?}")).unwrap()
        };
        let renamed = |policy: &Policy, id: &str| {
            policy.renamed(&BenchmarkKey::new("p", "s", id)).map(|key| key.id)
        };
        let moved = policy("lib::old::*<*>", "lib::new::*[*]");
        assert_eq!(renamed(&moved, "lib::old::Map<u8>").as_deref(), Some("lib::new::Map[u8]"));
        assert_eq!(renamed(&moved, "lib::other::Map<u8>"), None);
        let product = policy("a * b", "a times b");
        assert_eq!(renamed(&product, "a * b").as_deref(), Some("a times b"));
        assert_eq!(renamed(&product, "a 2 b"), None);
    }

    #[test]
    fn one_entry_is_found_for_the_benchmarks_of_a_moved_module() {
        let gone = ["lib::old::Map/get", "lib::old::Set/get", "gone"];
        let new = ["lib::new::Map/get", "lib::new::Set/get", "another"];
        let expected = ("lib::old::*".to_owned(), "lib::new::*".to_owned());
        assert_eq!(common_rename(&gone, &new), Some(expected));
        assert_eq!(common_rename(&gone[..1], &new), None);
        assert_eq!(common_rename(&["a", "b"], &["c", "d"]), None);
    }

    #[test]
    fn half_a_rename_is_refused_by_its_line() {
        let table: String = [
            "from = \"a\"",
            "to = \"a\"",
            "to-suite = \"t\"",
            "to-package = \"q\"",
            "suite = \"s\"",
        ]
        .iter()
        .map(|text| {
            format!("{text}: {}\n", Policy::parse(&format!("[[rename]]\n{text}")).unwrap_err())
        })
        .collect();
        insta::assert_snapshot!(table);
    }
}
