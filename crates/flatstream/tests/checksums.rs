//! The checksums agree with published answers and with implementations by other authors.

#![cfg(any(feature = "crc16", feature = "crc32", feature = "xxhash"))]

use flatstream::Checksum;

/// The input of the `check` column in the CRC catalogue.
const DIGITS: &[u8] = b"123456789";

/// Lengths around every size at which one of the implementations changes its way of working.
fn inputs() -> impl Iterator<Item = Vec<u8>> {
    let lengths = (0..=300).chain([511, 512, 513, 1023, 1024, 1025, 4096, 10_000]);
    lengths.map(|len| (0..len).map(|i: u32| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect())
}

fn agrees<C: Checksum>(ours: &C, theirs: impl Fn(&[u8]) -> u64) {
    for input in inputs() {
        assert_eq!(ours.calculate(&input), theirs(&input), "{} bytes", input.len());
    }
}

#[cfg(feature = "crc16")]
#[test]
fn crc16_gives_the_catalogued_answer_for_xmodem() {
    assert_eq!(flatstream::Crc16.calculate(DIGITS), 0x31C3);
    assert_eq!(flatstream::Crc16.calculate(b""), 0);
}

#[cfg(feature = "crc16")]
#[test]
fn crc16_agrees_with_another_implementation() {
    agrees(&flatstream::Crc16, |input| crc16::State::<crc16::XMODEM>::calculate(input).into());
}

#[cfg(feature = "crc32")]
#[test]
fn crc32_gives_the_catalogued_answer_for_iso_hdlc() {
    assert_eq!(flatstream::Crc32.calculate(DIGITS), 0xCBF4_3926);
    assert_eq!(flatstream::Crc32.calculate(b""), 0);
}

#[cfg(feature = "crc32")]
#[test]
fn crc32_agrees_with_both_implementations_that_it_is_made_of() {
    let other = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
    agrees(&flatstream::Crc32, |input| other.checksum(input).into());
    agrees(&flatstream::Crc32, |input| crc32fast::hash(input).into());
}

#[cfg(feature = "xxhash")]
#[test]
fn xxhash_gives_the_published_answers_for_xxh3_64() {
    assert_eq!(flatstream::XxHash64.calculate(b""), 0x2D06_8005_38D3_94C2);
    assert_eq!(flatstream::XxHash64.calculate(DIGITS), 0x72DC_B18B_67A1_7DFF);
}

#[cfg(feature = "xxhash")]
#[test]
fn xxhash_agrees_with_another_implementation() {
    agrees(&flatstream::XxHash64, xxhash_rust::xxh3::xxh3_64);
}
