//! Reference implementation of the rules, for tests: plain loops from the text of the rules. It
//! shares no code with the compact board and the game.

use super::{GrandSlam, NoMove, PlyLimit, Rules, Sharing};

/// A board with fixed places: pits 0..=5 are those of seat 0, 6..=11 those of seat 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReferenceBoard {
    /// Seeds of each pit.
    pub pits: [u8; 12],
    /// Captured seeds by seat.
    pub captures: [u8; 2],
    /// Seat to move.
    pub mover: usize,
}

impl ReferenceBoard {
    /// The initial board: four seeds in every pit.
    pub const START: ReferenceBoard = ReferenceBoard { pits: [4; 12], captures: [0; 2], mover: 0 };

    /// Returns the pits and the captures, those of the mover first.
    pub fn from_mover(&self) -> ([u8; 12], [u8; 2]) {
        let pits = std::array::from_fn(|i| self.pits[(i + 6 * self.mover) % 12]);
        let captures = [self.captures[self.mover], self.captures[1 - self.mover]];
        (pits, captures)
    }

    /// Returns the legal moves, 0..=5 from the mover's left.
    ///
    /// A move must leave the opponent a seed, with the exceptions of the rules on grand slams.
    pub fn legal(&self, rule: GrandSlam) -> Vec<usize> {
        let occupied = (0..6).filter(|&pit| self.pits[pit + 6 * self.mover] > 0);
        let (slams, others): (Vec<_>, Vec<_>) = occupied.partition(|&pit| self.slam(pit));
        let feeds = |pit: &usize| self.play(*pit, rule).row(1 - self.mover) > 0;
        let others: Vec<usize> = others.into_iter().filter(feeds).collect();
        let mut legal = match rule {
            GrandSlam::Illegal => others,
            GrandSlam::IllegalUnlessOnly if others.is_empty() => slams,
            GrandSlam::IllegalUnlessOnly => others,
            GrandSlam::Take => [slams, others].concat(),
            GrandSlam::Nothing | GrandSlam::TakeButLast => {
                [slams.into_iter().filter(feeds).collect(), others].concat()
            }
        };
        legal.sort();
        legal
    }

    /// Returns `true` if the move would capture every seed of the opponent.
    pub fn slam(&self, pit: usize) -> bool {
        let (sown, taken) = self.sow(pit);
        let seeds: u8 = taken.iter().map(|&pit| sown.pits[pit]).sum();
        seeds > 0 && seeds == sown.row(1 - self.mover)
    }

    /// Returns the board after a move.
    pub fn play(&self, pit: usize, rule: GrandSlam) -> ReferenceBoard {
        let (mut board, mut taken) = self.sow(pit);
        if self.slam(pit) {
            match rule {
                GrandSlam::Nothing => taken.clear(),
                GrandSlam::TakeButLast => drop(taken.pop()),
                _ => {}
            }
        }
        for pit in taken {
            board.captures[self.mover] += board.pits[pit];
            board.pits[pit] = 0;
        }
        board.mover = 1 - self.mover;
        board
    }

    /// Returns the number of seeds in the row of a seat.
    pub fn row(&self, seat: usize) -> u8 {
        self.pits[6 * seat..6 * seat + 6].iter().sum()
    }

    /// Returns the board after sowing, and the pits to capture in the order of the walk back.
    fn sow(&self, pit: usize) -> (ReferenceBoard, Vec<usize>) {
        let mut board = self.clone();
        let origin = pit + 6 * self.mover;
        let mut at = origin;
        for _ in 0..std::mem::take(&mut board.pits[origin]) {
            at = (at + 1) % 12;
            if at == origin {
                at = (at + 1) % 12;
            }
            board.pits[at] += 1;
        }
        let mut taken = Vec::new();
        while at / 6 != self.mover && (board.pits[at] == 2 || board.pits[at] == 3) {
            taken.push(at);
            at = (at + 11) % 12;
        }
        (board, taken)
    }
}

/// A game with the history of its boards.
#[derive(Clone, Debug)]
pub struct AweleReference {
    rules: Rules,
    boards: Vec<ReferenceBoard>,
}

impl AweleReference {
    /// Creates a game that starts from `start`.
    pub fn new(rules: Rules, start: ReferenceBoard) -> AweleReference {
        AweleReference { rules, boards: vec![start] }
    }

    /// Returns the current board.
    pub fn board(&self) -> &ReferenceBoard {
        self.boards.last().expect("a game has an initial board")
    }

    /// Returns the legal moves; none once the game is over.
    pub fn legal(&self) -> Vec<usize> {
        match self.scores() {
            Some(_) => Vec::new(),
            None => self.board().legal(self.rules.grand_slam),
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, pit: usize) {
        self.boards.push(self.board().play(pit, self.rules.grand_slam));
    }

    /// Returns the scores by seat once the game is over.
    pub fn scores(&self) -> Option<[i64; 2]> {
        let board = self.board();
        let mover = board.mover;
        if board.captures.iter().any(|&seeds| seeds > 24) {
            Some(self.rest())
        } else if board.legal(self.rules.grand_slam).is_empty() {
            Some(match self.rules.no_move {
                _ if self.rules.limit == PlyLimit::BeforeMoves && self.is_last() => self.rest(),
                NoMove::OwnRow => self.own_rows(),
                NoMove::OpponentAll => self.all_to(1 - mover),
                NoMove::MoverAll => self.all_to(mover),
            })
        } else if let Some(sharing) = self.repeated() {
            Some(match sharing {
                Sharing::OwnRow => self.own_rows(),
                Sharing::Split => self.halves(),
                Sharing::Draw => [24, 24],
            })
        } else if self.is_last() {
            Some(self.rest())
        } else {
            None
        }
    }

    fn is_last(&self) -> bool {
        self.rules.max_plies.is_some_and(|n| self.boards.len() > n as usize)
    }

    /// Returns the sharing of a repetition that ends the game.
    ///
    /// Each capture changes the scores, so boards before the last capture differ anyway.
    fn repeated(&self) -> Option<Sharing> {
        let rule = self.rules.repetition?;
        let count = self.boards.iter().filter(|board| *board == self.board()).count();
        (count >= rule.occurrence.into()).then_some(rule.sharing)
    }

    fn rest(&self) -> [i64; 2] {
        match self.rules.sweep {
            true => self.own_rows(),
            false => self.board().captures.map(i64::from),
        }
    }

    fn own_rows(&self) -> [i64; 2] {
        let board = self.board();
        [0, 1].map(|seat| i64::from(board.captures[seat] + board.row(seat)))
    }

    fn all_to(&self, winner: usize) -> [i64; 2] {
        let board = self.board();
        let all = board.row(0) + board.row(1);
        [0, 1].map(|seat| i64::from(board.captures[seat] + if seat == winner { all } else { 0 }))
    }

    fn halves(&self) -> [i64; 2] {
        let board = self.board();
        let half = (board.row(0) + board.row(1)) / 2;
        board.captures.map(|seeds| i64::from(seeds + half))
    }
}
