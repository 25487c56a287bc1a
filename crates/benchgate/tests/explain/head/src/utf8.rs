use crate::Data;

pub fn run(data: &Data) -> u64 {
    vowels(&data.text) as u64
}

fn vowels(text: &str) -> usize {
    text.chars().filter(|letter| matches!(letter, 'a' | 'e' | 'o')).count()
}
