//! The inputs of a suite: everything that a run of it may take in, as far as its sources say before it is built.
//!
//! Whether it is built, whether equal machine code is *identical*, and what the store keeps of it follow from this value.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::listing::{is_interpreter, is_sizing_script};
use super::names::Names;
use super::paths::{folder_of, inside, is_dots, name_of};
use super::source::{Reads, is_run_by_name, modules_of_python, reads};
use super::spelled::Strings;
use super::tree::{Declared, Package, Runs, Source, Tree};
use crate::identity::ending;
use crate::model::SuiteKey;

/// What the suites of some packages are built from, and what they may read and start when they run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// The folders of its packages.
    pub folders: BTreeSet<String>,
    /// The first item found that may read any file of the repository, in words.
    pub anything: Option<String>,
    /// What lists the folder of a package, or one above it, in words: a run may read any file.
    pub lists: Option<String>,
    /// What is not observed though it takes in a file, in words: it asks for the size or the time of one, or opens it in
    /// a way that leaves no trace.
    pub escapes: Option<String>,
    /// Files and folders that the compiler reads, each with the first source that names it.
    pub included: BTreeMap<String, String>,
    /// Programs and libraries that cargo builds of the workspace and that a run may start or load.
    pub programs: BTreeSet<String>,
    /// The first item found that may start any of them, in words.
    pub any_program: Option<String>,
    /// Files, folders and globs that a run reads, where the policy says so: its sources may have words for more.
    pub reads: Option<Vec<String>>,
    /// Whether any variable may say which file it reads: it starts programs, or asks for variables by computed names.
    pub(super) is_led_by_variables: bool,
    /// What lists a folder that comes from elsewhere, in words; and whether any source says what the folder of its package
    /// is, or one above it.
    lists_given: Option<String>,
    names_own_folder: bool,
    /// What its strings name.
    pub(super) names: Names,
    /// What of it a build may read: by macros, attributes, cargo's configuration, scripts and lists.
    pub(super) names_of_builds: Names,
}

impl Inputs {
    /// Those of one suite; `read` is what each source reads.
    pub(super) fn of(key: &SuiteKey, tree: &Tree, read: &BTreeMap<&str, Reads>) -> Self {
        let first = tree.suites.get(key).cloned().unwrap_or_default();
        let declared = tree.declared.get(key);
        let reads = declared.and_then(|declared| declared.reads.clone());
        let mut inputs = Self { reads, ..Self::default() };
        for package in &tree.packages {
            inputs.names.know(&package.folder);
            inputs.names_of_builds.know(&package.folder);
        }
        if let Some(declared) = declared {
            inputs.declared(declared);
        }
        for (name, source) in inputs.build(&first, tree, read).made() {
            inputs.names.add(&name, source);
        }
        inputs.texts(tree, declared.is_some());
        if let (true, Some(what)) = (inputs.names_own_folder, &inputs.lists_given) {
            inputs.lists.get_or_insert_with(|| what.clone());
        }
        inputs.start(tree);
        // A program of another package is built from that; what it reads itself is not followed.
        let of_others = tree
            .packages
            .iter()
            .filter(|package| package.programs.iter().any(|program| inputs.may_start(program)));
        let folders: BTreeSet<String> = of_others.map(|package| package.folder.clone()).collect();
        let started = inputs.packages(&folders, tree);
        inputs.built(&started, tree, read);
        inputs
    }

    /// Whether a run may start a program of this name, or load it.
    pub fn may_start(&self, program: &str) -> bool {
        self.any_program.is_some() || self.programs.contains(program)
    }

    /// By what a run may take in more of what is built than its program, unless the policy says what it reads.
    pub(super) fn builds_more(&self) -> Option<&str> {
        let named = || self.programs.iter().next();
        let more = self.any_program.as_ref().or(self.anything.as_ref()).or_else(named);
        more.filter(|_| self.reads.is_none()).map(String::as_str)
    }

    /// The file with a string that names a file or a folder above it.
    pub fn named_by(&self, path: &str) -> Option<&str> {
        self.names.source_of(path)
    }

    /// Takes in what the packages in these folders are built from; returns the strings of their sources.
    fn build(
        &mut self,
        folders: &BTreeSet<String>,
        tree: &Tree,
        read: &BTreeMap<&str, Reads>,
    ) -> Strings {
        let mut strings = Strings::default();
        let packages = self.packages(folders, tree);
        let mut scanned = BTreeSet::new();
        let mut code = Vec::new();
        for package in &packages {
            self.unread(package, tree);
            let of_tests = modules_of_tests(package, read);
            let is_built = |source: &&Source| {
                is_built(&source.path, package) && !of_tests.is_module(&source.path)
            };
            for source in package.sources.iter().filter(is_built) {
                let Some(found) = read.get(&*source.path) else { continue };
                scanned.insert(&*source.path);
                code.extend(found.code.iter().map(|file| (&**file, &*source.path, *package)));
                self.of_build(found, &source.path);
                self.run(found, &source.path, package, tree, &mut strings);
                if let Some(name) = &found.anything {
                    let what = format!("`{name}` in `{}`", source.path);
                    // The strings of code that is not read are not known.
                    match found.has_unread_code {
                        true => self.may_read_any(what),
                        false => self.anything(what),
                    }
                }
            }
        }
        self.links(&packages, tree);
        if tree.has_more_texts {
            self.may_read_any("a short text that names it, of more than are read,".to_owned());
        }
        for (file, from, package) in code.into_iter().filter(|of| !scanned.contains(of.0)) {
            match tree.source(file).map(|source| reads(file, &source.text, &package.folder, true)) {
                Some(found) if found.is_all_code() => {
                    self.of_build(&found, file);
                    self.run(&found, file, package, tree, &mut strings);
                    self.included.insert(file.to_owned(), from.to_owned());
                }
                // More code is not followed.
                _ => self.may_read_any(format!("`{file}`, which `{from}` includes,")),
            }
        }
        strings
    }

    /// Takes in what builds of packages read, whose programs a run may start: files that their code includes, and what is not
    /// read here.
    fn built(&mut self, packages: &[&Package], tree: &Tree, read: &BTreeMap<&str, Reads>) {
        for package in packages {
            self.unread(package, tree);
            for source in &package.sources {
                let Some(found) = read.get(&*source.path) else { continue };
                self.of_build(found, &source.path);
                if let Some(name) = &found.anything {
                    self.anything(format!("`{name}` in `{}`", source.path));
                }
            }
        }
    }

    /// Takes in what a package has that is not read here.
    fn unread(&mut self, package: &Package, tree: &Tree) {
        let name = &package.name;
        match package.runs {
            Some(Runs::BuildScript) => self.anything(format!("the build script of `{name}`")),
            Some(Runs::ProcMacro) => self.anything(format!("a macro of `{name}`")),
            None => {}
        }
        if let Some(root) = root_elsewhere(package, tree) {
            self.may_read_any(format!("a target of `{name}` that is made of `{root}`"));
        }
    }

    /// What a source may do when it runs.
    fn run(
        &mut self,
        found: &Reads,
        source: &str,
        package: &Package,
        tree: &Tree,
        strings: &mut Strings,
    ) {
        for text in &found.texts {
            // Of a bench target it is the target's.
            if ["CARGO_CRATE_NAME", "CARGO_BIN_NAME"].contains(&text.as_str()) {
                package.roots.iter().for_each(|root| self.names.add(target_of(root), source));
            }
            let text = match text.as_str() {
                "CARGO_PKG_NAME" | "CARGO_CRATE_NAME" | "CARGO_BIN_NAME" => &package.name,
                text => text,
            };
            self.names.add(text, source);
            strings.add(text, source);
            if let Some(program) = text.strip_prefix("CARGO_BIN_EXE_") {
                self.names.add(program, source);
                if program.is_empty() || program.contains('{') {
                    self.any_program.get_or_insert_with(|| format!("`{text}` in `{source}`"));
                }
            }
        }
        strings.spell(&found.spelling);
        for character in &found.characters {
            self.names.piece(&character.to_string(), source);
        }
        let manifest = found.names_manifest.then(|| match package.folder.as_str() {
            "" => "Cargo.toml".to_owned(),
            folder => format!("{folder}/Cargo.toml"),
        });
        for file in found.included.iter().chain(&manifest) {
            if let Some(text) = tree.text(file) {
                self.names.add_list(&text.text, file);
            }
        }
        if let Some(name) = found.lists {
            self.lists.get_or_insert_with(|| format!("`{name}` in `{source}`"));
        }
        self.names_own_folder |= found.names_own_folder;
        if let Some(name) = found.lists_given {
            self.lists_given.get_or_insert_with(|| format!("`{name}` in `{source}`"));
        }
        self.is_led_by_variables |= found.starts || found.asks_any_variable;
        if let Some(name) = found.escapes {
            self.escapes.get_or_insert_with(|| format!("`{name}` in `{source}`"));
        }
        if let Some(name) = found.finds_itself {
            self.any_program.get_or_insert_with(|| format!("`{name}` in `{source}`"));
        }
    }

    /// What the policy has for a suite that it declares: its commands may read any file that they name.
    fn declared(&mut self, declared: &Declared) {
        for names in [&mut self.names, &mut self.names_of_builds] {
            names.know(&declared.folder);
            for word in &declared.words {
                names.add(word, crate::policy::FILE_NAME);
                names.add_words(word, crate::policy::FILE_NAME);
                if declared.words.iter().any(|word| word.split(' ').any(|word| word == "-m")) {
                    modules_of_python(word)
                        .for_each(|file| names.add(&file, crate::policy::FILE_NAME));
                }
            }
        }
        if let Some(word) = declared.words.iter().find(|word| is_interpreter(word)) {
            self.lists.get_or_insert_with(|| format!("`{word}`, which the policy starts,"));
        }
        // Its program may list where it is started.
        let is_here = |word: &String| word.contains('.') && word.chars().all(|c| "./*".contains(c));
        self.names_own_folder |= declared.words.iter().any(is_here);
    }

    /// Follows texts that name files, and are not prose: a list, or a configuration that gives variables.
    fn texts(&mut self, tree: &Tree, is_declared: bool) {
        let has_runner =
            |source: &Source| is_configuration(&source.path) && source.text.contains("runner");
        let starts_scripts =
            is_declared || self.is_led_by_variables || tree.texts.iter().any(has_runner);
        let (found, others) = followed(&mut self.names, &tree.texts);
        for source in found {
            if is_program(source) && starts_scripts {
                self.script(source);
            }
            self.names_own_folder |=
                is_configuration(&source.path) && names_its_folder(&source.text);
        }
        self.listed(&others);
        // A build follows what it names itself: what a run alone opens, the policy or an observation may know.
        followed(&mut self.names_of_builds, &tree.texts);
    }

    /// A script reads what no text of it says: names that it puts together, folders, and what other programs read for it.
    fn script(&mut self, source: &Source) {
        self.lists.get_or_insert_with(|| format!("`{}`, a script,", source.path));
        if is_sizing_script(&source.text) {
            let what = || format!("`{}`, a script that takes sizes or times", source.path);
            self.escapes.get_or_insert_with(what);
        }
    }

    /// Adds the paths that texts have on separate lines, of a folder that is named: where code lists folders, it may be
    /// that one.
    fn listed(&mut self, texts: &[&Source]) {
        if self.lists_given.is_none() {
            return;
        }
        for source in texts.iter().filter(|of| is_list(&of.path) && !is_program(of)) {
            if self.named_by(&source.path).is_some() {
                self.names.add_lines(&source.text, &source.path);
            }
        }
    }

    /// Finds the programs that it names.
    fn start(&mut self, tree: &Tree) {
        for program in tree.packages.iter().flat_map(|package| &package.programs) {
            let spelled = [
                program.clone(),
                program.replace('-', "_"),
                format!("{program}.exe"),
                format!("lib{}.so", program.replace('-', "_")),
            ];
            if spelled.iter().any(|name| self.named_by(name).is_some()) {
                self.programs.insert(program.clone());
            }
        }
    }

    fn packages<'t>(&mut self, first: &BTreeSet<String>, tree: &'t Tree) -> Vec<&'t Package> {
        let mut packages = Vec::new();
        let mut left: Vec<&str> = first.iter().map(String::as_str).collect();
        while let Some(folder) = left.pop() {
            if !self.folders.insert(folder.to_owned()) {
                continue;
            }
            let Some(package) = tree.packages.iter().find(|package| package.folder == folder)
            else {
                let what = format!("the package in `{folder}`, which is not of the workspace,");
                self.may_read_any(what);
                continue;
            };
            let is_first = first.contains(folder);
            for dependency in package.dependencies.iter().filter(|of| is_first || !of.is_dev) {
                match &dependency.folder {
                    Some(folder) => left.push(folder),
                    None => self.anything(format!(
                        "a dependency of `{}` that is outside of the repository",
                        package.name
                    )),
                }
            }
            packages.push(package);
        }
        packages
    }

    /// Counts a link to code as reading any file: files behind links are not read here.
    fn links(&mut self, packages: &[&Package], tree: &Tree) {
        let is_of = |at: &str, package: &&Package| {
            inside(at, &package.folder).is_some() && is_built(at, package)
        };
        let to_code = tree.links.iter().find(|link| {
            (link.is_folder || link.to.ends_with(".rs"))
                && packages.iter().any(|package| is_of(&link.at, package))
        });
        if let Some(link) = to_code {
            self.may_read_any(format!("what the link `{}` leads to", link.at));
        }
    }

    fn of_build(&mut self, found: &Reads, source: &str) {
        for file in &found.named {
            self.included.entry(file.clone()).or_insert_with(|| source.to_owned());
        }
        for text in &found.macro_texts {
            self.names_of_builds.add(text, source);
        }
    }

    /// A build takes in any file.
    fn anything(&mut self, what: String) {
        self.anything.get_or_insert(what);
    }

    /// A build takes in any file, and a run of the same code may read any.
    fn may_read_any(&mut self, what: String) {
        self.lists.get_or_insert_with(|| what.clone());
        self.anything(what);
    }
}

/// The name of a target, as cargo finds it by its root.
fn target_of(root: &str) -> &str {
    let root = root.strip_suffix("/main.rs").unwrap_or(root);
    name_of(root).trim_end_matches(".rs")
}

/// The source of a target that is not of its package's folder: what it names is not read here.
fn root_elsewhere<'p>(package: &'p Package, tree: &Tree) -> Option<&'p String> {
    let is_own = |root: &String| package.sources.iter().any(|source| source.path == *root);
    let is_there = |root: &String| tree.files.contains(root) || tree.source(root).is_some();
    package.roots.iter().find(|root| !is_own(root) && is_there(root))
}

/// The files of modules that are built for unit tests alone, which no bench is built with.
#[derive(Default)]
struct TestModules {
    /// Their paths without `.rs`: what lies in a folder of that name is theirs, too.
    stems: BTreeSet<String>,
    /// Files that something else includes as code.
    others: BTreeSet<String>,
}

impl TestModules {
    fn is_module(&self, path: &str) -> bool {
        let is_of = |stem: &String| {
            path.strip_prefix(&**stem).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        };
        !self.others.contains(path) && self.stems.iter().any(is_of)
    }
}

fn modules_of_tests(package: &Package, read: &BTreeMap<&str, Reads>) -> TestModules {
    let mut modules = TestModules::default();
    let mut real: BTreeSet<String> = BTreeSet::new();
    modules.others.extend(package.roots.iter().cloned());
    for source in &package.sources {
        let Some(found) = read.get(&*source.path) else { continue };
        modules.others.extend(found.code.iter().cloned());
        let has_modules_beside = package.roots.contains(&source.path)
            || ["mod.rs", "lib.rs", "main.rs"].contains(&name_of(&source.path));
        let folder = match has_modules_beside {
            true => folder_of(&source.path),
            false => source.path.strip_suffix(".rs").unwrap_or(&source.path),
        };
        let stem = |name: &String| match folder {
            "" => name.clone(),
            folder => format!("{folder}/{name}"),
        };
        modules.stems.extend(found.test_modules.iter().map(stem));
        real.extend(found.modules.iter().map(stem));
    }
    // A macro may declare any of them for more than tests.
    if package.sources.iter().filter_map(|of| read.get(&*of.path)).any(|found| found.makes_modules)
    {
        return TestModules::default();
    }
    // Another root of the same folder may have the module without the attribute, or lie in a folder of its name.
    let has_root = |stem: &str| package.roots.iter().any(|root| inside(root, stem).is_some());
    modules.stems.retain(|stem| !real.contains(stem) && !has_root(stem));
    modules
}

/// Adds what texts name that are named, as often as that names more; returns those, and the others.
fn followed<'t>(names: &mut Names, texts: &'t [Source]) -> (Vec<&'t Source>, Vec<&'t Source>) {
    let mut followed = Vec::new();
    let mut left: Vec<&Source> = texts.iter().collect();
    loop {
        let is_read = |source: &&Source| {
            is_configuration(&source.path)
                || (is_list(&source.path) && is_named_itself(source, names))
        };
        let (found, others): (Vec<_>, Vec<_>) = left.into_iter().partition(is_read);
        if found.is_empty() {
            return (followed, others);
        }
        for source in &found {
            names.add_list(&source.text, &source.path);
        }
        followed.extend(found);
        left = others;
    }
}

/// Whether a text itself is named, and not a folder above it (code that lists folders counts as reading any file). A script
/// is a program: it reads what it names when it is started, by its path. `test` is the name of many things.
fn is_named_itself(source: &Source, names: &Names) -> bool {
    let is_script = source.text.starts_with("#!") && source.path.contains('/');
    names.has_path(&source.path) || !is_script && names.has_name(&source.path)
}

/// Whether a text is a program of another language.
fn is_program(source: &Source) -> bool {
    let kinds = [
        "bash", "cjs", "fish", "js", "lua", "mjs", "mk", "php", "pl", "py", "rb", "sh", "ts", "zsh",
    ];
    source.text.starts_with("#!")
        || kinds.contains(&ending(name_of(&source.path)))
        || is_run_by_name(name_of(&source.path))
}

/// Whether a configuration has a variable that leads to its own folder, or one above it.
fn names_its_folder(text: &str) -> bool {
    let quoted = |line: &str| {
        let is_relative = line.contains("relative");
        let mut values = line.split(['"', '\'']).skip(1).step_by(2);
        values.any(|value| is_dots(value) && (is_relative || !value.is_empty()))
    };
    text.lines().any(quoted)
}

/// Files by which cargo and the gate give variables and arguments.
fn is_configuration(path: &str) -> bool {
    [".cargo/config.toml", ".cargo/config"].iter().any(|name| {
        path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    })
}

/// Whether a text that is read may be one that says what to read next: prose links to pages, and nothing follows it.
fn is_list(path: &str) -> bool {
    !["md", "rs", "html", "css", "svg"].contains(&ending(name_of(path)))
        && !["Cargo.toml", "Cargo.lock"].contains(&name_of(path))
}

impl fmt::Display for Inputs {
    /// One line for each kind.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |names: &mut dyn Iterator<Item = &String>| {
            names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        let folders: Vec<String> = self
            .folders
            .iter()
            .map(|f| if f.is_empty() { ".".into() } else { f.clone() })
            .collect();
        writeln!(f, "  packages: {}", listed(&mut folders.iter()))?;
        let anything = self.anything.as_ref().or(self.lists.as_ref());
        let files = match (&self.reads, anything) {
            (Some(reads), _) if reads.is_empty() => "none, by its `reads`".to_owned(),
            (Some(reads), _) => format!("by its `reads`: {}", listed(&mut reads.iter())),
            (None, Some(what)) => format!("any, by {what}"),
            (None, None) => "what its strings name, and data that they do not".to_owned(),
        };
        writeln!(f, "  files: {files}")?;
        if !self.included.is_empty() {
            writeln!(f, "  included: {}", listed(&mut self.included.keys()))?;
        }
        match &self.any_program {
            Some(what) => writeln!(f, "  programs and libraries: any of the workspace, by {what}")?,
            None if self.programs.is_empty() => writeln!(f, "  programs: none")?,
            None => writeln!(f, "  programs: {}", listed(&mut self.programs.iter()))?,
        }
        writeln!(f, "  variables: those that cargo gives")
    }
}

/// Whether a file may be part of what benches need: tests and examples are not, unless a target says so.
pub(super) fn is_built(path: &str, package: &Package) -> bool {
    ["tests", "examples"].into_iter().all(|name| {
        let is_in = |path: &str| {
            inside(path, &package.folder).is_some_and(|path| inside(path, name).is_some())
        };
        !is_in(path) || package.roots.iter().any(|root| is_in(root))
    })
}
