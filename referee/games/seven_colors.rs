//! Seven Colors in the registry.

use crate::registry::drawing::{View, BOLD};
use crate::registry::entry::{DialectEnd, GameEntry};
use crate::registry::scene::{Look, Paint, Scene, SceneBoard, Shape, Zone};
use arbitre_games::dialects::relay;
use arbitre_games::game::{Game, Seat};
use arbitre_games::games::options::OptionInfo;
use arbitre_games::games::seven_colors::{
    seats, Board, CellState, Colour, ColourRule, Position, SevenColors, MOST_COLOURS, OPTIONS,
    PRESETS,
};

impl GameEntry for SevenColors {
    const STATE_HELP: &'static [&'static str] = &[
        "the rows of the board from top to bottom, joined by /: a letter is a free cell",
        "of that colour, . is yours and * the other's; where colours are banned, then",
        "the colours that you and the other played last (- before that).",
        "A move is a colour, A to G.",
    ];
    const OPTIONS: &'static [OptionInfo] = &OPTIONS;
    const DIALECTS: &'static [DialectEnd<SevenColors>] =
        &[(&relay::INFO, || Box::new(relay::RelayReferee))];
    const OPPONENTS: &'static [&'static str] =
        &["seven-colors random", "seven-colors greedy", "seven-colors hybrid", "seven-colors best"];

    fn presets() -> Vec<(&'static str, String)> {
        PRESETS.iter().map(|(name, rules)| (*name, rules.to_string())).collect()
    }

    /// Draws the board, each cell as a letter and a space. Below are the sign and the score of each
    /// player.
    fn draw(&self, position: &Position, view: &View) -> String {
        let board = position.board();
        let rows = (0..board.height()).map(|row| {
            let cells = (0..board.width()).map(|column| cell(position.cell(row, column), view));
            format!("  {}\n", cells.collect::<String>())
        });
        rows.collect::<String>() + &legend(position, view)
    }

    fn board(position: &Position) -> SceneBoard {
        let (width, height) = (position.board().width(), position.board().height());
        SceneBoard { shape: Shape::Square, width, height, slides: false }
    }

    /// Draws the cells. The zones are the regions that a seat takes by playing their colour.
    fn scene(&self, position: &Position) -> Scene {
        let board = position.board();
        let look = |cell: &CellState| match *cell {
            CellState::Free(colour) => Look::with(Paint::Colour(colour.index()), colour),
            CellState::Taken(seat) => Look::plain(Paint::Taken(seat)),
        };
        let mut zones = vec![Zone::None; board.cells().len()];
        for seat in seats() {
            let beside = |at: usize| board.neighbours(at).any(|next| is_of(board, next, seat));
            for colour in Colour::first(MOST_COLOURS) {
                let is_colour = |cell: CellState| cell == CellState::Free(colour);
                let free = (0..zones.len()).filter(|&at| is_colour(board.cells()[at]));
                for at in board.flood(free.filter(|&at| beside(at)).collect(), is_colour) {
                    zones[at] = match zones[at] {
                        Zone::None => Zone::Of(seat),
                        _ => Zone::Shared,
                    };
                }
            }
        }
        let scores = position.scores().map(|score| score as i64).into();
        let cells = board.cells().iter().map(look).collect();
        Scene { zones, scores, ..Scene::of(cells) }
    }

    fn played(
        &self,
        before: &Position,
        _: Seat,
        _: <SevenColors as Game>::Move,
        after: &Position,
    ) -> Vec<Scene> {
        let cells = before.board().cells().iter().zip(after.board().cells()).enumerate();
        let marks = cells.filter(|(_, (before, after))| before != after).map(|(at, _)| at);
        vec![Scene { marks: marks.collect(), ..self.scene(after) }]
    }
}

fn is_of(board: &Board, at: usize, seat: Seat) -> bool {
    board.cells()[at] == CellState::Taken(seat)
}

/// Background of each colour, from the palette of 256 colours, for black letters. Not tuned.
const COLOURS: [u8; MOST_COLOURS] =
    [203, 114, 111, 221, 177, 80, 215, 250, 167, 65, 69, 136, 97, 30, 131, 244];
/// Styles of taken cells: white for the viewing seat, black for its opponent.
const STYLES: [&str; 2] = ["\x1b[30;107m", "\x1b[97;40m"];

fn cell(cell: CellState, view: &View) -> String {
    match cell {
        CellState::Free(colour) => paint_colour(colour, view),
        CellState::Taken(seat) => paint_seat(seat, view),
    }
}

fn paint_colour(colour: Colour, view: &View) -> String {
    let style = format!("\x1b[30;48;5;{}m", COLOURS[colour.index()]);
    view.paint(&style, format!("{colour} "))
}

fn paint_seat(seat: Seat, view: &View) -> String {
    let at = usize::from(seat != view.seat);
    view.paint(STYLES[at], [". ", "* "][at].into())
}

fn legend(position: &Position, view: &View) -> String {
    let line = |seat: Seat| {
        let (name, score) = (view.names[seat.index()], position.scores()[seat.index()]);
        let score = view.paint(BOLD, score.to_string());
        let held = match position.last_played(seat) {
            Some(colour) if position.rules().ban != ColourRule::None => {
                format!(", played {colour} last")
            }
            _ => String::new(),
        };
        format!("  {}{name}: {score}{held}\n", paint_seat(seat, view))
    };
    let half = position.rules().cells() / 2;
    seats().map(line).collect::<String>() + &format!("  more than {half} cells win\n")
}
