//! Rust text with its indentation.

/// Code that is being written.
#[derive(Default)]
pub(crate) struct Code {
    text: String,
    depth: usize,
}

impl Code {
    /// A line, indented as deep as the blocks that are open.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("    ", self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// A line that ends with an open bracket, the lines that `inner` writes, and `close`.
    pub(crate) fn block(
        &mut self,
        open: impl AsRef<str>,
        close: impl AsRef<str>,
        inner: impl FnOnce(&mut Self),
    ) {
        self.line(open);
        self.depth += 1;
        inner(self);
        self.depth -= 1;
        self.line(close);
    }

    /// Doc comments.
    pub(crate) fn docs(&mut self, lines: &[String]) {
        for line in lines {
            self.line(format!("/// {line}").trim_end());
        }
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}
