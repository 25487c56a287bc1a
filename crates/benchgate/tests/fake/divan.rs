//! A stand-in for a divan executable, with known speeds: it speaks divan's command line, prints divan's table
//! and measures nothing. Each line of `speeds.txt` is a name, nanoseconds and a behaviour, separated by bars.

const SPEEDS: &str = include_str!("speeds.txt");

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if has("--help") {
        println!("--test --list --exact --sample-count --min-time --max-time --skip-ext-time");
        return;
    }
    let entries = SPEEDS.lines().map(|line| {
        let parts: Vec<&str> = line.split('|').collect();
        let [id, ns, behaviour] = parts[..] else { panic!("a broken line: {line}") };
        (id, ns, behaviour)
    });
    // As divan 0.1.17.
    if SPEEDS.contains("|prints a tree") && has("--list") {
        if has("--format") {
            eprintln!("error: unexpected argument '--format' found");
            std::process::exit(2);
        }
        println!("fake");
        for (id, ..) in entries {
            println!("╰─ {}", id.strip_prefix("fake::").expect("a name in a crate"));
        }
        return;
    }
    if has("--list") {
        // divan knows `--format` only where it seems to be nextest that asks.
        assert_eq!(std::env::var("NEXTEST").as_deref(), Ok("1"));
        for (id, ..) in entries {
            println!("{id}: benchmark");
        }
        return;
    }
    assert!(has("--bench") && has("--exact"));
    for (id, ns, behaviour) in entries.filter(|(id, ..)| arguments.last().is_some_and(|last| last == id)) {
        measure(id, ns, behaviour);
    }
}

fn measure(id: &str, ns: &str, behaviour: &str) {
    let cell = |ns: &str| format!("{:<14}", format!("{ns} ns"));
    let row = |fastest: &str, median: &str| {
        println!("╰─ {id}  {}│ {}│ {}│ {}│ 10      │ 320", cell(fastest), cell("9999"), cell(median), cell("9"));
    };
    println!("speed     fastest       │ slowest       │ median        │ mean          │ samples │ iters");
    match behaviour {
        "panics" => panic!("index 7 is out of bounds of {id}"),
        "ends with 3" => {
            eprintln!("giving up");
            std::process::exit(3)
        }
        "hangs" => loop {
            std::thread::park();
        },
        "writes nothing" => {}
        "prints garbage" => println!("╰─ {id}  fast │ slow │ middling │ mean │ 10 │ 320"),
        "measures zero" => row("0", "0"),
        "measures NaN" => row("NaN", "NaN"),
        "measures twice" => {
            row(ns, ns);
            row(ns, ns);
        }
        _ => row(ns, ns),
    }
}
