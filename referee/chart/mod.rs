//! Charts of results, and drawings of positions, as SVG pictures.
//!
//! A picture is complete as a file ([`Svg::document`]) or part of a page ([`Svg::inline`]). Its
//! shapes have classes, to which `chart.css` and the style sheet of the pages give their colours.

mod cross_table;
mod histogram;
mod position;
mod ratings;
mod scale;
mod svg;
#[cfg(test)]
mod testing;
mod times;

pub use cross_table::cross_table;
pub use histogram::histogram;
pub use position::position;
pub use ratings::{ratings, RatingRow};
pub use scale::Scale;
pub use svg::{Anchor, Svg, STYLE};
pub use times::{times, TimeRow};

/// Width of a chart, in pixels like all lengths here.
const WIDTH: f64 = 800.0;
/// Distance of the content from the edge.
const MARGIN: f64 = 16.0;
/// Maximum width of the column of names. Not tuned.
const WIDEST_NAME: f64 = 200.0;

/// Returns the width of the column of these names.
fn name_column<'a>(names: impl Iterator<Item = &'a str>) -> f64 {
    names.map(svg::width).fold(0.0, f64::max).min(WIDEST_NAME)
}
