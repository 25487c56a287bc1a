//! The absolute figures of RoboBuffers' document, alongside those of the Java suites.

use super::java::recorded_times;
use super::{JAVA, Sources};
use crate::error::Error;
use crate::generate::evidence::published::{Containers, Messages, StreamTimes};
use crate::generate::evidence::recorded::Times;
use crate::generate::evidence::table::{duration, number, or_dash, table};

/// The document's megabyte for single messages; the file streams have decimal ones.
const MEBIBYTE: f64 = (1 << 20) as f64;

/// Messages in a millisecond.
pub(super) fn messages(sources: &Sources) -> Result<String, Error> {
    let times = &recorded_times(sources);
    let rows = sources.published.java_document.messages.iter().map(|row| {
        let Messages { benchmark, of, published_bytes, bytes, per_ms, mb_s } = row;
        let cell = |library: usize, id: &str| -> Result<String, Error> {
            let published_rate =
                mb_s.map(|rates| format!(" ({:.0} MB/s)", rates[library])).unwrap_or_default();
            if !times.has(id) {
                return Ok(format!("{:.0}{published_rate} → –", per_ms[library]));
            }
            let measured = 1e6 / times.median(id)?;
            let rate = bytes.filter(|_| mb_s.is_some()).map(|bytes| {
                format!(" ({:.0} MB/s)", measured * 1e3 * f64::from(bytes) / MEBIBYTE)
            });
            let rate = rate.unwrap_or_default();
            Ok(format!("{:.0}{published_rate} → {measured:.0}{rate}", per_ms[library]))
        };
        Ok([
            format!("`{}` / `{}`", short(benchmark), short(of)),
            format!("{published_bytes} → {}", or_dash(*bytes, |bytes| bytes.to_string())),
            cell(0, benchmark)?,
            cell(1, of)?,
            both(Some(row.published_share()), ratio(times, benchmark, of)?),
        ])
    });
    let head = ["messages/ms", "bytes", "QuickBuffers", "protobuf-java", "share of time"];
    Ok(table(head, &rows.collect::<Result<Vec<_>, Error>>()?))
}

/// The file streams. Writing is what reading and writing takes beyond reading: a difference of two medians.
pub(super) fn streams(sources: &Sources) -> Result<String, Error> {
    let times = &recorded_times(sources);
    let rows = sources.published.java_document.streams.iter().map(|row| {
        let StreamTimes { method, stream, ms } = row;
        let measured = |library| measured(times, method, library, *stream);
        let cell = |library: usize| -> Result<String, Error> {
            let shown = match measured(StreamTimes::LIBRARIES[library])? {
                None => "–".to_owned(),
                Some(time) if time > 0.0 => duration(time),
                Some(_) => "below 0".to_owned(),
            };
            Ok(format!("{} ms → {shown}", ms[library]))
        };
        let share = |library: usize| -> Result<String, Error> {
            let name = StreamTimes::LIBRARIES[library];
            let measured = match (measured(name)?, measured("protobuf")?) {
                (Some(this), Some(that)) if method == "write" => {
                    (this > 0.0 && that > 0.0).then(|| this / that)
                }
                (Some(_), Some(_)) => {
                    let id = |library| id(method, library, *stream);
                    Some(times.ratio(&id(name), &id("protobuf"))?)
                }
                _ => None,
            };
            Ok(both(Some(row.published_share(library)), measured))
        };
        let name = if method == "readWrite" { "read and write" } else { method };
        let name = format!("{name} {stream}");
        Ok([name, cell(0)?, cell(1)?, cell(2)?, cell(3)?, share(0)?, share(1)?])
    });
    let head = [
        "stream",
        "QuickBuffers with `Unsafe`",
        "without",
        "protobuf-java",
        "lite",
        "share of time with `Unsafe`",
        "without",
    ];
    Ok(table(head, &rows.collect::<Result<Vec<_>, Error>>()?))
}

/// The container of FlatBuffers' own bench.
pub(super) fn containers(sources: &Sources) -> Result<String, Error> {
    let times = &recorded_times(sources);
    let published = &sources.published.java_document;
    let rows = published.containers.iter().map(|row| {
        let Containers { what, ns, benchmark, of } = row;
        let median = |id: &Option<String>| -> Result<String, Error> {
            let id = id.as_deref().filter(|id| times.has(id));
            let median = id.map(|id| times.median(id)).transpose()?;
            Ok(or_dash(median, duration))
        };
        let ratio = match (benchmark, of) {
            (Some(benchmark), Some(of)) => ratio(times, benchmark, of)?,
            _ => None,
        };
        Ok([
            what.clone(),
            format!("{:.0} ns → {}", ns[0], median(benchmark)?),
            format!("{:.0} ns → {}", ns[1], median(of)?),
            format!("{:.0} ns", ns[2]),
            both(row.published_share(), ratio),
        ])
    });
    let mut rows = rows.collect::<Result<Vec<_>, Error>>()?;
    let bytes = published.container_bytes.map(|bytes| format!("{} bytes", number(bytes)));
    let [quickbuf, newer, older] = bytes;
    rows.push(["size".to_owned(), quickbuf, newer, older, String::new()]);
    let head =
        ["", "QuickBuffers", "FlatBuffers 1.11.0 → 2.0.8", "FlatBuffers 1.10.0", "share of time"];
    Ok(table(head, &rows))
}

/// The median of a method of the streams; `None` where the suites do not have it.
fn measured(times: &Times, method: &str, library: &str, stream: u32) -> Result<Option<f64>, Error> {
    let median = |method| match id(method, library, stream) {
        id if times.has(&id) => times.median(&id).map(Some),
        _ => Ok(None),
    };
    match method {
        "write" => {
            let (both, read) = (median("readWrite")?, median("read")?);
            Ok(both.zip(read).map(|(both, read)| both - read))
        }
        "read" | "readWrite" => median(method),
        _ => Err(Error::content(JAVA, format!("no method `{method}` of the streams"))),
    }
}

fn id(method: &str, library: &str, stream: u32) -> String {
    let class = match library {
        "quickbuf" | "protobuf" => "Streams",
        _ => "OtherStreams",
    };
    format!("robobuffers.{class}.{method}/library={library}/stream={stream}")
}

/// Of two benchmarks of the record.
fn ratio(times: &Times, benchmark: &str, of: &str) -> Result<Option<f64>, Error> {
    match times.missing_of(&[benchmark, of]) {
        Some(_) => Ok(None),
        None => times.ratio(benchmark, of).map(Some),
    }
}

/// A published share and the measured one.
fn both(published: Option<f64>, measured: Option<f64>) -> String {
    let shown = |share: Option<f64>| or_dash(share, |share| format!("{share:.3}"));
    match (published, measured) {
        (None, None) => "–".to_owned(),
        _ => format!("{} → {}", shown(published), shown(measured)),
    }
}

fn short(id: &str) -> &str {
    id.trim_start_matches("robobuffers.Sbe.")
}
