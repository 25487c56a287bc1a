//! The settings of a policy, each with the line that it is from, and the defaults of all others.

use std::fmt::Write as _;
use std::ops::Range;

use serde_json::{Map, Value, json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Policy;
use super::file::{DEFAULT_TOML, PolicyError, line_of};

/// A policy, setting by setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Every key of every table, in the order of the documentation.
    pub settings: Vec<Setting>,
    /// The entries of the lists, such as `[[skip]]`, in the order of the file.
    pub entries: Vec<Entry>,
}

/// One key of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its table, such as `measure`.
    pub table: String,
    /// Its name.
    pub key: String,
    /// Its value as it is written in TOML.
    pub value: String,
    /// Its line in the file, from 1; `None` for a default.
    pub line: Option<usize>,
}

/// One entry of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The list, such as `skip`.
    pub list: String,
    /// Its line in the file, from 1.
    pub line: usize,
    /// Its keys, and the values as they are written in TOML.
    pub values: Vec<(String, String)>,
}

impl Shown {
    /// Reads a policy file's text.
    ///
    /// # Errors
    /// As [`Policy::parse`].
    pub fn read(text: &str) -> Result<Self, PolicyError> {
        Policy::parse(text)?;
        let own = table(text)?;
        let mut settings = settings(DEFAULT_TOML, &table(DEFAULT_TOML)?);
        for setting in &mut settings {
            setting.line = None;
        }
        for found in self::settings(text, &own) {
            let same = |it: &&mut Setting| it.table == found.table && it.key == found.key;
            match settings.iter_mut().find(same) {
                Some(setting) => *setting = found,
                None => settings.push(found),
            }
        }
        Ok(Self { settings, entries: entries(text, &own) })
    }

    /// As TOML, with the place of each value in a comment; `file` is the name of the file.
    pub fn to_toml(&self, file: &str) -> String {
        let mut text = String::new();
        let mut table = "";
        for setting in &self.settings {
            if setting.table != table {
                table = &setting.table;
                let gap = if text.is_empty() { "" } else { "\n" };
                let _ = writeln!(text, "{gap}[{table}]");
            }
            let line = format!("{} = {}", setting.key, setting.value);
            let _ = writeln!(text, "{line:<31} # {}", from(file, setting.line));
        }
        for entry in &self.entries {
            let _ =
                writeln!(text, "\n{:<31} # {file}:{}", format!("[[{}]]", entry.list), entry.line);
            for (key, value) in &entry.values {
                let _ = writeln!(text, "{key} = {value}");
            }
        }
        text
    }

    /// As JSON: `settings` by table and key, `entries` by list, each with its value and where it is from.
    pub fn to_json(&self, file: &str) -> String {
        let mut settings = Map::new();
        for Setting { table, key, value, line } in &self.settings {
            let place = json!({"value": json_of(value), "from": from(file, *line)});
            settings.insert(format!("{table}.{key}"), place);
        }
        let entry = |Entry { list, line, values }: &Entry| {
            let values: Map<String, Value> =
                values.iter().map(|(key, value)| (key.clone(), json_of(value))).collect();
            json!({"list": list, "value": values, "from": from(file, Some(*line))})
        };
        let entries: Vec<Value> = self.entries.iter().map(entry).collect();
        let all = json!({"settings": settings, "entries": entries});
        // Strings, numbers and lists: serializing cannot fail.
        crate::json::pretty(&all, 4_096) + "\n"
    }
}

fn from(file: &str, line: Option<usize>) -> String {
    line.map_or_else(|| "default".to_owned(), |line| format!("{file}:{line}"))
}

fn json_of(value: &str) -> Value {
    let table: Option<toml::Table> = toml::from_str(&format!("value = {value}")).ok();
    let value = table.and_then(|mut table| table.remove("value"));
    value.map_or(Value::Null, as_json)
}

/// As an editor sees it: a date is its text.
fn as_json(value: toml::Value) -> Value {
    match value {
        toml::Value::Table(table) => {
            table.into_iter().map(|(key, value)| (key, as_json(value))).collect()
        }
        toml::Value::Array(values) => values.into_iter().map(as_json).collect(),
        toml::Value::Datetime(day) => json!(day.to_string()),
        toml::Value::String(text) => json!(text),
        toml::Value::Integer(number) => json!(number),
        toml::Value::Float(number) => json!(number),
        toml::Value::Boolean(value) => json!(value),
    }
}

fn table(text: &str) -> Result<DeTable<'_>, PolicyError> {
    DeTable::parse(text)
        .map(Spanned::into_inner)
        .map_err(|error| PolicyError::at(text, error.span(), error.message()))
}

/// The keys of a table in the order of the text.
fn pairs<'a, 'i>(table: &'a DeTable<'i>) -> Vec<(Range<usize>, &'a str, &'a Spanned<DeValue<'i>>)> {
    let mut pairs: Vec<_> =
        table.iter().map(|(key, value)| (key.span(), key.get_ref().as_ref(), value)).collect();
    pairs.sort_by_key(|(span, ..)| span.start);
    pairs
}

fn settings(text: &str, file: &DeTable<'_>) -> Vec<Setting> {
    let mut settings = Vec::new();
    for (_, table, value) in pairs(file) {
        let DeValue::Table(values) = value.get_ref() else { continue };
        for (span, key, value) in pairs(values) {
            settings.push(Setting {
                table: table.to_owned(),
                key: key.to_owned(),
                value: text.get(value.span()).unwrap_or_default().to_owned(),
                line: Some(line_of(text, span.start)),
            });
        }
    }
    settings
}

fn entries(text: &str, file: &DeTable<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (_, list, value) in pairs(file) {
        let DeValue::Array(tables) = value.get_ref() else { continue };
        for table in tables.iter() {
            let DeValue::Table(values) = table.get_ref() else { continue };
            let pairs = pairs(values);
            let values =
                pairs.iter().map(|(_, key, value)| ((*key).to_owned(), written(text, value)));
            entries.push(Entry {
                list: list.to_owned(),
                line: line_of(text, table.span().start),
                values: values.collect(),
            });
        }
    }
    entries.sort_by_key(|entry| entry.line);
    entries
}

/// A value as it is in the file; a table with a header of its own is written in one line.
fn written(text: &str, value: &Spanned<DeValue<'_>>) -> String {
    match value.get_ref() {
        DeValue::Table(table) => {
            let pairs = pairs(table);
            let pairs = pairs.iter().map(|(span, _, value)| {
                let key = text.get(span.clone()).unwrap_or_default();
                format!("{key} = {}", written(text, value))
            });
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
        _ => text.get(value.span()).unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "[measure]\ntimeout = \"5min\"\n[thresholds]\ncritical = 15\n\n\
        [[skip]]\nbenchmark = \"net/*\"\nreason = \"a server\"\n\
        [[suite]]\nname = \"t\"\nharness = \"command\"\nrun = [\n  \"./t\",\n]\n\
        [suite.arguments]\nbig = [\"big.txt\"]\n\
        [[waiver]]\nbenchmark = \"a\"\nceiling = 13\nuntil = 2026-12-31\nissue = \"#7\"\nreason = \"r\"\n";

    #[test]
    fn each_value_is_shown_with_its_line_or_as_a_default() {
        insta::assert_snapshot!(Shown::read(POLICY).unwrap().to_toml("benchgate.toml"));
    }

    #[test]
    fn what_is_shown_is_the_same_policy() {
        let shown = Shown::read(POLICY).unwrap().to_toml("benchgate.toml");
        assert_eq!(
            Policy::parse(&shown),
            Policy::parse(POLICY).map(|mut policy| {
                // Its line is that of the shown text.
                policy.waivers[0].term.line = Policy::parse(&shown).unwrap().waivers[0].term.line;
                policy
            })
        );
        let defaults = Shown::read("").unwrap();
        assert_eq!(Policy::parse(&defaults.to_toml("f")), Ok(Policy::default()));
        assert!(defaults.settings.iter().all(|setting| setting.line.is_none()));
    }

    #[test]
    fn json_has_values_and_places() {
        let json: Value =
            serde_json::from_str(&Shown::read(POLICY).unwrap().to_json("b.toml")).unwrap();
        assert_eq!(
            json["settings"]["measure.timeout"],
            json!({"value": "5min", "from": "b.toml:2"})
        );
        assert_eq!(json["settings"]["measure.pairs"], json!({"value": 60, "from": "default"}));
        assert_eq!(json["entries"][0]["from"], "b.toml:6");
        assert_eq!(json["entries"][1]["value"]["arguments"]["big"], json!(["big.txt"]));
        assert_eq!(json["entries"][2]["value"]["until"], "2026-12-31");
    }

    #[test]
    fn every_table_of_the_file_has_its_defaults() {
        // A key without a documented default would be missing from what is shown.
        let shown = Shown::read("").unwrap();
        let tables: std::collections::BTreeSet<&str> =
            shown.settings.iter().map(|setting| setting.table.as_str()).collect();
        assert_eq!(
            tables.into_iter().collect::<Vec<_>>(),
            ["build", "data", "gate", "measure", "sandbox", "thresholds"]
        );
    }
}
