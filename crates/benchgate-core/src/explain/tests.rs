//! Whole explanations of made-up counts.

use proptest::prelude::*;

use super::*;
use crate::adapters::profile::Profile;
use crate::model::{BenchmarkKey, Sides};
use crate::result::{DifferenceKind, Explanation};

/// A side: callgrind's text, and at each address the frames of its chain, innermost first, as `name file:line`.
fn counted(body: &str, chains: &[(u64, &[&str])]) -> Counted {
    let text = format!("positions: instr\nevents: Ir\nob=/t/speed\n{body}");
    let frame = |text: &&str| {
        let (name, place) = text.split_once(' ').unwrap();
        let (file, line) = place.split_once(':').unwrap();
        let file = match file.split_once('/') {
            Some(("std", file)) => format!("/rustc/0/library/{file}"),
            Some(("criterion", file)) => format!("/h/registry/src/index/criterion-0.8.2/{file}"),
            _ => format!("/checkout/{file}"),
        };
        Frame::read(name, &file, line.parse().unwrap(), "/checkout")
    };
    Counted {
        profile: Profile::read(&text).unwrap(),
        object: "/t/speed".into(),
        chains: chains
            .iter()
            .map(|(address, frames)| (*address, frames.iter().map(frame).collect()))
            .collect(),
    }
}

const ITER: &str = "_ZN9criterion7bencher16Bencher$LT$M$GT$4iter17h13de3d5f04288779E";

/// `words` is inlined in `iter`, `skip_ws` in `words`; `push` of the standard library allocates for `words`.
fn side(skips: u64, pushes: u64) -> Counted {
    let body = format!(
        "fn=(1) {ITER}\n0x10 5\n0x20 {skips}\n0x24 {skips}\n0x30 40\n\
         cob=/lib/libc.so.6\ncfn=(3) malloc\ncalls={pushes} 0x900\n0x30 {}\n\
         0x40 7\ncfn=(2) _ZN3std4time7Instant3now17h13de3d5f04288779E\ncalls=1 0x80\n0x40 30\n\
         fn=(2)\n0x80 30\n\
         ob=/lib/libc.so.6\nfn=(3)\n0x900 {}\n",
        pushes * 20,
        pushes * 20,
    );
    let iter = "_ZN9criterion7bencher16Bencher$LT$M$GT$4iter17h13de3d5f04288779E criterion/src/bencher.rs:91";
    let clock = "_ZN9criterion7bencher16Bencher$LT$M$GT$4iter17h13de3d5f04288779E criterion/src/bencher.rs:90";
    let closure = "{closure#0} benches/speed.rs:9";
    counted(
        &body,
        &[
            (0x10, &[closure, iter]),
            (0x20, &["skip_ws src/parse.rs:3", "words src/parse.rs:6", closure, iter]),
            (
                0x24,
                &[
                    "get std/core/src/slice/mod.rs:70",
                    "skip_ws src/parse.rs:4",
                    "words src/parse.rs:6",
                    closure,
                    iter,
                ],
            ),
            (0x30, &["push<u8> std/alloc/src/vec/mod.rs:9", "words src/parse.rs:8", closure, iter]),
            (0x40, &[clock]),
            (0x80, &["_ZN3std4time7Instant3now17h13de3d5f04288779E std/std/src/time.rs:3"]),
        ],
    )
}

fn explained(base: &Counted, head: &Counted) -> Explanation {
    let key = BenchmarkKey::new("parser", "speed", "words");
    let [base, head] = [base, head].map(|side| [side.clone(), side.clone()]);
    explain(&key, Sides::new(&base, &head), &Moved::new())
}

fn sums(explanation: &Explanation) -> Sides<u64> {
    let mut sum = explanation.others;
    for part in explanation
        .functions
        .iter()
        .map(|function| function.instructions)
        .chain([explanation.setup, explanation.harness])
    {
        sum = Sides::new(sum.base + part.base, sum.head + part.head);
    }
    sum
}

#[test]
fn twice_the_calls_of_an_inlined_function_are_told_from_costlier_ones() {
    insta::assert_debug_snapshot!(explained(&side(100, 10), &side(200, 10)));
}

#[test]
fn what_the_c_library_does_belongs_to_the_line_that_calls_it() {
    let explanation = explained(&side(100, 10), &side(100, 30));
    let names: Vec<_> =
        explanation.functions.iter().map(|f| (f.name.as_str(), f.line, f.instructions)).collect();
    assert_eq!(names, [("words", 8, Sides::new(240, 640))]);
    assert_eq!(explanation.harness, Sides::new(37, 37), "clocks are nobody's work");
}

#[test]
fn a_side_compared_with_itself_names_nothing() {
    let explanation = explained(&side(100, 10), &side(100, 10));
    assert!(explanation.is_flat && explanation.functions.is_empty(), "{explanation:?}");
    assert_eq!(explanation.others, Sides::new(445, 445));
}

#[test]
fn a_function_that_runs_on_one_side_only_is_new_or_vanished() {
    let with = side(100, 10);
    let mut without = with.clone();
    for address in [0x20, 0x24] {
        without.profile.costs.retain(|place, _| place.address != address);
    }
    for (sides, kind) in
        [([&without, &with], DifferenceKind::New), ([&with, &without], DifferenceKind::Vanished)]
    {
        let explanation = explained(sides[0], sides[1]);
        let named: Vec<_> =
            explanation.functions.iter().map(|f| (f.name.as_str(), f.kind)).collect();
        assert_eq!(named, [("skip_ws", kind)]);
    }
}

#[test]
fn what_differs_between_the_counts_of_one_side_is_not_a_difference_between_the_sides() {
    let key = BenchmarkKey::new("parser", "speed", "words");
    let sides = |base: [u64; 3], head: [u64; 3]| {
        let [base, head] = [base, head].map(|skips| skips.map(|skips| side(skips, 10)));
        explain(&key, Sides::new(&base, &head), &Moved::new())
    };
    let explanation = sides([100, 110, 101], [105, 120, 106]);
    assert!(explanation.is_flat && explanation.functions.is_empty(), "{explanation:?}");
    let explanation = sides([100, 110, 101], [160, 170, 161]);
    let named: Vec<_> = explanation.functions.iter().map(|f| (&*f.name, f.instructions)).collect();
    // The count in the middle is shown.
    assert_eq!(named, [("skip_ws", Sides::new(202, 322))]);
}

#[test]
fn what_the_c_library_alone_does_in_another_way_is_a_difference_from_one_percent_on() {
    let base = side(100, 10);
    let more = |address: u64, more: u64| {
        let mut head = base.clone();
        let at = head.profile.costs.iter_mut().find(|(place, _)| place.address == address);
        *at.unwrap().1 += more;
        let explanation = explained(&base, &head);
        let named: Vec<String> = explanation.functions.iter().map(|f| f.name.clone()).collect();
        (explanation.is_flat, named)
    };
    let (in_malloc, in_words) = (0x900, 0x30);
    assert_eq!(more(in_malloc, 4), (true, vec![]));
    assert_eq!(more(in_malloc, 5), (false, vec!["words".to_owned()]));
    assert_eq!(more(in_words, 1), (false, vec!["words".to_owned()]));
}

#[test]
fn a_side_that_does_not_do_the_same_work_twice_is_not_explained() {
    let key = BenchmarkKey::new("parser", "speed", "words");
    let steady = [side(100, 10), side(100, 10)];
    let explanation =
        explain(&key, Sides::new(&steady, &[side(100, 10), side(200, 10)]), &Moved::new());
    let reason = "head: the counts of one executable differ: 445 to 645 instructions";
    assert_eq!(explanation, Explanation::unavailable(&key, reason));
}

#[test]
fn a_side_without_a_count_is_not_explained() {
    let key = BenchmarkKey::new("parser", "speed", "words");
    let explanation = explain(&key, Sides::new(&[], &[side(1, 1)]), &Moved::new());
    assert_eq!(explanation.unavailable.as_deref(), Some("nothing was counted"));
    assert_eq!(explanation.instructions, None);
}

#[test]
fn set_up_is_told_from_the_routine_that_calls_the_same_function() {
    let batched = "_ZN9criterion7bencher16Bencher$LT$M$GT$12iter_batched17h13de3d5f04288779E";
    let body = format!(
        "fn=(1) {batched}\n0x10 3\ncfn=(2) _ZN5parse4fill17h13de3d5f04288779E\ncalls=3 0x80\n0x10 300\n\
         0x14 4\ncfn=(2)\ncalls=1 0x80\n0x14 100\nfn=(2)\n0x80 400\n"
    );
    let at = |line| format!("{batched} criterion/src/bencher.rs:{line}");
    let (setup, routine) = (at(247), at(250));
    let closure = "{closure#0} benches/speed.rs:9";
    let side = counted(
        &body,
        &[
            (0x10, &[closure, &setup]),
            (0x14, &[closure, &routine]),
            (0x80, &["fill src/parse.rs:40"]),
        ],
    );
    let explanation = explained(&side, &side);
    assert_eq!(explanation.instructions, Some(Sides::new(104, 104)));
    assert_eq!(explanation.setup, Sides::new(303, 303));
    assert!(!explanation.includes_setup);
}

#[test]
fn the_tree_of_calls_begins_with_the_iteration_and_holds_what_each_function_calls() {
    let explanation = explained(&side(100, 10), &side(200, 10));
    let depth = |at: usize| {
        std::iter::successors(explanation.flame[at].parent, |at| explanation.flame[*at].parent)
            .count()
    };
    let tree: String = explanation
        .flame
        .iter()
        .enumerate()
        .map(|(at, node)| {
            let Sides { base, head } = node.instructions;
            format!("{}{} {base} {head}\n", "  ".repeat(depth(at)), node.name)
        })
        .collect();
    insta::assert_snapshot!(tree);
}

/// Calls between functions at random, circles included; the first function is called by none.
fn profiles() -> impl Strategy<Value = Counted> {
    let edge = (0_usize..8, 0_usize..8, 1_u64..50);
    let owner = prop::collection::vec(0_usize..3, 8);
    (prop::collection::vec(1_u64..1_000, 8), prop::collection::vec(edge, 0..20), owner).prop_map(
        |(costs, edges, owners)| {
            let mut body = String::new();
            for (function, cost) in costs.iter().enumerate() {
                body += &format!("fn=f{function}\n{:#x} {cost}\n", function * 16);
                for (_, to, calls) in edges.iter().filter(|(from, ..)| *from == function) {
                    body += &format!(
                        "cfn=f{to}\ncalls={calls} 0\n{:#x} {}\n",
                        function * 16,
                        calls * 7
                    );
                }
            }
            let names: Vec<String> = owners
                .iter()
                .enumerate()
                .map(|(function, owner)| match owner {
                    0 => format!("f{function} src/lib.rs:{function}"),
                    _ => format!("f{function} std/core/src/lib.rs:{function}"),
                })
                .collect();
            let frames: Vec<[&str; 1]> = names.iter().map(|name| [name.as_str()]).collect();
            let chains: Vec<(u64, &[&str])> = frames
                .iter()
                .enumerate()
                // Of some functions nothing but their symbol is known.
                .filter(|(function, _)| owners[*function] < 2)
                .map(|(function, frame)| (function as u64 * 16, frame.as_slice()))
                .collect();
            counted(&body, &chains)
        },
    )
}

proptest! {
    #[test]
    fn differences_add_up_to_what_was_counted(base in profiles(), head in profiles()) {
        let explanation = explained(&base, &head);
        let sums = sums(&explanation);
        for (sum, counted) in [(sums.base, &base), (sums.head, &head)] {
            // Each row is rounded to a whole instruction.
            prop_assert!(sum.abs_diff(counted.profile.total()) <= 16, "{sum} of {}", counted.profile.total());
        }
        let mut reversed = explained(&head, &base);
        reversed.functions.iter().for_each(|f| assert!(f.name.len() > 1));
        prop_assert_eq!(reversed.functions.len(), explanation.functions.len());
        reversed.flame.clear();
    }

    #[test]
    fn a_tree_of_calls_adds_up_and_a_caller_costs_at_least_what_it_calls(base in profiles()) {
        let explanation = explained(&base, &base);
        for (at, node) in explanation.flame.iter().enumerate() {
            let children = explanation.flame.iter().filter(|child| child.parent == Some(at));
            let sum: u64 = children.map(|child| child.instructions.head).sum();
            prop_assert!(sum <= node.instructions.head + 16, "{} < {sum}", node.instructions.head);
        }
    }

    #[test]
    fn a_side_is_never_different_from_itself(side in profiles()) {
        prop_assert_eq!(explained(&side, &side).functions, []);
    }
}
