//! The command line of a Criterion executable, from 0.3.5 to 0.8: the executable is asked for its options, they are never
//! guessed from a version. Most say it with `--help`; 0.5 has none unless something else in its tree
//! turns clap's on, and is probed option by option.

use std::time::Duration;

use crate::model::Pace;

/// Options that an executable understands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    exact: bool,
    fractional_seconds: bool,
    no_plot: bool,
    resamples: bool,
    quick: bool,
    /// Whether `--bench` excludes `--list` and `--test`, as with criterion2.
    is_bench_apart: bool,
}

/// How long one process measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Warm-up.
    pub warm_up: Duration,
    /// Target measuring time.
    pub measurement: Duration,
    /// Samples; at least 10.
    pub sample_size: u32,
}

/// How long Criterion measures at least with `--quick`. With less it takes the first iteration alone of a
/// benchmark whose iterations are longer.
const QUICK: Duration = Duration::from_millis(100);

/// Arguments that list the benchmarks.
pub const LIST: [&str; 2] = ["--bench", "--list"];

/// Like `LIST`, for executables where `--bench` excludes `--list`.
pub const LIST_APART: [&str; 1] = ["--list"];

impl Options {
    /// Reads a `--help`; `None` when it is not Criterion's.
    pub fn from_help(help: &str) -> Option<Self> {
        let has = |flag: &str| help.contains(flag);
        if !(has("--measurement-time") && has("--warm-up-time") && has("--sample-size")) {
            return None;
        }
        Some(Self {
            exact: has("--exact"),
            // Whole seconds were lifted in 0.4, the release that also brought --quick.
            fractional_seconds: has("--quick"),
            no_plot: has("--noplot"),
            resamples: has("--nresamples"),
            quick: has_measured_quick(has("--quick"), has("--exact")),
            is_bench_apart: false,
        })
    }

    /// Like the above, for an executable that lists its benchmarks with [`LIST_APART`] only.
    #[must_use]
    pub fn with_bench_apart(self) -> Self {
        Self { is_bench_apart: true, ..self }
    }

    /// Whether a round can be asked for at [`Pace::Quick`].
    pub fn has_quick(&self) -> bool {
        self.quick
    }

    /// Asks option by option, for an executable without `--help`: `accepts` says whether it lists its
    /// benchmarks with these arguments added. `None` when it is not Criterion's.
    ///
    /// # Errors
    /// Fails with the error of `accepts`.
    pub fn from_answers<E>(
        mut accepts: impl FnMut(&[&str]) -> Result<bool, E>,
    ) -> Result<Option<Self>, E> {
        let common = ["--warm-up-time", "1", "--measurement-time", "1", "--sample-size", "10"];
        if !accepts(&common)? {
            return Ok(None);
        }
        let exact = accepts(&["--exact"])?;
        Ok(Some(Self {
            exact,
            fractional_seconds: accepts(&["--measurement-time", "0.01"])?,
            no_plot: accepts(&["--noplot"])?,
            resamples: accepts(&["--nresamples", "1001"])?,
            quick: has_measured_quick(accepts(&["--quick"])?, exact),
            is_bench_apart: false,
        }))
    }

    /// Arguments that measure the one benchmark that `--list` calls `title`.
    pub fn round(&self, title: &str, settings: &Settings, pace: Pace) -> Vec<String> {
        let mut arguments = vec!["--bench".to_owned()];
        if pace == Pace::Quick {
            arguments.push("--quick".to_owned());
        }
        let mut option = |name: &str, value: String| arguments.extend([name.to_owned(), value]);
        match pace {
            Pace::Settings => {
                option("--warm-up-time", self.seconds(settings.warm_up));
                option("--measurement-time", self.seconds(settings.measurement));
                option("--sample-size", settings.sample_size.to_string());
            }
            Pace::Quick => {
                option("--measurement-time", self.seconds(settings.measurement.max(QUICK)));
                // It continues until two samples agree this well: when to stop must not depend on the
                // measured values.
                option("--significance-level", "0.99".to_owned());
            }
        }
        if self.resamples {
            // The least Criterion takes without a warning; its intervals are not used.
            option("--nresamples", "1001".to_owned());
        }
        if self.no_plot {
            arguments.push("--noplot".to_owned());
        }
        arguments.extend(self.only(title));
        arguments
    }

    /// Arguments that run the one benchmark that `--list` calls `title` for one iteration.
    pub fn once(&self, title: &str) -> Vec<String> {
        let mut arguments = vec!["--test".to_owned()];
        if !self.is_bench_apart {
            arguments.insert(0, "--bench".to_owned());
        }
        arguments.extend(self.only(title));
        arguments
    }

    fn only(&self, title: &str) -> Vec<String> {
        let (cut, whole) = match beginning(title) {
            Some(start) => (true, start),
            None => (false, title),
        };
        if self.exact && !cut {
            let mut arguments = vec!["--exact".to_owned(), whole.to_owned()];
            if whole.starts_with('-') {
                // Otherwise it would be an option.
                arguments.insert(1, "--".to_owned());
            }
            arguments
        } else {
            let end = if cut { "" } else { "$" };
            vec![format!("^{}{end}", escape(whole))]
        }
    }

    /// Shortest time of a round at [`Pace::Settings`] of a benchmark that sets no times itself.
    pub fn shortest(&self, settings: &Settings) -> Duration {
        self.taken(settings.warm_up) + self.taken(settings.measurement)
    }

    /// The times that [`round`](Self::round) asks for, in nanoseconds: a value that equals one was not measured.
    pub fn limits(&self, settings: &Settings, pace: Pace) -> [f64; 2] {
        let times = match pace {
            Pace::Settings => [self.taken(settings.warm_up), self.taken(settings.measurement)],
            Pace::Quick => [self.taken(settings.measurement.max(QUICK)); 2],
        };
        times.map(|time| time.as_secs_f64() * 1e9)
    }

    fn seconds(&self, duration: Duration) -> String {
        self.taken(duration).as_secs_f64().to_string()
    }

    /// The nearest duration that it takes, of at least this one.
    fn taken(&self, duration: Duration) -> Duration {
        if self.fractional_seconds {
            return duration;
        }
        let begun = u64::from(duration.subsec_nanos() > 0);
        Duration::from_secs((duration.as_secs() + begun).max(1))
    }
}

/// Whether `--quick` measures. That of 0.4 writes 1 ms, whatever it is, of a benchmark of which one iteration takes longer
/// than the measuring time. 0.5 came with `--exact`.
fn has_measured_quick(has_quick: bool, has_exact: bool) -> bool {
    has_quick && has_exact
}

/// Criterion cuts titles to this many bytes before it appends three dots.
pub const TITLE_LIMIT: usize = 100;

/// The beginning of an id of which a title has no more; a second title of the same beginning has a number
/// behind it. `None` when the title is the id.
pub fn beginning(title: &str) -> Option<&str> {
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    let unnumbered = title.rsplit_once(" #").filter(|(_, number)| is_number(number));
    [Some(title), unnumbered.map(|(start, _)| start)]
        .into_iter()
        .flatten()
        .find_map(|title| title.strip_suffix("...").filter(|_| title.len() >= TITLE_LIMIT))
}

/// Escapes what means something in a regular expression.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// The titles that a `--list` printed, in its order.
pub fn titles(list: &str) -> Vec<String> {
    list.lines()
        .filter_map(|line| {
            line.strip_suffix(": benchmark").or_else(|| line.strip_suffix(": bench"))
        })
        .map(str::to_owned)
        .collect()
}

/// Whether a process measured although it was asked something else: its `main` does not pass its arguments on.
pub fn measures_unasked(stdout: &str) -> bool {
    stdout.lines().any(|line| line.contains("time:   [") && line.ends_with(']'))
}

/// Units of time that Criterion's wall-clock measurement prints.
const TIMES: [&str; 6] = ["ps", "ns", "µs", "us", "ms", "s"];

/// Whether a round measured another quantity than time, by the unit that it printed.
pub fn is_custom(stdout: &str) -> bool {
    let interval =
        |line: &str| line.split_once("time:   [")?.1.strip_suffix(']').map(str::to_owned);
    // Value and unit three times; a unit may have spaces, or be none.
    let unit = |interval: String| Some(interval.rsplit_once(' ')?.1.to_owned());
    stdout.lines().filter_map(interval).any(|it| unit(it).is_none_or(|it| !TIMES.contains(&&*it)))
}

/// The unit of a round's value, where what it printed is not scaled: `[288 cycles 289 cycles 290 cycles]` of 289.
pub fn unit_of(stdout: &str, value: f64) -> Option<String> {
    /// A scale of units is larger.
    const SCALED: f64 = 5.0;
    stdout.lines().find_map(|line| {
        let interval = line.split_once("time:   [")?.1.strip_suffix(']')?;
        let words: Vec<&str> = interval.split(' ').collect();
        let [first, [shown, unit @ ..], last] =
            words.chunks(words.len().div_ceil(3)).collect::<Vec<_>>()[..]
        else {
            return None;
        };
        let is_of_all = [first, last].iter().all(|other| other.get(1..) == Some(unit));
        let ratio = shown.parse::<f64>().ok()? / value;
        (is_of_all && (1.0 / SCALED..SCALED).contains(&ratio)).then(|| unit.join(" "))
    })
}

/// The first error that Criterion printed, for it prints errors to stdout and exits with 0.
pub fn reported_error(stdout: &str) -> Option<&str> {
    stdout
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("Criterion.rs ERROR") || line.starts_with("Criterion ERROR"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings {
        warm_up: Duration::from_millis(5),
        measurement: Duration::from_millis(30),
        sample_size: 10,
    };
    const NEW_HELP: &str =
        "--warm-up-time --measurement-time --sample-size --nresamples --noplot --quick --exact";
    const OLD_HELP: &str = "--warm-up-time --measurement-time --sample-size --nresamples --noplot";

    #[test]
    fn a_new_executable_is_asked_for_the_exact_name_and_milliseconds() {
        let options = Options::from_help(NEW_HELP).unwrap();
        insta::assert_snapshot!(
            options.round("a (b)/c", &SETTINGS, Pace::Settings).join(" "),
            @"--bench --warm-up-time 0.005 --measurement-time 0.03 --sample-size 10 --nresamples 1001 --noplot --exact a (b)/c"
        );
    }

    #[test]
    fn settings_inside_a_bench_are_left_behind_by_a_quick_round() {
        let options = Options::from_help(NEW_HELP).unwrap();
        insta::assert_snapshot!(
            options.round("a/b", &SETTINGS, Pace::Quick).join(" "),
            @"--bench --quick --measurement-time 0.1 --significance-level 0.99 --nresamples 1001 --noplot --exact a/b"
        );
        assert!(options.has_quick());
        assert!(!Options::from_help(OLD_HELP).unwrap().has_quick());
    }

    #[test]
    fn the_quick_way_of_criterion_0_4_is_not_taken() {
        let of_0_4 = NEW_HELP.replace(" --exact", "");
        let options = Options::from_help(&of_0_4).unwrap();
        assert!(!options.has_quick());
        // All else is as in 0.5.
        assert_eq!(options.shortest(&SETTINGS), Duration::from_millis(35));
        let asked = Options::from_answers(|more| Ok::<_, ()>(more != ["--exact"])).unwrap();
        assert_eq!(asked, Some(options));
    }

    #[test]
    fn an_old_executable_is_asked_by_an_escaped_pattern_and_whole_seconds() {
        let options = Options::from_help(OLD_HELP).unwrap();
        insta::assert_snapshot!(
            options.round("a (b)/c+1.5", &SETTINGS, Pace::Settings).join(" "),
            @r"--bench --warm-up-time 1 --measurement-time 1 --sample-size 10 --nresamples 1001 --noplot ^a \(b\)/c\+1\.5$"
        );
    }

    #[test]
    fn a_title_that_criterion_cut_is_matched_by_its_beginning() {
        let title = format!("{}...", "x".repeat(100));
        let arguments =
            Options::from_help(NEW_HELP).unwrap().round(&title, &SETTINGS, Pace::Settings);
        assert_eq!(arguments.last(), Some(&format!("^{}", "x".repeat(100))));
        let second = Options::from_help(NEW_HELP).unwrap().once(&format!("{title} #2"));
        assert_eq!(second.last(), arguments.last());
        let short =
            Options::from_help(NEW_HELP).unwrap().round("wait...", &SETTINGS, Pace::Settings);
        assert_eq!(short.last().map(String::as_str), Some("wait..."));
    }

    #[test]
    fn a_help_of_another_harness_is_not_criterions() {
        assert_eq!(Options::from_help("Usage: bench [--test] [FILTERS...]"), None);
    }

    #[test]
    fn an_executable_without_a_help_is_asked_option_by_option() {
        let asked = |refused: &[&str]| {
            let mut answers = Vec::new();
            let options = Options::from_answers(|arguments| {
                answers.push(arguments.join(" "));
                Ok::<_, ()>(!arguments.iter().any(|argument| refused.contains(argument)))
            });
            (options.unwrap(), answers.len())
        };
        assert_eq!(asked(&[]), (Options::from_help(NEW_HELP), 6));
        assert_eq!(asked(&["--exact", "0.01", "--quick"]), (Options::from_help(OLD_HELP), 6));
        // One refusal of what every Criterion takes is enough.
        assert_eq!(asked(&["--warm-up-time"]), (None, 1));
    }

    #[test]
    fn an_id_that_begins_with_a_dash_is_no_option() {
        let options = Options::from_help(NEW_HELP).unwrap();
        for id in ["-1", "--besteffort", "-1234/x"] {
            let arguments = options.round(id, &SETTINGS, Pace::Settings);
            assert!(
                arguments.ends_with(&["--exact", "--", id].map(str::to_owned)),
                "{arguments:?}"
            );
            assert_eq!(options.once(id), ["--bench", "--test", "--exact", "--", id]);
        }
    }

    #[test]
    fn where_bench_excludes_other_modes_it_is_given_to_measure_alone() {
        let options = Options::from_help(NEW_HELP).unwrap().with_bench_apart();
        assert_eq!(options.once("a"), ["--test", "--exact", "a"]);
        assert_eq!(options.round("a", &SETTINGS, Pace::Quick)[0], "--bench");
    }

    #[test]
    fn a_process_that_measures_whatever_it_is_asked_is_known_by_its_times() {
        let measured = "a/b                     time:   [1.2 ns 1.3 ns 1.4 ns]\n";
        assert!(measures_unasked(measured));
        assert!(!measures_unasked("time:   [1: benchmark\n"));
    }

    #[test]
    fn another_quantity_than_time_is_known_by_its_unit() {
        let is_custom = |interval: &str| is_custom(&format!("a  time:   [{interval}]\n"));
        for interval in ["1.2 ns 1.3 ns 1.4 ns", "1.2 ms 1.3 ms 1.4 ms", "9 µs 9.1 µs 9.2 µs"] {
            assert!(!is_custom(interval), "{interval}");
        }
        for interval in ["288 cycles 289 cycles 290 cycles", "1.2 1.3 1.4", "1"] {
            assert!(is_custom(interval), "{interval}");
        }
        assert!(!super::is_custom("Benchmarking a: Warming up\n"));
    }

    #[test]
    fn the_unit_of_a_value_is_that_which_was_printed_unless_it_was_scaled() {
        let unit = |interval: &str| super::unit_of(&format!("a  time:   [{interval}]\n"), 289.0);
        assert_eq!(unit("288 cycles 289 cycles 290 cycles").as_deref(), Some("cycles"));
        assert_eq!(
            unit("288 cache misses 289 cache misses 290 cache misses").unwrap(),
            "cache misses"
        );
        assert_eq!(unit("0.28 kcycles 0.289 kcycles 0.29 kcycles"), None);
        for odd in ["288 289 290", "1", "", "a b c d e f"] {
            assert!(unit(odd).is_none_or(|unit| unit.is_empty()), "{odd}");
        }
    }

    #[test]
    fn both_spellings_of_a_list_are_read_and_colons_in_names_are_kept() {
        let list = "Gnuplot not found, using plotters backend\na: b: benchmark\nc: bench\n\n";
        assert_eq!(titles(list), ["a: b", "c"]);
    }

    #[test]
    fn an_error_that_criterion_prints_and_survives_is_found() {
        let stdout = "x time: [1 ns]\nCriterion.rs ERROR: Failed to access file \"/nope\"\n";
        assert_eq!(
            reported_error(stdout),
            Some("Criterion.rs ERROR: Failed to access file \"/nope\"")
        );
        assert_eq!(reported_error("all is well"), None);
    }
}
