use super::*;
use crate::model::Side;
use crate::schedule::Nuisance;

fn header() -> Header {
    let suites = BTreeMap::from([("crate/suite".to_owned(), "00ff".to_owned())]);
    Header {
        schema: JOURNAL_SCHEMA.to_owned(),
        seed: 7,
        commits: Sides::new("b".to_owned(), "h".to_owned()),
        earlier: None,
        executables: Sides::new(suites.clone(), suites),
        measure: "30ms".to_owned(),
        command: "benchgate check --seed 7".to_owned(),
    }
}

fn turn(pair: u32) -> Turn {
    let nuisance = Nuisance::default();
    Turn {
        benchmark: 0,
        stage: Stage::Confirmation,
        pair,
        first: Side::Head,
        nuisance,
        layout: None,
    }
}

fn kept(reading: Reading) -> Kept {
    let (pace, layout) = (Pace::Quick, Some(3));
    Kept { pace, layout, reading, seconds: 0.25, identity: Identity::of_id("g/f") }
}

fn key() -> BenchmarkKey {
    BenchmarkKey::new("crate", "suite", "g/f")
}

fn pair() -> Reading {
    let size = Metric::named("size.mine", "B").unwrap();
    let values = |ns| Values::from([(Metric::TIME, ns), (size.clone(), 12.0)]);
    let values = Sides::new(values(0.1 + 0.2), values(5.0));
    Reading::Pair { values, averages: Some(Sides::new(0.5, 6.0)) }
}

fn line(pair: u32, reading: Reading) -> String {
    Entry::of("pairs", &key(), &turn(pair), &kept(reading)).unwrap().to_line()
}

#[test]
fn what_was_written_is_read_back_to_the_last_digit() {
    let round = Reading::Round(Values::from([(Metric::TIME, 3.0)]));
    let text = header().to_line() + &line(0, pair()) + &line(1, round.clone());
    insta::assert_snapshot!(text);
    let (read_header, entries) = read(&text).unwrap();
    assert_eq!(read_header, header());
    let place = |pair| ("pairs".to_owned(), key(), Stage::Confirmation, pair);
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[&place(0)], kept(pair()));
    assert_eq!(entries[&place(1)], kept(round));
    let Reading::Pair { values, .. } = &entries[&place(0)].reading else { panic!("no pair") };
    let units: Vec<&str> = values.base.keys().map(Metric::unit).collect();
    assert_eq!(units, ["ns", "B"]);
}

#[test]
fn a_turn_without_a_value_is_not_kept_and_is_tried_again() {
    assert_eq!(Entry::of("pairs", &key(), &turn(0), &kept(Reading::Failed)), None);
}

#[test]
fn a_line_that_was_being_written_when_the_run_ended_is_left_out() {
    let whole = header().to_line() + &line(0, pair());
    let torn = line(1, pair());
    for end in 0..torn.len() {
        let (_, entries) = read(&(whole.clone() + &torn[..end])).unwrap();
        assert_eq!(entries.len(), 1, "{end}");
    }
}

#[test]
fn a_journal_that_cannot_be_used_is_an_error_that_names_the_line() {
    let first = header().to_line();
    let table: String = [
        String::new(),
        "{}\n".to_owned(),
        first.replace("journal/2", "journal/9"),
        format!("{first}not json\n"),
        format!("{first}{}", line(0, pair()).replace("\"head\"", "\"other\"")),
        format!("{first}{}", line(0, pair()).replace("size.mine", "SIZE")),
    ]
    .iter()
    .map(|text| format!("{}\n", read(text).unwrap_err()))
    .collect();
    insta::assert_snapshot!(table);
}
