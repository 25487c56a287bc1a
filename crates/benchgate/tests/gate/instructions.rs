//! Instructions of everything that is measured, where the policy has them counted, with a valgrind that counts nothing.

use crate::fakes::may_run;
use crate::support::{Ran, Repo};

/// Says that the base runs 1000 instructions an iteration and the head `$HEAD`, and notes whose it says.
const VALGRIND: &str = r#"#!/bin/sh
if [ "$1" = --version ]; then echo valgrind-0; exit; fi
side=base
count=1000
for word; do
    case $word in
        --callgrind-out-file=*) out=${word#*=} ;;
        */head/*) side=head count=$(cat "$FAKE_LOG.head") ;;
    esac
done
echo "$side" >>"$FAKE_LOG.counted"
cat >"$out" <<END
positions: line
events: Ir
fn=(1) main
cfn=(2) criterion::bencher::Bencher<M>::iter
calls=1 0
0 $count
END
"#;

/// A repository whose head is as fast as its base; `policy` is the value of `[gate] instructions`.
fn repo(policy: &str) -> Repo {
    let repo = Repo::empty();
    repo.policy(&format!("[gate]\ninstructions = \"{policy}\"\n"));
    repo.suite("speed", &["a|1000|"]);
    repo.commit("first");
    repo.commit("second");
    let valgrind = repo.outside("log/valgrind");
    std::fs::write(&valgrind, VALGRIND).unwrap();
    may_run(&valgrind);
    repo
}

fn check(repo: &Repo, of_head: u32, arguments: &[&str]) -> Ran {
    std::fs::write(repo.outside("log/rounds.head"), of_head.to_string()).unwrap();
    let path = format!("{}:{}", repo.outside("log").display(), std::env::var("PATH").unwrap());
    let mut command = repo.command(&[&["check"], arguments].concat());
    command.env("PATH", path);
    Ran::of(command)
}

/// The sides that were counted, one a process.
fn counted(repo: &Repo) -> String {
    std::fs::read_to_string(repo.outside("log/rounds.counted")).unwrap_or_default()
}

#[test]
fn more_instructions_are_a_note_where_the_policy_says_so_and_not_counted_where_it_does_not() {
    let noted = repo("note");
    let ran = check(&noted, 1006, &[]).expect(0);
    assert_eq!(noted.findings(), ["a: note"]);
    assert!(
        ran.stdout.contains("+0.60 % instructions per iteration; of the time: "),
        "{}",
        ran.stdout
    );
    let header = ran.stdout.lines().find(|line| line.starts_with(" finding")).unwrap();
    assert!(header.ends_with("instructions"), "{header}");
    let path = noted.path("target/benchgate/result.json");
    noted.benchgate(&["report", &path.to_string_lossy()]).expect(0);
    let evidence = repo("evidence");
    check(&evidence, 1500, &[]).expect(0);
    assert_eq!(
        (evidence.findings(), counted(&evidence)),
        (vec!["a: unchanged".to_owned()], String::new())
    );
}

#[test]
fn more_instructions_are_red_where_the_policy_has_them_fail() {
    for (of_head, exit, finding) in [(1060, 0, "a: warning"), (1120, 100, "a: critical")] {
        let repo = repo("fail");
        check(&repo, of_head, &[]).expect(exit);
        assert_eq!(repo.findings(), [finding]);
    }
}

#[test]
fn instructions_are_counted_again_in_each_run() {
    let repo = repo("note");
    // What a run reads may be another thing now, whatever the commit: data that no commit has, a variable.
    for runs in 1..=2 {
        check(&repo, 1000, &[]).expect(0);
        // Each count is made twice.
        assert_eq!(counted(&repo), "base\nbase\nhead\nhead\n".repeat(runs));
    }
}
