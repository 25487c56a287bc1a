//! The rules of the policy, with their margins.

use maud::{Markup, html};

use super::look;
use crate::report::summary;
use crate::report::text::{one_line, percent};
use crate::result::{RuleReport, RunResult};

pub(super) fn rules(result: &RunResult) -> Markup {
    if result.rules.is_empty() {
        return html! {};
    }
    html! {
        section aria-labelledby="rules" {
            h2 id="rules" { "Rules" }
            p { "What benchgate.toml promises of this code. The margin is how far the value may still grow." }
            (look::scrolling("table stacked", "Table of rules", &html! {
                table class="rules" {
                    caption { (result.rules.len()) " rules" }
                    thead { tr {
                        th scope="col" { "state" } th scope="col" { "rule" } th scope="col" { "margin" }
                        th scope="col" { "why it is a rule" }
                    } }
                    tbody { @for rule in &result.rules { (line(rule)) } }
                }
            }))
        }
    }
}

fn line(rule: &RuleReport) -> Markup {
    html! {
        tr {
            td { (look::badge(look::of_rule(rule.state), rule.state.name())) }
            td { (summary::rule(rule, |name| one_line(name).into_owned())) }
            td class="n" { (margin(rule)) }
            td { (one_line(&rule.reason)) }
        }
    }
}

fn margin(rule: &RuleReport) -> String {
    match rule.value {
        Some(value) if value.estimate > 0.0 => percent(rule.limit / value.estimate - 1.0),
        _ => "–".to_owned(),
    }
}
