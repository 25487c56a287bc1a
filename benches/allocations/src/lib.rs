//! Counts what work asks of the allocator, and prints it for people or for the gate.
//!
//! An executable that counts has [`dhat::Alloc`] as its global allocator, calls [`run`] and does
//! nothing else: dhat makes allocations some fifty times as slow, so nothing is timed there. There
//! is one profiler after another, one for each benchmark, each after the work was done once, so
//! that what is set up on first use does not count.
//!
//! # What it prints
//!
//! | called with | prints |
//! |---|---|
//! | `--help` | a usage text; it contains the schema's name, `benchgate.allocations/1`, and the gate knows by that what it can ask for |
//! | `--json` | one JSON object on a line for each benchmark, and nothing else |
//! | `--heap ID [FILE]` | nothing; it writes `FILE`, or else `dhat-heap.json`, of one iteration of that benchmark: for `benchgate explain` (`benchgate.heap/1`) and dhat's viewer |
//! | otherwise | a table |
//!
//! All other arguments are ignored, such as the `--bench` that Cargo adds. In JSON, `blocks` and
//! `bytes` are totals over all iterations and `peak` is the maximum that was live at once:
//!
//! ```json
//! {"schema":"benchgate.allocations/1","id":"a/b","iterations":10,"blocks":20,"bytes":960,"peak":96}
//! ```

use std::env;
use std::hint::black_box;
use std::path::PathBuf;

/// The name of the format of the JSON lines.
pub const SCHEMA: &str = "benchgate.allocations/1";

/// The name of the protocol of `--heap ID FILE`.
pub const HEAP: &str = "benchgate.heap/1";

/// How often work is done while it is counted: more than once, so that work which allocates only
/// now and then is not taken for work that never does.
pub const ITERATIONS: u64 = 10;

/// The allocations of a benchmark's work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The benchmark.
    pub id: String,
    /// Blocks that were asked for, resized ones included, in [`ITERATIONS`] iterations.
    pub blocks: u64,
    /// The bytes of those blocks, each at its new size.
    pub bytes: u64,
    /// Maximum number of bytes that were live at once.
    pub peak: usize,
}

impl Counted {
    fn json(&self) -> String {
        let Self { id, blocks, bytes, peak } = self;
        assert!(
            id.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'),
            "the id {id:?} would need escapes"
        );
        format!(
            r#"{{"schema":"{SCHEMA}","id":"{id}","iterations":{ITERATIONS},"blocks":{blocks},"bytes":{bytes},"peak":{peak}}}"#
        )
    }
}

/// Counts for one benchmark after the other.
#[derive(Debug, Default)]
pub struct Counter {
    counted: Vec<Counted>,
    /// The benchmark whose allocation sites are written, and the file; nothing else is counted.
    heap_of: Option<(String, PathBuf)>,
}

/// Where `--heap ID` writes, in the working folder. For `cargo bench` that is the package's.
pub const HEAP_FILE: &str = "dhat-heap.json";

impl Counter {
    /// Does `work` once, and then counts while it is done [`ITERATIONS`] times.
    pub fn count(&mut self, id: impl Into<String>, mut work: impl FnMut()) {
        let id = id.into();
        if let Some((wanted, file)) = &self.heap_of {
            if *wanted == id {
                work();
                // All frames: of ten, all may be those of the standard library.
                let profiler = dhat::Profiler::builder()
                    .file_name(file)
                    .trim_backtraces(Some(usize::MAX))
                    .build();
                work();
                drop(profiler);
                std::process::exit(0);
            }
            return;
        }
        work();
        let profiler = dhat::Profiler::builder().testing().build();
        for _ in 0..ITERATIONS {
            work();
        }
        let stats = dhat::HeapStats::get();
        drop(profiler);
        self.counted.push(Counted {
            id,
            blocks: stats.total_blocks,
            bytes: stats.total_bytes,
            peak: stats.max_bytes,
        });
    }

    /// Zeros would look like a success.
    fn assert_that_it_counts(mut self) {
        self.count("one block", || drop(black_box(Box::new(1_u8))));
        assert_eq!(
            self.counted[0].blocks, ITERATIONS,
            "dhat::Alloc has to be the global allocator of this executable"
        );
    }
}

/// The whole of `main`: counts for the benchmarks of `suite` and prints as the arguments ask.
/// `print_table` is for people.
///
/// # Panics
///
/// If [`dhat::Alloc`] is not the global allocator, and if an id is not plain ASCII.
pub fn run(suite: impl FnOnce(&mut Counter), print_table: impl FnOnce(&[Counted])) {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    if has("--help") {
        println!(
            "Counts allocations; nothing is timed.\n\n\
             Usage: [--help | --json | --heap ID [FILE]]\n\n      \
             --help            Print this\n      \
             --json            Print {SCHEMA}: one JSON object on a line for each benchmark\n      \
             --heap ID [FILE]  Write {HEAP_FILE}, or FILE, of one iteration of one benchmark ({HEAP})\n\n\
             Without any, a table is printed. Other arguments are ignored."
        );
        return;
    }

    Counter::default().assert_that_it_counts();
    let mut heap = arguments.iter().skip_while(|argument| *argument != "--heap").skip(1);
    let heap_of = heap.next().map(|id| {
        // Cargo's `--bench` may follow.
        let file = heap.next().filter(|file| !file.to_string_lossy().starts_with('-'));
        (id.to_string_lossy().into_owned(), file.map_or_else(|| HEAP_FILE.into(), PathBuf::from))
    });
    let mut counter = Counter { heap_of, ..Counter::default() };
    suite(&mut counter);
    if let Some((id, _)) = counter.heap_of {
        eprintln!("error: there is no benchmark {id}; `--json` prints their ids");
        std::process::exit(2);
    }
    if has("--json") {
        for counted in &counter.counted {
            println!("{}", counted.json());
        }
    } else {
        print_table(&counter.counted);
    }
}

/// A line of a table, of figures for one iteration.
#[must_use]
pub fn table_line(id: &str, counted: &Counted) -> String {
    // Every iteration of a benchmark here does the same; if not, the remainder must show.
    let each = |total: u64| match total % ITERATIONS {
        0 => (total / ITERATIONS).to_string(),
        _ => format!("{total}/{ITERATIONS}"),
    };
    let Counted { blocks, bytes, peak, .. } = counted;
    format!("{id:<56} {:>8} {:>10} {peak:>10}", each(*blocks), each(*bytes))
}

/// The line above those of [`table_line`].
#[must_use]
pub fn table_head() -> String {
    format!("{:<56} {:>8} {:>10} {:>10}", "for one iteration", "blocks", "bytes", "peak")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(blocks: u64) -> Counted {
        Counted { id: "a/b".to_owned(), blocks, bytes: 960, peak: 96 }
    }

    #[test]
    fn json_has_totals_and_the_number_of_iterations() {
        assert_eq!(
            counted(20).json(),
            r#"{"schema":"benchgate.allocations/1","id":"a/b","iterations":10,"blocks":20,"bytes":960,"peak":96}"#
        );
    }

    #[test]
    #[should_panic(expected = "would need escapes")]
    fn an_id_that_is_not_plain_is_refused() {
        let _ = Counted { id: "a\"b".to_owned(), ..counted(0) }.json();
    }

    #[test]
    fn the_table_has_figures_for_one_iteration_and_shows_when_iterations_differ() {
        let words =
            |line: String| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
        assert_eq!(words(table_line("a/b", &counted(20))), "a/b 2 96 96");
        assert_eq!(words(table_line("a/b", &counted(21))), "a/b 21/10 96 96");
    }

    #[test]
    #[should_panic(expected = "has to be the global allocator")]
    fn an_executable_with_another_allocator_is_refused() {
        Counter::default().assert_that_it_counts();
    }
}
