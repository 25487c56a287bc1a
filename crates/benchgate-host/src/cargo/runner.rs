//! The runner that cargo's configuration names for benches, and for which target it builds.

use std::path::Path;

/// The runner by which cargo starts executables, and the target that it builds for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Runner {
    /// The triple that is built for.
    pub(crate) target: String,
    /// The program before the executable, and its arguments; empty where none is configured.
    pub(crate) words: Vec<String>,
}

/// The words before an executable of this name in the last command that cargo says it runs.
pub(crate) fn words_before(name: &str, stderr: &str) -> Option<Vec<String>> {
    let command = stderr
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Running `")?.strip_suffix('`'))
        .next_back()?;
    let mut words =
        words(command, |path| Path::new(path).is_absolute() && Path::new(path).is_file());
    let program = words.pop()?;
    Path::new(&program).file_stem().is_some_and(|stem| stem == name).then_some(words)
}

/// Splits a command as a shell would: cargo quotes its arguments for one, and its program not at all, so that a program
/// whose path has spaces is known by being there.
fn words(command: &str, is_program: impl Fn(&str) -> bool) -> Vec<String> {
    let ends = command.match_indices(' ').map(|(at, _)| at).chain([command.len()]);
    let program = ends.map(|end| command.split_at(end)).find(|(program, _)| is_program(program));
    let (mut words, command) = match program {
        Some((program, arguments)) => (vec![program.to_owned()], arguments),
        None => (Vec::new(), command),
    };
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            ' ' if !is_quoted => words.extend(word.take()),
            '\\' if !is_quoted => word.get_or_insert_default().extend(characters.next()),
            character => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_before_the_executable_are_the_runner() {
        let output = "   Compiling x v0.1.0\n     Running `rustc --crate-name x main.rs`\n    Finished\n     \
                    Running `env 'A=it'\\''s a b' '' /t/debug/program`\n";
        let expected = ["env", "A=it's a b", ""].map(str::to_owned).to_vec();
        assert_eq!(words_before("program", output), Some(expected));
        assert_eq!(words_before("program", "     Running `/t/debug/program`\n"), Some(Vec::new()));
        assert_eq!(words_before("program", "     Running `rustc main.rs`\nerror: no\n"), None);
    }

    #[test]
    fn a_program_whose_path_has_spaces_is_one_word_though_cargo_does_not_quote_it() {
        let folder = tempfile::tempdir().unwrap();
        let [runner, program] =
            ["a b/run.sh", "t a r/program"].map(|path| folder.path().join(path));
        for path in [&runner, &program] {
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, "").unwrap();
        }
        let [runner, program] = [runner, program].map(|path| path.display().to_string());
        let output = format!("     Running `{runner} --flag '{program}'`\n");
        assert_eq!(words_before("program", &output), Some(vec![runner, "--flag".to_owned()]));
        let output = format!("     Running `{program}`\n");
        assert_eq!(words_before("program", &output), Some(Vec::new()));
    }
}
