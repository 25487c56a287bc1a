//! What documents repeat is what the program has.

use std::collections::BTreeSet;

use benchgate_core::model::Finding;
use benchgate_core::result::RunResult;

const DECISION: &str = include_str!("../../../docs/decision.md");
const README: &str = include_str!("../../../README.md");
const GLOSSARY: &str = include_str!("../../../docs/glossary.md");

#[test]
fn every_finding_has_its_anchor_and_the_glossary_links_it() {
    for finding in Finding::ALL {
        let name = finding.name();
        let anchor = format!("<a id=\"{name}\"></a>");
        assert_eq!(DECISION.matches(&anchor).count(), 1, "docs/decision.md: {anchor}");
        let link = format!("[{name}](decision.md#{name})");
        assert_eq!(GLOSSARY.matches(&link).count(), 1, "docs/glossary.md: {link}");
    }
    assert_eq!(
        DECISION.matches("<a id=").count(),
        Finding::ALL.len(),
        "anchors in docs/decision.md"
    );
}

#[test]
fn the_readme_uses_the_action_of_the_repository_that_the_manifest_names() {
    let name = env!("CARGO_PKG_REPOSITORY").strip_prefix("https://github.com/").unwrap();
    let uses = format!("uses: {name}/.github/actions/benchgate@");
    assert!(README.contains(&uses), "README.md lacks: {uses}");
}

#[test]
fn the_readme_says_how_long_the_recorded_run_took() {
    let record = include_bytes!("../../../docs/recorded/result.json");
    let result = RunResult::from_json(record).unwrap();
    let minutes = |seconds: f64| format!("{:.1} min", seconds / 60.0);
    let suites: BTreeSet<_> = result.benchmarks.iter().map(|row| row.key().suite_key()).collect();
    let timed: BTreeSet<_> =
        result.benchmarks.iter().filter(|row| row.pairs > 0).map(|row| row.key()).collect();
    let build = format!("| build {} suites of base and head, with fat LTO | ", suites.len());
    let measure = format!("| measure {} timed benchmarks in 6 to 60 pairs | ", timed.len());
    for row in [build + &minutes(result.seconds.build), measure + &minutes(result.seconds.measure)]
    {
        assert!(README.contains(&row), "README.md lacks: {row}");
    }
}
