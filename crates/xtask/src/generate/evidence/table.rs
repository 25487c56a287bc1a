//! Markdown tables, and numbers in them.

/// A table in Markdown.
pub(in crate::generate) fn table<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> String {
    let rows: Vec<Vec<&str>> =
        rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    wide_table(&head, &rows)
}

/// A table whose number of columns depends on the records.
pub(super) fn wide_table(head: &[&str], rows: &[Vec<&str>]) -> String {
    let line = |cells: &[&str]| format!("| {} |", cells.join(" | "));
    let mut lines = vec![line(head), line(&vec!["---"; head.len()])];
    lines.extend(rows.iter().map(|row| line(row)));
    lines.join("\n")
}

/// How many digits after the point give a value this number of significant ones; below zero, as many before it are zeros.
pub(super) fn decimals(value: f64, significant: i32) -> i32 {
    significant - 1 - value.abs().log10().floor() as i32
}

/// A share or another small number, with three significant digits.
pub(super) fn three_digits(value: f64) -> String {
    let after_point = decimals(value, 3).clamp(0, 9) as usize;
    format!("{value:.after_point$}")
}

/// Nanoseconds, in the unit that suits them.
pub(super) fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        _ if nanoseconds >= 1e6 => format!("{:.2} ms", nanoseconds / 1e6),
        _ if nanoseconds >= 1e3 => format!("{:.1} µs", nanoseconds / 1e3),
        _ => format!("{nanoseconds:.1} ns"),
    }
}

/// A whole number with separators of thousands.
pub(super) fn number(value: u64) -> String {
    let digits = value.to_string();
    let first = digits.len() % 3;
    let (head, rest) = digits.split_at(first);
    let groups = rest.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
    let head = (!head.is_empty()).then(|| head.to_owned());
    head.into_iter().chain(groups).collect::<Vec<_>>().join(",")
}

/// Formats a value; a dash if there is none.
pub(super) fn or_dash<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), show)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        let shown: Vec<_> = [0, 12, 999, 1_000, 84_570, 1_234_567].map(number).to_vec();
        assert_eq!(shown, ["0", "12", "999", "1,000", "84,570", "1,234,567"]);
    }

    #[test]
    fn small_numbers_keep_three_significant_digits() {
        let shown: Vec<_> = [0.00725, 0.2614, 1.024, 12.34].map(three_digits).to_vec();
        assert_eq!(shown, ["0.00725", "0.261", "1.02", "12.3"]);
    }

    #[test]
    fn a_time_takes_the_unit_that_suits_it() {
        assert_eq!(
            [0.34, 999.0, 1_500.0, 2.5e6].map(duration),
            ["0.3 ns", "999.0 ns", "1.5 µs", "2.50 ms"]
        );
    }
}
