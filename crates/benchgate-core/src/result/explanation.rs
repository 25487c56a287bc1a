//! Where a difference sits: functions, lines, and how often they run.

use serde::{Deserialize, Serialize};

use crate::json::FormatError;
use crate::model::{BenchmarkKey, Sides};

/// Where the difference between the two sides of a benchmark sits; or why that is not known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// Package.
    pub package: String,
    /// Bench target.
    pub suite: String,
    /// Id of the benchmark.
    pub id: String,
    /// Why there is no explanation; `None` if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
    /// Instructions of one iteration of the routine; the sum of `functions` and `others`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Sides<u64>>,
    /// Instructions of its set-up, which are in no function below.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub setup: Sides<u64>,
    /// Instructions of Criterion's own loop and clocks, which are in no function below.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub harness: Sides<u64>,
    /// Whether the set-up could not be distinguished from the routine: the functions include it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub includes_setup: bool,
    /// Whether both sides run as many instructions in the first iteration: a difference of time is not more work, unless a later
    /// iteration does more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_flat: bool,
    /// Functions that differ, the one with most of the difference first.
    #[serde(default)]
    pub functions: Vec<FunctionDifference>,
    /// All other functions together.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub others: Sides<u64>,
    /// Counts of a simulated cache and branch predictor, where instructions say nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<Hint>,
    /// The calls of both sides as a tree, parents before their children.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flame: Vec<FlameNode>,
    /// Memory that one iteration asks the allocator for, of a benchmark whose allocations are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocations: Option<Allocations>,
}

/// Blocks and bytes that one iteration asks the allocator for; the sums of `sites` and the others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Allocations {
    /// Blocks, resized ones included.
    pub blocks: Sides<u64>,
    /// The bytes of those blocks, each at its new size.
    pub bytes: Sides<u64>,
    /// Blocks an iteration as the gate counted them, where the profiled iteration has another number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<Sides<f64>>,
    /// Functions that differ, the one with most of the difference first.
    pub sites: Vec<SiteDifference>,
    /// Blocks of all other sites together.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub other_blocks: Sides<u64>,
    /// Bytes of all other sites together.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub other_bytes: Sides<u64>,
}

/// Memory that one function asks the allocator for, by way of the standard library too.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SiteDifference {
    /// Its name, as far as the executable has it: the path of an inlined function is not kept.
    pub name: String,
    /// Its file, below the checkout or the package.
    pub file: String,
    /// The line of the head with most of the difference; of the base, if it vanished. 0 where none is known.
    pub line: u32,
    /// Whether both sides have it, or only one.
    pub kind: DifferenceKind,
    /// Blocks.
    pub blocks: Sides<u64>,
    /// Bytes.
    pub bytes: Sides<u64>,
}

/// Instructions of one function on each side: its own, with those of the standard library and of C that it calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FunctionDifference {
    /// Its name, as far as the executable has it: the path of an inlined function is not kept.
    pub name: String,
    /// Its file, below the checkout or the package.
    pub file: String,
    /// The line of the head with most of the difference; of the base, if it vanished. 0 where none is known.
    pub line: u32,
    /// Whether both sides have it, or only one.
    pub kind: DifferenceKind,
    /// Instructions.
    pub instructions: Sides<u64>,
    /// Number of its calls; of an inlined function, how often its first instruction runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<Sides<u64>>,
    /// Instructions that are due to more (or fewer) calls; where calls are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more_calls: Option<i64>,
    /// Instructions that are due to costlier (or cheaper) calls; where calls are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costlier_calls: Option<i64>,
    /// Whether each side has it inlined everywhere.
    pub inlined: Sides<bool>,
}

/// Whether both sides have a function, or only one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// Both sides run it.
    #[default]
    Changed,
    /// Only the head runs it.
    New,
    /// Only the base runs it.
    Vanished,
}

impl DifferenceKind {
    /// Of what is there on each side.
    pub fn of(is_there: Sides<bool>) -> Self {
        match is_there {
            Sides { base: false, .. } => Self::New,
            Sides { head: false, .. } => Self::Vanished,
            _ => Self::Changed,
        }
    }
}

/// An event of the simulated cache or branch predictor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// The counted event, in words.
    pub event: String,
    /// Its number in one iteration with its set-up.
    pub count: Sides<u64>,
}

/// A function as it was called from its parent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FlameNode {
    /// Its name.
    pub name: String,
    /// Index of its caller, which is before it; `None` of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// Instructions of it and of all that it calls.
    pub instructions: Sides<u64>,
}

impl Explanation {
    /// An explanation that says why there is none.
    pub fn unavailable(key: &BenchmarkKey, reason: impl Into<String>) -> Self {
        Self { unavailable: Some(reason.into()), ..Self::of(key) }
    }

    /// An empty one.
    pub fn of(key: &BenchmarkKey) -> Self {
        let BenchmarkKey { package, suite, id } = key.clone();
        Self { package, suite, id, ..Self::default() }
    }

    /// Its benchmark.
    pub fn key(&self) -> BenchmarkKey {
        BenchmarkKey::new(&*self.package, &*self.suite, &*self.id)
    }

    /// The change of all instructions as a fraction of the base's; `None` where the base runs none.
    pub fn change(&self) -> Option<f64> {
        let Sides { base, head } = self.instructions?;
        (base > 0).then(|| difference(Sides::new(base, head)) / base as f64)
    }

    /// The change of one function as a fraction of all of the base's instructions.
    pub fn share(&self, function: &FunctionDifference) -> Option<f64> {
        let base = self.instructions?.base;
        (base > 0).then(|| difference(function.instructions) / base as f64)
    }
}

/// Maximum size in bytes of a name, a file or a reason.
const LONGEST: usize = 64 * 1024;
/// Maximum number of functions, of hints, and of nodes of a tree.
const MOST: usize = 10_000;

/// Checks an untrusted explanation.
///
/// # Errors
/// Names the first wrong key.
pub(super) fn check(
    explanation: &Explanation,
    key: impl Fn(&str) -> String,
) -> Result<(), FormatError> {
    let Explanation { package, suite, id, unavailable, functions, hints, flame, .. } = explanation;
    let sites = explanation.allocations.as_ref().map_or(&[][..], |found| &found.sites);
    let lists = [
        ("functions", functions.len()),
        ("hints", hints.len()),
        ("flame", flame.len()),
        ("allocations.sites", sites.len()),
    ];
    for (name, length) in lists {
        if length > MOST {
            return Err(FormatError::at(key(name), format!("{length} entries; at most {MOST}")));
        }
    }
    let texts = [package, suite, id].into_iter().chain(unavailable);
    let of_functions = functions.iter().flat_map(|function| [&function.name, &function.file]);
    let of_sites = sites.iter().flat_map(|site| [&site.name, &site.file]);
    let names = hints.iter().map(|hint| &hint.event).chain(flame.iter().map(|node| &node.name));
    if texts.chain(of_functions).chain(of_sites).chain(names).any(|text| text.len() > LONGEST) {
        return Err(FormatError::at(key("names"), format!("a text of more than {LONGEST} bytes")));
    }
    let is_orphan = |(index, node): (usize, &FlameNode)| match node.parent {
        Some(parent) => parent >= index,
        None => index > 0,
    };
    if flame.iter().enumerate().any(is_orphan) {
        return Err(FormatError::at(key("flame"), "a node is before its parent"));
    }
    Ok(())
}

/// Head minus base.
pub fn difference(sides: Sides<u64>) -> f64 {
    sides.head as f64 - sides.base as f64
}

fn is_nothing(sides: &Sides<u64>) -> bool {
    *sides == Sides::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<usize>) -> FlameNode {
        FlameNode { name: "f".into(), parent, instructions: Sides::default() }
    }

    #[test]
    fn a_poisoned_explanation_is_refused_by_its_key() {
        let key = BenchmarkKey::new("p", "s", "b");
        let refused = |edit: fn(&mut Explanation)| {
            let mut explanation = Explanation::of(&key);
            edit(&mut explanation);
            check(&explanation, |name| format!("explanations[0].{name}"))
                .err()
                .map(|e| e.to_string())
        };
        assert_eq!(refused(|it| it.flame = vec![node(None), node(Some(0))]), None);
        let table: Vec<String> = [
            refused(|it| it.functions = vec![FunctionDifference::default(); MOST + 1]),
            refused(|it| it.flame = vec![node(Some(0))]),
            refused(|it| it.flame = vec![node(None), node(None)]),
            refused(|it| it.flame = vec![node(None), node(Some(7))]),
            refused(|it| it.unavailable = Some("x".repeat(LONGEST + 1))),
        ]
        .map(Option::unwrap_or_default)
        .into();
        insta::assert_snapshot!(table.join("\n"));
    }
}
