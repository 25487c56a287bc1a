//! `scripts/fuzz read_stream`. Without a fuzzer, the test `fuzz_corpus` of the crate runs the same on
//! the corpus and on mutations of it.

#![no_main]

mod property;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    property::readers_agree_and_rewriting_gives_the_stream_back(input)
});
