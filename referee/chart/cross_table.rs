//! Cross table of points as a heat map.

use super::{name_column, svg, Anchor, Svg, MARGIN, WIDEST_NAME, WIDTH};
use crate::escape::escape;

/// Maximum number of players in a table. Not tuned.
const MOST: usize = 40;
/// Height of a row.
const ROW: f64 = 24.0;
/// Minimum and maximum width of a column.
const COLUMN: [f64; 2] = [28.0, 56.0];
/// Opacity of a cell with all or no points: numbers on it stay readable in both themes.
const DEEPEST: f64 = 0.55;

/// Draws the points of each player of a row against that of a column, with the number of their
/// games. The colour of a cell tells the share of the points, from none to all.
pub fn cross_table(names: &[String], cells: impl Fn(usize, usize) -> Option<(f64, u64)>) -> Svg {
    let shown = names.len().min(MOST);
    let column = name_column(names.iter().take(shown).map(|name| &name[..]));
    let points = |(points, _): (f64, u64)| {
        let text = format!("{points:.1}");
        text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
    };
    let pairs = (0..shown).flat_map(|row| (0..shown).map(move |at| (row, at)));
    let found: Vec<_> = pairs.filter_map(|(row, at)| Some((row, at, cells(row, at)?))).collect();
    let widest = found.iter().map(|(_, _, cell)| svg::width(&points(*cell))).fold(0.0, f64::max);
    let width = (widest + 10.0).clamp(COLUMN[0], COLUMN[1]);
    let [left, top] = [MARGIN + column + 36.0, 36.0];
    let bottom = top + ROW * shown as f64;
    let left_out = names.len() - shown;
    let size = [(left + width * shown as f64).max(WIDEST_NAME) + MARGIN, bottom + MARGIN];
    let size = if left_out > 0 { [size[0].max(WIDTH / 2.0), size[1] + 24.0] } else { size };
    let mut svg = Svg::new(size, "points of each player against each other");
    for (number, name) in names.iter().take(shown).enumerate() {
        let y = top + ROW * (number as f64 + 0.5) + 4.0;
        svg.text([left - 8.0, y], Anchor::End, "faint", number + 1);
        svg.name([left - 32.0, y], column, name);
        let x = left + width * number as f64;
        svg.text([x + width / 2.0, top - 10.0], Anchor::Middle, "faint", number + 1);
        let place = [x + 0.5, top + ROW * number as f64 + 0.5];
        svg.rectangle(place, [width - 1.0, ROW - 1.0], "diagonal", 1.0, "");
    }
    for (row, at, cell) in found {
        let share = cell.0 / cell.1.max(1) as f64;
        let paint = if share < 0.5 { "lost" } else { "won" };
        let opacity = (2.0 * share - 1.0).abs().min(1.0) * DEEPEST;
        let place = [left + width * at as f64, top + ROW * row as f64];
        let [one, other] = [row, at].map(|player| escape(&names[player]));
        let told = format!("{one} against {other}: {} of {}", points(cell), cell.1);
        let corner = place.map(|end| end + 0.5);
        svg.rectangle(corner, [width - 1.0, ROW - 1.0], paint, opacity, &told);
        let middle = [place[0] + width / 2.0, place[1] + ROW / 2.0 + 4.0];
        svg.text(middle, Anchor::Middle, "", points(cell));
    }
    if left_out > 0 {
        let told = format!("{left_out} more players are left out");
        svg.text([MARGIN, bottom + 24.0], Anchor::Start, "faint", told);
    }
    svg
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
        for (class, opacity, points) in
            [("won", "0.41", "3.5"), ("lost", "0.41", "0.5"), ("won", "0.00", "2")]
        {
            let cell = format!("class=\"{class}\" fill-opacity=\"{opacity}\"");
            let cell = picture.split(&cell).nth(1).unwrap_or_else(|| panic!("{cell}: {picture}"));
            let written = cell.lines().nth(1).unwrap();
            assert!(written.ends_with(&format!(">{points}</text>")), "{written}");
        }
        assert_eq!(picture.matches("diagonal").count(), 3);
    }

    #[test]
    fn long_tables_are_cut() {
        for (count, note) in
            [(0, None), (MOST, None), (MOST + 2, Some("2 more players are left out"))]
        {
            let picture = check_pictures(&cross_table(&names(count), |_, _| Some((1.0, 2))));
            assert_eq!(picture.matches("diagonal").count(), count.min(MOST));
            assert_eq!(picture.contains("left out"), note.is_some());
            assert!(note.is_none_or(|note| picture.contains(note)), "{picture}");
        }
    }
}
