//! The bracket of a knockout: its rounds, with the results of their meetings.

/// Rounds of a knockout, as far as their pairings are known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bracket {
    /// Rounds in the order of play. Tie-breaks belong to the round of their meeting.
    pub rounds: Vec<BracketRound>,
    /// Winner of the knockout, once it is over.
    pub winner: Option<usize>,
}

/// Round of a knockout.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BracketRound {
    /// Meetings of the round.
    pub meetings: Vec<BracketMeeting>,
    /// Players with a bye, each with its side.
    pub byes: Vec<(usize, Side)>,
    /// Players that went out because they were absent when the round began.
    pub absent: Vec<usize>,
}

impl Bracket {
    /// Replaces the number of each player.
    pub fn renumber(&mut self, number: impl Fn(usize) -> usize) {
        for round in &mut self.rounds {
            let meetings = round.meetings.iter_mut().flat_map(|of| &mut of.players);
            meetings.for_each(|of| of.player = number(of.player));
            round.byes.iter_mut().for_each(|(player, _)| *player = number(*player));
            round.absent.iter_mut().for_each(|player| *player = number(*player));
        }
        self.winner = self.winner.map(number);
    }
}

/// Part of a knockout to which a meeting belongs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// Single elimination, before its final.
    Main,
    /// Players without a loss, in double elimination.
    Winners,
    /// Players with one loss, in double elimination.
    Losers,
    /// Final.
    Final,
    /// Match for the third place.
    ThirdPlace,
}

impl Side {
    /// Words of the documents.
    pub const WORDS: [(&'static str, Side); 5] = [
        ("main", Side::Main),
        ("winners", Side::Winners),
        ("losers", Side::Losers),
        ("final", Side::Final),
        ("third-place", Side::ThirdPlace),
    ];
}

/// Meeting of a knockout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BracketMeeting {
    /// Part of the knockout.
    pub side: Side,
    /// Players by their result if it is decided, else by seed.
    pub players: Vec<BracketPlayer>,
    /// Number of players that go on. In a final and a match for the third place it is one.
    pub advancing: usize,
    /// Number of tie-breaks with a game.
    pub tie_breaks: u64,
    /// Basis of the decision; `None` if it is open.
    pub decision: Option<Decision>,
}

/// Basis on which it is decided which players go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Points.
    Points,
    /// Absence of a player from a tie-break.
    Absence,
    /// Seeds, as the points were equal after all tie-breaks.
    Seed,
}

impl Decision {
    /// Words of the documents.
    pub const WORDS: [(&'static str, Decision); 3] =
        [("points", Decision::Points), ("absence", Decision::Absence), ("seed", Decision::Seed)];
}

/// Player in a meeting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BracketPlayer {
    /// The player.
    pub player: usize,
    /// Half points, with those of tie-breaks, as far as games are played.
    pub half_points: u64,
}
