//! Which exit code an error has. The codes themselves are `benchgate_core::exit`.

use std::process::ExitCode;

pub(crate) use benchgate_core::exit::Exit;
use benchgate_host::HostError;

use crate::error::CommandError;

impl From<&CommandError> for Exit {
    fn from(error: &CommandError) -> Self {
        match error {
            CommandError::Policy { .. } => Self::Usage,
            CommandError::Unmeasured(_) | CommandError::Unwritten { .. } => Self::Incomplete,
            CommandError::Host(error) => match error {
                HostError::Usage { .. } => Self::Usage,
                HostError::Interrupted
                | HostError::File(_)
                | HostError::Format { .. }
                | HostError::Content { .. }
                | HostError::Start { .. }
                | HostError::Git { .. }
                | HostError::Cargo { .. }
                | HostError::Before { .. }
                | HostError::Busy { .. } => Self::Incomplete,
            },
        }
    }
}

/// As the operating system is given it.
pub(crate) fn code(exit: Exit) -> ExitCode {
    ExitCode::from(exit.code())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_the_same_table() {
        let readme = include_str!("../../../README.md");
        for exit in Exit::ALL {
            let row = format!("| {} | {} |", exit.code(), exit.meaning());
            assert!(readme.contains(&row), "README.md lacks: {row}");
        }
    }

    #[test]
    fn the_readme_shows_what_a_red_run_prints() {
        let readme = include_str!("../../../README.md");
        let printed = include_str!(
            "../../benchgate-core/src/report/snapshots/\
             benchgate_core__report__terminal__tests__a_red_report_ends_with_the_verdict.snap"
        );
        let (_, printed) =
            printed.trim_start_matches("---\n").split_once("---\n").unwrap_or_default();
        let (beginning, _) = printed.split_once("\n  base main").unwrap_or_default();
        assert!(beginning.contains("\n  next: "), "{beginning}");
        assert!(readme.contains(&format!("```text\n{beginning}\n```\n")), "{beginning}");
    }
}
