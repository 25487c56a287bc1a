//! The size of a change of a sampled metric, with bounds of a stated error, and the rule of its level. Counts have a
//! separate rule in `counts`, and so has a search for a commit, in `bisect::evidence`.

use super::words::{Words, percent};
use crate::judge::looks::{PROVEN_SHARE, RULED_OUT_SHARE};
use crate::model::{Finding, Level};
use crate::policy::{Limits, Thresholds};
use crate::stats::Bounds;

/// A loop around nothing takes less than this many times the floor: 0.5 ns, two cycles.
const EMPTY_LOOP: f64 = 2.0;

/// Loops around nothing differ by less than this many times the floor, 1 ns, as a loop whose result goes through the
/// stack differs from a loop that keeps it in a register.
const LOOPS_DIFFER: f64 = 4.0;

/// Whether the head of what became faster leaves no time for a routine, in ns per iteration, while the base had one.
pub(super) fn has_lost_its_routine(base: f64, head: f64, limits: &Limits) -> bool {
    let floor = limits.floor_ns;
    head < floor * EMPTY_LOOP && base - head > floor * LOOPS_DIFFER
}

/// Head compared with base, as natural logarithms of the ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Centre.
    pub estimate: f64,
    /// Bounds of the change, with the error that the caller chose.
    pub bounds: Bounds,
    /// Median of the base: the scale of the absolute floor.
    pub base: f64,
}

impl Effect {
    /// The highest level whose threshold the estimate exceeds, while the lower bound exceeds half of it. A change
    /// below the floor is a note, however large its share is.
    pub fn level(&self, limits: &Limits) -> Option<Level> {
        let is_proven = |level: &Level| {
            let size = limits.thresholds.of(*level);
            self.estimate > size.ln_1p() && self.bounds.lower > (size * PROVEN_SHARE).ln_1p()
        };
        let level = Level::DESCENDING.into_iter().find(is_proven)?;
        Some(if self.is_below_floor(limits) { Level::Note } else { level })
    }

    /// The level by the estimate alone, whatever the bounds are.
    pub fn level_by_estimate(&self, limits: &Limits) -> Option<Level> {
        let exceeds = |level: &Level| self.estimate > limits.thresholds.of(*level).ln_1p();
        let level = Level::DESCENDING.into_iter().find(exceeds)?;
        Some(if self.is_below_floor(limits) { Level::Note } else { level })
    }

    /// Whether a speed-up is proven, by the rule for a slowdown at the note level.
    pub fn is_faster(&self, limits: &Limits) -> bool {
        let note = limits.thresholds.note;
        self.is_faster_by_estimate(limits) && self.bounds.upper < -(note * PROVEN_SHARE).ln_1p()
    }

    /// Whether it is faster by the estimate alone, whatever the bounds are.
    pub(super) fn is_faster_by_estimate(&self, limits: &Limits) -> bool {
        self.estimate < -limits.thresholds.note.ln_1p()
    }

    /// Whether a finding below the failing level does not rule that level out: then it is neither red nor
    /// green.
    pub fn leaves_open(&self, finding: Finding, limits: &Limits) -> bool {
        finding.level().is_some_and(|level| level < limits.fail_on)
            && !self.rules_out_level(limits.fail_on, limits)
    }

    /// Whether the bounds exclude a slowdown above this fraction.
    pub fn rules_out(&self, slowdown: f64) -> bool {
        self.bounds.upper < slowdown.ln_1p()
    }

    /// Whether the bounds exclude a slowdown of this level: by its threshold, or because all that is possible is
    /// below the floor.
    pub fn rules_out_level(&self, level: Level, limits: &Limits) -> bool {
        let is_small = level > Level::Note && self.is_surely_below_floor(limits);
        is_small || self.rules_out(limits.thresholds.of(level))
    }

    /// Whether the estimate is not above the note threshold, and half of the failing threshold is ruled out, or all
    /// that is possible is below the floor.
    pub(super) fn is_not_slower(&self, limits: &Limits) -> bool {
        self.estimate <= limits.thresholds.note.ln_1p()
            && (self.rules_out_enough(limits) || self.is_surely_below_floor(limits))
    }

    fn rules_out_enough(&self, limits: &Limits) -> bool {
        let Thresholds { note, .. } = limits.thresholds;
        let fail_at = limits.thresholds.of(limits.fail_on);
        self.rules_out(note.max(fail_at * RULED_OUT_SHARE))
    }

    /// Whether all that is possible is below the floor.
    pub fn is_surely_below_floor(&self, limits: &Limits) -> bool {
        self.bounds.upper.is_finite() && self.is_small(self.bounds.upper, limits)
    }

    /// The reason for a slowdown of a level, which the bounds prove.
    pub(super) fn slower(&self, level: Level, limits: &Limits) -> String {
        let estimate = percent(self.estimate.exp_m1());
        let above = percent(limits.thresholds.of(level));
        let least = percent(self.bounds.lower.exp_m1());
        let small = self.small(self.estimate, limits);
        let small = small.map_or_else(String::new, |small| self.words_of(small, limits));
        let name = level.name();
        let slower = Words::of(limits).slower;
        format!(
            "{estimate} {slower}, at least {least} at 99 % confidence ({name} above {above}){small}"
        )
    }

    /// The reason for a speed-up, which the bounds prove.
    pub(super) fn faster(&self, limits: &Limits) -> String {
        let least = percent(-self.bounds.upper.exp_m1());
        format!("at least {least} {} at 99 % confidence", Words::of(limits).faster)
    }

    /// The reason for a change that a look rules out: its upper bound has [`RULED_OUT_ERROR`].
    ///
    /// [`RULED_OUT_ERROR`]: crate::judge::looks::RULED_OUT_ERROR
    pub(super) fn ruled_out_at_look(&self, limits: &Limits) -> String {
        format!("{} at 98 % confidence", self.ruled_out(limits))
    }

    /// The reason for a change that is not a slowdown, by bounds of [`BOUND_ERROR`].
    ///
    /// [`BOUND_ERROR`]: crate::judge::looks::BOUND_ERROR
    pub(super) fn not_slower(&self, limits: &Limits) -> String {
        let ruled_out = format!("{} at 99 % confidence", self.ruled_out(limits));
        let small =
            self.small(self.bounds.upper, limits).filter(|_| !self.rules_out_enough(limits));
        let small = small.map_or_else(String::new, |small| self.words_of(small, limits));
        match self.is_faster_by_estimate(limits) {
            true => {
                let faster = percent(-self.estimate.exp_m1());
                let word = Words::of(limits).faster;
                format!("{faster} {word}, which is not proven; {ruled_out}{small}")
            }
            false => ruled_out + &small,
        }
    }

    fn ruled_out(&self, limits: &Limits) -> String {
        let Words { slowdown, a_slowdown, .. } = Words::of(limits);
        match self.bounds.upper.exp_m1() {
            most if most > 0.0 => format!("{a_slowdown} above {} is ruled out", percent(most)),
            // It is surely faster: a bound below zero is not a slowdown.
            _ => format!("any {slowdown} is ruled out"),
        }
    }

    /// The reason for a change that is neither proven nor ruled out: `proven` is its proven lower bound.
    pub(super) fn undecided(&self, proven: f64, limits: &Limits) -> String {
        let most = percent(self.bounds.upper.exp_m1());
        let Words { slower, a_slowdown, .. } = Words::of(limits);
        if self.estimate > limits.thresholds.note.ln_1p() {
            let proven = match proven {
                lower if lower > 0.0 => format!("only {}", percent(lower.exp_m1())),
                _ => "nothing".to_owned(),
            };
            format!(
                "{slower} by the estimate, but {proven} is proven; up to {most} is possible at 99 % confidence"
            )
        } else {
            format!("{a_slowdown} of up to {most} is possible at 99 % confidence")
        }
    }

    /// Whether the change is smaller than the floor, by its estimate.
    pub fn is_below_floor(&self, limits: &Limits) -> bool {
        self.is_small(self.estimate, limits)
    }

    fn is_small(&self, log: f64, limits: &Limits) -> bool {
        self.small(log, limits).is_some()
    }

    /// Why a change is too small to be more than a note, however large its share is.
    fn small(&self, log: f64, limits: &Limits) -> Option<Small> {
        let floor = limits.floor_ns;
        let by = (self.base * log.exp_m1()).abs();
        let are_loops = self.faster_side() < floor * EMPTY_LOOP && by < floor * LOOPS_DIFFER;
        let of_loops = are_loops.then_some(Small::OfLoops);
        if by < floor { Some(Small::BelowFloor) } else { of_loops }
    }

    /// Ns per iteration of the faster side, by the estimate.
    fn faster_side(&self) -> f64 {
        self.base.min(self.base * self.estimate.exp())
    }

    /// The end of a reason.
    fn words_of(&self, small: Small, limits: &Limits) -> String {
        let floor = limits.floor_ns;
        match small {
            Small::BelowFloor => {
                format!("; that is less than the floor of {floor} ns per iteration")
            }
            Small::OfLoops => format!(
                "; {:.2} ns per iteration leave no time for a routine, and loops without one differ by up to {} ns: \
                 pass its input through `black_box`",
                self.faster_side(),
                floor * LOOPS_DIFFER
            ),
        }
    }
}

/// Why a change is too small.
#[derive(Clone, Copy)]
enum Small {
    BelowFloor,
    /// In a cycle or two the compiler left nothing of a routine: two loops around nothing were compiled differently.
    OfLoops,
}
