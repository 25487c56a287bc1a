//! The stricter of two policies: an author chooses where a branch forks, and so the policy at that commit.

use super::{LayoutNotRuledOut, Limits, Policy};
use crate::model::BenchmarkKey;

impl Policy {
    /// The policy under which both hold: the lower limits, the rules of both, and only the exceptions that both
    /// make. How to build and to measure is this policy's.
    #[must_use]
    pub fn stricter(mut self, other: Self) -> Self {
        self.trailers &= other.trailers;
        self.sandbox.tighten(&other.sandbox);
        self.data.network &= other.data.network;
        for suite in &mut self.suites {
            let same = other.suites.iter().find(|same| same.key("") == suite.key(""));
            suite.sandbox.tighten(&same.map(|same| same.sandbox.clone()).unwrap_or_default());
        }
        self.removals_allowed &= other.removals_allowed;
        self.renames.retain(|entry| other.renames.contains(entry));
        self.waivers.retain(|entry| other.waivers.contains(entry));
        self.quarantines.retain(|entry| other.quarantines.contains(entry));
        for rule in &other.rules {
            if !self.rules.contains(rule) {
                self.rules.push(rule.clone());
            }
        }
        self.also = Some(Box::new(other));
        self
    }

    /// Returns what this policy says of something, unless there is another that says nothing: an exception of one alone
    /// is none.
    pub(super) fn of_both<'a>(
        &'a self,
        says: impl Fn(&'a Self) -> Option<&'a str>,
    ) -> Option<&'a str> {
        let also = self.also.as_deref();
        says(self).filter(|_| also.is_none_or(|other| says(other).is_some()))
    }

    /// The lower limits of both.
    pub(super) fn lowered(&self, limits: Limits, key: &BenchmarkKey) -> Limits {
        let Some(other) = self.also.as_deref().map(|other| other.limits_for(key)) else {
            return limits;
        };
        let mut lowest = limits;
        let sizes = &mut lowest.thresholds;
        sizes.note = sizes.note.min(other.thresholds.note);
        sizes.warning = sizes.warning.min(other.thresholds.warning);
        sizes.critical = sizes.critical.min(other.thresholds.critical);
        lowest.floor_ns = lowest.floor_ns.min(other.floor_ns);
        lowest.fail_on = lowest.fail_on.min(other.fail_on);
        lowest.sensitive |= other.sensitive;
        if other.layout_not_ruled_out == LayoutNotRuledOut::Fail {
            lowest.layout_not_ruled_out = LayoutNotRuledOut::Fail;
        }
        lowest.more_instructions = lowest.more_instructions.max(other.more_instructions);
        lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Level;
    use crate::policy::{MoreInstructions, Reach};

    fn policy(text: &str) -> Policy {
        Policy::parse(text).unwrap()
    }

    fn key() -> BenchmarkKey {
        BenchmarkKey::new("parser", "speed", "decode/a")
    }

    #[test]
    fn the_lower_limit_of_each_level_holds_whichever_policy_it_is_in() {
        let forked = "[thresholds]\nnote = 1\nwarning = 20\ncritical = 40\nfloor-ns = 1\n";
        let tip = "[gate]\nfail-on = \"warning\"\n[[override]]\nbenchmark = \"decode/*\"\ncritical = 30\n";
        for (first, second) in [(forked, tip), (tip, forked)] {
            let limits = policy(first).stricter(policy(second)).limits_for(&key());
            let sizes = limits.thresholds;
            assert_eq!((sizes.note, sizes.warning, sizes.critical), (0.01, 0.05, 0.30));
            assert_eq!((limits.floor_ns, limits.fail_on), (0.25, Level::Warning));
        }
    }

    #[test]
    fn a_layout_that_is_not_ruled_out_fails_where_one_of_them_says_so() {
        let fail = "[gate]\nlayout-not-ruled-out = \"fail\"\n";
        let of = |first: &str, second: &str| {
            policy(first).stricter(policy(second)).limits_for(&key()).layout_not_ruled_out
        };
        assert_eq!(of(fail, ""), LayoutNotRuledOut::Fail);
        assert_eq!(of("", fail), LayoutNotRuledOut::Fail);
        assert_eq!(of("", ""), LayoutNotRuledOut::Inconclusive);
    }

    #[test]
    fn instructions_count_as_much_as_the_stricter_one_says() {
        let of = |first: &str, second: &str| {
            let policy = |value: &str| policy(&format!("[gate]\ninstructions = \"{value}\"\n"));
            policy(first).stricter(policy(second)).limits_for(&key()).more_instructions
        };
        assert_eq!(of("fail", "evidence"), MoreInstructions::Fail);
        assert_eq!(of("evidence", "note"), MoreInstructions::Note);
    }

    #[test]
    fn an_exception_that_one_of_them_makes_is_none() {
        let exceptions = "\
            [gate]\ntrailers = true\nremovals = true\n\
            [[skip]]\nbenchmark = \"decode/*\"\nreason = \"slow\"\n\
            [[removed]]\nbenchmark = \"decode/*\"\nreason = \"gone\"\n\
            [[waiver]]\nbenchmark = \"decode/*\"\nceiling = 20\nuntil = 2999-01-01\nissue = \"#1\"\nreason = \"r\"\n\
            [[quarantine]]\nbenchmark = \"decode/*\"\nuntil = 2999-01-01\nissue = \"#1\"\nreason = \"r\"\n";
        let both = policy(exceptions).stricter(policy(exceptions));
        assert_eq!(both.skip_reason(&key()), Some("slow"));
        assert_eq!(both.removal_reason(&key()), Some("gone"));
        assert_eq!((both.waivers.len(), both.quarantines.len()), (1, 1));
        assert!(both.trailers && both.removals_allowed);
        let moved = policy(exceptions).stricter(policy(&format!("# A line above.\n{exceptions}")));
        assert_eq!((moved.waivers.len(), moved.quarantines.len()), (1, 1));
        for (first, second) in [(exceptions, ""), ("", exceptions)] {
            let one = policy(first).stricter(policy(second));
            assert_eq!(one.skip_reason(&key()), None);
            assert_eq!(one.removal_reason(&key()), None);
            assert_eq!((one.waivers.len(), one.quarantines.len()), (0, 0));
            assert!(!one.trailers && !one.removals_allowed);
        }
    }

    #[test]
    fn a_suite_that_one_of_them_leaves_out_is_measured() {
        let skip = "[[skip]]\nbenchmark = \"*\"\nsuite = \"speed\"\nreason = \"slow\"\n";
        let both = policy(skip).stricter(policy(skip));
        assert_eq!(both.suite_skip_reason("parser", "speed"), Some("slow"));
        assert_eq!(policy(skip).stricter(policy("")).suite_skip_reason("parser", "speed"), None);
    }

    #[test]
    fn the_sandbox_allows_what_both_allow() {
        let open = "[sandbox]\nenabled = false\nnetwork = true\nread = [\"/a\", \"b\"]\nwrite = [\"c\"]\n\
             variables = [\"A\", \"B\"]\n";
        let narrow = "[sandbox]\nread = [\"b\"]\nvariables = [\"B\"]\n";
        for (first, second) in [(open, narrow), (narrow, open)] {
            let sandbox = policy(first).stricter(policy(second)).sandbox;
            assert_eq!(sandbox, policy(narrow).sandbox);
        }
        assert_eq!(policy(open).stricter(policy(open)).sandbox, policy(open).sandbox);
    }

    #[test]
    fn a_suite_may_reach_what_both_let_it_reach() {
        let suite = "[[suite]]\nname = \"a\"\nharness = \"counts\"\nrun = [\"./a\"]\n";
        let open = format!("{suite}sandbox = {{ network = true, write = [\"~/a\", \"b\"] }}\n");
        let narrow = format!("{suite}sandbox = {{ network = true, write = [\"b\"] }}\n");
        let reach = |first: &str, second: &str| {
            policy(first).stricter(policy(second)).suites.remove(0).sandbox
        };
        assert_eq!(reach(&open, &narrow), policy(&narrow).suites[0].sandbox);
        assert_eq!(reach(&open, &open), policy(&open).suites[0].sandbox);
        assert_eq!(reach(&open, suite), Reach::default());
        assert_eq!(reach(&open, ""), Reach::default());
    }

    #[test]
    fn the_command_of_data_has_the_network_that_both_give_it() {
        let data = "[data]\npaths = [\"a\"]\ncommand = [\"./get\"]\n";
        let open = format!("{data}network = true\n");
        let has_network =
            |first: &str, second: &str| policy(first).stricter(policy(second)).data.network;
        assert!(has_network(&open, &open));
        assert!(!has_network(&open, data) && !has_network(data, &open) && !has_network(&open, ""));
    }

    #[test]
    fn the_rules_of_both_hold_and_a_common_one_once() {
        let rule = |share: &str| {
            format!("[[rule]]\nbenchmark = \"a\"\nshare = {share}\nof = \"b\"\nreason = \"r\"\n")
        };
        let both =
            policy(&rule("0.5")).stricter(policy(&format!("{}{}", rule("0.5"), rule("0.4"))));
        assert_eq!(both.rules.len(), 2);
    }
}
