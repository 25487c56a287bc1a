use proptest::prelude::*;

use super::*;
use crate::policy::Suite;

/// Packages `a` to `d` in folders of their names: `a` is built from `b` and `b` from `c`; all but `c` have a suite.
fn tree() -> Tree {
    let on = |folder: &str| Dependency { folder: Some(folder.to_owned()), is_dev: false };
    let package = |name: &str, dependencies: Vec<Dependency>| Package {
        name: name.to_owned(),
        folder: name.to_owned(),
        dependencies,
        runs: None,
        programs: BTreeSet::new(),
        roots: vec![format!("{name}/src/lib.rs"), format!("{name}/benches/speed.rs")],
        benches: vec![format!("{name}/benches/speed.rs")],
        sources: vec![source(&format!("{name}/src/lib.rs"), "pub fn f() {}")],
    };
    let suites =
        ["a", "b", "d"].map(|name| (SuiteKey::new(name, "speed"), [name.to_owned()].into()));
    Tree {
        packages: vec![
            package("a", vec![on("b")]),
            package("b", vec![on("c")]),
            package("c", Vec::new()),
            package("d", Vec::new()),
        ],
        suites: suites.into(),
        ..Tree::default()
    }
}

fn source(path: &str, text: &str) -> Source {
    Source { path: path.to_owned(), text: text.to_owned() }
}

/// The tree with a source of package `c`.
fn with(path: &str, text: &str) -> Tree {
    let mut tree = tree();
    tree.packages[2].sources.push(source(path, text));
    tree
}

/// A suite of the policy.
fn suite(built_from: &[&str], reads: Option<&[&str]>) -> Suite {
    let owned = |paths: &[&str]| paths.iter().map(|&path| path.to_owned()).collect();
    Suite { built_from: owned(built_from), reads: reads.map(owned), ..Suite::default() }
}

fn reached_by(tree: &Tree, changed: &[&str]) -> String {
    let changed: Vec<String> = changed.iter().map(|path| (*path).to_owned()).collect();
    let reached = affected(&changed, Sides::new(tree, tree));
    let is_reached =
        |(key, reach): (SuiteKey, Reach)| (reach != Reach::Untouched).then_some(key.package);
    reached.into_iter().filter_map(is_reached).collect()
}

#[test]
fn a_changed_source_reaches_the_suites_that_are_built_from_its_package() {
    for (changed, expected) in [
        ("a/src/lib.rs", "a"),
        ("b/src/x.rs", "ab"),
        ("c/benches/speed.rs", "ab"),
        ("d/src/lib.rs", "d"),
        ("elsewhere/lib.rs", "abd"),
    ] {
        assert_eq!(reached_by(&tree(), &[changed]), expected, "{changed}");
    }
    assert_eq!(reached_by(&tree(), &[]), "");
    assert_eq!(reached_by(&tree(), &["README.md", "d/src/lib.rs", "LICENSE"]), "d");
}

#[test]
fn what_every_build_depends_on_and_what_a_bench_may_read_reach_all() {
    for changed in [
        "Cargo.lock",
        "Cargo.toml",
        "d/Cargo.toml",
        "fuzz/Cargo.toml",
        ".cargo/config.toml",
        "d/.cargo/config",
        "rust-toolchain",
        "rust-toolchain.toml",
        "benchgate.toml",
        ".gitattributes",
        ".gitmodules",
        "data.csv",
        "docs/plot.svg",
        "d/data/words.md",
        "d/fixtures/code.rs",
        "vendor/serde",
        "d/build.sh",
    ] {
        assert_eq!(reached_by(&tree(), &[changed]), "abd", "{changed}");
    }
}

#[test]
fn prose_and_files_of_tools_reach_nothing_unless_a_source_names_them() {
    for changed in [
        "README.md",
        "a/README.md",
        "docs/page.md",
        "LICENSE-MIT",
        ".github/workflows/ci.yml",
        "rustfmt.toml",
        ".gitignore",
        "baselines/m/a.json",
    ] {
        assert_eq!(reached_by(&tree(), &[changed]), "", "{changed}");
    }
    for (text, changed) in [
        ("#![doc = include_str!(\"../README.md\")]", "c/README.md"),
        ("#![doc = include_str!(\"../../README.md\")]", "README.md"),
        (
            "const A: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../docs/\", \"a.md\"));",
            "docs/a.md",
        ),
        ("html!(\"docs\")", "docs/a.md"),
        ("#[template(source = (\"docs\"))] struct T;", "docs/a.md"),
        ("html! { vec![format!(\"docs/a.md\")] }", "docs/a.md"),
        ("html!(\"$CARGO_MANIFEST_DIR/../docs\")", "docs/a.md"),
        ("html!(\"pages\")", "c/pages/a.md"),
        ("html!(\"pages\")", "c/src/pages/a.md"),
    ] {
        let tree = with("c/src/x.rs", text);
        assert_eq!(reached_by(&tree, &[changed]), "ab", "{text}: {changed}");
        assert_eq!(reached_by(&tree, &["other.md"]), "", "{text}");
        let comment = with("c/src/x.rs", &format!("// {text}"));
        assert_eq!(reached_by(&comment, &[changed]), "", "{text}");
    }
}

#[test]
fn a_string_anywhere_names_a_file_of_whatever_kind() {
    let join = "fn f() { Path::new(env!(\"CARGO_MANIFEST_DIR\")).join(\"docs\").join(\"a.md\") }";
    for (text, changed) in [
        ("fn f() { read(\"../docs/a.md\") }", "docs/a.md"),
        (join, "docs/a.md"),
        ("fn f() { read(\"docs\") }", "docs/deep/b.md"),
        ("fn f() { read(\"LICENSE-MIT\") }", "LICENSE-MIT"),
        ("fn f() { read(\".github/workflows/ci.yml\") }", ".github/workflows/ci.yml"),
        ("fn f() { read(format!(\"baselines/{}/a.json\", name)) }", "baselines/m/a.json"),
        ("fn f() { read(\"src/lib.rs\") }", "d/src/lib.rs"),
        ("fn f() { read(file!()) }", "c/src/x.rs"),
        ("fn f() { env!(\"CARGO_PKG_README\") }", "README.md"),
        ("fn f() { read_dir(\"..\") }", "docs/a.md"),
        ("fn f() { glob(\"**/*\") }", "docs/a.md"),
        ("fn f() { WalkDir::new(env!(\"CARGO_MANIFEST_DIR\")) }", "c/a.md"),
    ] {
        let tree = with("c/src/x.rs", text);
        assert_eq!(reached_by(&tree, &[changed]).replace('d', ""), "ab", "{text}: {changed}");
        let key = SuiteKey::new("a", "speed");
        let taken = of_change(&[changed.to_owned()], Sides::new(&tree, &tree), &Ways::new());
        let (read, inputs) = (&taken[&key].read, taken[&key].inputs.base.as_ref().unwrap());
        assert!(read.is_some() || inputs.anything.is_some(), "{text}: {changed}");
        let comment = with("c/src/x.rs", &format!("// {text}"));
        assert_eq!(reached_by(&comment, &["docs/a.md", "README.md"]), "", "{text}");
    }
    // Of documentation nothing is left when it runs.
    let tree = with("c/src/x.rs", "#![doc = include_str!(\"../../README.md\")]");
    let taken = of_change(&["README.md".to_owned()], Sides::new(&tree, &tree), &Ways::new());
    let taken = &taken[&SuiteKey::new("a", "speed")];
    assert!(taken.reach != Reach::Untouched && taken.read.is_none(), "{taken:?}");
}

#[test]
fn a_text_of_the_program_and_a_list_that_it_reads_name_files_too() {
    for (path, text, is_followed) in [
        ("c/src/speeds.txt", "a|../docs/a.md|", true),
        ("c/cases.json", "[\"docs/a.md\"]", true),
        ("c/pages.md", "[a](docs/a.md)", false),
        ("c/other.txt", "docs/a.md", false),
    ] {
        let source = "const S: &str = include_str!(\"speeds.txt\"); fn f() { g(\"cases.json\", \"pages.md\") }";
        let mut tree = with("c/src/x.rs", source);
        tree.texts.push(self::source(path, text));
        assert_eq!(
            reached_by(&tree, &["docs/a.md"]),
            if is_followed { "ab" } else { "" },
            "{path}"
        );
    }
    // What the configuration gives, every bench has.
    let mut tree = tree();
    tree.texts.push(source(".cargo/config.toml", "[env]\nPAGE = \"docs/a.md\""));
    assert_eq!(reached_by(&tree, &["docs/a.md"]), "abd");
}

#[test]
fn a_program_that_a_bench_may_start_is_built_from_its_package() {
    for (text, is_started) in [
        ("fn f() { run(\"../tool\") }", true),
        ("fn f() { run(var(\"CARGO_BIN_EXE_tool\")) }", true),
        ("fn f() { load(\"libtool.so\") }", true),
        ("fn f() { run(current_exe()) }", true),
        ("fn f() { run(\"other\") }", false),
    ] {
        let mut tree = with("c/src/x.rs", text);
        tree.packages[3].programs.insert("tool".to_owned());
        let reached = reached_by(&tree, &["d/src/main.rs"]);
        assert_eq!(reached, if is_started { "abd" } else { "d" }, "{text}");
        // What starts it is built, so the program is: with its package's suite.
        let reached = reached_by(&tree, &["a/src/lib.rs"]);
        assert_eq!(reached, if is_started { "ad" } else { "a" }, "{text}");
        // The policy's command builds what its suite starts.
        tree.declare(SuiteKey::new("z", "declared"), &suite(&["c", "unknown"], None), "");
        assert_eq!(reached_by(&tree, &["x.md"]), "z", "{text}");
    }
}

#[test]
fn what_a_started_program_is_built_from_reaches_what_starts_it() {
    for (text, runs) in [
        ("fn main() { show(include_str!(\"../words.md\")) }", None),
        ("fn main() {}", Some(Runs::BuildScript)),
    ] {
        let mut tree = with("c/src/x.rs", "fn f() { run(current_exe()) }");
        tree.packages[3].programs.insert("tool".to_owned());
        tree.packages[3].runs = runs;
        tree.packages[3].sources = vec![source("d/src/main.rs", text)];
        let file = if runs.is_some() { "d/table.txt" } else { "d/words.md" };
        assert_eq!(reached_by(&tree, &[file]), "abd", "{text}");
    }
}

#[test]
fn a_suite_of_the_policy_may_take_in_more_than_its_files_unless_it_says_what_it_reads() {
    let none: &[&str] = &[];
    for (text, runs, reads, takes_more) in [
        ("fn f() {}", None, None, false),
        ("fn f() { load(\"libplug.so\") }", None, None, true),
        ("fn f() { run(current_exe()) }", None, None, true),
        ("fn f() {}", Some(Runs::BuildScript), None, true),
        ("fn f() { run(current_exe()) }", Some(Runs::BuildScript), Some(none), false),
    ] {
        let mut tree = with("c/src/x.rs", text);
        tree.packages[3].programs.insert("plug".to_owned());
        tree.packages[2].runs = runs;
        let key = SuiteKey::new("z", "declared");
        tree.declare(key.clone(), &suite(&["c"], reads), "");
        let changed = ["c/src/x.rs".to_owned()];
        let taken = of_change(&changed, Sides::new(&tree, &tree), &Ways::new());
        assert_eq!(taken[&key].builds_more().is_some(), takes_more, "{text} {runs:?} {reads:?}");
    }
}

#[test]
fn code_that_may_read_any_file_is_reached_by_every_file() {
    for text in [
        "include!(\"../../shared/code.rs\");",
        "include!(\"table.in\");",
        "include!(\"/tmp/code.rs\"); include!(\"missing.rs\");",
        "include!(concat!(env!(\"PLACE\"), \"/code.rs\"));",
        "include_str!($file)",
        "include_bytes!(env!(\"FILE\"))",
        "#[cfg_attr(unix, path = \"../tests/common.rs\")] mod common;",
        "static PAGES: Dir = include_dir!(\"$CARGO_MANIFEST_DIR\");",
        "#[derive(RustEmbed)] #[folder = \".\"] struct Pages;",
        "const V: &str = git_version!();",
        // Found from where the macro is called.
        "macro_rules! page { () => { include_str!(\"page.md\") } }",
        "macro_rules! page { () => { include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/README.md\")) } }",
        // Found from a folder `inputs`.
        "mod inputs { #[path = \"lib.rs\"] pub mod shared; }",
        "macro_rules! take { ($file:literal) => { #[path = $file] mod taken; } }",
    ] {
        assert_eq!(reached_by(&with("c/src/x.rs", text), &["x.md"]), "ab", "{text}");
    }
    for runs in [Runs::BuildScript, Runs::ProcMacro] {
        let mut tree = tree();
        tree.packages[2].runs = Some(runs);
        assert_eq!(reached_by(&tree, &["x.md"]), "ab", "{runs:?}");
        assert_eq!(reached_by(&tree, &["d/src/lib.rs"]), "abd", "{runs:?}");
    }
    // Inside of the package all is read as it is, and what a build script writes is the script's.
    let tree = with(
        "c/src/x.rs",
        "include!(\"lib.rs\"); #[path = \"lib.rs\"] mod l; include!(concat!(env!(\"OUT_DIR\"), \"/m.rs\"));",
    );
    assert_eq!(reached_by(&tree, &["x.md", "d/src/lib.rs"]), "d");
}

#[test]
fn a_path_of_another_attribute_is_no_module() {
    let text = "mod m { #[api::path(get, path = \"/pets\")] fn pets() {} }";
    assert_eq!(reached_by(&with("c/src/x.rs", text), &["x.md"]), "");
}

#[test]
fn code_of_another_package_is_a_file_that_is_named_if_it_needs_no_other() {
    for (text, reached) in [
        ("pub struct D { mod_: u8 } mod inner { pub fn f() {} }", ""),
        ("pub fn f() { println!(\"y.md\") }", ""),
        // It may read what it names.
        ("pub fn f() { println!(\"x.md\") }", "ab"),
        ("const T: &str = include_str!(\"y.md\");", ""),
        ("const T: &str = include_str!(\"../../x.md\");", "ab"),
        (
            "const T: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../x.md\"));",
            "ab",
        ),
        ("macro_rules! t { ($t:expr) => { $t } } const T: &str = t!(\"y.md\");", ""),
        ("#[folder = \"x.md\"] struct Pages;", "ab"),
        ("mod more;", "ab"),
        ("pub mod more;", "ab"),
        ("macro_rules! table { ($n:ident) => { struct $n; } } table!(T);", ""),
        ("modules!(more);", "ab"),
        ("macro_rules! call { ($n:ident) => { $n!(); } } call!(modules);", "ab"),
        ("macro_rules! modules { ($m:ident) => { mod $m; } }", "ab"),
        ("include!(\"more.rs\");", "ab"),
        ("#[derive(RustEmbed)] struct Pages;", "ab"),
    ] {
        let mut tree = with("c/src/x.rs", "#[path = \"../../d/src/lib.rs\"] mod d;");
        tree.packages[3].sources[0].text = text.to_owned();
        // `d` itself has its own reasons.
        assert_eq!(reached_by(&tree, &["x.md"]).replace('d', ""), reached, "{text}");
        assert_eq!(reached_by(&tree, &["d/src/lib.rs"]), "abd", "{text}");
    }
}

#[test]
fn tests_and_examples_are_not_built_unless_a_target_is_there() {
    let text = "include_dir!(\"x\")";
    for folder in ["tests", "examples"] {
        let mut tree = with(&format!("c/{folder}/x.rs"), text);
        let changed = format!("c/{folder}/y.rs");
        assert_eq!(reached_by(&tree, &["x.md", &changed]), "");
        tree.packages[2].roots.push(format!("c/{folder}/bench.rs"));
        assert_eq!(reached_by(&tree, &["x.md"]), "ab");
        tree.packages[2].sources.clear();
        assert_eq!(reached_by(&tree, &[&changed]), "ab");
    }
}

#[test]
fn a_root_with_the_name_of_a_module_of_tests_is_built() {
    let (lib, text) = ("#[cfg(test)] mod t;", "fn f() { read(\"x.md\") }");
    for (root, more, expected) in [
        (None, "c/src/t.rs", ""),
        (Some("c/src/t.rs"), "c/src/t.rs", "ab"),
        (None, "c/src/t/main.rs", ""),
        (Some("c/src/t/main.rs"), "c/src/t/main.rs", "ab"),
        // A module of that root.
        (Some("c/src/t/main.rs"), "c/src/t/deep.rs", "ab"),
        (Some("c/src/tt/main.rs"), "c/src/t/deep.rs", ""),
    ] {
        let mut tree = with(more, text);
        tree.packages[2].sources[0].text = lib.to_owned();
        tree.packages[2].roots.extend(root.map(str::to_owned));
        assert_eq!(reached_by(&tree, &["x.md"]), expected, "{root:?} {more}");
    }
}

#[test]
fn development_dependencies_are_those_of_the_benches_alone() {
    let mut tree = tree();
    for package in &mut tree.packages {
        for dependency in &mut package.dependencies {
            dependency.is_dev = true;
        }
    }
    assert_eq!(reached_by(&tree, &["b/src/lib.rs"]), "ab");
    assert_eq!(reached_by(&tree, &["c/src/lib.rs"]), "b");
}

#[test]
fn a_dependency_that_is_not_a_package_of_the_workspace_may_read_anything() {
    for folder in [None, Some("third_party/x".to_owned())] {
        let mut tree = tree();
        tree.packages[2].dependencies.push(Dependency { folder, is_dev: false });
        assert_eq!(reached_by(&tree, &["x.md"]), "ab");
    }
    let tree = Tree { unclear: Some("`[patch]` in Cargo.toml".to_owned()), ..tree() };
    assert_eq!(reached_by(&tree, &["x.md"]), "abd");
    assert_eq!(reached_by(&tree, &[]), "");
}

#[test]
fn a_file_is_known_by_the_links_that_lead_to_it_too() {
    let link =
        |at: &str, to: &str, is_folder| Link { at: at.to_owned(), to: to.to_owned(), is_folder };
    let mut tree = with("c/src/x.rs", "include_str!(\"../TEXT.md\")");
    tree.links = vec![
        link("c/TEXT.md", "docs/text.md", false),
        link("c/LICENSE", "LICENSE", false),
        link("loop/loop", "loop", true),
    ];
    assert_eq!(reached_by(&tree, &["docs/text.md"]), "ab");
    assert_eq!(reached_by(&tree, &["LICENSE", "loop/x.md"]), "");
    // A link to a link, in a folder that is one.
    tree.links.push(link("docs", "pages", true));
    tree.links.push(link("pages/text.md", "README.md", false));
    assert_eq!(reached_by(&tree, &["README.md"]), "ab");
    // Code behind a link is not read for what it includes.
    for (to, is_folder) in [("d/src", true), ("d/src/lib.rs", false)] {
        let mut tree = super::tests::tree();
        tree.links.push(link("c/src/shared", to, is_folder));
        assert_eq!(reached_by(&tree, &["x.md"]), "ab", "{to}");
    }
}

#[test]
fn a_declared_suite_is_built_from_the_packages_that_it_names() {
    let key = || SuiteKey::new("z", "declared");
    for (packages, changed, expected) in [
        (["c", "d"], "c/src/lib.rs", "abz"),
        (["c", "d"], "d/src/lib.rs", "dz"),
        (["c", "d"], "a/src/lib.rs", "a"),
        (["c", "unknown"], "x.md", "z"),
    ] {
        let mut tree = tree();
        tree.declare(key(), &suite(&packages, None), "");
        assert_eq!(reached_by(&tree, &[changed]), expected, "{packages:?} {changed}");
    }
}

#[test]
fn a_declared_suite_reads_what_the_policy_says_whatever_its_sources_have_words_for() {
    let key = || SuiteKey::new("z", "declared");
    let build = "html!(\"docs/of_the_build.md\")";
    let run = "fn f() { read(\"docs/a.md\"); for page in read_dir(current_dir()?) {} \
               read(\"names.list\"); }";
    for (reads, changed, expected) in [
        (None, "docs/a.md", true),
        (None, "other.md", true),
        (Some(&[][..]), "docs/a.md", false),
        (Some(&["pages"]), "docs/a.md", false),
        (Some(&["docs"]), "docs/a.md", true),
        (Some(&["docs/*.md"]), "docs/a.md", true),
        (Some(&["./docs/a.md"]), "docs/a.md", true),
        (Some(&["docs/b.md"]), "docs/a.md", false),
        // The policy names it, as it does what it starts.
        (Some(&[]), "run.sh", true),
        // A package that cargo is told to build is what `built-from` says, and the program's own arguments are not.
        (Some(&[]), "other/notes.md", false),
        (Some(&[]), "pages/of_the_program.md", true),
        // A list that a source of the run names, and one that a script of the policy does.
        (None, "notes/of_the_list.md", true),
        (Some(&[]), "notes/of_the_list.md", false),
        (Some(&[]), "notes/of_the_script.md", true),
        // What a build reads, no word about a run changes.
        (Some(&[]), "docs/of_the_build.md", true),
        (Some(&[]), "c/src/lib.rs", true),
        (Some(&[]), "Cargo.lock", true),
    ] {
        let mut tree = with("c/src/x.rs", &format!("{build}\n{run}"));
        let commands = ["cargo", "run", "-p", "other", "--package", "other", "--", "-p", "pages"];
        let build = commands.map(str::to_owned).to_vec();
        let run = ["sh", "./run.sh"].map(str::to_owned).to_vec();
        // What other tables of the policy name is theirs.
        tree.texts
            .push(source("benchgate.toml", "of-another = [\"docs/a.md\", \"other/data.md\"]"));
        tree.texts.push(source("names.list", "notes/of_the_list.md"));
        tree.texts.push(source("run.sh", "#!/bin/sh\n./render --all \"$(cat more.list)\""));
        tree.texts.push(source("more.list", "notes/of_the_script.md"));
        tree.declare(key(), &Suite { build, run, ..suite(&["c"], reads) }, "");
        let sides = Sides::new(&tree, &tree);
        let taken = &of_change(&[changed.to_owned()], sides, &Ways::new())[&key()];
        assert_eq!(taken.reach != Reach::Untouched, expected, "{reads:?} {changed}: {taken:?}");
        if changed.starts_with("docs/a") {
            assert_eq!(taken.read.is_some(), expected, "{reads:?} {changed}");
        }
    }
}

#[test]
fn a_declared_suite_that_is_told_where_it_is_may_list_that() {
    let key = || SuiteKey::new("z", "declared");
    let run = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    for (words, folder, changed, expected) in [
        (run(&["./render", "."]), "docs", "docs/a.md", true),
        (run(&["./render", "*"]), "docs", "docs/a.md", false),
        (run(&["./render", "./*"]), "docs", "docs/a.md", true),
        (run(&["./render"]), "docs", "docs/a.md", false),
        (run(&["sh", "-c", "cd pages && ./render"]), "", "pages/a.md", true),
        (run(&["./render", "model"]), "tools", "ws/tools/model/a.md", true),
        (run(&["./render", "model"]), "tools", "other/model/a.md", false),
    ] {
        let mut tree = with("c/src/x.rs", "fn f() { WalkDir::new(args().nth(1)) }");
        let folder = folder.to_owned();
        tree.declare(key(), &Suite { run: words, folder, ..suite(&["c"], None) }, "ws");
        let sides = Sides::new(&tree, &tree);
        let taken = &of_change(&[changed.to_owned()], sides, &Ways::new())[&key()];
        assert_eq!(taken.reach != Reach::Untouched, expected, "{changed}: {taken:?}");
    }
}

#[test]
fn a_suite_is_untouched_only_if_both_sides_agree() {
    let (base, mut head) = (tree(), with("c/src/x.rs", "include_str!(\"../../README.md\")"));
    head.suites.remove(&SuiteKey::new("d", "speed"));
    head.suites.insert(SuiteKey::new("d", "new"), ["d".to_owned()].into());
    let changed = ["README.md".to_owned()];
    let said = |sides| {
        let reached = affected(&changed, sides);
        reached.iter().map(|(key, reach)| format!("{key}: {reach}\n")).collect::<String>()
    };
    insta::assert_snapshot!(said(Sides::new(&base, &head)), @"
    a.speed: `README.md` changed, which `c/src/x.rs` names
    b.speed: `README.md` changed, which `c/src/x.rs` names
    d.new: only head has it
    d.speed: only base has it
    ");
    assert!(said(Sides::new(&head, &base)).contains("a.speed: `README.md` changed"));
    assert!(said(Sides::new(&base, &base)).contains("a.speed: nothing that it is built from"));
}

#[test]
fn the_reason_names_the_file_and_what_it_reaches() {
    let mut tree = tree();
    let why = |tree: &Tree, path: &str| {
        let key = SuiteKey::new("a", "speed");
        affected(&[path.to_owned()], Sides::new(tree, tree))[&key].to_string() + "\n"
    };
    let mut said: String = ["Cargo.lock", "data.csv", "c/src/lib.rs", "x/lib.rs", "d/src/lib.rs"]
        .map(|path| why(&tree, path))
        .concat();
    tree.packages[2].runs = Some(Runs::BuildScript);
    said += &why(&tree, "d/src/lib.rs");
    insta::assert_snapshot!(said, @"
    `Cargo.lock` changed, which every build depends on
    `data.csv` changed, which a bench may read
    `c/src/lib.rs` changed, in `c`
    `x/lib.rs` changed, which is in no package of the workspace
    nothing that it is built from changed
    `d/src/lib.rs` changed, and the build script of `c` may read any file
    ");
}

fn any_path() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec!["a", "b", "c", "d", "src", "docs", "data", ".github"]);
    let name = prop::sample::select(vec!["lib.rs", "x.md", "Cargo.toml", "x.bin", "LICENSE"]);
    (prop::collection::vec(part, 0..4), name)
        .prop_map(|(parts, name)| parts.into_iter().chain([name]).collect::<Vec<_>>().join("/"))
}

proptest! {
    #[test]
    fn one_more_changed_file_makes_no_suite_untouched(
        changed in prop::collection::vec(any_path(), 0..6), more in any_path(), text in ".{0,40}",
    ) {
        let tree = with("c/src/x.rs", &text);
        let before = affected(&changed, Sides::new(&tree, &tree));
        let mut all = changed;
        all.insert(0, more);
        for (key, reach) in affected(&all, Sides::new(&tree, &tree)) {
            prop_assert!(reach != Reach::Untouched || before[&key] == Reach::Untouched);
        }
    }

    #[test]
    fn one_more_dependency_makes_no_suite_untouched(
        changed in prop::collection::vec(any_path(), 0..6), from in 0_usize..4, to in 0_usize..4,
    ) {
        let (tree, mut larger) = (tree(), tree());
        let folder = Some(tree.packages[to].folder.clone());
        larger.packages[from].dependencies.push(Dependency { folder, is_dev: false });
        let before = affected(&changed, Sides::new(&tree, &tree));
        for (key, reach) in affected(&changed, Sides::new(&larger, &larger)) {
            prop_assert!(reach != Reach::Untouched || before[&key] == Reach::Untouched);
        }
    }

    #[test]
    fn every_source_of_what_a_suite_is_built_from_reaches_it(path in any_path(), package in 0_usize..3) {
        let tree = tree();
        let path = format!("{}/{path}", tree.packages[package].folder);
        if path.ends_with(".rs") {
            let reached = affected(&[path], Sides::new(&tree, &tree));
            prop_assert!(reached[&SuiteKey::new("a", "speed")] != Reach::Untouched);
        }
    }
}
