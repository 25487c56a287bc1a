//! Figures as SVG: axes with round ticks, labels that do not overlap, and a title and a description for whoever
//! does not see them. Colours are classes, so that the page decides on light, dark and print.

mod axis;
mod chain;
mod figure;
mod flame;
mod forest;
mod labels;
mod mark;
mod pairs;
mod scatter;
mod spread;

pub use axis::{Axis, span};
pub use chain::{ChainMark, ChainPlot, chain, spark_text, sparkline};
pub use figure::{Figure, file};
pub use flame::{FlameBar, flame};
pub use forest::{ForestRow, forest};
pub use mark::{Line, Tone};
pub use pairs::{PairGroup, PairsPlot, pairs};
pub use scatter::{Measure, Ranged, ScatterPoint, scatter};
pub use spread::{SpreadRow, spread};
