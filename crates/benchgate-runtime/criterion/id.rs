use std::collections::HashSet;
use std::fmt::Display;

use crate::settings::Throughput;

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

    /// Numbers directory and title where another benchmark has them.
    pub(crate) fn take(&mut self, taken: &mut Taken) {
        self.directory = free(&self.directory, "_", &taken.directories);
        taken.directories.insert(self.directory.clone());
        self.title = free(&self.title, " #", &taken.titles);
        taken.titles.insert(self.title.clone());
    }
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
