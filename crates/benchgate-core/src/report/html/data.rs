//! The data behind the page, for programs and spreadsheets.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};

use crate::json;
use crate::report::text::is_unsafe;
use crate::report::{Options, csv};
use crate::result::RunResult;

/// A larger result stays in its own file.
const MOST_JSON: usize = 900_000;

/// Without a format it would print to the terminal.
const MAKES_IT_AGAIN: &str = "benchgate report result.json --format html >report.html";

pub(super) fn data(result: &RunResult) -> Markup {
    // Strings and numbers alone: serializing does not fail.
    let json = json::one_line(result, 1_024 * (result.benchmarks.len() + 2));
    let is_whole = !json.is_empty() && json.len() <= MOST_JSON;
    html! {
        section aria-labelledby="data" {
            h2 id="data" { "Data" }
            p {
                @if is_whole {
                    "This page holds the whole result, with the value of every round."
                } @else {
                    "The result with the value of every round is too large for a page: see result.json next to it."
                }
                " " code { (MAKES_IT_AGAIN) } " makes this page again."
            }
            p class="controls" hidden {
                @if is_whole { button type="button" data-save="result.json" { "Save result.json" } " " }
                button type="button" data-save="result.csv" { "Save result.csv" }
            }
            details {
                summary { "As comma-separated values" }
                pre id="csv" tabindex="0" { (csv::csv(result, &Options::default())) }
            }
            @if is_whole {
                script type="application/json" id="result" { (PreEscaped(escaped(&json))) }
            }
        }
    }
}

/// JSON that no HTML parser takes for markup, and that shows nothing other than it says: `<` alone could end the
/// element, and invisible characters are written as escapes.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if c == '<' || is_unsafe(c) {
            let units = &mut [0; 2];
            for unit in c.encode_utf16(units) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    text
}
