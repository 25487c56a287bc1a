//! Reads lists of numbers such as `3, 14, 15`.

/// The sum of a list.
pub fn sum(list: &str) -> u64 {
    numbers(list).sum()
}

/// The largest number of a list.
pub fn largest(list: &str) -> Option<u64> {
    list.split(',').filter_map(|part| part.trim().parse().ok()).max()
}

fn numbers(list: &str) -> impl Iterator<Item = u64> + '_ {
    list.split(',').filter_map(|part| part.trim().parse().ok())
}
