//! Where a difference sits: a table of functions, and the calls of both sides as a flame graph.

use maud::{Markup, html};

use super::look;
use crate::plot::{FlameBar, flame};
use crate::report::explanation::{amounts, flat, how, place};
use crate::report::text::{one_line, percent, thousands};
use crate::result::Explanation;

pub(super) fn explained(found: &Explanation, name: &str, number: usize) -> Markup {
    let Some(instructions) = found.instructions else {
        let reason = found.unavailable.as_deref().unwrap_or("nothing was counted");
        return html! { p { "Not explained: " (one_line(reason)) } };
    };
    html! {
        h4 { "Where it sits" }
        @if found.is_flat { p { (flat(found)) "." } }
        p {
            "Instructions of one iteration: " (amounts(instructions))
            @if let Some(change) = found.change() { " (" (percent(change)) ")" }
            @if found.includes_setup { ", with set-up" }
            ". All functions that are not listed: " (amounts(found.others)) "."
        }
        @if !found.functions.is_empty() { (look::scrolling("figure", "Functions that differ", &table(found))) }
        @if found.flame.len() > 1 {
            (look::scrolling("figure flame", "Flame graph of its calls", &calls(found, name, number)))
        }
    }
}

fn table(found: &Explanation) -> Markup {
    html! {
        table {
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
