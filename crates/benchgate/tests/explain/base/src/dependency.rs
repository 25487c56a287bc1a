use crate::Data;

pub fn run(data: &Data) -> u64 {
    u64::from(checksum::of(data.text.as_bytes()))
}
