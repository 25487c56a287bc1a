//! Where a difference sits: a table of functions or of allocation sites, and the calls of both sides as a flame graph.

use maud::{Markup, html};

use super::look;
use crate::plot::{FlameBar, flame};
use crate::report::explanation::{amounts, flat, how, place, unexplained};
use crate::report::sites;
use crate::report::text::{self, one_line, percent, thousands};
use crate::result::{Allocations, BenchmarkReport, Explanation};

pub(super) fn explained(
    found: &Explanation,
    row: &BenchmarkReport,
    name: &str,
    number: usize,
) -> Markup {
    if let Some(found) = &found.allocations {
        return allocated(found);
    }
    let Some(instructions) = found.instructions else {
        let reason = found.unavailable.as_deref().unwrap_or("nothing was counted");
        return html! { p { "Not explained: " (look::prose(reason)) } };
    };
    html! {
        h4 { "Where it sits" }
        @if found.is_flat { p { (flat(found)) "." } }
        @if let Some(words) = unexplained(found, row) { p { strong { (words) "." } } }
        p {
            "Instructions of one iteration: " (amounts(instructions))
            @if let Some(change) = found.change() { " (" (percent(change)) ")" }
            @if found.includes_setup { ", with set-up" }
            ". All functions that are not listed: " (amounts(found.others)) "."
        }
        @if !found.functions.is_empty() { (look::scrolling("figure stacked", "Functions that differ", &table(found))) }
        @if found.flame.len() > 1 {
            h4 { "Flame graph of its calls" }
            p class="caption" { "A bar is a function below its caller, as wide as its instructions on the side that has more." }
            (look::scrolling("figure flame", "Flame graph of its calls", &calls(found, name, number)))
        }
    }
}

fn allocated(found: &Allocations) -> Markup {
    html! {
        h4 { "Where it sits" }
        p {
            "One iteration asks for " (sites::amounts(found.blocks, found.bytes)) ". All sites that are not listed: "
            (sites::amounts(found.other_blocks, found.other_bytes)) "."
        }
        @if let Some(line) = sites::counted(found) { p { "Note: " (line) "." } }
        @if found.sites.is_empty() {
            p { "It is not known where: " (sites::nowhere(found)) "." }
        } @else {
            (look::scrolling("figure stacked", "Sites that differ", &site_table(found)))
        }
    }
}

fn site_table(found: &Allocations) -> Markup {
    html! {
        table class="sites" {
            thead { tr {
                th scope="col" { "blocks" } th scope="col" { "bytes" } th scope="col" { "function" }
                th scope="col" { "place" } th scope="col" { "base" } th scope="col" { "head" } th scope="col" { "how" }
            } }
            tbody {
                @for site in &found.sites {
                    tr {
                        td class="n" { (sites::more(site.blocks)) }
                        td class="n" { (sites::more(site.bytes)) }
                        td { code { (one_line(&site.name)) } }
                        td { (one_line(&text::place(&site.file, site.line))) }
                        td class="n" { (sites::of_side(site.blocks.base, site.bytes.base)) }
                        td class="n" { (sites::of_side(site.blocks.head, site.bytes.head)) }
                        td { (sites::how(site)) }
                    }
                }
            }
        }
    }
}

fn table(found: &Explanation) -> Markup {
    html! {
        table class="functions" {
            thead { tr {
                th scope="col" { "of all" } th scope="col" { "function" } th scope="col" { "place" }
                th scope="col" { "base" } th scope="col" { "head" } th scope="col" { "how" }
            } }
            tbody {
                @for function in &found.functions {
                    tr {
                        td class="n" { (found.share(function).map_or_else(|| "–".to_owned(), percent)) }
                        td { code { (one_line(&function.name)) } }
                        td { (one_line(&place(function))) }
                        td class="n" { (thousands(function.instructions.base)) }
                        td class="n" { (thousands(function.instructions.head)) }
                        td { (how(function)) }
                    }
                }
            }
        }
    }
}

fn calls(found: &Explanation, name: &str, number: usize) -> Markup {
    let bars: Vec<FlameBar> = found
        .flame
        .iter()
        .map(|node| FlameBar {
            name: one_line(&node.name).into_owned(),
            parent: node.parent,
            cost: node.instructions.map(|count| count as f64),
        })
        .collect();
    flame(&format!("flame-{number}"), name, &bars, |cost| {
        format!("{} instructions", amounts(cost.map(|amount| amount as u64)))
    })
}
