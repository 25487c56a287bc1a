//! A stand-in for a suite that counts allocations: it speaks `benchgate.allocations/1` and counts
//! nothing. Each line of `speeds.txt` is id, iterations, blocks, bytes and peak, separated by bars.

const COUNTS: &str = include_str!("speeds.txt");

fn main() {
    if std::env::args().any(|argument| argument == "--help") {
        println!("--json prints benchgate.allocations/1");
        return;
    }
    println!("     Running something that is not JSON");
    for line in COUNTS.lines() {
        let parts: Vec<&str> = line.split('|').collect();
        let [id, iterations, blocks, bytes, peak] = parts[..] else { panic!("a broken line: {line}") };
        // The second of two where the test wants another count now.
        let log = || std::env::var("FAKE_LOG").expect("a log");
        let is_told = || std::path::Path::new(&(log() + ".told")).exists();
        let blocks = match blocks.split_once("->") {
            Some((_, second)) if is_told() => second,
            Some((first, _)) => first,
            None => blocks,
        };
        // Two numbers alternate between runs, by a mark that a run leaves for the next.
        let blocks = match blocks.split_once("..") {
            None => blocks,
            Some((first, second)) => {
                let this = std::env::current_exe().expect("a path").display().to_string();
                let mark = format!("{}.{}.mark", log(), this.replace('/', "-"));
                if std::fs::remove_file(&mark).is_ok() {
                    second
                } else {
                    std::fs::write(&mark, "").expect("a mark");
                    first
                }
            }
        };
        println!(
            r#"{{"schema":"benchgate.allocations/1","id":{id:?},"iterations":{iterations},"blocks":{blocks},"bytes":{bytes},"peak":{peak}}}"#
        );
    }
}
