//! The purpose of a place within Criterion's `Bencher`: the routine, its set-up, or Criterion's own loop.
//!
//! All three are inlined into one function. They are distinguished by the lines of `bencher.rs` that call them, and
//! those are known per version.

use super::frame::{Frame, Owner};

/// The purpose of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Routine,
    Setup,
    Harness,
}

/// The lines of one version's `bencher.rs`.
struct Lines {
    /// The first part of the package's version: `0.8.`.
    version: &'static str,
    setup: &'static [u32],
    routine: &'static [u32],
}

/// `iter`, `iter_custom`, `iter_batched`, `iter_batched_ref`, and the same of `AsyncBencher`.
const LINES: [Lines; 6] = [
    Lines {
        version: "0.3.",
        setup: &[258, 273, 348, 364, 639, 654, 737, 753],
        routine: &[88, 137, 261, 277, 351, 368, 453, 509, 642, 660, 740, 759],
    },
    OF_0_4,
    Lines { version: "0.5.", ..OF_0_4 },
    // The three have the same file.
    Lines { version: "0.6.", ..OF_0_8 },
    Lines { version: "0.7.", ..OF_0_8 },
    OF_0_8,
];

const OF_0_4: Lines = Lines {
    version: "0.4.",
    setup: &[249, 264, 339, 355, 631, 646, 729, 745],
    routine: &[88, 137, 252, 268, 342, 359, 445, 501, 634, 652, 732, 751],
};

const OF_0_8: Lines = Lines {
    version: "0.8.",
    setup: &[247, 262, 335, 351, 620, 635, 716, 732],
    routine: &[91, 138, 250, 266, 338, 355, 439, 493, 623, 641, 719, 738],
};

/// The lines of the crate that takes Criterion's place, by file; a test compares them with its source.
const OF_RUNTIME: [(&str, Lines); 2] = [
    (
        "/src/bencher.rs",
        Lines { version: "", setup: &[99, 114, 141, 157], routine: &[43, 55, 102, 118, 144, 161] },
    ),
    (
        "/src/async_bencher.rs",
        Lines { version: "", setup: &[93, 108, 141, 157], routine: &[28, 44, 96, 113, 144, 162] },
    ),
];

/// The lines of a file of Criterion, or of what takes its place.
fn lines_of(file: &str) -> Option<&'static Lines> {
    let version = file.strip_prefix("criterion-")?.split('/').next()?;
    // Its folder has a digest of its content, too.
    let is_of_runtime = version.rsplit_once('-').is_some_and(|(_, digest)| {
        digest.len() == 16 && digest.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    if is_of_runtime {
        let (_, lines) = OF_RUNTIME.iter().find(|(name, _)| file.ends_with(name))?;
        return Some(lines);
    }
    LINES.iter().find(|lines| version.starts_with(lines.version))
}

/// A place within a `Bencher`.
pub(super) struct Within {
    /// Number of the inner frames of its chain that are not the `Bencher`'s.
    pub(super) inner: usize,
    pub(super) purpose: Purpose,
    /// Whether its lines are not known and there may be a set-up: it counts as the routine's.
    pub(super) is_guessed: bool,
}

/// Returns the purpose of a chain, innermost frame first; `None` outside of a `Bencher`. `callee` is the function
/// called there.
pub(super) fn within(chain: &[Frame], callee: Option<&str>) -> Option<Within> {
    let at = chain
        .iter()
        .position(|frame| frame.owner == Owner::Harness && frame.file.ends_with("bencher.rs"))?;
    let frame = chain.get(at)?;
    let inner = &chain[..at];
    let (purpose, is_guessed) = match lines_of(&frame.file) {
        Some(lines) if lines.setup.contains(&frame.line) => (Purpose::Setup, false),
        Some(lines) if lines.routine.contains(&frame.line) => (Purpose::Routine, false),
        Some(_) => (Purpose::Harness, false),
        None if inner.iter().any(|frame| frame.owner == Owner::Own) => (Purpose::Routine, true),
        None if callee.is_some_and(|callee| !is_clock(callee)) => (Purpose::Routine, true),
        None => (Purpose::Harness, true),
    };
    let may_have_setup = frame.name.short.contains("batched") || frame.name.is_closure;
    Some(Within { inner: at, purpose, is_guessed: is_guessed && may_have_setup })
}

fn is_clock(callee: &str) -> bool {
    ["Instant", "measurement", "clock_gettime", "Timespec"]
        .iter()
        .any(|clock| callee.contains(clock))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(name: &str, version: &str, line: u32) -> Frame {
        let file = format!("/r/registry/src/index/criterion-{version}/src/bencher.rs");
        Frame::read(name, &file, line, "/checkout")
    }

    fn own() -> Frame {
        Frame::read("{closure#0}", "/checkout/benches/b.rs", 4, "/checkout")
    }

    #[test]
    fn set_up_and_routine_are_told_apart_by_the_line_that_calls_them() {
        let of = |version, line| {
            let within = within(&[own(), frame("iter_batched", version, line)], None).unwrap();
            (within.inner, within.purpose, within.is_guessed)
        };
        assert_eq!(of("0.8.2", 247), (1, Purpose::Setup, false));
        assert_eq!(of("0.8.2", 250), (1, Purpose::Routine, false));
        assert_eq!(of("0.6.0", 247), (1, Purpose::Setup, false));
        assert_eq!(of("0.5.1", 249), (1, Purpose::Setup, false));
        assert_eq!(of("0.5.1", 252), (1, Purpose::Routine, false));
        assert_eq!(of("0.3.5", 258), (1, Purpose::Setup, false));
        assert_eq!(of("0.8.2", 254), (1, Purpose::Harness, false));
        // A version of which the lines are not known.
        assert_eq!(of("0.9.0", 247), (1, Purpose::Routine, true));
    }

    #[test]
    fn the_lines_of_the_runtime_are_those_of_its_source() {
        let sources = [
            include_str!("../../../benchgate-runtime/criterion/bencher.rs"),
            include_str!("../../../benchgate-runtime/criterion/async_bencher.rs"),
        ];
        for (source, (name, lines)) in sources.into_iter().zip(&OF_RUNTIME) {
            let with = |calls: &[&str]| -> Vec<u32> {
                let is_call = |line: &str| {
                    calls.iter().any(|call| line.contains(call)) && !line.contains("|_| routine()")
                };
                let numbered = (1..).zip(source.lines());
                numbered.filter(|(_, line)| is_call(line)).map(|(number, _)| number).collect()
            };
            assert_eq!(with(&["setup()"]), lines.setup, "{name}");
            assert_eq!(with(&["routine(", "&mut routine)"]), lines.routine, "{name}");
            let path =
                format!("/u/target/benchgate/runtime/criterion-0.5.1-0123456789abcdef{name}");
            let frame = Frame::read("iter_batched", &path, lines.setup[0], "/checkout");
            assert_eq!(within(&[own(), frame], None).unwrap().purpose, Purpose::Setup);
        }
    }

    #[test]
    fn of_an_unknown_version_clocks_are_the_harness_s_and_other_calls_the_routine_s() {
        let purpose = |callee| within(&[frame("iter", "0.9.0", 91)], callee).unwrap().purpose;
        assert_eq!(purpose(Some("_ZN3std4time7Instant3now17h0E")), Purpose::Harness);
        assert_eq!(purpose(Some("_ZN5parse5words17h0E")), Purpose::Routine);
        assert_eq!(purpose(None), Purpose::Harness);
        assert!(within(&[own()], None).is_none());
    }
}
