//! The flags of `check`, each with its field of the request: one table for the command that repeats a run, and for
//! what shards and attempts must have in common.

use std::path::Path;

use benchgate_core::policy::{Runtime, Thresholds};
use benchgate_core::report::option;

use super::{Base, CheckRequest, MeasureRequest, Selection};

/// A flag of `check`, as a request gives it.
pub(crate) struct Flag {
    /// Its name, with `--`.
    name: &'static str,
    /// Entries, one for each time that it is given: its value, or `None` of a switch.
    given: Vec<Option<String>>,
    /// Whether it decides measurements and builds: shards of a run and attempts on a change share it. What
    /// the policy takes up is compared with the policy.
    is_shared: bool,
}

impl Flag {
    fn switch(name: &'static str, is_given: bool) -> Self {
        Self { name, given: vec![None; usize::from(is_given)], is_shared: false }
    }

    fn value(name: &'static str, value: Option<impl AsRef<str>>) -> Self {
        Self::list(name, value.as_slice())
    }

    fn list(name: &'static str, values: &[impl AsRef<str>]) -> Self {
        let given = values.iter().map(|value| Some(value.as_ref().to_owned()));
        Self { name, given: given.collect(), is_shared: false }
    }

    fn shared(self) -> Self {
        Self { is_shared: true, ..self }
    }

    /// The flag as a shell and the parser take it, once for each time that it is given.
    fn words(&self) -> Vec<String> {
        let words = |value: &Option<String>| match value {
            Some(value) => option(self.name, value),
            None => self.name.to_owned(),
        };
        self.given.iter().map(words).collect()
    }
}

impl MeasureRequest {
    /// Returns the flags that commands which measure have in common.
    fn flags(&self) -> Vec<Flag> {
        let Self {
            selection,
            policy,
            pairs,
            machine,
            features,
            no_default_features,
            all_features,
            runtime,
            cargo_options,
            jobs,
            manifest_path,
        } = self;
        let Selection { filter, suites, packages, exclude, sensitive } = selection;
        vec![
            Flag::switch("--sensitive", *sensitive).shared(),
            Flag::value("--policy", path(policy.as_deref())),
            Flag::value("--pairs", pairs.map(|pairs| pairs.to_string())),
            Flag::value("--machine", machine.as_ref()),
            Flag::list("--filter", filter).shared(),
            Flag::list("--suite", suites).shared(),
            Flag::list("--package", packages).shared(),
            Flag::list("--exclude", exclude).shared(),
            Flag::list("--features", features),
            Flag::switch("--no-default-features", *no_default_features),
            Flag::switch("--all-features", *all_features),
            Flag::value("--runtime", runtime.map(Runtime::name)),
            Flag::switch("--locked", cargo_options.contains(&"--locked")).shared(),
            Flag::switch("--offline", cargo_options.contains(&"--offline")).shared(),
            Flag::value("--jobs", jobs.map(|jobs| jobs.to_string())),
            Flag::value("--manifest-path", path(manifest_path.as_deref())),
        ]
    }

    /// Returns these flags for a shell, in the order of the command.
    pub(crate) fn words(&self) -> Vec<String> {
        self.flags().iter().flat_map(Flag::words).collect()
    }
}

fn path(path: Option<&Path>) -> Option<String> {
    path.map(|path| path.to_string_lossy().into_owned())
}

impl CheckRequest {
    /// Returns every flag, in the order of the command. A field without a flag does not compile.
    fn flags(&self) -> Vec<Flag> {
        let Self {
            base,
            head,
            baseline,
            measure,
            fail_on,
            levels,
            measure_identical,
            budget,
            seed,
            rebuild,
            shard,
            durations,
            resume,
            earlier,
            output,
            open,
        } = self;
        let named = match base {
            Some(Base::Fork(revision) | Base::Exact(revision)) => Some(revision),
            _ => None,
        };
        let is_exact = matches!(base, Some(Base::Exact(_)));
        let anchor = match base {
            Some(Base::LastRelease) => Flag::switch("--anchor", true),
            Some(Base::Release(tag)) => Flag::value("--anchor", Some(tag)),
            _ => Flag::switch("--anchor", false),
        };
        let mut flags = vec![
            Flag::value("--base", named),
            Flag::switch("--exact-base", is_exact),
            anchor,
            Flag::value("--head", head.as_ref()),
            Flag::switch("--baseline", *baseline),
            Flag::switch("--measure-identical", *measure_identical).shared(),
        ];
        flags.extend(measure.flags());
        flags.extend([
            Flag::value("--budget", budget.map(|it| humantime::format_duration(it).to_string())),
            Flag::value("--shard", shard.map(|part| part.to_string())),
            Flag::value("--durations", path(durations.as_deref())),
            Flag::value("--fail-on", fail_on.map(|level| level.name())),
            Flag::value("--levels", levels.map(percentages)),
            Flag::switch("--rebuild", *rebuild),
            Flag::value("--output", path(output.as_deref())),
            Flag::value("--earlier", path(earlier.as_deref())),
            Flag::value("--seed", seed.map(|seed| seed.to_string())),
            Flag::switch("--resume", *resume),
            Flag::switch("--open", *open),
        ]);
        flags
    }

    /// Returns the command of this request, for a shell.
    pub(crate) fn command(&self) -> String {
        let flags = self.flags().into_iter().flat_map(|flag| flag.words());
        let words: Vec<String> =
            std::iter::once("benchgate check".to_owned()).chain(flags).collect();
        words.join(" ")
    }

    /// Returns the flags that shards of a run and attempts on a change share, as one text.
    pub(crate) fn shared(&self) -> String {
        let shared = self.flags().into_iter().filter(|flag| flag.is_shared);
        shared.flat_map(|flag| flag.words()).collect::<Vec<_>>().join(" ")
    }
}

/// Sizes of levels as `--levels` takes them, to a ten-thousandth of a percent.
fn percentages(Thresholds { note, warning, critical }: Thresholds) -> String {
    let percent = |size: f64| ((size * 1e6).round() / 1e4).to_string();
    [note, warning, critical].map(percent).join(",")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use benchgate_core::report::words;
    use clap::{CommandFactory as _, Parser as _};

    use super::*;
    use crate::cli::{Cli, Command, FailOn};

    /// A request with everything that may be asked for at once.
    fn full() -> CheckRequest {
        CheckRequest {
            base: Some(Base::Fork("main".to_owned())),
            head: Some("topic".to_owned()),
            baseline: false,
            measure: MeasureRequest {
                selection: Selection {
                    filter: vec!["a".to_owned(), "b/c".to_owned()],
                    suites: vec!["speed".to_owned()],
                    packages: vec!["parser".to_owned()],
                    exclude: vec!["slow".to_owned()],
                    sensitive: true,
                },
                policy: Some("other.toml".into()),
                pairs: Some(9),
                machine: Some("runner-1".to_owned()),
                runtime: Some(Runtime::Lockstep),
                no_default_features: true,
                all_features: false,
                features: vec!["simd".to_owned(), "parser/fast".to_owned()],
                cargo_options: vec!["--locked", "--offline"],
                jobs: Some(3),
                manifest_path: Some("sub/Cargo.toml".into()),
            },
            fail_on: Some(FailOn::Warning),
            levels: Some(Thresholds { note: 0.02, warning: 0.055, critical: 0.1 }),
            measure_identical: true,
            budget: Some(Duration::from_secs(600)),
            seed: Some(5),
            rebuild: true,
            shard: Some("2/4".parse().unwrap()),
            durations: Some("result.json".into()),
            resume: false,
            earlier: None,
            output: Some("out".into()),
            open: true,
        }
    }

    fn parsed(command: &str) -> CheckRequest {
        let words =
            words(command).unwrap_or_else(|| command.split(' ').map(str::to_owned).collect());
        let Some(Command::Check(arguments)) = Cli::parse_from(words).command else {
            panic!("{command}")
        };
        arguments.into()
    }

    #[test]
    fn the_command_of_a_request_asks_for_the_same_with_its_machine() {
        let alone = CheckRequest { shard: None, durations: None, ..full() };
        let anchored = |base| CheckRequest { base: Some(base), ..CheckRequest::default() };
        for request in [
            full(),
            CheckRequest { earlier: Some("earlier.json".into()), ..alone.clone() },
            CheckRequest { base: Some(Base::Exact("v2".to_owned())), ..alone.clone() },
            CheckRequest { seed: None, resume: true, ..alone.clone() },
            CheckRequest { baseline: true, head: None, ..alone },
            anchored(Base::LastRelease),
            anchored(Base::Release("v1.0.0".to_owned())),
            CheckRequest::default(),
        ] {
            let command = request.command();
            assert_eq!(parsed(&command), request, "{command}");
        }
        assert!(full().command().contains(" --machine runner-1 "), "{}", full().command());
        let spaced = CheckRequest { head: Some("a b".to_owned()), ..CheckRequest::default() };
        assert_eq!(spaced.command(), "benchgate check --head 'a b'");
    }

    #[test]
    fn a_name_filters_as_cargo_bench_does() {
        let named = parsed("benchgate check decode/ large");
        assert_eq!(named.measure.selection.filter, ["*decode/*", "*large*"]);
        assert_eq!(named.command(), "benchgate check --filter '*decode/*' --filter '*large*'");
        let globs = parsed("benchgate check decode/* ?arge");
        assert_eq!(globs.measure.selection.filter, ["decode/*", "?arge"]);
    }

    #[test]
    fn a_value_that_begins_with_a_dash_is_no_flag() {
        let mut request = CheckRequest::default();
        for value in ["-1", "--besteffort"] {
            request.measure.selection.filter = vec![value.to_owned()];
            request.base = Some(Base::Fork(value.to_owned()));
            let command = request.command();
            assert_eq!(parsed(&command), request, "{command}");
        }
    }

    #[test]
    fn the_command_that_a_report_prints_builds_and_judges_as_the_run_did() {
        let mut result = crate::printed::recorded();
        let whole = CheckRequest { shard: None, durations: None, ..full() };
        let anchored = CheckRequest { base: Some(Base::LastRelease), ..whole.clone() };
        let exact = CheckRequest { base: Some(Base::Exact("v2".to_owned())), ..whole.clone() };
        for (request, base) in [
            (whole, Base::Fork(result.base.commit.clone())),
            (anchored, Base::Release(result.base.commit.clone())),
            (exact, Base::Exact(result.base.commit.clone())),
        ] {
            result.reproduce = request.command();
            let again = parsed(&benchgate_core::report::again(&result, None).unwrap());
            let mut expected = CheckRequest {
                base: Some(base),
                head: Some(result.head.commit.clone()),
                budget: None,
                seed: None,
                rebuild: false,
                output: None,
                open: false,
                ..request
            };
            expected.measure.machine = None;
            expected.measure.jobs = None;
            assert_eq!(again, expected, "{}", result.reproduce);
        }
    }

    #[test]
    fn every_flag_of_the_help_is_in_the_table_and_no_other() {
        // They choose what is shown, and not what is run.
        let shown = ["format", "dry-run", "list", "explain-affected"];
        let command = Cli::command();
        let check = command.find_subcommand("check").unwrap();
        let longs = check.get_arguments().filter_map(|argument| argument.get_long());
        let of_help: BTreeSet<String> =
            longs.filter(|name| !shown.contains(name)).map(|name| format!("--{name}")).collect();
        let flags = CheckRequest::default().flags();
        let of_table: BTreeSet<String> = flags.iter().map(|flag| flag.name.to_owned()).collect();
        assert_eq!(of_table, of_help);
        assert_eq!(of_table.len(), flags.len());
    }

    #[test]
    fn shards_share_what_selects_and_builds_and_not_where_and_when_it_runs() {
        assert_eq!(
            full().shared(),
            "--measure-identical --sensitive --filter a --filter b/c --suite speed --package parser \
             --exclude slow --locked --offline"
        );
    }
}
