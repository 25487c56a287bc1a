//! The checks are red where something is wrong.

use super::graph::{Crate, Edge, circles};
use super::{climbing, floors, workspace_dependencies};

const LIB: &str = "\
//! ```text
//! 2  judge   values: findings    schedule: what next
//! 1  model   the words
//!    stats   numbers             json
//! ```
pub mod json; pub mod judge; pub mod model; pub mod schedule; pub mod stats;
";

fn edges(files: &[(&str, &str)]) -> Vec<Edge> {
    let read = |path: &str| {
        let named = files.iter().find(|(name, _)| *name == path);
        let is_leaf = ["json", "judge", "model", "schedule", "stats"]
            .iter()
            .any(|module| path == format!("src/{module}.rs"));
        let mod_rs = path.replace(".rs", "/mod.rs");
        match named {
            Some((_, text)) => Some((*text).to_owned()),
            None if path == "src/lib.rs" => Some(LIB.to_owned()),
            None if is_leaf && files.iter().all(|(name, _)| *name != mod_rs) => Some(String::new()),
            None => None,
        }
    };
    Crate::read("src/lib.rs", &read).expect("the planted files are read").edges()
}

fn climbs(files: &[(&str, &str)]) -> Vec<String> {
    climbing(&edges(files), &floors(LIB).expect("the planted floors are read"))
}

#[test]
fn an_upward_import_is_found_however_it_is_written() {
    for code in [
        "use crate::judge::decide;",
        "use super::judge::decide;",
        "use crate::{judge::decide as d};",
        "use crate::judge; fn f() { judge::decide() }",
        "use crate::judge::*;",
        "fn f() { crate::judge::decide() }",
        "fn f() { vec![crate::judge::decide()]; }",
        "fn f() { use crate::judge::{decide}; decide() }",
        "struct S(crate::judge::T);",
    ] {
        let files = [("src/model.rs", code), ("src/judge.rs", "pub fn decide() {} pub struct T;")];
        let found = climbs(&files);
        assert!(
            found[0].starts_with("src/model.rs uses src/judge.rs (crate::")
                || found[0].contains("judge"),
            "{found:?}"
        );
        assert_eq!(
            climbs(&[
                ("src/judge.rs", code.replace("judge", "model").as_str()),
                ("src/model.rs", "pub fn decide() {} pub struct T;")
            ]),
            [""; 0],
            "{code}"
        );
    }
}

#[test]
fn on_one_floor_only_what_is_to_the_left_is_used() {
    let right = ("src/judge.rs", "use crate::schedule::S;");
    assert_eq!(climbs(&[right, ("src/schedule.rs", "pub struct S;")]).len(), 1);
    let left = ("src/schedule.rs", "use crate::judge::S;");
    assert_eq!(climbs(&[left, ("src/judge.rs", "pub struct S;")]), [""; 0]);
}

#[test]
fn tests_may_use_everything() {
    let code = "#[cfg(test)] mod tests { use crate::judge::T; } #[cfg(test)] use crate::judge::T;";
    assert_eq!(climbs(&[("src/model.rs", code), ("src/judge.rs", "pub struct T;")]), [""; 0]);
    let code = "fn f() { #[cfg(test)] crate::judge::f(); } impl S { #[cfg(test)] fn g() { crate::judge::f() } }";
    assert_eq!(climbs(&[("src/model.rs", code), ("src/judge.rs", "pub fn f() {}")]), [""; 0]);
}

#[test]
fn a_circle_is_found_and_shown_with_its_imports() {
    let files = [
        ("src/model/mod.rs", "mod a; mod b; mod c; pub use a::A; pub use b::B; pub use c::C;"),
        ("src/model/a.rs", "use super::B; pub struct A(B);"),
        ("src/model/b.rs", "use crate::model::C; pub struct B(C);"),
        ("src/model/c.rs", "pub struct C(Vec<super::a::A>);"),
    ];
    assert_eq!(
        circles(&edges(&files)),
        ["  src/model/a.rs uses src/model/b.rs (B)\n  \
           src/model/b.rs uses src/model/c.rs (C)\n  \
           src/model/c.rs uses src/model/a.rs (super::a::A)\n"]
    );
}

#[test]
fn a_module_that_re_exports_its_children_makes_no_circle() {
    let files = [
        ("src/model/mod.rs", "mod a; mod b; pub use a::A; pub use b::*;"),
        ("src/model/a.rs", "use super::B; pub struct A(B);"),
        ("src/model/b.rs", "pub enum B { One }"),
    ];
    assert_eq!(circles(&edges(&files)), [""; 0]);
    let files = [
        ("src/model/mod.rs", "mod a; pub struct M; fn f() { a::go() }"),
        ("src/model/a.rs", "use super::M; pub fn go() {} fn f(_: M) {}"),
    ];
    assert_eq!(circles(&edges(&files)).len(), 1);
}

#[test]
fn a_field_or_a_method_of_the_name_of_an_import_is_none() {
    let files = [
        ("src/model/mod.rs", "mod a; mod b;"),
        ("src/model/a.rs", "pub fn go(x: X) { x.stop(); x.b.stop }"),
        ("src/model/b.rs", "use super::a::go; pub fn stop() { go() }"),
    ];
    assert_eq!(circles(&edges(&files)), [""; 0]);
}

#[test]
fn a_module_that_is_drawn_nowhere_or_twice_is_an_error() {
    assert_eq!(floors(&LIB.replace("  json", "")).unwrap_err(), "`json` is on no floor");
    assert_eq!(
        floors(&LIB.replace("1  model", "1  json  model")).unwrap_err(),
        "`json` is drawn twice"
    );
}

#[test]
fn a_crate_of_the_workspace_among_the_dependencies_is_found() {
    let manifest = "[dependencies]\nserde = \"1\"\nbenchgate-host.workspace = true\n[dev-dependencies]\nflatstream.workspace = true";
    assert_eq!(workspace_dependencies(manifest), ["benchgate-host"]);
}
