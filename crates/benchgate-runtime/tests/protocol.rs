//! The lines of the protocol, as `docs/formats.md` has them.

use benchgate_runtime::protocol::{Answer, Command, escape, unescape};

fn answer(line: &str) -> Option<Answer> {
    Answer::parse(line, "t1").and_then(Result::ok)
}

fn is_malformed(line: &str) -> bool {
    matches!(Answer::parse(line, "t1"), Some(Err(_)))
}

#[test]
fn answers_are_written_as_documented_and_read_as_they_were() {
    let text = |text: &str| text.to_owned();
    let lines = [
        (
            "t1 hello 1 criterion 0.5.1",
            Answer::Hello { protocol: 1, name: text("criterion"), version: text("0.5.1") },
        ),
        ("t1 at 0 a", Answer::At { ordinal: 0, id: text("a") }),
        (
            r"t1 at 7  a\nb\r\\ \u{0}\u{7f}\u{85} ",
            Answer::At { ordinal: 7, id: text(" a\nb\r\\ \0\u{7f}\u{85} ") },
        ),
        ("t1 at 7 ", Answer::At { ordinal: 7, id: text("") }),
        ("t1 ran 1234.5 99", Answer::Ran { value: 1234.5, whole: 99 }),
        ("t1 ran 0.1 18446744073709551615", Answer::Ran { value: 0.1, whole: u64::MAX }),
        ("t1 none no `iter`", Answer::None { reason: text("no `iter`") }),
        ("t1 unit ns", Answer::Unit { unit: text("ns") }),
        (
            r#"t1 names {"group_id":"a\\\\b"}"#,
            Answer::Names { json: text(r#"{"group_id":"a\\b"}"#) },
        ),
        ("t1 end", Answer::End),
    ];
    for (line, expected) in lines {
        assert_eq!(answer(line), Some(expected.clone()), "{line}");
        assert_eq!(expected.line("t1"), line);
    }
    for value in [f64::MAX, f64::MIN_POSITIVE, 1.0 / 3.0, -2.5, 5e-324] {
        let ran = Answer::Ran { value, whole: 0 };
        assert_eq!(answer(&ran.line("t1")), Some(ran));
    }
}

#[test]
fn a_line_without_the_token_is_of_the_bench() {
    for line in ["", "t1", "t1end", "t2 end", " t1 end", "end", "T1 end", "t11 end"] {
        assert_eq!(Answer::parse(line, "t1"), None, "{line}");
    }
}

#[test]
fn a_line_with_the_token_that_is_no_answer_is_an_error() {
    for line in [
        "t1 ",
        "t1 end ",
        "t1 end 1",
        "t1 ended",
        "t1 at",
        "t1 at 0",
        "t1 at x a",
        "t1 at -1 a",
        "t1 at +1 a",
        "t1 at 18446744073709551616 a",
        r"t1 at 0 a\",
        r"t1 at 0 \x",
        r"t1 at 0 \u{110000}",
        r"t1 at 0 \u{d800}",
        r"t1 at 0 \u{7",
        "t1 ran 1",
        "t1 ran 1 1.5",
        "t1 ran 1 2 3",
        "t1 ran NaN 1",
        "t1 ran inf 1",
        "t1 ran 1e999 1",
        "t1 ran  1",
        "t1 hello 1",
        "t1 hello 1 criterion",
        "t1 hello 1 criterion 0.5 1",
        "t1 hello one criterion 0.5.1",
        "t1 unit",
        "t1 none",
    ] {
        assert!(is_malformed(line), "{line}: {:?}", answer(line));
    }
    let error = "run 0 0\u{1b}".parse::<Command>().unwrap_err();
    assert_eq!(error.to_string(), r"`run 0 0\u{1b}` is not a line of the protocol, version 1");
}

#[test]
fn commands_are_written_as_documented_and_read_as_they_were() {
    let lines = [
        ("run 5 0", Command::Run { iterations: 5, untimed: 0 }),
        ("run 18446744073709551615 3", Command::Run { iterations: u64::MAX, untimed: 3 }),
        ("unit", Command::Unit),
        ("names", Command::Names),
        ("next", Command::Next),
    ];
    for (line, expected) in lines {
        assert_eq!(line.parse(), Ok(expected));
        assert_eq!(expected.to_string(), line);
    }
    for line in ["", "run", "run 1", "run 0 1", "run 1 -1", "run 1 2 3", "next ", "Next", "unit 1"]
    {
        assert!(line.parse::<Command>().is_err(), "{line}");
    }
}

#[test]
fn every_text_survives_escaping_on_one_line() {
    let parts =
        ["", "\\", "\\\\", "n", "u{7}", "\n", "\r", "\t", "\u{0}", "\u{9f}", "ä🦀", " ", "{", "}"];
    for a in parts {
        for b in parts {
            for c in parts {
                let text = [a, b, c].concat();
                let escaped = escape(&text);
                assert!(!escaped.contains(char::is_control), "{escaped}");
                assert_eq!(unescape(&escaped), Some(text));
            }
        }
    }
}

#[test]
fn no_line_makes_the_reader_panic() {
    let parts = ["t1", " ", "at", "ran", "run", "1", "-", "\\", "u{", "}", "ä", "\n", "e9"];
    for a in parts {
        for b in parts {
            for c in parts {
                for d in parts {
                    let line = ["t1 ", a, b, c, d].concat();
                    let _ = Answer::parse(&line, "t1");
                    let _ = line.parse::<Command>();
                    let _ = unescape(&line);
                }
            }
        }
    }
}
