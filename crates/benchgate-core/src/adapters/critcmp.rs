//! critcmp's export format, and our baselines, which are that format with one more key.
//!
//! A baseline file is read by critcmp as it is, because critcmp passes over keys it does not know. The
//! key `benchgate` holds what critcmp's format loses: where and with what it was measured, and the
//! value of every round.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize as DeriveDeserialize, Serialize};
use serde_json::value::RawValue;

use super::estimates::{Estimates, FullEstimates, mean, std_dev};
use crate::json::{self, FormatError, positive};
use crate::model::{
    BenchmarkKey, Identity, Machine, Metric, Recorded, RecordedBenchmark, Throughput, Toolchain,
};

/// Schema of the key `benchgate`.
pub const BASELINE_SCHEMA: &str = "benchgate.baseline/1";

/// Contents of the key `benchgate` of a baseline file.
#[derive(Clone, Debug, PartialEq, Serialize, DeriveDeserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineMeta {
    /// [`BASELINE_SCHEMA`].
    pub schema: String,
    /// Package of the suite.
    pub package: String,
    /// Bench target.
    pub suite: String,
    /// Commit that was measured.
    pub commit: String,
    /// Time of the measurement, RFC 3339.
    pub time: String,
    /// Machine that measured.
    pub machine: Machine,
    /// Toolchain that built the suite.
    pub toolchain: Toolchain,
    /// Raw values: benchmark id, then metric.
    #[serde(deserialize_with = "unique")]
    pub rounds: BTreeMap<String, BTreeMap<String, MetricRounds>>,
}

fn unique<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, BTreeMap<String, MetricRounds>>, D::Error> {
    UniqueMap::deserialize(deserializer).map(|UniqueMap(pairs)| pairs.into_iter().collect())
}

/// The rounds of one benchmark and metric.
#[derive(Clone, Debug, PartialEq, Serialize, DeriveDeserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricRounds {
    /// Unit of the values.
    pub unit: String,
    /// Values per round, in the order measured.
    pub values: Vec<f64>,
}

/// A benchmark to be written to a baseline file.
#[derive(Clone, Debug, PartialEq)]
pub struct BaselineBenchmark {
    /// From its `benchmark.json`.
    pub identity: Identity,
    /// Values per round, in nanoseconds per iteration.
    pub rounds: Vec<f64>,
}

/// Reads an export or a baseline file.
///
/// # Errors
/// Names the key that is missing, wrong, double or out of range.
pub fn read(bytes: &[u8]) -> Result<Recorded, FormatError> {
    let Export { benchmarks: UniqueMap(entries), benchgate } = json::parse_large(bytes)?;
    if let Some(meta) = &benchgate {
        check_meta(meta)?;
    }
    let (package, suite) =
        benchgate.as_ref().map_or(("", ""), |meta| (meta.package.as_str(), meta.suite.as_str()));
    let mut benchmarks = Vec::with_capacity(entries.len());
    for (id, entry) in entries {
        let at = |error: FormatError| error.within(&format!("benchmarks.{id}"));
        let (mean, std_dev) = entry.criterion_estimates_v1.checked().map_err(at)?;
        let rounds = match &benchgate {
            Some(meta) => rounds_of(meta, &id)?,
            None => Vec::new(),
        };
        let key = BenchmarkKey::new(package, suite, id);
        benchmarks.push((key, RecordedBenchmark { mean, std_dev, rounds, ..Default::default() }));
    }
    // All at once: most files are in order, and a tree is then built without a search for each place.
    let benchmarks: BTreeMap<_, _> = benchmarks.into_iter().collect();
    if let Some(meta) = &benchgate
        && let Some(stray) = meta
            .rounds
            .keys()
            .find(|id| !benchmarks.contains_key(&BenchmarkKey::new(package, suite, id.as_str())))
    {
        return Err(FormatError::at(
            format!("benchgate.rounds.{stray}"),
            "these rounds belong to no benchmark of the file",
        ));
    }
    Ok(match benchgate {
        None => Recorded { benchmarks, ..Recorded::default() },
        Some(meta) => Recorded {
            commit: Some(meta.commit),
            time: Some(meta.time),
            machine: Some(meta.machine),
            toolchain: Some(meta.toolchain),
            benchmarks,
            ..Recorded::default()
        },
    })
}

/// Reads what is to be compared. A benchmark of a plain export without a usable value is refused by its name; a baseline
/// is read whole or not at all.
///
/// # Errors
/// As of [`read`].
pub fn record(bytes: &[u8]) -> Result<Recorded, FormatError> {
    read(bytes).or_else(|error| one_by_one(bytes).ok_or(error))
}

/// A plain export, whose benchmarks are read one by one.
fn one_by_one(bytes: &[u8]) -> Option<Recorded> {
    let text = json::without_nan(bytes).ok()?;
    let file: RawExport<'_> = json::parse_borrowed(&text).ok()?;
    if file.benchgate.is_some() {
        return None;
    }
    let mut record = Recorded::default();
    for (id, raw) in file.benchmarks.0 {
        let at = format!("benchmarks.{id}");
        let values = json::parse_entry::<Entry>(&at, raw.get()).and_then(|entry| {
            let within = |error: FormatError| error.within(&at);
            let (mean, std_dev) = entry.criterion_estimates_v1.checked().map_err(within)?;
            Ok(RecordedBenchmark::single(mean, std_dev))
        });
        record.add(BenchmarkKey::of_id(id), values.map_err(|error| error.to_string()));
    }
    Some(record)
}

fn check_meta(meta: &BaselineMeta) -> Result<(), FormatError> {
    if meta.schema != BASELINE_SCHEMA {
        return Err(FormatError::at(
            "benchgate.schema",
            format!("`{}` is not `{BASELINE_SCHEMA}`: written by another version", meta.schema),
        ));
    }
    for (key, value) in [("package", &meta.package), ("suite", &meta.suite)] {
        if value.is_empty() {
            return Err(FormatError::at(format!("benchgate.{key}"), "is empty"));
        }
    }
    Ok(())
}

fn rounds_of(meta: &BaselineMeta, id: &str) -> Result<Vec<f64>, FormatError> {
    let time = Metric::TIME;
    let key = format!("benchgate.rounds.{id}.{}", time.name());
    let rounds = meta
        .rounds
        .get(id)
        .and_then(|metrics| metrics.get(time.name()))
        .ok_or_else(|| FormatError::at(&key, "is missing; save the baseline again"))?;
    if rounds.unit != time.unit() {
        return Err(FormatError::at(
            format!("{key}.unit"),
            format!("`{}` is not `{}`", rounds.unit, time.unit()),
        ));
    }
    if rounds.values.is_empty() {
        return Err(FormatError::at(format!("{key}.values"), "no round"));
    }
    for (index, value) in rounds.values.iter().enumerate() {
        positive(&format!("{key}.values[{index}]"), *value)?;
    }
    Ok(rounds.values.clone())
}

/// Writes a baseline file: critcmp's export of the estimates over rounds, and the key `benchgate`.
/// `name` becomes the column that critcmp prints.
pub fn write(name: &str, mut meta: BaselineMeta, benchmarks: &[BaselineBenchmark]) -> String {
    let mut entries = BTreeMap::new();
    meta.rounds = BTreeMap::new();
    for BaselineBenchmark { identity, rounds } in benchmarks {
        let time = MetricRounds { unit: Metric::TIME.unit().to_owned(), values: rounds.clone() };
        meta.rounds.insert(
            identity.full_id.clone(),
            BTreeMap::from([(Metric::TIME.name().to_owned(), time)]),
        );
        let entry = WriteEntry {
            baseline: name,
            fullname: format!("{name}/{}", identity.full_id),
            criterion_benchmark_v1: WriteIdentity {
                group_id: &identity.group_id,
                function_id: identity.function_id.as_deref(),
                value_str: identity.value_str.as_deref(),
                throughput: identity.throughput(),
                full_id: &identity.full_id,
                directory_name: &identity.directory_name,
            },
            criterion_estimates_v1: FullEstimates::of_rounds(rounds),
        };
        entries.insert(identity.full_id.as_str(), entry);
    }
    text(&WriteExport { name, benchmarks: entries, benchgate: Some(meta) })
}

/// Writes a plain export of what a run recorded; `name` becomes the column that critcmp prints.
///
/// critcmp matches by id alone: an id that two suites have is written with the suite in front, for both.
pub fn export(name: &str, recorded: &Recorded) -> String {
    let mut suites: HashMap<&str, u32> = HashMap::new();
    for key in recorded.benchmarks.keys() {
        *suites.entry(key.id.as_str()).or_default() += 1;
    }
    let ids: Vec<(Cow<'_, str>, &RecordedBenchmark)> =
        recorded.benchmarks.iter().map(|(key, values)| (shown(key, &suites), values)).collect();
    let benchmarks = ids
        .iter()
        // A record that lost its rounds has no spread to show.
        .filter(|(_, values)| !values.rounds.is_empty())
        .map(|(id, values)| {
            let entry = WriteEntry {
                baseline: name,
                fullname: format!("{name}/{id}"),
                criterion_benchmark_v1: WriteIdentity {
                    group_id: id,
                    function_id: None,
                    value_str: None,
                    throughput: None,
                    full_id: id,
                    directory_name: id,
                },
                criterion_estimates_v1: FullEstimates::of_rounds(&values.rounds),
            };
            (&**id, entry)
        })
        .collect();
    // Nobody reads it but critcmp: half of a text for people would be spaces.
    let export = WriteExport { name, benchmarks, benchgate: None };
    let mut text = json::one_line(&export, (export.benchmarks.len() + 1) * OF_AN_ENTRY);
    text.push('\n');
    text
}

/// The id of a benchmark, with its suite in front where several suites have it.
fn shown<'a>(key: &'a BenchmarkKey, suites: &HashMap<&str, u32>) -> Cow<'a, str> {
    let BenchmarkKey { package, suite, id } = key;
    match suites.get(id.as_str()) {
        Some(1) => Cow::Borrowed(id),
        _ => Cow::Owned(format!("{package}.{suite}/{id}")),
    }
}

/// Bytes that are more than nearly every entry takes: a text of megabytes is not moved while it grows.
const OF_AN_ENTRY: usize = 2_048;

fn text(export: &WriteExport<'_>) -> String {
    // Strings and finite numbers always serialize; the type has no map with other keys.
    let mut text = json::pretty(export, (export.benchmarks.len() + 1) * OF_AN_ENTRY);
    text.push('\n');
    text
}

/// Returns the record of rounds that were just measured.
pub fn recorded(rounds: Vec<f64>) -> RecordedBenchmark {
    let (mean, std_dev) = (mean(&rounds), std_dev(&rounds));
    RecordedBenchmark { mean, std_dev, rounds, ..RecordedBenchmark::default() }
}

#[derive(DeriveDeserialize)]
struct Export {
    benchmarks: UniqueMap<Entry>,
    #[serde(default)]
    benchgate: Option<BaselineMeta>,
}

/// An export whose benchmarks stay text.
#[derive(DeriveDeserialize)]
struct RawExport<'a> {
    #[serde(borrow)]
    benchmarks: UniqueMap<&'a RawValue>,
    #[serde(default)]
    benchgate: Option<IgnoredAny>,
}

#[derive(DeriveDeserialize)]
struct Entry {
    criterion_estimates_v1: Estimates,
}

#[derive(Serialize)]
struct WriteExport<'a> {
    name: &'a str,
    benchmarks: BTreeMap<&'a str, WriteEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    benchgate: Option<BaselineMeta>,
}

#[derive(Serialize)]
struct WriteEntry<'a> {
    baseline: &'a str,
    fullname: String,
    criterion_benchmark_v1: WriteIdentity<'a>,
    criterion_estimates_v1: FullEstimates,
}

#[derive(Serialize)]
struct WriteIdentity<'a> {
    group_id: &'a str,
    function_id: Option<&'a str>,
    value_str: Option<&'a str>,
    throughput: Option<Throughput>,
    full_id: &'a str,
    directory_name: &'a str,
}

/// A JSON object as pairs. A double key is an error: the last one would silently win.
struct UniqueMap<V>(Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for UniqueMap<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Pairs<V> {
            type Value = UniqueMap<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of benchmarks")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs: Vec<(String, V)> = Vec::new();
                while let Some(pair) = map.next_entry::<String, V>()? {
                    pairs.push(pair);
                }
                let mut names: Vec<&str> = pairs.iter().map(|(name, _)| name.as_str()).collect();
                names.sort_unstable();
                if let Some([name, _]) = names.array_windows().find(|[a, b]| a == b) {
                    return Err(A::Error::custom(format_args!("`{name}` is there twice")));
                }
                Ok(UniqueMap(pairs))
            }
        }
        deserializer.deserialize_map(Pairs(PhantomData))
    }
}

#[cfg(test)]
mod tests;
