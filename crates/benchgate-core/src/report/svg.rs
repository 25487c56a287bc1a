//! A picture: the plot of all changes, for a README, a message or a slide.

use super::{Options, html};
use crate::result::RunResult;

/// Style that follows the reader's light or dark.
pub(super) fn svg(result: &RunResult, _: &Options<'_>) -> String {
    html::picture(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn the_picture_has_the_rows_and_the_limits_of_the_page() {
        let result = samples::regression();
        let (picture, page) =
            (svg(&result, &Options::default()), html::html(&result, &Options::default()));
        let (_, figure) = page.split_once("id=\"forest-title\"").unwrap();
        let (figure, _) = figure.split_once("</svg>").unwrap();
        let (_, drawn) = figure.split_once("</desc>").unwrap();
        assert!(drawn.contains("decode/large") && picture.contains(drawn), "{picture}");
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{picture}");
    }

    #[test]
    fn without_a_change_it_is_an_axis() {
        let mut result = samples::regression();
        result.benchmarks.clear();
        let picture = svg(&result, &Options::default());
        assert!(picture.contains("A row for each of 0 benchmarks"), "{picture}");
    }
}
