//! What to run next. Asked and told, it runs nothing itself, so whole gates are simulated in tests.

mod draw;
mod plan;

pub use draw::Nuisance;
pub use plan::{Goal, Outcome, Plan, Seen, Turn};
