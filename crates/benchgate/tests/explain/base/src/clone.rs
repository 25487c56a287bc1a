use crate::Data;

pub fn run(data: &Data) -> u64 {
    longest(&data.words) as u64
}

fn longest(words: &[String]) -> usize {
    let mut longest = 0;
    for word in words {
        let word = word;
        longest = longest.max(word.bytes().filter(u8::is_ascii_lowercase).count());
    }
    longest
}
