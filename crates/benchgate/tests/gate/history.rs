//! The recorded history, as the page of a later result shows it.

use crate::support::{Ran, Repo};

const TITLE: &str = "Before this change";

/// The page of the last check, made again.
fn page(repo: &Repo) -> String {
    repo.plain(&["report", "target/benchgate/result.json", "--format", "html"]).expect(0).stdout
}

#[test]
fn a_page_shows_the_runs_that_led_to_its_base() {
    let repo = Repo::new(&["decode/large|1000|"]);
    for message in ["second", "third"] {
        repo.commit(message);
    }
    repo.suite("speed", &["decode/large|1200|"]);
    repo.commit("slower");
    repo.benchgate(&["check", "--base", "HEAD~", "--head", "HEAD"]).expect(100);
    assert!(!page(&repo).contains(TITLE), "nothing is recorded yet");

    let result = repo.result();
    let commits = repo.git(&["rev-list", "--reverse", "HEAD"]);
    let commits: Vec<&str> = commits.lines().collect();
    for pair in commits[..3].windows(2) {
        let mut earlier = result.clone();
        for (side, commit) in ["base", "head"].into_iter().zip(pair) {
            earlier[side]["commit"] = (*commit).into();
        }
        repo.write("target/earlier.json", &earlier.to_string());
        repo.plain(&["history", "append", "target/earlier.json"]).expect(0);
    }
    let page = page(&repo);
    assert_eq!(page.matches(TITLE).count(), 1);
    // Of the second run alone: the level of the first one is where the chain begins.
    assert!(page.contains("+20.0 % over 2 runs since 20"), "{page}");

    let elsewhere = Repo::new(&[]);
    let path = repo.path("target/benchgate/result.json");
    let ran = elsewhere.plain(&["report", path.to_str().unwrap(), "--format", "html"]).expect(0);
    assert!(!ran.stdout.contains(TITLE), "that repository does not have the commit");

    // A job that renders has no checkout at all.
    let mut alone = elsewhere.plain_command(&["history", "record", path.to_str().unwrap()]);
    alone.current_dir(elsewhere.outside(""));
    let record = Ran::of(alone).expect(0).stdout;
    let head = result["head"]["commit"].as_str().unwrap();
    assert!(record.contains(&format!(r#""commit":"{head}""#)), "{record}");
}
