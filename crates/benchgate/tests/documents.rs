//! Names that documents repeat are those of the program.

use benchgate_core::model::Finding;
use benchgate_core::report::RENDERERS;

const DECISION: &str = include_str!("../../../docs/decision.md");
const README: &str = include_str!("../../../README.md");
const INDEX: &str = include_str!("../../../docs/README.md");
const FORMATS: &str = include_str!("../../../docs/formats.md");

#[test]
fn every_finding_has_its_anchor_and_the_list_of_terms_links_it() {
    for finding in Finding::ALL {
        let name = finding.name();
        let anchor = format!("<a id=\"{name}\"></a>");
        assert_eq!(DECISION.matches(&anchor).count(), 1, "docs/decision.md: {anchor}");
        let link = format!("[{name}](decision.md#{name})");
        assert_eq!(INDEX.matches(&link).count(), 1, "docs/README.md: {link}");
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
fn the_page_of_formats_lists_every_renderer() {
    let names: Vec<&str> = RENDERERS.iter().map(|renderer| renderer.name).collect();
    let list = format!("report RESULT --format {}`", names.join("|"));
    assert!(FORMATS.contains(&list), "docs/formats.md lacks: {list}");
}
