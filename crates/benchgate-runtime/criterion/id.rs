use std::collections::HashSet;
use std::fmt::Display;

use crate::settings::{Amount, Throughput};

/// Names a benchmark within its group.
#[derive(Clone, Eq, PartialEq, Hash)]
pub struct BenchmarkId {
    pub(crate) function: Option<String>,
    pub(crate) parameter: Option<String>,
}

impl BenchmarkId {
    /// Of a function and a parameter.
    pub fn new<S: Into<String>, P: Display>(function_name: S, parameter: P) -> BenchmarkId {
        BenchmarkId {
            function: Some(function_name.into()),
            parameter: Some(format!("{}", parameter)),
        }
    }

    /// Of a parameter.
    pub fn from_parameter<P: Display>(parameter: P) -> BenchmarkId {
        BenchmarkId { function: None, parameter: Some(format!("{}", parameter)) }
    }

    pub(crate) fn none() -> BenchmarkId {
        BenchmarkId { function: None, parameter: None }
    }
}

mod private {
    pub trait Sealed {}
    impl Sealed for super::BenchmarkId {}
    impl<S: Into<String>> Sealed for S {}
}

/// What names a benchmark.
pub trait IntoBenchmarkId: private::Sealed {
    /// Returns the id.
    fn into_benchmark_id(self) -> BenchmarkId;
}

impl IntoBenchmarkId for BenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId {
        self
    }
}

impl<S: Into<String>> IntoBenchmarkId for S {
    fn into_benchmark_id(self) -> BenchmarkId {
        let function = self.into();
        assert!(!function.is_empty(), "Function name must not be empty.");
        BenchmarkId { function: Some(function), parameter: None }
    }
}

/// A benchmark's names in the whole run.
#[derive(Clone, PartialEq)]
pub(crate) struct FullId {
    group: String,
    function: Option<String>,
    parameter: Option<String>,
    throughput: Option<Throughput>,
    pub(crate) id: String,
    pub(crate) directory: String,
    pub(crate) title: String,
}

/// Names that are taken already.
#[derive(Default)]
pub(crate) struct Taken {
    directories: HashSet<String>,
    titles: HashSet<String>,
}

impl FullId {
    pub(crate) fn new(group: &str, id: BenchmarkId, throughput: Option<Throughput>) -> FullId {
        let parts: Vec<&str> = Some(group)
            .into_iter()
            .chain(id.function.as_deref())
            .chain(id.parameter.as_deref())
            .collect();
        let safe: Vec<String> = parts.iter().map(|part| file_name(part)).collect();
        let full = parts.join("/");
        let mut title = cut(&full, 100).to_owned();
        if title != full {
            title.push_str("...");
        }
        FullId {
            group: group.to_owned(),
            throughput,
            directory: safe.join("/"),
            id: full,
            title,
            function: id.function,
            parameter: id.parameter,
        }
    }

    /// The names as Criterion writes them into the object `id` of `benchmark.json`.
    pub(crate) fn json(&self) -> String {
        let text =
            |text: &Option<String>| text.as_deref().map_or_else(|| "null".to_owned(), quoted);
        let throughput = self.throughput.as_ref().map_or_else(|| "null".to_owned(), amount);
        format!(
            r#"{{"group_id":{},"function_id":{},"value_str":{},"throughput":{},"full_id":{},"directory_name":{},"title":{}}}"#,
            quoted(&self.group),
            text(&self.function),
            text(&self.parameter),
            throughput,
            quoted(&self.id),
            quoted(&self.directory),
            quoted(&self.title),
        )
    }

    /// Numbers directory and title where another benchmark has them.
    pub(crate) fn take(&mut self, taken: &mut Taken) {
        self.directory = free(&self.directory, "_", &taken.directories);
        taken.directories.insert(self.directory.clone());
        self.title = free(&self.title, " #", &taken.titles);
        taken.titles.insert(self.title.clone());
    }
}

/// A throughput as serde writes the enumeration.
fn amount(throughput: &Throughput) -> String {
    match throughput.amount() {
        Amount::Bits(bits) => format!(r#"{{"Bits":{}}}"#, bits),
        Amount::Bytes(bytes) => format!(r#"{{"Bytes":{}}}"#, bytes),
        Amount::BytesDecimal(bytes) => format!(r#"{{"BytesDecimal":{}}}"#, bytes),
        Amount::Elements(elements) => format!(r#"{{"Elements":{}}}"#, elements),
        Amount::Both { elements, bytes } => {
            format!(r#"{{"ElementsAndBytes":{{"elements":{},"bytes":{}}}}}"#, elements, bytes)
        }
    }
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            control if u32::from(control) < 0x20 => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

fn free(name: &str, separator: &str, taken: &HashSet<String>) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while taken.contains(&free) {
        free = format!("{}{}{}", name, separator, number);
        number += 1;
    }
    free
}

fn file_name(text: &str) -> String {
    let safe = text.replace(&['?', '"', '/', '\\', '*', '<', '>', ':', '|', '^'][..], "_");
    cut(&safe, 64).to_owned()
}

fn cut(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
