//! Whether base and head fit into memory while both are alive.

use crate::model::Held;

/// Whether processes that held so many bytes fit: into the policy's limit, or into nine tenths of what is available. A
/// process may hold more than it did before, and what is `None` is not known: then they are led together.
pub fn fits(held: Held, limit: Option<u64>, available: Option<u64>) -> bool {
    let most = limit.or_else(|| available.map(|bytes| bytes / 10 * 9));
    most.is_none_or(|most| held.both() <= most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Sides;

    fn held(base: u64, head: u64) -> Held {
        Held { peaks: Sides::new(base, head), in_turn: false }
    }

    #[test]
    fn both_sides_have_nine_tenths_of_what_is_available_or_what_the_policy_says() {
        let cases = [
            ("nothing is known", 5_000, None, None, true),
            ("just", 900, None, Some(1_000), true),
            ("a byte more", 901, None, Some(1_000), false),
            ("the limit alone counts: below", 901, Some(901), Some(1_000), true),
            ("above", 902, Some(901), Some(1_000_000), false),
            ("no overflow", u64::MAX, None, Some(u64::MAX), false),
        ];
        for (name, both, limit, available, expected) in cases {
            let held = held(both / 2, both - both / 2);
            assert_eq!(fits(held, limit, available), expected, "{name}");
        }
        assert!(!fits(held(u64::MAX, u64::MAX), Some(u64::MAX - 1), None));
    }
}
