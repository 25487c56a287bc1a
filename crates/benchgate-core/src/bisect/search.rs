//! The search, written as if everything were known. Where something is not, it ends with what has to be learnt.

mod narrow;

use super::errors::Claim;
use super::evidence::{Look, Sizes, is_ruled_out, needed};
use super::known::{Build, Known};
use super::progress::{History, Next, Progress, Round};
use crate::judge::Pairs;
use crate::judge::looks::confirmation_share;
use crate::model::Change;
use crate::policy::Limits;
use crate::result::{BisectAnswer, BisectRefusal, BisectStep, FoundStep, WhySet};

/// Commits between which a slowdown is proven.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// The newest commit without it.
    good: usize,
    /// The oldest commit with it.
    bad: usize,
    /// Start of the span that it is a part of: more may be found from here to `good` …
    from: usize,
    /// … and from `bad` to here, its end.
    to: usize,
    /// Its size.
    log: f64,
    claim: Claim,
    /// Whether instructions may decide.
    may_count: bool,
}

impl Span {
    /// All between two commits.
    fn new(good: usize, bad: usize, log: f64, claim: Claim) -> Self {
        Self { good, bad, from: good, to: bad, log, claim, may_count: true }
    }
}

/// Goes on with a search as far as what is known allows.
pub fn advance(history: &History, known: &Known) -> Progress {
    Search::new(history, known).run()
}

struct Search<'a> {
    history: &'a History,
    known: &'a Known,
    sizes: Sizes,
    progress: Progress,
    /// Slowdowns that are proven and were not looked for yet.
    open: Vec<Span>,
    /// The commit to find.
    current: Option<Span>,
    /// Measurements so far.
    step: usize,
    claims: i32,
}

impl<'a> Search<'a> {
    fn new(history: &'a History, known: &'a Known) -> Self {
        let sizes = Sizes::of(history.thresholds);
        let (progress, open, current) = (Progress::default(), Vec::new(), None);
        Self { history, known, sizes, progress, open, current, step: 0, claims: 0 }
    }

    fn run(mut self) -> Progress {
        match self.search() {
            Ok(()) => {}
            Err(_) if self.known.is_over => self.give_up(),
            Err(next) => self.progress.next = Some(next),
        }
        self.progress.found.sort_by_key(|found| (found.good, found.bad));
        self.progress
    }

    fn search(&mut self) -> Result<(), Next> {
        let bad = self.history.bad;
        for commit in [0, bad] {
            if let Some(reason) = self.untestable(commit)? {
                self.progress.refused = Some(BisectRefusal::Untestable { commit, reason });
                return Ok(());
            }
        }
        if self.is_same(0, bad) {
            self.progress.refused = Some(BisectRefusal::SameCode);
            return Ok(());
        }
        let claim = self.claim();
        let pairs = self.prove(0, bad, claim)?;
        if let Some(log) = pairs {
            self.open.push(Span::new(0, bad, log, claim));
        }
        while let Some(span) = self.open.pop() {
            self.current = Some(span);
            let (inner, by_instructions) = self.narrow(span)?;
            self.conclude(span, inner, by_instructions)?;
            self.current = None;
        }
        Ok(())
    }

    /// The time is over: what is proven and not found is a set.
    fn give_up(&mut self) {
        if self.progress.steps.is_empty() {
            self.progress.refused = Some(BisectRefusal::NoTime);
        }
        for span in self.open.drain(..).chain(self.current.take()) {
            let Span { good, bad, .. } = span;
            let why_set = Some(WhySet::NoTime);
            self.progress.found.push(FoundStep { good, bad, change: None, why_set });
        }
    }

    /// The size of the slowdown between two commits; `None` where none is proven.
    fn prove(&mut self, good: usize, bad: usize, claim: Claim) -> Result<Option<f64>, Next> {
        let (sizes, error) = (self.sizes, claim.proof());
        let (found, rounds, pairs) = self.watch(&[good, bad], |look| {
            let pairs = look.pairs(good, bad)?;
            let is_proven = is_step(look, &pairs, sizes, error);
            let is_settled = is_proven || is_ruled_out(&pairs, sizes.note) || look.is_last;
            is_settled.then(|| (is_proven, look.len(), pairs))
        })?;
        self.progress.change = Some(pairs.change());
        let answer = if found { BisectAnswer::Proven } else { BisectAnswer::Unproven };
        self.note(good, bad, answer, rounds, Some(pairs.change()));
        if found {
            return Ok(Some(pairs.estimate));
        }
        let limits = Limits { thresholds: self.history.thresholds, ..Limits::default() };
        let detectable = pairs.detectable(&limits, error * confirmation_share(rounds));
        let needed = needed(&pairs, sizes.half, error).filter(|needed| *needed > rounds);
        let needed = needed.filter(|_| pairs.estimate > sizes.note);
        self.progress.refused = Some(BisectRefusal::Unproven { rounds, detectable, needed });
        Ok(None)
    }

    /// Confirms what was found with new rounds, and looks for more on both sides of it.
    fn conclude(&mut self, span: Span, inner: Span, by_instructions: bool) -> Result<(), Next> {
        // Long: what was found and the rests on both sides share their rounds, and each look is at all of them.
        let Span { good, bad, .. } = inner;
        let is_rest = |from: usize, to: usize| from < to && !self.is_same(from, to);
        let before = is_rest(inner.from, good).then_some((inner.from, good));
        let after = is_rest(bad, inner.to).then_some((bad, inner.to));
        let mut members = vec![good, bad];
        members.splice(0..0, before.map(|(from, _)| from));
        members.extend(after.map(|(_, to)| to));
        let mut rests = [before, after].map(|ends| ends.map(|ends| (ends, self.claim(), None)));
        let (sizes, error) = (self.sizes, span.claim.confirmation());
        // By instructions, what was found has no size in time.
        let least = if by_instructions { sizes.half } else { sizes.part(inner.log) };
        let mut is_confirmed = None;
        let (rounds, pairs) = self.watch(&members, |look| {
            let pairs = look.pairs(good, bad)?;
            if is_confirmed.is_none() {
                is_confirmed = match look.is_slower(&pairs, least, error) {
                    true => Some(true),
                    false => (is_ruled_out(&pairs, sizes.half) || look.is_last).then_some(false),
                };
            }
            for ((from, to), claim, found) in rests.iter_mut().flatten() {
                let pairs = look.pairs(*from, *to)?;
                if found.is_some() {
                    continue;
                }
                *found = match is_step(look, &pairs, sizes, claim.proof()) {
                    true => Some(Some(pairs.estimate)),
                    false => (is_ruled_out(&pairs, sizes.note) || look.is_last).then_some(None),
                };
            }
            let is_settled =
                is_confirmed.is_some() && rests.iter().flatten().all(|rest| rest.2.is_some());
            is_settled.then(|| (look.len(), pairs))
        })?;
        let is_confirmed = is_confirmed == Some(true);
        let change = Some(pairs.change());
        let answer = if is_confirmed { BisectAnswer::Confirmed } else { BisectAnswer::Unconfirmed };
        self.note(good, bad, answer, rounds, change);
        let mut more = false;
        for ((good, bad), claim, found) in rests.into_iter().flatten() {
            if let Some(Some(log)) = found {
                more = true;
                let change = Change { estimate: log.exp_m1(), lower: None, upper: None };
                self.note(good, bad, BisectAnswer::Proven, rounds, Some(change));
                let may_count = span.may_count;
                self.open.push(Span { may_count, ..Span::new(good, bad, log, claim) });
            }
        }
        if is_confirmed {
            let why_set = (bad - good > 1).then_some(WhySet::Untested);
            self.progress.found.push(FoundStep { good, bad, change, why_set });
        } else if by_instructions {
            // More instructions there, and no more time: the time decides.
            let claim = self.claim();
            self.open.retain(|open| open.from < span.from || open.to > span.to);
            self.open.push(Span { claim, may_count: false, ..span });
        } else if !more {
            let Span { from: good, to: bad, .. } = inner;
            let why_set = Some(WhySet::Unconfirmed);
            self.progress.found.push(FoundStep { good, bad, change: None, why_set });
        }
        Ok(())
    }

    /// Shows each look at rounds of these commits to `settle`, until it has an answer.
    fn watch<T>(
        &mut self,
        members: &[usize],
        mut settle: impl FnMut(&Look<'_>) -> Option<T>,
    ) -> Result<T, Next> {
        let step = self.step;
        let rounds = self.known.rounds(step, members);
        let (looks, until) = Look::all(members, rounds, self.history.most);
        if let Some(settled) = looks.iter().find_map(&mut settle) {
            self.step += 1;
            return Ok(settled);
        }
        let (round, until) = (rounds.len(), until.unwrap_or(rounds.len() + 1));
        Err(Next::Measure(Round { step, members: members.to_vec(), round, until }))
    }

    /// Why a commit cannot be tested; `None` when it can be.
    fn untestable(&self, commit: usize) -> Result<Option<String>, Next> {
        match self.known.builds.get(&commit) {
            None => Err(Next::Build(commit)),
            Some(Build::Testable { .. }) => Ok(None),
            Some(Build::Untestable { reason }) => Ok(Some(reason.clone())),
        }
    }

    fn is_same(&self, one: usize, other: usize) -> bool {
        self.known.code(one) == self.known.code(other)
    }

    fn claim(&mut self) -> Claim {
        self.claims += 1;
        Claim::of(self.history.error, self.claims - 1)
    }

    fn note(
        &mut self,
        good: usize,
        bad: usize,
        answer: BisectAnswer,
        rounds: usize,
        change: Option<Change>,
    ) {
        let (commit, by_instructions, reason) = (None, false, None);
        let step =
            BisectStep { good, bad, commit, answer, rounds, by_instructions, change, reason };
        self.progress.steps.push(step);
    }
}

/// The rule for a note of the gate: the estimate is above the threshold, and half of it is excluded.
fn is_step(look: &Look<'_>, pairs: &Pairs, sizes: Sizes, error: f64) -> bool {
    pairs.estimate > sizes.note && look.is_slower(pairs, sizes.half, error)
}
