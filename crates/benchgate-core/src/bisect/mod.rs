//! Which commit a slowdown came with: a search over a first-parent history at a stated error.
//!
//! [`advance`] is a pure function from what is known to what has to be learnt next. It keeps nothing, so a search that
//! was interrupted resumes from its file. `docs/investigate.md` describes it.

mod errors;
mod evidence;
mod known;
mod progress;
mod replay;
mod search;
mod state;

pub use self::known::{Build, Known, Measured};
pub use self::progress::{History, Next, Progress, Round};
pub use self::replay::replay_log;
pub use self::search::advance;
pub use self::state::{STATE_SCHEMA, Searched, State};

#[cfg(test)]
mod tests;
