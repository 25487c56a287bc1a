//! Guesses the name or glob that was meant by one that matches nothing.

use strsim::normalized_damerau_levenshtein as similarity;

/// Below this, another name is no better a guess than any.
const LEAST_SIMILAR: f64 = 0.6;

/// The glob that probably was meant: one that matches some of the names. `None` where nothing is near.
pub fn nearest<'a>(glob: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let names: Vec<&str> = names.into_iter().collect();
    let text = glob.trim_matches(['*', '?']);
    if text.is_empty() {
        return None;
    }
    part_of(text, &names).or_else(|| misspelt(text, &names))
}

/// The name that probably was meant. `None` where nothing is near.
pub fn nearest_name<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.into_iter().map(|other| (similarity(name, other), other));
    let near = near.filter(|(found, _)| *found >= LEAST_SIMILAR);
    near.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, other)| other)
}

/// The most frequent mistake: a part of a name, without the `*` that makes it one.
fn part_of(text: &str, names: &[&str]) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let found = names.iter().find_map(|name| Some((name, name.to_ascii_lowercase().find(&lower)?)));
    let (name, start) = found?;
    // ASCII letters keep their length, so the place is that of the name itself.
    let end = start + text.len();
    let before = if start > 0 { "*" } else { "" };
    let after = if end < name.len() { "*" } else { "" };
    Some(format!("{before}{}{after}", name.get(start..end)?))
}

/// The most similar name, or the group of one: what is before one of its slashes.
fn misspelt(text: &str, names: &[&str]) -> Option<String> {
    let groups = names.iter().flat_map(|name| {
        let groups = name.match_indices('/').filter_map(|(slash, _)| name.get(..=slash));
        groups.map(|group| (group, "*")).chain([(*name, "")])
    });
    let mut best: Option<(f64, String)> = None;
    for (candidate, after) in groups {
        let found = similarity(text, candidate);
        if found >= LEAST_SIMILAR && best.as_ref().is_none_or(|(most, _)| found > *most) {
            best = Some((found, format!("{candidate}{after}")));
        }
    }
    best.map(|(_, glob)| glob)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wildmatch::WildMatch;

    #[test]
    fn a_typo_is_near_and_another_word_is_not() {
        let known = ["simd", "std", "serde"];
        assert_eq!(nearest_name("smid", known), Some("simd"));
        assert_eq!(nearest_name("serd", known), Some("serde"));
        assert_eq!(nearest_name("benchmarks", known), None);
    }

    #[test]
    fn a_part_a_misspelling_or_nothing() {
        let names = ["decode/large", "decode/small", "Encode/large/64", "größe/1"];
        for (glob, expected) in [
            ("decode", Some("decode*")),
            ("small", Some("*small")),
            ("large", Some("*large")),
            ("encode/*", Some("Encode/*")),
            ("decod/*", Some("decode/*")),
            ("decoed/large", Some("decode/large")),
            ("Encode/lagre/*", Some("Encode/large/*")),
            ("grösse/*", Some("größe/*")),
            ("hash/*", None),
            ("*", None),
            ("", None),
        ] {
            let found = nearest(glob, names);
            assert_eq!(found.as_deref(), expected, "{glob}");
            if let Some(found) = found {
                assert!(names.iter().any(|name| WildMatch::new(&found).matches(name)), "{found}");
            }
        }
    }
}
