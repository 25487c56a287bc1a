//! The environment of a bench: the variables, files and runners that cargo would give it, of its side.

use crate::support::{Ran, Repo, host};

/// The values of the first benchmark on both sides.
fn values(repo: &Repo) -> (f64, f64) {
    let benchmark = &repo.result()["benchmarks"][0];
    (benchmark["base"].as_f64().unwrap(), benchmark["head"].as_f64().unwrap())
}

/// Twice: the second run finds what the first has built.
fn is_slower(repo: &Repo) {
    for _ in 0..2 {
        repo.benchgate(&["check", "--pairs", "8"]).expect(100);
        assert_eq!(values(repo), (1000.0, 1500.0));
    }
}

/// A repository with one benchmark whose speed is found at run time, and a file on each side.
fn sides(speed: &str, path: &str, text: impl Fn(u32) -> String) -> Repo {
    let repo = Repo::new(&[&format!("a|{speed}|")]);
    repo.write(path, &text(1000));
    repo.commit("base");
    repo.write(path, &text(1500));
    repo.commit("head");
    repo
}

#[test]
fn each_side_finds_what_its_own_build_script_generated() {
    let generate = |ns| {
        format!(
            "fn main() {{ let folder = std::env::var(\"OUT_DIR\").unwrap(); \
             std::fs::write(format!(\"{{folder}}/speed.txt\"), \"{ns}\").unwrap(); }}"
        )
    };
    is_slower(&sides("$OUT_DIR/speed.txt", "build.rs", generate));
}

/// Nothing but the build script differs: the machine code is the same, and the variable leads to a folder of each side.
#[test]
fn what_a_build_script_generated_is_an_input_where_a_variable_leads_to_it() {
    let generate = |ns| {
        format!(
            "fn main() {{ let folder = std::env::var(\"OUT_DIR\").unwrap(); \
             std::fs::write(format!(\"{{folder}}/speed.txt\"), \"{ns}\").unwrap(); \
             println!(\"cargo:rustc-env=DATA={{folder}}\"); }}"
        )
    };
    let beside = |ns| generate(ns).replace("}/speed.txt", "}/../speed.txt");
    // Beside all that is cargo's.
    let far = |ns| {
        format!(
            "fn main() {{ let folder = std::env::var(\"OUT_DIR\").unwrap(); \
             let above = std::path::Path::new(&folder).ancestors().nth(3).unwrap(); \
             std::fs::write(above.join(\"speed.txt\"), \"{ns}\").unwrap(); \
             println!(\"cargo:rustc-env=DATA={{}}\", above.display()); }}"
        )
    };
    for (speed, generate) in [
        ("$OUT_DIR/speed.txt", &generate as &dyn Fn(u32) -> String),
        ("$DATA/speed.txt", &generate),
        ("$OUT_DIR/../speed.txt", &beside),
        ("$DATA/speed.txt", &far),
    ] {
        let repo = sides(speed, "build.rs", generate);
        // Twice: the store must not have the base, whose folder another commit may have filled meanwhile.
        for _ in 0..2 {
            let ran = repo.plain(&["check", "--pairs", "8"]).expect(100);
            assert_eq!(values(&repo), (1000.0, 1500.0), "{speed}");
            assert!(ran.stdout.contains("which it runs or reads, differs"), "{}", ran.stdout);
        }
        // Its neutral twin.
        repo.write("build.rs", &format!("{} // words", generate(1500)));
        repo.commit("words");
        repo.plain(&["check"]).expect(0);
        assert_eq!(repo.findings(), ["a: identical"]);
    }
}

#[test]
fn a_build_script_does_not_find_what_that_of_an_older_commit_generated() {
    let generate = |ns| {
        format!(
            "fn main() {{ println!(\"cargo:rerun-if-changed=build.rs\"); \
             let file = std::env::var(\"OUT_DIR\").unwrap() + \"/speed.txt\"; \
             if !std::path::Path::new(&file).exists() {{ std::fs::write(file, \"{ns}\").unwrap(); }} }}"
        )
    };
    let repo = sides("$OUT_DIR/speed.txt", "build.rs", generate);
    is_slower(&repo);
    // The head of this check was built after that of the last one, in the same folder.
    repo.write("build.rs", &generate(2000));
    repo.commit("slower yet");
    repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    assert_eq!(values(&repo), (1500.0, 2000.0));
}

#[test]
fn the_variables_of_build_scripts_and_of_the_configuration_are_there() {
    let rustc_env = |ns| format!("fn main() {{ println!(\"cargo:rustc-env=FROM_BUILD={ns}\"); }}");
    is_slower(&sides("$FROM_BUILD", "build.rs", rustc_env));
    let env = |ns| format!("[env]\nFROM_CONFIG = \"{ns}\"\n");
    is_slower(&sides("$FROM_CONFIG", ".cargo/config.toml", env));
    let manifest = |ns| {
        format!(
            "[package]\nname = \"parser\"\nversion = \"{ns}.0.0\"\nedition = \"2024\"\n\n\
             [workspace]\n[[bench]]\nname = \"speed\"\nharness = false\n"
        )
    };
    is_slower(&sides("$CARGO_PKG_VERSION_MAJOR", "Cargo.toml", manifest));
}

#[test]
fn a_runner_or_a_variable_that_the_head_configures_in_another_way_is_named() {
    let repo = Repo::new(&["a|1000|"]);
    repo.write("run.sh", "#!/bin/sh\nexec \"$@\"\n");
    repo.git(&["add", "run.sh"]);
    repo.git(&["update-index", "--chmod=+x", "run.sh"]);
    crate::fakes::may_run(&repo.path("run.sh"));
    repo.commit("base");
    let notices = || {
        repo.benchgate(&["check", "--pairs", "6"]).expect(0);
        repo.result()["notices"].to_string()
    };
    let runner = format!("[target.{}]\nrunner = [\"./run.sh\"]\n", host());
    repo.write(".cargo/config.toml", &format!("{runner}[env]\nFAST = \"1\"\n[net]\nretry = 3\n"));
    repo.commit("head");
    let said = notices();
    for part in
        ["built differently", "env.FAST` of .cargo/config.toml", "runner` of", "runner of benches"]
    {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    assert!(!said.contains("retry"), "{said}");
    repo.write("run.sh", "#!/bin/sh\nFASTER=1 exec \"$@\"\n");
    repo.commit("another runner of the same name");
    let said = notices();
    assert!(said.contains("run.sh` is another file"), "{said}");
    repo.commit("nothing");
    assert!(!notices().contains("built differently"));
}

#[test]
fn vendored_code_that_was_changed_in_place_is_that_of_each_side() {
    let repo = Repo::new(&["a|$FROM_BUILD|"]);
    repo.extend_manifest("[build-dependencies]\nvendored = \"1\"\n");
    repo.write(
        "build.rs",
        "fn main() { println!(\"cargo:rustc-env=FROM_BUILD={}\", vendored::NS); }",
    );
    repo.write(
        ".cargo/config.toml",
        "[source.crates-io]\nreplace-with = \"here\"\n[source.here]\ndirectory = \"vendor\"\n",
    );
    repo.write(
        "vendor/vendored/Cargo.toml",
        "[package]\nname = \"vendored\"\nversion = \"1.0.0\"\n",
    );
    // As it is written where patches are allowed: cargo checks none of the files.
    repo.write("vendor/vendored/.cargo-checksum.json", "{\"files\":{}}");
    let source =
        |ns| repo.write("vendor/vendored/src/lib.rs", &format!("pub const NS: u32 = {ns};"));
    source(1000);
    repo.commit("base");
    source(1500);
    repo.commit("head");
    is_slower(&repo);
}

/// A repository with one benchmark of this name, which takes as long as a shared library says.
pub(crate) fn with_library(name: &str) -> Repo {
    let repo = Repo::empty();
    repo.suite("speed", &[&format!("{name}|library|")]);
    let fake = include_str!("../fake/criterion.rs");
    let reading = "let ns = place.parse()";
    assert!(fake.contains(reading));
    let calling = format!(
        "let place = if place == \"library\" {{ speed().to_string() }} else {{ place }};\n{reading}"
    );
    let linked = "\n#[link(name = \"speed\")]\nunsafe extern \"C\" { safe fn speed() -> f64; }\n";
    repo.write("benches/speed/main.rs", &(fake.replace(reading, &calling) + linked));
    repo
}

/// A build script that makes the shared library: the loader finds it by the folder that cargo names, or not at all.
pub(crate) fn library(ns: u32) -> String {
    let native = "#[unsafe(no_mangle)] pub extern \"C\" fn speed() -> f64 { NS.0 }";
    let script = "use std::env::var;\nfn main() {\n    let folder = var(\"OUT_DIR\").unwrap();\n    \
         let file = format!(\"{folder}/native\");\n    std::fs::write(&file, NATIVE).unwrap();\n    \
         let made = std::process::Command::new(var(\"RUSTC\").unwrap())\n        \
         .args([\"--crate-type=cdylib\", \"--crate-name=speed\", \"--edition=2024\", \"--out-dir\", &folder])\n        \
         .arg(&file).status().unwrap();\n    assert!(made.success());\n    \
         println!(\"cargo:rustc-link-search=native={folder}\");\n}\n";
    script.replace("NATIVE", &format!("{:?}", native.replace("NS", &ns.to_string())))
}

#[test]
fn the_folders_of_native_libraries_are_searched_as_cargo_would() {
    let repo = with_library("a");
    repo.write("build.rs", &library(1000));
    repo.commit("base");
    repo.write("build.rs", &library(1500));
    repo.commit("head");
    is_slower(&repo);
    // Nothing but the build script differs, and no code is in the executable.
    let ran = repo.plain(&["check", "--pairs", "8"]).expect(100);
    let notice = "/out/libspeed.so`, which it runs or reads, differs: it is measured";
    assert!(ran.stdout.contains(notice), "{}", ran.stdout);
    // Its neutral twin.
    repo.write("build.rs", &(library(1500) + "// words\n"));
    repo.commit("words");
    repo.plain(&["check"]).expect(0);
    assert_eq!(repo.findings(), ["a: identical"]);
    // The folder of the base has the library of another commit now: what was kept of the first one would load that.
    let earlier = ["check", "--base", "HEAD~2", "--head", "HEAD~1", "--pairs", "8"];
    repo.plain(&earlier).expect(100);
    assert_eq!(values(&repo), (1000.0, 1500.0));
}

#[test]
fn benches_are_found_in_whichever_folders_the_configuration_or_a_variable_names() {
    let env = |ns| format!("[env]\nFROM_CONFIG = \"{ns}\"\n");
    let folders = |ns| {
        format!("[build]\ntarget-dir = \"made/target\"\nbuild-dir = \"made/parts\"\n{}", env(ns))
    };
    let result_is_slower = |folder: &std::path::Path| {
        let result = crate::support::json(&folder.join("benchgate/result.json"));
        let [base, head] = ["base", "head"].map(|side| result["benchmarks"][0][side].as_f64());
        assert_eq!((base, head), (Some(1000.0), Some(1500.0)));
    };
    let repo = sides("$FROM_CONFIG", ".cargo/config.toml", folders);
    repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    result_is_slower(&repo.path("made/target"));

    let repo = sides("$FROM_CONFIG", ".cargo/config.toml", env);
    let elsewhere = repo.outside("elsewhere");
    let mut command = repo.command(&["check", "--pairs", "8"]);
    command.env("CARGO_TARGET_DIR", &elsewhere);
    Ran::of(command).expect(100);
    result_is_slower(&elsewhere);
    assert!(!repo.path("target").exists(), "all of it is in the named folder");

    // Nobody can make that folder: builds of the gate have a folder of their own.
    let repo = sides("$FROM_CONFIG", ".cargo/config.toml", env);
    let mut command = repo.command(&["check", "--pairs", "8"]);
    command.env("CARGO_BUILD_BUILD_DIR", "/proc/parts");
    Ran::of(command).expect(100);
}

#[test]
fn a_runner_of_the_configuration_runs_the_benches() {
    let runner = |ns| format!("[target.'cfg(unix)']\nrunner = [\"env\", \"FROM_RUNNER={ns}\"]\n");
    is_slower(&sides("$FROM_RUNNER", ".cargo/config.toml", runner));
}

#[test]
fn a_runner_may_have_every_type_that_cargo_takes() {
    let host = host();
    for (table, runner) in [
        (host.as_str(), "\"env FROM_RUNNER=NS\""),
        (host.as_str(), "[\"env\", \"FROM_RUNNER=NS\"]"),
        ("'cfg(unix)'", "\"env FROM_RUNNER=NS\""),
    ] {
        let runner = |ns: u32| {
            format!("[target.{table}]\nrunner = {}\n", runner.replace("NS", &ns.to_string()))
        };
        let repo = sides("$FROM_RUNNER", ".cargo/config.toml", runner);
        repo.benchgate(&["check", "--pairs", "8"]).expect(100);
        assert_eq!(values(&repo), (1000.0, 1500.0), "{}", runner(1000));
    }
    let repo = Repo::new(&["a|$FROM_RUNNER|"]);
    repo.commit("nothing");
    let mut command = repo.command(&["check", "--pairs", "8"]);
    let variable = format!("CARGO_TARGET_{}_RUNNER", host.to_uppercase().replace('-', "_"));
    command.env(variable, "env FROM_RUNNER=1000");
    Ran::of(command).expect(0);
    assert_eq!(values(&repo), (1000.0, 1000.0));
}

/// Cargo splits a runner that is a string at spaces, and prints its program without quotes.
#[test]
fn a_runner_that_is_a_string_runs_the_benches_below_folders_with_spaces() {
    let runner = |ns: u32| format!("[target.{}]\nrunner = \"./run.sh FROM_RUNNER={ns}\"\n", host());
    let repo = sides("$FROM_RUNNER", ".cargo/config.toml", runner);
    repo.write("run.sh", "#!/bin/sh\nexec env \"$@\"\n");
    crate::fakes::may_run(&repo.path("run.sh"));
    repo.commit("its program");
    repo.write("words", "");
    repo.commit("nothing");
    for (variable, folder) in [("CARGO_TARGET_DIR", "a target"), ("XDG_CACHE_HOME", "a cache")] {
        let mut command = repo.command(&["check", "--pairs", "6"]);
        command.env(variable, repo.outside(folder));
        let ran = Ran::of(command).expect(0);
        assert_eq!(ran.stdout.matches("1.500 µs").count(), 2, "{}", ran.stdout);
    }
}

#[test]
fn benches_of_a_named_target_are_found_where_cargo_puts_them() {
    let host = host();
    let target = |ns| format!("[build]\ntarget = \"{host}\"\n[env]\nFROM_CONFIG = \"{ns}\"\n");
    let repo = sides("$FROM_CONFIG", ".cargo/config.toml", target);
    repo.write(
        ".cargo/config.toml",
        &format!("{}[target.{host}]\nrunner = [\"nice\"]\n", target(1500)),
    );
    repo.commit("a runner");
    repo.benchgate(&["check", "--base", "HEAD^^", "--pairs", "8"]).expect(100);
    assert_eq!(values(&repo), (1000.0, 1500.0));
    // A list of targets, of which this is the only one.
    let listed = |ns| format!("[build]\ntarget = [\"{host}\"]\n[env]\nFROM_CONFIG = \"{ns}\"\n");
    is_slower(&sides("$FROM_CONFIG", ".cargo/config.toml", listed));
}

#[test]
fn configuration_above_the_repository_is_read_where_the_checkouts_are_below_it_and_named_elsewhere()
{
    let repo = Repo::new(&["a|$FROM_PARENT|"]);
    repo.commit("nothing");
    let file = repo.outside(".cargo/config.toml");
    std::fs::create_dir(repo.outside(".cargo")).unwrap();
    std::fs::write(&file, "[env]\nFROM_PARENT = \"1200\"\n").unwrap();
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(values(&repo), (1200.0, 1200.0));
    assert!(!ran.stdout.contains("is not read"), "{}", ran.stdout);
    let cache = tempfile::tempdir().unwrap();
    let mut command = repo.command(&["check", "--pairs", "8"]);
    command.env("XDG_CACHE_HOME", cache.path());
    let ran = Ran::of(command).expect(101);
    let notice =
        format!("notice: `{}` is not read: base and head are checked out below ", file.display());
    assert!(ran.stdout.contains(&notice), "{}", ran.stdout);
}

#[test]
fn a_runner_that_a_variable_names_may_be_anywhere() {
    use std::os::unix::fs::PermissionsExt as _;
    let repo = Repo::new(&["a|$SPEED|"]);
    let runner = repo.outside("runner.sh");
    std::fs::write(&runner, "#!/bin/sh\nSPEED=1000 exec \"$@\"\n").unwrap();
    std::fs::set_permissions(&runner, std::fs::Permissions::from_mode(0o755)).unwrap();
    repo.commit("nothing");
    let name = host().to_uppercase().replace('-', "_");
    let mut command = repo.command(&["check", "--pairs", "6"]);
    command.env(format!("CARGO_TARGET_{name}_RUNNER"), &runner);
    Ran::of(command).expect(0);
    assert_eq!(values(&repo), (1000.0, 1000.0));
}

/// Lints that a repository is free of are about its own code.
#[test]
fn flags_that_make_every_lint_an_error_are_not_about_what_the_gate_asks_cargo() {
    let repo = Repo::empty();
    repo.write("src/lib.rs", "//! A library.\n");
    repo.write(
        ".cargo/config.toml",
        "[build]\nrustflags = [\"-Dwarnings\", \"-Wmissing-docs\", \"-Funsafe-code\"]\n",
    );
    repo.fake("speed", include_str!("../fake/criterion.rs"), &["a|1000|"]);
    repo.commit("base");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "6"]).expect(0);
}

#[test]
fn a_profile_that_the_gate_overrides_is_named_where_it_changes() {
    let repo = Repo::new(&["a|1000|"]);
    let manifest = repo.manifest();
    let optimised = "opt-level = 0\nlto = true\n";
    repo.write("Cargo.toml", &manifest.replace("opt-level = 0\n", optimised));
    repo.commit("base");
    repo.write("Cargo.toml", &manifest);
    repo.commit("head");
    repo.benchgate(&["check", "--pairs", "6"]).expect(0);
    let notices = repo.result()["notices"].to_string();
    let words = "`profile.bench.lto` of Cargo.toml: none, not `true`, which only `[build] profile = \\\"own\\\"` measures";
    assert!(notices.contains(words), "{notices}");
}
