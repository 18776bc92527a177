//! SVG pictures made of a few shapes, with escaped text.

use crate::escape::xml;
use std::fmt::{Display, Write};

/// A picture, with coordinates in pixels from the upper left corner.
pub struct Svg {
    size: [f64; 2],
    body: String,
}

/// Horizontal alignment of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The text begins at its point.
    Start,
    /// The text is centred on its point.
    Middle,
    /// The text ends at its point.
    End,
}

impl Svg {
    /// Creates an empty picture of this width and height.
    pub fn new(size: [f64; 2]) -> Svg {
        Svg { size, body: String::new() }
    }

    /// Adds a line through `points`. `style` holds SVG attributes, here and below.
    pub fn line(&mut self, points: &[[f64; 2]], style: &str) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        self.add(&format!("<polyline points=\"{}\" fill=\"none\" {style}/>", points.join(" ")));
    }

    /// Adds a circle with the tooltip `told`.
    pub fn circle(&mut self, [x, y]: [f64; 2], radius: f64, style: &str, told: &str) {
        let circle = format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {style}>");
        self.add(&format!("{circle}<title>{}</title></circle>", escaped(told)));
    }

    /// Adds a rectangle, given its upper left corner.
    pub fn rectangle(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], style: &str) {
        let place =
            format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"");
        self.add(&format!("<rect {place} {style}/>"));
    }

    /// Adds a text on its baseline.
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
        writeln!(self.body, "{element}").expect("writing to a string cannot fail");
    }

    /// Returns the SVG document.
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

/// Escapes a text for one line: line breaks and tabs are replaced.
fn escaped(text: &str) -> String {
    xml(text).replace(['\n', '\t'], "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
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
