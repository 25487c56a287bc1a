//! The formats of `/proc` and `/sys`.

/// The first value of a key in a `key : value` file.
pub fn field(text: &str, key: &str) -> Option<String> {
    fields(text, key).next().map(str::to_owned)
}

/// Every value of a key in a `key : value` file that says something.
pub fn fields<'a>(text: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .filter(move |(name, _)| name.trim() == key)
        .map(|(_, value)| value.trim())
        .filter(|value| !value.is_empty())
}

/// Family, model and stepping of the first CPU; on Arm what stands for them.
pub fn stepping(cpuinfo: &str) -> Option<String> {
    let joined = |keys: &[&str]| {
        let values = keys.iter().map(|key| field(cpuinfo, key));
        values.collect::<Option<Vec<_>>>().map(|values| values.join("."))
    };
    let of_x86 = joined(&["cpu family", "model", "stepping"]);
    of_x86.or_else(|| joined(&["CPU implementer", "CPU part", "CPU variant", "CPU revision"]))
}

/// A line of `/proc/meminfo`, in KiB.
pub fn kib(meminfo: &str, key: &str) -> Option<u64> {
    field(meminfo, key)?.split_whitespace().next()?.parse().ok()
}

/// A switch that is a digit.
pub fn switch(text: &str) -> Option<bool> {
    match text.trim() {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    }
}

/// Whether frequency boost is on: Intel's driver says when it is off, the others when it is on.
pub fn boost(no_turbo: Option<&str>, boost: Option<&str>) -> Option<bool> {
    no_turbo.and_then(switch).map(|off| !off).or_else(|| boost.and_then(switch))
}

/// The choice in force of a file such as `always [madvise] never`.
pub fn chosen(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('[')?;
    rest.split_once(']').map(|(chosen, _)| chosen)
}

/// A size for people.
pub(crate) fn gib(kib: u64) -> String {
    let tenths = u128::from(kib) * 10 / (1024 * 1024);
    format!("{}.{} GiB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_the_first_of_its_name_that_says_something() {
        let text = "processor\t: 0\nmodel name\t: Example 9000\nmicrocode\t: 0x1\nflags\t:\n\
                    processor\t: 1\nmodel name\t: Another\n";
        assert_eq!(field(text, "model name").as_deref(), Some("Example 9000"));
        assert_eq!(fields(text, "model name").count(), 2);
        assert_eq!(field(text, "flags"), None);
        assert_eq!(field(text, "none"), None);
    }

    #[test]
    fn cpus_of_one_name_are_told_apart_by_family_model_and_stepping() {
        let x86 = "cpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC\nstepping\t: 1\n";
        assert_eq!(stepping(x86).as_deref(), Some("25.1.1"));
        let arm = "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\n\
                   CPU part\t: 0xd0c\nCPU revision\t: 1\n";
        assert_eq!(stepping(arm).as_deref(), Some("0x41.0xd0c.0x3.1"));
        assert_eq!(
            stepping("model name\t: Example 9000\nmodel\t: 1\n"),
            None,
            "a part of it is not enough"
        );
    }

    #[test]
    fn memory_is_in_kib_and_nonsense_is_none() {
        assert_eq!(kib("MemTotal:       24682416 kB\n", "MemTotal"), Some(24_682_416));
        assert_eq!(kib("MemTotal:       many kB\n", "MemTotal"), None);
        assert_eq!(kib("", "MemTotal"), None);
        assert_eq!(gib(24_682_416), "23.5 GiB");
        assert_eq!(gib(u64::MAX), "17592186044415.9 GiB");
    }

    #[test]
    fn both_ways_to_tell_about_boost_are_understood() {
        for (no_turbo, other, expected) in [
            (Some("1\n"), None, Some(false)),
            (Some("0"), Some("0"), Some(true)),
            (None, Some("1"), Some(true)),
            (None, None, None),
            (Some("?"), None, None),
        ] {
            assert_eq!(boost(no_turbo, other), expected);
        }
    }

    #[test]
    fn the_choice_in_force_stands_in_brackets() {
        assert_eq!(chosen("always [madvise] never\n"), Some("madvise"));
        assert_eq!(chosen("always madvise never"), None);
        assert_eq!(chosen("]["), None);
    }
}
