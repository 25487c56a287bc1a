//! Narrows a slowdown down to the commits that it is between, by time or by instructions.

use std::collections::BTreeSet;

use super::{Search, Span};
use crate::bisect::errors::{SPARE, levels};
use crate::bisect::progress::Next;
use crate::model::Change;
use crate::result::BisectAnswer;

/// Commits without a value that are tried on the way to one slowdown, in addition to two for each halving.
const MOST_UNTESTABLE: usize = 16;

/// A slowdown of less than this is too few instructions to be sure that it is not the C library's.
const INSTRUCTIONS: f64 = 0.002;

/// The outcome of comparing a commit with both ends.
enum Decision {
    /// The step is at or before it: its size.
    Bad(f64),
    /// The step is after it: its size.
    Good(f64),
    /// Steps before and after it.
    Both(f64, f64),
    Undecided,
}

impl Decision {
    fn answer(&self) -> BisectAnswer {
        match self {
            Self::Bad(_) => BisectAnswer::Bad,
            Self::Good(_) => BisectAnswer::Good,
            Self::Both(..) => BisectAnswer::Both,
            Self::Undecided => BisectAnswer::Undecided,
        }
    }
}

impl Search<'_> {
    /// The commits between which the slowdown of a span is; and whether instructions decided.
    pub(super) fn narrow(&mut self, span: Span) -> Result<(Span, bool), Next> {
        // Long: each answer of a commit moves an end, spends a part of the error or sets the commit aside.
        let Span { good: first, bad: last, claim, .. } = span;
        let by_instructions = span.may_count && self.is_explained(span)?;
        let mut now = span;
        let (mut left, mut spare) = (levels(last - first), SPARE);
        let mut tries = 2 * levels(last - first) + MOST_UNTESTABLE;
        // Commits that give no answer here.
        let mut aside = BTreeSet::new();
        let mut undecided_codes = BTreeSet::new();
        let mut misses = 0;
        loop {
            let candidates: Vec<usize> =
                (now.good + 1..now.bad).filter(|commit| !aside.contains(commit)).collect();
            let Some(&commit) = candidates.get(spread(candidates.len(), misses)) else { break };
            if let Some(reason) = self.untestable(commit)? {
                self.note_commit(now, commit, BisectAnswer::Untestable, 0, None);
                if let Some(step) = self.progress.steps.last_mut() {
                    step.reason = Some(reason);
                }
                aside.insert(commit);
                if spare > 0 {
                    spare -= 1;
                    left += 1;
                }
                misses += 1;
                if tries == 0 {
                    break;
                }
                tries -= 1;
                continue;
            }
            misses = 0;
            if self.is_same(commit, now.good) {
                self.note_commit(now, commit, BisectAnswer::SameAsGood, 0, None);
                now.good = commit;
            } else if self.is_same(commit, now.bad) {
                self.note_commit(now, commit, BisectAnswer::SameAsBad, 0, None);
                now.bad = commit;
            } else if undecided_codes.contains(&self.known.code(commit)) {
                self.note_commit(now, commit, BisectAnswer::SameAsUndecided, 0, None);
                aside.insert(commit);
            } else {
                let counted = if by_instructions { self.count(now, commit)? } else { None };
                let decision = match counted {
                    Some(decision) => decision,
                    None if left == 0 => break,
                    None => {
                        left -= 1;
                        self.decide(now, commit, claim.decision(last - first))?
                    }
                };
                match decision {
                    Decision::Bad(log) => now = Span { bad: commit, log, ..now },
                    Decision::Good(log) => now = Span { good: commit, log, ..now },
                    Decision::Both(before, after) => {
                        let claim = self.claim();
                        let before = Span { bad: commit, to: commit, log: before, ..now };
                        let after = Span { good: commit, from: commit, log: after, ..now };
                        let is_larger_before = before.log >= after.log;
                        let (larger, other) =
                            if is_larger_before { (before, after) } else { (after, before) };
                        self.open.push(Span { claim, ..other });
                        now = larger;
                    }
                    Decision::Undecided => {
                        aside.insert(commit);
                        undecided_codes.insert(self.known.code(commit));
                    }
                }
            }
            self.current = Some(now);
        }
        Ok((now, by_instructions))
    }

    /// Compares a commit with both ends by time.
    fn decide(&mut self, now: Span, commit: usize, error: f64) -> Result<Decision, Next> {
        let Span { good, bad, log, .. } = now;
        let least = self.sizes.part(log);
        let (decision, rounds, change) = self.watch(&[good, commit, bad], |look| {
            let (before, after) = (look.pairs(good, commit)?, look.pairs(commit, bad)?);
            let [is_before, is_after] =
                [&before, &after].map(|pairs| look.is_slower(pairs, least, error));
            let (before_log, after_log) = (before.estimate, after.estimate);
            let decided = match (is_before, is_after) {
                (true, true) => (Decision::Both(before_log, after_log), Some(before.change())),
                (true, false) => (Decision::Bad(before_log), Some(before.change())),
                (false, true) => (Decision::Good(after_log), Some(after.change())),
                (false, false) if look.is_last => (Decision::Undecided, None),
                (false, false) => return None,
            };
            Some((decided.0, look.len(), decided.1))
        })?;
        self.note_commit(now, commit, decision.answer(), rounds, change);
        Ok(decision)
    }

    /// Whether the ends differ by as many instructions as explain at least half of the slowdown.
    fn is_explained(&mut self, span: Span) -> Result<bool, Next> {
        let Some(log) = self.more_instructions(span.good, span.bad)? else { return Ok(false) };
        Ok(log >= span.log / 2.0 && log > 4.0 * INSTRUCTIONS)
    }

    /// Compares a commit with both ends by instructions; `None` if they cannot be counted.
    fn count(&mut self, now: Span, commit: usize) -> Result<Option<Decision>, Next> {
        let Some(before) = self.more_instructions(now.good, commit)? else { return Ok(None) };
        let Some(after) = self.more_instructions(commit, now.bad)? else { return Ok(None) };
        let least = ((before + after) / 4.0).max(INSTRUCTIONS);
        let decision = match (before > least, after > least) {
            (true, true) => Decision::Both(before, after),
            (true, false) => Decision::Bad(before),
            (false, true) => Decision::Good(after),
            (false, false) => return Ok(None),
        };
        let log = if before > least { before } else { after };
        let change = Change { estimate: log.exp_m1(), lower: None, upper: None };
        self.note_commit(now, commit, decision.answer(), 0, Some(change));
        if let Some(step) = self.progress.steps.last_mut() {
            step.by_instructions = true;
        }
        Ok(Some(decision))
    }

    fn more_instructions(&self, base: usize, head: usize) -> Result<Option<f64>, Next> {
        let mut counts = [0.0; 2];
        for (count, commit) in counts.iter_mut().zip([base, head]) {
            match self.known.instructions.get(&self.known.code(commit)) {
                None => return Err(Next::Count(self.known.code(commit))),
                Some(None | Some(0)) => return Ok(None),
                Some(Some(counted)) => *count = *counted as f64,
            }
        }
        let [base, head] = counts;
        Ok(Some((head / base).ln()))
    }

    fn note_commit(
        &mut self,
        now: Span,
        commit: usize,
        answer: BisectAnswer,
        rounds: usize,
        change: Option<Change>,
    ) {
        self.note(now.good, now.bad, answer, rounds, change);
        if let Some(step) = self.progress.steps.last_mut() {
            step.commit = Some(commit);
        }
    }
}

/// Which of this number of candidates is next: the middle one, and after misses others far from it (van der Corput). Commits
/// that do not build come in runs.
fn spread(candidates: usize, misses: u32) -> usize {
    let share = f64::from((misses.wrapping_add(1)).reverse_bits()) / 4_294_967_296.0;
    (candidates as f64 * share) as usize
}
