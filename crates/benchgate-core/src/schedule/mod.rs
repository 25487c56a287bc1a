//! What to run next. Asked and told, it runs nothing itself, so whole gates are simulated in tests.

mod draw;
mod item;
mod plan;

pub use draw::Nuisance;
pub use item::{Goal, Outcome};
pub use plan::{Plan, Seen, Turn};
