//! Published values of framed streams, alongside the measured ones.

use super::Sources;
use crate::error::Error;
use crate::generate::published::{Checksums, Range, Rate, Versions};
use crate::generate::table::{duration, or_dash, table};

/// The two versions. Their times are of other messages on another machine, so the ratios are what to
/// compare.
pub(super) fn versions(Sources { times, published, .. }: &Sources) -> Result<String, Error> {
    let rows = published.version.iter().map(|versions| {
        let Versions { what, first, first_us, second, second_us } = versions;
        let (medians, ratio) = match times.missing_of(&[second, first]) {
            Some(missing) => (missing, String::new()),
            None => (
                format!("{} / {}", duration(times.median(second)?), duration(times.median(first)?)),
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

/// The checksums, of which only writing is published.
pub(super) fn checksums(Sources { times, published, .. }: &Sources) -> Result<String, Error> {
    let rows = published.checksum.iter().map(|checksums| {
        let Checksums { benchmark, xxhash64_us, crc32_us, crc16_us } = checksums;
        let cell = |published: Option<f64>, name: &str| {
            let measured = duration(times.median(&format!("{benchmark}/{name}"))?);
            Ok(match published {
                Some(us) => format!("{us:.2} µs → {measured}"),
                None => measured,
            })
        };
        Ok([
            format!("`{benchmark}`"),
            cell(*xxhash64_us, "XXHash64")?,
            cell(*crc32_us, "CRC32")?,
            cell(*crc16_us, "CRC16")?,
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
