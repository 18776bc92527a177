//! Cross table of points as a heat map.

use super::svg::{text_width, Anchor, Svg};
use super::{Place, MARGIN};
use std::collections::BTreeMap;

/// Maximum number of players in a table. Not tuned.
const MOST: usize = 40;
/// Height of a row.
const ROW: f64 = 24.0;
/// Minimum and maximum width of a column.
const COLUMN: [f64; 2] = [28.0, 56.0];
/// Opacity of a cell with all or no points: numbers on it stay readable in both themes. Not tuned.
const DEEPEST: f64 = 0.55;

/// Number of shades from an even score to all points. Not tuned.
const SHADES: f64 = 20.0;

/// Draws the points of each player of a row against that of a column, with the number of their
/// games. The colour of a cell shows the share of the points.
pub fn cross_table(names: &[String], cells: impl Fn(usize, usize) -> Option<(f64, u64)>) -> Svg {
    let shown = names.len().min(MOST);
    let name_width = Place::File.name_column(names[..shown].iter().map(|name| &name[..]));
    let row_of = |row| (0..shown).map(|column| cells(row, column)).collect();
    let table: Vec<Vec<Option<(f64, u64)>>> = (0..shown).map(row_of).collect();
    let widths = table.iter().flatten().flatten().map(|(points, _)| text_width(&written(*points)));
    let step = (widths.fold(0.0, f64::max) + 10.0).clamp(COLUMN[0], COLUMN[1]);
    let [left, top] = [MARGIN + name_width + 36.0, 36.0];
    let [right, bottom] = [left + step * shown as f64, top + ROW * shown as f64];
    let is_cut = shown < names.len();
    let note = if is_cut { 24.0 } else { 0.0 };
    let mut svg = Svg::new([right + MARGIN, bottom + note + MARGIN], "points by opponent");
    // One path for all cells of a shade, and one text for a row, as there are many.
    let mut shades: BTreeMap<(&str, u32), String> = BTreeMap::new();
    let mut texts = String::new();
    for (row, (name, cells)) in names.iter().zip(&table).enumerate() {
        let (y, x) = (top + ROW * row as f64, |column: usize| left + step * column as f64);
        svg.text([left - 8.0, y + 16.0], Anchor::End, "faint", row + 1);
        svg.name([left - 32.0, y + 16.0], name_width, name);
        svg.text([x(row) + step / 2.0, top - 10.0], Anchor::Middle, "faint", row + 1);
        texts += &format!("<text y=\"{}\" text-anchor=\"middle\">", y + 16.0);
        for (column, cell) in cells.iter().enumerate() {
            let shade = match *cell {
                Some((points, games)) => {
                    let (middle, text) = (x(column) + step / 2.0, written(points));
                    let told = format!("{} against {}: {text} of {games}", row + 1, column + 1);
                    let title = format!("<title>{told}</title>");
                    texts += &format!("<tspan x=\"{middle:.1}\">{text}{title}</tspan>");
                    shade(points / games.max(1) as f64)
                }
                None if row == column => ("diagonal", 0),
                None => continue,
            };
            let (x, y, width) = (x(column) + 0.5, y + 0.5, step - 1.0);
            let path = format!("M{x:.1} {y:.1}h{width:.1}v{}h-{width:.1}z", ROW - 1.0);
            *shades.entry(shade).or_default() += &path;
        }
        texts += "</text>\n";
    }
    for ((paint, depth), path) in shades {
        let opacity = if depth > 0 { f64::from(depth) / SHADES * DEEPEST } else { 1.0 };
        let paint = format!("class=\"{paint}\" fill-opacity=\"{opacity:.2}\"");
        svg.add(format_args!("<path {paint} d=\"{path}\"/>"));
    }
    svg.add(texts);
    if is_cut {
        let told = format!("{} more players are left out", names.len() - shown);
        svg.text([MARGIN, bottom + 24.0], Anchor::Start, "faint", told);
    }
    svg
}

/// Returns the class and the depth of the colour for a share of the points.
fn shade(share: f64) -> (&'static str, u32) {
    let depth = ((2.0 * share - 1.0).abs().min(1.0) * SHADES).round() as u32;
    match depth {
        0 => ("even", 0),
        _ if share < 0.5 => ("lost", depth),
        _ => ("won", depth),
    }
}

fn written(points: f64) -> String {
    let text = format!("{points:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::testing::{check_pictures, HOSTILE};

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|i| format!("{HOSTILE}{i}")).collect()
    }

    #[test]
    fn cells_have_the_colour_of_their_share() {
        let cells = |row: usize, at: usize| match (row, at) {
            (0, 1) => Some((3.5, 4)),
            (1, 0) => Some((0.5, 4)),
            (0, 2) => Some((2.0, 4)),
            _ => None,
        };
        let picture = check_pictures(&cross_table(&names(3), cells));
        for (shade, cell) in [
            ("won\" fill-opacity=\"0.41\"", ">3.5<title>1 against 2: 3.5 of 4<"),
            ("lost\" fill-opacity=\"0.41\"", ">0.5<title>2 against 1: 0.5 of 4<"),
            ("even\" fill-opacity=\"1.00\"", ">2<title>1 against 3: 2 of 4<"),
        ] {
            let path = picture.split(shade).nth(1).unwrap_or_else(|| panic!("{shade}: {picture}"));
            assert_eq!(path.split("/>").next().unwrap().matches('M').count(), 1, "{shade}");
            assert!(picture.contains(cell), "{cell}: {picture}");
        }
        let shades = [0.0, 0.45, 0.5, 1.0].map(shade);
        assert_eq!(shades, [("lost", 20), ("lost", 2), ("even", 0), ("won", 20)]);
        assert_eq!(picture.matches("\"diagonal\"").count(), 1);
    }

    #[test]
    fn long_tables_are_cut() {
        for (count, note) in
            [(0, None), (MOST, None), (MOST + 2, Some("2 more players are left out"))]
        {
            let picture = check_pictures(&cross_table(&names(count), |_, _| Some((1.0, 2))));
            assert_eq!(picture.matches("<tspan").count(), count.min(MOST).pow(2));
            assert_eq!(picture.contains("left out"), note.is_some());
            assert!(note.is_none_or(|note| picture.contains(note)), "{picture}");
        }
    }
}
