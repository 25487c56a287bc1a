//! Elements that all figures share: marks with a tone, lines across a plot, coordinates.

use maud::{Markup, html};

/// The meaning of a mark, which decides its colour and shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Proven worse at the failing level, or not measured.
    Worse,
    /// Worth a look.
    Caution,
    /// Proven better.
    Better,
    /// No notable change.
    Even,
    /// Not proven either way.
    Open,
}

impl Tone {
    /// Its class in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Caution => "caution",
            Self::Better => "better",
            Self::Even => "even",
            Self::Open => "open",
        }
    }
}

/// A line across a plot, such as a threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its position, as the natural logarithm of head to base.
    pub log: f64,
    /// Its label: `critical +10 %`.
    pub label: String,
}

/// A coordinate with the digits that a screen shows.
pub(super) fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The shape that stands for a tone, so that no figure hangs on colour alone.
pub(super) fn mark(tone: Tone, x: f64, y: f64, size: f64) -> Markup {
    let (left, right, top, bottom) = (px(x - size), px(x + size), px(y - size), px(y + size));
    let (middle, level) = (px(x), px(y));
    let path = match tone {
        Tone::Worse | Tone::Caution => format!("M{left} {bottom}H{right}L{middle} {top}Z"),
        Tone::Better => format!("M{left} {top}H{right}L{middle} {bottom}Z"),
        Tone::Open => format!("M{left} {level}L{middle} {top}L{right} {level}L{middle} {bottom}Z"),
        Tone::Even => {
            return html! { circle class="mark even" cx=(middle) cy=(level) r=(px(size * 0.8)) {} };
        }
    };
    html! { path class={ "mark " (tone.class()) } d=(path) {} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coordinate_has_one_digit_or_none() {
        assert_eq!([px(12.0), px(0.04), px(-3.26)], ["12", "0", "-3.3"]);
    }

    #[test]
    fn every_tone_has_a_shape_of_its_own_or_a_fill_of_its_own() {
        let all = [Tone::Worse, Tone::Caution, Tone::Better, Tone::Even, Tone::Open];
        let shapes: std::collections::BTreeSet<String> =
            all.iter().map(|tone| mark(*tone, 10.0, 10.0, 4.0).into_string()).collect();
        assert_eq!(shapes.len(), all.len());
    }
}
