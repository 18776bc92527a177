//! Scenes as the browser draws them.

use arbitre::game::Seat;
use arbitre::referee::registry::scene::{GameScenes, Look, Paint, Scene, SceneBoard, Shape, Zone};
use arbitre_test_support::browser::Browser;
use serde_json::Value;
use std::collections::BTreeMap;

/// Seeds that are drawn in a pit and in a store; above that the number alone tells.
const DRAWN_SEEDS: [u64; 2] = [15, 48];

/// Returns the scene that is drawn in a game of `seats` seats.
pub fn scene(browser: &mut Browser, seats: usize) -> Scene {
    let drawn = browser.evaluate(include_str!("drawn.js"));
    let list = |value: &Value| value.as_array().expect("it is a list").clone();
    let number = |value: &Value| value.as_u64().expect("it is a number");
    let cells = list(&drawn["cells"]);
    let zone = |cell: &Value| match cell["zone"].as_i64().expect("a zone is a number") {
        -1 => Zone::None,
        shared if shared == seats as i64 => Zone::Shared,
        seat => Zone::Of(Seat::new(seat as usize)),
    };
    Scene {
        cells: cells.iter().map(look).collect(),
        zones: cells.iter().map(zone).collect(),
        marks: list(&drawn["marks"]).iter().map(|mark| number(mark) as usize).collect(),
        scores: list(&drawn["scores"]).iter().map(|score| score.as_i64().unwrap()).collect(),
        label: drawn["label"].as_str().map(str::to_owned),
    }
}

/// Checks that a scene is drawn.
pub fn check(browser: &mut Browser, seats: usize, expected: &Scene, what: &str) {
    let mut expected = expected.clone();
    // A page knows no zones before the first one.
    expected.zones.resize(expected.cells.len(), Zone::None);
    let drawn = scene(browser, seats);
    assert_eq!(drawn, expected, "{what}");
}

fn look(cell: &Value) -> Look {
    let [classes, text] = ["classes", "text"].map(|key| cell[key].as_str().expect("it is a text"));
    let mut words = classes.split_whitespace().skip(1);
    let (word, number) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let number = || number.trim_start_matches(char::is_alphabetic).parse().expect("it is numbered");
    let paints = [
        Paint::Free,
        Paint::Wall,
        Paint::Full,
        Paint::Unit,
        Paint::Tile,
        Paint::Goal,
        Paint::Blank,
        Paint::Pit,
        Paint::Store,
    ];
    let paint = match word {
        "seat" => Paint::Taken(Seat::new(number())),
        "head" => Paint::Head(Seat::new(number())),
        "colour" => Paint::Colour(number()),
        word => *paints.iter().find(|paint| paint.to_string() == word).expect("a paint is known"),
    };
    let most = [Paint::Pit, Paint::Store].iter().position(|seeds| *seeds == paint);
    let seeds = most.map_or(0, |at| text.parse::<u64>().unwrap().min(DRAWN_SEEDS[at]));
    assert_eq!(cell["seeds"], seeds, "seeds of {cell}");
    Look::with(paint, text)
}

/// Checks the places of the cells, and that cells of different paint have different colours.
pub fn check_places(browser: &mut Browser, board: &SceneBoard, scene: &Scene) {
    let cells = browser.evaluate(include_str!("geometry.js"));
    let place = |cell: usize, key: &str| -> [f64; 2] {
        [0, 1].map(|axis| cells[cell][key][axis].as_f64().expect("a place is two numbers"))
    };
    let [left, top] = place(0, "centre");
    let across = place(1, "centre")[0] - left;
    assert!(across > 4.0, "{across} pixels per cell");
    let down = match board.shape {
        Shape::Square | Shape::Picture => across,
        Shape::Hex => across * 3_f64.sqrt() / 2.0,
        Shape::Pits => across * 33.0 / 24.0,
    };
    for cell in 0..board.width * board.height {
        let (row, column) = (cell / board.width, cell % board.width);
        let shift = if board.shape == Shape::Hex { (row % 2) as f64 / 2.0 } else { 0.0 };
        let expected = [left + across * (column as f64 + shift), top + down * row as f64];
        let is_near =
            |[x, y]: [f64; 2], most: f64| (x - expected[0]).hypot(y - expected[1]) < most * across;
        assert!(is_near(place(cell, "centre"), 0.02), "cell {cell} of {board:?}");
        let most = if board.shape == Shape::Pits { 0.6 } else { 0.2 };
        let has_text = !scene.cells[cell].text.is_empty();
        assert!(!has_text || is_near(place(cell, "glyph"), most), "text of {cell} of {board:?}");
    }
    if board.shape == Shape::Pits {
        // Seat 0 has the lower row, and its store is on the right, where it sows to.
        let [own, other] = [12, 13].map(|store| place(store, "centre")[0]);
        assert!(
            own > left + across * board.width as f64 - across / 2.0 && other < left - across / 2.0
        );
        return;
    }
    let mut paints: BTreeMap<&str, Paint> = BTreeMap::new();
    for (cell, look) in scene.cells.iter().enumerate() {
        let colours = cells[cell]["colours"].as_str().expect("colours are text");
        let paint = *paints.entry(colours).or_insert(look.paint);
        assert_eq!(paint, look.paint, "{colours} of cell {cell}");
    }
}

/// Checks that each zone is hatched by its seat's pattern, once they are switched on.
pub fn check_zones(browser: &mut Browser, scene: &Scene) {
    let count = |zones: &[Zone], zone| zones.iter().filter(|of| **of == zone).count();
    let hatched = |browser: &mut Browser, pattern: usize| {
        browser.evaluate(&format!(
            "document.querySelectorAll('#board .zones > [fill$=\"-zone{pattern})\"]').length"
        ))
    };
    for is_on in [true, false] {
        browser.press("z");
        for seat in 0..4 {
            let expected = count(&scene.zones, Zone::Of(Seat::new(seat))) * usize::from(is_on);
            assert_eq!(hatched(browser, seat), expected, "zone of seat {seat}");
        }
        let shared = count(&scene.zones, Zone::Shared) * usize::from(is_on);
        assert_eq!(hatched(browser, 8), shared, "shared zone");
    }
}

/// Checks that a line leads from each cell of a trail to the next one.
pub fn check_trails(browser: &mut Browser, GameScenes { board, start, steps }: &GameScenes) {
    let scenes: Vec<&Scene> = [start].into_iter().chain(steps.iter().flatten()).collect();
    let mut came_from: BTreeMap<usize, usize> = BTreeMap::new();
    let mut heads: BTreeMap<usize, usize> = BTreeMap::new();
    for scene in &scenes {
        for (cell, look) in scene.cells.iter().enumerate() {
            let Paint::Head(seat) = look.paint else { continue };
            // A cell may be taken again once the trail of an eliminated seat is gone.
            match heads.insert(seat.index(), cell) {
                Some(from) if from != cell => came_from.insert(cell, from),
                None => came_from.insert(cell, cell),
                Some(_) => continue,
            };
        }
    }
    let place = |cell: usize| [cell % board.width, cell / board.width].map(|at| at * 20 + 11);
    let mut expected: Vec<String> = Vec::new();
    for (cell, look) in scenes[scenes.len() - 1].cells.iter().enumerate() {
        if matches!(look.paint, Paint::Head(_) | Paint::Taken(_)) {
            let [[from_x, from_y], [x, y]] = [came_from[&cell], cell].map(place);
            expected.push(format!("M{from_x} {from_y}L{x} {y}"));
        }
    }
    let drawn = browser.evaluate(
        "[...document.querySelectorAll('#board .line')].map((line) => line.getAttribute('d'))
             .filter(Boolean).sort()",
    );
    expected.sort();
    assert_eq!(drawn, Value::from(expected));
}
