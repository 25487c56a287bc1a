//! What is around a word of a source: macros, attributes and modules.

use super::words::Word;

/// Macros of the standard library, which read no files; `include!` and its like are looked at by themselves.
pub(super) const READ_NOTHING: [&str; 30] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "matches",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
];

/// The brackets around a word: for each, whether what it is in may read a file that it names. Only macros and
/// attributes read files while the compiler runs.
#[derive(Default)]
pub(super) struct Nested {
    reads: Vec<bool>,
    /// The depths of attributes.
    attributes: Vec<usize>,
    /// The depths of `include!` and its like.
    includes: Vec<usize>,
    /// The depths of what `macro_rules!` defines.
    rules: Vec<usize>,
    /// The depths of modules whose code follows their name.
    modules: Vec<usize>,
}

impl Nested {
    pub(super) fn follow(&mut self, before: &[Word<'_>], word: &Word<'_>) {
        match word {
            Word::Mark(b'(' | b'[' | b'{') => {
                let own = match before {
                    [.., Word::Name(name), Word::Mark(b'!')] => !READ_NOTHING.contains(name),
                    [.., Word::Mark(b'#')] | [.., Word::Mark(b'#'), Word::Mark(b'!')] => true,
                    _ => false,
                };
                self.reads.push(own || self.is_in_macro());
                if matches!(
                    before,
                    [.., Word::Mark(b'#')] | [.., Word::Mark(b'#'), Word::Mark(b'!')]
                ) {
                    self.attributes.push(self.reads.len());
                }
                match before {
                    [
                        ..,
                        Word::Name("include" | "include_str" | "include_bytes"),
                        Word::Mark(b'!'),
                    ] => self.includes.push(self.reads.len()),
                    [.., Word::Name("macro_rules"), Word::Mark(b'!'), Word::Name(_)] => {
                        self.rules.push(self.reads.len());
                    }
                    [.., Word::Name("mod"), Word::Name(_)] => self.modules.push(self.reads.len()),
                    _ => {}
                }
            }
            Word::Mark(b')' | b']' | b'}') => {
                self.reads.pop();
                let depth = self.reads.len();
                let all =
                    [&mut self.attributes, &mut self.includes, &mut self.rules, &mut self.modules];
                all.into_iter().for_each(|depths| depths.retain(|inner| *inner <= depth));
            }
            _ => {}
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.reads.len()
    }

    pub(super) fn is_in_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    pub(super) fn is_in_module(&self) -> bool {
        !self.modules.is_empty()
    }

    pub(super) fn is_in_include(&self) -> bool {
        !self.includes.is_empty()
    }

    pub(super) fn is_in_attribute(&self) -> bool {
        !self.attributes.is_empty()
    }

    pub(super) fn is_in_macro(&self) -> bool {
        self.reads.last().is_some_and(|reads| *reads)
    }
}
