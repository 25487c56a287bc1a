//! The comment on a pull request: the Markdown report on one screen, links to its run and its page, and folded the lines
//! to paste to accept what fails or to measure it again.

use super::Options;
use super::again::again;
use super::markdown::{self, Additions, code};
use super::naming::Naming;
use super::waivers::Way;
use crate::result::{BenchmarkReport, RunResult};

/// The comment.
pub(super) fn github(result: &RunResult, options: &Options<'_>) -> String {
    let under_headline = [("the run", options.run_url), ("the page", options.page_url)]
        .into_iter()
        .filter_map(|(name, url)| Some(format!(" · [{name}]({})", url?)))
        .collect();
    let naming = Naming::of(result);
    let per_failing = |rows: &[&BenchmarkReport]| to_paste(result, naming, rows);
    let all_again = again(result, None);
    let additions = Additions {
        under_headline,
        above_failing: how_to_accept(result),
        per_failing: Some(&per_failing),
        again: all_again.as_deref(),
    };
    markdown::comment(result, options.limit, &additions)
}

/// Says once what the lines below are for; nothing where no failing benchmark can be accepted.
fn how_to_accept(result: &RunResult) -> String {
    if !result.benchmarks.iter().any(BenchmarkReport::is_proven_to_fail) {
        return String::new();
    }
    let how = match Way::of(result) {
        Way::Trailer => {
            "To accept a benchmark, end the message of a commit of this pull request with its lines, and a reason in \
             place of `<why>`."
        }
        Way::PolicyOfBase => {
            "To accept a benchmark, merge its lines into `benchgate.toml` of the base branch in a pull request of their \
             own, with an issue and a reason in place of `<…>`; then update this branch with the base."
        }
        Way::PolicyOfRecords => {
            "To accept a benchmark, add its lines to the policy of this comparison, with an issue and a reason in place \
             of `<…>`."
        }
    };
    format!("{how}\n\n")
}

/// The failing rows of one benchmark. Each kind of line has a separate fence, to which GitHub adds a copy button. All
/// are lines that begin with fixed words, so none can close the fence.
fn to_paste(result: &RunResult, naming: Naming, rows: &[&BenchmarkReport]) -> String {
    let way = Way::of(result);
    let accepted: Vec<_> = rows.iter().filter_map(|row| way.lines(result, naming, row)).collect();
    let again = rows.first().and_then(|row| again(result, Some(row)));
    let name = rows.first().map(|row| code(&naming.plain(row))).unwrap_or_default();
    let mut text = match (accepted.is_empty(), &again) {
        (true, None) => return String::new(),
        (false, None) => format!("To accept {name}:\n\n"),
        (true, Some(_)) => format!("To measure {name} again:\n\n"),
        (false, Some(_)) => format!("To accept {name}, or to measure it again:\n\n"),
    };
    if !accepted.is_empty() {
        text.push_str(&format!("```{}\n{}\n```\n\n", way.language(), accepted.join("\n")));
    }
    if let Some(again) = again {
        text.push_str(&format!("```sh\n{again}\n```\n\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::markdown::GITHUB_COMMENT_LIMIT;
    use super::super::samples::{self, committed};
    use super::*;
    use crate::judge::suggestion;
    use crate::report::WebAddress;

    fn comment(result: &RunResult) -> String {
        let url: WebAddress = "https://github.com/o/r/actions/runs/77/attempts/1".parse().unwrap();
        let page: WebAddress =
            "https://github.com/o/r/actions/runs/78/artifacts/9".parse().unwrap();
        let limit = GITHUB_COMMENT_LIMIT;
        github(
            result,
            &Options { run_url: Some(&url), page_url: Some(&page), limit, ..Options::default() },
        )
    }

    #[test]
    fn a_red_comment_says_what_to_paste_for_what_fails() {
        insta::assert_snapshot!(comment(&committed(samples::regression())));
    }

    #[test]
    fn an_incomplete_comment_has_nothing_to_accept_and_says_how_to_measure_again() {
        insta::assert_snapshot!(comment(&committed(samples::incomplete())));
    }

    /// Lines that are on the screen: a folded part is its title.
    fn unfolded(text: &str) -> Vec<&str> {
        let mut folded = 0;
        let mut shown = Vec::new();
        for line in text.lines() {
            if folded == 0 {
                shown.push(line);
            }
            folded += line.matches("<details>").count();
            folded -= line.matches("</details>").count();
        }
        shown
    }

    #[test]
    fn three_failures_are_on_one_screen_with_the_rest_folded() {
        let mut result = committed(samples::explained());
        let failing = result.benchmarks.iter().find(|row| row.blocking).unwrap().clone();
        for name in ["two", "three"] {
            result.benchmarks.push(BenchmarkReport { id: name.into(), ..failing.clone() });
        }
        let text = comment(&result);
        let shown = unfolded(&text);
        assert!(shown.len() <= 40, "{} lines:\n{}", shown.len(), shown.join("\n"));
        let rows: Vec<_> = shown.iter().filter(|line| line.starts_with("| ❌")).collect();
        assert_eq!(rows.len(), 3);
        for row in &rows {
            assert_eq!(row.matches(" | ").count(), 2, "{row}");
        }
        // Where it sits is in the table, and how to accept it is one click away.
        assert!(rows[0].contains("src/"), "{}", rows[0]);
        assert!(!shown.iter().any(|line| line.contains("ceiling")), "{}", shown.join("\n"));
    }

    #[test]
    fn what_is_not_failing_is_folded_where_it_is_many() {
        let mut result = committed(samples::many(100, 1));
        for row in result.benchmarks.iter_mut().filter(|row| !row.blocking) {
            row.finding = crate::model::Finding::Inconclusive;
        }
        let text = comment(&result);
        assert!(unfolded(&text).len() <= 40, "{}", unfolded(&text).join("\n"));
        assert!(text.contains("Also to look at (91)"), "{}", unfolded(&text).join("\n"));
    }

    #[test]
    fn the_way_to_accept_that_is_printed_works_with_the_policy_of_the_base() {
        let hostile = "x\"`\\ ]]\n[gate]\n*".to_owned();
        let mut result = committed(samples::regression());
        result.benchmarks[0].id = hostile;
        for row in result.benchmarks.iter_mut().filter(|row| row.is_proven_to_fail()) {
            let text = to_paste_of(row, false, &result.time);
            // Somebody has to say why.
            assert!(crate::policy::Policy::parse(&text).is_err(), "{text}");
            let text = text.replace("<issue>", "#1").replace("<why>", "faster to read");
            let policy = crate::policy::Policy::parse(&text).unwrap();
            let [accepted] = &policy.waivers[..] else { panic!("{text}") };
            assert!(accepted.selector.matches(&row.key()), "{text}");
            assert!(accepted.ceiling.allows(row.to_accept(), row.head), "{text}");
            assert_eq!(accepted.metric, row.metric);
            let until = accepted.term.until.to_string();
            assert_eq!(until, "2026-02-02");
            assert!(to_paste_of(row, true, &result.time).starts_with("Benchgate-Accept: "));
        }
        assert!(result.benchmarks.iter().any(BenchmarkReport::is_proven_to_fail));
    }

    /// The lines to paste for a row, without their fence.
    fn to_paste_of(row: &BenchmarkReport, trailers: bool, time: &str) -> String {
        let mut result = committed(samples::regression());
        result.waivers.trailers = trailers;
        result.time = time.to_owned();
        let text = to_paste(&result, Naming::of(&result), &[row]);
        text.split("```").nth(1).unwrap().split_once('\n').unwrap().1.to_owned()
    }

    #[test]
    fn a_comparison_of_records_is_accepted_by_its_policy_alone() {
        let mut result = samples::regression();
        result.waivers.trailers = true;
        result.method = crate::result::Method::Recorded;
        let text = comment(&result);
        assert!(text.contains("add its lines to the policy of this comparison"), "{text}");
        assert!(text.contains("[[waiver]]") && !text.contains("a commit of this"), "{text}");
    }

    #[test]
    fn a_green_comment_has_nothing_to_paste() {
        let text = comment(&committed(samples::pass()));
        assert!(!text.contains("```") && !text.contains("Benchgate-Accept"), "{text}");
        let links = "[the run](https://github.com/o/r/actions/runs/77/attempts/1) · \
                     [the page](https://github.com/o/r/actions/runs/78/artifacts/9)\n";
        assert!(text.contains(links), "{text}");
    }

    #[test]
    fn a_hostile_result_is_shown_escaped() {
        const HOSTILE: &str = "x`</details>| @team\n## owned \u{202e}[a](http://b) <img src=x>";
        let text = comment(&samples::with_text(HOSTILE));
        insta::assert_snapshot!(text);
    }

    #[test]
    fn a_comment_of_ten_thousand_benchmarks_keeps_every_failing_row_and_what_to_paste() {
        let mut result = committed(samples::many(10_000, 40));
        result.waivers.trailers = true;
        let text = comment(&result);
        assert!(text.len() <= GITHUB_COMMENT_LIMIT, "{} bytes", text.len());
        for row in result.benchmarks.iter().filter(|row| row.blocking) {
            assert!(text.contains(&format!("❌ critical `{}`", row.id)), "{}", row.id);
            assert!(text.contains(&suggestion(row)), "{}", row.id);
        }
        assert!(text.contains("rows or sections did not fit here"));
        assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
    }

    #[test]
    fn failing_rows_that_do_not_fit_are_counted_separately() {
        let result = committed(samples::many(2_000, 1_000));
        let text = github(&result, &Options { limit: 20_000, ..Options::default() });
        assert!(text.len() <= 20_000, "{} bytes", text.len());
        let shown = text.matches("| ❌ critical `").count();
        assert!(shown > 50, "{shown}");
        let missing = format!("**{} failing benchmarks did not fit here either**", 1_000 - shown);
        assert!(text.contains(&missing), "{}", &text[text.len() - 400..]);
    }

    #[test]
    fn an_address_is_of_the_web_and_safe_in_a_link() {
        for (url, good) in [
            ("https://github.com/o/r/actions/runs/1/attempts/2", true),
            ("http://127.0.0.1:4001/o/r/actions/runs/1", true),
            ("https://", false),
            ("javascript:alert(1)", false),
            ("https://example.com/a) [b](http://c", false),
            ("https://example.com/\n", false),
        ] {
            assert_eq!(url.parse::<WebAddress>().is_ok(), good, "{url}");
        }
    }
}
