//! A stand-in for a program that speaks `benchgate.rounds/1`, with known speeds: it measures nothing. Each line
//! of `speeds.txt` is an id, nanoseconds and a behaviour, separated by bars.

const SPEEDS: &str = include_str!("speeds.txt");

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let entries = SPEEDS.lines().map(|line| {
        let parts: Vec<&str> = line.split('|').collect();
        let [id, ns, behaviour] = parts[..] else { panic!("a broken line: {line}") };
        (id, ns, behaviour)
    });
    match arguments.last().map(String::as_str) {
        Some("--help") => println!("speaks benchgate.rounds/1"),
        Some("--list") => {
            println!("a line that is not JSON");
            for (id, ..) in entries {
                println!(r#"{{"schema":"benchgate.rounds/1","id":{id:?}}}"#);
            }
        }
        Some(wanted) => {
            assert_eq!(arguments[0], "--measure");
            for (id, ns, behaviour) in entries.filter(|(id, ..)| *id == wanted) {
                measure(id, ns, behaviour);
            }
        }
        None => panic!("called without an argument"),
    }
}

fn measure(id: &str, ns: &str, behaviour: &str) {
    let value = |id: &str, metric: &str, unit: &str, value: &str| {
        println!(
            r#"{{"schema":"benchgate.rounds/1","id":{id:?},"metric":{metric:?},"unit":{unit:?},"value":{value}}}"#
        );
    };
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
        "prints garbage" => println!("{{{{"),
        "measures zero" => value(id, "time", "ns", "0"),
        "measures NaN" => value(id, "time", "ns", "NaN"),
        "measures twice" => {
            value(id, "time", "ns", ns);
            value(id, "time", "ns", ns);
        }
        "measures another" => value("another", "time", "ns", ns),
        "counts" => value(id, "size.bytes", "bytes", ns),
        // The wall time is there in every second process only, by a mark that one leaves for the next.
        "forgets a metric" => {
            let this = std::env::current_exe().expect("a path").display().to_string();
            let log = std::env::var("FAKE_LOG").expect("a log");
            let mark = format!("{log}.{}.mark", this.replace('/', "-"));
            if std::fs::remove_file(&mark).is_err() {
                std::fs::write(&mark, "").expect("a mark");
                value(id, "wall", "ns", ns);
            }
            value(id, "time", "ns", ns);
        }
        _ => value(id, "time", "ns", ns),
    }
}
