//! Which line of the head was which line of the base.

use std::collections::BTreeMap;

use similar::{Algorithm, DiffOp};

/// Of each file that differs, the line of the head for each line of the base that is still there. A file that is not
/// listed has the same lines on both sides.
pub type Moved = BTreeMap<String, BTreeMap<u32, u32>>;

/// The lines of a file's base that its head still has, counted from 1.
pub fn moved(base: &str, head: &str) -> BTreeMap<u32, u32> {
    let [base, head] = [base, head].map(|text| text.lines().collect::<Vec<_>>());
    let number = |line: usize| u32::try_from(line + 1).unwrap_or(u32::MAX);
    similar::capture_diff_slices(Algorithm::Myers, &base, &head)
        .into_iter()
        .filter_map(|op| match op {
            DiffOp::Equal { old_index, new_index, len } => Some((old_index, new_index, len)),
            _ => None,
        })
        .flat_map(|(old, new, len)| (0..len).map(move |n| (number(old + n), number(new + n))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_moved_are_found_and_those_that_changed_are_not() {
        let lines = moved("a\nb\nc\nd\n", "new\na\nb\nC\nd\n");
        assert_eq!(lines, BTreeMap::from([(1, 2), (2, 3), (4, 5)]));
    }
}
