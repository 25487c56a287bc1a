//! Columns of text for a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

use anstyle::Style;
use unicode_width::UnicodeWidthStr as _;

/// A column is never made narrower than this to fit a terminal.
const NARROWEST: usize = 16;

/// A text is never wider than this, where there is no terminal either: one long id would move what is behind it out of sight in
/// each row.
const WIDEST: usize = 160;

/// Rows of cells; each column is as wide as its widest cell.
pub(crate) struct Table<'a> {
    columns: usize,
    right: &'a [usize],
    cells: Vec<Cell<'a>>,
}

struct Cell<'a> {
    text: Cow<'a, str>,
    width: usize,
}

impl<'a> Table<'a> {
    /// A table with these columns; those of the numbers `right` are aligned to the right.
    pub(crate) fn new(header: &[&'a str], right: &'a [usize]) -> Self {
        let mut table = Self { columns: header.len(), right, cells: Vec::new() };
        table.row(header.iter().map(|name| Cow::Borrowed(*name)));
        table
    }

    /// Adds a row; it has a cell for every column.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cow<'a, str>>) {
        let cell = |text: Cow<'a, str>| Cell { width: columns_of(&text), text };
        let before = self.cells.len();
        self.cells.extend(cells.into_iter().take(self.columns).map(cell));
        self.cells.resize_with(before + self.columns, || cell(Cow::Borrowed("")));
    }

    /// The lines, of at most `width` columns where the cells allow it. `style` is that of the first cell of a
    /// row, by its number.
    pub(crate) fn text(&self, width: Option<u16>, style: impl Fn(usize) -> Style) -> String {
        let widths = self.widths(width);
        let line: usize = widths.iter().map(|width| width + 2).sum();
        let rows = self.cells.chunks_exact(self.columns.max(1));
        let mut text = String::with_capacity(rows.len() * (line + 16));
        for (number, row) in rows.enumerate() {
            let style = if number == 0 { Style::new() } else { style(number - 1) };
            let mut rests: Vec<&str> = row.iter().map(|cell| &*cell.text).collect();
            if row.iter().zip(&widths).all(|(cell, width)| cell.width <= *width) {
                self.line(&mut text, &rests, row, &widths, style);
                continue;
            }
            let mut style = style;
            while rests.iter().any(|rest| !rest.is_empty()) {
                let parts: Vec<Cell<'_>> = rests
                    .iter_mut()
                    .zip(&widths)
                    .map(|(rest, width)| {
                        let (part, left) = split(rest, *width);
                        *rest = left;
                        Cell { text: Cow::Borrowed(part), width: columns_of(part) }
                    })
                    .collect();
                let texts: Vec<&str> = parts.iter().map(|part| &*part.text).collect();
                self.line(&mut text, &texts, &parts, &widths, style);
                style = Style::new();
            }
        }
        text
    }

    /// Whether the lines of [`text()`](Self::text) are of at most `width` columns.
    pub(crate) fn fits(&self, width: Option<u16>) -> bool {
        let all: usize = self.widths(width).iter().map(|width| width + 2).sum();
        // No line ends with spaces.
        width.is_none_or(|most| all <= usize::from(most) + 1)
    }

    /// The width of each column. Where all are too wide for a terminal, the widest text is wrapped.
    fn widths(&self, width: Option<u16>) -> Vec<usize> {
        let mut widths = vec![0; self.columns];
        for row in self.cells.chunks_exact(self.columns.max(1)) {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width.max(*width);
            }
        }
        let texts = |(column, _): &(usize, &mut usize)| !self.right.contains(column);
        for (_, width) in widths.iter_mut().enumerate().filter(texts) {
            *width = WIDEST.min(*width);
        }
        let all: usize = widths.iter().map(|width| width + 2).sum();
        let excess = width.map_or(0, |most| all.saturating_sub(usize::from(most)));
        if let Some((_, widest)) =
            widths.iter_mut().enumerate().filter(texts).max_by_key(|(_, width)| **width)
        {
            *widest = widest.saturating_sub(excess).max(NARROWEST.min(*widest));
        }
        widths
    }

    fn line(
        &self,
        text: &mut String,
        parts: &[&str],
        cells: &[Cell<'_>],
        widths: &[usize],
        style: Style,
    ) {
        let mut gap = 0;
        for (column, ((part, cell), width)) in parts.iter().zip(cells).zip(widths).enumerate() {
            let padding = width.saturating_sub(cell.width);
            let is_right = self.right.contains(&column);
            gap += 1 + if is_right { padding } else { 0 };
            // No line ends with spaces.
            if !part.is_empty() {
                spaces(text, gap);
                gap = 0;
                if column == 0 && style != Style::new() {
                    let _ = write!(text, "{style}{part}{style:#}");
                } else {
                    text.push_str(part);
                }
            }
            gap += 1 + if is_right { 0 } else { padding };
        }
        text.push('\n');
    }
}

fn spaces(text: &mut String, number: usize) {
    const SPACES: &str = "                                                                ";
    let mut rest = number;
    while rest > 0 {
        let some = rest.min(SPACES.len());
        text.push_str(&SPACES[..some]);
        rest -= some;
    }
}

/// Columns that a text takes on a terminal.
pub(super) fn columns_of(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// The part of a text that fits, at least one character, and the rest.
fn split(text: &str, width: usize) -> (&str, &str) {
    let mut taken = 0;
    for (start, c) in text.char_indices() {
        let mut buffer = [0; 4];
        taken += columns_of(c.encode_utf8(&mut buffer));
        if taken > width && start > 0 {
            return text.split_at(start);
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[[&'static str; 3]], width: Option<u16>) -> String {
        let mut table = Table::new(&["finding", "benchmark", "change"], &[2]);
        for row in rows {
            table.row(row.map(Cow::Borrowed));
        }
        table.text(width, |_| Style::new())
    }

    const ROWS: [[&str; 3]; 3] = [
        ["critical", "decode/a benchmark with a long name", "+10.0 %"],
        ["new", "größe/漢字", "–"],
        ["failed", "", ""],
    ];

    #[test]
    fn columns_line_up_and_no_line_ends_with_spaces() {
        insta::assert_snapshot!(table(&ROWS, None).replace(' ', "·"));
    }

    #[test]
    fn a_long_name_is_wrapped_to_the_terminal_and_nothing_of_it_is_lost() {
        let text = table(&ROWS, Some(40));
        insta::assert_snapshot!(text.replace(' ', "·"));
        assert!(text.lines().all(|line| columns_of(line) <= 40), "{text}");
        // A terminal that is too narrow for anything gets lines that are too long.
        assert!(table(&ROWS, Some(1)).contains("decode/a benchma"));
    }

    #[test]
    fn one_long_name_does_not_move_the_other_columns_out_of_sight() {
        let id = "x".repeat(3_000);
        let mut table = Table::new(&["finding", "benchmark", "change"], &[2]);
        for id in [id.as_str(), "short"] {
            table.row(["new", id, "–"].map(Cow::Borrowed));
        }
        let text = table.text(None, |_| Style::new());
        assert!(text.lines().all(|line| columns_of(line) < 200), "{text}");
        assert_eq!(text.matches('x').count(), 3_000);
    }
}
