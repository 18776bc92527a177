//! A position of a game: the board, the player to move, and the history that matters for the rules.

use super::{Board, NoMove, Pit, PlyLimit, Rules, Sharing, SEEDS};
use crate::game::{IllegalMove, Misreading, Outcome, Seat, Seats, State};
use std::ops::ControlFlow;

/// Half of the seeds; a player that captured more has won.
pub const HALF: u8 = SEEDS / 2;

/// Least number of plies between two occurrences of a position.
///
/// Without captures, what is sown into a pit must leave it again, and every seed that passes a pit
/// leaves one there. Where any seed returns to its pit, all twelve pits are sown in between.
pub const SHORTEST_CYCLE: usize = 12;

/// Reason why a game ended. Where several apply, the first of this list counts, except a forfeit
/// and under [`PlyLimit::BeforeMoves`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndReason {
    /// A player has captured more than 24 seeds.
    Majority,
    /// The player to move has no legal move.
    NoMove,
    /// The position was repeated; the seeds are shared as given.
    Repetition(Sharing),
    /// The largest number of plies was played.
    MaxPlies,
    /// These seats forfeited.
    Forfeit(Seats),
}

/// A position of a game.
#[derive(Clone, Debug)]
pub struct Position {
    rules: Rules,
    board: Board,
    mover: Seat,
    ply: u32,
    /// Legal moves as a mask; none once the game is over.
    legal: u8,
    end: Option<EndReason>,
    history: History,
}

impl Position {
    /// Creates a position with `mover` to move and no moves played.
    pub fn new(rules: Rules, board: Board, mover: Seat) -> Position {
        let mut position = Position {
            rules,
            board,
            mover,
            ply: 0,
            legal: 0,
            end: None,
            history: History::default(),
        };
        if rules.repetition.is_some() {
            position.history.0.push(board);
        }
        position.settle();
        position
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the board from the side of the player to move, even if the game is over.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Returns the board from the side of `seat`.
    pub fn board_of(&self, seat: Seat) -> Board {
        if seat == self.mover {
            self.board
        } else {
            self.board.exchanged()
        }
    }

    /// Returns the seat to move, or that would move if the game were not over.
    #[inline]
    pub fn mover(&self) -> Seat {
        self.mover
    }

    /// Returns the number of plies since the start of the game, with those of the opening.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Returns the legal moves as a mask, bit `p` for pit `p`; 0 once the game is over.
    #[inline]
    pub fn legal_mask(&self) -> u8 {
        self.legal
    }

    /// Returns `true` if the player to move may sow from this pit.
    pub fn is_legal(&self, pit: Pit) -> bool {
        self.legal >> pit.index() & 1 != 0
    }

    /// Returns the reason why the game ended, if it is over.
    pub fn end(&self) -> Option<EndReason> {
        self.end
    }

    /// Returns the boards since the last capture, the current one last, each from the side of the
    /// player to move. There are none if no rule ends the game by repetition.
    pub fn boards_since_capture(&self) -> &[Board] {
        &self.history.0
    }

    /// Updates the legal moves and the end of the game.
    #[inline]
    fn settle(&mut self) {
        self.legal = self.board.legal(self.rules.grand_slam);
        self.end = self.find_end();
        if self.end.is_some() {
            self.legal = 0;
        }
    }

    #[inline]
    fn find_end(&self) -> Option<EndReason> {
        // In the order of `EndReason`: the first end that applies counts.
        if self.board.captures().iter().any(|&seeds| seeds > HALF) {
            Some(EndReason::Majority)
        } else if self.legal == 0 {
            Some(self.rules.end_without_move(self.is_last()))
        } else if let Some(sharing) = self.repeated() {
            Some(EndReason::Repetition(sharing))
        } else if self.is_last() {
            Some(EndReason::MaxPlies)
        } else {
            None
        }
    }

    #[inline]
    fn is_last(&self) -> bool {
        self.rules.max_plies.is_some_and(|plies| self.ply >= plies)
    }

    #[inline]
    fn repeated(&self) -> Option<Sharing> {
        let rule = self.rules.repetition?;
        (self.history.occurrences() >= rule.occurrence.into()).then_some(rule.sharing)
    }
}

impl State for Position {
    type Move = Pit;

    #[inline]
    fn to_move(&self) -> Seats {
        match self.end {
            None => Seats::one(self.mover),
            Some(_) => Seats::NONE,
        }
    }

    #[inline]
    fn for_each_move(&self, seat: Seat, found: impl FnMut(Pit) -> ControlFlow<()>) {
        if seat == self.mover {
            // The visitor may stop early; nothing is left to do then.
            let _ = Pit::of_mask(self.legal).try_for_each(found);
        }
    }

    fn misreading(&self, _seat: Seat, pit: Pit) -> Option<Misreading> {
        let breaks_a_rule = self.board.pits()[pit.index()] != 0 && !self.is_legal(pit);
        breaks_a_rule.then_some(Misreading::Rule)
    }

    fn check(&self, seat: Seat, pit: Pit) -> Result<(), IllegalMove> {
        let reason = if self.end.is_some() {
            "the game is over"
        } else if seat != self.mover {
            "it is the other seat's turn"
        } else if self.is_legal(pit) {
            return Ok(());
        } else if self.board.pits()[pit.index()] == 0 {
            "that pit is empty"
        } else if self.board.grand_slam(pit) {
            "a grand slam is illegal here"
        } else {
            "it leaves the opponent no seed, and another pit does"
        };
        Err(IllegalMove(reason))
    }

    #[inline]
    fn play_unchecked(&mut self, _seat: Seat, pit: Pit) {
        let [captured, _] = self.board.captures();
        self.board = self.board.after(pit, self.rules.grand_slam);
        self.mover = self.mover.other();
        self.ply += 1;
        if self.rules.repetition.is_some() {
            // The board is exchanged by now, so the player that moved comes second.
            let [_, captured_now] = self.board.captures();
            self.history.add(self.board, captured_now > captured);
        }
        self.settle();
    }

    fn forfeit(&mut self, seats: Seats) {
        let seats: Seats = seats.iter().filter(|seat| seat.index() < 2).collect();
        if self.end.is_none() && !seats.is_empty() {
            self.end = Some(EndReason::Forfeit(seats));
            self.legal = 0;
        }
    }

    fn end_reason(&self) -> Option<&'static str> {
        Some(match self.end? {
            EndReason::Majority => "a player has captured more than half of the seeds",
            EndReason::NoMove => "the player to move has no legal move",
            EndReason::Repetition(_) => "the position was repeated",
            EndReason::MaxPlies => "the largest number of plies was played",
            EndReason::Forfeit(_) => return None,
        })
    }

    fn outcome(&self) -> Option<Outcome> {
        let end = self.end?;
        let mut scores = self.rules.shares(end, self.board).map(i64::from).to_vec();
        if self.mover != Seat::FIRST {
            scores.reverse();
        }
        let out = match end {
            EndReason::Forfeit(seats) => vec![seats],
            _ => Vec::new(),
        };
        Some(Outcome { scores, out, lower_is_better: false })
    }

    /// Returns the result as at the largest number of plies.
    fn outcome_so_far(&self) -> Option<Outcome> {
        let end = Some(self.end.unwrap_or(EndReason::MaxPlies));
        Position { end, ..self.clone() }.outcome()
    }
}

impl Rules {
    /// Returns the end of a game whose mover has no legal move, whether or not the last ply was
    /// played.
    #[inline]
    pub fn end_without_move(&self, is_last: bool) -> EndReason {
        match self.limit {
            PlyLimit::BeforeMoves if is_last => EndReason::MaxPlies,
            _ => EndReason::NoMove,
        }
    }

    /// Returns the seeds of the player to move and of the other after a game that ended with
    /// `board`.
    pub fn shares(&self, end: EndReason, board: Board) -> [u8; 2] {
        let captures = board.captures();
        let rows = board.totals();
        let rest = rows[0] + rows[1];
        let gains = match (end, self.no_move) {
            (EndReason::Forfeit(_), _) => [0, 0],
            (EndReason::Majority | EndReason::MaxPlies, _) if self.sweep => rows,
            (EndReason::Majority | EndReason::MaxPlies, _) => [0, 0],
            (EndReason::NoMove, NoMove::OwnRow) | (EndReason::Repetition(Sharing::OwnRow), _) => {
                rows
            }
            (EndReason::NoMove, NoMove::OpponentAll) => [0, rest],
            (EndReason::NoMove, NoMove::MoverAll) => [rest, 0],
            (EndReason::Repetition(Sharing::Split), _) => [rest / 2; 2],
            (EndReason::Repetition(Sharing::Draw), _) => return [HALF; 2],
        };
        [captures[0] + gains[0], captures[1] + gains[1]]
    }
}

/// Boards since the last capture, the current one last; empty unless a rule needs them.
#[derive(Debug, Default)]
struct History(Vec<Board>);

impl History {
    #[inline]
    fn add(&mut self, board: Board, captured: bool) {
        if captured {
            self.0.clear();
        }
        self.0.push(board);
    }

    /// Returns the number of occurrences of the current position. Boards are from the mover's side,
    /// so only those an even number of plies ago have the same side to move.
    fn occurrences(&self) -> usize {
        let mut same_side = self.0.iter().rev().step_by(2);
        let present = same_side.next();
        1 + same_side.filter(|board| Some(*board) == present).count()
    }
}

impl Clone for History {
    /// Reserves room for one more board, since a search clones a position to play one move.
    #[inline]
    fn clone(&self) -> History {
        if self.0.is_empty() {
            return History::default();
        }
        let mut boards = Vec::with_capacity(self.0.len() + 1);
        boards.extend_from_slice(&self.0);
        History(boards)
    }
}
