use crate::Data;

pub fn run(data: &Data) -> u64 {
    order(&data.words).len() as u64
}

fn order(words: &[String]) -> Vec<&String> {
    let mut words: Vec<&String> = words.iter().collect();
    words.sort_by_key(|word| word.to_lowercase());
    words
}
