//! Resource usage of one whole process, as the launcher of the harness `command` prints it: one line of JSON.
//!
//! Launcher and reader are the same program; the line crosses a process boundary all the same, and a program
//! under test that found the launcher's output could write anything there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::json::{self, FormatError, positive};
use crate::model::Metric;

const SCHEMA: &str = "benchgate.process/1";

/// Resource usage of a process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    schema: String,
    /// Nanoseconds from its start to its end.
    pub wall: f64,
    /// Nanoseconds on a CPU, in the program and in the kernel.
    pub cpu: f64,
    /// Maximum number of bytes that were resident at once.
    pub peak: f64,
    /// How it ended, unless with exit code 0.
    pub failure: Option<String>,
}

impl Usage {
    /// Of a process that ended with exit code 0.
    pub fn new(wall: f64, cpu: f64, peak: f64) -> Self {
        Self { schema: SCHEMA.to_owned(), wall, cpu, peak, failure: None }
    }

    /// Of a command that did not.
    pub fn failed(how: impl Into<String>) -> Self {
        Self { failure: Some(how.into()), ..Self::new(0.0, 0.0, 0.0) }
    }

    /// The line that [`Usage::read`] reads.
    pub fn line(&self) -> String {
        json::one_line(self, 256)
    }

    /// Reads what a launcher printed.
    ///
    /// # Errors
    /// Names what is wrong with the line.
    pub fn read(text: &str) -> Result<Self, FormatError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(FormatError::whole("the launcher printed nothing"));
        }
        let usage: Self = json::parse(text.as_bytes())?;
        match usage.schema.as_str() {
            SCHEMA => Ok(usage),
            other => Err(FormatError::at("schema", format!("`{other}` is not `{SCHEMA}`"))),
        }
    }

    /// The values by metric.
    ///
    /// # Errors
    /// Names the value that cannot be compared.
    pub fn values(&self) -> Result<BTreeMap<Metric, f64>, FormatError> {
        let all =
            [(Metric::WALL, self.wall), (Metric::CPU, self.cpu), (Metric::MEMORY_PEAK, self.peak)];
        all.into_iter()
            .map(|(metric, value)| Ok((metric.clone(), positive(metric.name(), value)?)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_launcher_prints_is_read_back() {
        let usage = Usage::new(2.5e6, 1e6, 4_194_304.0);
        assert_eq!(Usage::read(&usage.line()), Ok(usage.clone()));
        let names: Vec<_> = usage.values().unwrap().into_keys().collect();
        assert_eq!(names, [Metric::WALL, Metric::CPU, Metric::MEMORY_PEAK]);
        let failed = Usage::read(&Usage::failed("it ended with exit status: 3").line()).unwrap();
        assert_eq!(failed.failure.as_deref(), Some("it ended with exit status: 3"));
    }

    #[test]
    fn a_line_that_cannot_be_compared_is_an_error_that_names_the_key() {
        let line = Usage::new(2.5, 1.0, 4.0).line();
        let table: String = [
            String::new(),
            "Segmentation fault".to_owned(),
            line.replace("process/1", "process/2"),
            line.replace("2.5", "NaN"),
            line.replace("2.5", "0"),
            line.replace("2.5", "1e999"),
            line.replace("2.5", "-1"),
            line.replace("\"cpu\"", "\"gpu\""),
            line[..30].to_owned(),
        ]
        .iter()
        .map(|text| {
            let error = Usage::read(text).and_then(|usage| usage.values()).unwrap_err();
            format!("{error}\n")
        })
        .collect();
        insta::assert_snapshot!(table);
    }
}
