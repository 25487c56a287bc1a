//! Tests of the contents of pages; `scripts/page` looks at pages in a browser.

use std::collections::BTreeMap;

use super::*;
use crate::history::{History, RECORD_SCHEMA, Ratio, Record, Row, SuiteRecord};
use crate::model::Finding;
use crate::report::{WebAddress, samples, summary};
use crate::result::BenchmarkReport;

fn page(result: &RunResult) -> String {
    html(result, &Options::default())
}

/// The text that is read, a line for each element of blocks; without style, script and data.
fn read(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = tag.split_once('>').unwrap();
        let name = tag.split([' ', '/']).next().unwrap();
        rest = match name {
            "style" | "script" => after.split_once(&format!("</{name}>")).unwrap().1,
            _ => after,
        };
        let is_block =
            ["p", "li", "tr", "h1", "h2", "h3", "h4", "div", "section", "pre", "title", "g"];
        text.push_str(if is_block.contains(&name) {
            "\n"
        } else if ["td", "th", "dt", "dd", "text", "option"].contains(&name) {
            " "
        } else {
            ""
        });
    }
    let plain = text.replace("&quot;", "\"").replace("&gt;", ">").replace("&lt;", "<");
    let lines = plain.replace("&amp;", "&");
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// What is read behind a heading, to the end of its card.
fn rest_of_card(page: &str, heading: &str) -> String {
    let (_, card) = page.split_once(heading).unwrap();
    read(card.split_once("</article>").unwrap().0)
}

/// Elements with the names of their attributes, in order.
fn tags(page: &str) -> Vec<String> {
    page.split('<')
        .skip(1)
        .filter_map(|tag| tag.split('>').next())
        .map(|tag| {
            let mut parts = tag.split('"');
            let names: Vec<&str> = parts.by_ref().step_by(2).map(str::trim).collect();
            names.join(" ")
        })
        .collect()
}

#[test]
fn a_red_page_says_what_got_slower_by_how_much_how_sure_that_is_and_what_to_do() {
    insta::assert_snapshot!(read(&page(&samples::committed(samples::regression()))));
}

#[test]
fn the_card_of_a_slower_benchmark_shows_the_functions_that_it_sits_in_and_its_calls() {
    let page = page(&samples::explained());
    assert!(read(&page).contains("the CPU counted 2.50 → 2.00 instructions per cycle"));
    insta::assert_snapshot!(rest_of_card(&page, "Where it sits"));
}

#[test]
fn what_is_pasted_is_in_one_box_and_each_of_its_lines_once() {
    let mut result = samples::committed(samples::regression());
    let failing = result.benchmarks.iter().find(|row| row.blocking).unwrap().clone();
    result.benchmarks.push(BenchmarkReport { id: "two".into(), ..failing });
    let page = page(&result);
    let (_, box_of_actions) = page.split_once("class=\"actions\"").unwrap();
    let (box_of_actions, _) = box_of_actions.split_once("</section>").unwrap();
    assert_eq!(page.matches("[[waiver]]").count(), 2);
    assert_eq!(box_of_actions.matches("[[waiver]]").count(), 2);
    assert_eq!(box_of_actions.matches("data-copy").count(), 2);
    let id = &result.base.commit;
    assert!(page.contains(&format!("<code title=\"{id}\">{}</code>", &id[..10])));
}

#[test]
fn the_table_begins_with_what_fails() {
    let mut result = samples::regression();
    result.benchmarks.reverse();
    let text = read(&page(&result));
    let (_, table) = text.split_once("rows: one for each benchmark").unwrap();
    let order: Vec<_> = ["critical", "warning", "improved", "unchanged"]
        .map(|finding| table.find(&format!(" {finding} ")).unwrap())
        .into();
    assert!(order.is_sorted(), "{table}");
}

#[test]
fn text_between_backticks_is_code_and_nothing_else() {
    for (text, expected) in [
        ("run `a b` now", "run <code>a b</code> now"),
        ("`a`", "<code>a</code>"),
        ("a ` b", "a ` b"),
        ("<i>`<b>`", "&lt;i&gt;<code>&lt;b&gt;</code>"),
    ] {
        assert_eq!(look::prose(text).into_string(), expected);
    }
}

#[test]
fn the_card_of_more_blocks_shows_the_sites_that_ask_for_them_and_that_of_their_bytes_does_not_repeat_them()
 {
    let page = page(&samples::allocating());
    assert_eq!(page.matches("Where it sits").count(), 1);
    insta::assert_snapshot!(rest_of_card(&page, "Where it sits"));
}

/// Twenty runs of a benchmark, 5 % slower since the thirteenth.
fn runs_of(row: &BenchmarkReport) -> History {
    let commit = |number: usize| format!("{number:040x}");
    let records = (0..20).map(|run| {
        let steps = if run == 12 { 4_879 } else { 0 };
        let time = Row(0, 100.0, Some(Ratio(steps, Some(steps - 300), Some(steps + 300))));
        Record {
            schema: RECORD_SCHEMA.to_owned(),
            commit: commit(run + 1),
            base: commit(run),
            time: format!("2026-01-{:02}T00:00:00Z", run + 1),
            machine: "m".to_owned(),
            kernel: "k".to_owned(),
            rustc: "r".to_owned(),
            version: "v".to_owned(),
            metrics: vec![(row.metric.name().to_owned(), row.unit.clone())],
            identical: Vec::new(),
            suites: vec![SuiteRecord {
                package: row.package.clone(),
                suite: row.suite.clone(),
                benchmarks: BTreeMap::from([(row.id.clone(), vec![time])]),
            }],
        }
    });
    History::of(records.collect(), &(0..30).map(commit).collect::<Vec<_>>())
}

#[test]
fn the_card_of_a_benchmark_with_a_history_shows_the_runs_before_and_their_last_change() {
    let result = samples::regression();
    let history = runs_of(summary::alarming(&result)[0]);
    let page = html(&result, &Options { history: Some(&history), ..Options::default() });
    assert_eq!(page.matches("Before this change").count(), 1);
    assert_eq!(page.matches("<svg").count(), self::page(&result).matches("<svg").count() + 1);
    insta::assert_snapshot!(rest_of_card(&page, "Before this change"));
}

#[test]
fn a_page_of_a_crash_shows_the_end_of_its_output() {
    insta::assert_snapshot!(read(&page(&samples::incomplete())));
}

#[test]
fn a_page_shows_what_is_accepted_and_by_whom() {
    insta::assert_snapshot!(read(&page(&samples::waived())));
}

#[test]
fn every_number_of_a_row_is_that_of_the_result() {
    for result in [samples::regression(), samples::inconclusive(), samples::recorded()] {
        let page = page(&result);
        for row in &result.benchmarks {
            for number in [row.base, row.head, row.change.map(|change| change.estimate)] {
                let attribute = format!("data-v=\"{}\"", number.unwrap());
                assert!(page.contains(&attribute), "{}: {attribute}", row.id);
            }
        }
        let data = page.split("id=\"result\">").nth(1).unwrap().split("</script>").next().unwrap();
        assert_eq!(RunResult::from_json(data.as_bytes()), Ok(result));
    }
}

#[test]
fn no_text_of_a_result_becomes_markup() {
    const HOSTILE: &str = "x\"'></code></script><script>alert(1)</script><img src=x onerror=alert(1)>\
                           <!--]]>\u{202e}\u{0}&lt;&#60;{{7*7}}";
    let plain = page(&samples::with_text("decode/large"));
    let hostile = page(&samples::with_text(HOSTILE));
    assert!(tags(&plain).len() > 200);
    for (hostile, plain) in tags(&hostile).iter().zip(&tags(&plain)) {
        assert_eq!(hostile, plain);
    }
    assert_eq!(tags(&hostile).len(), tags(&plain).len());
    assert!(!hostile.contains('\u{202e}'), "text that turns the direction of writing");
}

#[test]
fn nothing_of_a_page_is_loaded_from_elsewhere_or_styled_or_scripted_in_line() {
    let url: WebAddress = "https://github.com/o/r/actions/runs/77".parse().unwrap();
    let options = Options { run_url: Some(&url), ..Options::default() };
    for result in [samples::regression(), samples::waived(), samples::violated_rule()] {
        let page = html(&result, &options);
        let code = [page::STYLE, page::SCRIPT];
        let markup = code.iter().fold(page, |page, code| page.replace(code, ""));
        for tag in tags(&markup) {
            let loads = [" src=", " style=", " on", "xlink", "@import", "<link", "<base"];
            assert!(loads.iter().all(|what| !tag.contains(what)), "{tag}");
        }
        let addresses = markup.matches("://").count();
        let of_svg = markup.matches("http://www.w3.org/2000/svg").count();
        let of_run = markup.matches("https://github.com/o/r/actions/runs/77").count();
        let commits = [&result.base, &result.head].map(|side| &side.commit);
        for commit in commits {
            assert!(
                markup.contains(&format!("<a href=\"https://github.com/o/r/commit/{commit}\">"))
            );
        }
        assert_eq!(addresses, of_svg + of_run + commits.len());
        assert!(code.iter().all(|code| !code.contains("url(") && !code.contains("fetch(")));
    }
}

#[test]
fn an_id_is_on_a_page_once() {
    for result in [samples::regression(), samples::waived(), samples::with_text("x")] {
        let page = page(&result);
        let mut ids: Vec<&str> =
            page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all);
        assert!(all > 5);
    }
}

#[test]
fn the_script_is_small() {
    assert!(page::SCRIPT.len() < 15 * 1024, "{} bytes", page::SCRIPT.len());
}

#[test]
fn a_page_of_116_benchmarks_is_at_most_a_mebibyte() {
    let length = page(&samples::many(116, 8)).len();
    assert!(length < 1 << 20, "{length} bytes");
}

#[test]
fn a_page_of_ten_thousand_benchmarks_leaves_out_what_needs_no_look_and_says_so() {
    let page = page(&samples::many(10_000, 300));
    assert!(page.len() < 5 << 20, "{} bytes", page.len());
    assert!(page.contains("9700 that need no look are not shown here"));
    assert!(page.contains("too large for a page: see result.json"));
    assert!(page.contains("100 more are in the table of all benchmarks."));
    assert_eq!(page.matches("<tr title").count(), 300);
}

#[test]
fn every_result_has_a_page() {
    let mut odd = samples::regression();
    for row in &mut odd.benchmarks {
        row.base = Some(0.0);
        row.evidence.rounds.base.fill(0.0);
        row.evidence.confirmation.head.clear();
        row.finding = Finding::Inconclusive;
    }
    let mut empty = samples::pass();
    empty.benchmarks.clear();
    empty.suites.clear();
    for result in [odd, empty, samples::violated_rule(), samples::recorded(), samples::pass()] {
        let page = page(&result).replace(page::SCRIPT, "");
        assert!(page.ends_with("</html>\n") && !page.contains("NaN"), "{page}");
    }
}
