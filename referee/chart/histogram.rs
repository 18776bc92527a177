//! Histogram of whole numbers.

use super::scale::{round_up, Scale};
use super::{Anchor, Place, Svg};

/// Minimum width of a bin. Not tuned.
const BIN: f64 = 18.0;
/// Upper and lower ends of the bars.
const HEIGHTS: [f64; 2] = [32.0, 232.0];
/// Width of the column of counts.
const COUNTS: f64 = 44.0;
/// Minimum distance of the numbers below the bars. Not tuned.
const NUMBER: f64 = 44.0;

/// Draws the counts of values, in bins of a round width, and the median. `units` names the values
/// and what is counted, for example moves and games.
pub fn histogram(
    units: [&str; 2],
    counts: impl IntoIterator<Item = (u64, u64)>,
    place: Place,
) -> Svg {
    let [unit, counted] = units;
    let [width, margin] = [place.width(), place.margin()];
    let sides = [margin + COUNTS, width - margin];
    let most_bins = ((sides[1] - sides[0]) / BIN).floor();
    let mut svg = Svg::new([width, HEIGHTS[1] + 48.0], &format!("{counted} by {unit}"));
    let mut counts: Vec<(u64, u64)> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    counts.sort_unstable();
    let [Some(&(least, _)), Some(&(most, _))] = [counts.first(), counts.last()] else { return svg };
    let width = round_up((most - least + 1) as f64 / most_bins).max(1.0) as u64;
    let (first, last) = (least / width, most / width);
    // The bars of a few values have the width of those of ten.
    let spare = 10u64.saturating_sub(last - first + 1);
    let first = first.saturating_sub(spare / 2);
    let last = last.max(first + 9);
    let mut bins = vec![0; (last - first + 1) as usize];
    for (value, count) in &counts {
        bins[(value / width - first) as usize] += count;
    }
    let highest = bins.iter().copied().max().unwrap_or(0);
    let ends = [0.0, highest.max(5) as f64];
    let Some(scale) = Scale::of(ends.into_iter(), 5.0, [HEIGHTS[1], HEIGHTS[0]]) else {
        return svg;
    };
    for (y, count) in scale.ticks() {
        svg.line(&[[sides[0], y], [sides[1], y]], "grid");
        svg.text([sides[0] - 8.0, y + 4.0], Anchor::End, "faint", count);
    }
    svg.text([margin, HEIGHTS[0] - 14.0], Anchor::Start, "faint", counted);
    svg.text([sides[1], HEIGHTS[1] + 36.0], Anchor::End, "faint", unit);
    let bar = (sides[1] - sides[0]) / bins.len() as f64;
    let every = round_up(NUMBER / bar).max(1.0) as u64;
    for (number, &count) in (first..).zip(&bins) {
        let x = sides[0] + bar * (number - first) as f64;
        let low = number * width;
        if number.is_multiple_of(every) {
            // A bin of one value is named in its middle, another one at its lower end.
            let shift = if width == 1 { bar / 2.0 } else { 0.0 };
            svg.text([x + shift, HEIGHTS[1] + 18.0], Anchor::Middle, "faint", low);
        }
        let range =
            if width == 1 { low.to_string() } else { format!("{low} to {}", low + width - 1) };
        let told = format!("{range} {unit}, {counted}: {count}");
        let y = scale.at(count as f64);
        if count > 0 {
            svg.rectangle([x + 0.5, y], [bar - 1.0, HEIGHTS[1] - y], "count", 1.0, &told);
        }
    }
    svg.line(&[[sides[0], HEIGHTS[1]], [sides[1], HEIGHTS[1]]], "base");
    let median = median(&counts);
    let shift = if width == 1 { 0.5 } else { 0.0 };
    let x = sides[0] + bar * (median as f64 / width as f64 - first as f64 + shift);
    svg.line(&[[x, HEIGHTS[0] - 8.0], [x, HEIGHTS[1]]], "median");
    // The name of the axis is on the left.
    let label = [x.clamp(sides[0] + NUMBER, sides[1] - NUMBER), HEIGHTS[0] - 14.0];
    svg.text(label, Anchor::Middle, "", format!("median {median}"));
    svg
}

/// Returns the lower median of counted values in ascending order.
fn median(counts: &[(u64, u64)]) -> u64 {
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    let mut before = 0;
    let reached = |(_, count): &&(u64, u64)| {
        before += count;
        2 * before >= total
    };
    counts.iter().find(reached).map_or(0, |(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::testing::{check_pictures, HOSTILE};

    #[test]
    fn bins_have_round_widths_and_all_games() {
        let picture = check_pictures(&histogram(
            ["moves", "games"],
            [(37, 2), (41, 1), (236, 3)],
            Place::File,
        ));
        for told in
            ["35 to 39 moves, games: 2", "40 to 44 moves, games: 1", "235 to 239 moves, games: 3"]
        {
            assert!(picture.contains(told), "{told}: {picture}");
        }
        assert_eq!(picture.matches("<rect").count(), 3);
        assert!(picture.contains(">median 41<"), "{picture}");
    }

    #[test]
    fn any_values_are_drawn() {
        for counts in [&[][..], &[(0, 1)], &[(7, 5)], &[(0, 1), (u64::MAX / 4, 1)]] {
            for place in [Place::File, Place::Page] {
                check_pictures(&histogram([HOSTILE, HOSTILE], counts.iter().copied(), place));
            }
        }
    }

    #[test]
    fn median_is_the_middle_value() {
        assert_eq!(median(&[(1, 1), (5, 1), (9, 1)]), 5);
        assert_eq!(median(&[(1, 3), (9, 2)]), 1);
        assert_eq!(median(&[(1, 2), (9, 3)]), 9);
        assert_eq!(median(&[(1, 2), (9, 2)]), 1);
    }
}
