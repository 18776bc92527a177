//! Taquin in the registry.

use crate::registry::drawing::{View, BOLD, DIM};
use crate::registry::entry::{ArenaInfo, DialectEnd, GameEntry};
use crate::registry::scene::{Look, Paint, Scene, SceneBoard, Shape};
use arbitre_games::games::options::OptionInfo;
use arbitre_games::games::taquin::{codingame, Board, Position, Rules, Taquin, OPTIONS, PRESETS};

impl GameEntry for Taquin {
    const STATE_HELP: &'static [&'static str] = &[
        "the tiles row by row, the rows separated by /, the blank as _; tiles are",
        "numbered from 0, and the goal has them in order and the blank last; then how",
        "many moves were made, as in: after 12.",
        "A move is where the blank goes: U, D, L or R. An answer is one or several",
        "moves in one word, as in DLURRD.",
    ];
    const OPTIONS: &'static [OptionInfo] = &OPTIONS;
    const DIALECTS: &'static [DialectEnd<Taquin>] =
        &[(&codingame::INFO, || Box::<codingame::Referee>::default())];
    const OPPONENTS: &'static [&'static str] = &["taquin random", "taquin quick", "taquin best"];
    // The arena's statement of 11-puzzle. It limits the first answer only; the others have the time
    // of its other games.
    const ARENAS: &'static [ArenaInfo] = &[ArenaInfo {
        name: codingame::INFO.name,
        dialect: codingame::INFO.name,
        rules: "size=3x4,max-moves=50",
        options: &["first-move-time=1s", "move-time=100ms", "overtime=50ms", "memory=768MiB"],
        starters: &[],
    }];

    fn presets() -> Vec<(&'static str, String)> {
        let resolved = |name| Rules::parse(name).expect("a preset is read").to_string();
        PRESETS.iter().map(|(name, _)| (*name, resolved(name))).collect()
    }

    /// Draws the board in a frame, with tiles on their goal cell in bold. The number of moves
    /// stands below.
    fn draw(&self, position: &Position, view: &View) -> String {
        let board = position.board();
        let edge = view.paint(DIM, format!("  +{}+\n", "---".repeat(board.columns())));
        let rows = board.cells().chunks(board.columns()).zip(0..);
        let row = |(tiles, row): (&[u8], usize)| {
            let first = row * board.columns();
            let cells = tiles.iter().zip(first..).map(|(&tile, at)| cell(board, tile, at, view));
            format!("  |{}|\n", cells.collect::<String>())
        };
        let grid: String = rows.map(row).collect();
        let (name, made) = (view.names[view.seat.index()], position.made());
        let solved = if board.is_goal() { ", solved" } else { "" };
        format!("{edge}{grid}{edge}  {name}: {made} moves{solved}\n")
    }

    fn board(position: &Position) -> SceneBoard {
        let (width, height) = (position.board().columns(), position.board().rows());
        SceneBoard { shape: Shape::Square, width, height, slides: true }
    }

    fn scene(&self, position: &Position) -> Scene {
        let board = position.board();
        let look = |(at, &tile): (usize, &u8)| match usize::from(tile) == at {
            _ if at == board.blank() => Look::plain(Paint::Blank),
            true => Look::with(Paint::Goal, tile),
            false => Look::with(Paint::Tile, tile),
        };
        let cells = board.cells().iter().enumerate().map(look).collect();
        Scene { scores: vec![position.made().into()], ..Scene::of(cells) }
    }
}

fn cell(board: &Board, tile: u8, at: usize, view: &View) -> String {
    if at == board.blank() {
        return "   ".into();
    }
    let text = format!("{tile:>2} ");
    match usize::from(tile) == at {
        true => view.paint(BOLD, text),
        false => text,
    }
}
