//! Published values of framed streams, alongside the measured ones.

use super::{Sources, relations};
use crate::error::Error;
use crate::generate::evidence::published::{Checksums, Iterations, Range, Rate, Versions};
use crate::generate::evidence::table::{duration, number, or_dash, table};

const GIBIBYTE: f64 = (1 << 30) as f64;

/// The two versions. Their times are of other messages on another machine, so the ratios are what to
/// compare.
pub(super) fn versions(Sources { times, published, .. }: &Sources) -> Result<String, Error> {
    let rows = published.version.iter().map(|versions| {
        let Versions { what, first, first_us, second, second_us } = versions;
        let (medians, ratio) = match times.missing_of(&[second, first]) {
            Some(missing) => (missing, String::new()),
            None => (
                relations::medians(times, second, first)?,
                format!("**{:.3}**", times.ratio(second, first)?),
            ),
        };
        Ok([
            format!("{what}: `{second}` / `{first}`"),
            format!("{} / {first_us:.1} µs", or_dash(*second_us, |us| format!("{us:.1}"))),
            medians,
            or_dash(*second_us, |us| format!("{:.3}", us / first_us)),
            ratio,
        ])
    });
    Ok(table(
        ["second version / first", "published", "measured", "published ratio", "measured ratio"],
        &rows.collect::<Result<Vec<_>, Error>>()?,
    ))
}

/// The numbers of iterations, and the times that the same document has.
pub(super) fn iterations(Sources { times, published, .. }: &Sources) -> Result<String, Error> {
    let rows = published.iteration_rows().map(|(iterations, versions)| {
        let Iterations { what, first, second, .. } = iterations;
        let Versions { first: first_id, first_us, second: second_id, second_us, .. } = versions;
        Ok([
            what.clone(),
            format!("{} / {}", number((*second).into()), number((*first).into())),
            format!("{:.3}", f64::from(*first) / f64::from(*second)),
            or_dash(*second_us, |us| format!("{:.3}", us / first_us)),
            format!("**{:.3}**", times.ratio(second_id, first_id)?),
        ])
    });
    Ok(table(
        [
            "second version / first",
            "iterations",
            "ratio of times by them",
            "published ratio",
            "measured ratio",
        ],
        &rows.collect::<Result<Vec<_>, Error>>()?,
    ))
}

/// The checksums, of which only writing is published.
pub(super) fn checksums(Sources { times, published, .. }: &Sources) -> Result<String, Error> {
    let rows = published.checksum.iter().map(|checksums| {
        let Checksums { benchmark, xxhash64_us, crc32_us, crc16_us, payload_bytes, .. } = checksums;
        let cell = |us: Option<f64>, rate: &Option<String>, name: &str| {
            let nanoseconds = times.median(&format!("{benchmark}/{name}"))?;
            let measured = duration(nanoseconds);
            Ok(match (us, rate, payload_bytes) {
                (Some(us), Some(rate), Some(bytes)) => {
                    let measured_rate = f64::from(*bytes) / nanoseconds * 1e9 / GIBIBYTE;
                    format!("{us:.2} µs ({rate}) → {measured} ({measured_rate:.2} GiB/s)")
                }
                (Some(us), ..) => format!("{us:.2} µs → {measured}"),
                (None, ..) => measured,
            })
        };
        Ok([
            format!("`{benchmark}`"),
            cell(*xxhash64_us, &checksums.xxhash64_rate, "XXHash64")?,
            cell(*crc32_us, &checksums.crc32_rate, "CRC32")?,
            cell(*crc16_us, &checksums.crc16_rate, "CRC16")?,
        ])
    });
    Ok(table(
        ["published → measured", "XXHash64", "CRC32", "CRC16"],
        &rows.collect::<Result<Vec<_>, Error>>()?,
    ))
}

/// The ranges that the guide calls acceptable.
pub(super) fn ranges(Sources { times, published, .. }: &Sources) -> Result<String, Error> {
    let rows = published.range.iter().map(|Range { what, published, benchmark, of }| {
        let measured = match of {
            Some(of) => format!("{:.0} % less time", (1.0 - times.ratio(benchmark, of)?) * 100.0),
            None => duration(times.median(benchmark)?),
        };
        Ok([what.clone(), published.clone(), format!("`{benchmark}`"), measured])
    });
    Ok(table(["", "published", "benchmark", "measured"], &rows.collect::<Result<Vec<_>, Error>>()?))
}

/// Messages in a second, of everything in the groups that write and read.
pub(super) fn rates(Sources { times, published, .. }: &Sources) -> Result<String, Error> {
    let mut rows = Vec::new();
    for Rate { group, messages } in &published.rate {
        for id in times.in_group(group) {
            let nanoseconds = times.median(id)?;
            rows.push([
                format!("`{id}`"),
                duration(nanoseconds),
                format!("{:.1}", f64::from(*messages) / nanoseconds * 1e3),
            ]);
        }
    }
    Ok(table(["", "median", "million messages in a second"], &rows))
}
