//! The five published tables, with the published figures and those measured here.

use std::fmt::Write as _;

use crate::sizes::Size;
use crate::timing::{OPERATIONS, Time};

/// Published figures of a library, at version 0.6.0 of `no_proto`: bytes, and bytes after zlib; and
/// seconds of a million messages, in the order of [`OPERATIONS`].
struct Published {
    library: &'static str,
    sizes: (usize, usize),
    seconds: [f64; 4],
}

const PUBLISHED: [Published; 6] = [
    Published {
        library: "noproto",
        sizes: (283, 226),
        seconds: [3.536_623, 2.496_591, 0.206_966, 0.264_399],
    },
    Published {
        library: "flatbuffers",
        sizes: (336, 214),
        seconds: [1.942_583, 0.320_065, 0.013_127, 3.086_538],
    },
    Published {
        library: "protobuf",
        sizes: (220, 163),
        seconds: [3.551_301, 2.888_706, 2.715_129, 10.119_442],
    },
    Published {
        library: "messagepack",
        sizes: (431, 245),
        seconds: [28.050_727, 16.576_576, 14.300_117, 35.322_739],
    },
    Published {
        library: "json",
        sizes: (673, 246),
        seconds: [5.436_352, 8.957_872, 7.836_841, 9.749_246],
    },
    Published {
        library: "bson",
        sizes: (600, 279),
        seconds: [36.564_978, 32.770_133, 37.513_607, 48.009_7],
    },
];

/// The targets, where they are not the published share: the maximum of noproto's time as a share of the
/// library's.
const TARGETS: [(&str, [Option<f64>; 4]); 3] = [
    ("protobuf", [Some(0.90), Some(0.80), Some(0.075), Some(0.026)]),
    ("json", [Some(0.60), Some(0.28), Some(0.026), Some(0.027)]),
    ("prost", [None, None, Some(0.20), Some(0.50)]),
];

/// The published figures are of FlatBuffers that were not verified; both ways are compared with them.
fn published(library: &str) -> Option<&'static Published> {
    let library = library.strip_suffix("_unverified").unwrap_or(library);
    PUBLISHED.iter().find(|published| published.library == library)
}

/// noproto's published time as a share of the library's.
fn published_share(library: &str, operation: usize) -> Option<f64> {
    Some(PUBLISHED[0].seconds[operation] / published(library)?.seconds[operation])
}

/// The maximum of noproto's share, if there is a target.
#[must_use]
pub fn target(library: &str, operation: usize) -> Option<f64> {
    match TARGETS.iter().find(|(of, _)| *of == library) {
        Some((_, shares)) => shares[operation],
        None => published_share(library, operation),
    }
}

/// All five tables.
#[must_use]
pub fn all(sizes: &[Size], times: &[Time]) -> String {
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    let _ = write_sizes(sizes, &mut out);
    for (operation, title) in ["ENCODE", "DECODE", "DECODE ONE", "UPDATE ONE"].iter().enumerate() {
        let _ = write_times(title, operation, times, &mut out);
    }
    out
}

fn write_sizes(sizes: &[Size], out: &mut String) -> std::fmt::Result {
    writeln!(out, "====== SIZE ======")?;
    writeln!(out, "{:24}{:>8}{:>11}{:>8}{:>11}", "", "bytes", "published", "zlib", "published")?;
    for Size { library, bytes, zlib } in sizes {
        let (plain, packed) = published(library)
            .map(|published| (published.sizes.0.to_string(), published.sizes.1.to_string()))
            .unwrap_or_default();
        writeln!(out, "{library:24}{bytes:>8}{plain:>11}{zlib:>8}{packed:>11}")?;
    }
    Ok(())
}

fn write_times(
    title: &str,
    operation: usize,
    times: &[Time],
    out: &mut String,
) -> std::fmt::Result {
    let mut rows = times.iter().filter(|time| time.operation == OPERATIONS[operation]).peekable();
    let Some(ours) = rows.peek().map(|time| time.nanoseconds) else { return Ok(()) };
    writeln!(out, "\n====== {title} ======")?;
    writeln!(
        out,
        "{:24}{:>8}{:>11}{:>9}{:>11}{:>9}",
        "", "ns", "published", "share", "published", "target"
    )?;
    for Time { library, nanoseconds, .. } in rows {
        let seconds = published(library).map(|published| published.seconds[operation]);
        // Another of our own ways is neither published nor has a target.
        let (share, has_target) = (ours / nanoseconds, !library.starts_with("noproto"));
        let (was, most) = (published_share(library, operation), target(library, operation));
        let text = |figure: Option<f64>| figure.map(|f| format!("{f:.4}")).unwrap_or_default();
        let most = most.filter(|_| has_target);
        let verdict = match most {
            Some(most) if share > most => "  missed",
            _ => "",
        };
        let seconds = seconds.map(|s| format!("{:.1}", s * 1000.0)).unwrap_or_default();
        let line = format!(
            "{library:24}{nanoseconds:>8.1}{seconds:>11}{share:>9.4}{:>11}{:>9}{verdict}",
            text(was),
            text(most),
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
