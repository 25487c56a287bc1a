//! A stand-in for an executable that is led, with known speeds: it lets the time pass that it reports, and measures
//! nothing. Each line of `speeds.txt` is an id, nanoseconds per iteration and a behaviour, separated by bars.

use std::io::{BufRead as _, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const SPEEDS: &str = include_str!("speeds.txt");

/// How often the process went on after it was stopped.
static RESUMED: AtomicU64 = AtomicU64::new(0);

#[cfg(target_os = "linux")]
const GOES_ON: i32 = 18;
#[cfg(not(target_os = "linux"))]
const GOES_ON: i32 = 19;

unsafe extern "C" {
    fn signal(number: i32, handler: extern "C" fn(i32)) -> usize;
}

extern "C" fn resumed(_: i32) {
    RESUMED.fetch_add(1, Ordering::Relaxed);
}

fn main() {
    let _life = Life;
    let token = std::env::var("BENCHGATE_LEAD").expect("it is led");
    let say = |words: &str| {
        println!("{token} {words}");
        std::io::stdout().flush().expect("somebody listens");
    };
    println!("a line of the bench itself");
    say("hello 1 criterion 0.5.1");
    let mut asked = std::io::stdin().lock().lines();
    let mut lines: Vec<&str> = SPEEDS.lines().collect();
    if SPEEDS.contains("|has no order") {
        // As a map has.
        lines.sort_by_cached_key({
            let state = std::collections::hash_map::RandomState::new();
            move |line| std::hash::BuildHasher::hash_one(&state, line)
        });
    }
    for (number, line) in lines.into_iter().enumerate() {
        let [id, ns, behaviour] = line.split('|').collect::<Vec<_>>()[..] else {
            panic!("a broken line: {line}")
        };
        let ns: f64 = ns.parse().expect("nanoseconds");
        if behaviour == "prints without an end" {
            print!("{}", "x".repeat(1 << 20));
        }
        say(&format!("at {number} {id}"));
        let spins = behaviour == "spins while it waits";
        if spins {
            spin();
        }
        loop {
            let Some(Ok(command)) = asked.next() else { return };
            // One that was never stopped has disturbed the other side, and is faster, so that a test sees it.
            let is_disturbing = spins && RESUMED.load(Ordering::Relaxed) == 0;
            let ns = if is_disturbing { ns / 2.0 } else { ns };
            let words: Vec<&str> = command.split(' ').collect();
            match words[..] {
                ["next"] => break,
                ["unit"] => say(&format!("unit {}", behaviour.strip_prefix("measures ").filter(|it| is_unit(it)).unwrap_or("ns"))),
                ["names"] => say(&format!(
                    "names {{\"group_id\":\"{id}\",\"function_id\":null,\"value_str\":null,\"throughput\":null,\
                     \"full_id\":\"{}\",\"directory_name\":\"{id}\"}}",
                    if behaviour == "has another name" { "other" } else { id }
                )),
                ["run", iterations, _] => {
                    let iterations: f64 = iterations.parse().expect("a number");
                    run(id, (ns * iterations, ns), behaviour, &say);
                }
                _ => panic!("not a command: {command}"),
            }
        }
    }
    say("end");
}

/// Units of measurements of the bench's own.
fn is_unit(text: &str) -> bool {
    ["cycles", "bytes", "cache misses"].contains(&text)
}

/// Starts a thread that never stops by itself, and counts from now on how often the process went on.
fn spin() {
    RESUMED.store(0, Ordering::Relaxed);
    // SAFETY: the handler adds to a number and calls nothing.
    unsafe { signal(GOES_ON, resumed) };
    let (begun, begins) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        begun.send(()).expect("somebody waits");
        loop {
            std::hint::spin_loop();
        }
    });
    begins.recv().expect("it begins");
}

/// Runs a slice that takes `ns` in all, and `of_one` for one iteration.
fn run(id: &str, (ns, of_one): (f64, f64), behaviour: &str, say: &dyn Fn(&str)) {
    let took = |ns: f64, whole: f64| {
        let began = Instant::now();
        while began.elapsed() < Duration::from_nanos(whole as u64) {
            std::hint::spin_loop();
        }
        say(&format!("ran {ns} {}", whole as u64));
    };
    let ran = |ns: f64| took(ns, ns);
    match behaviour {
        "says how it is restricted" => {
            let file = std::env::var("FAKE_LOG").expect("a log") + ".restricted";
            std::fs::write(file, restrictions()).expect("a folder that may be written");
            ran(ns);
        }
        "changes the gate" => {
            change_the_gate();
            ran(ns);
        }
        "is slow in every third slice" => {
            static SLICES: AtomicU64 = AtomicU64::new(0);
            let is_slow = SLICES.fetch_add(1, Ordering::Relaxed) % 3 == 2;
            ran(if is_slow { 2.0 * ns } else { ns });
        }
        "keeps its speed in a temporary file" => {
            let file = std::env::temp_dir().join("of-first");
            if !file.exists() {
                std::fs::write(&file, of_one.to_string()).expect("a folder for temporary files");
            }
            let kept = std::fs::read_to_string(&file).expect("the file is there");
            let kept: f64 = kept.parse().expect("a number");
            ran(ns / of_one * kept);
        }
        "logs its life" => {
            log_life('+', true);
            ran(ns);
        }
        "takes five times as long after the hundredth iteration" => {
            let first = ns.min(100.0 * of_one);
            ran(first + 5.0 * (ns - first));
        }
        "takes 500 ns in the first 50,000 iterations of its process" => {
            static ITERATIONS: AtomicU64 = AtomicU64::new(0);
            let iterations = (ns / of_one).round() as u64;
            let before = ITERATIONS.fetch_add(iterations, Ordering::Relaxed);
            let first = 50_000_u64.saturating_sub(before).min(iterations);
            ran(500.0 * first as f64 + of_one * (iterations - first) as f64);
        }
        "sums over eight threads" => took(8.0 * ns, ns),
        "counts whole microseconds" => took((ns / 1e3).floor() * 1e3, ns),
        "has a set-up of 5,000 iterations before each" => took(ns, 5_000.0 * ns),
        "is slow in every third process" => ran(if is_third() { 2.0 * ns } else { ns }),
        "panics" => panic!("index 7 is out of bounds of {id}"),
        "ends with 3" => {
            eprintln!("giving up");
            std::process::exit(3)
        }
        "hangs" => loop {
            std::thread::park();
        },
        "writes nothing" => std::process::exit(0),
        "prints garbage" => say("{{"),
        // So many of a unit in a time that tells nothing of them.
        unit if unit.strip_prefix("measures ").is_some_and(is_unit) => took(ns, 1e5),
        "measures zero" => say("ran 0 0"),
        "measures NaN" => say("ran NaN 0"),
        "measures twice" => {
            ran(ns);
            ran(ns);
        }
        "measures no iteration" => say("none its closure measured nothing"),
        "reports time that did not pass" => say("ran 9000000000000 9000000000000"),
        "reports less than the whole" => say(&format!("ran {ns} 0")),
        "goes elsewhere" => say("end"),
        _ => ran(ns),
    }
}

/// The life of a process that has measured.
struct Life;

impl Drop for Life {
    fn drop(&mut self) {
        log_life('-', false);
    }
}

/// Logs once that the process measures, and that it ends afterwards.
fn log_life(sign: char, begins: bool) {
    static HAS_BEGUN: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
    if HAS_BEGUN.swap(begins, Ordering::Relaxed) == begins {
        return;
    }
    let file = std::env::var("FAKE_LOG").expect("a log") + ".lives";
    let mut log = std::fs::OpenOptions::new().create(true).append(true).open(file).expect("a folder");
    write!(log, "{sign}").expect("a file");
}

/// Whether two processes of every three began before this one.
fn is_third() -> bool {
    static IS: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *IS.get_or_init(|| {
        let file = std::env::var("FAKE_LOG").expect("a log") + ".processes";
        let mut log = std::fs::OpenOptions::new().create(true).append(true).open(&file).expect("a folder");
        log.write_all(b".").expect("a file");
        log.metadata().expect("a file").len() % 3 == 0
    })
}

/// Says how the gate begins a round, then changes that; a few times, for it takes long.
fn change_the_gate() {
    let file = std::env::var("FAKE_LOG").expect("a log") + ".begins";
    if std::fs::read_to_string(&file).unwrap_or_default().lines().count() >= 20 {
        return;
    }
    let parent = std::os::unix::process::parent_id().to_string();
    let script = "echo $(ps -o ni= -p \"$0\") $(taskset -p \"$0\" | sed 's/.*: //') \
        $(prlimit --pid \"$0\" --core --noheadings --output SOFT) >>\"$1\"
        prlimit --pid \"$0\" --core=4096: && renice -n 7 -p \"$0\" && taskset -p 1 \"$0\"";
    let done = std::process::Command::new("sh").args(["-c", script, &parent, &file]).output();
    assert!(done.expect("sh").status.success());
}

/// The session and the filter of this process, and the names of its variables.
fn restrictions() -> String {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("a process");
    let session = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(3));
    let status = std::fs::read_to_string("/proc/self/status").expect("a process");
    let filter = status.lines().find_map(|line| line.strip_prefix("Seccomp:\t"));
    let names: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
    let leads = session == Some(&*std::process::id().to_string());
    format!("session {leads}\nfilter {filter:?}\n{}\n", names.join("\n"))
}
