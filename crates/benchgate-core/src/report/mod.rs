//! Renderers: one file per format, each a pure function of a result. They decide nothing.

mod markdown;
mod summary;
mod terminal;
mod text;
mod waivers;

pub use markdown::{GITHUB_COMMENT_LIMIT, markdown};
pub use terminal::{Style, terminal};

#[cfg(test)]
pub(crate) mod samples;
