//! Holds `benchgate compare` against the real critcmp, on the same files.
//!
//! `scripts/test critcmp` installs it and names it in `CRITCMP`. Without that variable these tests say
//! that they did not run.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use benchgate_core::adapters::critcmp::{BASELINE_SCHEMA, write};
use benchgate_core::adapters::critcmp::{BaselineBenchmark, BaselineMeta};
use benchgate_core::model::Identity;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Ids that break readers which split, trim, escape or match them. No tab and no line break: critcmp's
/// table cannot show them.
const NASTY: [&str; 20] = [
    "a (b)/c+d [1]",
    "1.00  5.0±1.00ns",
    "1.00",
    "  two spaces  and  more  ",
    "a/b/c//d/",
    "quote \" and 'quote'",
    "back\\slash\\n",
    "| a | table |",
    "`code` **bold** <b>html</b>",
    "@someone #1",
    "$(reboot) ; rm %s {0} {}",
    "^.*$",
    "--threshold",
    "µs/größe/日本語",
    "👩‍👩‍👧/e\u{301}",
    "\u{202e}right to left",
    "benchmarks.mean",
    "null",
    "?  ?/sec",
    "long long long long long long long long long long long long long long long long long",
];

/// Numbers that are the same on every run.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Between `low` and `high`, each order of magnitude equally often.
    fn scale(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }
}

/// The real critcmp, and a folder of the test's own.
struct Bench {
    critcmp: PathBuf,
    folder: TempDir,
}

impl Bench {
    /// `None`, said where even captured output shows it, when there is no critcmp.
    fn new() -> Option<Self> {
        let Some(critcmp) = env::var_os("CRITCMP") else {
            let message = "critcmp was NOT compared with: `scripts/test critcmp` does it\n";
            std::io::stderr().write_all(message.as_bytes()).unwrap();
            return None;
        };
        let folder = TempDir::new().unwrap();
        // critcmp reads all of this folder before it looks at the files that it was given.
        fs::create_dir_all(folder.path().join("empty/criterion")).unwrap();
        Some(Self { critcmp: critcmp.into(), folder })
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn critcmp(&self, files: [&Path; 2], options: &[&str]) -> Output {
        run(Command::new(&self.critcmp)
            .args(["--color", "never", "--target-dir", "empty"])
            .args(options)
            .args(files)
            .current_dir(self.folder.path()))
    }

    fn compare(&self, files: [&Path; 2], options: &[&str]) -> Output {
        run(Command::new(env!("CARGO_BIN_EXE_benchgate"))
            .arg("compare")
            .args(options)
            .args(files)
            .current_dir(self.folder.path()))
    }

    /// Asserts that both show the same ratios, and returns of how many benchmarks.
    fn assert_same_ratios(&self, files: [&Path; 2]) -> usize {
        let result = self.folder.path().join("result.json");
        let ours = self.compare(files, &["--result", result.to_str().unwrap()]);
        assert!(
            matches!(ours.status.code(), Some(0 | 100..=102)),
            "compare: {}\n{}",
            ours.status,
            String::from_utf8_lossy(&ours.stderr)
        );
        let ours = ratios_of_result(&fs::read_to_string(&result).unwrap());
        let table = self.critcmp(files, &[]);
        let text = String::from_utf8(table.stdout).unwrap();
        assert!(table.status.success(), "{}", String::from_utf8_lossy(&table.stderr));
        let theirs = ratios_of_table(&text, ours.keys());
        let differing: Vec<_> = ours
            .iter()
            .map(|(id, ratios)| (id, ratios, theirs.get(id)))
            .filter(|(_, ours, theirs)| Some(*ours) != *theirs)
            .collect();
        assert!(differing.is_empty(), "id, ours, theirs: {differing:#?}");
        ours.len()
    }
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// By id: what critcmp writes for each side that has the benchmark, base first, the fastest being 1.00.
type Ratios = BTreeMap<String, Vec<String>>;

fn ratios_of_result(text: &str) -> Ratios {
    let result: Value = serde_json::from_str(text).unwrap();
    let mut ratios = Ratios::new();
    for benchmark in result["benchmarks"].as_array().unwrap() {
        let shown = match ["base", "head"].map(|side| benchmark["evidence"]["mean"][side].as_f64())
        {
            [Some(base), Some(head)] => {
                [base, head].map(|mean| format!("{:.2}", mean / base.min(head))).to_vec()
            }
            // critcmp shows it as the fastest of one; we call it new or missing.
            _ => {
                let finding = benchmark["finding"].as_str().unwrap();
                assert!(matches!(finding, "new" | "missing"), "{benchmark}");
                vec!["1.00".to_owned()]
            }
        };
        let id = benchmark["id"].as_str().unwrap().to_owned();
        assert!(ratios.insert(id, shown).is_none(), "an id is listed twice");
    }
    ratios
}

/// A row is the id and, for each side that has it: ratio, time, and a throughput of two words.
fn ratios_of_table<'a>(table: &str, ids: impl Iterator<Item = &'a String> + Clone) -> Ratios {
    let ratio = |words: &[&str]| {
        let [ratio, time, _, _] = words else { return None };
        (ratio.parse::<f64>().is_ok() && time.contains('±')).then(|| (*ratio).to_owned())
    };
    let mut ratios = Ratios::new();
    for row in table.lines().skip(2) {
        let mut readings = ids.clone().filter_map(|id| {
            let words: Vec<&str> = row.strip_prefix(id.as_str())?.split_whitespace().collect();
            let shown: Option<Vec<String>> = words.chunks(4).map(ratio).collect();
            Some((id.clone(), shown.filter(|shown| matches!(shown.len(), 1 | 2))?))
        });
        let (id, shown) = readings.next().unwrap_or_else(|| panic!("not understood: {row}"));
        assert_eq!(readings.next(), None, "two ids fit this row: {row}");
        assert!(ratios.insert(id, shown).is_none(), "listed twice: {row}");
    }
    ratios
}

/// An export as critcmp writes it.
fn export(name: &str, means: &[(String, f64)]) -> String {
    let statistic = |value: f64| {
        json!({
            "confidence_interval":
                { "confidence_level": 0.95, "lower_bound": value * 0.99, "upper_bound": value * 1.01 },
            "point_estimate": value,
            "standard_error": value * 0.005,
        })
    };
    let benchmarks: serde_json::Map<String, Value> = means
        .iter()
        .map(|(id, mean)| {
            let entry = json!({
                "baseline": name,
                "fullname": format!("{name}/{id}"),
                "criterion_benchmark_v1": {
                    "group_id": id, "function_id": null, "value_str": null,
                    "throughput": null, "full_id": id, "directory_name": id,
                },
                // critcmp shows the mean: another median must change nothing.
                "criterion_estimates_v1": {
                    "mean": statistic(*mean), "median": statistic(mean * 0.5),
                    "median_abs_dev": statistic(mean * 0.01), "slope": null,
                    "std_dev": statistic(mean * 0.05),
                },
            });
            (id.clone(), entry)
        })
        .collect();
    json!({ "name": name, "benchmarks": benchmarks }).to_string()
}

/// The same benchmark in two exports whose names sort as base, head.
fn one_benchmark(bench: &Bench, base: f64, head: f64) -> [PathBuf; 2] {
    let means = |mean: f64| [("x".to_owned(), mean)];
    [
        bench.file("a.json", &export("a", &means(base))),
        bench.file("b.json", &export("b", &means(head))),
    ]
}

fn by_ref(files: &[PathBuf; 2]) -> [&Path; 2] {
    files.each_ref().map(PathBuf::as_path)
}

/// Every baseline that this repository has committed, below `baselines/`.
fn committed_baselines() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../baselines");
    let machines = fs::read_dir(folder).unwrap().map(|machine| machine.unwrap().path());
    machines
        .flat_map(|machine| fs::read_dir(machine).unwrap().map(|file| file.unwrap().path()))
        .collect()
}

#[test]
fn two_committed_baselines_have_the_ratios_that_critcmp_shows() {
    let Some(bench) = Bench::new() else { return };
    let committed = committed_baselines();
    assert!(!committed.is_empty());
    for path in committed {
        let text = fs::read_to_string(&path).unwrap();
        // The same benchmarks on another day: every third is slower, in its mean and in its rounds.
        let name = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
        let mut later: Value = serde_json::from_str(&text.replace(name, "later")).unwrap();
        let benchmarks = later["benchmarks"].as_object_mut().unwrap();
        for (number, benchmark) in benchmarks.values_mut().enumerate() {
            let mean = &mut benchmark["criterion_estimates_v1"]["mean"]["point_estimate"];
            *mean = (mean.as_f64().unwrap() * [1.0, 1.004, 1.237][number % 3]).into();
        }
        // Ours has the raw rounds too, which would decide; critcmp knows of the means alone.
        later.as_object_mut().unwrap().remove("benchgate");
        let later = bench.file("later.json", &later.to_string());
        let of_both = bench.assert_same_ratios([&path, &later]);
        assert!(of_both > 0, "{}", path.display());
    }
}

#[test]
fn compare_shows_critcmps_ratios_of_means_for_any_name_and_any_time() {
    let Some(bench) = Bench::new() else { return };
    let mut random = Random(2);
    let (mut base, mut head) = (Vec::new(), Vec::new());
    for round in 0..20 {
        for (index, name) in NASTY.iter().enumerate() {
            let id = if round == 0 { (*name).to_owned() } else { format!("{name}/{round}") };
            let mean = random.scale(0.5, 1e10);
            let factor = match index % 4 {
                0 => 1.0,
                1 => random.scale(0.98, 1.02),
                2 => random.scale(0.5, 2.0),
                _ => random.scale(0.001, 1000.0),
            };
            // Some are on one side only, new or missing.
            if round != 3 {
                base.push((id.clone(), mean));
            }
            if round != 4 {
                head.push((id, mean * factor));
            }
        }
    }
    let files =
        [bench.file("a.json", &export("a", &base)), bench.file("b.json", &export("b", &head))];
    let count = bench.assert_same_ratios(by_ref(&files));
    assert_eq!(count, 20 * NASTY.len());
    println!("\ncritcmp agrees on {count} generated benchmarks");
}

#[test]
fn compare_shows_critcmps_ratios_for_what_criterion_measured() {
    let Some(bench) = Bench::new() else { return };
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("criterion-0.8.2");
    let _ = fs::remove_dir_all(target.join("criterion"));
    for name in ["a", "b"] {
        let output = run(Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
            .args(["bench", "--locked", "--bench", "first", "--bench", "second", "--"])
            .args(["--save-baseline", name, "--warm-up-time", "0.02", "--measurement-time", "0.05"])
            .args(["--sample-size", "10", "--nresamples", "1000"])
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/criterion/0.8.2"))
            .env("CARGO_TARGET_DIR", &target)
            // The values do not matter here, the time to build does.
            .env("CARGO_PROFILE_BENCH_OPT_LEVEL", "0")
            .env_remove("CRITERION_HOME"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let files = ["a", "b"].map(|name| {
        let output = run(Command::new(&bench.critcmp)
            .args(["--export", name, "--target-dir"])
            .arg(&target)
            .current_dir(bench.folder.path()));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        bench.file(&format!("{name}.json"), &String::from_utf8(output.stdout).unwrap())
    });
    let count = bench.assert_same_ratios(by_ref(&files));
    assert_eq!(count, 5, "the fixture's benchmarks; critcmp keeps one of two with the same id");
    println!("\ncritcmp agrees on {count} measured benchmarks");
}

#[test]
fn critcmp_reads_our_baselines_and_passes_over_their_extra_key() {
    let Some(bench) = Bench::new() else { return };
    let files = ["a", "b"].map(|name| {
        let mut random = Random(if name == "a" { 3 } else { 4 });
        let benchmarks: Vec<BaselineBenchmark> = NASTY
            .iter()
            .map(|id| {
                let mean = random.scale(0.5, 1e10);
                BaselineBenchmark {
                    identity: Identity {
                        group_id: (*id).to_owned(),
                        function_id: None,
                        value_str: None,
                        throughput: Some(json!({ "Bytes": 64 })),
                        full_id: (*id).to_owned(),
                        directory_name: (*id).to_owned(),
                        title: (*id).to_owned(),
                    },
                    rounds: (0..8).map(|_| mean * (1.0 + random.unit() / 10.0)).collect(),
                }
            })
            .collect();
        let meta = BaselineMeta {
            schema: BASELINE_SCHEMA.into(),
            package: "p".into(),
            suite: "s".into(),
            commit: "c0ffee".into(),
            time: "2026-01-02T03:04:05Z".into(),
            machine: Default::default(),
            toolchain: Default::default(),
            rounds: BTreeMap::new(),
        };
        let text = write(name, meta, &benchmarks);
        assert!(serde_json::from_str::<Value>(&text).unwrap()["benchgate"].is_object());
        bench.file(&format!("{name}.json"), &text)
    });
    assert_eq!(bench.assert_same_ratios(by_ref(&files)), NASTY.len());
}

#[test]
fn critcmp_exits_0_on_a_regression_and_compare_does_not() {
    let Some(bench) = Bench::new() else { return };
    let files = one_benchmark(&bench, 100.0, 120.0);
    let code = |output: Output| output.status.code();
    assert_eq!(code(bench.critcmp(by_ref(&files), &[])), Some(0));
    assert_eq!(code(bench.critcmp(by_ref(&files), &["--threshold", "5"])), Some(0));
    // One process on each side proves nothing; by the means alone it is a regression.
    assert_eq!(code(bench.compare(by_ref(&files), &[])), Some(102));
    assert_eq!(code(bench.compare(by_ref(&files), &["--estimates"])), Some(100));
}

#[test]
fn critcmp_exits_1_when_all_is_under_the_threshold_and_compare_exits_0() {
    let Some(bench) = Bench::new() else { return };
    let files = one_benchmark(&bench, 100.0, 101.0);
    let code = |output: Output| output.status.code();
    assert_eq!(code(bench.critcmp(by_ref(&files), &["--threshold", "2"])), Some(1));
    assert_eq!(code(bench.compare(by_ref(&files), &["--estimates"])), Some(0));
}

#[test]
fn critcmp_exits_1_on_identical_records_above_a_threshold_of_0_and_compare_exits_0() {
    let Some(bench) = Bench::new() else { return };
    let files = one_benchmark(&bench, 100.0, 100.0);
    let code = |output: Output| output.status.code();
    assert_eq!(code(bench.critcmp(by_ref(&files), &["--threshold", "0"])), Some(1));
    assert_eq!(code(bench.compare(by_ref(&files), &[])), Some(0));
}

#[test]
fn critcmp_calls_a_speed_up_and_a_slowdown_the_same_and_compare_does_not() {
    let Some(bench) = Bench::new() else { return };
    let files = one_benchmark(&bench, 120.0, 100.0);
    let code = |output: Output| output.status.code();
    assert_eq!(code(bench.critcmp(by_ref(&files), &["--threshold", "5"])), Some(0));
    assert_eq!(code(bench.compare(by_ref(&files), &["--estimates"])), Some(0));
}
