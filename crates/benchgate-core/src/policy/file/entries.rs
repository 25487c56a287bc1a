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
    /// A glob of ids: `*` stands for any characters, `?` for one; without it all of the suite or package. A
    /// suite that is skipped as a whole is not built either.
    benchmark: Option<String>,
    /// A glob of suites; without it all.
    suite: Option<String>,
    /// A glob of packages; without it all.
    package: Option<String>,
    /// The reason, which reports show.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    reason: Spanned<String>,
}

pub(super) fn reasons(
    tables: Vec<ReasonTable>,
    check: &Check<'_>,
) -> Result<Vec<(Selector, String)>, PolicyError> {
    let entry = |table: ReasonTable| {
        let (suite, package) = (table.suite.as_deref(), table.package.as_deref());
        if table.benchmark.is_none() && suite.is_none() && package.is_none() {
            let message = "the entry names nothing: add `benchmark`, `suite` or `package`";
            return Err(check.error(&table.reason.span(), message));
        }
        let selector = selector(table.benchmark.as_deref().unwrap_or("*"), suite, package);
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

#[cfg(test)]
mod tests {
    use crate::policy::Policy;

    #[test]
    fn an_entry_names_benchmarks_or_a_whole_suite_or_package_and_never_nothing() {
        let skips = |entry: &str| {
            let policy = Policy::parse(&format!("[[skip]]\nreason = \"r\"\n{entry}"))?;
            Ok::<_, crate::policy::PolicyError>(policy.suite_skip_reason("p", "s").is_some())
        };
        assert_eq!(skips("suite = \"s\""), Ok(true));
        assert_eq!(skips("package = \"p\""), Ok(true));
        assert_eq!(skips("suite = \"t\""), Ok(false));
        assert_eq!(skips("suite = \"s\"\nbenchmark = \"a\""), Ok(false));
        // Everything that there is, wherever: each of them is named in the report.
        assert_eq!(skips("benchmark = \"*\""), Ok(false));
        let nothing = skips("").unwrap_err().to_string();
        assert_eq!(
            nothing,
            "line 2: the entry names nothing: add `benchmark`, `suite` or `package`"
        );
    }
}
