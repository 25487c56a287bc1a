//! Finds the files that the compiler reads besides a source file, as far as the source names them.

use std::collections::BTreeSet;

use super::listing::{Listed, takes_sizes};
use super::nested::{Nested, READ_NOTHING};
use super::paths::{folder_of, is_dots, name_of, resolve};
use super::spelled::{Spelling, of_system};
use super::test_items::{modules, without_test_items};
use super::words::{Word, words};

/// Macros that read files that no text of the source names.
const READ_ANYTHING: [&str; 6] =
    ["RustEmbed", "rust_embed", "include_dir", "git_version", "git_describe", "vergen"];

/// Files that one source file makes the compiler read.
#[derive(Debug, Default)]
pub(super) struct Reads {
    /// Files with code, by `include!` and `#[path]`.
    pub(super) code: BTreeSet<String>,
    /// Files and folders that are included as they are, or that a macro or an attribute may mean.
    pub(super) named: BTreeSet<String>,
    /// Name of the first macro that may read any file.
    pub(super) anything: Option<String>,
    /// Whether it includes code by a computed path.
    pub(super) has_unread_code: bool,
    /// Whether it may have modules in files of their own.
    pub(super) has_modules: bool,
    /// Names of modules in files of their own that it has for unit tests alone.
    pub(super) test_modules: BTreeSet<String>,
    /// Those of the others.
    pub(super) modules: BTreeSet<String>,
    /// Whether a macro of it declares modules of names that it is given.
    pub(super) makes_modules: bool,
    /// Its strings, but for documentation: what a bench may spell when it runs.
    pub(super) texts: BTreeSet<String>,
    /// Its characters that are letters or digits: pieces of texts, and no names.
    pub(super) characters: BTreeSet<char>,
    /// Those of macros and attributes, which may read files while the compiler runs.
    pub(super) macro_texts: BTreeSet<String>,
    /// Files of which the text is a string of it.
    pub(super) included: BTreeSet<String>,
    /// What it calls that lists the folder of its package, or one above it.
    pub(super) lists: Option<&'static str>,
    /// What it calls that lists a folder that comes from elsewhere.
    pub(super) lists_given: Option<&'static str>,
    /// Whether it says what the folder of its package is, or one above it.
    pub(super) names_own_folder: bool,
    /// Whether it starts programs.
    pub(super) starts: bool,
    /// Whether it asks for variables by computed names.
    pub(super) asks_any_variable: bool,
    /// What it calls that takes in a file and is not observed.
    pub(super) escapes: Option<&'static str>,
    /// What it calls that says where its executable is.
    pub(super) finds_itself: Option<&'static str>,
    /// What it does with texts.
    pub(super) spelling: Spelling,
    /// Whether it takes the name of a file from the manifest.
    pub(super) names_manifest: bool,
}

/// Names of what takes in the size or the time of a file, or opens one so that its access time stays as it is.
const ESCAPES: [&str; 23] = [
    "FICLONE",
    "O_NOATIME",
    "SEEK_END",
    "copy_file_range",
    // `O_NOATIME` may be a number.
    "custom_flags",
    "fstat",
    "fstat64",
    "fstatat",
    "fstatat64",
    "hard_link",
    "lseek",
    "lseek64",
    "lstat",
    "lstat64",
    "metadata",
    "newfstatat",
    "reflink",
    "reflink_or_copy",
    "stat64",
    "statat",
    "statx",
    "stream_len",
    "symlink_metadata",
];

/// The same, by words of a path: many other things are called `stat` and `copy`.
const ESCAPES_BY_PATH: [(&[Word<'static>], &str); 6] = [
    (&[Word::Mark(b':'), Word::Name("stat"), Word::Mark(b'(')], "stat"),
    // Imported or declared.
    (&[Word::Mark(b':'), Word::Name("stat"), Word::Mark(b';')], "stat"),
    (&[Word::Mark(b'{'), Word::Name("stat"), Word::Mark(b',')], "stat"),
    (&[Word::Mark(b','), Word::Name("stat"), Word::Mark(b'}')], "stat"),
    (&[Word::Name("fn"), Word::Name("stat"), Word::Mark(b'(')], "stat"),
    (&[Word::Name("fs"), Word::Mark(b':'), Word::Mark(b':'), Word::Name("copy")], "fs::copy"),
];

/// Files that programs read without being told to.
const DEFAULT_FILES: [(&str, &[&str]); 5] = [
    ("make", &["Makefile", "makefile", "GNUmakefile"]),
    ("gmake", &["Makefile", "makefile", "GNUmakefile"]),
    ("just", &["justfile", "Justfile", ".justfile"]),
    ("task", &["Taskfile.yml", "Taskfile.yaml"]),
    ("npm", &["package.json"]),
];

/// Whether a program runs what is in a file of this name without being told to.
pub(super) fn is_run_by_name(name: &str) -> bool {
    DEFAULT_FILES.iter().any(|(_, files)| files.contains(&name))
}

/// The files that a Python module of a word may be, where `-m` starts it.
pub(super) fn modules_of_python(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_module = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    let words = text.split_whitespace().filter(is_module).map(|word| word.replace('.', "/"));
    words.flat_map(|path| [format!("{path}.py"), format!("{path}/__main__.py")])
}

/// Names by which a program finds what lies next to its executable.
const FINDS_ITSELF: [&str; 3] = ["current_exe", "cargo_bin", "cargo_dir"];

/// Variables of cargo of which the values are files that the manifest names, or these, or the manifest.
const FILES_OF_CARGO: [&str; 3] =
    ["CARGO_PKG_README", "CARGO_PKG_LICENSE_FILE", "CARGO_MANIFEST_PATH"];
const USUAL_FILES: [&str; 3] = ["README.md", "README.txt", "README"];

/// Whether a value of the manifest is one that most programs show: its name is known, and a version is no name of a file.
fn is_of_every_package(key: &str) -> bool {
    key == "NAME" || key.starts_with("VERSION")
}

/// Reads a source file of a package; `has_tests` says whether its items for tests are compiled, too.
pub(super) fn reads(path: &str, text: &str, package: &str, has_tests: bool) -> Reads {
    let all = words(text);
    let words = if has_tests { all.clone() } else { without_test_items(all.clone()) };
    let mut pass = Pass {
        path,
        package,
        own_macros: own_macros(&words),
        spells_names: spells_names(&words),
        nested: Nested::default(),
        documentation: None,
        reads: Reads::default(),
    };
    for (at, word) in words.iter().enumerate() {
        let part = |range| words.get(range).unwrap_or_default();
        pass.follow(part(0..at), word, part(at + 1..words.len()));
    }
    let mut reads = pass.reads;
    reads.modules = modules(&words);
    reads.test_modules = &modules(&all) - &reads.modules;
    let declares = [Word::Name("mod"), Word::Mark(b'$')];
    reads.makes_modules = words.windows(2).any(|words| *words == declares);
    reads.run(&words);
    // What a build script starts takes part in a build, whose outcome is compared. What another program reads follows from
    // no text: it may join names, list folders, or open what another file names.
    if name_of(path) != "build.rs" && reads.starts {
        reads.lists = reads.lists.or(Some("a program that is started"));
    }
    reads
}

/// One pass over the words of a source.
struct Pass<'a> {
    path: &'a str,
    package: &'a str,
    /// The macros that it defines.
    own_macros: BTreeSet<&'a str>,
    /// Whether a macro makes texts of names that it is given.
    spells_names: bool,
    nested: Nested,
    /// The depth of the documentation that a word is part of.
    documentation: Option<usize>,
    reads: Reads,
}

impl Pass<'_> {
    fn follow(&mut self, before: &[Word<'_>], word: &Word<'_>, after: &[Word<'_>]) {
        self.nested.follow(before, word);
        let depth = self.nested.depth();
        self.documentation = self.documentation.filter(|of| depth >= *of);
        if *word == Word::Name("doc") && self.nested.is_in_attribute() {
            self.documentation = self.documentation.or(Some(depth));
        }
        self.spell(before, word, after);
        self.compile(before, word, after);
    }

    /// What a bench may spell of it when it runs.
    fn spell(&mut self, before: &[Word<'_>], word: &Word<'_>, after: &[Word<'_>]) {
        let is_code = self.documentation.is_none();
        let is_called = after.first() == Some(&Word::Mark(b'!'));
        let is_stringified =
            || matches!(before, [.., Word::Name("stringify"), Word::Mark(b'!'), Word::Mark(_)]);
        match word {
            Word::Text(text) if is_code && !self.is_of_compiler(before, text) => {
                self.spell_text(before, text);
            }
            Word::Character(character) if is_code && character.is_alphanumeric() => {
                self.reads.characters.insert(*character);
            }
            Word::Name("file") if is_called => {
                self.reads.texts.insert(self.path.to_owned());
            }
            // The crate, and the module that the file is.
            Word::Name("module_path") if is_called => {
                self.reads.texts.insert("CARGO_CRATE_NAME".to_owned());
                self.reads.texts.insert(name_of(self.path).trim_end_matches(".rs").to_owned());
            }
            // What begins documentation is no name of it.
            Word::Name("doc") if self.nested.is_in_attribute() => {}
            Word::Name(name)
                if is_stringified() || self.spells_names && self.nested.is_in_macro() =>
            {
                self.reads.texts.insert((*name).to_owned());
            }
            _ => {}
        }
    }

    /// Whether a text says what the compiler takes in: that is in the executable, where it is used.
    fn is_of_compiler(&self, before: &[Word<'_>], text: &str) -> bool {
        // A constant of the executable that has it: what it leads to is compared by that.
        let is_program = text.starts_with("CARGO_BIN_EXE_")
            && matches!(
                before,
                [.., Word::Name("env" | "option_env"), Word::Mark(b'!'), Word::Mark(_)]
            );
        let is_path = matches!(before, [.., Word::Name("path"), Word::Mark(b'=')]);
        is_program || is_path || self.nested.is_in_include()
    }

    fn spell_text(&mut self, before: &[Word<'_>], text: &str) {
        // Of two that are joined one after the other, the path.
        if let [
            ..,
            Word::Text(above),
            Word::Mark(b')'),
            Word::Mark(b'.'),
            Word::Name("join"),
            Word::Mark(b'('),
        ] = before
        {
            self.reads.texts.insert(format!("{above}/{text}"));
        }
        if self.nested.is_in_macro() || self.nested.is_in_attribute() {
            self.reads.macro_texts.insert(text.to_owned());
        }
        self.reads.texts.insert(text.to_owned());
    }

    /// What the compiler reads besides.
    fn compile(&mut self, before: &[Word<'_>], word: &Word<'_>, after: &[Word<'_>]) {
        let is_called = after.first() == Some(&Word::Mark(b'!'));
        match word {
            Word::Name(name) if READ_ANYTHING.contains(name) => self.reads.anything(name),
            Word::Name("mod") => self.reads.has_modules |= !is_inline(after),
            Word::Name(name @ ("include" | "include_str" | "include_bytes")) if is_called => {
                self.include(name, argument_of(after.get(2..).unwrap_or_default()));
            }
            Word::Name("path") if after.first() == Some(&Word::Mark(b'=')) => {
                let file = match after.get(1) {
                    Some(Word::Text(file)) => resolve(folder_of(self.path), file),
                    _ => None,
                };
                // Within a module it is found from a folder with its name, and a macro may be given any.
                if is_of_module(before) && (file.is_none() || self.nested.is_in_module()) {
                    self.reads.has_unread_code = true;
                    self.reads.anything("#[path]");
                }
                self.reads.include("include", file, false);
            }
            Word::Text(text) if self.nested.is_in_macro() => {
                self.reads.text(text, self.path, self.package);
            }
            // A macro may write a module.
            Word::Name(name) if is_called => {
                let is_known = READ_NOTHING.contains(name) || self.own_macros.contains(name);
                self.reads.has_modules |= !is_known;
            }
            _ => {}
        }
    }

    /// What a macro of the standard library includes.
    fn include(&mut self, name: &str, argument: Argument) {
        let is_unread = match argument {
            Argument::Computed => true,
            // In a macro it is found from the file and the package that call that, wherever they are.
            Argument::Path(_) | Argument::OfPackage(_) => self.nested.is_in_rules(),
            // A file that a build script writes: the script itself counts.
            Argument::OfBuildScript => false,
        };
        if is_unread {
            self.reads.has_unread_code |= name == "include";
            self.reads.anything(&format!("{name}!"));
        }
        let is_text = self.documentation.is_none();
        match argument {
            Argument::Path(file) => {
                self.reads.include(name, resolve(folder_of(self.path), &file), is_text);
            }
            Argument::OfPackage(file) => {
                let file = resolve(self.package, file.trim_start_matches('/'));
                self.reads.include(name, file, is_text);
            }
            Argument::OfBuildScript | Argument::Computed => {}
        }
    }
}

/// Whether a macro makes texts of names that it is given.
fn spells_names(words: &[Word<'_>]) -> bool {
    words.windows(4).any(|words| {
        matches!(
            words,
            [Word::Name("stringify"), Word::Mark(b'!'), Word::Mark(_), Word::Mark(b'$')]
        )
    })
}

/// Whether what follows is the `path` of a module: other attributes have one, too.
fn is_of_module(before: &[Word<'_>]) -> bool {
    let attribute = before.windows(3).rev().find_map(|words| match words {
        [Word::Mark(b'#'), Word::Mark(b'['), Word::Name(name)] => Some(*name),
        _ => None,
    });
    matches!(before, [.., Word::Mark(b'#'), Word::Mark(b'[')]) || attribute == Some("cfg_attr")
}

/// Whether the name of a variable is put together.
fn makes_name_of_variable(words: &[Word<'_>]) -> bool {
    let is_made = |words: &[Word<'_>]| {
        let [Word::Name("var" | "var_os"), Word::Mark(b'('), argument @ ..] = words else {
            return false;
        };
        let own = argument.iter().take_while(|word| !matches!(word, Word::Mark(b')' | b';')));
        own.clone().any(|word| matches!(word, Word::Name("format" | "concat" | "to_uppercase")))
    };
    (0..words.len()).any(|at| is_made(words.get(at..).unwrap_or_default()))
}

/// `macro_rules`, and what it defines here: all that these macros write is in the file.
fn own_macros<'a>(words: &[Word<'a>]) -> BTreeSet<&'a str> {
    let defined = words.windows(3).filter_map(|words| match words {
        [Word::Name("macro_rules"), Word::Mark(b'!'), Word::Name(name)] => Some(*name),
        _ => None,
    });
    defined.chain(["macro_rules"]).collect()
}

/// Whether the code of a module follows its name.
fn is_inline(after_mod: &[Word<'_>]) -> bool {
    matches!(after_mod, [Word::Name(_), Word::Mark(b'{'), ..])
}

impl Reads {
    /// Whether all of its code is in the file itself.
    pub(super) fn is_all_code(&self) -> bool {
        self.code.is_empty() && self.anything.is_none() && !self.has_modules
    }

    fn anything(&mut self, name: &str) {
        self.anything.get_or_insert_with(|| name.to_owned());
    }

    /// What it may do when it runs.
    fn run(&mut self, words: &[Word<'_>]) {
        let has = |name: &str| words.contains(&Word::Name(name));
        let is_of_package = self.texts.contains("CARGO_MANIFEST_DIR");
        let Listed { own, given, names_own, starts } = Listed::by(words, is_of_package);
        self.starts = starts;
        self.asks_any_variable = has("vars") || has("vars_os") || makes_name_of_variable(words);
        (self.lists, self.lists_given, self.names_own_folder) = (own, given, names_own);
        self.spelling = Spelling::by(words);
        self.mean(has);
        self.texts.extend(of_system(words));
        // `SeekFrom::End`, or what imports it.
        let seeks_end = || (has("SeekFrom") && has("End")).then_some("SeekFrom::End");
        let is_called =
            |(path, _): &(&[Word<'_>], &str)| words.windows(path.len()).any(|words| words == *path);
        let by_path = || ESCAPES_BY_PATH.iter().find(|of| is_called(of)).map(|(_, name)| *name);
        let by_name = ESCAPES.into_iter().find(|name| has(name));
        let by_program =
            || (starts && takes_sizes(words)).then_some("a program that takes sizes or times");
        self.escapes = by_name.or_else(seeks_end).or_else(by_path).or_else(by_program);
        self.finds_itself = FINDS_ITSELF.into_iter().find(|name| has(name));
        let names_a_file = FILES_OF_CARGO.iter().any(|name| self.texts.contains(*name));
        let has_value = |text: &String| {
            text.strip_prefix("CARGO_PKG_").is_some_and(|key| !is_of_every_package(key))
        };
        if names_a_file {
            self.texts.extend(USUAL_FILES.map(str::to_owned));
        }
        if self.texts.contains("CARGO_MANIFEST_PATH") {
            self.texts.insert("Cargo.toml".to_owned());
        }
        // A program that reads a manifest may read what that names.
        let is_manifest = |text: &String| text.rsplit(['/', '\\']).next() == Some("Cargo.toml");
        self.names_manifest =
            names_a_file || self.texts.iter().any(|text| is_manifest(text) || has_value(text));
    }

    /// Adds what its strings mean to programs and dependencies, and what they are with other separators.
    fn mean(&mut self, has: impl Fn(&str) -> bool) {
        let mut more: Vec<String> = Vec::new();
        for text in &self.texts {
            let files = DEFAULT_FILES.iter().filter(|(program, _)| text == program);
            more.extend(files.flat_map(|(_, files)| *files).map(|file| (*file).to_owned()));
            more.extend(self.spelling.paths(text));
        }
        if self.texts.iter().any(|text| text.split_whitespace().any(|word| word == "-m")) {
            more.extend(self.texts.iter().flat_map(|text| modules_of_python(text)));
        }
        if has("dotenv") || has("dotenvy") {
            more.push(".env".to_owned());
        }
        if has("WalkBuilder") || has("ignore") {
            more.extend([".gitignore", ".ignore"].map(str::to_owned));
        }
        self.texts.extend(more);
    }

    /// A file outside of the repository is the same for both sides.
    fn include(&mut self, name: &str, file: Option<String>, is_text: bool) {
        if is_text && name != "include" {
            self.included.extend(file.clone());
        }
        let of = if name == "include" { &mut self.code } else { &mut self.named };
        of.extend(file);
    }

    /// A macro of a dependency finds a file from the file that calls it, from the package or from the folder that
    /// cargo compiles in.
    fn text(&mut self, text: &str, path: &str, package: &str) {
        let text = ["$CARGO_MANIFEST_DIR", "${CARGO_MANIFEST_DIR}"]
            .iter()
            .find_map(|prefix| text.strip_prefix(prefix))
            .map_or(text, |rest| rest.trim_start_matches('/'));
        if text.contains(['\n', '\0']) {
            return;
        }
        let found = [folder_of(path), package, ""].map(|folder| resolve(folder, text));
        let is_path = |found: &String| !found.is_empty() && !is_dots(text);
        self.named.extend(found.into_iter().flatten().filter(is_path));
    }
}

/// The argument of `include!` and its like.
enum Argument {
    Path(String),
    OfPackage(String),
    OfBuildScript,
    Computed,
}

fn argument_of(words: &[Word<'_>]) -> Argument {
    use Word::{Mark, Name, Text};
    match words {
        [Text(path), Mark(b')' | b']' | b'}' | b','), ..] => Argument::Path(path.clone()),
        [
            Name("concat"),
            Mark(b'!'),
            Mark(_),
            Name("env"),
            Mark(b'!'),
            Mark(_),
            Text(folder),
            Mark(_),
            rest @ ..,
        ] => match (folder.as_str(), joined(rest)) {
            ("OUT_DIR", _) => Argument::OfBuildScript,
            ("CARGO_MANIFEST_DIR", Some(path)) => Argument::OfPackage(path),
            _ => Argument::Computed,
        },
        _ => Argument::Computed,
    }
}

/// The texts up to the end of a `concat!`; `None` where something else is among them.
fn joined(words: &[Word<'_>]) -> Option<String> {
    let mut path = String::new();
    for word in words {
        match word {
            Word::Text(text) => path.push_str(text),
            Word::Mark(b',') => {}
            Word::Mark(b')' | b']' | b'}') => return Some(path),
            _ => return None,
        }
    }
    None
}
