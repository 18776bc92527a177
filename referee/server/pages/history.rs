//! Chart of a rating over time.

use arbitre_referee::chart::{Anchor, Scale, Svg};
use arbitre_referee::statistics::rating::Estimate;

/// Size of the chart, in pixels like all lengths here.
const SIZE: [f64; 2] = [640.0, 220.0];
/// Left, right, upper and lower ends of its panel.
const PANEL: [f64; 4] = [56.0, 628.0, 12.0, 176.0];
/// Approximate numbers of grid lines.
const TICKS: [f64; 2] = [6.0, 5.0];

/// Draws ratings, each with its interval, over the number of games of the room. `title` stands
/// below the axis.
pub fn chart(points: &[(u64, Estimate)], title: &str, about: &str) -> String {
    let [left, right, top, bottom] = PANEL;
    let mut svg = Svg::new(SIZE, about);
    let xs = points.iter().map(|(games, _)| *games as f64);
    let ends = points.iter().flat_map(|(_, Estimate { value, error })| {
        let error = if error.is_finite() { error.min(400.0) } else { 0.0 };
        [value - error, value + error]
    });
    let scales = (Scale::of(xs, TICKS[0], [left, right]), Scale::of(ends, TICKS[1], [bottom, top]));
    let (Some(x), Some(y)) = scales else { return svg.inline() };
    for (at, text) in y.ticks() {
        svg.line(&[[left, at], [right, at]], "grid");
        svg.text([left - 8.0, at + 4.0], Anchor::End, "faint", text);
    }
    for (at, text) in x.ticks() {
        svg.text([at, bottom + 18.0], Anchor::Middle, "faint", text);
    }
    svg.text([(left + right) / 2.0, bottom + 38.0], Anchor::Middle, "faint", title);
    let mut line = Vec::new();
    for (games, Estimate { value, error }) in points {
        let at = x.at(*games as f64);
        if error.is_finite() {
            svg.line(&[[at, y.at(value - error)], [at, y.at(value + error)]], "interval");
        }
        line.push([at, y.at(*value)]);
    }
    svg.line(&line, "median");
    let last = points.last().map(|(_, estimate)| format!("{:+.0}", estimate.value));
    if let (Some(point), Some(last)) = (line.last(), last) {
        svg.circle(*point, 4.0, "point", &last);
    }
    svg.inline()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chart_has_a_line_and_takes_any_numbers() {
        let point = |games, value, error| (games, Estimate { value, error });
        let drawn = chart(&[point(10, -20.0, 90.0), point(80, 35.0, 40.0)], "games", "rating");
        assert_eq!(drawn.matches("class=\"interval\"").count(), 2, "{drawn}");
        assert!(drawn.contains("class=\"median\"") && drawn.contains(">games<"), "{drawn}");
        for points in [&[][..], &[point(1, 0.0, f64::INFINITY)], &[point(5, f64::NAN, 1.0)]] {
            assert!(chart(points, "", "").starts_with("<svg"), "{points:?}");
        }
    }
}
