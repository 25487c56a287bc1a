//! `cargo +nightly fuzz run read_stream`, from the directory of the crate.

#![no_main]

mod property;

libfuzzer_sys::fuzz_target!(|input: &[u8]| property::readers_agree_and_rewriting_gives_the_stream_back(input));
