//! Scenes: positions as cells to draw, for viewers that know no rules.

use arbitre_games::game::Seat;
use std::fmt;

/// Shape of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Rows of squares.
    Square,
    /// Rows of hexagons, odd rows half a cell to the right.
    Hex,
    /// Two rows of pits, then the store of each seat.
    Pits,
    /// One cell, whose text is an SVG document or lines of text.
    Picture,
}

impl Shape {
    /// Returns the shape's word.
    pub fn word(self) -> &'static str {
        match self {
            Shape::Square => "square",
            Shape::Hex => "hex",
            Shape::Pits => "pits",
            Shape::Picture => "picture",
        }
    }
}

/// Board of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SceneBoard {
    /// Shape.
    pub shape: Shape,
    /// Cells in a row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Whether moves exchange a cell with the blank.
    pub slides: bool,
}

impl SceneBoard {
    /// Board of a text or a picture.
    pub const PICTURE: SceneBoard =
        SceneBoard { shape: Shape::Picture, width: 1, height: 1, slides: false };
}

/// Way in which a cell is painted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Paint {
    /// Free cell.
    Free,
    /// Obstacle.
    Wall,
    /// Filled cell.
    Full,
    /// Cell of the moving unit.
    Unit,
    /// Tile.
    Tile,
    /// Tile on its goal cell.
    Goal,
    /// Cell without a tile.
    Blank,
    /// Pit with seeds.
    Pit,
    /// Captured seeds of a seat.
    Store,
    /// Cell taken by a seat.
    Taken(Seat),
    /// Head of a seat's trail.
    Head(Seat),
    /// Free cell of a colour, by its number.
    Colour(usize),
}

impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Paint::Free => "free",
            Paint::Wall => "wall",
            Paint::Full => "full",
            Paint::Unit => "unit",
            Paint::Tile => "tile",
            Paint::Goal => "goal",
            Paint::Blank => "blank",
            Paint::Pit => "pit",
            Paint::Store => "store",
            Paint::Taken(seat) => return write!(f, "seat{seat}"),
            Paint::Head(seat) => return write!(f, "head{seat}"),
            Paint::Colour(number) => return write!(f, "colour{number}"),
        })
    }
}

/// Appearance of a cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Look {
    /// Paint.
    pub paint: Paint,
    /// Text in the cell.
    pub text: String,
}

impl Look {
    /// Returns a cell without text.
    pub fn plain(paint: Paint) -> Look {
        Look { paint, text: String::new() }
    }

    /// Returns a cell with a text.
    pub fn with(paint: Paint, text: impl fmt::Display) -> Look {
        Look { paint, text: text.to_string() }
    }
}

/// Zone of a free cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zone {
    /// No zone.
    None,
    /// Zone of a seat.
    Of(Seat),
    /// Zone of several seats.
    Shared,
}

/// Everything that is drawn of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scene {
    /// Cells, row by row.
    pub cells: Vec<Look>,
    /// Zone of each cell; empty for games without zones.
    pub zones: Vec<Zone>,
    /// Cells to be highlighted.
    pub marks: Vec<usize>,
    /// Scores by seat; empty for games without scores.
    pub scores: Vec<i64>,
    /// Name of the event that the scene shows, for example a phrase.
    pub label: Option<String>,
}

impl Scene {
    /// Returns a scene of cells alone.
    pub fn of(cells: Vec<Look>) -> Scene {
        Scene { cells, ..Scene::default() }
    }

    /// Returns a text or a picture in SVG as a scene.
    pub fn picture(picture: impl fmt::Display) -> Scene {
        Scene::of(vec![Look::with(Paint::Free, picture)])
    }
}

/// Scenes of a recorded game.
pub struct GameScenes {
    /// Board.
    pub board: SceneBoard,
    /// Scene at the start.
    pub start: Scene,
    /// Scenes of each step, at least one. The last one shows the position after it.
    pub steps: Vec<Vec<Scene>>,
}

impl GameScenes {
    /// Returns scenes of pictures: the start, and one after each step.
    pub fn of_pictures(scenes: Vec<Scene>) -> GameScenes {
        let mut scenes = scenes.into_iter();
        let start = scenes.next().unwrap_or_default();
        let steps = scenes.map(|scene| vec![scene]).collect();
        GameScenes { board: SceneBoard::PICTURE, start, steps }
    }
}
