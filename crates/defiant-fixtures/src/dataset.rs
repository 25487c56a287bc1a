//! The messages of Google's protobuf benchmarks: the official ones, and one of the same shape.

use std::path::Path;

use prost::Message as _;

use crate::prost::benchmarks;
use crate::prost::benchmarks::proto2::{
    GoogleMessage2, GoogleMessage2GroupedMessage, google_message2::Group1,
};

/// The payload of an official dataset, from the folder named by `BENCH_DATASETS` or, without that,
/// `../shared/datasets`, both seen from the workspace. `None`, and a line on standard error, if
/// there is no such file.
#[expect(clippy::print_stderr, reason = "a test that checks nothing must say so")]
pub fn official(name: &str) -> Option<Vec<u8>> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = std::env::var_os("BENCH_DATASETS").unwrap_or_else(|| "../shared/datasets".into());
    let folder = workspace.join(named);
    let path = folder.join(format!("dataset.{name}.pb"));
    let Ok(bytes) = std::fs::read(&path) else {
        eprintln!("skipped: no {}; BENCH_DATASETS can name the folder", path.display());
        return None;
    };
    let dataset = benchmarks::BenchmarkDataset::decode(bytes.as_slice()).ok()?;
    dataset.payload.into_iter().next()
}

/// An encoded `GoogleMessage2` like the official one: 1000 groups with one text of 16 to 172 bytes
/// each and a sub-message, 27 repeated integers, 81 to 87 KB.
pub fn like_google_message2() -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let group1 = (0..1000).map(|at| Group1 {
        field5: Some(random(1 << 20) as i32),
        field11: random(1000) as f32,
        field12: Some("x".repeat(16 + random(71) as usize)),
        field15: random(u64::MAX) >> 8,
        field31: Some(GoogleMessage2GroupedMessage {
            field1: Some(random(100) as f32),
            field11: (at % 3 == 0).then_some(random(1 << 40) as i64),
            ..Default::default()
        }),
        field73: if at % 37 == 0 { vec![random(1000) as i32] } else { Vec::new() },
        ..Default::default()
    });
    let group1 = group1.collect();
    let message = GoogleMessage2 {
        field2: Some(vec![7; 1428]),
        field3: Some(1),
        field21: Some(2),
        field25: Some(0.5),
        field71: Some(3),
        group1,
        ..Default::default()
    };
    message.encode_to_vec()
}
