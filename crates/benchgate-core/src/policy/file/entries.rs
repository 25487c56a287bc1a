//! Benchmarks that are left out or gone: `[[skip]]`, `[[removed]]`.

use serde::Deserialize;
use toml::Spanned;
use wildmatch::WildMatch;

use super::{Check, PolicyError};
use crate::policy::Selector;

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ReasonTable {
    /// A glob of ids: `*` stands for any characters, `?` for one.
    benchmark: String,
    /// A glob of suites; without it all.
    suite: Option<String>,
    /// A glob of packages; without it all.
    package: Option<String>,
    /// Why. Reports show it.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    reason: Spanned<String>,
}

pub(super) fn reasons(
    tables: Vec<ReasonTable>,
    check: &Check<'_>,
) -> Result<Vec<(Selector, String)>, PolicyError> {
    let entry = |table: ReasonTable| {
        let selector = selector(&table.benchmark, table.suite.as_deref(), table.package.as_deref());
        Ok((selector, check.reason(table.reason)?))
    };
    tables.into_iter().map(entry).collect()
}

pub(in crate::policy) fn selector(
    benchmark: &str,
    suite: Option<&str>,
    package: Option<&str>,
) -> Selector {
    Selector {
        benchmark: WildMatch::new(benchmark),
        suite: suite.map(WildMatch::new),
        package: package.map(WildMatch::new),
    }
}
