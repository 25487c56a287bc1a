use crate::Data;

pub fn run(data: &Data) -> u64 {
    join(&data.words).len() as u64
}

fn join(words: &[String]) -> String {
    let mut text = String::with_capacity(16 * words.len());
    for word in words {
        text.push_str(word);
        text.push(' ');
    }
    text
}
