//! The command line of a jar with JMH 1.x, and the list that it prints.

use std::collections::BTreeMap;

use super::jmh::id;

/// Arguments that list the benchmarks with their parameters.
pub const LIST: [&str; 1] = ["-lp"];

/// Settings of a round that the suite's own command may override: warm-up and measured iterations, times in
/// nanoseconds, and the bytes that an operation allocates.
///
/// Warm-up and iterations are as short as leaves the compiler nothing to do: `scripts/evidence/java warm-up` measures it.
const SETTINGS: [[&str; 2]; 6] =
    [["-wi", "10"], ["-w", "100ms"], ["-i", "5"], ["-r", "100ms"], ["-tu", "ns"], ["-prof", "gc"]];

/// Settings of every round: one process that fails on an error, the average time of an operation, a JSON file.
const ALWAYS: [[&str; 2]; 4] = [["-f", "1"], ["-foe", "true"], ["-bm", "avgt"], ["-rf", "json"]];

/// Option that names the file.
const FILE: &str = "-rff";

/// A benchmark of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The id: its name, and `/key=value` for each parameter, sorted.
    pub id: String,
    /// Its class and method.
    name: String,
    /// Its parameters, sorted.
    params: BTreeMap<String, String>,
}

/// The benchmarks that a list printed, one for each choice of its parameters.
pub fn list(text: &str) -> Vec<Listed> {
    let mut benchmarks: Vec<(String, Vec<Param<'_>>)> = Vec::new();
    let mut lines = text.lines().skip_while(|line| line.trim() != "Benchmarks:");
    lines.next();
    for line in lines {
        match (param(line), benchmarks.last_mut()) {
            (Some(param), Some((_, params))) => params.push(param),
            (None, _) if is_name(line.trim_end()) => {
                benchmarks.push((line.trim_end().to_owned(), Vec::new()));
            }
            _ => {}
        }
    }
    benchmarks.into_iter().flat_map(|(name, params)| choices(&name, &params)).collect()
}

type Param<'a> = (&'a str, Vec<&'a str>);

/// A line such as `  param "size" = {1, 20}`.
fn param(line: &str) -> Option<Param<'_>> {
    let (name, values) = line.trim().strip_prefix("param \"")?.split_once("\" = {")?;
    Some((name, values.strip_suffix('}')?.split(", ").collect()))
}

/// A class and a method: anything else that a program prints is passed over.
fn is_name(line: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    line.contains('.') && line.split('.').all(is_part)
}

fn choices(name: &str, params: &[Param<'_>]) -> Vec<Listed> {
    let mut choices = vec![BTreeMap::new()];
    for (key, values) in params {
        let with = |chosen: &BTreeMap<String, String>, value: &str| {
            let mut chosen = chosen.clone();
            chosen.insert((*key).to_owned(), value.to_owned());
            chosen
        };
        choices = choices
            .iter()
            .flat_map(|chosen| values.iter().map(move |value| with(chosen, value)))
            .collect();
    }
    let listed = |params| Listed { id: id(name, &params), name: name.to_owned(), params };
    choices.into_iter().map(listed).collect()
}

impl Listed {
    /// Arguments that measure it in one process, behind those of the suite, and write to a file.
    ///
    /// # Errors
    /// When JMH cannot be asked for it alone.
    pub fn round(&self, own: &[String], file: &str) -> Result<Vec<String>, String> {
        if let Some((key, value)) = self.params.iter().find(|(_, value)| value.contains(',')) {
            return Err(format!(
                "its parameter `{key}` is `{value}`, and JMH takes a comma for the start of another value: \
                 give it a name without one"
            ));
        }
        let is_free = |[option, _]: &&[&str; 2]| !own.iter().any(|argument| argument == option);
        let settings = SETTINGS.iter().filter(is_free).chain(&ALWAYS).flatten();
        let params = self.params.iter().map(|(key, value)| format!("{key}={value}"));
        Ok(settings
            .map(|argument| (*argument).to_owned())
            .chain([FILE.to_owned(), file.to_owned()])
            .chain(params.flat_map(|param| ["-p".to_owned(), param]))
            // A name is part of a regular expression there: `$` and `.` mean themselves within quotes.
            .chain([format!(r"^\Q{}\E$", self.name)])
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of JMH 1.37.
    const LISTED: &str = "\
WARNING: something of the virtual machine
Benchmarks: 
p.Probe.alloc
  param \"size\" = {1, 20}
  param \"kind\" = {a, b}
p.Simple.log
p.Outer$Inner.run_1
";

    #[test]
    fn each_choice_of_parameters_is_a_benchmark() {
        let ids: Vec<String> = list(LISTED).into_iter().map(|listed| listed.id).collect();
        assert_eq!(
            ids,
            [
                "p.Probe.alloc/kind=a/size=1",
                "p.Probe.alloc/kind=b/size=1",
                "p.Probe.alloc/kind=a/size=20",
                "p.Probe.alloc/kind=b/size=20",
                "p.Simple.log",
                "p.Outer$Inner.run_1",
            ]
        );
        assert_eq!(list("usage: tool [-h]\nBenchmarked.things\n"), []);
    }

    #[test]
    fn a_round_is_one_fork_of_one_benchmark_and_settings_of_the_suite_win() {
        let listed = list(LISTED);
        let words = |at: usize, options: &[&str]| {
            let options: Vec<String> = options.iter().map(|word| (*word).to_owned()).collect();
            listed[at].round(&options, "r.json").unwrap().join(" ")
        };
        insta::assert_snapshot!(words(1, &["-jar", "b.jar"]));
        insta::assert_snapshot!(words(5, &["-wi", "3", "-prof", "stack"]));
    }

    #[test]
    fn a_parameter_with_a_comma_cannot_be_asked_for() {
        let listed = list("Benchmarks:\np.A.a\n  param \"k\" = {1,2}\n");
        insta::assert_snapshot!(listed[0].round(&[], "r.json").unwrap_err());
    }
}
