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

impl WebAddress {
    /// The address of a commit, where this is that of a run on GitHub. A result may hold anything in place of an id.
    pub(super) fn of_commit(&self, id: &str) -> Option<String> {
        let (repository, _) = self.0.split_once("/actions/runs/")?;
        let is_id = id.len() == 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_id.then(|| format!("{repository}/commit/{id}"))
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_has_an_address_where_the_run_and_its_id_are_known() {
        let id = "4f2c0ad6b1".repeat(4);
        let of_run = "https://github.com/o/r/actions/runs/77/attempts/2";
        let cases = [
            (of_run, &*id, Some(format!("https://github.com/o/r/commit/{id}"))),
            (of_run, "", None),
            (of_run, "../../../../login", None),
            (of_run, &id[1..], None),
            ("https://ci.example.com/o/r/jobs/77", &id, None),
        ];
        for (address, id, expected) in cases {
            let address: WebAddress = address.parse().unwrap();
            assert_eq!(address.of_commit(id), expected, "{address} {id}");
        }
    }
}
