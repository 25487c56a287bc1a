//! The commands of docs/ci.md, as each system starts them: in a clone of its own, with the variables that it sets.

use std::process::Command;

use crate::support::{Ran, Repo};

const PAGE: &str = include_str!("../../../../docs/ci.md");

/// The block of code below a heading.
fn block(heading: &str) -> &'static str {
    let (_, section) = PAGE.split_once(&format!("\n## {heading}\n")).unwrap();
    let (_, code) = section.split_once("```").unwrap();
    code.split_once('\n').unwrap().1.split_once("```").unwrap().0
}

/// The lines of `script:`, the value of `run:`, the text of `script: '…'`, or the block itself.
fn commands(heading: &str) -> String {
    let code = block(heading);
    let of_list: Vec<&str> = code.lines().filter_map(|line| line.strip_prefix("    - ")).collect();
    let of_run = code.lines().find_map(|line| line.trim().strip_prefix("run: "));
    let quoted = code.split_once("script: '").map(|(_, rest)| rest.split_once('\'').unwrap().0);
    match heading {
        "GitLab CI" => of_list.join("\n"),
        "Forgejo Actions" => of_run.unwrap().to_owned(),
        "Jenkins" => quoted.unwrap().to_owned(),
        _ => code.to_owned(),
    }
}

/// A benchmark of 1,000 ns, and a branch where it takes so long.
fn merge_request(speed: &str) -> Repo {
    let repo = Repo::new(&["a|1000|"]);
    repo.git(&["checkout", "--quiet", "-b", "change"]);
    repo.suite("speed", &[&format!("a|{speed}|")]);
    repo.commit("change");
    repo
}

fn run(heading: &str, repo: &Repo, variables: &[(&str, &str)]) -> Ran {
    let gate = repo.plain_command(&[]);
    let mut command: Command = Repo::starter("bash", &gate);
    let programs = std::path::Path::new(gate.get_program()).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    command
        .args(["-e", "-c", &commands(heading)])
        .env("PATH", path)
        .envs(variables.iter().copied());
    // `git config --global` is the user's.
    command.env("GIT_CONFIG_GLOBAL", repo.outside("gitconfig"));
    Ran::of(command)
}

/// Red and green, as the exit code has it, with the variables that name the two commits; `answer` is where the reader looks.
fn is_red_and_green(heading: &str, answer: impl Fn(&Repo, &Ran, &str)) {
    for (speed, code, verdict) in [("1500", 100, "regression"), ("1001", 0, "pass")] {
        let repo = merge_request(speed);
        let (base, head) = (repo.git(&["rev-parse", "main"]), repo.git(&["rev-parse", "HEAD"]));
        // As a multibranch pipeline has it.
        repo.git(&["update-ref", "refs/remotes/origin/main", "main"]);
        let folder = repo.path("").display().to_string();
        let variables = [
            ("CI_PROJECT_DIR", folder.as_str()),
            ("CI_MERGE_REQUEST_DIFF_BASE_SHA", base.trim()),
            ("CI_COMMIT_SHA", head.trim()),
            ("BASE", base.trim()),
            ("CHANGE_TARGET", "main"),
        ];
        let ran = run(heading, &repo, &variables).expect(code);
        assert_eq!(repo.result()["verdict"], verdict, "{heading}");
        assert_eq!(repo.result()["base"]["commit"], base.trim(), "{heading}");
        answer(&repo, &ran, verdict);
    }
}

fn junit(repo: &Repo, _: &Ran, verdict: &str) {
    let text = std::fs::read_to_string(repo.path("junit.xml")).unwrap();
    assert!(text.contains(&format!("name=\"verdict\" value=\"{verdict}\"")), "{text}");
    assert_eq!(text.contains("<failure"), verdict == "regression", "{text}");
}

#[test]
fn the_lines_for_gitlab_are_red_and_green_and_leave_junit() {
    is_red_and_green("GitLab CI", junit);
    assert!(block("GitLab CI").contains("exit_codes: [102]"), "inconclusive is a warning");
}

#[test]
fn the_line_for_forgejo_is_red_and_green() {
    is_red_and_green("Forgejo Actions", |_, _, _| ());
}

#[test]
fn the_line_for_jenkins_is_red_and_green_and_leaves_junit() {
    is_red_and_green("Jenkins", junit);
    assert!(block("Jenkins").contains("code == 102"), "inconclusive is unstable");
}

#[test]
fn the_line_for_any_system_is_red_and_green_and_leaves_json() {
    is_red_and_green("Any other", |repo, _, verdict| {
        let json = crate::support::json(&repo.path("result.json"));
        assert_eq!(json["verdict"], verdict);
        assert!(json["benchmarks"][0]["finding"].is_string());
    });
}
