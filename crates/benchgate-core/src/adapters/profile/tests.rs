use proptest::prelude::*;

use super::*;

/// As callgrind 3.19 writes it: `--dump-instr=yes --dump-line=yes --collect-jumps=yes`.
const OF_3_19: &str = "\
# callgrind format
version: 1
creator: callgrind-3.19.0
cmd:  ./speed --test words
part: 1


desc: I1 cache: 
desc: Timerange: Basic block 0 - 212061
desc: Trigger: Program termination

positions: instr line
events: Ir
summary: 70

ob=(1) /t/speed
fl=(1) ???
fn=(7) _ZN9criterion7bencher4iter17h13E
0x7d9d0 10 2
+4 * 3
jcnd=1/3 0x7d9e0 12
* *
+3 +1 1
cob=(2) /lib/libc.so.6
cfi=(2) ./malloc.c
cfn=(9) malloc
calls=2 0x99000 0
-3 * 40
cfn=(8) words
calls=1 0x7da00 20
* -1 24
fn=(8)
0x7da00 20 4
+5 20 20

totals: 70
";

#[test]
fn costs_are_by_address_and_calls_by_the_place_that_calls() {
    let profile = Profile::read(OF_3_19).unwrap();
    let named = |at: &Place| format!("{} {:#x}", profile.functions[at.function].name, at.address);
    let mut text = String::new();
    for (at, cost) in &profile.costs {
        text += &format!("{}: {cost}\n", named(at));
    }
    for ((at, callee), calls) in &profile.calls {
        let Function { object, name } = &profile.functions[*callee];
        text += &format!("{} calls {name} of {object}: {calls:?}\n", named(at));
    }
    insta::assert_snapshot!(text + &format!("{:?}", profile.totals));
}

#[test]
fn a_file_that_counts_something_else_is_refused() {
    let refused = [
        "",
        "positions: line\nevents: Ir\n",
        "positions: instr\nevents: Dr\n",
        "positions: instr\nevents: Ir\nfn=(1)\n",
        "positions: instr\nevents: Ir\n0x10 3\n",
        "positions: instr\nevents: Ir\nfn=f\n-3 1\n",
        "positions: instr\nevents: Ir\nfn=f\ncalls=x\n",
        "positions: instr\nevents: Ir\nfn=f\n0x10 many\n",
    ];
    let table: String = refused
        .iter()
        .map(|text| format!("{text:?}: {}\n", Profile::read(text).unwrap_err()))
        .collect();
    insta::assert_snapshot!(table);
}

proptest! {
    /// Writes costs compressed as callgrind does, and reads them back.
    #[test]
    fn compressed_positions_are_read_back(costs in prop::collection::btree_map(0_u64..5_000, 1_u64..9, 1..60)) {
        let mut text = "positions: instr\nevents: Ir\nob=o\nfn=(1) f\n".to_owned();
        let mut last: Option<u64> = None;
        for (address, cost) in &costs {
            match last {
                Some(last) if address % 3 > 0 => text += &format!("+{} {cost}\n", address - last),
                _ => text += &format!("{address:#x} {cost}\n"),
            }
            last = Some(*address);
        }
        let profile = Profile::read(&text).unwrap();
        let read: BTreeMap<u64, u64> = profile.costs.iter().map(|(at, cost)| (at.address, *cost)).collect();
        prop_assert_eq!(read, costs);
    }

    #[test]
    fn any_text_is_read_without_a_panic(
        text in "((fn|cfn|ob|cob|calls|jump)=|\\(1\\)|events: Ir\n|positions: instr\n|[-+*0-9x \n:a]){0,60}",
    ) {
        let _ = Profile::read(&text);
    }
}
