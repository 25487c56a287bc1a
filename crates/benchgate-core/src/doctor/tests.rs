//! Whole machines: the files of each, and the report on it.

use super::*;

/// Reads a listing: `== /path`, then the file's text.
fn facts(listing: &str) -> Facts {
    let free_disk = Some(200 << 30);
    let (landlock, awake) = (Some(7), Some(Ok(())));
    let mut facts = Facts { free_disk, landlock, has_filter: true, awake, ..Facts::default() };
    for file in listing.split("== /").skip(1) {
        let (path, text) = file.split_once('\n').unwrap();
        facts.insert(format!("/{path}"), text);
    }
    facts
}

fn plain(diagnosis: &Diagnosis) -> String {
    let mut plain = String::new();
    let text = terminal(diagnosis);
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

#[test]
fn a_laptop_as_delivered_has_much_to_fix() {
    let diagnosis = diagnose(&facts(include_str!("fixtures/intel_laptop.txt")));
    insta::assert_snapshot!(plain(&diagnosis));
}

#[test]
fn a_machine_that_was_set_up_has_nothing_to_fix() {
    let diagnosis = diagnose(&facts(include_str!("fixtures/intel_runner.txt")));
    insta::assert_snapshot!(plain(&diagnosis));
    assert_eq!(diagnosis.count(State::Ok), CHECKS.len());
}

#[test]
fn on_amd_boost_is_a_switch_of_each_cpu_and_one_cpu_left_behind_is_found() {
    let diagnosis = diagnose(&facts(include_str!("fixtures/amd_desktop.txt")));
    insta::assert_snapshot!(plain(&diagnosis));
}

#[test]
fn what_a_virtual_machine_does_not_report_is_unknown_and_blocks_nothing() {
    let diagnosis = diagnose(&facts(include_str!("fixtures/vm.txt")));
    insta::assert_snapshot!(plain(&diagnosis));
    assert_eq!(diagnosis.count(State::Blocking), 0);
}

#[test]
fn a_container_and_its_quota_are_reported() {
    let diagnosis = diagnose(&facts(include_str!("fixtures/container.txt")));
    insta::assert_snapshot!(plain(&diagnosis));
}

#[test]
fn a_system_that_reports_nothing_is_unknown_and_never_blocking() {
    let diagnosis = diagnose(&Facts::default());
    assert_eq!(diagnosis.count(State::Blocking), 0);
    assert_eq!(diagnosis.points.len(), CHECKS.len());
}

#[test]
fn files_that_hold_nonsense_cause_no_panic() {
    let fixture = facts(include_str!("fixtures/intel_laptop.txt"));
    for nonsense in
        ["", "\n", ":", "[", "]", "-1", "99999999999999999999", "NaN", "a b c", "é\u{0}"]
    {
        let mut facts = Facts::default();
        for check in CHECKS {
            for (path, _) in check.reads.iter().flat_map(|pattern| fixture.matching(pattern)) {
                facts.insert(path, nonsense);
            }
        }
        assert_eq!(diagnose(&facts).points.len(), CHECKS.len(), "{nonsense}");
    }
}

#[test]
fn a_blocking_point_that_is_allowed_is_advice() {
    let mut diagnosis = diagnose(&facts(include_str!("fixtures/amd_desktop.txt")));
    let unknown = diagnosis.allow(&["smt".to_owned(), "clock".to_owned(), "swap".to_owned()]);
    assert_eq!(unknown, ["clock"]);
    let state = |name: &str| diagnosis.points.iter().find(|p| p.name == name).unwrap().state;
    assert_eq!(
        (state("smt"), state("boost"), state("swap")),
        (State::Advice, State::Blocking, State::Ok)
    );
}

#[test]
fn the_json_is_read_back_as_it_was_written() {
    let diagnosis = diagnose(&facts(include_str!("fixtures/vm.txt")));
    let json = diagnosis.to_json();
    assert!(json.starts_with("{\n  \"schema\": \"benchgate.doctor/2\""), "{json}");
    assert_eq!(serde_json::from_str::<Diagnosis>(&json).unwrap(), diagnosis);
}

#[test]
fn a_point_that_is_not_ok_says_how_to_fix_it() {
    for listing in [
        include_str!("fixtures/intel_laptop.txt"),
        include_str!("fixtures/amd_desktop.txt"),
        include_str!("fixtures/vm.txt"),
        include_str!("fixtures/container.txt"),
    ] {
        for point in diagnose(&facts(listing)).points {
            let is_settled = matches!(point.state, State::Ok | State::Unknown);
            assert_eq!(point.fix.is_empty(), is_settled, "{point:?}");
        }
    }
}

#[test]
fn the_document_has_every_check_with_its_reason_and_no_other() {
    let document = include_str!("../../../../docs/machine.md");
    for check in CHECKS {
        let row = format!("| `{}` | {} |", check.name, check.why);
        assert!(document.contains(&row), "docs/machine.md lacks: {row}");
    }
    let rows = document.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, CHECKS.len(), "docs/machine.md has a row without a check");
}
