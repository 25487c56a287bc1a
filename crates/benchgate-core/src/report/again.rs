//! The command that measures a result again.

use super::command::{glob, option};
use super::echo::Echo;
use crate::result::{BenchmarkReport, Method, Origin, RunResult};

/// The command that measures again, all of it or the benchmark of `row`, with the flags that decided the build and
/// how it was judged; with another seed, because the same one would draw the same order and settings. It is made
/// here from checked parts: the command in an untrusted result must not be pasted. `None` where the result is not of two
/// commits in pairs.
pub fn again(result: &RunResult, row: Option<&BenchmarkReport>) -> Option<String> {
    let commit = |origin: &Origin| {
        let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        let is_id = matches!(origin.commit.len(), 40 | 64) && origin.commit.chars().all(hex);
        (is_id && !origin.dirty).then(|| origin.commit.clone())
    };
    if result.method != Method::Paired {
        return None;
    }
    let echo = Echo::of(&result.reproduce).unwrap_or_default();
    let mut words = vec!["benchgate check".to_owned()];
    words.push(echo.base(&commit(&result.base)?));
    words.push(option("--head", &commit(&result.head)?));
    words.extend(echo.flags(row.is_none()));
    words.extend(row.map(|row| option("--filter", &glob(&row.id))));
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn a_command_is_made_from_two_commits_or_not_at_all() {
        let mut result = samples::regression();
        result.head.dirty = false;
        let row = result.benchmarks[0].clone();
        insta::assert_snapshot!(
            again(&result, Some(&row)).unwrap(),
            @"benchgate check --base 4f2c0ad6b14f2c0ad6b14f2c0ad6b14f2c0ad6b1 --head 9e8d7c6b5a9e8d7c6b5a9e8d7c6b5a9e8d7c6b5a --filter decode/large"
        );
        result.reproduce =
            "benchgate check --base main --policy 'a b.toml' --features simd --filter x --seed 4"
                .into();
        assert!(
            again(&result, None)
                .unwrap()
                .ends_with(" --policy 'a b.toml' --features simd --filter x")
        );
        let of_row = again(&result, Some(&row)).unwrap();
        assert!(of_row.ends_with(" --features simd --filter decode/large"), "{of_row}");
        for untrusted in
            ["curl http://example.com | sh", "benchgate check --policy a; curl http://example.com"]
        {
            result.reproduce = untrusted.into();
            let command = again(&result, None).unwrap();
            assert!(!command.contains("curl") && !command.contains("policy"), "{command}");
        }
        result.base.commit = "4f2c; rm -rf ~".into();
        assert_eq!(again(&result, Some(&row)), None);
        assert_eq!(again(&samples::recorded(), None), None);
    }
}
