//! Where a difference sits, in words.

use super::sites;
use super::text::{self, one_line, percent, thousands};
use crate::judge::MORE_WORK;
use crate::model::Sides;
use crate::report::Table;
use crate::result::{BenchmarkReport, DifferenceKind, Explanation, FunctionDifference, difference};

/// Functions that a comment names.
const MOST_LINES: usize = 3;
/// A part of a difference that describes all of it.
const MOSTLY: f64 = 2.0 / 3.0;

/// At most three lines: the functions with most of the difference; or why there are none.
///
/// Of a slowdown of `row` that they do not explain, that comes first. `quote` writes a name of code, `plain` other text,
/// as the format has them.
pub(super) fn summary(
    explanation: &Explanation,
    row: &BenchmarkReport,
    quote: impl Fn(&str) -> String,
    plain: impl Fn(&str) -> String,
) -> Vec<String> {
    if let Some(reason) = &explanation.unavailable {
        return vec![format!("not explained: {}", plain(reason))];
    }
    if let Some(found) = &explanation.allocations {
        return sites::summary(found, MOST_LINES, quote, plain);
    }
    if explanation.is_flat {
        return vec![plain(&flat(explanation))];
    }
    let up = explanation.change().is_none_or(|change| change >= 0.0);
    let goes_along =
        |function: &&FunctionDifference| (difference(function.instructions) >= 0.0) == up;
    let functions = explanation.functions.iter().filter(goes_along).map(|function| {
        let share = explanation.share(function);
        let share = share.map(|share| format!("{} of the base's instructions", percent(share)));
        let includes = explanation.includes_setup.then(|| "with set-up".to_owned());
        let of_all: Vec<String> = [share, includes].into_iter().flatten().collect();
        let of_all = if of_all.is_empty() { String::new() } else { of_all.join(", ") + "; " };
        let name = text::located(quote(&function.name), &place(function), &plain);
        format!("{name}: {of_all}{}", how(function))
    });
    let first = unexplained(explanation, row).map(|words| plain(&words));
    first.into_iter().chain(functions).take(MOST_LINES).collect()
}

/// States that as many or fewer instructions do not explain a slowdown; `None` if more of them may, or if a
/// flat explanation states it itself.
pub(super) fn unexplained(explanation: &Explanation, row: &BenchmarkReport) -> Option<String> {
    let (time, work) = (row.change?.estimate, explanation.change()?);
    let is_slower = row.metric.is_duration() && time > 0.0;
    (is_slower && !explanation.is_flat && work <= MORE_WORK).then(|| {
        format!(
            "instructions do not explain the slowdown: time {}, instructions {}",
            percent(time),
            percent(work)
        )
    })
}

/// The whole explanation, for a terminal of this number of columns.
pub fn terminal(explanation: &Explanation, width: Option<u16>) -> String {
    let name = one_line(&explanation.id).into_owned();
    if let Some(found) = &explanation.allocations {
        return format!("{name}: {}", sites::terminal(found, width));
    }
    let Some(instructions) = explanation.instructions else {
        let reason = explanation.unavailable.as_deref().unwrap_or("nothing was counted");
        return format!("{name}: not explained: {}\n", one_line(reason));
    };
    let change =
        explanation.change().map_or_else(String::new, |change| format!(" ({})", percent(change)));
    let mut text =
        format!("{name}: {} instructions in one iteration{change}\n", amounts(instructions));
    if explanation.is_flat {
        text.push_str(&format!("  {}\n", flat(explanation)));
    }
    if !explanation.functions.is_empty() {
        let mut table =
            Table::new(&["of all", "function", "place", "base", "head", "how"], &[0, 3, 4]);
        for function in &explanation.functions {
            let share = explanation.share(function).map_or_else(|| "–".to_owned(), percent);
            table.row([
                share.into(),
                one_line(&function.name),
                one_line(&place(function)).into_owned().into(),
                thousands(function.instructions.base).into(),
                thousands(function.instructions.head).into(),
                how(function).into(),
            ]);
        }
        text.push_str(&table.text(width, |_| anstyle::Style::new()));
    }
    let mut line = |what: &str, sides: Sides<u64>| {
        if sides != Sides::default() {
            text.push_str(&format!("  {what}: {}\n", amounts(sides)));
        }
    };
    line("all other functions", explanation.others);
    line("set-up, not included", explanation.setup);
    line("Criterion's loop and clocks, not included", explanation.harness);
    for hint in &explanation.hints {
        line(&format!("{}, simulated", one_line(&hint.event)), hint.count);
    }
    if explanation.includes_setup {
        text.push_str("  set-up is included: the lines of this Criterion are not known\n");
    }
    text
}

pub(super) fn flat(explanation: &Explanation) -> String {
    let hint = explanation.hints.iter().max_by(|a, b| growth(a.count).total_cmp(&growth(b.count)));
    let hint = hint.filter(|hint| growth(hint.count) > 0.05).map(|hint| {
        format!("; a simulation has {} {}", one_line(&hint.event), amounts(hint.count))
    });
    format!(
        "not more work in the first iteration: both sides run the same number of instructions{}",
        hint.unwrap_or_default()
    )
}

fn growth(count: Sides<u64>) -> f64 {
    difference(count) / count.base.max(100) as f64
}

pub(super) fn amounts(sides: Sides<u64>) -> String {
    format!("{} → {}", thousands(sides.base), thousands(sides.head))
}

pub(super) fn place(function: &FunctionDifference) -> String {
    text::place(&function.file, function.line)
}

/// More calls, or costlier ones.
pub(super) fn how(function: &FunctionDifference) -> String {
    let inlining = match function.inlined {
        Sides { base: true, head: false } => ", no longer inlined",
        Sides { base: false, head: true } => ", now inlined",
        _ => "",
    };
    let Sides { base, head } = function.instructions;
    match function.kind {
        DifferenceKind::New => return "new".to_owned(),
        DifferenceKind::Vanished => return "gone".to_owned(),
        DifferenceKind::Changed => {}
    }
    let (Some(calls), Some(more), Some(costlier)) =
        (function.calls, function.more_calls, function.costlier_calls)
    else {
        return format!("{} × the instructions{inlining}", times(base as f64, head as f64));
    };
    let of_calls = format!("{} × the calls", times(calls.base as f64, calls.head as f64));
    let per_call =
        times(base as f64 / calls.base.max(1) as f64, head as f64 / calls.head.max(1) as f64);
    let of_cost = format!("{per_call} × the instructions per call");
    // Both may be far larger than what is left of them, with opposite signs.
    let (more, costlier) = (more.unsigned_abs() as f64, costlier.unsigned_abs() as f64);
    let words = if more >= MOSTLY * (more + costlier) {
        of_calls
    } else if costlier >= MOSTLY * (more + costlier) {
        of_cost
    } else {
        format!("{of_calls}, {of_cost}")
    };
    format!("{words}{inlining}")
}

fn times(base: f64, head: f64) -> String {
    let ratio = head / base.max(f64::MIN_POSITIVE);
    if ratio < 1.95 { format!("{ratio:.2}") } else { format!("{ratio:.1}") }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn lines(explanation: &Explanation) -> Vec<String> {
        let row = &samples::regression().benchmarks[0];
        summary(explanation, row, |name| format!("`{name}`"), str::to_owned)
    }

    #[test]
    fn calls_and_their_cost_that_cancel_are_both_named_and_do_not_explain_a_slowdown() {
        let mut explanation = samples::explanation();
        explanation.instructions = Some(Sides::new(4_194, 4_185));
        explanation.functions.truncate(1);
        explanation.functions[0].instructions = Sides::new(4_194, 4_185);
        explanation.functions[0].calls = Some(Sides::new(1, 16));
        explanation.functions[0].more_calls = Some(35_000);
        explanation.functions[0].costlier_calls = Some(-35_009);
        let lines = lines(&explanation);
        assert_eq!(
            lines[0],
            "instructions do not explain the slowdown: time +23.0 %, instructions -0.2 %"
        );
        assert!(
            lines[1].contains("16.0 × the calls, 0.06 × the instructions per call"),
            "{lines:?}"
        );
        // Of a speed-up that is no contradiction.
        let faster = &samples::regression().benchmarks[2];
        assert_eq!(unexplained(&explanation, faster), None);
    }

    #[test]
    fn the_function_with_most_of_it_is_named_with_its_place_and_how_it_changed() {
        let explanation = samples::explanation();
        insta::assert_snapshot!(lines(&explanation).join("\n"));
        insta::assert_snapshot!(terminal(&explanation, None));
    }

    #[test]
    fn as_many_instructions_are_not_more_work_and_a_missing_explanation_is_not_a_number() {
        let flat = samples::flat_explanation();
        let none = Explanation {
            unavailable: Some("`valgrind` is not installed".into()),
            ..Explanation::default()
        };
        insta::assert_snapshot!([lines(&flat), lines(&none)].concat().join("\n"));
        assert_eq!(terminal(&none, None), ": not explained: `valgrind` is not installed\n");
    }
}
