//! Cargo's configuration of both checkouts: the runner of a bench and its variables can change a measurement
//! though no code does.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::BuiltSide;
use crate::cargo::start::Start;
use crate::system::files;

/// Names of the file, in the order in which cargo looks for it.
const NAMES: [&str; 2] = [".cargo/config", ".cargo/config.toml"];

/// Tables that decide how cargo talks and where it downloads, and not what it builds or runs.
const OF_TALK: [&str; 11] = [
    "alias",
    "cargo-new",
    "credential-alias",
    "doc",
    "future-incompat-report",
    "http",
    "install",
    "net",
    "registries",
    "registry",
    "term",
];

/// Returns what of cargo's configuration, and of the runners of suites that are on both sides, differs between the two
/// checkouts.
pub fn configured_differently(base: &BuiltSide, head: &BuiltSide) -> Vec<String> {
    let [of_base, of_head] = [base, head].map(configuration);
    let keys: BTreeSet<&String> = of_base.keys().chain(of_head.keys()).collect();
    let mut tables: Vec<String> = keys
        .into_iter()
        .filter(|key| of_base.get(*key) != of_head.get(*key))
        .map(|key| {
            let [then, now] = [&of_base, &of_head].map(|all| shown(all.get(key)));
            format!("{key}: {now}, not {then}{}", of_gate(key))
        })
        .collect();
    tables.extend(runners(base, head));
    tables
}

/// Keys of a profile that `[build] profile = "gate"` sets itself: no executable shows what they are.
const OF_GATE: [&str; 2] = [".lto`", ".codegen-units`"];

fn of_gate(key: &str) -> &'static str {
    let is_of_profile = key.starts_with("`profile.") && OF_GATE.iter().any(|of| key.contains(of));
    if is_of_profile { ", which only `[build] profile = \"own\"` measures" } else { "" }
}

/// Keys of the profiles of the root manifest.
fn profiles(side: &BuiltSide) -> BTreeMap<String, String> {
    const MANIFEST: &str = "Cargo.toml";
    let mut keys = BTreeMap::new();
    let text = files::read_written(&side.workspace.root.join(MANIFEST)).unwrap_or_default();
    let table = String::from_utf8_lossy(&text).parse::<toml::Table>().unwrap_or_default();
    if let Some(profile) = table.get("profile") {
        flatten(&mut keys, "`profile", profile, MANIFEST);
    }
    keys
}

/// Keys of the configuration files of a checkout, by file and key.
fn configuration(side: &BuiltSide) -> BTreeMap<String, String> {
    let top = side.folder();
    let mut folders: BTreeSet<PathBuf> = BTreeSet::from([top.to_owned()]);
    for executable in &side.executables {
        let above = executable.folder.ancestors().take_while(|folder| folder.starts_with(top));
        folders.extend(above.map(Path::to_owned));
    }
    let mut keys = keys_of(top, &folders);
    keys.extend(profiles(side));
    keys
}

/// Keys of the configuration files of these folders, and of what they include below `top`: what is elsewhere is the user's,
/// and is shown to nobody.
fn keys_of(top: &Path, folders: &BTreeSet<PathBuf>) -> BTreeMap<String, String> {
    let mut keys = BTreeMap::new();
    let Ok(top) = fs::canonicalize(top) else { return keys };
    let mut pending: Vec<PathBuf> =
        folders.iter().flat_map(|folder| NAMES.map(|name| folder.join(name))).collect();
    let mut read = BTreeSet::new();
    while let Some(path) = pending.pop() {
        let Ok(path) = fs::canonicalize(path) else { continue };
        let Ok(inside) = path.strip_prefix(&top) else { continue };
        if !read.insert(path.clone()) {
            continue;
        }
        let file = inside.display().to_string();
        let Ok(text) = files::read_written(&path) else { continue };
        let Ok(table) = String::from_utf8_lossy(&text).parse::<toml::Table>() else { continue };
        for (name, value) in table.iter().filter(|(name, _)| !OF_TALK.contains(&name.as_str())) {
            flatten(&mut keys, &format!("`{name}"), value, &file);
        }
        pending.extend(included(&table, &path));
    }
    keys
}

/// The files that a configuration includes.
fn included<'a>(table: &'a toml::Table, of: &'a Path) -> impl Iterator<Item = PathBuf> + 'a {
    let listed = table.get("include").and_then(toml::Value::as_array).into_iter().flatten();
    let path = |entry: &'a toml::Value| entry.as_str().or_else(|| entry.get("path")?.as_str());
    listed.filter_map(path).map(|path| of.with_file_name(path))
}

fn flatten(keys: &mut BTreeMap<String, String>, name: &str, value: &toml::Value, file: &str) {
    match value {
        // A variable is one, however it is written.
        toml::Value::Table(table) if !name.starts_with("`env.") => {
            for (key, value) in table {
                flatten(keys, &format!("{name}.{key}"), value, file);
            }
        }
        // The flags in force are compared as the toolchain's.
        _ if name.ends_with("rustflags") => {}
        value => drop(keys.insert(format!("{name}` of {file}"), value.to_string())),
    }
}

/// Characters of a value that are shown.
const LONGEST: usize = 120;

fn shown(value: Option<&String>) -> String {
    let Some(value) = value else { return "none".to_owned() };
    let escaped = value.escape_debug().to_string().replace('`', "'");
    let cut: String = escaped.chars().take(LONGEST).collect();
    format!("`{cut}`{}", if cut.len() < escaped.len() { "…" } else { "" })
}

/// The runners that are not the same: by their words, or by a file of the checkout that they name.
fn runners(base: &BuiltSide, head: &BuiltSide) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for new in &head.executables {
        let Some(old) = base.executables.iter().find(|old| old.key == new.key) else { continue };
        let (Some(before), Some(now)) = (&old.start, &new.start) else { continue };
        let [before, now] = [(before, base), (now, head)].map(|(start, side)| words(start, side));
        let inside = |words: &[(String, Option<String>)]| -> Vec<String> {
            words.iter().map(|(word, _)| word.clone()).collect()
        };
        if inside(&before) != inside(&now) {
            let [before, now] = [before, now]
                .map(|words| shown(Some(&inside(&words).join(" ")).filter(|it| !it.is_empty())));
            names.insert(format!("runner of benches: {now}, not {before}"));
        } else if before != now {
            let other = before.iter().zip(&now).find(|(before, now)| before != now);
            let file = other.map(|(_, (word, _))| shown(Some(word))).unwrap_or_default();
            names.insert(format!("runner of benches: {file} is another file"));
        }
    }
    names
}

/// The words of a runner as both sides would have them, each with a digest if it is a file of the checkout.
fn words(start: &Start, side: &BuiltSide) -> Vec<(String, Option<String>)> {
    let (top, target) = (side.folder(), side.target_dir.as_path());
    let word = |word: &String| {
        let path = Path::new(word);
        let place = [(top, "."), (target, "target")]
            .into_iter()
            .find_map(|(folder, name)| Some(Path::new(name).join(path.strip_prefix(folder).ok()?)));
        let path =
            if path.is_relative() && word.contains('/') { top.join(path) } else { path.to_owned() };
        let is_own = path.starts_with(top) && fs::metadata(&path).is_ok_and(|it| it.is_file());
        let digest = is_own.then(|| files::digest(&path).unwrap_or_default());
        (place.map_or_else(|| word.clone(), |place| place.display().to_string()), digest)
    };
    let (program, arguments) = match start.runner() {
        Some((program, arguments)) => (Some(program), arguments),
        None => (None, &[][..]),
    };
    program.into_iter().chain(arguments).map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_included_is_read_and_nothing_outside_of_the_checkout() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let include =
            "include = [\"more.toml\", { path = \"../../secret.toml\", optional = true }]\n";
        write("top/.cargo/config.toml", include);
        write("top/.cargo/more.toml", "include = [\"config.toml\"]\n[env]\nA = \"1\"\n");
        write("secret.toml", "[env]\nSECRET = \"x\"\n");
        write("home/config.toml", "[env]\nSECRET = \"x\"\n");
        let top = folder.path().join("top");
        fs::create_dir_all(top.join("inner")).unwrap();
        crate::system::platform::link_folder(
            &folder.path().join("home"),
            &top.join("inner/.cargo"),
        )
        .unwrap();
        let keys = keys_of(&top, &BTreeSet::from([top.clone(), top.join("inner")]));
        let names: Vec<&String> = keys.keys().collect();
        assert!(names.contains(&&"`env.A` of .cargo/more.toml".to_owned()), "{names:?}");
        assert!(names.iter().all(|name| !name.contains("SECRET")), "{names:?}");
    }

    #[test]
    fn keys_are_named_with_their_tables_and_what_only_talks_is_left_out() {
        let text = "[env]\nA = \"1\"\nB = { value = \"x\", force = true }\n[build]\nrustflags = [\"-Ca=b\"]\njobs = 1\n\
            [target.x86_64-unknown-linux-gnu]\nrunner = \"./run.sh\"\n";
        let mut keys = BTreeMap::new();
        for (name, value) in &text.parse::<toml::Table>().unwrap() {
            flatten(&mut keys, &format!("`{name}"), value, "f");
        }
        let names: Vec<&String> = keys.keys().collect();
        assert_eq!(
            names,
            [
                "`build.jobs` of f",
                "`env.A` of f",
                "`env.B` of f",
                "`target.x86_64-unknown-linux-gnu.runner` of f"
            ]
        );
        assert_eq!(shown(None), "none");
        assert_eq!(shown(Some(&"a`\n".to_owned())), "`a'\\n`");
    }
}
