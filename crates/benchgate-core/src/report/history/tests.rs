use std::collections::BTreeMap;

use super::*;
use crate::history::{RECORD_SCHEMA, Ratio, Record, Row, SuiteRecord};

fn commit(number: usize) -> String {
    format!("{number:040x}")
}

fn record(number: usize, kernel: &str, benchmarks: BTreeMap<String, Vec<Row>>) -> Record {
    Record {
        schema: RECORD_SCHEMA.to_owned(),
        commit: commit(number + 1),
        base: commit(number),
        time: format!("2026-01-{:02}T00:00:00Z", number + 1),
        machine: "m".to_owned(),
        kernel: kernel.to_owned(),
        rustc: "rustc 1.95.0".to_owned(),
        version: "0.1.0".to_owned(),
        metrics: vec![
            ("time".to_owned(), "ns".to_owned()),
            ("alloc.blocks".to_owned(), "blocks".to_owned()),
        ],
        identical: Vec::new(),
        suites: vec![SuiteRecord { package: "p".to_owned(), suite: "s".to_owned(), benchmarks }],
    }
}

/// Twenty runs: one benchmark gets 5 % slower at the thirteenth, and allocates a block more at the fourth; another one,
/// with this name, is the same.
fn sample(name: &str) -> History {
    let records = (0..20).map(|run| {
        let percent: f64 = if run == 12 { 5.0 } else { 0.1 };
        let steps = ((percent / 100.0).ln_1p() * 1e5) as i32;
        let time = Row(
            0,
            1000.0 + f64::from(run) * percent,
            Some(Ratio(steps, Some(steps - 300), Some(steps + 300))),
        );
        let blocks = match run {
            3 => Row(1, 3.0, Some(Ratio(40_547, Some(40_547), Some(40_547)))),
            run => Row(1, if run < 3 { 2.0 } else { 3.0 }, Some(Ratio(0, Some(0), Some(0)))),
        };
        let benchmarks = BTreeMap::from([
            ("decode/large".to_owned(), vec![time, blocks]),
            (name.to_owned(), if run == 0 { vec![Row(0, 7.0, None)] } else { Vec::new() }),
        ]);
        record(run as usize, if run < 9 { "Linux 6.1" } else { "Linux 6.6" }, benchmarks)
    });
    History::of(records.collect(), &(0..30).map(commit).collect::<Vec<_>>())
}

#[test]
fn a_terminal_shows_each_chain_and_its_changes() {
    insta::assert_snapshot!(terminal(&sample("encode")));
    assert_eq!(terminal(&History::default()), "no run is recorded\n");
}

#[test]
fn each_chain_has_a_page_at_an_address_of_its_name() {
    let pages = site(&sample("encode"));
    let mut addresses: Vec<&str> = pages.iter().map(|(address, _)| address.as_str()).collect();
    addresses.sort_unstable();
    insta::assert_snapshot!(addresses.join("\n"));
    let decode = pages.iter().find(|(address, _)| address.contains("decode-large-alloc")).unwrap();
    insta::assert_snapshot!(decode.1);
}

#[test]
fn names_that_differ_in_what_an_address_cannot_hold_have_addresses_of_their_own() {
    let [one, other] = ["a b", "a/b"].map(|name| site(&sample(name)));
    let of = |pages: &[(String, String)]| {
        pages.iter().map(|(address, _)| address.clone()).collect::<Vec<_>>()
    };
    assert_ne!(of(&one), of(&other));
    let same = site(&sample("a b"));
    assert_eq!(of(&one), of(&same));
}

#[test]
fn a_hostile_name_is_text() {
    let name = "\"><script>alert(1)</script>\u{202e}<img src=x onerror=alert(1)>";
    for (address, page) in site(&sample(name)) {
        assert!(
            !page.contains("<script") && !page.contains("<img") && !page.contains('\u{202e}'),
            "{page}"
        );
        assert!(
            address.bytes().all(|b| b.is_ascii_alphanumeric() || b"-./".contains(&b)),
            "{address}"
        );
    }
    assert!(!terminal(&sample(name)).contains('\u{202e}'));
}

#[test]
fn the_json_has_every_point_and_every_change() {
    let parsed: serde_json::Value = serde_json::from_str(&json(&sample("encode"))).unwrap();
    assert_eq!(parsed["runs"].as_array().unwrap().len(), 20);
    assert_eq!(parsed["events"][0]["what"], "kernel Linux 6.1 → Linux 6.6");
    let series = parsed["series"].as_array().unwrap();
    let time =
        series.iter().find(|of| of["id"] == "decode/large" && of["metric"] == "time").unwrap();
    assert_eq!(time["points"].as_array().unwrap().len(), 20);
    assert_eq!(time["shifts"][0]["first"], 12);
}
