//! The name that somebody may have meant.

/// The name nearest to one that is not there; `None` when none is near.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = name.chars().count().div_ceil(3);
    let near = known.map(|other| (distance(name, other), other));
    near.filter(|(distance, _)| *distance <= most).min().map(|(_, other)| other)
}

/// How many characters have to be added, removed or replaced.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, a) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, b) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_near_and_another_word_is_not() {
        let known = ["simd", "std", "serde"];
        assert_eq!(nearest("smid", known.into_iter()), Some("simd"));
        assert_eq!(nearest("serd", known.into_iter()), Some("serde"));
        assert_eq!(nearest("benchmarks", known.into_iter()), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
