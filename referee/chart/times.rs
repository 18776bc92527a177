//! Chart of the times per move.

use super::scale::round_up;
use super::{draw_axis, text_width, Anchor, Place, Svg, MANY_ROWS};
use hdrhistogram::Histogram;
use std::time::Duration;

/// A player in a chart of times.
#[derive(Clone, Debug)]
pub struct TimeRow<'a> {
    /// Name of the player.
    pub name: String,
    /// Times per move, in microseconds.
    pub times: &'a Histogram<u64>,
    /// Limit of a move.
    pub limit: Option<Duration>,
}

/// Points of an outline, by which the axis is divided. Not tuned.
const POINTS: usize = 120;
/// Width of each of the two columns of values.
const VALUES: f64 = 60.0;
/// Upper end of the rows.
const TOP: f64 = 32.0;

/// Draws a row for each player: the distribution of its times on a common logarithmic axis, with
/// marks at the median, at 99 % and at the limit.
pub fn times(rows: &[TimeRow], place: Place) -> Svg {
    let row_height = if rows.len() > MANY_ROWS { 22.0 } else { 34.0 };
    let bottom = TOP + row_height * rows.len() as f64;
    let names = place.name_column(rows.iter().map(|row| &row.name[..]));
    let [width, margin] = [place.width(), place.margin()];
    let right = width - margin;
    let sides = [margin + names + 16.0, right - 2.0 * VALUES];
    let mut svg = Svg::new([width, bottom + 44.0], "time per move");
    let played = rows.iter().map(|row| row.times).filter(|times| !times.is_empty());
    let limits = rows.iter().filter_map(|row| row.limit).map(|limit| limit.as_micros() as f64);
    let low = played.clone().map(|times| times.min() as f64).fold(f64::INFINITY, f64::min);
    let high = played.map(|times| times.max() as f64).chain(limits).fold(0.0, f64::max);
    if low == f64::INFINITY {
        return svg;
    }
    let axis = Axis::new(low, high, sides);
    let ticks = axis.decades().map(|decade| (axis.at(decade), short(decade)));
    // In a page the heading says it, and the legend has the place.
    let title = if place == Place::File { "time per move" } else { "" };
    draw_axis(&mut svg, ticks, [TOP, bottom], rows.len(), title);
    let columns = [right - VALUES, right];
    let mut legend = |[x, y]: [f64; 2], text: &str, mark: &str| {
        svg.text([x, y], Anchor::End, "faint", text);
        let x = x - text_width(text) - 7.0;
        svg.line(&[[x, y - 10.0], [x, y + 1.0]], mark);
    };
    legend([columns[0], TOP - 12.0], "median", "median");
    legend([columns[1], TOP - 12.0], "99 %", "late");
    if rows.iter().any(|row| row.limit.is_some()) {
        legend([sides[1], bottom + 34.0], "limit", "limit");
    }
    for (number, row) in rows.iter().enumerate() {
        let foot = TOP + row_height * (number as f64 + 1.0) - 4.0;
        let height = row_height - 8.0;
        svg.name([sides[0] - 12.0, foot - height / 2.0 + 4.0], names, &row.name);
        svg.line(&[[sides[0], foot], [sides[1], foot]], "grid");
        if let Some(limit) = row.limit {
            let x = axis.at(limit.as_micros() as f64);
            svg.line(&[[x, foot - height], [x, foot]], "limit");
        }
        if row.times.is_empty() {
            continue;
        }
        svg.path(&outline(&axis, row.times, foot, height), "outline");
        for ((quantile, mark), x) in [(0.5, "median"), (0.99, "late")].into_iter().zip(columns) {
            let micros = row.times.value_at_quantile(quantile) as f64;
            let at = axis.at(micros);
            svg.line(&[[at, foot - height], [at, foot]], mark);
            svg.text([x, foot - height / 2.0 + 4.0], Anchor::End, "", short(micros));
        }
    }
    svg
}

/// Returns the outline of a distribution above the line at `foot`.
fn outline(axis: &Axis, times: &Histogram<u64>, foot: f64, height: f64) -> String {
    let mut counts = [0.0; POINTS];
    for recorded in times.iter_recorded() {
        let value = recorded.value_iterated_to().max(1);
        // The few short times that can be measured fill the axis between them.
        let ends = [times.lowest_equivalent(value), times.next_non_equivalent(value)];
        let [from, to] = ends.map(|end| axis.part(end as f64) * POINTS as f64);
        let last = (to.ceil() as usize).clamp(1, POINTS);
        let first = (from as usize).min(last - 1);
        for (bin, count) in counts.iter_mut().enumerate().take(last).skip(first) {
            let covered = to.min(bin as f64 + 1.0) - from.max(bin as f64);
            let share = if to - from > 1e-9 { covered / (to - from) } else { 1.0 };
            *count += share * recorded.count_at_value() as f64;
        }
    }
    let at = |i: usize| counts[i.min(POINTS - 1)];
    let smooth = |i: usize| (at(i.saturating_sub(1)) + 2.0 * at(i) + at(i + 1)) / 4.0;
    let highest = (0..POINTS).map(smooth).fold(0.0, f64::max);
    let step = (axis.ends[1] - axis.ends[0]) / POINTS as f64;
    let x = |i: usize| axis.ends[0] + step * i as f64;
    let first = (0..POINTS).find(|&i| smooth(i) > 0.0).unwrap_or(0);
    let last = (0..POINTS).rfind(|&i| smooth(i) > 0.0).unwrap_or(0);
    let mut path = format!("M{:.1} {foot:.1}", x(first));
    for i in first..=last {
        path += &format!("L{:.1} {:.1}", x(i) + step / 2.0, foot - smooth(i) / highest * height);
    }
    path + &format!("L{:.1} {foot:.1}z", x(last + 1))
}

/// Logarithmic axis of microseconds.
struct Axis {
    low: f64,
    high: f64,
    ends: [f64; 2],
}

impl Axis {
    fn new(low: f64, high: f64, ends: [f64; 2]) -> Axis {
        let power = |value: f64| 10f64.powf(value.log10().floor());
        let low = power(low.max(1.0));
        Axis { low, high: round_up(high.max(10.0 * low)), ends }
    }

    /// Returns the part of the axis below a time.
    fn part(&self, micros: f64) -> f64 {
        ((micros.max(1.0) / self.low).ln() / (self.high / self.low).ln()).clamp(0.0, 1.0)
    }

    fn at(&self, micros: f64) -> f64 {
        self.ends[0] + self.part(micros) * (self.ends[1] - self.ends[0])
    }

    /// Returns the powers of ten on the axis.
    fn decades(&self) -> impl Iterator<Item = f64> + '_ {
        let powers = std::iter::successors(Some(self.low), |power| Some(power * 10.0));
        powers.take_while(|power| *power <= self.high * 1.001)
    }
}

/// Returns a time with two digits, for example 1.2ms.
fn short(micros: f64) -> String {
    let (value, unit) = match micros {
        _ if micros < 999.5 => (micros, "µs"),
        _ if micros < 999.5e3 => (micros / 1e3, "ms"),
        _ => (micros / 1e6, "s"),
    };
    let digits = usize::from(value < 9.95 && value.fract() != 0.0);
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::testing::{check_pictures, HOSTILE};

    fn times_of(micros: &[u64]) -> Histogram<u64> {
        let mut times = Histogram::new(3).unwrap();
        micros.iter().for_each(|&micros| times.record(micros).unwrap());
        times
    }

    #[test]
    fn rows_have_an_outline_and_marks() {
        let (quick, none) = (times_of(&[0, 1, 2, 3, 900]), times_of(&[]));
        let limit = Some(Duration::from_millis(100));
        let rows = [
            TimeRow { name: HOSTILE.into(), times: &quick, limit },
            TimeRow { name: "absent".into(), times: &none, limit: None },
        ];
        let picture = check_pictures(&times(&rows, Place::File));
        for (mark, count) in [("outline", 1), ("median", 2), ("late", 2), ("limit", 2)] {
            assert_eq!(picture.matches(&format!("class=\"{mark}\"")).count(), count, "{picture}");
        }
        for text in [">2 µs<", ">900 µs<", ">1 µs<", ">100 ms<"] {
            assert!(picture.contains(text), "{text}: {picture}");
        }
        check_pictures(&times(&rows[1..], Place::Page));
        check_pictures(&times(&[], Place::Page));
    }

    #[test]
    fn outline_is_highest_where_most_times_are() {
        let axis = Axis::new(1.0, 1e6, [0.0, 600.0]);
        let times = times_of(&[[1000; 30], [200_000; 30]].concat()[..40]);
        let path = outline(&axis, &times, 50.0, 50.0);
        let points = path[1..path.len() - 1].split('L').map(|point| point.split_once(' ').unwrap());
        let points = points.map(|(x, y)| [x, y].map(|text| text.parse::<f64>().unwrap()));
        let [x, y] = points.min_by(|a, b| a[1].total_cmp(&b[1])).unwrap();
        assert!((x - 300.0).abs() < 5.0 && y == 0.0, "{x} {y}");
    }

    #[test]
    fn axis_covers_all_times_and_ends_at_round_ones() {
        for (low, high, ends) in
            [(0.0, 0.0, [1.0, 10.0]), (37.0, 41.0, [10.0, 100.0]), (7.0, 1_200_000.0, [1.0, 2e6])]
        {
            let axis = Axis::new(low, high, [0.0, 1.0]);
            assert_eq!([axis.low, axis.high], ends);
        }
        assert_eq!(Axis::new(1.0, 900.0, [10.0, 40.0]).decades().count(), 4);
    }

    #[test]
    fn times_have_two_digits() {
        let times = [1.0, 999.0, 1000.0, 1234.0, 98_765.0, 2.5e6, 61e6];
        let texts = times.map(short);
        assert_eq!(texts, ["1 µs", "999 µs", "1 ms", "1.2 ms", "99 ms", "2.5 s", "61 s"]);
    }
}
