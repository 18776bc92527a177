//! SVG pictures made of a few shapes, with escaped text.

use crate::escape::{escape, needs_escape, xml};
use std::fmt::{Display, Write};

/// Style sheet of the pages, which defines the colours.
const PAGE: &str = include_str!("../report/web/page.css");
/// Style sheet that paints boards.
const BOARDS: &str = include_str!("../report/web/boards.css");
/// Style of the charts, to be used with that of the pages, which defines its colours.
pub const STYLE: &str = include_str!("chart.css");
/// Fonts of a file.
const FONTS: &str = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

/// A picture, with coordinates from the upper left corner. Shapes and texts get their appearance
/// from `classes` of the style sheets.
pub struct Svg {
    size: [f64; 2],
    /// Pixels per unit of the coordinates.
    zoom: f64,
    classes: String,
    about: String,
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
    /// Creates an empty picture of this width and height. `about` is read to people who do not see
    /// it.
    pub fn new(size: [f64; 2], about: &str) -> Svg {
        let (classes, about) = ("chart".into(), about.into());
        Svg { size, zoom: 1.0, classes, about, body: String::new() }
    }

    /// Creates an empty drawing of a board, magnified by `zoom`.
    pub(super) fn board(size: [f64; 2], zoom: f64, classes: &str) -> Svg {
        let classes = format!("chart position {classes}");
        Svg { zoom, classes, ..Svg::new(size, "position") }
    }

    /// Adds a line through `points`.
    pub fn line(&mut self, points: &[[f64; 2]], classes: &str) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        self.add(format_args!("<polyline points=\"{}\" class=\"{classes}\"/>", points.join(" ")));
    }

    /// Adds a path, given its commands.
    pub(super) fn path(&mut self, path: &str, classes: &str) {
        self.add(format_args!("<path class=\"{classes}\" d=\"{path}\"/>"));
    }

    /// Adds a circle with the tooltip `told`.
    pub fn circle(&mut self, [x, y]: [f64; 2], radius: f64, classes: &str, told: &str) {
        let place = format!("cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"");
        self.add(format_args!("<circle {place} class=\"{classes}\">{}</circle>", title(told)));
    }

    /// Adds a rectangle with the tooltip `told`, given its upper left corner.
    pub fn rectangle(
        &mut self,
        [x, y]: [f64; 2],
        [width, height]: [f64; 2],
        classes: &str,
        opacity: f64,
        told: &str,
    ) {
        let place =
            format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"");
        let paint = format!("class=\"{classes}\" fill-opacity=\"{opacity:.2}\"");
        self.add(format_args!("<rect {place} {paint}>{}</rect>", title(told)));
    }

    /// Adds a text on its baseline.
    pub fn text(&mut self, [x, y]: [f64; 2], anchor: Anchor, classes: &str, text: impl Display) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = xml(&escape(&text.to_string()));
        let place = format!("x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"");
        self.add(format_args!("<text {place} class=\"{classes}\">{text}</text>"));
    }

    /// Adds a name that ends at its point, cut to a width. The full name is its tooltip.
    pub(super) fn name(&mut self, [x, y]: [f64; 2], most: f64, name: &str) {
        let shown = xml(&fitted(name, most));
        // An element of its own clips letters that are wider or higher than usual.
        let place = format!("x=\"{:.1}\" y=\"{:.1}\"", x - most - 4.0, y - 12.0);
        let size = format!("width=\"{:.1}\" height=\"16\"", most + 4.0);
        let text = format!("<text x=\"100%\" y=\"12\" text-anchor=\"end\">{shown}</text>");
        self.add(format_args!("<svg {place} {size}>{}{text}</svg>", title(&escape(name))));
    }

    /// Adds an element as it is.
    pub(super) fn add(&mut self, element: impl Display) {
        writeln!(self.body, "{element}").expect("writing to a string cannot fail");
    }

    /// Returns an SVG document with its style, for readers who prefer light or dark pictures.
    pub fn document(&self) -> String {
        let is_board = self.classes != "chart";
        let (light, dark) = (style(is_board, 0), style(is_board, 1));
        let namespace = format!(" xmlns=\"http://www.w3.org/2000/svg\" font-family=\"{FONTS}\"");
        let style = format!(
            "<style>\n{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n</style>\n\
             <rect class=\"backdrop\" width=\"100%\" height=\"100%\"/>\n"
        );
        self.element(&namespace, &style)
    }

    /// Returns an element for a page with the style sheets. It has neither a style nor a name of
    /// its own, which the policy of a page may forbid and other pictures may share.
    pub fn inline(&self) -> String {
        self.element("", "")
    }

    fn element(&self, attributes: &str, start: &str) -> String {
        let Svg { size: [width, height], zoom, classes, body, .. } = self;
        let size = format!("width=\"{:.0}\" height=\"{:.0}\"", width * zoom, height * zoom);
        let about = format!("role=\"img\" aria-label=\"{}\"", xml(&escape(&self.about)));
        format!(
            "<svg{attributes} class=\"{classes}\" viewBox=\"0 0 {width:.1} {height:.1}\" \
             {size} {about}>\n{start}{body}</svg>\n"
        )
    }
}

/// Returns a tooltip, on one line.
fn title(told: &str) -> String {
    match told {
        "" => String::new(),
        _ => format!("<title>{}</title>", xml(&told.replace(needs_escape, "\u{fffd}"))),
    }
}

/// Returns the style sheet of a file in one of the themes, light or dark. Custom properties are
/// replaced by their values, because many viewers other than browsers do not know them.
fn style(is_board: bool, theme: usize) -> String {
    let seats = PAGE.lines().filter(|line| line.starts_with(".by"));
    let seats: String = seats.flat_map(|line| [line, "\n"]).collect();
    let css = if is_board { seats + BOARDS + STYLE } else { STYLE.to_owned() };
    let mut css = themed(&css, theme);
    for line in PAGE.lines().filter(|line| line.starts_with("  --")) {
        let (name, value) = line.trim().split_once(": ").expect("a property has a value");
        let value = themed(value.trim_end_matches(';'), theme);
        css = css.replace(&format!("var({name})"), &value);
    }
    // The colours of cells are those of the classes themselves.
    let css = css.replace(".cell.colour { fill: var(--colour); }\n", "");
    css.replace("--colour:", "fill:")
        .replace("--by:", "color:")
        .replace("var(--by)", "currentcolor")
}

/// Replaces each `light-dark(a, b)` by the value of a theme.
fn themed(css: &str, theme: usize) -> String {
    let mut parts = css.split("light-dark(");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (values, rest) = part.split_once(')').expect("the values end");
        text += values.split(", ").nth(theme).expect("each theme has a value");
        text += rest;
    }
    text
}

/// Returns the beginning of a name that fits a width.
fn fitted(name: &str, most: f64) -> String {
    let name = escape(name);
    if text_width(&name) <= most {
        return name;
    }
    let mut left = most - advance('…');
    let fits = |c: &char| {
        left -= advance(*c);
        left >= 0.0
    };
    name.chars().take_while(fits).chain(['…']).collect()
}

/// Returns the approximate width of a text at 12 pixels, which is a little above that of usual
/// fonts.
pub fn text_width(text: &str) -> f64 {
    escape(text).chars().map(advance).sum()
}

fn advance(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 3.6,
        'f' | 'r' | 't' | ' ' | '-' | '/' | '\\' | '(' | ')' | '[' | ']' | '{' | '}' => 4.8,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 12.0,
        'A'..='Z' | '+' | '±' | '&' | '#' | '<' | '>' | '=' | '~' => 9.0,
        c if c < '\u{300}' => 7.4,
        _ => 12.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::testing::{check_pictures, HOSTILE};

    #[test]
    fn text_is_escaped() {
        let mut svg = Svg::new([10.0, 20.0], HOSTILE);
        svg.text([1.0, 2.0], Anchor::Middle, "", "a<b> & \"c\"\u{1b}[m");
        svg.circle([1.0, 2.0], 3.0, "", "</title>");
        svg.name([1.0, 2.0], 900.0, HOSTILE);
        check_pictures(&svg);
        let document = svg.document();
        assert!(document.contains(">a&lt;b&gt; &amp; &quot;c&quot;\\u{1b}[m</text>"), "{document}");
        assert!(document.contains("<title>&lt;/title&gt;</title></circle>"), "{document}");
    }

    #[test]
    fn names_are_cut_to_their_width() {
        for (name, most, expected) in [
            ("minimax", 100.0, "minimax"),
            ("minimax-with-transpositions", 80.0, "minimax-…"),
            ("\u{202e}x", 60.0, "\\u{202e}x"),
            ("", 60.0, ""),
        ] {
            assert_eq!(fitted(name, most), expected);
            assert!(text_width(&fitted(name, most)) <= most);
        }
    }

    #[test]
    fn style_of_a_file_has_values_in_both_themes() {
        for theme in [0, 1] {
            let style = style(true, theme);
            let start = style.split(".cell.wall { fill: ").nth(1).unwrap();
            assert_eq!(&start[..7], ["#6b7686", "#59677a"][theme]);
            assert!(style.contains(["color: #c05400", "color: #ff8f3f"][theme]), "{style}");
            assert!(style.contains(".c3 { fill: #bbcc33; }"), "{style}");
            assert!(!style.contains("light-dark") && !style.contains("var(--"), "{style}");
        }
        assert!(!style(false, 0).contains(".cell.wall"));
    }
}
