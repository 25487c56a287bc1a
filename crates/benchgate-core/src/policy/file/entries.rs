//! Benchmarks that are left out, gone or renamed: `[[skip]]`, `[[removed]]`, `[[rename]]`.

use serde::Deserialize;
use toml::Spanned;
use wildmatch::WildMatch;

use super::{Check, PolicyError};
use crate::policy::Selector;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ReasonTable {
    benchmark: String,
    suite: Option<String>,
    package: Option<String>,
    reason: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RenameTable {
    from: String,
    to: Spanned<String>,
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

pub(super) fn renames(
    tables: Vec<RenameTable>,
    check: &Check<'_>,
) -> Result<Vec<(String, String)>, PolicyError> {
    let mut renames: Vec<(String, String)> = Vec::new();
    for table in tables {
        if renames.iter().any(|(_, to)| to == table.to.get_ref()) {
            let message =
                format!("two benchmarks cannot both be renamed to `{}`", table.to.get_ref());
            return Err(check.error(&table.to.span(), &message));
        }
        renames.push((table.from, table.to.into_inner()));
    }
    Ok(renames)
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
