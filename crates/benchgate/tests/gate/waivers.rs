//! Waivers, trailers and quarantines; and that a change cannot accept itself.

use crate::support::Repo;

const TERM: &str = "until = 2999-12-31\nissue = \"#7\"\nreason = \"bounds are checked\"";
const OVER: &str = "until = 2020-12-31\nissue = \"#7\"\nreason = \"bounds are checked\"";
const TRAILERS: &str = "[gate]\ntrailers = true";
const CHECK: [&str; 3] = ["check", "--pairs", "8"];

fn waiver(ceiling: u32) -> String {
    format!("[[waiver]]\nbenchmark = \"decode\"\nceiling = {ceiling}\n{TERM}")
}

/// A repository whose base has this policy.
fn repo(policy: &str) -> Repo {
    let repo = Repo::new(&["decode|1000|", "encode|50|"]);
    repo.policy(policy);
    repo.commit("policy");
    repo
}

/// Makes `decode` 20 % slower.
fn slow_down(repo: &Repo) {
    repo.suite("speed", &["decode|1200|", "encode|50|"]);
}

/// Source, state and benchmark of each waiver of the result.
fn waivers(repo: &Repo) -> Vec<String> {
    repo.result()["waivers"]["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| format!("{} {} {}", w["source"], w["state"], w["benchmark"]).replace('"', ""))
        .collect()
}

fn notices(repo: &Repo) -> String {
    repo.result()["notices"].to_string()
}

#[test]
fn a_waiver_of_the_base_makes_a_slowdown_within_its_ceiling_green_and_visible() {
    let repo = repo(&waiver(25));
    slow_down(&repo);
    repo.commit("slower");
    let ran = repo.benchgate(&CHECK).expect(0);
    assert_eq!(repo.findings(), ["decode: waived", "encode: unchanged"]);
    assert_eq!(waivers(&repo), ["waiver honoured decode"]);
    let benchmark = &repo.result()["benchmarks"][0];
    assert_eq!(benchmark["waiver"]["finding"], "critical");
    assert_eq!(benchmark["waiver"]["until"], "2999-12-31");
    assert_eq!(
        benchmark["evidence"]["rounds"]["head"].as_array().unwrap().len(),
        8,
        "still measured"
    );
    let expected = "decode: critical, accepted up to 25% by the waiver until 2999-12-31 (bounds are checked; \
                #7)";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    assert!(ran.stdout.contains("nothing proven slower beyond what is accepted"), "{}", ran.stdout);
    let report = std::fs::read_to_string(repo.path("target/benchgate/report.md")).unwrap();
    assert!(report.contains("| 🤝 waived | `decode` |"), "{report}");
}

#[test]
fn a_slowdown_beyond_the_ceiling_is_red_and_says_by_how_much_and_what_to_paste() {
    let repo = repo(&[&waiver(15), TRAILERS].join("\n"));
    slow_down(&repo);
    repo.commit("slower");
    let ran = repo.benchgate(&CHECK).expect(100);
    assert_eq!(repo.findings(), ["decode: critical", "encode: unchanged"]);
    assert!(ran.stdout.contains("beyond the 15% that the waiver until 2999-12-31 accepts"));
    let line = "Benchgate-Accept: decode <= 21% <why>";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    // The line does what it says once it has a reason.
    repo.commit(&format!("slower, on purpose\n\n{}", line.replace("<why>", "safer")));
    repo.benchgate(&["check", "--base", "HEAD~2", "--pairs", "8"]).expect(0);
    assert_eq!(waivers(&repo), ["waiver unneeded decode", "trailer honoured decode"]);
}

#[test]
fn an_expired_waiver_has_no_effect_and_the_report_says_so() {
    let repo = repo(&waiver(25).replace(TERM, OVER));
    slow_down(&repo);
    repo.commit("slower");
    let ran = repo.benchgate(&CHECK).expect(100);
    assert_eq!(waivers(&repo), ["waiver expired decode"]);
    assert!(
        ran.stdout.contains("its waiver expired: it was valid until 2020-12-31"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_waiver_for_no_benchmark_is_incomplete_until_the_change_removes_it() {
    let repo = repo(&waiver(25).replace("decode", "gone/*"));
    repo.commit("next");
    let ran = repo.benchgate(&CHECK).expect(101);
    assert!(
        ran.stdout
            .contains("waiver unmatched: gone/* up to 25%, until 2999-12-31, matches no benchmark"),
        "{}",
        ran.stdout
    );
    // The base still holds it, and this change is how it goes.
    repo.policy("");
    repo.commit("take the waiver out");
    repo.benchgate(&CHECK).expect(0);
    assert_eq!(waivers(&repo), ["waiver dropped gone/*"]);
}

#[test]
fn a_benchmark_that_the_change_deletes_is_missing_and_its_waiver_is_explained() {
    let repo = repo(&waiver(25));
    repo.suite("speed", &["encode|50|"]);
    repo.commit("decode is gone");
    repo.benchgate(&CHECK).expect(101);
    assert_eq!(repo.findings(), ["decode: missing", "encode: unchanged"]);
    assert_eq!(waivers(&repo), ["waiver unneeded decode"]);
}

#[test]
fn a_trailer_is_honoured_up_to_its_ceiling_and_shown_with_its_commit() {
    let repo = repo(TRAILERS);
    slow_down(&repo);
    repo.commit("slower\n\nBenchgate-Accept: dec* <= 21% bounds are checked");
    let commit = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let ran = repo.benchgate(&CHECK).expect(0);
    assert_eq!(repo.findings(), ["decode: waived", "encode: unchanged"]);
    assert_eq!(repo.result()["benchmarks"][0]["waiver"]["commit"], commit.as_str());
    let expected = format!("accepted up to 21% by commit {} (bounds are checked)", &commit[..10]);
    assert!(ran.stdout.contains(&expected), "{}", ran.stdout);

    repo.git(&["commit", "--quiet", "--amend", "-m", "slower\n\nBenchgate-Accept: dec* <= 19% no"]);
    repo.benchgate(&CHECK).expect(100);
    assert_eq!(waivers(&repo), ["trailer exceeded dec*"]);
    // One of the base's own commits says nothing about this change.
    repo.git(&["commit", "--quiet", "--amend", "-m", "slower\n\nBenchgate-Accept: dec* <= 99% no"]);
    repo.suite("speed", &["decode|1500|", "encode|50|"]);
    repo.commit("slower still");
    repo.benchgate(&CHECK).expect(100);
    assert_eq!(waivers(&repo), Vec::<String>::new());
}

#[test]
fn a_malformed_trailer_is_named_and_not_honoured() {
    let repo = repo(TRAILERS);
    slow_down(&repo);
    repo.commit("slower\n\nBenchgate-Accept: decode <= 21");
    repo.benchgate(&CHECK).expect(100);
    assert!(notices(&repo).contains("is not honoured: it holds no ceiling"), "{}", notices(&repo));
}

#[test]
fn a_quarantined_benchmark_is_shown_and_decides_nothing_until_the_quarantine_ends() {
    let quarantine = format!("[[quarantine]]\nbenchmark = \"decode\"\n{TERM}");
    let repo = repo(&quarantine);
    slow_down(&repo);
    repo.commit("slower");
    let ran = repo.benchgate(&CHECK).expect(0);
    assert_eq!(repo.findings(), ["decode: critical", "encode: unchanged"]);
    assert!(ran.stdout.contains("decode: in quarantine until 2999-12-31"), "{}", ran.stdout);

    repo.policy(&quarantine.replace(TERM, OVER));
    repo.commit("the quarantine ended");
    repo.suite("speed", &["decode|1500|", "encode|50|"]);
    repo.commit("slower still");
    let ran = repo.benchgate(&CHECK).expect(100);
    assert!(ran.stdout.contains("its quarantine expired"), "{}", ran.stdout);
}

#[test]
fn a_change_that_makes_itself_green_in_its_own_policy_stays_red() {
    let forgiving = [
        waiver(99),
        format!("[[quarantine]]\nbenchmark = \"*\"\n{TERM}"),
        "[thresholds]\ncritical = 900".to_owned(),
        "[[override]]\nbenchmark = \"decode\"\ncritical = 900".to_owned(),
        "[[skip]]\nbenchmark = \"decode\"\nreason = \"slow\"".to_owned(),
        TRAILERS.to_owned(),
    ];
    let repo = repo("");
    slow_down(&repo);
    for policy in forgiving {
        repo.policy(&policy);
        repo.commit("slower\n\nBenchgate-Accept: * <= 99% trust me");
        repo.benchgate(&["check", "--base", "HEAD^", "--pairs", "8"]).expect(100);
        assert_eq!(repo.findings(), ["decode: critical", "encode: unchanged"], "{policy}");
        assert!(notices(&repo).contains("the base's holds for this run"), "{}", notices(&repo));
        assert!(notices(&repo).contains("has no `[gate] trailers = true`"), "{}", notices(&repo));
        repo.git(&["reset", "--quiet", "--soft", "HEAD^"]);
    }
}

#[test]
fn a_change_that_lowers_what_fails_the_gate_is_judged_by_what_failed_before() {
    let repo = repo("[gate]\nfail-on = \"warning\"");
    repo.suite("speed", &["decode|1070|", "encode|50|"]);
    repo.policy("[gate]\nfail-on = \"critical\"");
    repo.commit("slower by a warning, and a policy that lets warnings through");
    repo.benchgate(&CHECK).expect(100);
    assert_eq!(repo.findings(), ["decode: warning", "encode: unchanged"]);
}

#[test]
fn a_change_that_raises_the_ceiling_of_a_waiver_is_judged_by_the_old_one() {
    let repo = repo(&waiver(15));
    slow_down(&repo);
    repo.policy(&waiver(50));
    repo.commit("slower, and a higher ceiling");
    let ran = repo.benchgate(&CHECK).expect(100);
    assert!(ran.stdout.contains("beyond the 15%"), "{}", ran.stdout);
}

#[test]
fn a_change_that_rewrites_the_baseline_is_judged_by_the_committed_one() {
    let repo = repo("");
    repo.benchgate(&["baseline", "save", "--machine", "workshop"]).expect(0);
    repo.commit("baseline");
    slow_down(&repo);
    let path = "baselines/workshop/parser.speed.json";
    let text = std::fs::read_to_string(repo.path(path)).unwrap();
    repo.write(path, &text.replace("1000.0", "1200.0"));
    repo.commit("slower, with a baseline that hides it");
    repo.benchgate(&["check", "--baseline", "--machine", "workshop"]).expect(100);
    repo.benchgate(&CHECK).expect(100);
}

#[test]
fn a_policy_of_the_head_that_cannot_be_followed_is_an_error_before_it_is_merged() {
    let repo = repo("");
    repo.policy("[[waiver]]\nbenchmark = \"decode\"\nceiling = 5");
    repo.commit("a waiver without an end");
    let ran = repo.benchgate(&CHECK).expect(2);
    assert!(
        ran.stderr.contains("benchgate.toml of the head:1:1: missing field `until`"),
        "{}",
        ran.stderr
    );
    assert!(repo.log().is_empty());
}

#[test]
fn a_sensitive_benchmark_warns_at_two_percent_and_can_be_checked_alone() {
    let repo = repo("[[override]]\nbenchmark = \"decode\"\nsensitive = true");
    repo.suite("speed", &["decode|1030|", "encode|51.5|"]);
    repo.commit("both 3 % slower");
    repo.benchgate(&CHECK).expect(0);
    assert_eq!(repo.findings(), ["decode: warning", "encode: note"]);

    std::fs::remove_file(repo.outside("log/rounds")).unwrap();
    repo.benchgate(&["check", "--sensitive", "--pairs", "8"]).expect(0);
    let result = repo.result();
    assert_eq!(repo.findings(), ["decode: warning", "encode: skipped"]);
    assert_eq!(result["benchmarks"][1]["reason"], "left out by --sensitive");
    assert!(result["reproduce"].as_str().unwrap().contains(" --sensitive "));
    let rounds =
        |of: &str| result["benchmarks"][0]["evidence"][of]["base"].as_array().map_or(0, Vec::len);
    let pairs = rounds("rounds") + rounds("confirmation");
    assert_eq!(repo.log().len(), 2 * pairs, "nothing else was run");
}
