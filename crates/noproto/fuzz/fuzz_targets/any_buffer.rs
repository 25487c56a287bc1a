//! `scripts/fuzz any_buffer`. Without a fuzzer, the test `hostile` of the crate runs the same on the
//! corpus, on every truncation and bit flip of it, and on mutations.

#![no_main]

mod property;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    property::any_input(input);
    property::any_edit(input);
});
