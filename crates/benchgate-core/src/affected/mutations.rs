//! One input of each kind is changed: *measured* for each, and *identical* for its neutral twin.
//!
//! A file that is read when a bench runs must count though the machine code is the same; what is built must be built. What
//! a host alone sees (variables, libraries, what a build writes) is changed in `crates/benchgate/tests/gate/inputs.rs`.

use std::collections::BTreeSet;

use super::*;

/// What must follow from a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    /// It is measured, whatever is built.
    Read,
    /// It is built.
    Built,
    /// Neither.
    Identical,
}
use Then::{Built, Identical, Read};

/// The code of the bench or its library, the file that changes, and what follows.
type Row = (&'static str, &'static str, Then);

/// Kinds of files, ways to name them, and who reads.
const FILES: [Row; 163] = [
    // By path from the package, the source, the top or a variable; whole, joined, or with a folder alone.
    (r#"read("docs/a.md")"#, "p/docs/a.md", Read),
    (r#"read("docs/a.md")"#, "p/docs/b.md", Identical),
    (r#"Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join("a.md")"#, "p/docs/a.md", Read),
    (r#"Path::new(DIR).join("docs").join("a.md")"#, "README.md", Identical),
    (r#"read(concat!(env!("CARGO_MANIFEST_DIR"), "/../LICENSE"))"#, "LICENSE", Read),
    (r#"read(concat!(env!("CARGO_MANIFEST_DIR"), "/../LICENSE"))"#, "LICENSE-MIT", Identical),
    (r#"read(format!("{}/pages/{name}.md", root()))"#, "p/pages/x.md", Read),
    (r#"read(format!("{}/pages/{name}.md", root()))"#, "p/page.md", Identical),
    (r#"read("READ".to_owned() + "ME.md")"#, "README.md", Read),
    (r#"read("READ".to_owned() + "IT.md")"#, "README.md", Identical),
    (r#"Path::new("pages/a").with_extension("md")"#, "p/pages/a.md", Read),
    (r#"Path::new("pages/a").with_extension("md")"#, "p/pages/b.md", Identical),
    (r#"for n in 0..9 { read(format!("case{n}.md")) }"#, "p/case3.md", Read),
    (r#"for n in 0..9 { read(format!("case{n}.txt")) }"#, "p/case3.md", Identical),
    (r#"read(r"docs\a.md")"#, "p/docs/a.md", Read),
    (r##"read(r#"docs/a.md"#)"##, "p/docs/a.md", Read),
    (r#"read(b"docs/a.md")"#, "p/docs/a.md", Read),
    (
        r#"const LIST: &str = "docs/a.md
docs/b.md";"#,
        "p/docs/b.md",
        Read,
    ),
    (r#"WalkDir::new("docs")"#, "p/docs/deep/a.md", Read),
    (
        r#"const LIST: &str = "pages
LICENSE";"#,
        "LICENSE",
        Read,
    ),
    (
        r#"const LIST: &str = "pages and
a LICENSE";"#,
        "LICENSE",
        Identical,
    ),
    (r#"for c in ['p', 'q'] { read(c.to_string() + "age.md") }"#, "p/page.md", Read),
    (r#"for c in ['p', 'q'] { read(c.to_string() + "age.md") }"#, "p/rage.md", Identical),
    (r#"// read("docs/a.md")"#, "p/docs/a.md", Identical),
    // A folder that is listed and comes from elsewhere may be any.
    (r#"let here = "."; read_dir(here)"#, "p/docs/a.md", Read),
    ("read_dir(current_dir()?)", "p/docs/a.md", Read),
    ("Path::new(file!()).parent()?.read_dir()", "p/docs/a.md", Read),
    (r#"let root = "../.."; WalkDir::new(root)"#, "p/docs/a.md", Read),
    ("WalkDir::new(var_os(NAME))", "p/docs/a.md", Identical),
    (r#"let n = range.split_once(".."); WalkDir::new(root)"#, "p/docs/a.md", Identical),
    (r#"ignore::Walk::new("./")"#, "p/docs/a.md", Read),
    (r#"struct Walk(u8); Walk(1); let here = ".";"#, "p/docs/a.md", Identical),
    (r#"mod own { struct Walk(u8); } ignore::Walk::new("./")"#, "p/docs/a.md", Read),
    (r#"mod own { struct Walk(u8); } use ignore::{Walk, X}; Walk::new("./")"#, "p/docs/a.md", Read),
    (r#"let dir = "."; glob::glob(&format!("{dir}/*.{}", ext))"#, "p/docs/a.md", Read),
    (r#"let dir = "."; fits(glob(&rule.suite))"#, "p/docs/a.md", Identical),
    (r#"read_dir(Path::new("pages"))"#, "p/docs/a.md", Identical),
    ("use std::fs::read_dir;", "p/docs/a.md", Identical),
    (r#"let here = Utf8Path::new("."); here.read_dir_utf8()"#, "p/docs/a.md", Read),
    (r#"ignore::WalkBuilder::new("src")"#, ".gitignore", Read),
    (r#"WalkDir::new("src")"#, ".gitignore", Identical),
    (r#"read(env!("CARGO_MANIFEST_PATH"))"#, "p/Cargo.toml", Read),
    (r#"read(env!("CARGO_MANIFEST_DIR"))"#, "p/Cargo.toml", Built),
    // A word alone is a folder where the bench can come to what is above it.
    (r#"Path::new("pages").join("model")"#, "p/model/a.md", Read),
    (r#"Path::new("pages").join("model")"#, "q/src/model/a.md", Identical),
    (r#"Path::new("../q/src").join("model")"#, "q/src/model/a.md", Read),
    (r#"Path::new("../q/src/x.rs").with_file_name("model")"#, "q/src/model/a.md", Read),
    (r#"Path::new("../q/src/../model")"#, "q/model/a.md", Read),
    (r#"Path::new(file!()).with_file_name("model")"#, "p/src/model/a.md", Read),
    (r#"Path::new("../q").join("src").join("model")"#, "q/src/model/a.md", Read),
    (r#"read("pages/lists/list.txt")"#, "p/pages/lists/model/a.md", Identical),
    // A folder as a whole is not the beginning of another one.
    (r#"read(format!("pages/deep/{}", name))"#, "p/pages/deep/a.md", Read),
    (r#"read("pages/deep/".to_owned() + name)"#, "p/pages/deeper/a.md", Identical),
    (r#"read("pages/deep".to_owned() + name)"#, "p/pages/deeper/a.md", Read),
    // Ordinary words.
    (r#"thread::spawn(f); c.bench_function("find", b)"#, "p/docs/a.md", Identical),
    // What strings become.
    (r#"read("DOCS/A.MD".to_lowercase())"#, "p/docs/a.md", Read),
    (r#"read("DOCS/A.MD")"#, "p/docs/a.md", Identical),
    (r#"read(format!("{}/DOCS/A.MD", root()).to_lowercase())"#, "p/docs/a.md", Read),
    (r#"for n in "see the file DOCS/A.MD".to_lowercase().split(' ') {}"#, "p/docs/a.md", Read),
    (r#"read("it is in docs-a.md".replace("-", "/"))"#, "p/docs/a.md", Read),
    (r#"read(format!("docs/{name}.txt").replace(".txt", ".md"))"#, "p/docs/a.md", Read),
    (r#"read(format!("docs/{name}.txt").replace(".txt", ".md"))"#, "p/pages/a.md", Identical),
    (r#"read("read".to_uppercase() + "ME.md")"#, "README.md", Read),
    (r#"read("docs-a.md".replace("-", "/"))"#, "p/docs/a.md", Read),
    (r#"read("docs-a.md")"#, "p/docs/a.md", Identical),
    (r#"read("/proc/self/cwd/docs/a.md")"#, "p/docs/a.md", Read),
    (r#"Path::new("docs/a.txt").with_extension("md")"#, "p/docs/a.md", Read),
    (r#"Path::new("docs/a.txt").with_file_name("md")"#, "p/docs/a.md", Identical),
    (r#"Path::new("page.txt").with_extension(kind)"#, "p/page.md", Read),
    (r#"Path::new("page.txt").with_extension(kind)"#, "p/rage.md", Identical),
    (r#"Path::new(file!()).with_extension("md")"#, "p/src/lib.md", Read),
    (r#"Path::new(file!()).with_extension("md")"#, "p/src/bin.md", Identical),
    (r#"read("docs/a.md.gz".trim_end_matches(".gz"))"#, "p/docs/a.md", Read),
    (r#"read("docs/a.md.xz".trim_end_matches(".gz"))"#, "p/docs/a.md", Identical),
    (r#"read("docs/a.md=x".strip_suffix("=x"))"#, "p/docs/a.md", Read),
    (r#"read("docs/a.txt".replace(".txt", ".md"))"#, "p/docs/a.md", Read),
    (r#"read("docs/a.txt".replace(".tex", ".md"))"#, "p/docs/a.md", Identical),
    (r#""page,rage".split(',').map(|n| n.to_owned() + ".md")"#, "p/page.md", Read),
    (r#""page,rage".split(';').map(|n| n.to_owned() + ".md")"#, "p/page.md", Identical),
    (r#"read("docs::a".split("::").collect().join("/") + ".md")"#, "p/docs/a.md", Read),
    (r#"read("my_page.md".replace("_", "-"))"#, "p/my-page.md", Read),
    (r#"read("page.md".remove(0).to_uppercase())"#, "p/Page.md", Read),
    (r#"read("docs%2Fa.md")"#, "p/docs/a.md", Read),
    (r#"read(format!("LICENSE-{}", kind))"#, "LICENSE-MIT", Read),
    (r#"read(format!("LICENSE-{}", kind))"#, "LICENSE", Identical),
    (r#"read(format!("page.{}", kind))"#, "p/page.md", Read),
    (r#"print(format!("{} page-{}", n, kind))"#, "p/page-1.md", Identical),
    (r#"read(module_path!().to_owned() + ".md")"#, "p/b.md", Read),
    (r#"read(module_path!().to_owned() + ".md")"#, "c.md", Identical),
    (r#"read(env!("CARGO_PKG_HOMEPAGE"))"#, "README.md", Read),
    (r#"read(env!("CARGO_PKG_VERSION_MAJOR"))"#, "README.md", Identical),
    (r#"read(consts::OS.to_owned() + ".md")"#, "p/linux.md", Read),
    (r#"read(consts::OS.to_owned() + ".md")"#, "p/plan9.md", Identical),
    (r#"read("/proc/self/maps")"#, "p/docs/a.md", Identical),
    (r#"run("ld -Tlink/own.md")"#, "p/link/own.md", Read),
    // Patterns.
    (r#"glob("docs/?.md")"#, "p/docs/a.md", Read),
    (r#"glob("docs/[a-c].md")"#, "p/docs/a.md", Read),
    (r#"glob("docs/{a,b}.md")"#, "p/docs/a.md", Read),
    (r#"glob("dogs/[a-c].md")"#, "p/docs/a.md", Identical),
    (r#"print("where are the docs?")"#, "p/docs/a.md", Identical),
    // What lists folders may be given to something else.
    (r#"Some(".").map(fs::read_dir)"#, "p/docs/a.md", Read),
    (r#"let list = fs::read_dir; list(".")"#, "p/docs/a.md", Read),
    (r#"[current_dir()?].into_iter().flat_map(WalkDir::new)"#, "p/docs/a.md", Read),
    (r#"use std::fs::{File, read_dir, Metadata}; open(".")"#, "p/docs/a.md", Identical),
    (r#"fn own(walk: WalkDir) {} open(".")"#, "p/docs/a.md", Identical),
    // What a program reads that is started follows from no text.
    (r#"Command::new("ls").arg("pages").output()"#, "p/docs/a.md", Read),
    (r#"Command::new("git").arg("status")"#, "p/docs/a.md", Read),
    (r#"Command::new("sh").arg("-c").arg("f=notes; cat $f.md")"#, "p/docs/a.md", Read),
    (r#"Command::new(env!("CARGO_BIN_EXE_tool")).spawn()"#, "p/docs/a.md", Read),
    (r#"Command::new(env!("CARGO")).args(["run", "--example", "e"])"#, "p/examples/e.rs", Read),
    (r#"Command::new("cargo").arg("check")"#, "q/src/lib.rs", Read),
    ("MetadataCommand::new().exec()", "Cargo.lock", Read),
    ("use std::process::Command; fn run(of: &mut Command) {}", "p/docs/a.md", Read),
    ("fn run(of: &mut Command) { of.status() }", "p/docs/a.md", Read),
    (r#"cmd!(sh, "ls -1").read()"#, "p/docs/a.md", Read),
    (r#"unsafe { system(c"cat *") }"#, "p/docs/a.md", Read),
    (r#"unsafe { execvp(c"cat".as_ptr(), all) }"#, "p/docs/a.md", Read),
    // Other things are called so.
    (r#"use clap::Command; Command::new("ls").arg("pages")"#, "p/docs/a.md", Identical),
    ("enum Command { Get } parse(Command::Get)", "p/docs/a.md", Identical),
    (r#"let system = "cat *";"#, "p/docs/a.md", Identical),
    (r#"print("ls"); print("os.listdir('.')")"#, "p/docs/a.md", Identical),
    // A folder that is listed is that above another one, or that of a process.
    (r#"read_dir("/proc/self/cwd")"#, "p/docs/a.md", Read),
    (r#"read_dir("/proc/self/fd")"#, "p/docs/a.md", Identical),
    (r#"canonicalize("pages")?.parent()?.read_dir()"#, "p/docs/a.md", Read),
    (r#"canonicalize("pages")?.read_dir()"#, "p/docs/a.md", Identical),
    (
        r#"let up = canonicalize(x)?.parent()?.to_owned(); for e in read_dir(up)? {}"#,
        "p/docs/a.md",
        Read,
    ),
    (
        r#"let up = x.parent(); let own = this(); for e in read_dir(own)? {}"#,
        "p/docs/a.md",
        Identical,
    ),
    ("read(Location::caller().file())", "p/src/lib.rs", Read),
    // Names that a macro makes texts of, and lines of one string.
    (
        "macro_rules! page { ($n:ident) => { read(concat!(stringify!($n), \".md\")) } } fn f() { page!(README) }",
        "README.md",
        Read,
    ),
    (
        "macro_rules! page { ($n:ident) => { read(concat!(\"x\", \".md\")) } } fn f() { page!(README) }",
        "README.md",
        Identical,
    ),
    // The strings of code that is not read here are not known.
    ("include!(\"table.in\")", "p/docs/a.md", Read),
    ("include!(env!(\"CODE\"))", "p/docs/a.md", Read),
    ("include_str!(env!(\"PAGE\"))", "p/docs/a.md", Built),
    // The manifest of a package names files for who reads it.
    (r#"parse("../p/Cargo.toml")"#, "README.md", Read),
    (r#"parse("Cargo.lock")"#, "README.md", Identical),
    (r#"parse("Cargo.toml")"#, "README.md", Read),
    (r#"parse("Cargo.tom")"#, "README.md", Identical),
    // An attribute may read it for the compiler.
    (r#"#![doc = "docs/a.md"]"#, "p/docs/a.md", Built),
    (r#"#[cfg(test)] mod t { const A: &str = "docs/a.md"; }"#, "p/docs/a.md", Identical),
    // Kinds that are prose, code, or of tools for everybody else.
    (r#"read("src/lib.rs")"#, "q/src/lib.rs", Read),
    (r#"parse("Cargo.toml")"#, "p/Cargo.toml", Read),
    (r#"parse("Cargo.lock")"#, "Cargo.lock", Read),
    (r#"parse(".github/workflows/ci.yml")"#, ".github/workflows/ci.yml", Read),
    (r#"parse("ci.yaml")"#, ".github/workflows/ci.yml", Identical),
    (r#"parse(".gitignore")"#, ".gitignore", Read),
    (r#"parse("x")"#, ".gitignore", Identical),
    (r#"parse("rustfmt.toml")"#, "rustfmt.toml", Read),
    (r#"parse("clippy.toml")"#, "rustfmt.toml", Identical),
    (r#"parse("parser__a.snap")"#, "p/src/snapshots/parser__a.snap", Read),
    (r#"read_dir("snapshots")"#, "p/src/snapshots/parser__a.snap", Read),
    (r#"glob("**/*.snap")"#, "p/src/snapshots/parser__a.snap", Read),
    (r#"parse("a.json")"#, "p/src/snapshots/parser__a.snap", Identical),
    (r#"parse("baselines/m/a.json")"#, "baselines/m/a.json", Read),
    (r#"parse("baselines/m/a.json")"#, "baselines/n/b.json", Identical),
    (r#"read(env!("CARGO_PKG_README"))"#, "README.md", Read),
    (r#"read(env!("CARGO_PKG_NAME"))"#, "README.md", Identical),
    (r#"read(concat!(env!("CARGO_CRATE_NAME"), ".md"))"#, "p/b.md", Read),
    (r#"read(concat!(env!("CARGO_CRATE_NAME"), ".md"))"#, "c.md", Identical),
    // Data needs no name.
    ("", "p/data.csv", Read),
    ("", "p/corpus/a.md", Read),
    ("", "p/tests/data/words.rs", Read),
    ("", "p/notes.md", Identical),
    ("", "CHANGELOG.md", Identical),
];

/// What is built, whatever the sources say.
const BUILDS: [Row; 18] = [
    ("", "p/src/lib.rs", Built),
    ("", "p/tests/t.rs", Identical),
    ("", "p/examples/e.rs", Identical),
    ("", "Cargo.lock", Built),
    ("", "Cargo.toml", Built),
    ("", "p/Cargo.toml", Built),
    ("", "rust-toolchain.toml", Read),
    ("", "rust-toolchain", Read),
    ("", ".cargo/config.toml", Built),
    ("", "p/.cargo/config", Read),
    ("", ".gitmodules", Built),
    // What it makes of other files, their contents do not say.
    ("", ".gitattributes", Read),
    ("", "benchgate.toml", Built),
    // A submodule is one path.
    ("", "vendor/library", Read),
    ("include_str!(\"page.md\")", "p/src/page.md", Built),
    ("include!(concat!(env!(\"OUT_DIR\"), \"/m.rs\"))", "README.md", Identical),
    ("include_dir!(\"pages\")", "README.md", Built),
    ("git_version!()", "README.md", Built),
];

/// A package with a bench, and one without.
fn tree(code: &str) -> Tree {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let package = |name: &str, sources: Vec<Source>| Package {
        name: name.to_owned(),
        folder: name.to_owned(),
        roots: vec![format!("{name}/src/lib.rs"), format!("{name}/benches/b.rs")],
        benches: vec![format!("{name}/benches/b.rs")],
        sources,
        ..Package::default()
    };
    let is_item =
        ["//", "#", "const", "crate", "macro_rules"].iter().any(|it| code.starts_with(it));
    let code = if is_item { code.to_owned() } else { format!("fn f() {{ {code} }}") };
    let mut tree = Tree {
        packages: vec![
            package("p", vec![source("p/src/lib.rs", &code)]),
            package("q", vec![source("q/src/lib.rs", "")]),
        ],
        texts: vec![source("p/Cargo.toml", "readme = \"../README.md\"")],
        ..Tree::default()
    };
    tree.suites.insert(key(), BTreeSet::from(["p".to_owned()]));
    tree
}

fn key() -> SuiteKey {
    SuiteKey::new("p", "b")
}

fn then(trees: Sides<&Tree>, changed: &str) -> Then {
    then_observed(trees, changed, &Ways::new())
}

fn then_observed(trees: Sides<&Tree>, changed: &str, ways: &Ways) -> Then {
    let taken = of_change(&[changed.to_owned()], trees, ways).remove(&key()).unwrap();
    match (taken.reach, taken.read) {
        (Reach::Untouched, None) => Identical,
        (Reach::Untouched, Some(_)) => panic!("{changed} is read, and nothing is built"),
        (_, None) => Built,
        (_, Some(_)) => Read,
    }
}

#[test]
fn an_input_of_each_kind_is_measured_and_its_neutral_twin_is_identical() {
    for (code, changed, expected) in FILES.into_iter().chain(BUILDS) {
        // Whoever of the two sides reads it, and though the other one does not any more.
        let (with, without) = (tree(code), tree(""));
        let found = then(Sides::new(&with, &with), changed);
        assert_eq!(found, expected, "{code} {changed}");
        if expected != Identical {
            for trees in [Sides::new(&with, &without), Sides::new(&without, &with)] {
                assert_eq!(then(trees, changed), expected, "{code} {changed}, on one side");
            }
        }
    }
}

/// A constant of the library, and what the bench does with it.
#[test]
fn what_one_source_makes_of_a_string_of_another_is_an_input() {
    for (library, bench, changed, expected) in [
        (r#""docs/a.txt""#, r#"with_extension("md")"#, "p/docs/a.md", Read),
        (r#""docs/a.txt""#, r#"with_file_name("md")"#, "p/docs/a.md", Identical),
        (r#""page""#, r#"read(NAME.to_owned() + ".md")"#, "p/page.md", Read),
        (r#""page""#, r#"read(NAME.to_owned() + ".txt")"#, "p/page.md", Identical),
    ] {
        let mut tree = tree(&format!("const NAME: &str = {library};"));
        let text = format!("fn f() {{ {bench} }}");
        tree.packages[0].sources.push(Source { path: "p/benches/b.rs".to_owned(), text });
        assert_eq!(then(Sides::new(&tree, &tree), changed), expected, "{library} {bench}");
    }
}

/// A script is followed where it is started by its path, and a list by any name.
#[test]
fn what_a_script_names_is_an_input_where_it_is_started_and_not_where_its_name_is_a_word() {
    for (code, path, text, expected) in [
        (r#"run("scripts/test")"#, "p/scripts/test", "#!/bin/sh\ncat docs/a.md", Read),
        (r#"run("../scripts/test")"#, "scripts/test", "#!/bin/sh\ncat p/docs/a.md", Read),
        (r#"print("test")"#, "p/scripts/test", "#!/bin/sh\ncat docs/a.md", Identical),
        (r#"read("LIST")"#, "p/data/LIST", "docs/a.md", Read),
        // Programs and dependencies have files of their own.
        (r#"run("make")"#, "p/Makefile", "all:\n\tcat docs/a.md", Read),
        (r#"run("cake")"#, "p/Makefile", "all:\n\tcat docs/a.md", Identical),
        // A program without a first line that says so, and one in a hidden folder.
        (r#"run("node", "tools/run.js")"#, "p/tools/run.js", "read('docs/a.md')", Read),
        (r#"run("node", dir.join("run.js"))"#, "p/tools/run.js", "read('docs/a.md')", Read),
        (r#"run("python3", "gen.py")"#, "p/gen.py", "open('docs/a.md')", Read),
        (r#"run("node", "tools/ran.js")"#, "p/tools/run.js", "read('docs/a.md')", Identical),
        (r#"run(".ci/bench.sh")"#, "p/.ci/bench.sh", "#!/bin/sh\ncat docs/a.md", Read),
        (r#"run("ci/bench.sh")"#, "p/.ci/bench.sh", "#!/bin/sh\ncat docs/a.md", Identical),
        // One that has a first line, by the pieces of its path.
        (
            r#"run(dir.join("tools").join("run.sh"))"#,
            "p/tools/run.sh",
            "#!/bin/sh\ncat docs/a.md",
            Read,
        ),
        (r#"run(dir.join("tools").join("run"))"#, "p/tools/run", "#!/bin/sh\ncat docs/a.md", Read),
        (r#"run(dir.join("run"))"#, "p/tools/run", "#!/bin/sh\ncat docs/a.md", Identical),
        // Entries of a list that are names without an end.
        (r#"read("cases.json")"#, "p/cases.json", r#"["docs"]"#, Read),
        (r#"read("cases.json")"#, "p/cases.json", r#"["dogs"]"#, Identical),
        (r#"read("cases")"#, "p/cases", "docs\n", Read),
        (r#"read("cases")"#, "p/cases", "the docs\n", Identical),
        (r#"read(format!("cases/{n}.json"))"#, "p/cases/1.json", r#"["docs"]"#, Read),
        (r#"read(format!("cases/{n}.json"))"#, "p/others/1.json", r#"["docs"]"#, Identical),
        (r#"let cases = "cases"; read_dir(cases)"#, "p/cases/a.list", "docs/a.md", Read),
        (r#"let cases = "others"; read_dir(cases)"#, "p/cases/a.list", "docs/a.md", Identical),
        ("dotenv().ok()", "p/.env", "PAGE=docs/a.md", Read),
        ("open().ok()", "p/.env", "PAGE=docs/a.md", Identical),
    ] {
        let mut tree = tree(code);
        tree.texts.push(Source { path: path.to_owned(), text: text.to_owned() });
        assert_eq!(then(Sides::new(&tree, &tree), "p/docs/a.md"), expected, "{code} {path}");
    }
}

/// A bench target is compiled with `--cfg test`, also where it has a `main` of its own, and so is what it includes.
#[test]
fn what_a_bench_target_has_for_tests_is_compiled_and_what_its_library_has_is_not() {
    let code = "#[cfg(test)] const A: &str = \"docs/a.md\"; #[cfg(test)] const B: &str = include_str!(\"b.md\");";
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    for (path, bench, expected) in [
        ("p/src/lib.rs", "", Identical),
        ("p/src/parts.rs", "", Identical),
        ("p/benches/b.rs", "", Read),
        ("p/benches/parts/more.rs", "", Read),
        ("p/src/parts.rs", "#[path = \"../src/parts.rs\"] mod parts;", Read),
        ("q/src/parts.rs", "#[path = \"../../q/src/parts.rs\"] mod parts;", Read),
    ] {
        let mut tree = tree("");
        tree.packages[0].sources.retain(|it| it.path != path);
        tree.packages[usize::from(path.starts_with('q'))].sources.push(source(path, code));
        if !bench.is_empty() {
            tree.packages[0].sources.push(source("p/benches/b.rs", bench));
        }
        assert_eq!(then(Sides::new(&tree, &tree), "p/docs/a.md"), expected, "{path}");
        let included = format!("{}/b.md", path.rsplit_once('/').unwrap().0);
        let expected = if expected == Read { Built } else { Identical };
        assert_eq!(then(Sides::new(&tree, &tree), &included), expected, "{included}");
    }
}

/// A submodule is one path, whatever it is called, and a string names what is below it.
#[test]
fn a_submodule_is_an_input_whatever_its_name() {
    let mut tree = tree(r#"read("scripts/lib/gen.md")"#);
    assert_eq!(then(Sides::new(&tree, &tree), "scripts/lib"), Identical);
    tree.files.insert("scripts/lib/gen.md".to_owned());
    assert_eq!(then(Sides::new(&tree, &tree), "scripts/lib"), Read);
}

#[test]
fn a_variable_of_the_configuration_may_be_the_folder_that_is_listed() {
    for (value, expected) in [
        ("{ value = \".\", relative = true }", Read),
        ("{ value = \"\", relative = true }", Read),
        ("\"..\"", Read),
        ("\"\"", Identical),
        ("\"pages\"", Identical),
    ] {
        let mut tree = tree(r#"read_dir(var("PLACE"))"#);
        let text = format!("[env]\nPLACE = {value}\n");
        tree.texts.push(Source { path: ".cargo/config.toml".to_owned(), text });
        assert_eq!(then(Sides::new(&tree, &tree), "p/docs/a.md"), expected, "{value}");
    }
    let mut tree = tree("");
    let text = "rustflags = [\"@scripts/flags\"]".to_owned();
    tree.texts.push(Source { path: ".cargo/config.toml".to_owned(), text });
    assert_ne!(then(Sides::new(&tree, &tree), "scripts/flags"), Identical);
}

/// A file outside of the checkout may say which one is read.
#[test]
fn what_was_observed_under_something_else_does_not_decide() {
    let mut tree = tree(r#"read("docs/a.md")"#);
    tree.files.insert("p/docs/a.md".to_owned());
    for (led_by, expected) in [(None, Identical), (Some("the network"), Read)] {
        let observed = Observed { is_whole: true, led_by, ..Observed::default() };
        let way = Way::Observed(observed);
        assert_eq!(way.why_names(), led_by);
        let ways = Ways::from([(key(), way)]);
        let found = then_observed(Sides::new(&tree, &tree), "p/docs/a.md", &ways);
        assert_eq!(found, expected, "{led_by:?}");
    }
}

/// A variable that a child reads, or whose name is computed, is in no executable.
#[test]
fn what_was_observed_with_other_variables_does_not_decide_where_any_may_lead() {
    for (code, others, expected) in [
        (r#"Command::new("sh").arg("run.sh"); read("docs/a.md")"#, true, Read),
        (r#"Command::new("sh").arg("run.sh"); read("docs/a.md")"#, false, Identical),
        (r#"vars().next(); read("docs/a.md")"#, true, Read),
        (r#"var(format!("{x}_DIR")); read("docs/a.md")"#, true, Read),
        (r#"var("A_DIR"); read("docs/a.md")"#, true, Identical),
    ] {
        let mut tree = tree(code);
        tree.files.insert("p/docs/a.md".to_owned());
        let observed =
            Observed { is_whole: true, has_other_variables: others, ..Observed::default() };
        let ways = Ways::from([(key(), Way::Observed(observed))]);
        let found = then_observed(Sides::new(&tree, &tree), "p/docs/a.md", &ways);
        assert_eq!(found, expected, "{code}");
    }
}

#[test]
fn a_script_that_a_script_or_a_configuration_starts_is_followed_too() {
    let text = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let mut sourced = tree(r#"run("scripts/run")"#);
    sourced.texts.push(text("p/scripts/run", "#!/bin/sh\n. scripts/lib"));
    sourced.texts.push(text("p/scripts/lib", "cat docs/a.md"));
    assert_eq!(then(Sides::new(&sourced, &sourced), "p/docs/a.md"), Read);
    assert_eq!(then(Sides::new(&sourced, &sourced), "p/docs/b.md"), Identical);
    let mut runner = tree("");
    runner.texts.push(text(".cargo/config.toml", "runner = \"tools/run\""));
    runner.texts.push(text("tools/run", "#!/bin/sh\ncat docs/a.md"));
    assert_eq!(then(Sides::new(&runner, &runner), "p/docs/a.md"), Read);
    // What it reads, no text says, its own neither.
    for script in ["d=docs; e=md; cat $d/a.$e", ". ./lib.sh", "grep -r word"] {
        runner.texts.pop();
        runner.texts.push(text("tools/run", &format!("#!/bin/sh\n{script}")));
        assert_eq!(then(Sides::new(&runner, &runner), "p/docs/a.md"), Read, "{script}");
    }
    let mut sizes = tree(r#"Command::new("sh").arg("tools/run")"#);
    sizes.files.insert("p/docs/a.md".to_owned());
    let observed = Way::Observed(Observed { is_whole: true, ..Observed::default() });
    let ways = Ways::from([(key(), observed)]);
    for (script, expected) in [("cat docs/a.md", Identical), ("stat -c %s docs/a.md", Read)] {
        sizes.texts.retain(|source| source.path != "tools/run");
        sizes.texts.push(text("tools/run", &format!("#!/bin/sh\n{script}")));
        let found = then_observed(Sides::new(&sizes, &sizes), "p/docs/a.md", &ways);
        assert_eq!(found, expected, "{script}");
    }
    let mut hidden = tree("");
    hidden.texts.push(text(".cargo/config.toml", "runner = \".cargo/run.sh\""));
    hidden.texts.push(text(".cargo/run.sh", "#!/bin/sh\ncat docs/a.md"));
    assert_eq!(then(Sides::new(&hidden, &hidden), "p/docs/a.md"), Read);
    let mut variable = tree("");
    variable.texts.push(text(".cargo/config.toml", "[env]\nPAGES = \"docs\""));
    assert_eq!(then(Sides::new(&variable, &variable), "p/docs/a.md"), Read);
    assert_eq!(then(Sides::new(&variable, &variable), "p/dogs/a.md"), Identical);
    runner.texts.truncate(2);
    assert_eq!(then(Sides::new(&runner, &runner), "p/docs/a.md"), Identical);
}

/// Modules that are built for unit tests alone lie in files of their own, and no bench is built with them.
#[test]
fn a_module_of_tests_names_nothing_unless_something_else_is_built_from_its_file() {
    let names = "fn f() { read(\"docs/a.md\") }";
    let cases = [
        ("#[cfg(test)] mod t;", "p/src/t.rs", Identical),
        ("#[cfg(test)] mod t;", "p/src/t/deep.rs", Identical),
        ("#[cfg(test)] mod t; mod t;", "p/src/t.rs", Read),
        ("#[cfg(test)] mod t; #[path = \"t.rs\"] mod u;", "p/src/t.rs", Read),
        ("#[cfg(any(test, fuzzing))] mod t;", "p/src/t.rs", Read),
        (
            "#[cfg(test)] mod t; macro_rules! m { ($n:ident) => { pub mod $n; } } m!(t);",
            "p/src/t.rs",
            Read,
        ),
        ("mod t;", "p/src/t.rs", Read),
        // Another root of the same folder has it.
        ("#[cfg(test)] mod t;", "p/src/main.rs mod t;", Read),
        ("#[cfg(test)] mod t;", "p/src/main.rs #[cfg(test)] mod t;", Identical),
        ("#[cfg(test)] mod t;", "p/src/tt.rs", Read),
    ];
    for (code, path, expected) in cases {
        let mut tree = tree(&format!("// A library.\n{code}"));
        let source =
            |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        match path.split_once(' ') {
            Some((root, text)) => {
                tree.packages[0].roots.push(root.to_owned());
                tree.packages[0].sources.push(source(root, text));
                tree.packages[0].sources.push(source("p/src/t.rs", names));
            }
            None => tree.packages[0].sources.push(source(path, names)),
        }
        assert_eq!(then(Sides::new(&tree, &tree), "p/docs/a.md"), expected, "{code} {path}");
    }
}

#[test]
fn code_that_is_not_read_here_may_read_any_file() {
    // A target that is made of another package's source, or of one of no package.
    for root in ["q/src/lib.rs", "benches/b.rs"] {
        let mut tree = tree("");
        tree.packages[0].roots.push(root.to_owned());
        tree.files.insert(root.to_owned());
        for changed in [root, "p/docs/a.md"] {
            assert_eq!(then(Sides::new(&tree, &tree), changed), Read, "{root} {changed}");
        }
        tree.files.remove(root);
        let expected = if root.starts_with('q') { Read } else { Identical };
        assert_eq!(then(Sides::new(&tree, &tree), "p/docs/a.md"), expected, "{root} is not there");
    }
    // A package that is in the repository, and not of the workspace.
    let mut other = tree("");
    let folder = Some("lib".to_owned());
    other.packages[0].dependencies.push(Dependency { folder, is_dev: false });
    assert_eq!(then(Sides::new(&other, &other), "lib/table.md"), Read);
    let mut unclear = tree("");
    unclear.unclear = Some("`[patch]` names a path".to_owned());
    assert_eq!(then(Sides::new(&unclear, &unclear), "lib/table.md"), Read);
}

#[test]
fn what_runs_while_others_are_built_and_links_count_as_they_did() {
    for runs in [Runs::BuildScript, Runs::ProcMacro] {
        let mut tree = tree("");
        tree.packages[0].runs = Some(runs);
        assert_eq!(then(Sides::new(&tree, &tree), "README.md"), Built);
        tree.packages[0].runs = None;
        tree.packages[1].runs = Some(runs);
        assert_eq!(then(Sides::new(&tree, &tree), "README.md"), Identical);
    }
    // A symbolic link gives a file another name.
    let mut linked = tree("read(\"page.md\")");
    let link = |to: &str| Link { at: "p/page.md".to_owned(), to: to.to_owned(), is_folder: false };
    linked.links = vec![link("docs/text.md")];
    assert_eq!(then(Sides::new(&linked, &linked), "docs/text.md"), Read);
    assert_eq!(then(Sides::new(&linked, &linked), "docs/other.md"), Identical);
}

#[test]
fn programs_and_libraries_of_the_workspace_are_inputs_where_they_can_be_named() {
    for (code, is_started) in [
        ("run(\"tool\")", true),
        ("run(\"./tool.exe\")", true),
        ("run(\"../../tool\")", true),
        ("run(format!(\"{}/tool\", folder()))", true),
        ("run(\"to\".to_owned() + \"ol\")", true),
        ("run(var(\"CARGO_BIN_EXE_tool\"))", true),
        // The path is a constant of one executable, and compared with that.
        ("run(env!(\"CARGO_BIN_EXE_tool\"))", false),
        ("run(var(format!(\"CARGO_BIN_EXE_{name}\")))", true),
        ("load(\"libtool.so\")", true),
        ("Command::cargo_bin(name)", true),
        ("run(current_exe()?.parent())", true),
        ("run(\"git\")", false),
        ("print(\"a tool of mine\")", false),
        ("", false),
    ] {
        let mut tree = tree(code);
        tree.packages[1].programs.insert("tool".to_owned());
        let taken = &of_change(&[], Sides::new(&tree, &tree), &Ways::new())[&key()];
        assert_eq!(taken.may_start("tool"), is_started, "{code}");
        // It is built from its package.
        let found = then(Sides::new(&tree, &tree), "q/src/main.rs");
        assert_eq!(found, if is_started { Built } else { Identical }, "{code}");
        // Of its own package too, whichever that is.
        tree.packages[1].programs.clear();
        tree.packages[0].programs.insert("tool".to_owned());
        let taken = &of_change(&[], Sides::new(&tree, &tree), &Ways::new())[&key()];
        assert_eq!(taken.may_start("tool"), is_started, "{code}");
    }
    let mut named = tree("run(env!(\"CARGO_PKG_NAME\"))");
    named.packages[0].programs.insert("p".to_owned());
    assert!(of_change(&[], Sides::new(&named, &named), &Ways::new())[&key()].may_start("p"));
}

#[test]
fn the_inputs_are_listed_with_what_decides_them() {
    let mut tree = tree("run(\"tool\"); include_str!(\"page.md\")");
    tree.packages[1].programs.insert("tool".to_owned());
    let shown = |tree: &Tree| {
        let taken = &of_change(&[], Sides::new(tree, tree), &Ways::new())[&key()];
        taken.inputs.head.as_ref().unwrap().to_string()
    };
    let expected = [
        "  packages: `p`, `q`",
        "  files: what its strings name, and data that they do not",
        "  included: `p/src/page.md`",
        "  programs: `tool`",
        "  variables: those that cargo gives",
    ];
    assert_eq!(shown(&tree).lines().collect::<Vec<_>>(), expected);
    tree.packages[0].runs = Some(Runs::BuildScript);
    assert!(shown(&tree).contains("files: any, by the build script of `p`"));
}

/// What runs were observed to read, of a suite with this code: whether all of them were, whether the file is there on both
/// sides, the file that changes, and what follows.
type ObservedRow = (&'static str, bool, bool, &'static str, Then);

const OBSERVED: [ObservedRow; 47] = [
    // No string names it: the path is computed, or a dependency's, or a child reads it.
    ("", true, true, "p/key.md", Read),
    ("", false, true, "p/key.md", Read),
    ("", true, false, "p/key.md", Read),
    ("", true, true, "q/src/lib.rs", Read),
    ("", true, true, "p/docs/kez.md", Identical),
    ("", false, true, "p/docs/kez.md", Identical),
    // The next of those that were read.
    ("", true, true, "p/kez.md", Read),
    // A file that appears or is gone in a folder that was listed.
    ("", true, false, "p/pages/new.md", Read),
    ("", true, true, "p/pages/old.md", Identical),
    ("", true, false, "p/other/new.md", Identical),
    // A submodule of which a file was read.
    ("", true, true, "vendor/library", Read),
    // Named, or data, and read by no run: of a whole run that is enough, for a file that was there.
    (r#"read("docs/a.md")"#, true, true, "p/docs/a.md", Identical),
    (r#"read("docs/a.md")"#, true, false, "p/docs/a.md", Read),
    (r#"read("docs/a.md")"#, false, true, "p/docs/a.md", Read),
    ("", true, true, "p/data.csv", Built),
    ("", true, false, "p/data.csv", Read),
    ("", false, true, "p/data.csv", Read),
    (r#"WalkDir::new(".")"#, true, true, "p/docs/a.md", Identical),
    (r#"WalkDir::new(".")"#, true, false, "p/docs/a.md", Read),
    (r#"WalkDir::new(".")"#, false, true, "p/docs/a.md", Read),
    // Sizes and times are not observed.
    (r#"metadata("docs/a.md").len()"#, true, true, "p/docs/a.md", Read),
    (r#"metadata("docs/a.md").len()"#, true, true, "p/docs/b.md", Identical),
    (r#"File::open("docs/a.md").seek(SeekFrom::End(0))"#, true, true, "p/docs/a.md", Read),
    (r#"File::open("docs/a.md").seek(SeekFrom::Start(4))"#, true, true, "p/docs/a.md", Identical),
    (r#"File::open("docs/a.md").stream_len()"#, true, true, "p/docs/a.md", Read),
    (r#"flags(O_NOATIME).open("docs/a.md")"#, true, true, "p/docs/a.md", Read),
    (r#"Command::new("stat").arg("docs/a.md")"#, true, true, "p/docs/a.md", Read),
    (
        r#"Command::new("sh").arg("-c").arg("n=$(stat -c %s docs/a.md); echo $n")"#,
        true,
        true,
        "p/docs/a.md",
        Read,
    ),
    (
        r#"use libc::stat; fn f() { stat(c"docs/a.md".as_ptr(), &mut at) }"#,
        true,
        true,
        "p/docs/a.md",
        Read,
    ),
    (r#"extern "C" { fn stat(path: *const i8); } x("docs/a.md")"#, true, true, "p/docs/a.md", Read),
    (r#"let stat = size; x("docs/a.md")"#, true, true, "p/docs/b.md", Identical),
    (r#"Command::new("sh").arg("-c").arg("ls -l docs/a.md")"#, true, true, "p/docs/a.md", Read),
    (r#"Command::new("wc").arg("docs/a.md")"#, true, true, "p/docs/a.md", Read),
    (
        r#"Command::new("sh").args(["-c", "if [ -s docs/a.md ]; then :; fi"])"#,
        true,
        true,
        "p/docs/a.md",
        Read,
    ),
    (r#"Command::new("env").arg("stat").arg("docs/a.md")"#, true, true, "p/docs/a.md", Read),
    (r#"Command::new("sh").arg("-c").arg("env stat docs/a.md")"#, true, true, "p/docs/a.md", Read),
    (
        r#"Command::new("perl").args(["-e", "print -s 'docs/a.md'"])"#,
        true,
        true,
        "p/docs/a.md",
        Read,
    ),
    (r#"Command::new("sh").arg("-c").arg("cat docs/a.md")"#, true, true, "p/docs/a.md", Identical),
    (r#"custom_flags(0o1000000).open("docs/a.md")"#, true, true, "p/docs/a.md", Read),
    (r#"Command::new("cat").arg("docs/a.md")"#, true, true, "p/docs/a.md", Identical),
    // What is built is not what a run reads: a macro may read it, by whatever folder.
    ("#[template(path = \"a.md\")] struct T;", true, true, "p/pages/a.md", Built),
    ("crate::template!(\"a.md\");", true, true, "p/pages/a.md", Built),
    ("crate::read(\"a.md\");", true, true, "p/pages/a.md", Identical),
    ("", true, true, "p/src/lib.rs", Built),
    ("", true, true, "Cargo.lock", Built),
    ("include_str!(\"page.md\")", true, true, "p/src/page.md", Built),
    ("include_dir!(\"pages\")", true, true, "README.md", Built),
];

#[test]
fn what_was_observed_counts_as_read_and_names_count_besides_it_unless_all_was_observed() {
    let expected = OBSERVED.map(|(code, is_whole, is_modified, changed, expected)| {
        let (mut base, mut head) = (tree(code), tree(code));
        head.files.insert(changed.to_owned());
        if is_modified {
            base.files.insert(changed.to_owned());
        }
        let observed = Observed {
            files: ["p/key.md", "q/src/lib.rs", "vendor/library/x"].map(str::to_owned).into(),
            folders: ["p/pages".to_owned()].into(),
            is_whole,
            ..Observed::default()
        };
        let ways = Ways::from([(key(), Way::Observed(observed))]);
        // Added, or deleted.
        for trees in [Sides::new(&base, &head), Sides::new(&head, &base)] {
            let found = then_observed(trees, changed, &ways);
            assert_eq!(found, expected, "{code} {changed} {is_whole} {is_modified}");
        }
        expected
    });
    assert!([Read, Built, Identical].iter().all(|then| expected.contains(then)));
}

#[test]
fn what_cargo_is_configured_with_is_built_though_no_run_reads_it() {
    let config = |text: &str| {
        let path = ".cargo/config.toml".to_owned();
        let mut tree = tree("");
        tree.texts.push(Source { path, text: text.to_owned() });
        tree.files.insert("link/own.md".to_owned());
        tree
    };
    let whole = Observed { is_whole: true, ..Observed::default() };
    let ways = Ways::from([(key(), Way::Observed(whole))]);
    let tree = config("rustflags = [\"-Clink-arg=-Tlink/own.md\"]");
    assert_eq!(then_observed(Sides::new(&tree, &tree), "link/own.md", &ways), Built);
    let tree = config("rustflags = []");
    assert_eq!(then_observed(Sides::new(&tree, &tree), "link/own.md", &ways), Identical);
}

#[test]
fn the_way_says_what_decides() {
    let observed = |is_whole| Way::Observed(Observed { is_whole, ..Observed::default() });
    for (way, expected) in [
        (observed(true), "observed"),
        (observed(false), "by names: not every benchmark of it was observed; what was counts too"),
        (Way::default(), "by names: no run of it was observed"),
    ] {
        assert_eq!(way.to_string(), expected);
    }
}

/// The name of a file that is not UTF-8 is compared with no string.
#[test]
fn a_file_whose_name_is_no_text_may_be_read() {
    let mut tree = tree("");
    tree.unclear = Some("the name of a file is not UTF-8".to_owned());
    assert_eq!(then(Sides::new(&tree, &tree), "p/b\u{fffd}.md"), Read);
    // Where the tree is not clear, nothing is known of what a run reads.
    assert_eq!(then(Sides::new(&tree, &tree), "p/b.md"), Read);
    tree.unclear = None;
    assert_eq!(then(Sides::new(&tree, &tree), "p/b.md"), Identical);
}

/// Nobody could start it, so nobody read it; now it runs.
#[test]
fn a_file_that_may_be_started_now_is_another_one_though_no_run_read_it() {
    let mut base = tree(r#"run("docs/a.md")"#);
    base.files.insert("p/docs/a.md".to_owned());
    let mut head = base.clone();
    head.executable.insert("p/docs/a.md".to_owned());
    let whole = Observed { is_whole: true, ..Observed::default() };
    let ways = Ways::from([(key(), Way::Observed(whole))]);
    for trees in [Sides::new(&base, &head), Sides::new(&head, &base)] {
        assert_eq!(then_observed(trees, "p/docs/a.md", &ways), Read);
    }
    assert_eq!(then_observed(Sides::new(&head, &head), "p/docs/a.md", &ways), Identical);
}

#[test]
fn of_more_texts_than_are_read_any_may_name_a_file() {
    let mut tree = tree("");
    assert_eq!(then(Sides::new(&tree, &tree), "p/docs/a.md"), Identical);
    tree.has_more_texts = true;
    assert_eq!(then(Sides::new(&tree, &tree), "p/docs/a.md"), Read);
}
