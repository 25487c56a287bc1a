//! Times of the suite `dataset`, by message, operation and library.

use super::{Sources, relations};
use crate::error::Error;
use crate::generate::evidence::published::Speed;
use crate::generate::evidence::recorded::Times;
use crate::generate::evidence::table::{duration, or_dash, table};

const OFFICIAL: [&str; 3] = ["google_message1_proto2", "google_message1_proto3", "google_message2"];
const UTF8: &str = "google_message2_utf8";
const OPERATIONS: [&str; 5] = ["decode", "decode_reused", "decode_copied", "encode", "encoded_len"];

fn id(message: &str, operation: &str, library: &str) -> String {
    format!("dataset/{message}/{operation}/{library}")
}

/// The published table, each cell with the measured value.
pub(super) fn speed(sources: &Sources) -> Result<String, Error> {
    let times = &sources.times;
    let rows = sources.published.speed.iter().map(|speed| {
        let Speed { message, operation, prost, defiant, pilota } = speed;
        let both = |published: Option<f64>, operation: &str, library: &str| {
            let id = id(message, operation, library);
            let measured = if times.has(&id) { Some(times.median(&id)?) } else { None };
            Ok(match (published, measured) {
                (None, None) => "–".to_owned(),
                _ => format!("{} → {}", or_dash(published, duration), or_dash(measured, duration)),
            })
        };
        // Theirs copies text, so its decode is the copying one.
        let ours = if operation == "decode" { "decode_copied" } else { operation };
        Ok([
            format!("`{message}` {operation}"),
            both(Some(*prost), operation, "prost")?,
            both(Some(*defiant), ours, "defiant")?,
            both(*pilota, operation, "pilota")?,
            format!("{:.2} → {}", defiant / prost, measured_ratio(times, message, ours)?),
        ])
    });
    Ok(table(
        ["published → measured", "prost", "defiant", "pilota", "defiant / prost"],
        &rows.collect::<Result<Vec<_>, Error>>()?,
    ))
}

fn measured_ratio(times: &Times, message: &str, operation: &str) -> Result<String, Error> {
    let (defiant, prost) =
        (id(message, operation, "defiant"), id(message, of_prost(operation), "prost"));
    match times.missing_of(&[&defiant, &prost]) {
        Some(missing) => Ok(missing),
        None => relations::ratio(times, &defiant, &prost),
    }
}

/// Everything that was measured.
pub(super) fn times(sources: &Sources) -> Result<String, Error> {
    let mut rows = Vec::new();
    for message in OFFICIAL.into_iter().chain([UTF8]) {
        for operation in OPERATIONS {
            if sources.times.has(&id(message, operation, "defiant")) {
                rows.push(row(&sources.times, message, operation)?);
            }
        }
    }
    Ok(table(["", "prost", "defiant", "pilota", "defiant / prost", "pilota / prost"], &rows))
}

fn row(times: &Times, message: &str, operation: &str) -> Result<[String; 6], Error> {
    let median = |library| match id(message, operation, library) {
        id if times.has(&id) => times.median(&id).map(duration),
        _ => Ok("–".to_owned()),
    };
    let ratio = |library| match id(message, operation, library) {
        this if times.has(&this) => {
            let other = id(message, of_prost(operation), "prost");
            match times.missing_of(&[&other]) {
                Some(missing) => Ok(missing),
                None => relations::ratio(times, &this, &other),
            }
        }
        _ => Ok("–".to_owned()),
    };
    Ok([
        format!("`{message}` {operation}"),
        median("prost")?,
        median("defiant")?,
        median("pilota")?,
        ratio("defiant")?,
        ratio("pilota")?,
    ])
}

/// prost's decoded messages own their text, so that its `decode` is what a copying one is compared with. What is used
/// again is compared with what is used again.
fn of_prost(operation: &str) -> &str {
    if operation == "decode_copied" { "decode" } else { operation }
}

/// The ratios with the official messages alongside those with the generated ones.
pub(super) fn official(sources: &Sources) -> Result<String, Error> {
    let Some(official) = &sources.official else {
        return Ok("Not recorded yet; `scripts/evidence/record --datasets FOLDER` does.".to_owned());
    };
    let mut rows = Vec::new();
    for message in OFFICIAL {
        for operation in OPERATIONS {
            let defiant = id(message, operation, "defiant");
            let prost = id(message, of_prost(operation), "prost");
            let records = [&sources.times, official];
            if let Some(missing) = records.iter().find_map(|times| times.missing_of(&[&prost])) {
                rows.push([
                    format!("`{message}` {operation}"),
                    duration(sources.times.median(&defiant)?),
                    duration(official.median(&defiant)?),
                    missing,
                    String::new(),
                    String::new(),
                ]);
                continue;
            }
            let generated = sources.times.ratio(&defiant, &prost)?;
            let official_ratio = official.ratio(&defiant, &prost)?;
            rows.push([
                format!("`{message}` {operation}"),
                duration(sources.times.median(&defiant)?),
                duration(official.median(&defiant)?),
                format!("{generated:.2}"),
                format!("{official_ratio:.2}"),
                format!("{:+.0} %", (official_ratio / generated - 1.0) * 100.0),
            ]);
        }
    }
    let table = table(
        ["", "defiant, generated", "official", "/ prost, generated", "official", "difference"],
        &rows,
    );
    Ok(format!(
        "Recorded apart, so that a difference is one of the messages, of the time, and of the code where the commits \
         differ: generated ones at {}; official ones at {}.\n\n{table}",
        sources.times.occasion, official.occasion
    ))
}
