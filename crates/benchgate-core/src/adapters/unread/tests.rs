//! A file of each kind, as its tool writes it, cut.

use super::*;

const FILES: [&str; 34] = [
    "{\n \"machine_info\": {}, \"commit_info\": {}, \"benchmarks\": [{\"name\": \"test_a\"}], \"version\": \"4.0.0\"\n}",
    "---- benchmark: 1 tests ----\nName (time in us)         Min      Max     Mean   StdDev   Median\ntest_a 1 2 3 4 5\n",
    "{\"Title\":\"T\",\"HostEnvironmentInfo\":{},\"Benchmarks\":[]}",
    "| Method |     Mean |   Error |\n|------- |---------:|--------:|\n| Sha256 | 5.9 us | 0.1 us |\n",
    "{\"mean\":{\"point_estimate\":1},\"median\":{},\"median_abs_dev\":{},\"slope\":null,\"std_dev\":{}}",
    "{\"sampling_mode\":\"Linear\",\"iters\":[1.0],\"times\":[5.0]}",
    "{\"group_id\":\"a\",\"function_id\":null,\"full_id\":\"a\",\"directory_name\":\"a\"}",
    "{\"rust-build-meta\":{},\"test-count\":1,\"rust-suites\":{}}",
    "{\"type\":\"suite\",\"event\":\"started\",\"test_count\":1}\n{\"type\":\"test\",\"event\":\"ok\",\"name\":\"a\"}\n",
    "{ \"type\": \"bench\", \"name\": \"a\", \"median\": 12, \"deviation\": 3 }\n",
    "{\"reason\":\"compiler-artifact\",\"package_id\":\"a\"}\n{\"reason\":\"build-finished\"}\n",
    "{\"version\":\"7\",\"benchmark_exe\":\"a\",\"module_path\":\"a::b\",\"profiles\":[]}",
    "a::b::c id:1\n  Instructions:     1735|1695 (+2.35%)\n  Estimated Cycles: 2429|2429 (No change)\n",
    "10\u{b5}s\nspeed       fastest       │ slowest       │ median        │ mean          │ samples │ iters\n╰─ a 1 ns │ 2 ns\n",
    "a                       time:   [1.0 ns 1.1 ns 1.2 ns]\n                        change: [+1% +2% +3%]\n",
    "goos: linux\nBenchmarkSort-8   \t 1000\t 1234 ns/op\t 16 B/op\nPASS\n",
    "        │ old.txt │     new.txt      │\n        │ sec/op  │ sec/op vs base   │\nSort-8  1.0µ\n",
    "Benchmark   (size)  Mode  Cnt   Score   Error  Units\nA.a  1  avgt  5  1.0 ± 0.1  ns/op\n",
    "\"Benchmark\",\"Mode\",\"Threads\",\"Samples\",\"Score\"\n\"A.a\",\"avgt\",1,5,1.0\n",
    "Run on (8 X 3000 MHz CPU s)\nBenchmark      Time       CPU Iterations\nBM_a   1 ns   1 ns  100\n",
    "name,iterations,real_time,cpu_time,time_unit\n\"BM_a\",100,1,1,ns\n",
    "Benchmark 1: sort x\n  Time (mean ± σ):     2.3 ms ±   0.2 ms\n",
    "command,mean,stddev,median,user,system,min,max\nsort,1,0,1,1,0,1,1\n",
    "| Command | Mean [ms] | Min [ms] |\n|:---|---:|---:|\n| `sort` | 1 | 1 |\n",
    "<?xml version=\"1.0\"?>\n<Catch2TestRun name=\"tests\">\n",
    "<?xml version=\"1.0\"?>\n<Catch name=\"tests\"><BenchmarkResults name=\"a\"/>\n",
    "benchmark name         samples       iterations    est run time\na  100  5  1.1 ms\n",
    "1234,1240,10\n1236,1250,10\n",
    "running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed\n",
    "{\"benchmarks\":{\"HostEnvironmentInfo\":{},\"machine_info\":{}}}",
    "{\"type\":",
    "[INFO] words",
    "7",
    "",
];

#[test]
fn a_format_that_is_not_read_is_named_with_what_to_type() {
    let table: Vec<String> = FILES
        .iter()
        .map(|file| match named(file.as_bytes()) {
            Some(Unread { what, instead }) => format!("{what}: {instead}"),
            None => format!("unknown: {file}"),
        })
        .collect();
    insta::assert_snapshot!(table.join("\n"), @r#"
    a result of pytest-benchmark: let it compare: `pytest-benchmark compare OLD NEW`
    a result of pytest-benchmark: let it compare: `pytest-benchmark compare OLD NEW`
    a result of BenchmarkDotNet: let its ResultsComparer compare: `dotnet run -- --base OLD --diff NEW --threshold 5%`
    a result of BenchmarkDotNet: let its ResultsComparer compare: `dotnet run -- --base OLD --diff NEW --threshold 5%`
    an `estimates.json` of Criterion: one benchmark: name the whole Criterion home, with a baseline that `cargo bench -- --save-baseline NAME` wrote: `benchgate compare target/criterion:OLD target/criterion:NEW`
    a `sample.json` of Criterion: one benchmark: name the whole Criterion home, with a baseline that `cargo bench -- --save-baseline NAME` wrote: `benchgate compare target/criterion:OLD target/criterion:NEW`
    a `benchmark.json` of Criterion: one benchmark: name the whole Criterion home, with a baseline that `cargo bench -- --save-baseline NAME` wrote: `benchgate compare target/criterion:OLD target/criterion:NEW`
    a list of tests of nextest: keep what `cargo bench` prints: `cargo bench >head.txt 2>&1`
    a list of events of libtest or nextest: keep what `cargo bench` prints: `cargo bench >head.txt 2>&1`
    libtest's JSON: keep what `cargo bench` prints: `cargo bench >head.txt 2>&1`
    cargo's messages about a build: keep what `cargo bench` prints: `cargo bench >head.txt 2>&1`
    a result of iai, iai-callgrind or gungraun, which has no times: let it compare: `cargo bench --bench NAME -- --save-baseline=OLD`, then `-- --baseline=OLD`
    a result of iai, iai-callgrind or gungraun, which has no times: let it compare: `cargo bench --bench NAME -- --save-baseline=OLD`, then `-- --baseline=OLD`
    the table of divan: let the gate measure both sides: `benchgate check --base OLD`
    the text of Criterion: name the whole Criterion home, with a baseline that `cargo bench -- --save-baseline NAME` wrote: `benchgate compare target/criterion:OLD target/criterion:NEW`
    output of `go test -bench`: let it compare: `benchstat OLD NEW`
    a table of benchstat: let it compare: `benchstat OLD NEW`
    the table of JMH: `java -jar benchmarks.jar -rf json -rff head.json`
    a CSV of JMH: `java -jar benchmarks.jar -rf json -rff head.json`
    the table of google/benchmark: `PROGRAM --benchmark_out=head.json --benchmark_out_format=json`
    a CSV of google/benchmark: `PROGRAM --benchmark_out=head.json --benchmark_out_format=json`
    the text of hyperfine: `hyperfine --export-json head.json COMMAND`
    a CSV of hyperfine: `hyperfine --export-json head.json COMMAND`
    the table of hyperfine: `hyperfine --export-json head.json COMMAND`
    a result of Catch2: time the program as a whole: `hyperfine --export-json head.json './tests "[!benchmark]"'`
    a result of Catch2: time the program as a whole: `hyperfine --export-json head.json './tests "[!benchmark]"'`
    a result of Catch2: time the program as a whole: `hyperfine --export-json head.json './tests "[!benchmark]"'`
    a CSV of tango, which holds both sides: let it compare: `cargo bench --bench NAME -- compare OLD_EXECUTABLE`
    the output of tests, without a benchmark: keep what `cargo bench` prints: `cargo bench >head.txt 2>&1`
    unknown: {"benchmarks":{"HostEnvironmentInfo":{},"machine_info":{}}}
    unknown: {"type":
    unknown: [INFO] words
    unknown: 7
    unknown:
    "#);
}
