//! The points for a terminal, the most urgent first.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::{Diagnosis, State};

/// The report, coloured with ANSI sequences.
pub fn terminal(diagnosis: &Diagnosis) -> String {
    let mut text = String::new();
    for state in State::ALL {
        let ansi = style(state);
        for point in diagnosis.points.iter().filter(|point| point.state == state) {
            let name = state.name();
            let _ = writeln!(text, "{ansi}{name:<8}{ansi:#}  {}: {}", point.name, point.found);
            let _ = writeln!(text, "    why   {}", point.why);
            if !point.fix.is_empty() {
                let _ = writeln!(text, "    fix   {}", point.fix);
            }
        }
    }
    let counts: Vec<String> = State::ALL
        .into_iter()
        .filter(|state| diagnosis.count(*state) > 0)
        .map(|state| format!("{} {}", diagnosis.count(state), state.name()))
        .collect();
    let _ = writeln!(text, "\n{}", counts.join(", "));
    text
}

fn style(state: State) -> Style {
    match state {
        State::Blocking => AnsiColor::Red.on_default().bold(),
        State::Advice => AnsiColor::Yellow.on_default(),
        State::Ok => AnsiColor::Green.on_default(),
        State::Unknown => Style::new(),
    }
}
