//! The frame of a figure.

use maud::{Markup, html};

/// A figure of a size in pixels, which the page may scale.
pub struct Figure<'a> {
    /// Unique on its page: its title and description are found by it.
    pub id: &'a str,
    /// What it shows.
    pub title: &'a str,
    /// What is to be seen, for whoever does not see it.
    pub description: &'a str,
    /// In pixels.
    pub width: f64,
    /// In pixels.
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
