//! What runs of the base were observed to read counts as read, whatever names it: rows of the table of mutations that need
//! real processes.
//!
//! The table of what follows from an observation is `crates/benchgate-core/src/affected/mutations.rs`.

use crate::support::{Ran, Repo};

/// Whether this file system notes what is read; says so where it does not.
fn notes_reads() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "1").unwrap();
    let touch = ["-a", "-t", "200109090000"];
    assert!(std::process::Command::new("touch").args(touch).arg(&file).status().unwrap().success());
    let accessed = || file.metadata().unwrap().accessed().unwrap();
    let before = accessed();
    std::fs::read(&file).unwrap();
    let notes = accessed() != before;
    if !notes {
        eprintln!("skipped: this file system notes no reads (`noatime`)");
    }
    notes
}

/// A repository of which the base's suite reads `key.md` in some way, by a path that no string has, and was observed.
fn observed(speed: &str) -> Repo {
    let repo = Repo::empty();
    repo.write("pages/key.md", "1000");
    repo.write("pages/other.md", "words");
    repo.write("pages/deep/other.md", "words");
    repo.suite("speed", &[&format!("a|{speed}|")]);
    repo.git(&["add", "--all"]);
    std::fs::create_dir(repo.path("more")).unwrap();
    std::os::unix::fs::symlink("../pages/key.md", repo.path("more/link.md")).unwrap();
    repo.commit("first");
    observe(&repo);
    repo
}

/// Measures the base with itself.
fn observe(repo: &Repo) {
    repo.benchgate(&["check", "--base", "HEAD", "--pairs", "8"]).expect(0);
}

fn explained(repo: &Repo) -> (String, String) {
    let ran = repo.plain(&["check", "--explain-affected"]).expect(0);
    (ran.stdout, ran.stderr)
}

/// Commits a change of one file, after the commit that was observed.
fn change(repo: &Repo, path: &str, text: &str) {
    repo.write(path, text);
    repo.commit("change");
}

fn take_back(repo: &Repo) {
    repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
}

#[track_caller]
fn is_reached(repo: &Repo, row: &str) {
    let (said, _) = explained(repo);
    let reached = "which a run of the base was observed to read";
    assert!(said.contains(reached), "{row}: {said}");
}

#[track_caller]
fn is_measured(repo: &Repo, row: &str) {
    is_reached(repo, row);
    repo.plain(&["check", "--pairs", "8"]).expect(100);
    assert_eq!(repo.findings(), ["a: critical"], "{row}");
}

#[test]
fn a_file_that_no_string_names_is_measured_once_the_base_was_observed() {
    if !notes_reads() {
        return;
    }
    let key = "dm.yek/segap";
    for (way, path) in [
        ("file", key.to_owned()),
        ("late", key.to_owned()),
        ("child", key.to_owned()),
        ("proc", key.to_owned()),
        ("link", "dm.knil/erom".to_owned()),
        ("up", format!("{key}/../crs")),
        ("folder", "segap".to_owned()),
    ] {
        let is_folder = way == "folder";
        let repo = observed(&format!("<{way}:{path}"));
        // Its neutral twin is not built.
        change(&repo, "pages/deep/other.md", "more words");
        let (said, _) = explained(&repo);
        assert_eq!(
            said, "untouched: parser.speed: nothing that it is built from changed\n",
            "{way}"
        );
        take_back(&repo);
        // Another run may come to the next one.
        if way == "file" {
            change(&repo, "pages/other.md", "more words");
            is_reached(&repo, "the next one");
            take_back(&repo);
        }
        match is_folder {
            true => change(&repo, "pages/third.md", "words"),
            false => change(&repo, "pages/key.md", "1500"),
        }
        match way {
            "late" => is_measured(&repo, way),
            // What appears there, the source may read by its name alone: it starts a program.
            "folder" => assert!(explained(&repo).0.starts_with("reached"), "{way}"),
            _ => is_reached(&repo, way),
        }
        if way == "link" {
            take_back(&repo);
            std::fs::remove_file(repo.path("more/link.md")).unwrap();
            change(&repo, "more/link.md", "1500");
            is_reached(&repo, "another link");
        }
    }
}

#[test]
fn a_named_file_that_no_run_reads_needs_no_build_once_all_was_observed() {
    if !notes_reads() {
        return;
    }
    let repo = Repo::empty();
    repo.suite("speed", &["a|1000|", "b|1000|"]);
    repo.write("src/lib.rs", "pub fn f() -> &'static str { \"docs\" }");
    repo.write("docs/page.md", "words");
    repo.commit("first");
    let page = |text: &str| change(&repo, "docs/page.md", text);
    let reached = "reached: parser.speed: `docs/page.md` changed, which a bench may read: a string in `src/lib.rs` names it\n";

    page("other words");
    let (said, more) = explained(&repo);
    assert_eq!(said, reached);
    assert!(more.contains("  read: by names: nothing of it is kept in the store\n"), "{more}");
    take_back(&repo);

    // A part of the benchmarks does not say what the others read.
    repo.benchgate(&["check", "--base", "HEAD", "--pairs", "8", "--filter", "a"]).expect(0);
    page("other words");
    let (said, more) = explained(&repo);
    assert_eq!(said, reached);
    assert!(more.contains("  read: by names: not every benchmark of it was observed"), "{more}");
    take_back(&repo);

    observe(&repo);
    page("other words");
    let (said, more) = explained(&repo);
    assert_eq!(said, "untouched: parser.speed: nothing that it is built from changed\n");
    assert!(more.contains("  read: observed\n"), "{more}");
    repo.plain(&["check"]).expect(0);
    let reads = &repo.result()["reads"];
    assert_eq!(reads[0]["suite"], "speed");
    assert_eq!(reads[0]["way"], "observed");
    // One that is new was not looked for, as far as anybody knows.
    change(&repo, "docs/new.md", "words");
    repo.git(&["reset", "--quiet", "--soft", "HEAD~2"]);
    repo.commit("both");
    assert!(explained(&repo).0.contains("`docs/new.md` changed, which a bench may read"));
    // Nor does the base of another machine, or of nobody, say anything.
    std::fs::remove_dir_all(repo.outside("cache")).unwrap();
    assert!(explained(&repo).0.starts_with("reached: "));
    repo.plain(&["check"]).expect(0);
    assert_eq!(repo.result()["reads"][0]["way"], "names");
}

#[test]
fn what_the_head_reads_while_it_is_asked_counts_in_its_first_run() {
    if !notes_reads() {
        return;
    }
    let repo = Repo::empty();
    repo.write("pages/key.md", "1000");
    repo.write("pages/deep/other.md", "words");
    repo.suite("speed", &["a|<file:dm.yek/segap|"]);
    repo.commit("first");
    repo.write("src/lib.rs", "// words");
    change(&repo, "pages/deep/other.md", "more words");
    repo.plain(&["check"]).expect(0);
    assert_eq!(repo.findings(), ["a: identical"]);
    repo.write("src/lib.rs", "// more words");
    change(&repo, "pages/key.md", "1500");
    let ran = repo.plain(&["check", "--pairs", "8"]).expect(100);
    assert_eq!(repo.findings(), ["a: critical"]);
    let notice = "is the same machine code, but `pages/key.md` changed, which a bench may read";
    assert!(ran.stdout.contains(notice), "{}", ran.stdout);
}

#[test]
fn an_observation_that_is_not_as_it_was_written_says_nothing() {
    if !notes_reads() {
        return;
    }
    let repo = observed("<file:dm.yek/segap");
    change(&repo, "pages/key.md", "1500");
    assert!(explained(&repo).0.starts_with("reached: "));
    let kept = repo.outside("cache/benchgate/bases");
    let of_base = std::fs::read_dir(kept).unwrap().next().unwrap().unwrap().path();
    let path = of_base.join("parser.speed/observed.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("pages/key.md", "pages/kez.md")).unwrap();
    let (_, more) = explained(&repo);
    assert!(more.contains("  read: by names: no run of it was observed"), "{more}");
}

#[test]
fn what_was_observed_does_not_decide_where_a_variable_leads_elsewhere_now() {
    if !notes_reads() {
        return;
    }
    let repo = Repo::empty();
    repo.write("pages/key.md", "1000");
    repo.write("others/key.md", "1000");
    repo.suite("speed", &["a|$WHERE_DIR/key.md|"]);
    repo.commit("first");
    let said = |arguments: &[&str], folder: &str| {
        let mut command = repo.command(arguments);
        command.env("WHERE_DIR", folder).env("UNKNOWN_DIR", folder);
        Ran::of(command).expect(0).stdout
    };
    said(&["check", "--base", "HEAD", "--pairs", "8"], "pages");
    change(&repo, "others/key.md", "1500");
    let explain = ["check", "--explain-affected"];
    let untouched = "untouched: parser.speed: nothing that it is built from changed\n";
    assert_eq!(said(&explain, "pages"), untouched);
    let reached = said(&explain, "others");
    assert!(reached.starts_with("reached: parser.speed: `others/key.md` changed"), "{reached}");
}

/// A file outside of the checkout may say which one is read: nobody observes it.
#[test]
fn what_was_observed_does_not_decide_where_a_file_outside_is_another_one() {
    if !notes_reads() {
        return;
    }
    let repo = Repo::empty();
    let own = repo.outside("own");
    std::fs::create_dir(&own).unwrap();
    let configured = |text: &str| std::fs::write(own.join("own.toml"), text).unwrap();
    configured("page = \"docs/other.md\"");
    repo.edit_policy("[sandbox]\n", &format!("[sandbox]\nread = [{own:?}]\n"));
    repo.suite("speed", &["a|1000|"]);
    repo.write("src/lib.rs", "pub fn f() -> &'static str { \"docs\" }");
    repo.write("docs/page.md", "words");
    repo.commit("first");
    let explained_other = || {
        change(&repo, "docs/page.md", "other words");
        let explained = explained(&repo);
        take_back(&repo);
        explained
    };
    observe(&repo);
    assert!(explained_other().0.starts_with("untouched: "));
    configured("page = \"docs/page.md\"");
    let (said, more) = explained_other();
    assert!(said.starts_with("reached: parser.speed: `docs/page.md` changed"), "{said}");
    assert!(more.contains("  read: by names: a file outside of the checkout"), "{more}");
    configured("page = \"docs/other.md\"");
    assert!(explained_other().0.starts_with("untouched: "));
    // Observed again under the other one.
    configured("page = \"docs/page.md\"");
    observe(&repo);
    assert!(explained_other().0.starts_with("untouched: "));

    // What is out of the sandbox, or without one, may be any file.
    repo.edit_policy("[sandbox]\n", "[sandbox]\nenabled = false\n");
    repo.commit("no sandbox");
    observe(&repo);
    let (said, more) = explained_other();
    assert!(said.starts_with("reached: "), "{said}");
    assert!(more.contains("  read: by names: without a sandbox, any file"), "{more}");
}

/// With the sandbox a run cannot read the user's files, so they do not say what it reads: those of the home folder are in
/// `sandbox`.
#[test]
fn the_configuration_of_the_user_is_out_of_reach() {
    let repo = Repo::empty();
    let own = repo.outside("config");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join("own.toml"), "1500").unwrap();
    repo.suite("speed", &["a|$XDG_CONFIG_HOME/own.toml|"]);
    repo.commit("first");
    let mut command = repo.command(&["check", "--base", "HEAD", "--pairs", "8"]);
    command.env("XDG_CONFIG_HOME", &own);
    let ran = Ran::of(command).expect(101);
    assert!(ran.stdout.contains("PermissionDenied"), "{}", ran.stdout);
}
