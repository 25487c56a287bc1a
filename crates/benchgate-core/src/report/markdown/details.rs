//! The details of the measurement, folded at the end.

use std::fmt::Write as _;

use super::escape::{code, inline};
use crate::model::Machine;
use crate::report::summary;
use crate::report::text::{seconds, short};
use crate::result::{Origin, RunResult};

/// `again` is the command that measures everything again, where one is shown.
pub(super) fn details(result: &RunResult, again: Option<&str>) -> String {
    let mut text = String::from("<details><summary>How this was measured</summary>\n\n");
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            let _ = writeln!(text, "- {name}: {value}");
        }
    };
    line("method", summary::method(result).to_owned());
    line("base", origin(&result.base));
    line("head", origin(&result.head));
    if let Some(machine) = &result.machine {
        line("machine", code(&machine_line(machine)));
    }
    if let Some(toolchain) = &result.toolchain {
        line("toolchain", code(&toolchain.rustc));
        line("profile", code(&toolchain.profile));
        for runtime in &toolchain.runtimes {
            line("runtime", code(runtime));
        }
        if !toolchain.rustflags.is_empty() {
            line("rustflags", code(&toolchain.rustflags));
        }
    }
    line(
        "sandbox",
        result.sandbox.as_ref().map(|sandbox| inline(&sandbox.words())).unwrap_or_default(),
    );
    line("memory", summary::memory(result).map(|words| inline(&words)).unwrap_or_default());
    line(
        "time",
        format!(
            "{} building, {} measuring; {}",
            seconds(result.seconds.build),
            seconds(result.seconds.measure),
            inline(&result.time)
        ),
    );
    line("seed", result.seed.to_string());
    line("again", again.map(code).unwrap_or_default());
    line("written by", format!("benchgate {}", inline(&result.version)));
    text.push_str("\n</details>\n");
    text
}

fn machine_line(machine: &Machine) -> String {
    let labelled = |name: &str, value: Option<String>| value.map(|v| format!(", {name} {v}"));
    let switch = |on: bool| if on { "on" } else { "off" }.to_owned();
    let mut line = format!(
        "{}: {}, {} cores, {} MiB, {}",
        machine.name, machine.cpu, machine.cores, machine.memory_mib, machine.kernel
    );
    line.extend(labelled("governor", machine.governor.clone()));
    line.extend(labelled("boost", machine.boost.map(switch)));
    line.extend(labelled("SMT", machine.smt.map(switch)));
    line
}

fn origin(origin: &Origin) -> String {
    let dirty = if origin.dirty { ", with uncommitted changes" } else { "" };
    if origin.commit.is_empty() {
        code(&origin.name)
    } else {
        format!("{} ({}{dirty})", code(&origin.name), code(short(&origin.commit)))
    }
}
