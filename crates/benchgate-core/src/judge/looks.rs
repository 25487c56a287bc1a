//! When evidence is looked at, and how much error each look may spend.
//!
//! Looking again and again until something turns up finds something in pure noise. So the looks are
//! few and fixed before the first round, and each has its own share of the error.

/// Pairs after which the first measurement of a benchmark is looked at. Six is the fewest that can
/// rule a slowdown out at [`RULED_OUT_ERROR`]; every next look costs about half as much again, so that a
/// benchmark never pays much more than it needed.
pub const SCREENING_LOOKS: [usize; 7] = [6, 10, 15, 22, 30, 45, 60];

/// Chance, per look, of calling a benchmark unchanged whose slowdown is above the note threshold:
/// 2^-6 = 0.016 is the first power of a half below it.
pub const RULED_OUT_ERROR: f64 = 0.02;

/// Error of the bound that makes a candidate. It only chooses what is measured again, so it may be
/// generous: 0.011 lets one of ten pairs, or two of fifteen, disagree.
pub const CANDIDATE_ERROR: f64 = 0.011;

/// The same after the last pair, where the choice is between fresh pairs and leaving it open: they are
/// worth their time when it is more likely slower than not.
pub const LAST_CANDIDATE_ERROR: f64 = 0.1;

/// Error with which the next higher level must be ruled out before a candidate is settled early.
pub const NEXT_LEVEL_ERROR: f64 = 0.1;

/// Fresh pairs after which a candidate is looked at, and the share of the error that the look spends.
/// Fifteen fresh pairs let two disagree at half of [`RUN_ERROR`].
pub const CONFIRMATION_LOOKS: [(usize, f64); 4] =
    [(15, 0.5), (30, 0.25), (60, 0.125), (120, 0.125)];

/// The chance that a run of unchanged benchmarks is red, however many there are.
pub const RUN_ERROR: f64 = 0.01;

/// Error of each bound of the interval that is reported: with at most 0.016 on either side it holds
/// the true change in at least 95 of 100 cases, also after early stopping (held by simulation). Six
/// pairs still have an interval: 2^-6 = 0.0156.
pub const INTERVAL_ERROR: f64 = 0.016;

/// The share of [`RUN_ERROR`] that a look after this many fresh pairs spends. A look that was forced
/// in between, by a budget or a smaller number of pairs, spends what the next one would have.
pub fn confirmation_share(pairs: usize) -> f64 {
    let [.., (_, last)] = CONFIRMATION_LOOKS;
    CONFIRMATION_LOOKS.iter().find(|(at, _)| pairs <= *at).map_or(last, |(_, share)| *share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_looks_of_a_confirmation_spend_the_error_once() {
        let spent: f64 = CONFIRMATION_LOOKS.iter().map(|(_, share)| share).sum();
        assert_eq!(spent, 1.0);
        let shares = [1, 15, 16, 30, 60, 1000].map(confirmation_share);
        assert_eq!(shares, [0.5, 0.5, 0.25, 0.25, 0.125, 0.125]);
    }

    #[test]
    fn looks_come_in_order() {
        assert!(SCREENING_LOOKS.is_sorted());
        assert!(CONFIRMATION_LOOKS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
