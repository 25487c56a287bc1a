//! `Benchgate-Accept: <glob> <= <ceiling>% <reason>`: a slowdown that the commit which brings it asks to
//! accept. Honoured only where the base's policy allows trailers at all.

use super::Selector;
use super::ceiling::Ceiling;
use super::value::checked_ceiling;
use crate::model::Metric;

/// The trailer's key.
pub const TRAILER: &str = "Benchgate-Accept";

/// Placeholder for the reason in a suggested line.
pub const WHY: &str = "<why>";

/// An exception that a trailer asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Acceptance {
    /// The benchmarks.
    pub selector: Selector,
    /// Their metric.
    pub metric: Metric,
    /// The maximum that is accepted.
    pub ceiling: Ceiling,
    /// The reason.
    pub reason: String,
}

impl Acceptance {
    /// Reads what follows the key.
    ///
    /// # Errors
    /// Says what is wrong, and how it is written.
    pub fn parse(text: &str) -> Result<Self, String> {
        // An id may hold `<=` itself: the one that a ceiling follows counts.
        let mut found = text.match_indices("<=").filter_map(|(at, sign)| {
            let (ceiling, rest) = amount(text[at + sign.len()..].trim_start())?;
            Some((text[..at].trim(), ceiling, rest.trim()))
        });
        let Some((what, ceiling, reason)) = found.next() else {
            return Err(format!("it holds no ceiling; {SHAPE}"));
        };
        let (benchmark, metric) = with_metric(what);
        if benchmark.is_empty() {
            return Err(format!("it names no benchmark; {SHAPE}"));
        }
        if reason.is_empty() || reason == WHY {
            return Err(format!("it gives no reason; {SHAPE}"));
        }
        let ceiling = match ceiling {
            Amount::Percent(percent) => Ceiling::Change(checked_ceiling(percent)? / 100.0),
            Amount::Count(count, unit)
                if metric.is_count() && (unit == metric.unit() || metric.unit().is_empty()) =>
            {
                Ceiling::Count(count)
            }
            Amount::Count(_, unit) => {
                return Err(format!("{} is not counted in {unit}; {SHAPE}", metric.name()));
            }
        };
        let selector = Selector::benchmark(benchmark);
        Ok(Self { selector, metric, ceiling, reason: reason.to_owned() })
    }
}

/// The id and the metric that is named behind it: one of the table, or any after `metric:`, since an id
/// may end in any word.
fn with_metric(what: &str) -> (&str, Metric) {
    what.rsplit_once(char::is_whitespace)
        .and_then(|(id, word)| {
            let metric = match word.strip_prefix(NAMED) {
                Some(name) => Metric::named(name, "").ok()?,
                None => Metric::known(word)?,
            };
            Some((id.trim(), metric))
        })
        .unwrap_or((what, Metric::TIME))
}

/// Prefix of a metric that the table does not have.
const NAMED: &str = "metric:";

const SHAPE: &str = "write `Benchgate-Accept: <glob> <= <ceiling>% <reason>`";

enum Amount<'a> {
    Percent(f64),
    Count(f64, &'a str),
}

/// A ceiling at the start of a text, and what follows it.
fn amount(text: &str) -> Option<(Amount<'_>, &str)> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    let rest = text[end..].trim_start();
    if let Some(rest) = rest.strip_prefix('%') {
        let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
        return ends.then_some((Amount::Percent(number), rest));
    }
    let (unit, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    (!unit.is_empty()).then_some((Amount::Count(number, unit), rest))
}

/// A glob that matches an id and holds nothing odd: in a glob `?` is any character.
pub(crate) fn plain_glob(id: &str) -> String {
    let odd =
        |c: char| c.is_control() || c == '`' || c == '|' || !(c.is_ascii() || c.is_alphanumeric());
    id.chars().map(|c| if odd(c) { '?' } else { c }).collect()
}

/// The whole line that asks to accept a change of one benchmark.
pub fn trailer(id: &str, metric: &Metric, ceiling: Ceiling) -> String {
    let glob = plain_glob(id);
    let metric_name = match metric {
        metric if *metric == Metric::TIME => String::new(),
        metric if metric.is_known() => format!(" {}", metric.name()),
        metric => format!(" {NAMED}{}", metric.name()),
    };
    format!("{TRAILER}: {glob}{metric_name} <= {} {WHY}", ceiling.written(metric))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BenchmarkKey, METRICS};
    use proptest::prelude::*;

    #[test]
    fn trailers_are_read_or_refused_with_their_shape() {
        let table: String = [
            "dataset/x/decode <= 13% the arena checks its bounds now",
            "dataset/*<=7.5 % because",
            "a <= b <= 13% an id with a sign",
            "decode alloc.blocks <= 2 blocks one more buffer",
            "decode alloc.bytes <= 10% one more buffer",
            "decode alloc.blocks <= 2 bytes another unit",
            "decode <= 2 blocks a time",
            "decode <= 13",
            "decode <= 13%",
            "decode <= 13%because",
            "decode <= 13% <why>",
            "decode <= 0% nothing",
            "decode <= 5000% everything",
            "decode <= -1% less",
            "<= 13% everything",
            "decode 13% no sign",
            "",
        ]
        .iter()
        .map(|text| {
            let read = Acceptance::parse(text).map_or_else(
                |problem| format!("refused: {problem}"),
                |a| {
                    let ceiling = a.ceiling.written(&a.metric);
                    let selector = a.selector;
                    format!(
                        "`{}` {} up to {ceiling}: {}",
                        selector.benchmark.pattern(),
                        a.metric.name(),
                        a.reason
                    )
                },
            );
            format!("{text}\n    -> {read}\n")
        })
        .collect();
        insta::assert_snapshot!(table);
    }

    proptest! {
        #[test]
        fn a_suggested_line_with_a_reason_matches_the_benchmark_it_was_made_for(
            id in "[ -~äμ`|]{1,40}", percent in 1_u32..1000, count in 0_u32..1000,
        ) {
            let id = id.trim();
            prop_assume!(!id.is_empty() && !id.contains("<="));
            prop_assume!(METRICS.iter().all(|row| !id.ends_with(row.name())) && !id.contains("metric:"));
            let key = BenchmarkKey::new("p", "s", id);
            for (metric, ceiling) in [
                (Metric::TIME, Ceiling::Change(f64::from(percent) / 100.0)),
                (Metric::ALLOC_BYTES, Ceiling::Count(f64::from(count))),
                (Metric::named("syscalls", "calls").unwrap(), Ceiling::Count(f64::from(count))),
            ] {
                let line = trailer(id, &metric, ceiling).replace(WHY, "because");
                let value = line.strip_prefix("Benchgate-Accept: ").unwrap();
                let read = Acceptance::parse(value).unwrap();
                prop_assert!(read.selector.matches(&key), "{line}");
                prop_assert_eq!((read.metric, read.ceiling), (metric, ceiling));
            }
        }

        #[test]
        fn any_text_is_survived(text in ".*") {
            drop(Acceptance::parse(&text));
        }
    }
}
