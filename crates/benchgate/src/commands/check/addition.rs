//! The line to type that adds to the policy.

use std::path::Path;

use benchgate_core::policy::FILE_NAME;
use benchgate_core::report::quoted;
use benchgate_host::system::files;

/// What a key of the policy gets in addition.
pub(super) enum Addition<'a> {
    /// Entries of a list.
    Entries(&'a [String]),
    /// It is switched on.
    On,
}

impl Addition<'_> {
    /// As TOML has it where there was nothing.
    pub(super) fn value(&self) -> String {
        match self {
            Self::Entries(entries) => format!("{entries:?}"),
            Self::On => "true".to_owned(),
        }
    }

    /// The command of sed that adds it to a key that is there.
    fn edit(&self, key: &str) -> String {
        match self {
            Self::Entries(entries) => {
                let entries: Vec<String> = entries.iter().map(|it| format!("{it:?}")).collect();
                format!("s|^{key}[[:space:]]*=[[:space:]]*\\[|&{}, |", entries.join(", "))
            }
            Self::On => format!("s|^{key}[[:space:]]*=.*|{key} = true|"),
        }
    }

    /// Whether all characters are among these.
    fn is_of(&self, is_meant: impl Fn(char) -> bool) -> bool {
        match self {
            Self::Entries(entries) => entries.iter().all(|it| it.chars().all(&is_meant)),
            Self::On => true,
        }
    }
}

/// The policy that a line adds to: the file of the user's checkout.
pub(super) struct PolicyFile {
    /// How it is named where the user is.
    name: String,
    text: String,
}

impl PolicyFile {
    /// That of a workspace's folder.
    pub(super) fn of(root: &Path) -> Self {
        let path = root.join(FILE_NAME);
        let is_here = std::env::current_dir().is_ok_and(|here| here == root);
        let name = if is_here { FILE_NAME.to_owned() } else { path.to_string_lossy().into_owned() };
        let text = String::from_utf8_lossy(&files::read(&path).unwrap_or_default()).into_owned();
        Self { name, text }
    }

    /// The line that adds these lines to it.
    pub(super) fn appending(&self, lines: impl IntoIterator<Item = String>) -> String {
        let has_end = self.text.is_empty() || self.text.ends_with('\n');
        let end = (!has_end).then(String::new);
        let lines = end.into_iter().chain(lines).map(|line| quoted(&line));
        let lines: Vec<String> = lines.collect();
        format!("printf '%s\\n' {} >>{}", lines.join(" "), quoted(&self.name))
    }

    /// The line that adds to keys of a table; `None` where it cannot be written plainly.
    pub(super) fn adding(&self, table: &str, additions: &[(&str, Addition<'_>)]) -> Option<String> {
        let policy = &*self.text;
        let heading = format!("[{table}]");
        if !policy.lines().any(|line| line.starts_with(&heading)) {
            // Escapes of TOML are others than ours.
            let is_shown = |c: char| c == '\'' || c.escape_debug().eq([c]);
            let is_plain = additions.iter().all(|(_, added)| added.is_of(is_shown));
            let lines = additions.iter().map(|(key, added)| format!("{key} = {}", added.value()));
            let lines = std::iter::once(heading).chain(lines);
            return (is_plain && !is_otherwise(policy, table)).then(|| self.appending(lines));
        }
        // Others have a meaning for sed.
        let is_word = |c: char| c.is_ascii_alphanumeric() || "/._-$".contains(c);
        if !additions.iter().all(|(_, added)| added.is_of(is_word)) {
            return None;
        }
        let of_table: Vec<&str> = policy
            .lines()
            .skip_while(|line| !line.starts_with(&heading))
            .skip(1)
            .take_while(|line| !line.starts_with('['))
            .collect();
        let has = |key: &str| {
            let is_key = |rest: &str| rest.trim_start().starts_with('=');
            of_table.iter().any(|line| line.strip_prefix(key).is_some_and(is_key))
        };
        let rest = of_table.join("\n");
        if additions.iter().any(|(key, _)| !has(key) && is_otherwise(&rest, key)) {
            return None;
        }
        let scripts = additions.iter().map(|(key, added)| {
            let script = match has(key) {
                true => format!(r"/^\[{table}\]/,/^{key}/{}", added.edit(key)),
                false => format!(r"/^\[{table}\]/a {key} = {}", added.value()),
            };
            format!("-e {}", quoted(&script))
        });
        Some(format!("sed -i {} {}", scripts.collect::<Vec<_>>().join(" "), quoted(&self.name)))
    }
}

/// Whether a policy has a name in another form than we look for: `sandbox = {…}`, `sandbox.read = …`, `[ sandbox ]`, or a key
/// that is indented or in quotes.
fn is_otherwise(policy: &str, table: &str) -> bool {
    policy.lines().any(|line| {
        let line = line.trim_start_matches([' ', '\t', '[', '"', '\'']);
        let after =
            line.strip_prefix(table).map(|it| it.trim_start_matches(['"', '\'', ' ', '\t']));
        after.is_some_and(|after| after.starts_with(['=', '.', ']']))
    })
}

#[cfg(test)]
mod tests {
    use benchgate_core::policy::Policy;

    use super::*;

    /// As a shell runs it, on a policy in this form.
    fn added(policy: &str, entry: &str) -> Option<String> {
        let entries = [entry.to_owned()];
        let file = PolicyFile { name: FILE_NAME.to_owned(), text: policy.to_owned() };
        let line = file.adding(
            "sandbox",
            &[("read", Addition::Entries(&entries)), ("network", Addition::On)],
        )?;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE_NAME);
        std::fs::write(&file, policy).unwrap();
        let mut shell = std::process::Command::new("sh");
        let done = shell.args(["-c", &line]).current_dir(folder.path()).status().unwrap();
        assert!(done.success(), "{line}");
        Some(std::fs::read_to_string(file).unwrap())
    }

    #[test]
    fn a_line_adds_to_a_policy_in_whatever_form_or_is_not_given() {
        for (policy, entry) in [
            ("", "/data"),
            ("[build]\nlayouts = 0", "/data"),
            ("", "/it's $HOME `x` data"),
            ("[build]\nlayouts = 0\n", "/data"),
            ("[sandbox]\n", "/data"),
            ("[sandbox] # of benches\nread = [\"/more\"]\nnetwork = false\n\n[gate]\n", "/data"),
            ("[sandbox]\nread = [\n  \"/more\",\n]\n[gate]\n", "/data"),
            ("[gate]\n[sandbox]\nwrite = []\n[measure]\n", "/data"),
            ("[sandbox]\nread\t= [\"/more\"]\nnetwork\t=\tfalse\n", "/data"),
        ] {
            let text = added(policy, entry).unwrap();
            let reach =
                Policy::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}")).sandbox;
            assert!(reach.network && reach.read.iter().any(|it| it == entry), "{text}");
            assert_eq!(reach.read.len(), 1 + policy.matches("/more").count(), "{text}");
        }
        for (policy, entry) in [
            ("sandbox = { network = false }\n", "/data"),
            ("sandbox.network = false\n", "/data"),
            ("[ sandbox ]\n", "/data"),
            ("[sandbox]\n  read = [\"/more\"]\n", "/data"),
            ("[sandbox]\n\"read\" = [\"/more\"]\n", "/data"),
            ("", "/a\u{a0}b"),
            ("", "/with\nlines"),
            ("", "/\"quoted\""),
            ("[sandbox]\n", "/with spaces"),
        ] {
            assert_eq!(added(policy, entry), None, "{policy}");
        }
    }
}
