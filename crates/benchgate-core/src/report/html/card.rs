//! A card for each benchmark that needs a look: its pairs, its rounds, and what to do.

use maud::{Markup, html};

use super::explained::explained;
use super::name::Names;
use super::{look, overview};
use crate::judge::Pairs;
use crate::model::{Evidence, Finding, Rounds, Stage, Verdict};
use crate::plot::{PairGroup, PairsPlot, SpreadRow, pairs, spread};
use crate::report::again::again;
use crate::report::text::{agreement, bounds, count, interval, more_instructions, percent, value};
use crate::report::{Options, counters, history, summary, waivers};
use crate::result::{BenchmarkReport, RunResult};

/// Cards with figures; more would take longer to open than anyone looks at them.
const MOST_FIGURES: usize = 40;
/// Cards at all; the table has the others.
const MOST_CARDS: usize = 200;
/// Pairs that are drawn of each kind.
const MOST_PAIRS: usize = 400;
/// Steps at which the interval so far is computed.
const STEPS: usize = 60;

pub(super) fn cards(result: &RunResult, options: &Options<'_>, names: &Names) -> Markup {
    let rows = summary::alarming(result);
    if rows.is_empty() {
        return html! {};
    }
    // What passes needs no action.
    let title = match result.verdict {
        Verdict::Pass => "Benchmarks worth a look",
        _ => "Benchmarks that need a look",
    };
    html! {
        section aria-labelledby="looks" {
            h2 id="looks" { (title) }
            @for (number, row) in rows.iter().take(MOST_CARDS).enumerate() {
                (card(result, row, options, names, number))
            }
            @if rows.len() > MOST_CARDS {
                p { (rows.len() - MOST_CARDS) " more are in the table of all benchmarks." }
            }
        }
    }
}

fn card(
    result: &RunResult,
    row: &BenchmarkReport,
    options: &Options<'_>,
    names: &Names,
    number: usize,
) -> Markup {
    let tone = look::tone(row);
    let heading = format!("card-{number}");
    html! {
        article class={ "card " (tone.class()) } aria-labelledby=(heading) {
            h3 id=(heading) { (look::badge(tone, row.finding.name())) " " (names.code(row)) }
            (numbers(row))
            p { (look::prose(&row.reason)) }
            @if number < MOST_FIGURES {
                (figures(row, names, number))
                @if let Some(before) = before(row, options, names, number) { (before) }
            }
            @if let Some(found) = result.explanation(row) {
                (explained(found, row, &names.plain(row), number))
            }
            (look::output(&row.output, true))
            @if let Some(waiver) = &row.waiver { p { (look::prose(&waivers::line(waiver, str::to_owned))) } }
            @if let Some(command) = again(result, Some(row)) {
                p { "To measure it again:" }
                (look::copied(&command))
            }
        }
    }
}

/// The figures in words.
fn numbers(row: &BenchmarkReport) -> Markup {
    let amount = |side: Option<f64>| value(&row.metric, &row.unit, side);
    let Evidence { confirmation, instructions, .. } = &*row.evidence;
    html! {
        dl {
            @if row.base.is_some() || row.head.is_some() {
                div { dt { "base → head" } dd { (amount(row.base)) " → " (amount(row.head)) } }
            }
            @if let Some(change) = &row.change {
                div { dt { "change" } dd { strong { (percent(change.estimate)) } } }
                @if let Some(interval) = interval(row) {
                    div { dt { "95 % interval" } dd { (interval) " %" } }
                }
                div { dt { "fails from" } dd { (percent(row.limit)) " (" (row.fail_on.name()) ")" } }
            }
            @if let Some(agreement) = agreement(row) {
                div {
                    dt { "evidence" }
                    dd {
                        (agreement)
                        @if !confirmation.is_empty() { " of the confirmation" }
                    }
                }
            }
            @if instructions.is_some() {
                div { dt { "instructions" } dd { (more_instructions(row)) } }
            }
            @if let Some(counted) = row.evidence.counters.as_ref().map(counters::line) {
                div { dt { "counters" } dd { (counted) } }
            }
            @if let Some(detectable) = row.detectable.filter(|_| !is_proven(row.finding)) {
                div { dt { "smallest slowdown that it can prove, about" } dd { (percent(detectable)) } }
            }
            @if let Some(drift) = &row.drift {
                div { dt { "since the committed baseline" } dd { (percent(drift.estimate)) " " (bounds(drift)) " %" } }
            }
        }
    }
}

/// Whether a change is proven. What more would be provable says nothing of it, and may be larger: the bounds of pairs
/// that scatter to one side prove less on the other.
fn is_proven(finding: Finding) -> bool {
    finding.level().is_some() || matches!(finding, Finding::Improved | Finding::Waived)
}

fn figures(row: &BenchmarkReport, names: &Names, number: usize) -> Markup {
    let name = names.plain(row);
    let rounds = row.evidence.all();
    let baseline = &row.evidence.baseline;
    let most = |values: &[f64]| values[..values.len().min(2 * MOST_PAIRS)].to_vec();
    let (base, head, baseline) = (most(&rounds.base), most(&rounds.head), most(baseline));
    let mut sides = vec![
        SpreadRow { label: "base", values: &base },
        SpreadRow { label: "head", values: &head },
    ];
    if !baseline.is_empty() {
        sides.insert(0, SpreadRow { label: "baseline", values: &baseline });
    }
    let has_spread = !row.metric.is_count() && base.len() > 1 && head.len() > 1;
    html! {
        @if row.pairs > 1 {
            h4 { "Pairs, in the order of measuring" }
            p class="caption" {
                "A dot is a pair of rounds, head compared with base, on a logarithmic axis; hollow in the screening, filled "
                "where it decides. The band is the 95 % interval after each pair."
            }
            (look::scrolling("figure", "Plot of its pairs", &of_pairs(row, &name, number)))
        }
        @if has_spread {
            h4 { "Rounds of each side" }
            p class="caption" { "A dot is a round, the box the middle half of them, the line their median." }
            (look::scrolling("figure", "Plot of its rounds", &spread(&format!("rounds-{number}"), &name, &sides, |amount| {
                value(&row.metric, &row.unit, Some(amount))
            })))
        }
        @let cut = rounds.base.len().saturating_sub(2 * MOST_PAIRS);
        @if cut > 0 { p { (count(cut, "round")) " more of each side are not drawn." } }
    }
}

/// The runs that led to the base.
fn before(
    row: &BenchmarkReport,
    options: &Options<'_>,
    names: &Names,
    number: usize,
) -> Option<Markup> {
    let id = format!("history-{number}");
    let line = history::of_card(options.history?, row, &id, &names.plain(row))?;
    Some(html! { div class="before" { h4 { "Before this change" } (line) } })
}

fn of_pairs(row: &BenchmarkReport, name: &str, number: usize) -> Markup {
    let Evidence { rounds, confirmation, .. } = &*row.evidence;
    let group = |label: &str, is_filled: bool, rounds: &Rounds| PairGroup {
        label: label.to_owned(),
        is_filled,
        logs: Pairs::new(rounds)
            .iter()
            .flat_map(|pairs| pairs.logs().iter().copied())
            .take(MOST_PAIRS)
            .collect(),
    };
    let mut groups = vec![group("screening", confirmation.is_empty(), rounds)];
    if !confirmation.is_empty() {
        groups.push(group("confirmation", true, confirmation));
    }
    // Confirmation alone proves, and follows screening.
    let (deciding, stage) = match confirmation.is_empty() {
        true => (0, Stage::Screening),
        false => (1, Stage::Confirmation),
    };
    pairs(&PairsPlot {
        id: &format!("pairs-{number}"),
        name,
        deciding,
        so_far: &so_far(row, row.evidence.stage(stage)),
        groups: &groups,
        lines: &overview::lines(Some(row.thresholds)),
        tone: look::tone(row),
    })
}

/// The interval after this number of pairs; after the last of all, the stated interval.
fn so_far(row: &BenchmarkReport, rounds: &Rounds) -> Vec<(usize, [f64; 3])> {
    let measured = rounds.base.len().min(rounds.head.len());
    let all = measured.min(MOST_PAIRS);
    let step = all.div_ceil(STEPS).max(1);
    (1..=all)
        .filter(|pairs| pairs % step == 0 || *pairs == all)
        .filter_map(|pairs| {
            let first = rounds.as_ref().map(|values| values[..pairs].to_vec());
            let change = Pairs::new(&first)?.change();
            let stated = row.change.filter(|_| pairs == measured);
            Some((pairs, stated.unwrap_or(change).to_logs()))
        })
        .collect()
}
