//! Pictures as SVG: a few shapes, with text that cannot break out of them.

use crate::escape::xml;
use std::fmt::{Display, Write};

/// A picture that is drawn, in pixels from the upper left corner.
pub struct Svg {
    size: [f64; 2],
    body: String,
}

/// Where a text stands to its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

impl Svg {
    /// An empty picture of this width and height.
    pub fn new(size: [f64; 2]) -> Svg {
        Svg { size, body: String::new() }
    }

    /// A line from point to point. `style` holds attributes, as do those below.
    pub fn line(&mut self, points: &[[f64; 2]], style: &str) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        self.add(&format!("<polyline points=\"{}\" fill=\"none\" {style}/>", points.join(" ")));
    }

    /// A circle that tells something when it is pointed at.
    pub fn circle(&mut self, [x, y]: [f64; 2], radius: f64, style: &str, told: &str) {
        let circle = format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {style}>");
        self.add(&format!("{circle}<title>{}</title></circle>", escaped(told)));
    }

    /// A rectangle by its upper left corner.
    pub fn rectangle(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], style: &str) {
        let place =
            format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"");
        self.add(&format!("<rect {place} {style}/>"));
    }

    /// A text on its base line.
    pub fn text(&mut self, [x, y]: [f64; 2], anchor: Anchor, style: &str, text: impl Display) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(&text.to_string());
        let place = format!("x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"");
        self.add(&format!("<text {place} {style}>{text}</text>"));
    }

    fn add(&mut self, element: &str) {
        writeln!(self.body, "{element}").expect("a string takes every line");
    }

    /// The document.
    pub fn document(&self) -> String {
        let [width, height] = self.size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// Text on one line.
fn escaped(text: &str) -> String {
    xml(text).replace(['\n', '\t'], "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let mut svg = Svg::new([10.0, 20.0]);
        svg.text([1.0, 2.0], Anchor::Middle, "", "a<b> & \"c\"\u{1b}[m");
        svg.circle([1.0, 2.0], 3.0, "", "</title>");
        let document = svg.document();
        assert!(
            document.contains(">a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}[m</text>"),
            "{document}"
        );
        assert!(document.contains("<title>&lt;/title&gt;</title></circle>"), "{document}");
    }
}
