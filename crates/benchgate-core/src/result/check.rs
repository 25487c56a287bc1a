//! Checks a `result.json` before it is used: it may be untrusted.

use serde::Deserialize;

use crate::json::{self, FormatError, positive};
use crate::model::{BenchmarkKey, Evidence, Instructions, Rounds, Shard, Sides, Stage};
use crate::policy::Thresholds;
use crate::result::{
    BenchmarkReport, MOST_ATTEMPTS, Origin, RESULT_SCHEMA, ResultError, RuleReport, RunResult,
};

/// Maximum size in bytes of a name: a package, an id, a CPU.
const LONGEST_NAME: usize = 4 * 1024;

/// Maximum size in bytes of a text: a reason, the end of an output.
const LONGEST_TEXT: usize = 64 * 1024;

/// Maximum number of entries of a list.
const LONGEST_LIST: usize = 200_000;

/// Maximum number of rounds of one side; a policy allows a thousand.
const MOST_ROUNDS: usize = 10_000;

/// Maximum in nanoseconds, bytes or blocks: thirty years, or more memory than exists.
const LARGEST_VALUE: f64 = 1e18;

/// Maximum change: from a nanosecond to a quarter of an hour.
const LARGEST_CHANGE: f64 = 1e12;

#[derive(Deserialize)]
struct SchemaOnly {
    schema: String,
}

impl RunResult {
    /// Reads and checks a `result.json`.
    ///
    /// # Errors
    /// Names the key that is missing, unknown, wrong or out of range.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ResultError> {
        let schema: SchemaOnly = json::parse_large(bytes)?;
        if schema.schema != RESULT_SCHEMA {
            return Err(ResultError::Schema(schema.schema));
        }
        let result: Self = json::parse(bytes)?;
        check(&result)?;
        Ok(result)
    }
}

/// Returns an error that names the first wrong key.
fn check(result: &RunResult) -> Result<(), FormatError> {
    for (key, length) in [
        ("suites", result.suites.len()),
        ("reads", result.reads.len()),
        ("measured", result.measured.len()),
        ("benchmarks", result.benchmarks.len()),
        ("rules", result.rules.len()),
        ("notices", result.notices.len()),
        ("explanations", result.explanations.len()),
    ] {
        at_most(key, length, LONGEST_LIST, "entries")?;
    }
    strings(result)?;
    for (key, seconds) in
        [("seconds.build", result.seconds.build), ("seconds.measure", result.seconds.measure)]
    {
        amount(key, seconds)?;
    }
    for (index, suite) in result.measured.iter().enumerate() {
        amount(&format!("measured[{index}].seconds"), suite.seconds)?;
        let key = format!("measured[{index}].peaks");
        let peaks = suite.peaks.unwrap_or_default();
        peaks.iter().try_for_each(|(_, bytes)| amount(&key, *bytes as f64))?;
    }
    for (index, benchmark) in result.benchmarks.iter().enumerate() {
        let key = |name: &str| format!("benchmarks[{index}].{name}");
        numbers(benchmark, key)?;
    }
    for (index, benchmark) in kept(result).enumerate() {
        numbers(benchmark, |name: &str| format!("attempt.kept[{index}].{name}"))?;
    }
    for (index, explanation) in result.explanations.iter().enumerate() {
        super::explanation::check(explanation, |name| format!("explanations[{index}].{name}"))?;
    }
    for (index, rule) in result.rules.iter().enumerate() {
        rule_numbers(rule, |name| format!("rules[{index}].{name}"))?;
    }
    Ok(())
}

/// What it keeps of earlier attempts.
fn kept(result: &RunResult) -> impl Iterator<Item = &BenchmarkReport> {
    result.attempt.iter().flat_map(|attempt| &attempt.kept)
}

fn strings(result: &RunResult) -> Result<(), FormatError> {
    // Long: one line for each text of the format.
    name("version", &result.version)?;
    name("time", &result.time)?;
    text("reproduce", &result.reproduce)?;
    origin("base", &result.base)?;
    origin("head", &result.head)?;
    if let Some(attempt) = &result.attempt {
        at_most("attempt.earlier", attempt.earlier.len(), MOST_ATTEMPTS, "attempts")?;
        at_most("attempt.kept", attempt.kept.len(), LONGEST_LIST, "entries")?;
        let Sides { base, head } = &attempt.checkouts;
        for value in [base, head, &attempt.policy, &attempt.settings] {
            name("attempt", value)?;
        }
        for earlier in &attempt.earlier {
            name("attempt.earlier", &earlier.time)?;
            name("attempt.earlier", &earlier.machine)?;
        }
    }
    if let Some(shard) = &result.shard {
        at_most("shard.inventory", shard.inventory.len(), LONGEST_LIST, "entries")?;
        if Shard::new(shard.part.number, shard.part.of).is_none() {
            return Err(FormatError::at("shard.part", format!("there is no shard {}", shard.part)));
        }
        let Sides { base, head } = &shard.checkouts;
        let digests = [base, head, &shard.policy, &shard.settings, &shard.digest];
        for value in digests.into_iter().chain(&shard.tip) {
            name("shard", value)?;
        }
        for suite in &shard.inventory {
            name("shard.inventory", &suite.package)?;
            name("shard.inventory", &suite.suite)?;
            at_most("shard.inventory", suite.elsewhere.len(), LONGEST_LIST, "benchmarks")?;
            suite.elsewhere.keys().try_for_each(|id| name("shard.inventory", id))?;
        }
        at_most("shard.left", shard.left.len(), LONGEST_LIST, "benchmarks")?;
        for BenchmarkKey { package, suite, id } in &shard.left {
            [package, suite, id].into_iter().try_for_each(|text| name("shard.left", text))?;
        }
    }
    if let Some(machine) = &result.machine {
        for value in [&machine.name, &machine.cpu, &machine.kernel] {
            name("machine", value)?;
        }
        for value in
            [&machine.stepping, &machine.microcode, &machine.governor].into_iter().flatten()
        {
            name("machine", value)?;
        }
    }
    if let Some(toolchain) = &result.toolchain {
        for value in [&toolchain.rustc, &toolchain.host, &toolchain.profile] {
            name("toolchain", value)?;
        }
        text("toolchain.rustflags", &toolchain.rustflags)?;
        name("toolchain.lockfile", toolchain.lockfile.as_deref().unwrap_or_default())?;
    }
    for (index, notice) in result.notices.iter().enumerate() {
        text(&format!("notices[{index}]"), notice)?;
    }
    for (index, suite) in result.suites.iter().enumerate() {
        let key = format!("suites[{index}]");
        name(&key, &suite.package)?;
        name(&key, &suite.suite)?;
        text(&key, &suite.reason)?;
        text(&key, &suite.output)?;
    }
    for (index, reads) in result.reads.iter().enumerate() {
        let key = format!("reads[{index}]");
        name(&key, &reads.package)?;
        name(&key, &reads.suite)?;
        text(&key, &reads.reason)?;
    }
    for (index, suite) in result.measured.iter().enumerate() {
        let key = format!("measured[{index}]");
        name(&key, &suite.package)?;
        name(&key, &suite.suite)?;
    }
    for (index, benchmark) in result.benchmarks.iter().enumerate() {
        benchmark_strings(benchmark, || format!("benchmarks[{index}]"))?;
    }
    for (index, benchmark) in kept(result).enumerate() {
        benchmark_strings(benchmark, || format!("attempt.kept[{index}]"))?;
    }
    for (index, rule) in result.rules.iter().enumerate() {
        let key = format!("rules[{index}]");
        name(&key, &rule.benchmark)?;
        for part in [&rule.suite, &rule.package, &rule.of] {
            name(&key, part.as_deref().unwrap_or_default())?;
        }
        text(&key, &rule.reason)?;
    }
    Ok(())
}

fn benchmark_strings(
    benchmark: &BenchmarkReport,
    key: impl Fn() -> String,
) -> Result<(), FormatError> {
    let names = [&benchmark.package, &benchmark.suite, &benchmark.id, &benchmark.unit];
    let texts = [&benchmark.reason, &benchmark.output];
    // The key is formatted only for an error: there may be many benchmarks.
    if names.iter().all(|s| s.len() <= LONGEST_NAME)
        && texts.iter().all(|s| s.len() <= LONGEST_TEXT)
    {
        return Ok(());
    }
    let key = key();
    names.iter().try_for_each(|s| name(&key, s))?;
    texts.iter().try_for_each(|s| text(&key, s))
}

fn origin(key: &str, origin: &Origin) -> Result<(), FormatError> {
    name(key, &origin.commit)?;
    name(key, &origin.name)
}

fn name(key: &str, value: &str) -> Result<(), FormatError> {
    at_most(key, value.len(), LONGEST_NAME, "bytes of a name")
}

fn text(key: &str, value: &str) -> Result<(), FormatError> {
    at_most(key, value.len(), LONGEST_TEXT, "bytes of a text")
}

fn at_most(key: &str, count: usize, most: usize, of: &str) -> Result<(), FormatError> {
    if count <= most {
        return Ok(());
    }
    Err(FormatError::at(key, format!("{count} {of}; at most {most}")))
}

fn numbers(benchmark: &BenchmarkReport, key: impl Fn(&str) -> String) -> Result<(), FormatError> {
    // Long: a few lines for each number of the format.
    let is_count = benchmark.metric.is_count();
    let value = |name: &str, value: f64| match value {
        value if value > LARGEST_VALUE => {
            Err(FormatError::at(key(name), format!("{value:e} is more than {LARGEST_VALUE:e}")))
        }
        value if is_count && value >= 0.0 => Ok(()),
        value if is_count => {
            Err(FormatError::at(key(name), format!("invalid count {value}: must be >= 0")))
        }
        value => positive(&key(name), value).map(|_| ()),
    };
    let all = |name: &str, rounds: &[f64]| {
        for (index, round) in rounds.iter().enumerate() {
            // As above: formatting a key for each of a million rounds would be slow.
            if !(*round > 0.0 && *round <= LARGEST_VALUE) {
                value(&format!("{name}[{index}]"), *round)?;
            }
        }
        at_most(&key(name), rounds.len(), MOST_ROUNDS, "rounds")
    };
    let pairs = |name: &str, rounds: &Rounds, must_match: bool| {
        all(&format!("{name}.base"), &rounds.base)?;
        all(&format!("{name}.head"), &rounds.head)?;
        if must_match && rounds.base.len() != rounds.head.len() {
            return Err(FormatError::at(
                key(name),
                "pairs need the same number of rounds on both sides",
            ));
        }
        Ok(())
    };
    let Evidence { rounds, confirmation, averages, mean, baseline, instructions, layouts, .. } =
        &*benchmark.evidence;
    text(&key("evidence.not_counted"), &benchmark.evidence.not_counted)?;
    text(&key("evidence.not_relinked"), &benchmark.evidence.not_relinked)?;
    let sides = [("base", benchmark.base, mean.base), ("head", benchmark.head, mean.head)];
    for (side, median, mean) in sides {
        median.map_or(Ok(()), |median| value(side, median))?;
        mean.map_or(Ok(()), |mean| value(&format!("evidence.mean.{side}"), mean))?;
    }
    pairs("evidence.rounds", rounds, benchmark.pairs > 0)?;
    pairs("evidence.confirmation", confirmation, true)?;
    for (name, averages, measured) in [
        ("evidence.averages.rounds", &averages.rounds, rounds),
        ("evidence.averages.confirmation", &averages.confirmation, confirmation),
    ] {
        pairs(name, averages, true)?;
        if averages.base.len() > measured.base.len() {
            return Err(FormatError::at(key(name), "there are more means than pairs"));
        }
    }
    all("evidence.baseline", baseline)?;
    let earlier = &benchmark.evidence.earlier;
    at_most(&key("evidence.earlier"), earlier.len(), MOST_ATTEMPTS, "attempts")?;
    for (stage, measured) in [(Stage::Screening, rounds), (Stage::Confirmation, confirmation)] {
        let before: usize = earlier.iter().map(|pairs| pairs.of(stage)).sum();
        let measured = measured.head.len();
        if before > measured {
            let problem = format!("{before} pairs of earlier attempts, of {measured}");
            return Err(FormatError::at(key("evidence.earlier"), problem));
        }
    }
    let confirmed = confirmation.base.len();
    if !layouts.is_empty() && layouts.len() != confirmed {
        let problem = format!("{} layouts of {confirmed} confirmation pairs", layouts.len());
        return Err(FormatError::at(key("evidence.layouts"), problem));
    }
    if let Some(Instructions { base, head }) = instructions {
        value("evidence.instructions.base", *base)?;
        value("evidence.instructions.head", *head)?;
    }
    if let Some(counters) = &benchmark.evidence.counters {
        at_most(&key("evidence.counters.pairs"), counters.pairs as usize, MOST_ROUNDS, "pairs")?;
        for (name, ratio) in counters.ratios() {
            amount(&key(&format!("evidence.counters.{name}")), ratio)?;
        }
    }
    for change in benchmark.change.iter().chain(&benchmark.drift) {
        for change in [Some(change.estimate), change.lower, change.upper].into_iter().flatten() {
            if !(-1.0..=LARGEST_CHANGE).contains(&change) {
                return Err(FormatError::at(
                    key("change"),
                    format!("invalid change {change:e}: expected -1 to {LARGEST_CHANGE:e}"),
                ));
            }
        }
    }
    if !(0.0..=LARGEST_CHANGE).contains(&benchmark.limit) {
        let problem = format!("invalid threshold {:e}: must be >= 0", benchmark.limit);
        return Err(FormatError::at(key("limit"), problem));
    }
    if !benchmark.metric.may_be_in(&benchmark.unit) {
        let problem = format!("`{}` is not `{}`", benchmark.unit, benchmark.metric.unit());
        return Err(FormatError::at(key("unit"), problem));
    }
    let Thresholds { note, warning, critical } = benchmark.thresholds;
    for threshold in
        [note, warning, critical, benchmark.floor_ns, benchmark.detectable.unwrap_or(0.0)]
    {
        if !(0.0..=LARGEST_CHANGE).contains(&threshold) {
            return Err(FormatError::at(
                key("thresholds"),
                format!("invalid threshold {threshold:e}: must be >= 0"),
            ));
        }
    }
    Ok(())
}

fn rule_numbers(rule: &RuleReport, key: impl Fn(&str) -> String) -> Result<(), FormatError> {
    amount(&key("limit"), rule.limit)?;
    rule.base.map_or(Ok(()), |base| amount(&key("base"), base))?;
    let Some(value) = &rule.value else { return Ok(()) };
    [Some(value.estimate), value.lower, value.upper]
        .into_iter()
        .flatten()
        .try_for_each(|number| amount(&key("value"), number))
}

fn amount(key: &str, value: f64) -> Result<(), FormatError> {
    if (0.0..=LARGEST_VALUE).contains(&value) {
        return Ok(());
    }
    Err(FormatError::at(key, format!("{value:e} is not from 0 to {LARGEST_VALUE:e}")))
}

#[cfg(test)]
mod tests {
    use crate::model::{Change, CpuCounters, EarlierPairs, Sides, SuiteKey};
    use crate::report::samples;
    use crate::result::{MeasuredSuite, RuleValue, RunResult};

    type Edit = dyn Fn(&mut RunResult);

    fn long(bytes: usize) -> String {
        "x".repeat(bytes)
    }

    #[test]
    fn a_result_that_is_too_large_or_not_a_number_is_refused_by_its_key() {
        let edits: [(&str, &Edit); 24] = [
            ("a long id", &|r| r.benchmarks[1].id = long(4097)),
            ("a long package", &|r| r.benchmarks[1].package = long(5000)),
            ("a long reason", &|r| r.benchmarks[2].reason = long(65_537)),
            ("a long notice", &|r| r.notices = vec![String::new(), long(1_000_000)]),
            ("a long commit", &|r| r.head.commit = long(10_000)),
            ("a long CPU", &|r| r.machine.as_mut().unwrap().cpu = long(10_000)),
            ("a long rule", &|r| r.rules[1].benchmark = long(10_000)),
            ("a long command", &|r| r.reproduce = long(70_000)),
            ("many notices", &|r| r.notices = vec![String::new(); 200_001]),
            ("many rounds", &|r| {
                r.benchmarks[1].evidence.rounds.base = vec![1.0; 10_001];
                r.benchmarks[1].evidence.rounds.head = vec![1.0; 10_001];
            }),
            ("a time of a century", &|r| r.benchmarks[1].head = Some(3e18)),
            ("a mean of zero", &|r| r.benchmarks[1].evidence.mean.head = Some(0.0)),
            ("a round of zero", &|r| r.benchmarks[1].evidence.rounds.head[3] = 0.0),
            ("more earlier pairs than pairs", &|r| {
                let earlier = EarlierPairs { screening: 100, confirmation: 0 };
                r.benchmarks[1].evidence.earlier = vec![earlier];
            }),
            ("many attempts", &|r| {
                r.benchmarks[1].evidence.earlier = vec![EarlierPairs::default(); 21];
            }),
            ("fewer layouts than pairs", &|r| r.benchmarks[1].evidence.layouts = vec![1]),
            ("a long reason of layouts", &|r| {
                r.benchmarks[1].evidence.not_relinked = long(65_537);
            }),
            ("a negative counter", &|r| {
                let instructions_per_cycle = Sides::new(1.0, -1.0);
                let counters = CpuCounters { instructions_per_cycle, ..samples::counters() };
                r.benchmarks[1].evidence.counters = Some(counters);
            }),
            ("a change below -1", &|r| {
                let change = Change { estimate: 0.1, lower: Some(-1.5), upper: None };
                r.benchmarks[1].change = Some(change);
            }),
            ("a huge change", &|r| {
                r.benchmarks[1].change = Some(Change { estimate: 1e300, lower: None, upper: None });
            }),
            ("a negative threshold", &|r| r.benchmarks[1].limit = -0.1),
            ("a negative duration", &|r| r.seconds.build = -1.0),
            ("a negative duration of a suite", &|r| {
                r.measured = vec![MeasuredSuite::of(SuiteKey::new("p", "s"), -1.0, None)];
            }),
            ("a rule's value below zero", &|r| {
                r.rules[0].value =
                    Some(RuleValue { estimate: 1.0, lower: Some(-1.0), upper: None });
            }),
        ];
        let table: String = edits
            .iter()
            .map(|(what, edit)| {
                let mut result = samples::violated_rule();
                edit(&mut result);
                let error = RunResult::from_json(result.to_json().as_bytes()).unwrap_err();
                format!("{what}: {error}\n")
            })
            .collect();
        insta::assert_snapshot!(table);
    }
}
