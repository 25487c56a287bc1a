//! Which file of a crate uses which.
//!
//! An edge leads to the file that defines what is named: through `use`, re-exports and globs. It is an
//! approximation: methods are not followed, names that a macro makes up count as the module's that is named,
//! and a module that is named alone (`use super::text`) is an edge only where something of it is used.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::source::{self, Path, Source};

/// The modules of a crate.
pub(crate) struct Crate {
    modules: BTreeMap<Path, Module>,
}

struct Module {
    file: String,
    source: Source,
}

/// One file uses another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) from: String,
    pub(crate) to: String,
    /// The modules of the files, from the root on.
    pub(crate) modules: (Path, Path),
    /// As it is written.
    pub(crate) path: String,
}

enum Named {
    Module(Path),
    /// Something that this module defines.
    Item(Path),
}

impl Crate {
    /// Reads a crate from its root file on; `read` gives a file's text.
    pub(crate) fn read(root: &str, read: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut all = Self { modules: BTreeMap::new() };
        all.file(Vec::new(), root, folder, read)?;
        Ok(all)
    }

    fn file(
        &mut self,
        path: Path,
        file: &str,
        folder: &str,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(), String> {
        let text = read(file).ok_or_else(|| format!("{file} cannot be read"))?;
        let source = source::parse(&text).map_err(|error| format!("{file}: {error}"))?;
        for child in &source.children {
            let [flat, nested] =
                [format!("{folder}/{child}.rs"), format!("{folder}/{child}/mod.rs")];
            let file = if read(&flat).is_some() { flat } else { nested };
            let path = [path.as_slice(), std::slice::from_ref(child)].concat();
            self.file(path, &file, &format!("{folder}/{child}"), read)?;
        }
        self.insert(path, file, source);
        Ok(())
    }

    fn insert(&mut self, path: Path, file: &str, mut source: Source) {
        for (name, inline) in std::mem::take(&mut source.inline) {
            self.insert([path.as_slice(), &[name]].concat(), file, inline);
        }
        self.modules.insert(path, Module { file: file.to_owned(), source });
    }

    /// Every edge between two files.
    pub(crate) fn edges(&self) -> Vec<Edge> {
        let mut edges = BTreeSet::new();
        for (at, module) in &self.modules {
            for path in &module.source.used {
                if let Some(Named::Item(to)) = self.resolve(at, path, 0) {
                    edges.extend(self.edge(at, &to, path));
                }
            }
            for path in &module.source.used_whole {
                if let Some(Named::Module(to)) = self.resolve(at, path, 0) {
                    edges.extend(self.edge(at, &to, path));
                }
            }
        }
        edges.into_iter().collect()
    }

    fn edge(&self, from: &Path, to: &Path, path: &[String]) -> Option<Edge> {
        let file = |at: &Path| self.modules.get(at).map(|module| module.file.clone());
        let (from_file, to_file) = (file(from)?, file(to)?);
        (from_file != to_file).then(|| Edge {
            from: from_file,
            to: to_file,
            modules: (from.clone(), to.clone()),
            path: path.join("::"),
        })
    }

    fn resolve(&self, at: &[String], path: &[String], depth: usize) -> Option<Named> {
        // Imports that lead in a ring name nothing.
        if depth > 16 {
            return None;
        }
        let first = path.first()?;
        let supers = path.iter().take_while(|segment| *segment == "super").count();
        let (here, rest) = match first.as_str() {
            "crate" => (&[][..], &path[1..]),
            "self" => (at, &path[1..]),
            "super" => (at.get(..at.len().checked_sub(supers)?)?, &path[supers..]),
            _ => return self.find(at, path, depth),
        };
        self.find(here, rest, depth).or_else(|| Some(Named::Item(here.to_vec())))
    }

    fn find(&self, here: &[String], path: &[String], depth: usize) -> Option<Named> {
        let Some((name, rest)) = path.split_first() else {
            return Some(Named::Module(here.to_vec()));
        };
        let source = &self.modules.get(here)?.source;
        let child = [here, std::slice::from_ref(name)].concat();
        let is_module = self.modules.contains_key(&child);
        if source.items.contains(name) && (rest.is_empty() || !is_module) {
            return Some(Named::Item(here.to_vec()));
        }
        if is_module {
            return self.find(&child, rest, depth + 1).or(Some(Named::Item(child)));
        }
        if let Some(path) = source.names.get(name) {
            return self.resolve(here, &[path.as_slice(), rest].concat(), depth + 1);
        }
        source.globs.iter().find_map(|glob| match self.resolve(here, glob, depth + 1)? {
            Named::Module(module) if module != here => self.find(&module, path, depth + 1),
            _ => None,
        })
    }
}

/// Circles of files: of each file that is in one, the shortest; each circle once.
pub(crate) fn circles(edges: &[Edge]) -> Vec<String> {
    let mut uses: BTreeMap<&str, BTreeMap<&str, &Edge>> = BTreeMap::new();
    for edge in edges {
        uses.entry(&edge.from).or_default().entry(&edge.to).or_insert(edge);
    }
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for start in uses.keys() {
        if let Some(circle) = circle(start, &uses) {
            let files: BTreeSet<&String> = circle.iter().map(|edge| &edge.from).collect();
            if seen.insert(files) {
                let line =
                    |edge: &&Edge| format!("  {} uses {} ({})\n", edge.from, edge.to, edge.path);
                circles.push(circle.iter().map(line).collect());
            }
        }
    }
    circles
}

fn circle<'a>(
    start: &str,
    uses: &BTreeMap<&'a str, BTreeMap<&'a str, &'a Edge>>,
) -> Option<Vec<&'a Edge>> {
    let mut arrived: BTreeMap<&str, &Edge> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for (to, edge) in uses.get(file).into_iter().flatten() {
            if arrived.contains_key(to) {
                continue;
            }
            arrived.insert(to, edge);
            if *to == start {
                let mut way = vec![*edge];
                while let Some(last) = way.last().filter(|edge| edge.from != start) {
                    way.push(arrived.get(last.from.as_str())?);
                }
                way.reverse();
                return Some(way);
            }
            queue.push_back(to);
        }
    }
    None
}
