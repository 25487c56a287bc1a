//! Counts of the suites `allocations` and `stream_allocations`, for one iteration.

use super::Sources;
use crate::error::Error;
use crate::generate::evidence::published::Blocks;
use crate::generate::evidence::recorded::Allocations;
use crate::generate::evidence::table::{number, or_dash, table};

pub(super) fn dataset(sources: &Sources) -> Result<String, Error> {
    let mut rows = Vec::new();
    for Allocations { id, blocks, bytes, peak } in &sources.dataset_allocations {
        let published = sources.published.allocations.iter().find(|published| published.id == *id);
        // One sentence stands for the rows of nothing but zeros.
        if *blocks == 0 && published.is_none() && !id.contains("reused") {
            continue;
        }
        let shown = |figure: fn(&Blocks) -> u64| or_dash(published, |row| number(figure(row)));
        let encoded = encoded_bytes(id);
        rows.push([
            format!("`{}`", id.trim_start_matches("dataset/")),
            shown(|row| row.blocks),
            shown(|row| row.bytes),
            or_dash(published, |row| overhead(row.bytes, encoded)),
            number(*blocks),
            number(*bytes),
            overhead(*bytes, encoded),
            number(*peak),
        ]);
    }
    let head = ["", "published blocks", "bytes", "overhead", "blocks", "bytes", "overhead", "peak"];
    Ok(table(head, &rows))
}

/// Bytes of the message that is decoded.
fn encoded_bytes(id: &str) -> u64 {
    if id.contains("google_message1") { 228 } else { 84_570 }
}

/// Allocated bytes as a multiple of the encoded ones, as the published table has them.
fn overhead(allocated: u64, encoded: u64) -> String {
    match allocated {
        0 => "0x".to_owned(),
        _ => format!("{:.1}x", allocated as f64 / encoded as f64),
    }
}

pub(super) fn stream(sources: &Sources) -> Result<String, Error> {
    let rows = sources.stream_allocations.iter().map(|Allocations { id, blocks, bytes, peak }| {
        [
            format!("`{}`", id.trim_start_matches("stream/")),
            number(*blocks),
            number(*bytes),
            number(*peak),
        ]
    });
    Ok(table(["", "blocks", "bytes", "peak bytes"], &rows.collect::<Vec<_>>()))
}
