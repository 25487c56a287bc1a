//! Benchmarks, suites and packages that go by another name now: `[[rename]]`.

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
        let is = |name: &Option<String>, own: &str| name.as_ref().is_none_or(|name| name == own);
        let Name { package, suite, id } = &self.from;
        if !(is(package, &key.package) && is(suite, &key.suite) && is(id, &key.id)) {
            return None;
        }
        let or = |name: &Option<String>, own: &str| name.clone().unwrap_or_else(|| own.to_owned());
        Some(BenchmarkKey {
            package: or(&self.to.package, &key.package),
            suite: or(&self.to.suite, &key.suite),
            id: or(&self.to.id, &key.id),
        })
    }
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
    /// The base's id.
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
            ("from = \"a\"\nto = \"b\"\nsuite = \"s\"\nto-suite = \"t\"", "p.t: b"),
        ] {
            assert_eq!(renamed(policy), expected, "{policy}");
        }
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
