//! Drawing of a position.

use super::{Anchor, Svg};
use crate::escape::{escape, xml};
use crate::registry::scene::{Paint, Scene, SceneBoard, Shape, Zone};
use base64::prelude::{Engine, BASE64_STANDARD};
use std::collections::BTreeMap;

/// Distance between neighbouring cells, as in `board.js`, whose drawings have the same geometry.
const CELL: f64 = 20.0;
/// Distance between rows of hexagons.
const HEX_ROW: f64 = CELL * 0.866;
/// Height of a hexagon above its row.
const HEX_TIP: f64 = 2.2;
/// Distance of the cells from the edge.
const EDGE: f64 = 6.0;
/// Length in pixels of the longer side of a drawing. Not tuned.
const LENGTH: f64 = 480.0;
/// Maximum magnification of a small board. Not tuned.
const MOST_ZOOM: f64 = 3.0;
/// Seeds drawn in a pit and in a store. The number beside them is always exact.
const SEEDS: [usize; 2] = [15, 48];
/// Maximum number of characters of the text of a cell.
const LETTERS: usize = 4;
/// Number of cells above which they have no round corners, which would double the size of the
/// drawing. Not tuned.
const MANY: usize = 400;

/// Path of a cell from a point, which is given relative to the centre of a cell.
type Outline = ([f64; 2], &'static str);
const PLAIN: Outline = ([-9.5, -9.5], "h19v19h-19z");
const ROUND: Outline = ([-7.5, -9.5], "h15q2 0 2 2v15q0 2-2 2h-15q-2 0-2-2v-15q0-2 2-2z");
const HEXAGON: Outline = ([0.0, -10.9], "l9.4 5.4v10.9l-9.4 5.4-9.4-5.4v-10.9z");
const PIT: Outline = ([-10.5, 0.0], "a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0z");
const STORE: Outline = ([-11.0, -14.0], "a11 11 0 0 1 22 0v28a11 11 0 0 1-22 0z");
/// Hatchings of a cell in the zones of the seats, which differ in direction too.
const HATCHINGS: [Outline; 4] = [
    ([-10.0, 10.0], "l20-20"),
    ([-10.0, -10.0], "l20 20"),
    ([-10.0, 0.0], "h20"),
    ([0.0, -10.0], "v20"),
];

/// Width of a letter of a text, and height of a line.
const GLYPH: f64 = 8.5;
const LINE: f64 = 18.0;

/// Draws a position. The zones are drawn if the scene has any.
pub fn position(board: &SceneBoard, scene: &Scene) -> Svg {
    if let (Shape::Picture, [look, ..]) = (board.shape, &scene.cells[..]) {
        return picture(&look.text);
    }
    let has = |is_of: fn(&Paint) -> bool| scene.cells.iter().any(|look| is_of(&look.paint));
    let has_colours = has(|paint| matches!(paint, Paint::Colour(_)));
    let heads = if has(|paint| matches!(paint, Paint::Head(_))) { " trails" } else { "" };
    let colours = if has_colours { " colours" } else { "" };
    let [columns, rows] = [board.width, board.height].map(|count| count as f64);
    let inner = match board.shape {
        Shape::Square | Shape::Picture => [CELL * columns, CELL * rows],
        Shape::Hex => [CELL * (columns + 0.5), HEX_ROW * rows + 2.0 * HEX_TIP],
        Shape::Pits => [68.0 + 24.0 * columns, 66.0],
    };
    let size = inner.map(|length| length + 2.0 * EDGE);
    let zoom = (LENGTH / size[0].max(size[1])).min(MOST_ZOOM);
    let classes = format!("{}{heads}{colours}", board.shape.word());
    let mut drawing = Drawing {
        svg: Svg::board(size, zoom, &classes),
        board,
        is_plain: has_colours || scene.cells.len() > MANY,
    };
    drawing.ground(scene, inner);
    drawing.texts(scene);
    let marks: String = scene.marks.iter().map(|&cell| drawing.outline(cell)).collect();
    if !marks.is_empty() {
        drawing.svg.path(&marks, "mark");
    }
    drawing.svg
}

/// Draws the picture of a position that came from elsewhere: lines of text, or an SVG document,
/// which is shown as an image.
fn picture(text: &str) -> Svg {
    if text.starts_with("<svg") {
        let mut svg = Svg::board([LENGTH, LENGTH], 1.0, "picture");
        let data = BASE64_STANDARD.encode(text);
        svg.add(format_args!(
            "<image width=\"100%\" height=\"100%\" href=\"data:image/svg+xml;base64,{data}\"/>"
        ));
        return svg;
    }
    let lines: Vec<&str> = text.lines().collect();
    let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let size = [GLYPH * (widest + 2) as f64, LINE * (lines.len() + 1) as f64];
    let mut svg = Svg::board(size, 1.0, "picture");
    for (number, line) in lines.iter().enumerate() {
        let place = [GLYPH, LINE * (number + 1) as f64];
        svg.text(place, Anchor::Start, "letters", line);
    }
    svg
}

struct Drawing<'a> {
    svg: Svg,
    board: &'a SceneBoard,
    is_plain: bool,
}

impl Drawing<'_> {
    /// Returns the number of pits, after which the stores follow.
    fn pits(&self) -> usize {
        self.board.width * self.board.height
    }

    fn centre(&self, cell: usize) -> [f64; 2] {
        let width = self.board.width.max(1);
        let [column, row] = [cell % width, cell / width].map(|count| count as f64);
        let [x, y] = match self.board.shape {
            Shape::Square | Shape::Picture => [CELL * (column + 0.5), CELL * (row + 0.5)],
            Shape::Hex => {
                [CELL * (column + 0.5 + row % 2.0 / 2.0), HEX_TIP + HEX_ROW * (row + 0.5)]
            }
            // The store of seat 0 is on the right, to which its row is sown.
            Shape::Pits if cell == self.pits() => [49.0 + 24.0 * width as f64, 33.0],
            Shape::Pits if cell > self.pits() => [19.0, 33.0],
            Shape::Pits => [44.0 + 24.0 * column, 18.0 + 30.0 * row],
        };
        [x + EDGE, y + EDGE]
    }

    fn outline(&self, cell: usize) -> String {
        let outline = match self.board.shape {
            Shape::Square if self.is_plain => PLAIN,
            Shape::Square | Shape::Picture => ROUND,
            Shape::Hex => HEXAGON,
            Shape::Pits if cell >= self.pits() => STORE,
            Shape::Pits => PIT,
        };
        self.at(cell, outline)
    }

    /// Returns the path of an outline in a cell.
    fn at(&self, cell: usize, ([dx, dy], path): Outline) -> String {
        let [x, y] = self.centre(cell);
        format!("M{} {}{path}", number(x + dx), number(y + dy))
    }

    /// Returns the seat of a pit or store.
    fn owner(&self, cell: usize) -> usize {
        match cell.checked_sub(self.pits()) {
            Some(seat) => seat,
            None => usize::from(cell < self.board.width),
        }
    }

    /// Draws the cells and the zones, one path for all cells of a kind.
    fn ground(&mut self, scene: &Scene, [width, height]: [f64; 2]) {
        let is_pits = self.board.shape == Shape::Pits;
        if is_pits {
            let place = format!("x=\"{EDGE}\" y=\"{EDGE}\" width=\"{width}\" height=\"{height}\"");
            self.svg.add(format_args!("<rect class=\"wood\" {place} rx=\"14\"/>"));
        }
        let mut paths: BTreeMap<String, String> = BTreeMap::new();
        let mut add = |classes: String, path: String| *paths.entry(classes).or_default() += &path;
        for (cell, look) in scene.cells.iter().enumerate() {
            let zone = scene.zones.get(cell).copied().unwrap_or(Zone::None);
            if look.paint != Paint::Free || zone == Zone::None {
                add(classes(look.paint, self.owner(cell)), self.outline(cell));
            }
            match zone {
                Zone::None => {}
                Zone::Shared => add("tint shared".into(), self.outline(cell)),
                Zone::Of(seat) => {
                    add(format!("tint {}", by(seat.index())), self.outline(cell));
                    let hatching = HATCHINGS[seat.index() % HATCHINGS.len()];
                    add(format!("weave {}", by(seat.index())), self.at(cell, hatching));
                }
            }
        }
        // The order of their words puts tints above the cells.
        for (classes, path) in paths {
            self.svg.path(&path, &classes);
        }
        let seeds = scene.cells.iter().enumerate().filter(|_| is_pits);
        for (cell, look) in seeds {
            self.seeds(cell, look.text.parse().unwrap_or(0));
        }
    }

    /// Draws seeds: on a spiral of the golden angle in a pit, and in rows of four in a store.
    fn seeds(&mut self, cell: usize, count: usize) {
        let is_store = cell >= self.pits();
        let [x, y] = self.centre(cell);
        let radius = if is_store { 1.5 } else { 1.75 };
        for seed in 0..count.min(SEEDS[usize::from(is_store)]) {
            let [column, row, order] = [seed % 4, seed / 4, seed].map(|count| count as f64);
            let (length, angle) = (2.1 * (order + 1.0).sqrt(), 2.39996 * order + cell as f64);
            let [dx, dy] = if is_store {
                let shift = if seed / 4 % 2 == 1 { 0.8 } else { -0.8 };
                [4.2 * (column - 1.5) + shift, 11.0 - 2.9 * row - 0.3 * (seed % 3) as f64]
            } else {
                [length * angle.cos(), length * angle.sin()]
            };
            let place = format!("cx=\"{}\" cy=\"{}\"", number(x + dx), number(y + dy));
            let kind = (7 * seed + cell) % 3;
            self.svg.add(format_args!("<circle class=\"seed s{kind}\" {place} r=\"{radius}\"/>"));
        }
    }

    /// Writes the texts of the cells, and the numbers of pits as their owners count. The texts of a
    /// row share an element.
    fn texts(&mut self, scene: &Scene) {
        let is_pits = self.board.shape == Shape::Pits;
        let mut rows: BTreeMap<String, String> = BTreeMap::new();
        let mut add = |attributes: String, x: f64, text: &str| {
            let row = rows.entry(attributes).or_default();
            *row += &format!("<tspan x=\"{}\">{}</tspan>", number(x), xml(&escape(text)));
        };
        for (cell, look) in scene.cells.iter().enumerate() {
            let [x, y] = self.centre(cell);
            let (is_store, is_upper) = (cell >= self.pits(), cell < self.board.width);
            if is_pits && !is_store {
                let column = cell % self.board.width;
                let pit = if is_upper { self.board.width - 1 - column } else { column };
                let y = if is_upper { y + 12.8 } else { y - 12.8 };
                add(format!("class=\"pit-number\" y=\"{}\"", number(y)), x, &pit.to_string());
            }
            let text: String = look.text.chars().take(LETTERS).collect();
            let (size, below) = match text.chars().count() {
                0 => continue,
                _ if is_pits && is_store => (7.0, 19.0),
                // Numbers are outside of the pits.
                _ if is_pits => (5.5, if is_upper { -13.2 } else { 13.2 }),
                letters if letters > 2 => (0.36 * CELL, 0.0),
                _ if self.board.slides => (0.5 * CELL, 0.0),
                _ => (0.58 * CELL, 0.0),
            };
            let paint = classes(look.paint, self.owner(cell)).replacen("cell", "glyph", 1);
            let place = format!("y=\"{}\" font-size=\"{}\"", number(y + below), number(size));
            add(format!("class=\"{paint}\" {place}"), x, &text);
        }
        for (attributes, texts) in rows {
            self.svg.add(format_args!("<text {attributes}>{texts}</text>"));
        }
    }
}

/// Returns the classes of a cell in the style sheet of the pages.
fn classes(paint: Paint, owner: usize) -> String {
    match paint {
        Paint::Taken(seat) => format!("cell seat {}", by(seat.index())),
        Paint::Head(seat) => format!("cell head {}", by(seat.index())),
        Paint::Colour(number) => format!("cell colour c{}", number % 16),
        Paint::Pit | Paint::Store => format!("cell {paint} {}", by(owner)),
        _ => format!("cell {paint}"),
    }
}

/// Returns the class with the colour of a seat.
fn by(seat: usize) -> String {
    format!("by{}", seat % 8)
}

/// Returns a coordinate with the digits that a drawing needs.
fn number(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::testing::{check_pictures, HOSTILE};
    use crate::registry::scene::Look;
    use arbitre_games::game::Seat;

    fn board(shape: Shape, width: usize, height: usize) -> SceneBoard {
        SceneBoard { shape, width, height, slides: false }
    }

    #[test]
    fn every_paint_has_a_colour() {
        let seat = Seat::new(1);
        let paints = [
            Paint::Free,
            Paint::Wall,
            Paint::Full,
            Paint::Unit,
            Paint::Tile,
            Paint::Goal,
            Paint::Blank,
            Paint::Taken(seat),
            Paint::Head(seat),
            Paint::Colour(15),
        ];
        let cells = paints.map(|paint| Look::with(paint, HOSTILE)).to_vec();
        for shape in [Shape::Square, Shape::Hex] {
            let svg = position(&board(shape, 5, 2), &Scene::of(cells.clone()));
            let picture = check_pictures(&svg);
            let document = svg.document();
            for paint in paints {
                let classes = classes(paint, 0);
                assert!(picture.contains(&format!("\"{classes}\" d=\"M")), "{classes}: {picture}");
                for class in classes.split(' ').filter(|word| !["free", "colour"].contains(word)) {
                    assert!(document.contains(&format!(".{class} ")), "{class}");
                }
            }
        }
    }

    #[test]
    fn zones_and_marks_are_drawn_where_the_scene_has_them() {
        let mut scene = Scene::of(vec![Look::plain(Paint::Free); 3]);
        let square = board(Shape::Square, 3, 1);
        let picture = check_pictures(&position(&square, &scene));
        assert!(!picture.contains("tint") && !picture.contains("mark"), "{picture}");
        scene.zones = vec![Zone::None, Zone::Of(Seat::new(1)), Zone::Shared];
        scene.marks = vec![2];
        let picture = check_pictures(&position(&square, &scene));
        for part in ["cell free", "tint by1", "weave by1", "tint shared", "mark"] {
            assert_eq!(picture.matches(&format!("\"{part}\"")).count(), 1, "{part}: {picture}");
        }
    }

    #[test]
    fn pits_have_their_seeds_up_to_a_limit() {
        let mut cells: Vec<Look> = (0..12).map(|_| Look::with(Paint::Pit, 3)).collect();
        cells[0] = Look::with(Paint::Pit, 40);
        cells.extend([Look::with(Paint::Store, 2), Look::with(Paint::Store, 1000)]);
        let picture = check_pictures(&position(&board(Shape::Pits, 6, 2), &Scene::of(cells)));
        assert_eq!(picture.matches("class=\"seed ").count(), 11 * 3 + 15 + 2 + 48);
        assert!(picture.contains(">40</tspan>") && picture.contains(">1000</tspan>"), "{picture}");
        // The upper row belongs to seat 1, as does the store on the left.
        assert!(picture.contains("cell store by1\" d=\"M14 25a"), "{picture}");
        assert!(picture.contains("cell pit by0\" d=\"M39.5 54a"), "{picture}");
    }

    #[test]
    fn large_drawings_are_compact() {
        for (shape, paint, text) in [
            (Shape::Square, Paint::Colour(3), "A"),
            (Shape::Square, Paint::Free, ""),
            (Shape::Hex, Paint::Full, ""),
        ] {
            let mut scene = Scene::of(vec![Look::with(paint, text); 900]);
            let zoned = if paint == Paint::Free { 900 } else { 0 };
            scene.zones = vec![Zone::Of(Seat::new(0)); zoned];
            let size = position(&board(shape, 30, 30), &scene).document().len();
            assert!(size < 60_000, "{paint}: {size} bytes");
        }
    }
}
