//! The harnesses, by the names that policies and reports have for them.

use serde::Serialize;

/// Makes the names of the rows.
macro_rules! harnesses {
    ($(
        #[doc = $about:literal]
        $(#[$attribute:meta])*
        $variant:ident = $name:literal, $metrics:literal;
    )+) => {
        /// A harness that benchgate knows.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
        pub enum HarnessName {
            $(
                #[doc = $about]
                $(#[$attribute])*
                $variant,
            )+
        }

        impl HarnessName {
            /// Every harness, in the order in which an executable that names none is tried.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// What it is, for the documentation.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$variant => $about,)+
                }
            }

            /// The metrics of its benchmarks, for the documentation.
            pub const fn metrics(self) -> &'static str {
                match self {
                    $(Self::$variant => $metrics,)+
                }
            }
        }
    };
}

// An executable that names no harness is tried in this order: the one that asks the most questions is last.
harnesses! {
    /// Any program that counts exactly: `benchgate.counts/1`.
    Counts = "counts", "any count";
    /// Any program that measures itself: `benchgate.rounds/1`.
    Rounds = "rounds", "any that is sampled";
    /// A whole process.
    Command = "command", "`wall`, `cpu`, `memory.peak`";
    /// JMH 1.x, on a Java virtual machine.
    Jmh = "jmh", "`time`, `alloc.bytes`";
    /// The crate divan from 0.1.0 on, codspeed-divan-compat.
    Divan = "divan", "`time`";
    /// Criterion 0.3 to 0.8, criterion2 3.
    #[default]
    Criterion = "criterion", "`time`, `custom`";
}

impl HarnessName {
    /// Whether the policy names the benchmarks of a suite, with the arguments of each: other suites are asked for them.
    pub const fn takes_arguments(self) -> bool {
        matches!(self, Self::Command)
    }

    /// The harness of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|harness| harness.name() == name)
    }

    /// Every name in backticks, for messages.
    pub(super) fn known() -> String {
        let names: Vec<String> =
            Self::ALL.iter().map(|harness| format!("`{}`", harness.name())).collect();
        names.join(", ")
    }
}
