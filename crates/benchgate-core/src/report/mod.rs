//! Renderers: one file per format, each a pure function of a result. They decide nothing.

mod again;
pub mod bisection;
mod command;
mod counters;
mod csv;
mod digest;
mod echo;
pub mod explanation;
mod github;
pub mod history;
mod html;
mod json;
mod junit;
mod line;
mod markdown;
mod meaning;
mod naming;
mod renderer;
mod sites;
mod summary;
mod svg;
mod table;
mod terminal;
mod text;
mod waivers;
mod wrap;

pub use again::again;
pub use command::{option, positionals, quoted};
pub use digest::SUMMARY_SCHEMA;
pub use echo::words;
pub use markdown::GITHUB_COMMENT_LIMIT;
pub use renderer::{Options, Renderer, WebAddress};
pub(crate) use table::Table;
pub(crate) use text::one_line;

/// Every format.
pub static RENDERERS: [Renderer; 11] = [
    Renderer { name: "terminal", about: "A table for a terminal", render: terminal::terminal },
    Renderer { name: "markdown", about: "Markdown for a step summary", render: markdown::markdown },
    Renderer { name: "github", about: "The comment on a pull request", render: github::github },
    Renderer { name: "html", about: "A page for a browser, in one file", render: html::html },
    Renderer { name: "svg", about: "A picture of all changes", render: svg::svg },
    Renderer { name: "line", about: "The verdict in one line", render: line::line },
    Renderer {
        name: "summary",
        about: "The verdict and its numbers, for programs",
        render: digest::summary,
    },
    Renderer { name: "json", about: "The result itself", render: json::json },
    Renderer { name: "csv", about: "One row for each benchmark and metric", render: csv::csv },
    Renderer { name: "junit", about: "JUnit XML, for CI systems", render: junit::junit },
    Renderer {
        name: "critcmp",
        about: "The head's times as a critcmp export",
        render: json::critcmp,
    },
];

/// The renderer of this name.
pub fn renderer(name: &str) -> Option<&'static Renderer> {
    RENDERERS.iter().find(|renderer| renderer.name == name)
}

#[cfg(test)]
pub(crate) mod samples;

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod escaping;
