//! Chart of ratings with their intervals.

use super::{draw_axis, Anchor, Place, Scale, Svg, MANY_ROWS};
use crate::escape::escape;

/// A player in a chart of ratings.
#[derive(Clone, Debug)]
pub struct RatingRow {
    /// Name of the player.
    pub name: String,
    /// Rating.
    pub value: f64,
    /// Half the width of its 95 % interval; no interval is drawn unless it is finite.
    pub error: f64,
    /// Additional text in a file, for example the number of games; may be empty.
    pub note: String,
}

/// Width of the column of ratings.
const VALUES: f64 = 104.0;

/// Draws a row for each player, best first: the rating with its 95 % interval.
pub fn ratings(rows: &[RatingRow], place: Place) -> Svg {
    let mut rows: Vec<&RatingRow> = rows.iter().collect();
    rows.sort_by(|a, b| b.value.total_cmp(&a.value));
    let row_height = if rows.len() > MANY_ROWS { 18.0 } else { 24.0 };
    let names = place.name_column(rows.iter().map(|row| &row.name[..]));
    let notes = match place {
        Place::File => place.name_column(rows.iter().map(|row| &row.note[..])),
        Place::Page => 0.0,
    };
    let [width, margin] = [place.width(), place.margin()];
    let right = width - margin;
    let sides = [margin + names + 16.0, right - notes - VALUES];
    let top = if rows.len() > MANY_ROWS { 28.0 } else { 12.0 };
    let bottom = top + row_height * rows.len() as f64;
    let mut svg = Svg::new([width, bottom + 44.0], "ratings");
    let ends = rows.iter().flat_map(|row| {
        let error = if row.error.is_finite() { row.error } else { 0.0 };
        [row.value - error, row.value + error, 0.0]
    });
    let ticks = if place == Place::File { 7.0 } else { 3.0 };
    let Some(scale) = Scale::of(ends, ticks, sides) else { return svg };
    let title = "Elo, with 95 % intervals";
    draw_axis(&mut svg, scale.ticks(), [top, bottom], rows.len(), title);
    svg.line(&[[scale.at(0.0), top], [scale.at(0.0), bottom]], "base");
    for (number, row) in rows.into_iter().enumerate() {
        let RatingRow { name, value, error, note } = row;
        // Adding zero turns -0 into 0.
        let rounded = value.round() + 0.0;
        let y = top + row_height * (number as f64 + 0.5);
        svg.name([sides[0] - 12.0, y + 4.0], names, name);
        if !value.is_finite() {
            continue;
        }
        let x = scale.at(*value);
        let mut written = format!("{rounded:+}");
        if error.is_finite() {
            svg.line(&[[scale.at(value - error), y], [scale.at(value + error), y]], "interval");
            svg.text([sides[1] + 52.0, y + 4.0], Anchor::Start, "faint", format!("± {error:.0}"));
            written += &format!(" ± {error:.0}");
        }
        svg.circle([x, y], 4.0, "point", &format!("{}: {written}", escape(name)));
        svg.text([sides[1] + 46.0, y + 4.0], Anchor::End, "", format!("{rounded:+}"));
        if notes > 0.0 {
            svg.text([right, y + 4.0], Anchor::End, "faint", note);
        }
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::testing::{check_pictures, HOSTILE};
    use crate::chart::text_width;

    fn row(name: &str, value: f64, error: f64) -> RatingRow {
        RatingRow { name: name.into(), value, error, note: HOSTILE.into() }
    }

    #[test]
    fn rows_are_in_order_of_their_ratings() {
        let rows =
            [row("worse", -20.0, 5.0), row(HOSTILE, 1.0, f64::INFINITY), row("b", 20.4, 9.6)];
        let picture = check_pictures(&ratings(&rows, Place::File));
        let [best, worst] = ["b: +20 ± 10", "worse: -20 ± 5"].map(|told| picture.find(told));
        assert!(best.is_some() && best < worst, "{picture}");
        assert_eq!(picture.matches("class=\"interval\"").count(), 2);
        assert_eq!(picture.matches("<circle").count(), 3);
    }

    #[test]
    fn values_of_the_axis_do_not_overlap() {
        for (place, most) in [(Place::File, 10), (Place::Page, 5)] {
            for far in [1.0, 40.0, 300.0, 900.0, 3000.0, 20_000.0] {
                let picture = ratings(&[row("a", far, 1.0), row("b", -far, 1.0)], place).inline();
                // The values of the axis are below two rows.
                let values = picture.split("<text x=\"").skip(1).filter_map(|part| {
                    let (x, rest) = part.split_once("\" y=\"76.0\" text-anchor=\"middle\"")?;
                    let value = rest.split_once('>')?.1.split_once('<')?.0;
                    Some((x.parse::<f64>().unwrap(), text_width(value) / 2.0))
                });
                let values: Vec<(f64, f64)> = values.collect();
                assert!((2..=most).contains(&values.len()), "{far}: {values:?}");
                let is_apart = |of: &[(f64, f64)]| of[0].0 + of[0].1 < of[1].0 - of[1].1;
                assert!(values.windows(2).all(is_apart), "{far}: {values:?}");
            }
        }
    }

    #[test]
    fn any_number_of_players_is_drawn() {
        for count in [0, 1, 200] {
            let rows: Vec<RatingRow> = (0..count).map(|i| row("x", f64::from(i), 0.0)).collect();
            let picture = check_pictures(&ratings(&rows, Place::File));
            assert_eq!(picture.matches("<circle").count(), rows.len());
        }
        check_pictures(&ratings(&[row("x", f64::NAN, f64::NAN)], Place::Page));
    }
}
