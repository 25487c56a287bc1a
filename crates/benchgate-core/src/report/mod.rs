//! Renderers: one file per format, each a pure function of a result. They decide nothing.

mod command;
mod github;
mod line;
mod markdown;
mod summary;
mod terminal;
mod text;
mod waivers;

pub use command::quoted;
pub use github::{RunUrl, github};
pub use line::line;
pub use markdown::{GITHUB_COMMENT_LIMIT, markdown};
pub use terminal::{Style, terminal};
pub(crate) use text::one_line;

#[cfg(test)]
pub(crate) mod samples;

#[cfg(test)]
mod inertness;
