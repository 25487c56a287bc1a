//! The type of a renderer, and the options that it is given.

use std::fmt;
use std::str::FromStr;

use crate::history::History;
use crate::result::RunResult;

/// A format of a report: one function, one line of `RENDERERS`.
pub struct Renderer {
    /// The value of `--format`.
    pub name: &'static str,
    /// Its purpose, as shown in the help.
    pub about: &'static str,
    /// The report. It ends with a line end.
    pub render: fn(&RunResult, &Options<'_>) -> String,
}

/// Options of a report; a renderer uses those that apply to it.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Columns of the terminal; `None` for no limit.
    pub width: Option<u16>,
    /// Whether to colour with ANSI sequences.
    pub colour: bool,
    /// Maximum size in bytes.
    pub limit: usize,
    /// The address of the run on GitHub.
    pub run_url: Option<&'a WebAddress>,
    /// The address of the HTML report.
    pub page_url: Option<&'a WebAddress>,
    /// The runs that led to the base.
    pub history: Option<&'a History>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            width: None,
            colour: false,
            limit: usize::MAX,
            run_url: None,
            page_url: None,
            history: None,
        }
    }
}

/// A web address, safe to use in a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAddress(String);

impl FromStr for WebAddress {
    type Err = &'static str;

    fn from_str(url: &str) -> Result<Self, Self::Err> {
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@&=+,;%".contains(c);
        match rest {
            Some(rest) if !rest.is_empty() && rest.chars().all(plain) => Ok(Self(url.to_owned())),
            _ => Err("invalid web address: expected such as https://github.com/o/r/actions/runs/1"),
        }
    }
}

impl fmt::Display for WebAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
