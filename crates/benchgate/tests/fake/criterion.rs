//! A stand-in for a Criterion executable, with known speeds: it speaks Criterion's command line and
//! writes Criterion's files, and measures nothing. Each line of `speeds.txt` is an id, nanoseconds per
//! iteration and a behaviour, separated by bars.

use std::fs;
use std::path::Path;

const SPEEDS: &str = include_str!("speeds.txt");

struct Entry {
    id: &'static str,
    title: String,
    ns: f64,
    behaviour: &'static str,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|a| a == flag);
    // As Criterion 0.5 without clap's help.
    if has("--help") && SPEEDS.contains("|answers no help") {
        eprintln!("error: unexpected argument '--help' found");
        std::process::exit(2);
    }
    if has("--help") {
        let quick = if SPEEDS.contains("|has no quick way") { "" } else { "--quick" };
        println!(
            "--warm-up-time --measurement-time --sample-size --nresamples --noplot --exact {quick}"
        );
        return;
    }
    // As criterion2.
    if has("--list") && has("--bench") && SPEEDS.contains("|lists apart") {
        eprintln!("Error: `--list` cannot be used at the same time as `--bench`");
        std::process::exit(1);
    }
    // As any parser of arguments.
    let of_exact = arguments.iter().skip_while(|argument| *argument != "--exact").nth(1);
    if of_exact.is_some_and(|value| value.starts_with('-') && value != "--") {
        eprintln!("error: unexpected argument {of_exact:?} found");
        std::process::exit(2);
    }
    let mut entries: Vec<Entry> = SPEEDS.lines().map(entry).collect();
    // As Criterion: the second of two equal titles has a number.
    for index in 0..entries.len() {
        let title = entries[index].title.clone();
        let is_taken = |title: &str| entries[..index].iter().any(|other| other.title == title);
        let numbered = (2..).map(|number| format!("{title} #{number}"));
        let unique = std::iter::once(title.clone()).chain(numbered).find(|title| !is_taken(title));
        entries[index].title = unique.expect("a title");
    }
    if has("--list") && SPEEDS.contains("|sets up for long") {
        std::thread::sleep(std::time::Duration::from_millis(2_100));
    }
    if has("--list") {
        for entry in &entries {
            println!("{}: benchmark", entry.title);
        }
        return;
    }
    log();
    let wanted = arguments.last().expect("a filter");
    for entry in entries {
        let fits = if has("--exact") {
            entry.id == wanted
        } else {
            let start = wanted.trim_start_matches('^').replace('\\', "");
            entry.id.starts_with(&start)
        };
        if fits {
            let ns = if entry.ns.is_nan() { late(entry.id) } else { entry.ns };
            let entry = Entry { ns, ..entry };
            run(&entry, has("--quick"));
        }
    }
}

fn entry(line: &'static str) -> Entry {
    let mut parts = line.split('|');
    let id = parts.next().expect("an id");
    let ns = parts.next().expect("a speed");
    if let Some(unnamed) = ns.strip_prefix('<') {
        let is_late = unnamed.starts_with("late:");
        let ns = if is_late { f64::NAN } else { read_unnamed(unnamed) };
        return Entry { id, title: id.to_owned(), ns, behaviour: "" };
    }
    // A speed may stand in a variable (`$NAME`), or in a file, read at run time.
    let place = match ns.strip_prefix('$').map(|name| name.split_once('/').unwrap_or((name, ""))) {
        Some((name, "")) => std::env::var(name).expect(name),
        Some((name, file)) => format!("{}/{file}", std::env::var(name).expect(name)),
        None => ns.to_owned(),
    };
    // Or be what a program says that lies next to this one.
    let place = match place.strip_prefix('>') {
        Some(program) => said(program),
        None => place,
    };
    let ns = place.parse().unwrap_or_else(|_| {
        fs::read_to_string(place).expect("a file with a speed").trim().parse().expect("a number")
    });
    let title = if id.len() > 100 { format!("{}...", &id[..100]) } else { id.to_owned() };
    let behaviour = parts.next().unwrap_or("");
    let ns = if behaviour == "keeps its speed in a temporary file" { kept(ns) } else { ns };
    Entry { id, title, ns, behaviour }
}

/// The speed of the first process that found none in the folder for temporary files.
fn kept(ns: f64) -> f64 {
    let file = std::env::temp_dir().join("of-first");
    if !file.exists() {
        fs::write(&file, ns.to_string()).expect("a folder for temporary files");
    }
    fs::read_to_string(&file).expect("the file is there").parse().expect("a number")
}

/// The speed of a benchmark that reads it when it is measured, and not before.
fn late(id: &str) -> f64 {
    let of_id = |line: &&str| line.split('|').next() == Some(id);
    let line = SPEEDS.lines().find(of_id).expect("a line");
    read_unnamed(line.split('|').nth(1).expect("a speed").trim_start_matches('<'))
}

/// A speed from a place that no string names: it is spelled backwards after the way to read it.
fn read_unnamed(text: &str) -> f64 {
    let (way, path) = text.split_once(':').expect("a way");
    let path: String = path.chars().rev().collect();
    let text = match way {
        "child" => String::from_utf8(start("cat", &[&path]).stdout).expect("a number"),
        "proc" => fs::read_to_string(format!("/proc/self/cwd/{path}")).expect("a file"),
        "folder" => {
            let done = start("ls", &[&path]);
            let entries = done.stdout.iter().filter(|byte| **byte == b'\n').count();
            (500 * entries).to_string()
        }
        _ => fs::read_to_string(path).expect("a file"),
    };
    text.trim().parse().expect("a number")
}

/// The output of a program, by its path from the folder of this one.
fn said(program: &str) -> String {
    let program = this().parent().expect("a folder").join(program);
    let done = start(program.to_str().expect("a path"), &[]);
    String::from_utf8(done.stdout).expect("a number").trim().to_owned()
}

/// The session and the filter of this process, and the names of its variables.
fn restrictions() -> String {
    let stat = fs::read_to_string("/proc/self/stat").expect("a process");
    let session = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(3));
    let status = fs::read_to_string("/proc/self/status").expect("a process");
    let filter = status.lines().find_map(|line| line.strip_prefix("Seccomp:\t"));
    let names: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
    let leads = session == Some(&*std::process::id().to_string());
    format!("session {leads}\nfilter {filter:?}\n{}\n", names.join("\n"))
}

/// Whether the test wants another behaviour now.
fn is_told() -> bool {
    Path::new(&(std::env::var("FAKE_LOG").expect("a log") + ".told")).exists()
}

fn run(entry: &Entry, is_quick: bool) {
    let mut home = std::env::var("CRITERION_HOME").expect("a home");
    // As with `Criterion::output_directory`: the variable does not count.
    if entry.behaviour == "writes into report" {
        home = "report".to_owned();
        if let Err(error) = fs::create_dir_all(Path::new(&home).join(entry.id).join("new")) {
            println!("Criterion.rs ERROR: Failed to access file \"./report/{}/new\": {error}", entry.id);
            return;
        }
    }
    // As with a `Measurement` of the bench's own.
    if entry.behaviour == "measures cycles" {
        let ns = entry.ns;
        println!("{}                  time:   [{ns} cycles {ns} cycles {ns} cycles]", entry.id);
    }
    let folder: String =
        entry.id.chars().map(|c| if "?\"\\*<>:|^".contains(c) { '_' } else { c }).collect();
    // A path would lead elsewhere.
    let folder = if folder.starts_with('/') { folder.replace('/', "_") } else { folder };
    let number = entry.title.rsplit_once(" #").map_or("", |(_, number)| number);
    let folder: String = folder.chars().take(64).chain(number.chars()).collect();
    let new = Path::new(&home).join(folder).join("new");
    match entry.behaviour {
        "panics" => panic!("index 7 is out of bounds of {}", entry.id),
        "panics when told" if is_told() => panic!("{} was told to", entry.id),
        "ends with 3" => {
            eprintln!("giving up");
            std::process::exit(3)
        }
        "hangs" => loop {
            std::thread::park();
        },
        // Its group has a measurement time of its own.
        "has its own settings" if !is_quick => loop {
            std::thread::park();
        },
        "waits for a file" => {
            let file = std::env::var("FAKE_LOG").expect("a log") + ".go";
            while !Path::new(&file).exists() {
                std::thread::park_timeout(std::time::Duration::from_millis(5));
            }
        }
        "reports an error" => {
            println!("Criterion.rs ERROR: Failed to access file");
            return;
        }
        "writes nothing" => return,
        "uses what every bench may" => {
            for folder in [Path::new(temporary()), &std::env::temp_dir(), Path::new(&home)] {
                fs::write(folder.join("note"), "x").expect("a folder of its own");
            }
            fs::write("/dev/null", "x").expect("a device that holds nothing");
            std::os::unix::net::UnixStream::pair().expect("sockets of its own");
            let script = "ulimit -Sn 256 && nice -n 1 id && taskset -p $$ && sh -c 'kill -CONT $PPID'";
            let done = start("sh", &["-c", script]);
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            for file in [
                "/proc/self/status",
                "/proc/meminfo",
                "/sys/kernel/mm/transparent_hugepage/enabled",
            ] {
                assert!(!Path::new(file).exists() || fs::read(file).is_ok(), "{file}");
            }
            assert_eq!(fs::read_to_string("generated.txt").expect("made by the build script"), "x");
        }
        "prints a line without an end" => {
            use std::io::Write as _;
            let part = vec![b'x'; 1 << 20];
            (0..150).for_each(|_| std::io::stdout().write_all(&part).expect("read by the gate"));
        }
        "says how it is restricted" => {
            let file = std::env::var("FAKE_LOG").expect("a log") + ".restricted";
            fs::write(file, restrictions()).expect("a folder that may be written");
        }
        "changes the gate" => {
            // Each process says how it begins, then changes its parent.
            let parent = std::os::unix::process::parent_id().to_string();
            let script = "echo $(nice) $(taskset -p $$ | sed 's/.*: //') $(ulimit -Sc) >>\"$FAKE_LOG.begins\"
                prlimit --pid \"$0\" --core=4096: && renice -n 7 -p \"$0\" && taskset -p 1 \"$0\"";
            assert!(start("sh", &["-c", script, &parent]).status.success());
        }
        "writes into its checkout" => fs::write("out/note", "x").expect("a file"),
        "leaves a process" => {
            // In a session of its own: no group of the gate's holds it.
            let left = "echo $$ >>\"$FAKE_LOG.left\"; exec sleep 1000 </dev/null >/dev/null 2>&1";
            start("setsid", &["--fork", "sh", "-c", left]);
            let file = std::env::var("FAKE_LOG").expect("a log") + ".left";
            while !fs::read_to_string(&file).is_ok_and(|pids| pids.ends_with('\n')) {
                std::thread::yield_now();
            }
        }
        _ => {}
    }
    let this = this();
    let is_slower =
        entry.behaviour == "slower in bin/head" && this.to_string_lossy().contains("/bin/head/");
    let ns = if is_slower { entry.ns * 1.2 } else { entry.ns };
    fs::create_dir_all(&new).expect("a folder");
    let quoted = |text: &str| format!("{text:?}");
    let id = if entry.behaviour == "measures another" { "another" } else { entry.id };
    let title = if entry.behaviour == "measures another" { id } else { &entry.title };
    let identity = format!(
        r#"{{"group_id":{0},"function_id":null,"value_str":null,"throughput":{{"Bytes":64}},"full_id":{0},"directory_name":"d","title":{1}}}"#,
        quoted(id),
        quoted(title)
    );
    fs::write(new.join("benchmark.json"), identity).expect("written");
    let (iters, times) = match entry.behaviour {
        "measures zero" => ("[10,20]", "[0,0]".to_owned()),
        "measures NaN" => ("[10,20]", "[NaN,NaN]".to_owned()),
        // As Criterion 0.4 with `--quick`.
        "measures a constant" => ("[1,1]", "[1000000,1000000]".to_owned()),
        "measures its measuring time" => ("[1,1,1]", "[10000000,10000000,10000001]".to_owned()),
        "measures hours at once" => ("[1,1]", "[1e13,1.1e13]".to_owned()),
        // No two samples of a process are the same; the last one is no quartile.
        _ => {
            let (two, other) = (ns * 2.0, ns * 2.5);
            ("[1,2,2,2,2]", format!("[{ns},{two},{two},{two},{other}]"))
        }
    };
    let sample = match entry.behaviour {
        "leaves an empty file" => String::new(),
        "prints garbage" => "it was 7 ns".to_owned(),
        _ => format!(r#"{{"sampling_mode":"Linear","iters":{iters},"times":{times}}}"#),
    };
    if entry.behaviour == "leaves a link" {
        let elsewhere = Path::new(&home).join("elsewhere.json");
        fs::write(&elsewhere, sample).expect("written");
        std::os::unix::fs::symlink(elsewhere, new.join("sample.json")).expect("linked");
        return;
    }
    if entry.behaviour == "leaves a pipe" {
        let pipe = new.join("sample.json");
        assert!(start("mkfifo", &[pipe.to_str().expect("a path")]).status.success());
        return;
    }
    fs::write(new.join("sample.json"), sample).expect("written");
}

/// Starts a program, in a fake that has a line which does: `starts.rs` is in the place of this. A source that starts one may
/// read any file.
fn start(_: &str, _: &[&str]) -> std::process::Output {
    unreachable!("no line starts a program")
}

fn temporary() -> &'static str {
    unreachable!("no line needs it")
}

/// The path that it was started by: one that asks where it is may start what lies there.
fn this() -> std::path::PathBuf {
    std::env::args_os().next().expect("a path").into()
}

/// Logs for a test how this process was called.
fn log() {
    use std::io::Write as _;
    let Ok(path) = std::env::var("FAKE_LOG") else { return };
    let home = std::env::var("CRITERION_HOME").expect("a home");
    let empty = fs::read_dir(&home).map(|mut entries| entries.next().is_none()).unwrap_or(false);
    let this = this();
    // A repository without a policy has a sandbox that does not know of it.
    let Ok(mut file) = fs::OpenOptions::new().append(true).create(true).open(path) else { return };
    writeln!(file, "{}|{home}|{empty}", this.display()).expect("logged");
}
