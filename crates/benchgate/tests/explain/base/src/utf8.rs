use crate::Data;

pub fn run(data: &Data) -> u64 {
    vowels(&data.text) as u64
}

fn vowels(text: &str) -> usize {
    text.bytes().filter(|letter| matches!(letter, b'a' | b'e' | b'o')).count()
}
