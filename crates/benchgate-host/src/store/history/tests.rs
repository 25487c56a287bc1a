use std::path::Path;
use std::process::Command;

use super::*;

fn git(folder: &Path, arguments: &[&str]) {
    let done = Command::new("git").current_dir(folder).args(arguments).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// A remote in a folder, and this many clones of it.
fn world(clones: usize) -> (tempfile::TempDir, Vec<Repository>) {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "--quiet", "--bare", "remote"]);
    let repositories = (0..clones)
        .map(|number| {
            let name = format!("clone-{number}");
            git(folder.path(), &["clone", "--quiet", "remote", &name]);
            Repository::around(&folder.path().join(name)).unwrap()
        })
        .collect();
    (folder, repositories)
}

fn record(number: usize, month: &str) -> Record {
    let text = format!(
        r#"{{"schema":"benchgate.history/1","commit":"{number:040x}","base":"{:040x}","time":"{month}-01T00:00:00Z",
            "machine":"m","kernel":"k","rustc":"r","version":"v","metrics":[],"identical":[],"suites":[]}}"#,
        number + 1
    );
    Record::read(text.as_bytes()).unwrap()
}

fn commits(branch: &Branch<'_>) -> Vec<String> {
    let stored = branch.read().unwrap();
    assert_eq!(stored.unreadable, Vec::<String>::new());
    let mut commits: Vec<String> = stored.records.into_iter().map(|record| record.commit).collect();
    commits.sort();
    commits
}

#[test]
fn writers_at_once_lose_nothing() {
    const WRITERS: usize = 4;
    const RECORDS: usize = 5;
    let (_folder, repositories) = world(WRITERS);
    std::thread::scope(|scope| {
        for (writer, repository) in repositories.iter().enumerate() {
            scope.spawn(move || {
                for number in 0..RECORDS {
                    let branch = Branch::of(repository, Some("origin"));
                    branch.append(&record(writer * RECORDS + number, "2026-01")).unwrap();
                }
            });
        }
    });
    let last = Branch::of(&repositories[0], Some("origin"));
    last.current_tip().unwrap();
    let all: Vec<String> = (0..WRITERS * RECORDS).map(|number| format!("{number:040x}")).collect();
    assert_eq!(commits(&last), all);
}

#[test]
fn a_record_that_is_there_is_not_added_again_and_a_branch_here_needs_no_remote() {
    let (_folder, repositories) = world(1);
    let branch = Branch::of(&repositories[0], None);
    assert_eq!(commits(&branch), Vec::<String>::new());
    for number in [1, 2, 1] {
        branch.append(&record(number, "2026-01")).unwrap();
    }
    assert_eq!(commits(&branch).len(), 2);
    let count = ["rev-list", "--count", BRANCH];
    assert_eq!(repositories[0].run("count", &count).unwrap(), "2");
}

#[test]
fn months_that_passed_are_one_file_each_and_nothing_is_lost() {
    let (_folder, repositories) = world(1);
    let branch = Branch::of(&repositories[0], None);
    for (number, month) in ["2026-01", "2026-01", "2026-02", "2026-03"].into_iter().enumerate() {
        branch.append(&record(number, month)).unwrap();
    }
    let before = commits(&branch);
    assert_eq!(branch.compact("2026-03").unwrap(), 3);
    assert_eq!(commits(&branch), before);
    let files = repositories[0].run("list", &["ls-tree", "-r", "--name-only", BRANCH]).unwrap();
    let files: Vec<&str> = files.lines().collect();
    assert_eq!(files[..2], ["months/2026-01.jsonl", "months/2026-02.jsonl"]);
    assert!(files.len() == 3 && files[2].starts_with("runs/2026-03/"), "{files:?}");
    // A late record of a month that was put together joins it.
    branch.append(&record(9, "2026-01")).unwrap();
    assert_eq!(branch.compact("2026-03").unwrap(), 1);
    assert_eq!(commits(&branch).len(), 5);
    assert_eq!(branch.compact("2026-03").unwrap(), 0);
}

#[test]
fn a_file_that_is_not_a_record_is_named_and_the_others_are_read() {
    let (_folder, repositories) = world(1);
    let branch = Branch::of(&repositories[0], None);
    branch.append(&record(1, "2026-01")).unwrap();
    let blob = branch.write_blob(b"{\"schema\":\"benchgate.history/99\"}\n").unwrap();
    let add = |_: Option<&str>, index: &PathBuf| {
        branch.add(index, "runs/2026-01/odd.json", &blob).map(|()| true)
    };
    branch.commit("odd", add).unwrap();
    let stored = branch.read().unwrap();
    assert_eq!(stored.records.len(), 1);
    assert!(
        stored.unreadable[0].starts_with("runs/2026-01/odd.json:1: "),
        "{:?}",
        stored.unreadable
    );
}

#[test]
fn a_run_of_230_benchmarks_takes_at_most_10_kilobytes_of_the_repository() {
    let result = include_bytes!("../../../../../docs/evidence/recorded/result.json");
    let result = benchgate_core::result::RunResult::from_json(result).unwrap();
    let record = Record::of(&result).unwrap();
    let benchmarks: usize = record.suites.iter().map(|suite| suite.benchmarks.len()).sum();
    assert!(benchmarks >= 230, "{benchmarks} benchmarks");
    let (_folder, repositories) = world(1);
    let blob = Branch::of(&repositories[0], None).write_blob(record.to_json().as_bytes()).unwrap();
    let mut size = repositories[0].command();
    size.args(["cat-file", "--batch-check=%(objectsize:disk)"]);
    let bytes = with_input(&mut size, format!("{blob}\n").into_bytes()).unwrap();
    let bytes: usize = std::str::from_utf8(&bytes).unwrap().trim().parse().unwrap();
    assert!(bytes <= 10_000 * benchmarks / 230, "{bytes} bytes of {benchmarks} benchmarks");
}
