//! Functions with a slowdown each that `scripts/evidence/explain-fixtures` plants.

pub mod bounds_check;
pub mod boxed;
pub mod called_twice;
pub mod checked;
pub mod clone;
pub mod collected;
pub mod deep_helper;
pub mod dependency;
pub mod dynamic_dispatch;
pub mod early_exit;
pub mod extra_allocation;
pub mod formatting;
pub mod hash;
pub mod inlined_helper;
pub mod linear_search;
pub mod lost_cache;
pub mod lost_inline;
pub mod pushing;
pub mod quadratic_loop;
pub mod recursion;
pub mod sorting;
pub mod utf8;
pub mod with_setup;
pub mod wrong_capacity;

/// Input of the functions.
pub struct Data {
    pub text: String,
    pub words: Vec<String>,
    pub numbers: Vec<u64>,
    pub others: Vec<u64>,
    pub sorted: Vec<u64>,
}

impl Data {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        let mut state = 42_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let numbers: Vec<u64> = (0..600).map(|_| next()).collect();
        let others: Vec<u64> = (0..600).map(|_| next()).collect();
        let words: Vec<String> = (0..200).map(|_| format!("{:x}ae", next() % 4096)).collect();
        let text = words.chunks(5).map(|line| format!("  {}\t\n", line.join(" "))).collect();
        let mut sorted = numbers[..300].to_vec();
        sorted.sort_unstable();
        Self { text, words, numbers, others, sorted }
    }
}
