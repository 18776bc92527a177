//! Options of the rules. Every known difference between implementations of Awélé has a name.

/// Effect of a grand slam, a move that would capture every seed of the opponent's row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GrandSlam {
    /// Legal, without capture.
    Nothing,
    /// Illegal.
    Illegal,
    /// Illegal unless every move is one; then it captures everything.
    IllegalUnlessOnly,
    /// Legal, and captures everything although it starves the opponent.
    Take,
    /// Legal, and captures everything except the pit that the walk back reaches last.
    TakeButLast,
}

/// Owner of the seeds on the board when the player to move has no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoMove {
    /// Each side takes those of its own row.
    OwnRow,
    /// The opponent of the player without a move takes all.
    OpponentAll,
    /// The player without a move takes all.
    MoverAll,
}

/// Sharing of the seeds on the board when a repetition ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sharing {
    /// Each side takes those of its own row.
    OwnRow,
    /// Each side takes half; an odd seed goes to neither.
    Split,
    /// The game is a draw, 24 to 24, whatever was captured.
    Draw,
}

/// Repetition that ends the game.
///
/// A position is the board, the scores and the side to move. Captures change the scores, so only
/// positions since the last capture can repeat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Repetition {
    /// Occurrence that ends the game, 2 or 3, counted from the first one of the position.
    pub occurrence: u8,
    /// Sharing of the seeds on the board.
    pub sharing: Sharing,
}

/// End that counts where the last ply leaves no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlyLimit {
    /// The lack of a legal move: the limit is looked at after the moves.
    AfterMoves,
    /// The number of plies: the limit is looked at before the moves.
    BeforeMoves,
}

/// All options of the rules.
///
/// ```
/// use arbitre_games::games::awele::Rules;
/// let rules = Rules::parse("abapa, max-plies=300").unwrap();
/// let text = "grand-slam=nothing no-move=own-row repetition=first:own-row max-plies=300 \
///             sweep=yes";
/// assert_eq!(rules.to_string(), text);
/// assert_eq!(Rules::parse(text), Ok(rules));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Effect of a grand slam.
    pub grand_slam: GrandSlam,
    /// Owner of the remaining seeds when there is no legal move.
    pub no_move: NoMove,
    /// Repetition that ends the game, if one does.
    pub repetition: Option<Repetition>,
    /// Number of plies after which captured seeds decide, with those of the opening; `None` without
    /// a limit.
    pub max_plies: Option<u32>,
    /// Whether each side takes the seeds of its own row at any end that no other rule covers.
    pub sweep: bool,
    /// End that counts where the last ply leaves no legal move.
    pub limit: PlyLimit,
}

/// Rules of CodinGame's "Oware Abapa", the default.
pub const CODINGAME: Rules = Rules {
    grand_slam: GrandSlam::Nothing,
    no_move: NoMove::OwnRow,
    repetition: None,
    max_plies: Some(200),
    sweep: false,
    limit: PlyLimit::BeforeMoves,
};

/// Rules of OpenSpiel's `oware`, under which the game was solved.
pub const ABAPA: Rules = Rules {
    repetition: Some(Repetition { occurrence: 2, sharing: Sharing::OwnRow }),
    max_plies: Some(1000),
    sweep: true,
    limit: PlyLimit::AfterMoves,
    ..CODINGAME
};

/// Rules of Romein and Bal ("Solving the game of awari using parallel retrograde analysis", 2003).
pub const AWARI: Rules = Rules {
    grand_slam: GrandSlam::IllegalUnlessOnly,
    no_move: NoMove::OwnRow,
    repetition: Some(Repetition { occurrence: 2, sharing: Sharing::Split }),
    max_plies: None,
    sweep: false,
    limit: PlyLimit::AfterMoves,
};
