//! The comment on a pull request: the Markdown report, links to its run and its page, and under the failing rows
//! the lines to paste to accept each or to measure it again.

use super::Options;
use super::command::again;
use super::markdown::{self, Additions, code};
use super::text::short;
use crate::judge::suggestion;
use crate::result::{BenchmarkReport, Origin, RunResult};

/// The comment.
pub(super) fn github(result: &RunResult, options: &Options<'_>) -> String {
    let links: String = [("the run", options.run_url), ("the page", options.page_url)]
        .into_iter()
        .filter_map(|(name, url)| Some(format!(" · [{name}]({})", url?)))
        .collect();
    let under_headline = format!(" · {} → {}{links}", side(&result.base), side(&result.head));
    let per_failing = |rows: &[&BenchmarkReport]| to_paste(result, rows);
    let all_again = again(result, None);
    let additions = Additions {
        under_headline,
        above_failing: how_to_accept(result),
        per_failing: Some(&per_failing),
        again: all_again.as_deref(),
    };
    markdown::write(result, options.limit, &additions)
}

fn side(origin: &Origin) -> String {
    code(if origin.commit.is_empty() { &origin.name } else { short(&origin.commit) })
}

/// Says once what the lines below are for; nothing where no failing benchmark can be accepted.
fn how_to_accept(result: &RunResult) -> String {
    if !result.benchmarks.iter().any(is_acceptable) {
        return String::new();
    }
    let allowed = match result.waivers.trailers {
        true => "",
        false => ", once the policy of the base has `[gate] trailers = true`",
    };
    format!(
        "To accept a benchmark, end the message of a commit of this pull request with its lines and a reason \
         in each{allowed}.\n\n"
    )
}

fn is_acceptable(row: &BenchmarkReport) -> bool {
    row.blocking && row.finding.level().is_some()
}

/// The failing rows of one benchmark. Each kind of line has a fence of its own, to which GitHub adds a copy button. All
/// are one line that begins with fixed words, so none can close the fence.
fn to_paste(result: &RunResult, rows: &[&BenchmarkReport]) -> String {
    let accepted: Vec<_> =
        rows.iter().filter(|row| is_acceptable(row)).map(|row| suggestion(row)).collect();
    let again = rows.first().and_then(|row| again(result, Some(row)));
    let name = rows.first().map(|row| code(&row.id)).unwrap_or_default();
    let mut text = match (accepted.is_empty(), &again) {
        (true, None) => return String::new(),
        (false, None) => format!("To accept {name}:\n\n"),
        (true, Some(_)) => format!("To measure {name} again:\n\n"),
        (false, Some(_)) => format!("To accept {name}, or to measure it again:\n\n"),
    };
    if !accepted.is_empty() {
        text.push_str(&format!("```text\n{}\n```\n\n", accepted.join("\n")));
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
        let result = committed(samples::many(10_000, 40));
        let text = comment(&result);
        assert!(text.len() <= GITHUB_COMMENT_LIMIT, "{} bytes", text.len());
        for row in result.benchmarks.iter().filter(|row| row.blocking) {
            assert!(text.contains(&format!("❌ critical | `{}`", row.id)), "{}", row.id);
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
        let shown = text.matches("| ❌ critical |").count();
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
