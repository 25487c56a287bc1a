//! The machine and the toolchain, on which results depend in addition to the code.

use serde::{Deserialize, Serialize};

/// The fingerprint of the machine that measured. A field that the machine does not report is empty or
/// `None`, never guessed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Machine {
    /// Folder name under `baselines/`.
    pub name: String,
    /// CPU model as the kernel names it.
    pub cpu: String,
    /// Family, model and stepping: virtual machines name CPUs of several generations alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stepping: Option<String>,
    /// Logical processors online.
    pub cores: u32,
    /// Microcode revision.
    pub microcode: Option<String>,
    /// Kernel name and release.
    pub kernel: String,
    /// Frequency governor of the first processor.
    pub governor: Option<String>,
    /// Whether frequency boost is on.
    pub boost: Option<bool>,
    /// Whether simultaneous multithreading is active.
    pub smt: Option<bool>,
    /// Memory in MiB, rounded to 256 MiB because kernels reserve a little more or less at each boot.
    pub memory_mib: u64,
}

/// The toolchain that built the measured executables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Toolchain {
    /// First line of `rustc --version --verbose`, with the commit.
    pub rustc: String,
    /// Host target triple.
    pub host: String,
    /// rustflags in force.
    pub rustflags: String,
    /// Profile settings that the gate set or found.
    pub profile: String,
    /// SHA-256 of the head's `Cargo.lock`; `None` without one.
    pub lockfile: Option<String>,
    /// Runtimes that suites run on in addition to the machine, such as a Java virtual machine, or what leads them in lockstep.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runtimes: Vec<String>,
}

impl Machine {
    /// The fields in which two machines differ, as `field: this, not that`; empty when values of the
    /// two may be compared.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        // Destructured in full, so that a new field cannot be forgotten here. The name is a label.
        let Self {
            name: _,
            cpu,
            stepping,
            cores,
            microcode,
            kernel,
            governor,
            boost,
            smt,
            memory_mib,
        } = self;
        let mut fields = Vec::new();
        differ(&mut fields, "cpu", cpu, &other.cpu);
        // Records of earlier versions do not have it.
        if let (Some(this), Some(that)) = (stepping, &other.stepping) {
            differ(&mut fields, "stepping", this, that);
        }
        differ(&mut fields, "cores", cores, &other.cores);
        differ(&mut fields, "microcode", &shown(microcode), &shown(&other.microcode));
        differ(&mut fields, "kernel", kernel, &other.kernel);
        differ(&mut fields, "governor", &shown(governor), &shown(&other.governor));
        differ(&mut fields, "boost", &shown(boost), &shown(&other.boost));
        differ(&mut fields, "smt", &shown(smt), &shown(&other.smt));
        differ(&mut fields, "memory_mib", memory_mib, &other.memory_mib);
        fields
    }
}

impl Toolchain {
    /// The fields in which two toolchains differ. The lock file is ignored: a changed dependency is
    /// something to measure, not a reason to refuse.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let Self { rustc, host, rustflags, profile, lockfile: _, runtimes } = self;
        let mut fields = Vec::new();
        differ(&mut fields, "rustc", rustc, &other.rustc);
        differ(&mut fields, "host", host, &other.host);
        differ(&mut fields, "rustflags", rustflags, &other.rustflags);
        differ(&mut fields, "profile", profile, &other.profile);
        // A run without such suites has none, and a record of other suites does not depend on them.
        if !runtimes.is_empty() && !other.runtimes.is_empty() {
            differ(&mut fields, "runtime", &runtimes.join(", "), &other.runtimes.join(", "));
        }
        fields
    }
}

fn differ<T: PartialEq + std::fmt::Display>(
    found: &mut Vec<String>,
    field: &str,
    this: &T,
    that: &T,
) {
    if this != that {
        found.push(format!("{field}: {this}, not {that}"));
    }
}

fn shown<T: std::fmt::Display>(value: &Option<T>) -> String {
    value.as_ref().map_or_else(|| "unknown".to_owned(), ToString::to_string)
}

/// A name that is safe as a folder: lower-case letters, digits, dots and single dashes.
pub fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    // "(R)" and "(TM)" would leave stray letters in the name.
    let text =
        text.replace("(R)", " ").replace("(TM)", " ").replace("(r)", " ").replace("(tm)", " ");
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '.' {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_safe_as_a_folder_name() {
        for (text, expected) in [
            ("Intel(R) Xeon(R) Processor @ 2.60GHz", "intel-xeon-processor-2.60ghz"),
            ("AMD Ryzen 9 7950X 16-Core Processor", "amd-ryzen-9-7950x-16-core-processor"),
            ("../../etc/passwd", "etc-passwd"),
            ("", ""),
            ("ß√", ""),
        ] {
            assert_eq!(slug(text), expected, "{text}");
        }
    }

    #[test]
    fn a_machine_differs_from_another_only_in_what_moves_results() {
        let machine = Machine { name: "a".into(), cpu: "x".into(), cores: 2, ..Machine::default() };
        let renamed = Machine { name: "b".into(), ..machine.clone() };
        assert_eq!(machine.differences(&renamed), Vec::<String>::new());
        let updated = Machine { kernel: "6.18".into(), boost: Some(true), ..machine.clone() };
        assert_eq!(
            updated.differences(&machine),
            ["kernel: 6.18, not ", "boost: true, not unknown"]
        );
    }

    #[test]
    fn a_cpu_of_the_same_name_and_another_generation_is_another_machine() {
        let with = |stepping: Option<&str>| Machine {
            cpu: "AMD EPYC".into(),
            stepping: stepping.map(str::to_owned),
            ..Machine::default()
        };
        let (zen3, zen4) = (with(Some("25.1.1")), with(Some("25.17.1")));
        assert_eq!(zen4.differences(&zen3), ["stepping: 25.17.1, not 25.1.1"]);
        assert!(zen4.differences(&with(None)).is_empty(), "a record of an earlier version");
    }

    #[test]
    fn a_changed_lock_file_is_not_another_toolchain() {
        let one = Toolchain { lockfile: Some("a".into()), ..Toolchain::default() };
        let two = Toolchain { lockfile: Some("b".into()), ..Toolchain::default() };
        assert!(one.differences(&two).is_empty());
    }

    #[test]
    fn another_virtual_machine_is_another_toolchain_for_what_runs_on_one() {
        let with = |runtime: &str| Toolchain {
            runtimes: vec![runtime.to_owned()],
            ..Toolchain::default()
        };
        assert_eq!(with("17").differences(&with("21")), ["runtime: 17, not 21"]);
        assert!(with("17").differences(&Toolchain::default()).is_empty());
        assert!(Toolchain::default().differences(&with("17")).is_empty());
    }
}
