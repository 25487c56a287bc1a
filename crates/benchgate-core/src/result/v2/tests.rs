use super::*;
use crate::model::{Level, METRICS};
use crate::report::samples;
use crate::result::WaiverState;

const SCHEMA: &str = include_str!("../../../../../docs/result.schema.json");

fn schema() -> serde_json::Value {
    serde_json::from_str(SCHEMA).unwrap()
}

#[test]
fn every_result_matches_the_documented_schema() {
    let schema = jsonschema::validator_for(&schema()).unwrap();
    for result in samples::each() {
        let value = serde_json::to_value(&result).unwrap();
        let problems: Vec<_> = schema.iter_errors(&value).map(|e| e.to_string()).collect();
        assert_eq!(problems, Vec::<String>::new());
    }
}

#[test]
fn the_schema_knows_every_word_that_a_result_may_have() {
    let schema = schema().to_string();
    let words = Finding::ALL.iter().map(|finding| finding.name());
    let words = words.chain(Verdict::ALL.iter().map(|verdict| verdict.name()));
    let words = words.chain(Level::DESCENDING.iter().map(|level| level.name()));
    let words = words.chain(RuleState::ALL.iter().map(|state| state.name()));
    let words = words.chain(WaiverState::ALL.iter().map(|state| state.name()));
    for word in words.chain(METRICS.iter().map(|row| row.name())) {
        assert!(schema.contains(&format!("\"{word}\"")), "{word}");
    }
    assert!(schema.contains(RESULT_SCHEMA));
}

#[test]
fn a_result_is_read_back_as_it_was_written() {
    for result in [samples::regression(), samples::incomplete(), samples::waived()] {
        assert_eq!(RunResult::from_json(result.to_json().as_bytes()), Ok(result));
    }
}

#[test]
fn a_poisoned_result_is_refused_by_its_key() {
    let good = samples::regression().to_json();
    let table: String = [
        ("another version", good.replace("benchgate.result/2", "benchgate.result/1")),
        ("no schema", good.replace("\"schema\"", "\"scheme\"")),
        ("an unknown key", good.replace("\"seed\": 42", "\"seed\": 42, \"html\": \"<b>\"")),
        ("an unknown finding", good.replace("\"critical\"", "\"terrible\"")),
        ("a negative time", good.replacen("84570.0", "-84570.0", 1)),
        ("an infinite time", good.replacen("84570.0", "1e999", 1)),
        ("another unit", good.replacen("\"unit\": \"ns\"", "\"unit\": \"hours\"", 1)),
        ("a negative seed", good.replace("\"seed\": 42", "\"seed\": -1")),
        ("unpaired pairs", good.replacen("84570.0,", "", 1)),
        ("truncated", good[..good.len() / 2].to_owned()),
    ]
    .iter()
    .map(|(what, text)| format!("{what}: {}\n", RunResult::from_json(text.as_bytes()).unwrap_err()))
    .collect();
    insta::assert_snapshot!(table);
}

#[test]
fn a_head_without_a_time_is_refused_in_its_record_and_never_left_out() {
    let mut result = samples::regression();
    let [failed, custom] = &mut result.benchmarks[..2] else { panic!("two benchmarks") };
    failed.finding = Finding::Failed;
    failed.reason = "head: it crashed".to_owned();
    (custom.metric, custom.unit) = (Metric::custom("cycles"), "cycles".to_owned());
    let keys = [failed.key(), custom.key()];
    let record = result.to_recorded();
    let refused = keys.each_ref().map(|key| record.refused[key].as_str());
    let unit = "it measures cycles, and a record holds times";
    assert_eq!(refused, ["head: it crashed", unit]);
    assert!(keys.iter().all(|key| !record.benchmarks.contains_key(key)));
}
