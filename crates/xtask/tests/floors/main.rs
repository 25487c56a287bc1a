//! Permitted dependencies: the floors that `lib.rs` of core and host states, no circle of files, and the edges
//! between crates.

mod graph;
mod planted;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use graph::{Crate, Edge, circles};

const ROOTS: [&str; 4] = [
    "crates/benchgate-core/src/lib.rs",
    "crates/benchgate-host/src/lib.rs",
    "crates/benchgate/src/main.rs",
    "crates/benchgate-lab/src/main.rs",
];

/// The libraries that are gated here, and what generates them. In defiant itself the codecs of messages, fields and
/// values use each other, as the messages do.
const WORKLOADS: [&str; 4] = [
    "crates/flatstream/src/lib.rs",
    "crates/noproto/src/lib.rs",
    "crates/defiant-build/src/lib.rs",
    "benches/noproto/src/lib.rs",
];

fn text(path: &str) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).ok()
}

fn edges(root: &str) -> Vec<Edge> {
    Crate::read(root, &text).expect("every file of the crate is read").edges()
}

/// A module's floor, and its place on it from the left.
type Floors = BTreeMap<String, (usize, usize)>;

/// The floors that the documentation of a crate's root draws. Its modules are the words that begin a column.
fn floors(lib: &str) -> Result<Floors, String> {
    let source = source::parse(lib).map_err(|error| error.to_string())?;
    let modules: BTreeSet<&str> = source.children.iter().map(String::as_str).collect();
    let drawn = lib
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .skip_while(|line| line.trim() != "```text")
        .skip(1)
        .take_while(|line| line.trim() != "```");
    let mut floors = Floors::new();
    let mut floor = 0;
    for line in drawn {
        let number = line.split_whitespace().next().and_then(|word| word.parse().ok());
        floor = number.unwrap_or(floor);
        for column in line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).split("  ")
        {
            let word = column.trim().split([' ', ':']).next().unwrap_or_default();
            let place = floors.len();
            if modules.contains(word) && floors.insert(word.to_owned(), (floor, place)).is_some() {
                return Err(format!("`{word}` is drawn twice"));
            }
        }
    }
    match modules.into_iter().find(|module| !floors.contains_key(*module)) {
        Some(module) => Err(format!("`{module}` is on no floor")),
        None => Ok(floors),
    }
}

/// Edges that lead up, or to the right on one floor.
fn climbing(edges: &[Edge], floors: &Floors) -> Vec<String> {
    let place = |path: &[String]| path.first().and_then(|module| floors.get(module)).copied();
    let is_allowed = |edge: &&Edge| {
        let (Some(from), Some(to)) = (place(&edge.modules.0), place(&edge.modules.1)) else {
            // The root has every floor.
            return edge.modules.0.is_empty();
        };
        edge.modules.0.first() == edge.modules.1.first()
            || to.0 < from.0
            || (to.0 == from.0 && to.1 < from.1)
    };
    let wrong = edges.iter().filter(|edge| !is_allowed(edge));
    wrong.map(|edge| format!("{} uses {} ({})", edge.from, edge.to, edge.path)).collect()
}

/// Most floors of a crate.
const MOST_FLOORS: usize = 6;

#[test]
fn modules_of_core_and_host_use_what_is_below_them() {
    for root in [ROOTS[0], ROOTS[1]] {
        let lib = text(root).unwrap();
        let floors = floors(&lib).unwrap();
        let highest = floors.values().map(|(floor, _)| *floor).max();
        assert!(highest <= Some(MOST_FLOORS), "{root} has {highest:?} floors");
        let edges = edges(root);
        assert!(edges.len() > 100, "only {} edges were found in {root}", edges.len());
        let climbing = climbing(&edges, &floors);
        assert!(climbing.is_empty(), "{root}\n{}", climbing.join("\n"));
    }
}

#[test]
fn the_architecture_page_draws_the_same_floors() {
    for root in [ROOTS[0], ROOTS[1]] {
        let lib = text(root).unwrap();
        let drawn = lib.split("//! ```text\n").nth(1).and_then(|rest| rest.split("//! ```").next());
        let drawn = drawn.unwrap().replace("//! ", "");
        assert!(text("docs/dev/architecture.md").unwrap().contains(&drawn), "{drawn}");
    }
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let roots = ROOTS.iter().chain(&WORKLOADS);
    let found: Vec<String> = roots.flat_map(|root| circles(&edges(root))).collect();
    assert!(found.is_empty(), "{} circles:\n{}", found.len(), found.join("\n"));
}

#[test]
fn crates_use_the_crates_below_them() {
    let allowed: [(&str, &[&str]); 3] = [
        ("benchgate-core", &[]),
        ("benchgate-runtime", &[]),
        ("benchgate-host", &["benchgate-core", "benchgate-runtime"]),
    ];
    for (name, allowed) in allowed {
        let used = workspace_dependencies(&text(&format!("crates/{name}/Cargo.toml")).unwrap());
        let wrong: Vec<_> = used.iter().filter(|used| !allowed.contains(&used.as_str())).collect();
        assert!(wrong.is_empty(), "{name} uses {wrong:?}");
    }
}

/// Crates of this workspace that a manifest depends on, tests aside.
fn workspace_dependencies(manifest: &str) -> Vec<String> {
    let manifest: toml::Table = toml::from_str(manifest).expect("the manifest is TOML");
    let is_ours = |name: &&String| {
        let is_a_bench = ["benchmarks", "flatstream-benches"].contains(&name.as_str());
        is_a_bench || text(&format!("crates/{name}/Cargo.toml")).is_some()
    };
    ["dependencies", "build-dependencies"]
        .iter()
        .filter_map(|key| manifest.get(*key)?.as_table())
        .flat_map(toml::Table::keys)
        .filter(is_ours)
        .cloned()
        .collect()
}
