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

/// The row that is compared with the published ones: those looked every field up by its name too.
const BY_NAME: &str = "noproto_by_name";

/// The published figures are of FlatBuffers that were not verified; both ways are compared with them.
/// Those of NoProto are of names: indices and verified bytes have none.
fn published(library: &str) -> Option<&'static Published> {
    let library = match library {
        BY_NAME => "noproto",
        "noproto" => return None,
        other => other.strip_suffix("_unverified").unwrap_or(other),
    };
    PUBLISHED.iter().find(|published| published.library == library)
}

/// A row by what it is.
fn label(library: &str) -> &str {
    match library {
        BY_NAME => "noproto, by name",
        "noproto" => "noproto, by index",
        "noproto_verified" => "noproto, verified",
        "flatbuffers_unverified" => "flatbuffers, unverified",
        "bson_raw" => "bson, raw",
        other => other,
    }
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
        // The bytes are the same, however they are written.
        let published = if *library == "noproto" { published(BY_NAME) } else { published(library) };
        let (plain, packed) = published
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
    let rows = times.iter().filter(|time| time.operation == OPERATIONS[operation]);
    let of = |name| rows.clone().find(|time| time.library == name).map(|time| time.nanoseconds);
    let (Some(by_name), Some(by_index)) = (of(BY_NAME), of("noproto")) else { return Ok(()) };
    writeln!(out, "\n====== {title} ======")?;
    writeln!(
        out,
        "{:24}{:>8}{:>11}{:>9}{:>11}{:>9}{:>10}",
        "", "ns", "published", "by name", "published", "target", "by index"
    )?;
    for Time { library, nanoseconds, .. } in rows {
        let seconds = published(library).map(|published| published.seconds[operation]);
        // Another of our own ways is neither published nor has a target.
        let is_ours = library.starts_with("noproto");
        let share = by_name / nanoseconds;
        let (was, most) = (published_share(library, operation), target(library, operation));
        let text = |figure: Option<f64>| figure.map(|f| format!("{f:.4}")).unwrap_or_default();
        let most = most.filter(|_| !is_ours);
        let verdict = match most {
            Some(most) if share > most => "  missed",
            _ => "",
        };
        let seconds = seconds.map(|s| format!("{:.1}", s * 1000.0)).unwrap_or_default();
        let line = format!(
            "{:24}{nanoseconds:>8.1}{seconds:>11}{share:>9.4}{:>11}{:>9}{:>10}{verdict}",
            label(library),
            text(was),
            text(most),
            text((!is_ours).then_some(by_index / nanoseconds)),
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_is_compared_with_the_published_rows_and_indices_are_beside_it() {
        let time = |library, nanoseconds| Time { operation: "encode", library, nanoseconds };
        let times = [time("noproto", 50.0), time("protobuf", 100.0), time(BY_NAME, 200.0)];
        let tables = all(&[], &times);
        let row = |begin: &str| {
            let line = tables.lines().find(|line| line.starts_with(begin)).expect("a row");
            line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        let protobuf =
            ["protobuf", "100.0", "3551.3", "2.0000", "0.9959", "0.9000", "0.5000", "missed"];
        assert_eq!(row("protobuf"), protobuf);
        assert_eq!(row("noproto, by name")[3..], ["200.0", "3536.6", "1.0000", "1.0000"]);
        assert_eq!(row("noproto, by index")[3..], ["50.0", "4.0000"], "nothing is published of it");
    }
}
