//! Text of a bounded length that counts what it omits.

use std::fmt::Write as _;

/// Room kept for the closing lines of a text that had to be cut.
const CLOSING_ROOM: usize = 400;

/// Text that stops growing at its limit and counts what it omitted.
pub(super) struct Capped {
    text: String,
    limit: usize,
    cut: usize,
    failing_cut: usize,
}

impl Capped {
    /// An empty text that will have at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            text: String::new(),
            limit: limit.saturating_sub(CLOSING_ROOM),
            cut: 0,
            failing_cut: 0,
        }
    }

    fn fits(&self, more: usize) -> bool {
        self.text.len() + more <= self.limit
    }

    /// Adds all of `block` or nothing of it.
    pub(super) fn block(&mut self, block: &str) {
        self.cut += usize::from(!self.push(block));
    }

    /// As [`Self::block`]; an omitted failing row is counted separately, so that it is not taken for a pass.
    pub(super) fn row(&mut self, row: &str, failing: bool) {
        let fits = self.push(row);
        self.failing_cut += usize::from(!fits && failing);
        self.cut += usize::from(!fits && !failing);
    }

    fn push(&mut self, block: &str) -> bool {
        let fits = self.fits(block.len());
        if fits {
            self.text.push_str(block);
        }
        fits
    }

    /// A folded part: its summary, and inside a header and as many rows as fit.
    pub(super) fn folded(
        &mut self,
        title: &str,
        header: &str,
        rows: impl ExactSizeIterator<Item = String>,
    ) {
        const CLOSING: &str = "\n</details>\n\n";
        if rows.len() == 0 {
            return;
        }
        let opening = format!("<details><summary>{title} ({})</summary>\n\n{header}", rows.len());
        if !self.fits(opening.len() + CLOSING.len()) {
            self.cut += rows.len();
            return;
        }
        self.limit -= CLOSING.len();
        self.block(&opening);
        for row in rows {
            self.block(&row);
        }
        self.limit += CLOSING.len();
        self.block(CLOSING);
    }

    /// The text, with a last line that counts what was omitted.
    pub(super) fn finish(mut self) -> String {
        let where_else = "`result.json` and `report.md` of the run hold all of them";
        if self.failing_cut > 0 {
            let _ = write!(
                self.text,
                "\n**{} failing benchmarks did not fit here either**; {where_else}.\n",
                self.failing_cut
            );
        }
        if self.cut > 0 {
            let _ = write!(
                self.text,
                "\n{} rows or sections did not fit here; {where_else}.\n",
                self.cut
            );
        }
        self.text
    }
}
