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
pub use svg::{text_width, Anchor, Svg, STYLE};
pub use times::{times, TimeRow};

/// Distance of the content of a file from its edge, in pixels like all lengths here.
const MARGIN: f64 = 16.0;
/// Maximum width of the column of names in a file. Not tuned.
const WIDEST_NAME: f64 = 200.0;

/// Place where a chart is shown, which determines its width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A file, 800 pixels wide.
    File,
    /// A page, in which a phone must show the text at its full size: 340 pixels wide.
    Page,
}

impl Place {
    fn width(self) -> f64 {
        match self {
            Place::File => 800.0,
            Place::Page => 340.0,
        }
    }

    /// Returns the distance of the content from the edge.
    fn margin(self) -> f64 {
        match self {
            Place::File => MARGIN,
            Place::Page => 4.0,
        }
    }

    /// Returns the width of the column of these names.
    fn name_column<'a>(self, names: impl Iterator<Item = &'a str>) -> f64 {
        let widest = match self {
            Place::File => WIDEST_NAME,
            Place::Page => 100.0,
        };
        widest_of(names).min(widest)
    }
}

/// Number of rows above which they are lower, and have the values of the axis above them too. Not
/// tuned.
const MANY_ROWS: usize = 40;

/// Distance between two values of an axis. Not tuned.
const APART: f64 = 6.0;

/// Draws the axis of `rows` between two heights: grid lines at the ticks, the values that have
/// room, and below these the title.
fn draw_axis(
    svg: &mut Svg,
    ticks: impl Iterator<Item = (f64, String)>,
    [top, bottom]: [f64; 2],
    rows: usize,
    title: &str,
) {
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
    let mut free = f64::NEG_INFINITY;
    for (x, value) in ticks {
        svg.line(&[[x, top], [x, bottom]], "grid");
        ends = [ends[0].min(x), ends[1].max(x)];
        let half = text_width(&value) / 2.0;
        if x - half < free {
            continue;
        }
        free = x + half + APART;
        svg.text([x, bottom + 16.0], Anchor::Middle, "faint", &value);
        if rows > MANY_ROWS {
            svg.text([x, top - 12.0], Anchor::Middle, "faint", &value);
        }
    }
    svg.text([(ends[0] + ends[1]) / 2.0, bottom + 34.0], Anchor::Middle, "faint", title);
}

/// Returns the width of the widest text.
fn widest_of<'a>(texts: impl Iterator<Item = &'a str>) -> f64 {
    texts.map(text_width).fold(0.0, f64::max)
}
