//! Calls as a flame graph of two sides: a row for each level, as wide as the side that costs more.

use maud::{Markup, html};

use super::figure::Figure;
use super::mark::{Tone, px};
use crate::model::Sides;

const WIDTH: f64 = 960.0;
const ROW: f64 = 20.0;
/// Levels that are drawn.
const DEEPEST: usize = 40;
/// Narrower bars are not seen.
const NARROWEST: f64 = 1.0;
/// The width of a letter, and of the margin of a label.
const LETTER: f64 = 7.0;
/// A change of less than this share of everything has no colour.
const PALE: f64 = 0.002;

/// A function as it was called from its parent.
pub struct FlameBar {
    /// Its name.
    pub name: String,
    /// Index of its caller, which is before it; `None` of the first.
    pub parent: Option<usize>,
    /// Cost of it and of all that it calls, on each side.
    pub cost: Sides<f64>,
}

/// A bar's place, as shares of the whole width.
#[derive(Clone, Copy, Default)]
struct Place {
    from: f64,
    width: f64,
    level: usize,
}

/// The figure; `show` writes what a bar costs on both sides.
pub fn flame(
    id: &str,
    name: &str,
    bars: &[FlameBar],
    show: impl Fn(Sides<f64>) -> String,
) -> Markup {
    let places = places(bars);
    let drawn = |place: &Place| place.level < DEEPEST && place.width * WIDTH >= NARROWEST;
    let deepest = places.iter().filter(|place| drawn(place)).map(|place| place.level + 1).max();
    let all = bars.first().map(|bar| bar.cost).unwrap_or_default();
    let title = format!("Calls of {name}");
    let description = format!(
        "A bar for each function below the one that calls it, as wide as the side on which it costs more: {}. ▲ marks \
         what costs more on the head, ▼ what costs less, + what is new and − what is gone.",
        show(all)
    );
    let height = ROW * deepest.unwrap_or(1) as f64;
    let figure = Figure { id, title: &title, description: &description, width: WIDTH, height };
    let most = all.base.max(all.head);
    figure.with(&html! {
        @for (index, (bar, place)) in bars.iter().zip(&places).enumerate() {
            @if drawn(place) {
                @let (mark, tone) = look(bar.cost, most);
                @let label = format!("{mark}{}", bar.name);
                g class={ "bar " (tone) } data-node=(index) data-parent=[bar.parent]
                    data-from=(share(place.from)) data-width=(share(place.width)) data-label=(label) {
                    title { (label) ": " (show(bar.cost)) }
                    rect x=(px(place.from * WIDTH)) y=(px(place.level as f64 * ROW))
                        width=(px(place.width * WIDTH)) height=(px(ROW - 1.0)) {}
                    text x=(px(place.from * WIDTH + 3.0)) y=(px(place.level as f64 * ROW + 14.0)) {
                        (cut(&label, place.width * WIDTH))
                    }
                }
            }
        }
    })
}

/// A bar is as wide as its larger side, or as all that it calls together.
fn places(bars: &[FlameBar]) -> Vec<Place> {
    let mut widths: Vec<f64> = bars.iter().map(|bar| bar.cost.base.max(bar.cost.head)).collect();
    let mut called = vec![0.0; bars.len()];
    for (index, bar) in bars.iter().enumerate().rev() {
        widths[index] = f64::max(widths[index], called[index]);
        if let Some(called) = bar.parent.and_then(|parent| called.get_mut(parent)) {
            *called += widths[index];
        }
    }
    let all = widths.first().copied().unwrap_or_default().max(f64::MIN_POSITIVE);
    let mut places: Vec<Place> = Vec::with_capacity(bars.len());
    let mut next = vec![0.0; bars.len()];
    for (index, bar) in bars.iter().enumerate() {
        let width = widths[index] / all;
        let parent = bar.parent.and_then(|parent| Some((parent, *places.get(parent)?)));
        let place = match parent {
            Some((parent, above)) => {
                let from = next[parent];
                next[parent] += width;
                Place { from, width, level: above.level + 1 }
            }
            None => Place { from: 0.0, width, level: 0 },
        };
        next[index] = place.from;
        places.push(place);
    }
    places
}

/// A mark and a class: no bar hangs on its colour alone.
fn look(Sides { base, head }: Sides<f64>, most: f64) -> (&'static str, &'static str) {
    if (head - base).abs() < PALE * most {
        return ("", Tone::Even.class());
    }
    match (base > 0.0, head > 0.0) {
        (false, _) => ("+ ", Tone::Worse.class()),
        (_, false) => ("− ", Tone::Better.class()),
        _ if head > base => ("▲ ", Tone::Worse.class()),
        _ => ("▼ ", Tone::Better.class()),
    }
}

fn share(value: f64) -> String {
    format!("{value:.6}")
}

/// As much of a label as fits.
fn cut(label: &str, width: f64) -> String {
    let letters = ((width - 6.0) / LETTER).max(0.0) as usize;
    match label.chars().count() {
        count if count <= letters => label.to_owned(),
        _ if letters < 3 => String::new(),
        _ => label.chars().take(letters - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bar(name: &str, parent: Option<usize>, base: f64, head: f64) -> FlameBar {
        FlameBar { name: name.into(), parent, cost: Sides::new(base, head) }
    }

    #[test]
    fn a_bar_is_below_its_caller_and_says_how_it_changed() {
        let bars = [
            bar("one iteration", None, 100.0, 150.0),
            bar("parse", Some(0), 99.0, 149.0),
            bar("skip_ws", Some(1), 10.0, 60.0),
            bar("old", Some(1), 20.0, 0.0),
            bar("check", Some(1), 0.0, 30.0),
        ];
        let text = flame("flame-1", "decode/large", &bars, |cost| {
            format!("{} → {}", cost.base, cost.head)
        });
        insta::assert_snapshot!(text.into_string().replace("><", ">\n<"));
    }

    proptest! {
        #[test]
        fn bars_of_one_level_never_overlap_and_lie_below_their_caller(
            costs in prop::collection::vec((0_u32..100, 0.0..100.0_f64, 0.0..100.0_f64), 1..40),
        ) {
            let bars: Vec<FlameBar> = costs
                .iter()
                .enumerate()
                .map(|(index, (parent, base, head))| {
                    let parent = (index > 0).then(|| *parent as usize % index);
                    bar("f", parent, *base, *head)
                })
                .collect();
            let places = places(&bars);
            for (index, place) in places.iter().enumerate() {
                prop_assert!(place.from >= -1e-9 && place.from + place.width <= 1.0 + 1e-9);
                if let Some(parent) = bars[index].parent {
                    let above = places[parent];
                    prop_assert!(above.from - 1e-9 <= place.from);
                    prop_assert!(place.from + place.width <= above.from + above.width + 1e-9);
                }
                for other in &places[..index] {
                    let is_apart = other.from + other.width <= place.from + 1e-9
                        || place.from + place.width <= other.from + 1e-9;
                    prop_assert!(other.level != place.level || is_apart);
                }
            }
        }
    }
}
