//! Reads dhat's profile of the heap: blocks and bytes by the stack that asked for them (`dhatFileVersion` 2).
//!
//! Of each frame only the address is exact. Its name is cut where the function is inlined, and its path to the last
//! three parts: the line and the end of the path are kept to find the load address by.

use serde::Deserialize;

use crate::json::{self, FormatError};

/// The word that the `--help` of an executable names whose allocation sites can be asked for.
pub const PROTOCOL: &str = "benchgate.heap/1";

/// Arguments that make the executable write the sites of one benchmark to this file.
pub fn arguments<'a>(id: &'a str, file: &'a str) -> [&'a str; 4] {
    ["--bench", "--heap", id, file]
}

/// Memory that one iteration asked the allocator for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// By stack.
    pub points: Vec<Point>,
    /// The frames of those stacks.
    pub frames: Vec<HeapFrame>,
}

/// Memory that one stack asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Blocks, resized ones included.
    pub blocks: u64,
    /// The bytes of those blocks, each at its new size.
    pub bytes: u64,
    /// The stack as indices of frames, the innermost first.
    pub stack: Vec<usize>,
}

/// A frame, as the process that ran knew it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeapFrame {
    /// Return address of the call; 0 if there is none.
    pub address: u64,
    /// The end of its file's path; empty if unknown.
    pub file: String,
    /// Its line; 0 if unknown.
    pub line: u32,
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "dhatFileVersion")]
    version: u64,
    mode: String,
    pps: Vec<ProgramPoint>,
    ftbl: Vec<String>,
}

#[derive(Deserialize)]
struct ProgramPoint {
    tb: u64,
    tbk: u64,
    fs: Vec<usize>,
}

impl Heap {
    /// Reads a file; keys that say nothing of sites are passed over, as dhat adds some.
    ///
    /// # Errors
    /// Names the key of another version, of another mode, or of a frame that is not there.
    pub fn read(bytes: &[u8]) -> Result<Self, FormatError> {
        let file: File = json::parse(bytes)?;
        if file.version != 2 {
            let problem = format!("version {}; benchgate reads 2", file.version);
            return Err(FormatError::at("dhatFileVersion", problem));
        }
        if file.mode != "rust-heap" {
            let problem = format!("`{}` is not `rust-heap`", file.mode);
            return Err(FormatError::at("mode", problem));
        }
        let frames: Vec<HeapFrame> = file.ftbl.iter().map(|text| HeapFrame::read(text)).collect();
        let mut points = Vec::new();
        for (index, ProgramPoint { tb, tbk, fs }) in file.pps.into_iter().enumerate() {
            if let Some(missing) = fs.iter().find(|frame| **frame >= frames.len()) {
                let problem = format!("there is no frame {missing}");
                return Err(FormatError::at(format!("pps[{index}].fs"), problem));
            }
            points.push(Point { blocks: tbk, bytes: tb, stack: fs });
        }
        Ok(Self { points, frames })
    }
}

impl HeapFrame {
    /// `0x55d0b8: push (parser/src/lib.rs:12:9)`; the place is not there if unknown.
    fn read(text: &str) -> Self {
        let mut frame = Self::default();
        let Some((address, rest)) = text.split_once(": ") else { return frame };
        let digits = address.strip_prefix("0x").unwrap_or_default();
        frame.address = u64::from_str_radix(digits, 16).unwrap_or_default();
        let place = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
        let Some((_, place)) = place else { return frame };
        let parts: Vec<&str> = place.rsplitn(3, ':').collect();
        let (line, file) = match parts[..] {
            [_, line, file] if line.parse::<u32>().is_ok() => (line, file.to_owned()),
            [line, file] => (line, file.to_owned()),
            [line, middle, file] => (line, format!("{file}:{middle}")),
            _ => return frame,
        };
        if let Ok(line) = line.parse() {
            (frame.line, frame.file) = (line, file);
        }
        frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{"dhatFileVersion":2,"mode":"rust-heap","verb":"Allocated","tu":"µs",
        "pps":[{"tb":96,"tbk":3,"tl":4,"fs":[1,2]}],
        "ftbl":["[root]","0x10c8: push<alloc::string::String> (parser/src/lib.rs:12:9)","0x10d0: ???"]}"#;

    #[test]
    fn blocks_and_bytes_are_read_by_stack() {
        let heap = Heap::read(FILE.as_bytes()).unwrap();
        assert_eq!(heap.points, [Point { blocks: 3, bytes: 96, stack: vec![1, 2] }]);
        let named = HeapFrame { address: 0x10c8, file: "parser/src/lib.rs".into(), line: 12 };
        let bare = HeapFrame { address: 0x10d0, ..HeapFrame::default() };
        assert_eq!(heap.frames, [HeapFrame::default(), named, bare]);
    }

    #[test]
    fn a_place_is_read_with_its_column_without_one_and_past_other_brackets() {
        let places: Vec<(String, u32)> = [
            "0x1: f (src/a.rs:7:3)",
            "0x1: f (src/a.rs:7)",
            "0x1: call<(u8, u8)> (C:\\src\\a.rs:7:3)",
            "0x1: f (src/a.rs:x)",
            "0x1: f (x)",
        ]
        .map(HeapFrame::read)
        .map(|frame| (frame.file, frame.line))
        .into();
        let expected = [("src/a.rs", 7), ("src/a.rs", 7), ("C:\\src\\a.rs", 7), ("", 0), ("", 0)];
        assert_eq!(places, expected.map(|(file, line)| (file.to_owned(), line)));
    }

    #[test]
    fn another_version_another_mode_and_a_frame_that_is_missing_are_refused_by_key() {
        let table: Vec<String> = [
            FILE.replace("Version\":2", "Version\":3"),
            FILE.replace("rust-heap", "ad-hoc"),
            FILE.replace("[1,2]", "[1,3]"),
            FILE.replace("\"tbk\":3", "\"tbk\":-3"),
            FILE[..70].to_owned(),
        ]
        .map(|text| Heap::read(text.as_bytes()).unwrap_err().to_string())
        .into();
        insta::assert_snapshot!(table.join("\n"));
    }
}
