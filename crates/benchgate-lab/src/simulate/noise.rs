//! Models of the noise on a shared machine, fitted to recorded processes: a sharp mode,
//! some processes that are slow throughout, states of the heap that differ between the sides of a pair.

use benchgate_core::model::Sides;
use rand_chacha::ChaCha8Rng;
use rand_core::Rng;

/// A model. Shares and sizes are fractions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Noise {
    /// A sharp mode, and a share of processes that are slow throughout.
    Sharp {
        /// Standard deviation of the mode.
        spread: f64,
        /// Share of slow processes.
        slow: f64,
        /// Slow by between a tenth of this and this.
        by: f64,
    },
    /// The heap puts either side of a pair in one of two states at a given distance.
    Bimodal {
        /// Half the distance.
        half: f64,
    },
    /// Cauchy tails of this scale: no mean, no variance.
    HeavyTailed {
        /// Half of all values are nearer to the centre than this.
        scale: f64,
    },
    /// A walk that both sides share, with steps of a given size; the second process of a pair is one step on.
    Drifting {
        /// Standard deviation of a step.
        step: f64,
    },
    /// A sharp mode, and for some processes the machine is suspended for longer than the process runs.
    Suspended {
        /// Share of processes.
        share: f64,
    },
}

impl Noise {
    /// The models of a run, as the recorded kernels had them: half of all benchmarks are quiet.
    pub(crate) const ALL: [(&str, Self); 8] = [
        ("sharp, 1 % of processes slow", Self::Sharp { spread: 0.000_2, slow: 0.01, by: 0.2 }),
        ("sharp, 3 % slow", Self::Sharp { spread: 0.003, slow: 0.03, by: 0.4 }),
        ("broad, 14 % slow", Self::Sharp { spread: 0.02, slow: 0.14, by: 0.4 }),
        ("broad, 40 % slow", Self::Sharp { spread: 0.04, slow: 0.4, by: 0.3 }),
        ("bimodal, ± 6 %", Self::Bimodal { half: 0.06 }),
        ("Cauchy, 0.5 %", Self::HeavyTailed { scale: 0.005 }),
        ("drift, 0.5 % a process", Self::Drifting { step: 0.005 }),
        ("suspended once in 200", Self::Suspended { share: 0.005 }),
    ];
}

/// A benchmark on a simulated machine.
#[derive(Clone, Debug)]
pub(crate) struct Benchmark {
    noise: Noise,
    walk: f64,
}

impl Benchmark {
    /// A model with this noise.
    pub(crate) fn new(noise: Noise) -> Self {
        Self { noise, walk: 0.0 }
    }

    /// Base and head of a pair in nanoseconds; `log` is the true ln(head / base).
    pub(crate) fn pair(
        &mut self,
        random: &mut ChaCha8Rng,
        base_first: bool,
        log: f64,
    ) -> Sides<f64> {
        let [first, second] = [self.process(random), self.process(random)];
        let [base, head] = if base_first { [first, second] } else { [second, first] };
        Sides::new(1000.0 * base.exp(), 1000.0 * (head + log).exp())
    }

    /// A process in nanoseconds; `log` is the true logarithm of its time compared with 1000 ns.
    pub(crate) fn value(&mut self, random: &mut ChaCha8Rng, log: f64) -> f64 {
        1000.0 * (self.process(random) + log).exp()
    }

    /// The logarithm of the time of a process, relative to an undisturbed one.
    fn process(&mut self, random: &mut ChaCha8Rng) -> f64 {
        match self.noise {
            Noise::Sharp { spread, slow, by } => {
                let mode = spread * normal(random);
                if uniform(random) < slow {
                    mode + (by * (0.1 + 0.9 * uniform(random))).ln_1p()
                } else {
                    mode
                }
            }
            Noise::Bimodal { half } => {
                let state = if uniform(random) < 0.5 { -half } else { half };
                state / 2.0 + 0.01 * normal(random)
            }
            Noise::HeavyTailed { scale } => {
                (scale * (std::f64::consts::PI * (uniform(random) - 0.5)).tan()).clamp(-3.0, 3.0)
            }
            Noise::Drifting { step } => {
                self.walk += step * normal(random);
                self.walk
            }
            Noise::Suspended { share } => {
                let mode = 0.003 * normal(random);
                if uniform(random) < share { mode + 12.0 } else { mode }
            }
        }
    }
}

/// A number between 0 and 1, exclusive.
pub(crate) fn uniform(random: &mut ChaCha8Rng) -> f64 {
    (f64::from(random.next_u32()) + 0.5) / 4_294_967_296.0
}

/// Box and Muller 1958.
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let radius = (-2.0 * uniform(random).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform(random)).cos()
}
