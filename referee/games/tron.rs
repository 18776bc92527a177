//! Tron in the registry.

use crate::registry::drawing::{View, BOLD, DIM};
use crate::registry::entry::{ArenaInfo, DialectEnd, GameEntry};
use crate::registry::scene::{Look, Paint, Scene, SceneBoard, Shape, Zone};
use arbitre_games::files;
use arbitre_games::game::{ParseError, Seat};
use arbitre_games::games::options::OptionInfo;
use arbitre_games::games::tron::{
    codingame, google2010, CellContent, Point, Position, Rules, Tron, OPTIONS, PRESETS,
};
use arbitre_games::text::io_reason;
use std::collections::VecDeque;

impl GameEntry for Tron {
    const STATE_HELP: &'static [&'static str] = &[
        "the rows of the grid from top to bottom, joined by /: . is free, # a wall, a",
        "digit the trail of that seat, a letter its head (A for seat 0, B for seat 1).",
        "A move is UP, RIGHT, DOWN or LEFT.",
    ];
    const OPTIONS: &'static [OptionInfo] = &OPTIONS;
    const DIALECTS: &'static [DialectEnd<Tron>] = &[
        (&codingame::INFO, || Box::new(codingame::Referee)),
        (&google2010::INFO, || Box::new(google2010::Referee)),
    ];
    const OPPONENTS: &'static [&'static str] =
        &["tron random", "tron wall-hugger", "tron fixed", "tron best"];
    // The arena's statement of Tron Battle; its memory and overtime are those of all its games.
    const ARENAS: &'static [ArenaInfo] = &[
        ArenaInfo {
            name: codingame::INFO.name,
            dialect: codingame::INFO.name,
            rules: "codingame",
            options: &["first-move-time=1s", "move-time=100ms", "overtime=50ms", "memory=768MiB"],
            starters: &[
                ("python", include_str!("../templates/codingame/tron.py")),
                ("c", include_str!("../templates/codingame/tron.c")),
                ("java", include_str!("../templates/codingame/Tron.java")),
                ("ocaml", include_str!("../templates/codingame/tron.ml")),
                ("rust", include_str!("../templates/codingame/tron.rs")),
            ],
        },
        // The maps of that contest differed.
        ArenaInfo {
            name: google2010::INFO.name,
            dialect: google2010::INFO.name,
            rules: "",
            options: &["first-move-time=3s", "move-time=1s"],
            starters: &[],
        },
    ];

    fn presets() -> Vec<(&'static str, String)> {
        let resolved = |name| Rules::parse(name).expect("a preset is read").to_string();
        PRESETS.iter().map(|(name, _)| (*name, resolved(name))).collect()
    }

    /// Opens the game. Walls may come from a file, which the rules themselves never read.
    fn open(rules: &str) -> Result<Tron, ParseError> {
        Rules::parse_with(rules, read_map).map(Tron::new)
    }

    /// Draws the grid in a frame, with numbers of columns above and of rows on the left. Heads are
    /// letters, trails are digits. The letter of each player stands below. The trails that the end
    /// of the game removed are drawn.
    fn draw(&self, position: &Position, view: &View) -> String {
        let (width, height) = (position.width(), position.height());
        let mut text = column_numbers(width, view);
        text += &format!("   +{}+\n", "-".repeat(width));
        for y in 0..height as u8 {
            let row = (0..width as u8).map(|x| cell(position, Point { x, y }, view));
            text += &view.paint(DIM, format!("{y:>2}"));
            text += &format!(" |{}|\n", row.collect::<String>());
        }
        text += &format!("   +{}+\n", "-".repeat(width));
        text + &legend(position, view)
    }

    fn board(position: &Position) -> SceneBoard {
        let (width, height) = (position.width(), position.height());
        SceneBoard { shape: Shape::Square, width, height, slides: false }
    }

    /// Draws the cells. The zones are the free cells that a head reaches in fewer steps than any
    /// other.
    fn scene(&self, position: &Position) -> Scene {
        let width = position.width();
        let points = points(position);
        let cells = points.iter().map(|&point| look(position, point)).collect();
        let mut zones = vec![Zone::None; points.len()];
        let index = |point: Point| usize::from(point.y) * width + usize::from(point.x);
        let mut steps: Vec<Option<u32>> = vec![None; points.len()];
        let mut waiting = VecDeque::new();
        for seat in (0..position.seats()).map(Seat::new).filter(|&seat| position.is_alive(seat)) {
            let Some(head) = position.head(seat) else { continue };
            (zones[index(head)], steps[index(head)]) = (Zone::Of(seat), Some(0));
            waiting.push_back(head);
        }
        while let Some(from) = waiting.pop_front() {
            let (zone, step) = (zones[index(from)], steps[index(from)].map(|step| step + 1));
            for next in neighbours(position, from) {
                let at = index(next);
                if position.cell(next) != CellContent::Free {
                    continue;
                }
                if steps[at].is_none() {
                    (zones[at], steps[at]) = (zone, step);
                    waiting.push_back(next);
                } else if steps[at] == step && zones[at] != zone {
                    zones[at] = Zone::Shared;
                }
            }
        }
        for seat in (0..position.seats()).map(Seat::new) {
            position.head(seat).iter().for_each(|&head| zones[index(head)] = Zone::None);
        }
        Scene { zones, ..Scene::of(cells) }
    }
}

fn points(position: &Position) -> Vec<Point> {
    let (width, height) = (position.width() as u8, position.height() as u8);
    (0..height).flat_map(|y| (0..width).map(move |x| Point { x, y })).collect()
}

fn neighbours(position: &Position, Point { x, y }: Point) -> impl Iterator<Item = Point> {
    let (width, height) = (position.width(), position.height());
    let around = [
        (x.checked_sub(1), Some(y)),
        (x.checked_add(1), Some(y)),
        (Some(x), y.checked_sub(1)),
        (Some(x), y.checked_add(1)),
    ];
    let points = around.into_iter().filter_map(|(x, y)| Some(Point { x: x?, y: y? }));
    points.filter(move |point| usize::from(point.x) < width && usize::from(point.y) < height)
}

/// Returns the look of a cell. The trails that the end of the game removed are shown.
fn look(position: &Position, point: Point) -> Look {
    let trail = match position.cell(point) {
        CellContent::Wall => return Look::plain(Paint::Wall),
        CellContent::Trail(seat) => Some((seat, position.head(seat) == Some(point))),
        CellContent::Free => position.remains(point),
    };
    match trail {
        Some((seat, true)) => Look::with(Paint::Head(seat), letter(seat)),
        Some((seat, false)) => Look::plain(Paint::Taken(seat)),
        None => Look::plain(Paint::Free),
    }
}

fn read_map(name: &str) -> Result<String, ParseError> {
    let what = "expected walls to be none, cells like 3:4/10:12, or a file";
    files::read_text(name).map_err(|error| {
        ParseError::in_file(format!("{what}, got '{name}': {}", io_reason(&error)))
    })
}

/// Colour of each seat: blue, red, green, yellow.
const COLOURS: [&str; 4] = ["\x1b[34m", "\x1b[31m", "\x1b[32m", "\x1b[33m"];

/// Returns the column numbers, tens above units where there are any.
fn column_numbers(width: usize, view: &View) -> String {
    let tens =
        |x: usize| if x > 0 && x.is_multiple_of(10) { (x / 10).to_string() } else { " ".into() };
    let units = |x: usize| (x % 10).to_string();
    let row = |digit: &dyn Fn(usize) -> String| -> String {
        let digits: String = (0..width).map(digit).collect();
        view.paint(DIM, format!("    {}", digits.trim_end())) + "\n"
    };
    let above = if width > 10 { row(&tens) } else { String::new() };
    above + &row(&units)
}

fn letter(seat: Seat) -> char {
    char::from(b'A' + seat.index() as u8)
}

fn cell(position: &Position, point: Point, view: &View) -> String {
    match position.cell(point) {
        CellContent::Free => match position.remains(point) {
            Some((seat, is_head)) => trail(seat, is_head, view),
            None => view.paint(DIM, ".".into()),
        },
        CellContent::Wall => "#".into(),
        CellContent::Trail(seat) => trail(seat, position.head(seat) == Some(point), view),
    }
}

fn trail(seat: Seat, is_head: bool, view: &View) -> String {
    let colour = COLOURS[seat.index()];
    match is_head {
        true => view.paint(BOLD, view.paint(colour, letter(seat).into())),
        false => view.paint(colour, seat.to_string()),
    }
}

fn legend(position: &Position, view: &View) -> String {
    let line = |seat: usize| {
        let (name, seat) = (view.names[seat], Seat::new(seat));
        let whose = view.paint(COLOURS[seat.index()], format!("{} {name}", letter(seat)));
        match position.is_alive(seat) {
            true => format!("   {whose}"),
            false => format!("   {whose} (out)"),
        }
    };
    (0..position.seats()).map(line).collect::<String>() + "\n"
}
