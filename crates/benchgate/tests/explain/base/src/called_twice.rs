use crate::Data;

pub fn run(data: &Data) -> u64 {
    data.text.lines().map(|line| width(line) as u64).sum()
}

fn width(line: &str) -> usize {
    trimmed(line).len()
}

#[inline(never)]
fn trimmed(line: &str) -> &str {
    line.trim()
}
