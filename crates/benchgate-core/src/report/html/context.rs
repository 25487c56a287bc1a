//! Suites and benchmarks that were not measured, and the machine, toolchain, policy and noise behind the numbers.

use maud::{Markup, html};

use super::look;
use crate::model::{Finding, Machine, Toolchain};
use crate::report::text::{count, one_line, size};
use crate::report::{naming, summary};
use crate::result::{BenchmarkReport, RunResult};
use crate::stats;

/// Benchmarks that are named one by one.
const MOST_NAMED: usize = 200;

pub(super) fn not_measured(result: &RunResult) -> Markup {
    let left_out: Vec<&BenchmarkReport> =
        result.benchmarks.iter().filter(|row| row.finding == Finding::Skipped).collect();
    if result.suites.is_empty() && left_out.is_empty() {
        return html! {};
    }
    html! {
        section aria-labelledby="unmeasured" {
            h2 id="unmeasured" { "Not measured, and why" }
            ul {
                @for suite in &result.suites {
                    li {
                        (look::badge(look::of_finding(suite.finding, false), suite.finding.name()))
                        @match naming::suite(suite) {
                            Some(name) => { " suite " code { (one_line(&name)) } }
                            None => { " the run" }
                        }
                        ": " (look::prose(&suite.reason))
                        (look::output(&suite.output, false))
                    }
                }
                @for row in left_out.iter().take(MOST_NAMED) {
                    li { code { (one_line(&row.id)) } ": " (look::prose(&row.reason)) }
                }
                @if left_out.len() > MOST_NAMED { li { (left_out.len() - MOST_NAMED) " benchmarks more" } }
            }
        }
    }
}

pub(super) fn conditions(result: &RunResult) -> Markup {
    html! {
        section aria-labelledby="conditions" {
            h2 id="conditions" { "What the numbers depend on" }
            @if !result.notices.is_empty() {
                h3 { "Notices" }
                ul { @for notice in &result.notices { li { (look::prose(notice)) } } }
            }
            @if let Some(noise) = noise(result) { h3 { "Noise of this run" } (noise) }
            h3 { "Conditions" }
            dl {
                @if let Some(machine) = &result.machine { (of_machine(machine)) }
                @if let Some(toolchain) = &result.toolchain { (of_toolchain(toolchain)) }
                @if let Some(sandbox) = &result.sandbox { (entry("sandbox", &sandbox.words())) }
                @if let Some(memory) = summary::memory(result) { (entry("memory of suites", &memory)) }
                (of_policy(result))
                (entry("method", summary::method(result)))
                (entry("seed of the order", &result.seed.to_string()))
                (entry("command", &result.reproduce))
            }
        }
    }
}

fn entry(name: &str, words: &str) -> Markup {
    html! { div { dt { (name) } dd { (one_line(words)) } } }
}

fn of_machine(machine: &Machine) -> Markup {
    let unknown = || "unknown".to_owned();
    let switch = |state: Option<bool>| state.map_or("unknown", |on| if on { "on" } else { "off" });
    html! {
        (entry("machine", &machine.name))
        (entry("processor", &format!("{}, {}", machine.cpu, count(usize::try_from(machine.cores).unwrap_or(0), "core"))))
        (entry("memory", &format!("{} MiB", machine.memory_mib)))
        (entry("kernel", &machine.kernel))
        (entry("governor", &machine.governor.clone().unwrap_or_else(unknown)))
        (entry("boost", switch(machine.boost)))
    }
}

fn of_toolchain(toolchain: &Toolchain) -> Markup {
    html! {
        (entry("compiler", &toolchain.rustc))
        (entry("target", &toolchain.host))
        (entry("profile", &toolchain.profile))
        @for runtime in &toolchain.runtimes { (entry("runtime", runtime)) }
        @if !toolchain.rustflags.is_empty() { (entry("rustflags", &toolchain.rustflags)) }
    }
}

/// The thresholds that most benchmarks have, and how many have others.
fn of_policy(result: &RunResult) -> Markup {
    let limits = |row: &BenchmarkReport| (row.thresholds, row.fail_on);
    let Some(first) = result.benchmarks.iter().find(|row| !row.metric.is_count()).map(limits)
    else {
        return html! {};
    };
    let accepted = result
        .benchmarks
        .iter()
        .filter(|row| !row.metric.is_count() && limits(row) != first)
        .count();
    let (thresholds, fail_on) = first;
    let words = format!(
        "note {}, warning {}, critical {}; fails from {} on",
        size(thresholds.note),
        size(thresholds.warning),
        size(thresholds.critical),
        fail_on.name()
    );
    html! {
        (entry("thresholds", &words))
        @if accepted > 0 { (entry("other limits", &count(accepted, "benchmark"))) }
    }
}

/// About the smallest slowdowns that would be proven, given the scatter of the pairs.
fn noise(result: &RunResult) -> Option<Markup> {
    let mut known: Vec<(f64, &BenchmarkReport)> = result
        .benchmarks
        .iter()
        .filter(|row| row.finding != Finding::Identical)
        .filter_map(|row| Some((row.detectable?, row)))
        .collect();
    let median = stats::median(&known.iter().map(|(least, _)| *least).collect::<Vec<_>>())?;
    known.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    Some(html! {
        p {
            "With the scatter of their pairs a slowdown of about " (size(median)) " is proven, in the median of "
            (count(known.len(), "benchmark")) ". The noisiest: "
            @for (number, (least, row)) in known.iter().take(3).enumerate() {
                @if number > 0 { ", " }
                code { (one_line(&row.id)) } " (" (size(*least)) ")"
            }
            "."
        }
    })
}
