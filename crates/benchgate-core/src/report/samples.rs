//! Results that all renderers' tests share.

use crate::judge::{Context, Counted, Observation, Outcome, Trailer, decide};
use crate::model::{
    BenchmarkKey, CpuCounters, Evidence, Machine, Means, Metric, Rounds, Side, Sides, SkipReason,
    SuiteKey, Toolchain, Twice,
};
use crate::policy::Policy;
use crate::result::{
    Allocations, BenchmarkReport, DifferenceKind, Explanation, FlameNode, FunctionDifference, Hint,
    Method, Origin, RunResult, Seconds, SiteDifference, SuiteReport, WaiverReport, WaiverSource,
    WaiverState,
};

fn observed(id: &str, ns: f64, ratio: f64, scatter: f64) -> Observation {
    let base: Vec<f64> = (0..15).map(|i| ns * (1.0 + 0.001 * f64::from(i % 3))).collect();
    let head: Vec<f64> = base
        .iter()
        .zip(0..)
        .map(|(b, i)| b * ratio * (1.0 + scatter * f64::from((i * 7) % 15 - 7) / 7.0))
        .collect();
    let mean = |values: &[f64]| Some(values.iter().sum::<f64>() / values.len() as f64);
    let means = Means { base: mean(&base), head: mean(&head) };
    Observation {
        key: BenchmarkKey::new("parser", "speed", id),
        metric: Metric::TIME,
        outcome: compared(
            Rounds { base, head },
            means,
            (ratio - 1.0).abs() > 0.02 && scatter < 0.1,
        ),
    }
}

/// A change is confirmed by pairs that show the same values.
fn compared(rounds: Rounds, means: Means, is_confirmed: bool) -> Outcome {
    // Twice as many: enough to be significant among a thousand candidates.
    let twice = |values: &[f64]| [values, values].concat();
    let confirmation = match is_confirmed {
        true => Rounds { base: twice(&rounds.base), head: twice(&rounds.head) },
        false => Rounds::default(),
    };
    let evidence = Evidence { rounds, confirmation, mean: means, ..Evidence::default() };
    Outcome::Compared { evidence: Box::new(evidence), renamed_from: None }
}

fn other(id: &str, outcome: Outcome) -> Observation {
    Observation { key: BenchmarkKey::new("parser", "speed", id), metric: Metric::TIME, outcome }
}

fn result(observed: Vec<Observation>, suites: Vec<SuiteReport>, method: Method) -> RunResult {
    ruled(observed, suites, method, &Policy::default())
}

fn ruled(
    observed: Vec<Observation>,
    suites: Vec<SuiteReport>,
    method: Method,
    policy: &Policy,
) -> RunResult {
    waiving(observed, suites, method, policy, &[])
}

fn waiving(
    observed: Vec<Observation>,
    suites: Vec<SuiteReport>,
    method: Method,
    policy: &Policy,
    trailers: &[Trailer],
) -> RunResult {
    let context = Context {
        version: "0.1.0".into(),
        time: "2026-01-02T03:04:05Z".into(),
        today: "2026-01-02".parse().unwrap_or_default(),
        method,
        origins: Sides::new(
            Origin { commit: "4f2c0ad6b1".repeat(4), name: "main".into(), dirty: false },
            Origin { commit: "9e8d7c6b5a".repeat(4), name: "HEAD".into(), dirty: true },
        ),
        machine: Some(Machine {
            name: "workshop".into(),
            cpu: "Example CPU 9000".into(),
            stepping: None,
            cores: 8,
            microcode: Some("0x1".into()),
            kernel: "Linux 6.12.1".into(),
            governor: Some("performance".into()),
            boost: Some(false),
            smt: None,
            memory_mib: 32_768,
        }),
        toolchain: Some(Toolchain {
            rustc: "rustc 1.95.0 (59807616e 2026-04-14)".into(),
            host: "x86_64-unknown-linux-gnu".into(),
            rustflags: String::new(),
            profile: "bench, lto = fat, codegen-units = 1".into(),
            lockfile: None,
            runtimes: Vec::new(),
        }),
        sandbox: Some(crate::model::SandboxReport::of(7, true)),
        seed: 42,
        seconds: Seconds { build: 41.0, measure: 12.5 },
        trailers: trailers.to_vec(),
        reproduce: "benchgate check --base main --seed 42".into(),
        ..Context::default()
    };
    decide(observed, suites, policy, context)
}

/// A result of each kind.
pub(crate) fn each() -> Vec<RunResult> {
    vec![
        regression(),
        pass(),
        incomplete(),
        inconclusive(),
        recorded(),
        violated_rule(),
        exceeded_before(),
        waived(),
    ]
}

/// A result with a critical, a warning, a faster and an unchanged row.
pub(crate) fn regression() -> RunResult {
    result(
        vec![
            observed("decode/large", 84_570.0, 1.23, 0.002),
            observed("decode/small", 231.0, 1.06, 0.002),
            observed("encode/large", 40_000.0, 0.81, 0.002),
            observed("encode/small", 120.0, 1.001, 0.002),
        ],
        Vec::new(),
        Method::Paired,
    )
}

/// A violated and a satisfied rule; allocations too.
pub(crate) fn violated_rule() -> RunResult {
    let policy = Policy::parse(
        "[[rule]]\nbenchmark = \"fast\"\nshare = 0.5\nof = \"plain\"\nreason = \"the README says so\"\n\
         [[rule]]\nbenchmark = \"fast\"\nmetric = \"alloc.blocks\"\ncount = 2\nreason = \"no churn\"",
    )
    .unwrap_or_default();
    let counted = Observation {
        key: BenchmarkKey::new("parser", "allocations", "fast"),
        metric: Metric::ALLOC_BLOCKS,
        outcome: Outcome::Counted {
            counted: Counted::twice(Twice::new(1.0, 1.0), Twice::new(2.0, 2.0)),
            renamed_from: None,
        },
    };
    // What it is a share of became faster.
    let times = vec![observed("fast", 600.0, 1.0, 0.001), observed("plain", 1300.0, 0.77, 0.001)];
    ruled([times, vec![counted]].concat(), Vec::new(), Method::Paired, &policy)
}

/// A rule that the base exceeds as well.
pub(crate) fn exceeded_before() -> RunResult {
    let policy = Policy::parse(
        "[[rule]]\nbenchmark = \"fast\"\nshare = 0.5\nof = \"plain\"\nreason = \"the README says so\"",
    )
    .unwrap_or_default();
    let times = vec![observed("fast", 600.0, 1.0, 0.001), observed("plain", 1000.0, 1.0, 0.001)];
    ruled(times, Vec::new(), Method::Paired, &policy)
}

/// Every kind of acceptance, and of what cannot be accepted.
pub(crate) fn waived() -> RunResult {
    let policy = Policy::parse(
        "[gate]\ntrailers = true\n\
         [[waiver]]\nbenchmark = \"decode/large\"\nceiling = 30\nuntil = 2026-06-30\n\
         issue = \"#12\"\nreason = \"bounds are checked now\"\n\
         [[waiver]]\nbenchmark = \"decode/small\"\nceiling = 15\nuntil = 2026-06-30\n\
         issue = \"#12\"\nreason = \"bounds are checked now\"\n\
         [[waiver]]\nbenchmark = \"encode/small\"\nceiling = 50\nuntil = 2025-12-31\n\
         issue = \"#9\"\nreason = \"was to be fixed last year\"\n\
         [[waiver]]\nbenchmark = \"gone/*\"\nsuite = \"speed\"\nceiling = 5\nuntil = 2026-06-30\n\
         issue = \"#1\"\nreason = \"of a bench that was deleted\"\n\
         [[quarantine]]\nbenchmark = \"chase\"\nuntil = 2026-03-31\nissue = \"#13\"\n\
         reason = \"its memory moves\"",
    )
    .unwrap();
    let trailer = |text: &str| Trailer { commit: "abcdef0123".repeat(4), text: text.into() };
    waiving(
        vec![
            observed("chase", 70_000.0, 1.08, 0.3),
            observed("decode/large", 84_570.0, 1.23, 0.002),
            observed("decode/small", 231.0, 1.20, 0.002),
            observed("encode/large", 40_000.0, 1.12, 0.002),
            observed("encode/small", 120.0, 1.30, 0.002),
        ],
        Vec::new(),
        Method::Paired,
        &policy,
        &[trailer("encode/large <= 13% twice the checksums"), trailer("encode/small <= 40")],
    )
}

/// What makes a benchmark advisory.
pub(crate) fn quarantined() -> Option<Box<WaiverReport>> {
    let waiver = waived().benchmarks.into_iter().find_map(|row| row.waiver)?;
    let (source, state) = (WaiverSource::Quarantine, WaiverState::Honoured);
    Some(Box::new(WaiverReport { source, state, ..*waiver }))
}

/// Nothing slower.
pub(crate) fn pass() -> RunResult {
    result(
        vec![
            observed("encode/large", 40_000.0, 1.0, 0.002),
            other("encode/next", Outcome::new_one(vec![12.5])),
            other("network/get", Outcome::Skipped { reason: "needs a server".into() }),
        ],
        vec![SuiteReport::skipped(
            SuiteKey::new("parser", "allocations"),
            SkipReason::UnknownHarness,
            "not a Criterion executable",
        )],
        Method::Paired,
    )
}

/// A crash and a missing benchmark.
pub(crate) fn incomplete() -> RunResult {
    result(
        vec![
            observed("encode/large", 40_000.0, 1.0, 0.002),
            other(
                "decode/large",
                Outcome::Failed {
                    side: Side::Head,
                    reason: "exit status: 101 in round 1".into(),
                    output: "thread 'main' panicked at benches/speed.rs:9:5:\nindex out of bounds"
                        .into(),
                },
            ),
            other(
                "decode/small",
                Outcome::Missing { candidates: vec!["decode/tiny".into()], base: Vec::new() },
            ),
            other("decode/tiny", Outcome::new_one(Vec::new())),
        ],
        Vec::new(),
        Method::Paired,
    )
}

/// Rounds that scatter too much.
pub(crate) fn inconclusive() -> RunResult {
    result(
        vec![observed("chase", 70_000.0, 1.08, 0.3), observed("encode", 40_000.0, 1.0, 0.001)],
        Vec::new(),
        Method::Paired,
    )
}

/// Two exports without rounds.
pub(crate) fn recorded() -> RunResult {
    let single = |id: &str, base: f64, head: f64| {
        let rounds = Rounds { base: vec![base], head: vec![head] };
        let means = Means { base: Some(base), head: Some(head) };
        other(id, compared(rounds, means, false))
    };
    let mut result = result(
        vec![single("checksum", 1034.7, 1983.3), single("fib 10", 220.5, 220.5)],
        Vec::new(),
        Method::Recorded,
    );
    result.base = Origin { name: "a.json".into(), ..Origin::default() };
    result.head = Origin { name: "b.json".into(), ..Origin::default() };
    result.seconds = Seconds::default();
    result.reproduce = "benchgate compare a.json b.json".into();
    result
}

/// `all` benchmarks, of which `slow` are critical.
pub(crate) fn many(all: usize, slow: usize) -> RunResult {
    let entry = |i: usize| {
        let ratio = if i.is_multiple_of(all / slow) && i / (all / slow) < slow { 1.3 } else { 1.0 };
        observed(&format!("group/benchmark number {i:05}"), 1000.0, ratio, 0.001)
    };
    result((0..all).map(entry).collect(), Vec::new(), Method::Paired)
}

/// Adds commits to both sides, as in CI.
pub(crate) fn committed(mut result: RunResult) -> RunResult {
    result.head.dirty = false;
    result
}

/// A row of each kind, with the same text in every string.
pub(crate) fn with_text(text: &str) -> RunResult {
    let mut result = committed(incomplete());
    result.benchmarks.extend(regression().benchmarks);
    result.rules = violated_rule().rules;
    result.suites = pass().suites;
    let fill = |strings: &mut [&mut String]| {
        for string in strings {
            text.clone_into(string);
        }
    };
    for row in &mut result.benchmarks {
        fill(&mut [&mut row.package, &mut row.suite, &mut row.id, &mut row.reason]);
        if !row.output.is_empty() {
            row.output = format!("{text}\n```\n</details>");
        }
    }
    for rule in &mut result.rules {
        fill(&mut [&mut rule.benchmark, &mut rule.reason]);
        rule.of = rule.of.as_ref().map(|_| text.to_owned());
        (rule.suite, rule.package) = (Some(text.to_owned()), Some(text.to_owned()));
    }
    for suite in &mut result.suites {
        let SuiteReport { package, suite, finding: _, skip: _, reason, output } = suite;
        fill(&mut [package, suite, reason, output]);
    }
    if let Some(machine) = &mut result.machine {
        fill(&mut [&mut machine.name, &mut machine.cpu, &mut machine.kernel]);
        machine.governor = Some(text.to_owned());
    }
    if let Some(toolchain) = &mut result.toolchain {
        fill(&mut [&mut toolchain.rustc, &mut toolchain.profile, &mut toolchain.rustflags]);
    }
    fill(&mut [&mut result.version, &mut result.time, &mut result.reproduce]);
    // The head stays a commit, so that there are commands to paste.
    fill(&mut [&mut result.base.name, &mut result.head.name]);
    result.notices = vec![text.to_owned(); 2];
    // One of functions, and one of sites, of another benchmark.
    let slower = result.benchmarks.iter().find(|row| row.blocking).cloned();
    let allocating = slower.clone().map(|row| BenchmarkReport {
        id: format!("{text}+"),
        metric: Metric::ALLOC_BLOCKS,
        ..row
    });
    let mut sites = allocations();
    for site in &mut sites.sites {
        fill(&mut [&mut site.name, &mut site.file]);
    }
    let sites = Explanation { allocations: Some(sites), ..Explanation::default() };
    let rows = [(&slower, explanation_of(text)), (&allocating, sites)];
    result.explanations =
        rows.into_iter().filter_map(|(row, found)| Some(of(row.as_ref()?, found))).collect();
    result.benchmarks.extend(allocating);
    result
}

/// A regression with an explanation of the slower benchmark.
pub(crate) fn explained() -> RunResult {
    let mut result = regression();
    result.benchmarks[0].evidence.counters = Some(counters());
    result.explanations =
        result.benchmarks.iter().take(1).map(|row| of(row, explanation())).collect();
    result
}

fn of(row: &BenchmarkReport, explanation: Explanation) -> Explanation {
    let BenchmarkReport { package, suite, id, .. } = row.clone();
    Explanation { package, suite, id, ..explanation }
}

/// Twice the calls of one function, a costlier function, and a new one.
pub(crate) fn explanation() -> Explanation {
    let function = |name: &str, line, [base, head]: [u64; 2], calls: Option<[u64; 2]>| {
        let calls = calls.map(|[base, head]| Sides::new(base, head));
        let more =
            calls.map(|calls| (calls.head as i64 - calls.base as i64) * (base / calls.base) as i64);
        FunctionDifference {
            name: name.into(),
            file: "src/parse.rs".into(),
            line,
            instructions: Sides::new(base, head),
            calls,
            more_calls: more,
            costlier_calls: more.map(|more| head as i64 - base as i64 - more),
            inlined: Sides::new(true, name != "number"),
            ..FunctionDifference::default()
        }
    };
    let new = FunctionDifference {
        kind: DifferenceKind::New,
        ..function("parse::<check>", 120, [0, 900], None)
    };
    let node = |name: &str, parent, [base, head]: [u64; 2]| FlameNode {
        name: name.into(),
        parent,
        instructions: Sides::new(base, head),
    };
    Explanation {
        instructions: Some(Sides::new(100_000, 114_200)),
        setup: Sides::new(5_000, 5_100),
        harness: Sides::new(280, 280),
        functions: vec![
            function("parse::skip_ws", 88, [11_800, 23_600], Some([500, 1_000])),
            function("number", 41, [20_000, 22_000], Some([100, 100])),
            new,
            function("word", 12, [30_000, 29_500], None),
        ],
        others: Sides::new(38_200, 38_200),
        flame: vec![
            node("one iteration", None, [100_000, 114_200]),
            node("parse (src/parse.rs)", Some(0), [99_000, 113_200]),
            node("skip_ws (src/parse.rs)", Some(1), [11_800, 23_600]),
            node("number (src/parse.rs)", Some(1), [20_000, 22_000]),
            node("check (src/parse.rs)", Some(1), [0, 900]),
            node("old (src/parse.rs)", Some(1), [700, 0]),
        ],
        ..Explanation::of(&BenchmarkKey::new("parser", "speed", "decode/large"))
    }
}

/// A new site, a site that requests larger blocks, and a site that requests fewer.
pub(crate) fn allocations() -> Allocations {
    let site = |name: &str, line, kind, blocks: [u64; 2], bytes: [u64; 2]| SiteDifference {
        name: name.into(),
        file: "src/parse.rs".into(),
        line,
        kind,
        blocks: Sides::new(blocks[0], blocks[1]),
        bytes: Sides::new(bytes[0], bytes[1]),
    };
    Allocations {
        blocks: Sides::new(1_040, 2_035),
        bytes: Sides::new(52_000, 101_900),
        counted: None,
        sites: vec![
            site("name", 41, DifferenceKind::New, [0, 1_000], [0, 24_000]),
            site("fields", 88, DifferenceKind::Changed, [20, 20], [16_000, 42_000]),
            site("word", 12, DifferenceKind::Changed, [10, 5], [200, 100]),
        ],
        other_blocks: Sides::new(1_010, 1_010),
        other_bytes: Sides::new(35_800, 35_800),
    }
}

/// A regression of blocks and bytes, with the sites of both.
pub(crate) fn allocating() -> RunResult {
    let mut result = regression();
    let slower: Vec<BenchmarkReport> = [Metric::ALLOC_BLOCKS, Metric::ALLOC_BYTES]
        .map(|metric| BenchmarkReport { metric, ..result.benchmarks[0].clone() })
        .into();
    result.benchmarks.splice(..1, slower);
    let explanation = Explanation { allocations: Some(allocations()), ..Explanation::default() };
    result.explanations =
        result.benchmarks.iter().take(1).map(|row| of(row, explanation.clone())).collect();
    result
}

fn explanation_of(text: &str) -> Explanation {
    let mut moved = explanation();
    for function in &mut moved.functions {
        text.clone_into(&mut function.name);
        text.clone_into(&mut function.file);
    }
    for node in &mut moved.flame {
        text.clone_into(&mut node.name);
    }
    moved
}

/// More branches that a CPU predicts wrongly.
pub(crate) fn counters() -> CpuCounters {
    CpuCounters {
        pairs: 15,
        instructions_per_cycle: Sides::new(2.5, 2.0),
        branch_misses_per_1000: Some(Sides::new(1.2, 5.0)),
        cache_misses_per_1000: Some(Sides::new(0.2, 0.22)),
    }
}

/// As many instructions on both sides, and more branches that a simulation mispredicts.
pub(crate) fn flat_explanation() -> Explanation {
    let hint =
        |event: &str, base, head| Hint { event: event.into(), count: Sides::new(base, head) };
    Explanation {
        instructions: Some(Sides::new(100_000, 100_012)),
        is_flat: true,
        others: Sides::new(100_000, 100_012),
        hints: vec![
            hint("mispredicted branches", 1_200, 4_800),
            hint("misses of the first data cache", 300, 301),
        ],
        ..Explanation::of(&BenchmarkKey::new("parser", "speed", "decode/large"))
    }
}
