//! cargo's own progress: `    Building [====>    ] 34/120: serde, syn(build)`.

/// Progress of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiling<'a> {
    /// Units that are compiled.
    pub done: usize,
    /// All units.
    pub total: usize,
    /// Units being compiled, as cargo lists them; empty where the line had no room for them.
    pub what: &'a str,
}

impl<'a> Compiling<'a> {
    /// Reads one line of cargo's progress; `None` for any other line.
    pub fn parse(line: &'a str) -> Option<Self> {
        let rest = line.trim().strip_prefix("Building")?.trim_start().strip_prefix('[')?;
        let (_, counted) = rest.split_once(']')?;
        let (counted, what) = counted.split_once(':').unwrap_or((counted, ""));
        let (done, total) = counted.trim().split_once('/')?;
        Some(Self { done: done.parse().ok()?, total: total.parse().ok()?, what: what.trim() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_from_what_cargo_says_otherwise() {
        let line = "    Building [=====>         ] 34/120: serde, syn(build), speed(bench)...   ";
        let what = "serde, syn(build), speed(bench)...";
        assert_eq!(Compiling::parse(line), Some(Compiling { done: 34, total: 120, what }));
        let short = Compiling::parse("Building [>  ] 3/4").unwrap();
        assert_eq!((short.done, short.total, short.what), (3, 4, ""));
        for other in ["   Compiling serde v1.0.0", "Building", "Building [=", "Building [=] x/y: z"]
        {
            assert_eq!(Compiling::parse(other), None, "{other}");
        }
    }
}
