//! The options of the rules: implementations of Awélé differ, so every difference has a name.

/// What becomes of a move that would capture every seed of the opponent's row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GrandSlam {
    /// It is legal and captures nothing.
    Nothing,
    /// It is illegal.
    Illegal,
    /// It is illegal unless there is no other move; then it captures everything.
    IllegalUnlessOnly,
    /// It is legal and captures everything, although it starves the opponent.
    Take,
    /// It captures everything but the pit that the walk back reaches last.
    TakeButLast,
}

/// Who gets the seeds on the board when the player to move has no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoMove {
    /// Each side those of its own row.
    OwnRow,
    /// All go to the opponent of the player who cannot move.
    OpponentAll,
    /// All go to the player who cannot move.
    MoverAll,
}

/// How the seeds on the board are shared when a repetition ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sharing {
    /// Each side takes those of its own row.
    OwnRow,
    /// Each side takes half; an odd seed goes to nobody.
    Split,
    /// The game is a draw, 24 to 24, whatever was captured.
    Draw,
}

/// Which return of a position ends the game. A position is the board, the scores and the side to
/// move; a capture changes the scores, so only positions since the last one can return.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Repetition {
    /// The occurrence that ends the game, the position's first one counted: 2 or 3.
    pub occurrence: u8,
    /// What becomes of the seeds on the board.
    pub sharing: Sharing,
}

/// Every option of the rules.
///
/// ```
/// use arbitre_games::games::awele::Rules;
/// let rules = Rules::parse("abapa, max-plies=300").unwrap();
/// let text = "grand-slam=nothing no-move=own-row repetition=first:own-row max-plies=300 sweep=yes";
/// assert_eq!(rules.to_string(), text);
/// assert_eq!(Rules::parse(text), Ok(rules));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// What becomes of a grand slam.
    pub grand_slam: GrandSlam,
    /// Who gets the rest when there is no legal move.
    pub no_move: NoMove,
    /// Which repetition ends the game, if any does.
    pub repetition: Option<Repetition>,
    /// The game ends after this many plies, those of the opening included; then the captured seeds
    /// decide.
    pub max_plies: Option<u32>,
    /// When the game ends with seeds that no other rule has given away, each side takes those of
    /// its own row.
    pub sweep: bool,
}

/// The rules of CodinGame's "Oware Abapa": the default.
pub const CODINGAME: Rules = Rules {
    grand_slam: GrandSlam::Nothing,
    no_move: NoMove::OwnRow,
    repetition: None,
    max_plies: Some(200),
    sweep: false,
};

/// The rules of OpenSpiel's `oware`, under which the game was solved.
pub const ABAPA: Rules = Rules {
    repetition: Some(Repetition { occurrence: 2, sharing: Sharing::OwnRow }),
    max_plies: Some(1000),
    sweep: true,
    ..CODINGAME
};

/// The rules of Romein and Bal ("Solving the game of awari using parallel retrograde analysis",
/// 2003).
pub const AWARI: Rules = Rules {
    grand_slam: GrandSlam::IllegalUnlessOnly,
    no_move: NoMove::OwnRow,
    repetition: Some(Repetition { occurrence: 2, sharing: Sharing::Split }),
    max_plies: None,
    sweep: false,
};
