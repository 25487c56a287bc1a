//! Metrics to compare: those of the table, and the counts that suites name themselves.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::unit::Unit;

/// A row of the table.
#[derive(Debug)]
struct Row {
    /// The name in files, policies and reports.
    name: &'static str,
    /// The unit of its values: it decides how they are shown, and how a budget of them is written.
    unit: Unit,
    /// How its values are judged.
    kind: Kind,
    /// What it is, for the documentation.
    about: &'static str,
}

/// How the values of a metric are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Values scatter: pairs of rounds prove a change.
    Sampled,
    /// Values repeat: two equal runs prove a change.
    Exact,
}

/// Makes a constant of each row, and the list of them.
macro_rules! metrics {
    ($(#[doc = $about:literal] $constant:ident = $name:literal, $unit:expr, $kind:ident;)+) => {
        /// Every metric that benchgate knows by name, in the order of reports. A count that is not here needs no row:
        /// `benchgate.counts/1` brings its name and unit along.
        pub static METRICS: &[Metric] = &[$(Metric::$constant),+];

        impl Metric {
            $(
                #[doc = $about]
                pub const $constant: Self = Self(Repr::Row(&Row {
                    name: $name,
                    unit: $unit,
                    kind: Kind::$kind,
                    about: $about,
                }));
            )+
        }
    };
}

metrics! {
    /// Wall time of one iteration.
    TIME = "time", Unit::Nanoseconds, Sampled;
    /// Wall time of a whole process.
    WALL = "wall", Unit::Nanoseconds, Sampled;
    /// CPU time of a whole process, in the program and in the kernel.
    CPU = "cpu", Unit::Nanoseconds, Sampled;
    /// Maximum memory that a whole process held at once.
    MEMORY_PEAK = "memory.peak", Unit::Bytes, Sampled;
    /// Instructions, as the suite counts them.
    INSTRUCTIONS = "instructions", Unit::Count("instructions"), Exact;
    /// Allocated blocks per iteration.
    ALLOC_BLOCKS = "alloc.blocks", Unit::Count("blocks"), Exact;
    /// Allocated bytes per iteration.
    ALLOC_BYTES = "alloc.bytes", Unit::Count("bytes"), Exact;
    /// Maximum number of bytes that were live at once.
    ALLOC_PEAK = "alloc.peak", Unit::Count("bytes"), Exact;
    /// Size of something, as the suite measures it.
    SIZE_BYTES = "size.bytes", Unit::Count("bytes"), Exact;
    /// System calls, as the suite counts them.
    SYSCALLS = "syscalls", Unit::Count("calls"), Exact;
    /// A quantity that a bench measures with a measurement of its own, such as cycles: its unit is the bench's.
    CUSTOM = "custom", Unit::Number(UNKNOWN), Sampled;
}

/// A quantity that a bench measures with a measurement of its own: the only sampled metric with a unit of its own.
const CUSTOM: &str = "custom";

/// The unit of a custom quantity that nothing says.
const UNKNOWN: &str = "units";

/// A metric to compare. Two metrics are the same when their names are.
#[derive(Clone)]
pub struct Metric(Repr);

#[derive(Clone)]
enum Repr {
    Row(&'static Row),
    Custom { unit: Arc<str> },
    Named { name: Arc<str>, unit: Arc<str> },
}

/// The longest name of a metric or a unit.
const LONGEST: usize = 64;

impl Metric {
    /// The quantity of a bench in its unit, such as cycles. One that cannot be written is not known.
    pub fn custom(unit: &str) -> Self {
        let is_plain = !unit.is_empty() && is_unit(unit) && unit != UNKNOWN;
        if is_plain { Self(Repr::Custom { unit: unit.into() }) } else { Self::CUSTOM }
    }

    /// The row of this name; `None` where the table has none.
    pub fn known(name: &str) -> Option<Self> {
        METRICS.iter().find(|metric| metric.name() == name).cloned()
    }

    /// The metric of this name: a row of the table, or a count with its own unit.
    ///
    /// # Errors
    /// Says what is wrong with the name or the unit.
    pub fn named(name: &str, unit: &str) -> Result<Self, String> {
        if let Some(known) = Self::known(name) {
            return match unit {
                _ if name == CUSTOM => Ok(Self::custom(unit)),
                unit if unit.is_empty() || unit == known.unit() => Ok(known),
                unit => Err(format!("the unit of `{name}` is `{}`, not `{unit}`", known.unit())),
            };
        }
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-_".contains(c);
        if name.is_empty() || name.len() > LONGEST || !name.chars().all(is_word) {
            return Err(format!(
                "invalid metric `{}`: expected 1 to {LONGEST} of a-z, 0-9, `.`, `-` and `_`, such as \
                 `size.bytes`",
                name.escape_debug()
            ));
        }
        if !is_unit(unit) {
            return Err(format!("invalid unit of `{name}`: at most {LONGEST} bytes of text"));
        }
        Ok(Self(Repr::Named { name: name.into(), unit: unit.into() }))
    }

    /// The same metric with its unit, which a name alone does not have.
    #[must_use]
    pub fn with_unit(&self, unit: &str) -> Self {
        match &self.0 {
            _ if self.name() == CUSTOM => Self::custom(unit),
            Repr::Row(_) | Repr::Custom { .. } => self.clone(),
            Repr::Named { name, .. } => {
                Self(Repr::Named { name: Arc::clone(name), unit: unit.into() })
            }
        }
    }

    /// The name in files and policies.
    pub fn name(&self) -> &str {
        match &self.0 {
            Repr::Row(row) => row.name,
            Repr::Custom { .. } => CUSTOM,
            Repr::Named { name, .. } => name,
        }
    }

    /// The unit of its values, as files have it; empty where nothing says it.
    pub fn unit(&self) -> &str {
        match &self.0 {
            Repr::Row(row) => row.unit.name(),
            Repr::Custom { unit } | Repr::Named { unit, .. } => unit,
        }
    }

    /// What it is; empty of a count that a suite names.
    pub fn about(&self) -> &'static str {
        match &self.0 {
            Repr::Row(row) => row.about.trim(),
            Repr::Custom { .. } => Self::CUSTOM.about(),
            Repr::Named { .. } => "",
        }
    }

    /// Whether the table has it.
    pub fn is_known(&self) -> bool {
        !matches!(self.0, Repr::Named { .. })
    }

    /// Whether values of it may be in this unit.
    pub fn may_be_in(&self, unit: &str) -> bool {
        self.name() == CUSTOM || !self.is_known() || unit == self.unit()
    }

    /// Whether values of the two can be compared: of another quantity, or in another unit, nothing can be said.
    pub fn is_comparable_with(&self, other: &Self) -> bool {
        let [this, that] = [self, other].map(Self::unit);
        self == other && (this == that || !self.is_known() || [this, that].contains(&UNKNOWN))
    }

    /// How its values are judged.
    pub fn kind(&self) -> Kind {
        match &self.0 {
            Repr::Row(row) => row.kind,
            Repr::Custom { .. } => Kind::Sampled,
            Repr::Named { .. } => Kind::Exact,
        }
    }

    /// Whether its values are counts, which are exact and may be zero.
    pub fn is_count(&self) -> bool {
        self.kind() == Kind::Exact
    }

    /// Whether its values are nanoseconds.
    pub fn is_duration(&self) -> bool {
        matches!(self.0, Repr::Row(Row { unit: Unit::Nanoseconds, .. }))
    }

    /// Whether `explain` looks for what a change of it comes from.
    pub fn is_explained(&self) -> bool {
        [Self::TIME, Self::ALLOC_BLOCKS, Self::ALLOC_BYTES].contains(self)
    }

    /// A value as reports show it.
    pub fn show(&self, value: f64) -> String {
        match &self.0 {
            Repr::Row(row) => row.unit.show(value),
            Repr::Custom { unit } => Unit::number(value, unit),
            Repr::Named { unit, .. } if unit.is_empty() => format!("{value}"),
            Repr::Named { unit, .. } => format!("{value} {unit}"),
        }
    }

    /// A budget as policies write it: `2us`, `20MiB`.
    ///
    /// # Errors
    /// Says what is expected.
    pub fn parse(&self, text: &str) -> Result<f64, String> {
        match &self.0 {
            Repr::Row(row) => row.unit.parse(text),
            Repr::Custom { unit } | Repr::Named { unit, .. } => Unit::parse_count(text, unit),
        }
    }

    fn order(&self) -> usize {
        METRICS.iter().position(|row| row == self).unwrap_or(METRICS.len())
    }
}

/// Whether a unit can be written anywhere.
fn is_unit(unit: &str) -> bool {
    unit.len() <= LONGEST && !unit.chars().any(char::is_control)
}

impl fmt::Debug for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Metric {}

impl Ord for Metric {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order().cmp(&other.order()).then_with(|| self.name().cmp(other.name()))
    }
}

impl PartialOrd for Metric {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Metric {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::named(&name, "").map_err(serde::de::Error::custom)
    }
}

/// Any name: a suite may count what it likes.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for Metric {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Metric".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let known: Vec<&str> = METRICS.iter().map(Metric::name).collect();
        schemars::json_schema!({
            "type": "string",
            "description": "What is compared: a metric that benchgate knows, or a count that a suite names",
            "pattern": "^[a-z0-9._-]{1,64}$",
            "examples": known,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_of_one_row_which_says_what_it_is() {
        for (at, metric) in METRICS.iter().enumerate() {
            assert_eq!(metric.order(), at, "{metric:?} is there twice");
            assert!(metric.about().ends_with('.'), "{metric:?}");
        }
    }

    #[test]
    fn a_count_that_the_table_lacks_brings_its_unit_along() {
        let calls = Metric::named("branch.misses", "misses").unwrap();
        assert!(calls.is_count() && !calls.is_known());
        assert_eq!(calls.show(3.0), "3 misses");
        assert_eq!(Metric::named("branch.misses", "").unwrap(), calls);
        assert!(Metric::TIME < Metric::ALLOC_BLOCKS && Metric::ALLOC_BLOCKS < calls);
    }

    #[test]
    fn a_custom_quantity_has_the_unit_of_its_bench() {
        let of = |unit| Metric::named("custom", unit).unwrap();
        let [cycles, bytes, unknown] = ["cycles", "bytes", ""].map(of);
        assert_eq!(cycles.show(288.234), "288.2 cycles");
        assert_eq!(Metric::CUSTOM.with_unit("cycles").show(1234.5), "1234 cycles");
        for unit in ["", "a\nb", &"x".repeat(65)] {
            assert_eq!(Metric::custom(unit).unit(), "units");
        }
        assert!(cycles.is_known() && !cycles.is_count() && cycles.may_be_in("bytes"));
        assert!(!Metric::TIME.may_be_in("ms"));
        // One row, and no value in cycles against one in bytes.
        assert!(cycles == bytes && !cycles.is_comparable_with(&bytes));
        assert!(cycles.is_comparable_with(&cycles) && cycles.is_comparable_with(&unknown));
        assert!(!cycles.is_comparable_with(&Metric::TIME));
    }

    #[test]
    fn a_name_or_unit_that_cannot_be_one_is_refused_with_what_is_expected() {
        let long = "x".repeat(65);
        let table: String = [
            ("", ""),
            ("Size", "bytes"),
            ("a b", ""),
            ("time", "ms"),
            (long.as_str(), ""),
            ("a", long.as_str()),
            ("a", "b\nc"),
        ]
        .map(|(name, unit)| format!("{}\n", Metric::named(name, unit).unwrap_err()))
        .concat();
        insta::assert_snapshot!(table);
    }
}
