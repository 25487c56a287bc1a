//! Support for each operating system.

use crate::HostError;

/// Support for an operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// Everything.
    Full,
    /// Measuring, with these limits.
    Partial(&'static str),
    /// No measuring.
    None,
}

impl Support {
    /// That of a system, by the name that Rust has for it.
    pub fn of(system: &str) -> Self {
        match system {
            "linux" => Self::Full,
            "macos" => Self::Partial(
                "on macOS only executables that are the same byte for byte are *identical*, pairs \
                 do not take other layouts of the code, `doctor` and the sandbox are not there, and the machine is \
                 known by its architecture only",
            ),
            _ => Self::None,
        }
    }

    /// That of the system that this runs on.
    pub fn here() -> Self {
        Self::of(std::env::consts::OS)
    }

    /// Returns the limits that a reader of a result must know; `None` unless support is partial.
    pub fn notice(self) -> Option<&'static str> {
        if let Self::Partial(limits) = self { Some(limits) } else { None }
    }
}

/// Refuses to measure where that is not supported.
///
/// # Errors
/// [`HostError::Usage`], with what works instead.
pub fn require() -> Result<(), HostError> {
    require_of(Support::here(), std::env::consts::OS)
}

fn require_of(support: Support, system: &str) -> Result<(), HostError> {
    match support {
        Support::Full | Support::Partial(_) => Ok(()),
        Support::None => Err(HostError::usage(
            format!(
                "nothing was measured: benchgate measures on Linux and macOS, and this is {system}"
            ),
            "`compare`, `report` and `policy` work here; on Windows, `check` works inside WSL 2",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_gets_an_answer() {
        for (system, support, is_refused, has_notice) in [
            ("linux", Support::of("linux"), false, false),
            ("macos", Support::of("macos"), false, true),
            ("windows", Support::of("windows"), true, false),
            ("freebsd", Support::of("freebsd"), true, false),
        ] {
            assert_eq!(require_of(support, system).is_err(), is_refused, "{system}");
            assert_eq!(support.notice().is_some(), has_notice, "{system}");
        }
        let refused = require_of(Support::None, "windows").unwrap_err();
        assert!(refused.to_string().ends_with("and this is windows"), "{refused}");
        assert!(require().is_ok());
    }
}
