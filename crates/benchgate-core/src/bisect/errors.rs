//! How the error of a search is shared out.
//!
//! A claim is a slowdown that is proven between two commits, and what is concluded from it. The first claim has half
//! of the error, the next one half of the rest, and so on: together they never spend more, however many slowdowns a
//! history has. Of each claim's share a third proves the slowdown, a third is for all decisions on the way to
//! its commit, and a third confirms that commit.

/// Decisions in addition to the halvings: commits that cannot be tested make the halves uneven. Where all can be, there
/// are none, and a search never builds more than it has halvings. Spending them on commits that stay undecided would
/// name 8,934 of the simulated culprits instead of 8,728, for up to four builds more (`lab bisect`).
pub(super) const SPARE: usize = 4;

/// The share of one claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Claim {
    share: f64,
}

impl Claim {
    /// The claim of this number, counted from zero.
    pub(super) fn of(error: f64, number: i32) -> Self {
        Self { share: error * 0.5_f64.powi(number.saturating_add(1)) }
    }

    /// To prove the slowdown.
    pub(super) fn proof(self) -> f64 {
        self.share / 3.0
    }

    /// For one decision among this number of commits.
    pub(super) fn decision(self, commits: usize) -> f64 {
        self.share / 3.0 / decisions(commits) as f64
    }

    /// To confirm the commit.
    pub(super) fn confirmation(self) -> f64 {
        self.share / 3.0
    }
}

/// The maximum number of decisions that are measured among this number of commits.
fn decisions(commits: usize) -> usize {
    levels(commits) + SPARE
}

/// Times that a list of commits can be halved, rounded up.
pub(super) fn levels(commits: usize) -> usize {
    commits.max(1).next_power_of_two().trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_claims_together_spend_the_error_once() {
        let spent: f64 = (0..200)
            .map(|number| Claim::of(0.01, number))
            .map(|claim| {
                claim.proof()
                    + claim.decision(1_000) * decisions(1_000) as f64
                    + claim.confirmation()
            })
            .sum();
        assert!(spent <= 0.01 + 1e-12 && spent > 0.0099, "{spent}");
    }

    #[test]
    fn a_thousand_commits_are_halved_ten_times() {
        let table = [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1_000, 10), (1_024, 10)];
        for (commits, expected) in table {
            assert_eq!(levels(commits), expected, "{commits}");
        }
    }
}
