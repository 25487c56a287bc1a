//! What is made of recorded data: pages of `docs/evidence/`, samples, the times of README.md, and the list of records,
//! `scripts/evidence/README.md`.

mod agreement;
mod benchmarks;
mod bisect;
mod bisect_repositories;
mod comment;
mod corpus;
mod cpus;
mod examples;
mod explain;
mod gallery;
mod history;
#[cfg(test)]
mod limits;
mod line_tables;
mod lockstep;
mod minutes;
mod published;
mod readme;
mod recorded;
mod records;
mod skips;
pub(super) mod table;
mod walkthrough;

use super::{Generator, Repository};

/// In the order in which they run.
pub(super) const GENERATORS: &[Generator] = &[
    // Before the page, which shows it.
    Generator { name: "shares", output: cpus::SHARES, make: cpus::make },
    Generator { name: "benchmarks", output: "docs/evidence/benchmarks.md", make: benchmarks::make },
    Generator { name: "bisect", output: "docs/evidence/bisect-simulation.md", make: bisect::make },
    Generator {
        name: "history",
        output: "docs/evidence/history-simulation.md",
        make: history::make,
    },
    Generator {
        name: "bisect-repositories",
        output: "docs/evidence/bisect-repositories.md",
        make: bisect_repositories::make,
    },
    Generator { name: "comment", output: "docs/evidence/comment.md", make: comment::make },
    Generator { name: "corpus", output: "docs/evidence/corpus.md", make: corpus::make },
    Generator { name: "explain", output: "docs/evidence/explain-fixtures.md", make: explain::make },
    Generator { name: "gallery", output: "docs/evidence/gallery.md", make: gallery::make },
    Generator { name: "example-red", output: "docs/examples/red.html", make: examples::red },
    Generator { name: "example-picture", output: "docs/examples/red.svg", make: examples::picture },
    Generator { name: "example-green", output: "docs/examples/green.html", make: examples::green },
    Generator { name: "example-other", output: "docs/examples/other.html", make: examples::other },
    Generator { name: "readme", output: "README.md", make: readme::make },
    Generator {
        name: "line-tables",
        output: "docs/evidence/line-tables.md",
        make: line_tables::make,
    },
    Generator { name: "lockstep", output: "docs/evidence/lockstep.md", make: lockstep::make },
    Generator { name: "minutes", output: "docs/evidence/minutes.md", make: minutes::make },
    Generator { name: "skips", output: "docs/evidence/skips.md", make: skips::make },
    Generator {
        name: "walkthrough",
        output: "docs/evidence/walkthrough.md",
        make: walkthrough::make,
    },
    Generator { name: "records", output: "scripts/evidence/README.md", make: records::make },
];
