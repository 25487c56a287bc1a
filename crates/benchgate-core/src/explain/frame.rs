//! A function in a chain of inlined calls: its name without hashes, whose code it is, and where.

/// A step of an inline chain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    /// The name of the function.
    pub name: Name,
    /// Its file, below the checkout or the package.
    pub file: String,
    /// The line that runs, or that calls the next inner frame; 0 where none is known.
    pub line: u32,
    /// Whose code it is.
    pub owner: Owner,
}

/// Whose code a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// The repository's, or a dependency's.
    Own,
    /// The standard library's.
    Library,
    /// Criterion's.
    Harness,
}

/// The name of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The last part: `skip_ws`. Of an inlined function, that is all that line tables keep.
    pub short: String,
    /// With its path, where the symbol has it: `parse::skip_ws`.
    pub path: Option<String>,
    /// Whether it is a closure; `short` is then that of the function that it is in, where that is known.
    pub is_closure: bool,
}

/// Name of a closure whose function is not known.
pub const CLOSURE: &str = "{closure}";

impl Name {
    /// The name in a symbol or in debug information.
    pub fn read(raw: &str) -> Self {
        // Callgrind marks the level of a recursion.
        let raw = raw.split('\'').next().unwrap_or(raw);
        let demangled = format!("{:#}", rustc_demangle::demangle(raw));
        let mut parts = parts(&demangled);
        let mut is_closure = false;
        while let Some(last) = parts.last() {
            is_closure |= last.starts_with('{');
            // `{closure#0}`, `{{closure}}`, and the arguments of `name::<T>`.
            if !(last.starts_with('{') || last.starts_with('<') && parts.len() > 1) {
                break;
            }
            parts.pop();
        }
        let Some(last) = parts.last() else {
            return Self { short: CLOSURE.to_owned(), path: None, is_closure: true };
        };
        let short = match last.find('<') {
            Some(at) if at > 0 => &last[..at],
            _ => last,
        };
        let path = (parts.len() > 1).then(|| {
            let (_, before) = parts.split_last().unwrap_or((&"", &[]));
            format!("{}::{short}", before.join("::"))
        });
        Self { short: short.to_owned(), path, is_closure }
    }
}

/// A path at its `::`, but for those within brackets.
fn parts(path: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    let bytes = path.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            // Not that of `->`.
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' | b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b':' if depth == 0 && bytes.get(at + 1) == Some(&b':') => {
                parts.push(&path[start..at]);
                at += 1;
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&path[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

impl Frame {
    /// A frame as the debug information of an executable has it. `checkout` is the top of its checkout.
    pub fn read(name: &str, file: &str, line: u32, checkout: &str) -> Self {
        let (file, owner) = place(file, checkout);
        Self { name: Name::read(name), file, line, owner }
    }
}

/// A file as it is shown, and whose it is.
fn place(file: &str, checkout: &str) -> (String, Owner) {
    if let Some(inside) = file.strip_prefix(checkout).and_then(|file| file.strip_prefix('/')) {
        return (inside.to_owned(), Owner::Own);
    }
    let is_library = ["/rustc/", "/rust/deps/"].iter().any(|start| file.starts_with(start))
        || file.contains("/lib/rustlib/src/rust/");
    if is_library {
        let from = file.find("/library/").map_or(file, |at| &file[at + 1..]);
        return (from.to_owned(), Owner::Library);
    }
    // `~/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/name-1.0.0/src/lib.rs`, and of git
    // `~/.cargo/git/checkouts/name-0123456789abcdef/0123456/src/lib.rs`.
    let below = |start: &str, skip: usize| {
        let (_, rest) = file.split_once(start)?;
        rest.splitn(skip + 1, '/').nth(skip)
    };
    let package = below("/registry/src/", 1)
        .or_else(|| below("/git/checkouts/", 0))
        // The crate that takes Criterion's place: `criterion-0.5.1-0123456789abcdef/src/lib.rs`.
        .or_else(|| below("/benchgate/runtime/", 0));
    let Some(package) = package else { return (file.to_owned(), Owner::Own) };
    let is_harness = package.strip_prefix("criterion-").is_some_and(|rest| {
        rest.starts_with(|first: char| first.is_ascii_digit()) || rest.starts_with("plot-")
    });
    (package.to_owned(), if is_harness { Owner::Harness } else { Owner::Own })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_both_manglings_and_from_debug_information() {
        let raw = [
            "_ZN3exp5parse5words17h13de3d5f04288779E",
            "_ZN3exp5parse5words17h13de3d5f04288779E'2",
            "_ZN9criterion7bencher16Bencher$LT$M$GT$4iter17h13de3d5f04288779E",
            "_ZN1b5bench28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE",
            "_RNvNtCs1234_7mycrate3foo3bar",
            "_RINvNtC3std3mem8align_ofNtNtC3std3mem12DiscriminantE",
            "<parse::Words as core::iter::Iterator>::next",
            "new<alloc::string::String>",
            "{closure#0}",
            "{closure_env#0}<fn(u8) -> u8>",
            "malloc",
            "",
        ];
        let table: String =
            raw.iter().map(|raw| format!("{raw}: {:?}\n", Name::read(raw))).collect();
        insta::assert_snapshot!(table);
    }

    #[test]
    fn a_file_says_whose_code_it_is() {
        let files = [
            "/c/base/src/lib.rs",
            "/c/baseline/src/lib.rs",
            "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/num/mod.rs",
            "/rust/deps/hashbrown-0.16.1/src/raw/mod.rs",
            "/h/.rustup/toolchains/stable/lib/rustlib/src/rust/library/alloc/src/vec/mod.rs",
            "/h/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/criterion-0.8.2/src/bencher.rs",
            "/h/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/criterion-extra-1.0.0/src/lib.rs",
            "/h/.cargo/git/checkouts/serde-0123456789abcdef/0123456/src/lib.rs",
            "/somewhere/else.c",
        ];
        let table: String =
            files.iter().map(|file| format!("{:?}\n", place(file, "/c/base"))).collect();
        insta::assert_snapshot!(table);
    }
}
