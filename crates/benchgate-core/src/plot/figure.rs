//! The frame of a figure.

use maud::{Markup, PreEscaped, html};

/// Colours and strokes of all figures, light and dark.
const STYLE: &str = include_str!("figure.css");

/// A figure of a size in pixels, which the page may scale.
pub struct Figure<'a> {
    /// Unique on its page: its title and description are found by it.
    pub id: &'a str,
    /// The title.
    pub title: &'a str,
    /// A description for readers who do not see the figure.
    pub description: &'a str,
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
}

impl Figure<'_> {
    /// The figure with what is drawn in it.
    pub fn with(&self, drawn: &Markup) -> Markup {
        let size = format!("0 0 {} {}", self.width, self.height);
        let (title, description) = (format!("{}-title", self.id), format!("{}-text", self.id));
        html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox=(size) width=(self.width) height=(self.height)
                role="img" aria-labelledby={ (title) " " (description) } {
                title id=(title) { (self.title) }
                desc id=(description) { (self.description) }
                (drawn)
            }
        }
    }
}

/// A figure as a separate file, with its colours and a ground.
pub fn file(figure: &Markup) -> String {
    let ground = html! {
        style { (PreEscaped(STYLE)) "svg { font-family: sans-serif; } .ground { fill: var(--paper); }" }
        rect class="ground" width="100%" height="100%" {}
    };
    // Behind the description, which comes first for whoever hears it.
    figure.0.replacen("</desc>", &format!("</desc>{}", ground.0), 1) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_colours_and_a_ground_below_what_is_drawn() {
        let figure = Figure { id: "f", title: "T", description: "D", width: 10.0, height: 5.0 };
        let file = file(&figure.with(&html! { path class="zero" d="M0 0H1" {} }));
        let parts = [
            "<svg ",
            "<title",
            "</desc>",
            "--paper: #0d1117",
            "class=\"ground\"",
            "class=\"zero\"",
            "</svg>\n",
        ];
        let places: Vec<_> = parts.iter().map(|part| file.find(part)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{file}");
    }
}
