//! `scripts/fuzz decode`. Without a fuzzer, the test `fuzz` of `defiant-fixtures` runs the same on
//! the corpus and on mutations of it.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| defiant_fixtures::check::any_input(input));
