//! The frame of the page: what the browser may do with it, its style and its script.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use crate::report::meaning;
use crate::report::text::one_line;
use crate::result::RunResult;

pub(super) const STYLE: &str =
    concat!(include_str!("../../plot/figure.css"), include_str!("page.css"));
pub(super) const SCRIPT: &str = include_str!("page.js");

/// The page around its sections.
pub(super) fn page(result: &RunResult, sections: &Markup) -> String {
    let title = format!("benchgate: {}: {}", result.verdict.name(), meaning::headline(result));
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a class="skip" href="#benchmarks" { "To all benchmarks" }
                main { (sections) }
                footer {
                    p {
                        "Made by benchgate " (one_line(&result.version)) " from result.json, " (one_line(&result.time))
                        "."
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    markup.into_string() + "\n"
}

/// A page without a script, for reports that are not of one result.
pub(in crate::report) fn still_page(title: &str, sections: &Markup) -> String {
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest(STYLE)
    );
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { main { (sections) } }
        }
    };
    markup.into_string() + "\n"
}

fn digest(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}

/// Nothing is loaded, and of script and style only what this file has.
fn policy() -> String {
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest(STYLE),
        digest(SCRIPT)
    )
}
