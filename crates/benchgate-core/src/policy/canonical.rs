//! Policies as text, of which the host makes digests: two runs are of one policy if the text is the same. It is of one
//! version of benchgate, and nothing reads it back.

use super::{Build, Measure, Policy};
use crate::json::one_line;

/// About the length of the text of a policy.
const CAPACITY: usize = 1_024;

impl Policy {
    /// Returns the text of everything that decides. How benchmarks are measured and built is not in it: the command line
    /// gives it too, and [`how`](Self::how) has it.
    pub fn deciding(&self) -> String {
        let mut deciding = self.clone();
        deciding.measure = Measure::default();
        let Build { runtime, features, default_features, all_features, .. } = &mut deciding.build;
        let of_default = Self::default().build;
        *runtime = of_default.runtime;
        *features = of_default.features;
        *default_features = of_default.default_features;
        *all_features = of_default.all_features;
        one_line(&deciding, CAPACITY)
    }

    /// Returns the text of how benchmarks are measured and built.
    pub fn how(&self) -> String {
        one_line(&(&self.measure, &self.build), CAPACITY)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn parsed(text: &str) -> Policy {
        Policy::parse(text).unwrap()
    }

    #[test]
    fn every_part_of_a_policy_that_decides_changes_its_text() {
        let reason = "reason = \"r\"";
        let term = "until = 2026-12-31\nissue = \"#1\"";
        let mut texts: Vec<String> = [
            String::new(),
            "[thresholds]\ncritical = 15".to_owned(),
            "[gate]\nfail-on = \"note\"".to_owned(),
            "[gate]\ntrailers = true".to_owned(),
            "[build]\nlayouts = 0".to_owned(),
            "[build]\nbefore = [\"./gen\"]".to_owned(),
            "[data]\npaths = [\"data\"]".to_owned(),
            "[sandbox]\nnetwork = true".to_owned(),
            format!("[[skip]]\nbenchmark = \"a\"\n{reason}"),
            format!("[[skip]]\nbenchmark = \"b\"\n{reason}"),
            format!("[[skip]]\nsuite = \"b\"\n{reason}"),
            format!("[[skip]]\npackage = \"b\"\n{reason}"),
            format!("[[waiver]]\nbenchmark = \"a\"\nceiling = 13\n{term}\n{reason}"),
            format!("[[waiver]]\nbenchmark = \"a\"\nceiling = 14\n{term}\n{reason}"),
            format!("[[quarantine]]\nbenchmark = \"a\"\n{term}\n{reason}"),
            "[[override]]\nbenchmark = \"a\"\nnote = 1".to_owned(),
            "[[override]]\nbenchmark = \"a\"\nsensitive = true".to_owned(),
            "[[rename]]\nfrom = \"a\"\nto = \"b\"".to_owned(),
        ]
        .iter()
        .map(|text| parsed(text).deciding())
        .collect();
        texts.push(Policy::default().stricter(parsed("[thresholds]\ncritical = 9")).deciding());
        let number = texts.len();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), number);
        assert!(texts.iter().all(|text| text.len() > 100), "{texts:?}");
    }

    #[test]
    fn how_it_is_measured_decides_nothing_and_has_a_text_of_its_own() {
        let policy = parsed("");
        let mut other = policy.clone();
        other.measure.measurement = Duration::from_millis(11);
        other.build.features.push("simd".to_owned());
        assert_eq!(policy.deciding(), other.deciding());
        assert_ne!(policy.how(), other.how());
        insta::assert_snapshot!(
            policy.how(),
            @r#"[{"pairs":60,"rounds":15,"sample-size":10,"warm-up":"2ms","measurement":"10ms","timeout":"2m","memory":"auto"},{"profile":"gate","align":true,"layouts":30,"runtime":"lockstep","features":[],"default-features":true,"all-features":false,"before":[]}]"#
        );
    }
}
