//! Options that all commands share: colour and amount of output, and the format of reports.

use benchgate_core::report::{RENDERERS, Renderer, renderer};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

/// How the program talks.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Colour of the output; `auto` also follows NO_COLOR and CLICOLOR_FORCE
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value = "auto")]
    pub(crate) color: Color,
    /// Also print every line of cargo and of builds
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Print results and errors only, no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
}

/// When output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

/// A format of a report: the name of a renderer.
#[derive(Clone, Copy)]
pub(crate) struct Format(pub(crate) &'static Renderer);

impl Format {
    pub(super) fn parser() -> impl TypedValueParser<Value = Self> {
        let values = RENDERERS.iter().map(|it| PossibleValue::new(it.name).help(it.about));
        let parser = PossibleValuesParser::new(values);
        parser.try_map(|name| renderer(&name).map(Self).ok_or("unknown format"))
    }
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name)
    }
}
