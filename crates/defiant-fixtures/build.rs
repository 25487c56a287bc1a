//! Generates the same messages twice, and some with one library alone.

use std::env;
use std::error::Error;
use std::path::PathBuf;

use protox::prost::Message as _;

/// Where they are: those of this crate, and those of the benchmark messages.
const FOLDERS: [&str; 2] = ["protos", "../../benches/protos"];

const PROTOS: [&str; 10] = [
    "benchmarks.proto",
    "everything_proto2.proto",
    "everything_proto3.proto",
    "google_message1_proto2.proto",
    "google_message1_proto3.proto",
    "google_message2.proto",
    "kept.proto",
    "packed.proto",
    "telemetry.proto",
    "well_known.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
    }
    let out_dir = PathBuf::from(env::var("OUT_DIR")?);
    let descriptors = protox::compile(PROTOS, FOLDERS)?;
    std::fs::write(out_dir.join("descriptors.bin"), descriptors.encode_to_vec())?;
    for library in ["defiant", "prost"] {
        std::fs::create_dir_all(out_dir.join(library))?;
    }
    defiant_build::Config::new()
        .out_dir(out_dir.join("defiant"))
        .include_file("all.rs")
        .serde([".everything"])
        .owned([".everything"])
        .unknown_fields([".kept"])
        .compile_fds(descriptors.clone())?;
    defiant_build::Config::new()
        .out_dir(&out_dir)
        .serde(["."])
        .owned(["."])
        .compile_protos(&["names.proto"], &["protos"])?;
    prost_build::Config::new()
        .out_dir(out_dir.join("prost"))
        .include_file("all.rs")
        .btree_map(["."])
        .compile_well_known_types()
        .disable_comments([".google"])
        .compile_fds(descriptors)?;
    Ok(())
}
