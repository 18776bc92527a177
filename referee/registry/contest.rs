//! Problems of a solo game, and solutions of them that people send as text.

/// Problem of which a setup is one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Number of the problem; none if the setup is the whole problem and has none.
    pub number: Option<u64>,
    /// Seed of the game, among those of the problem.
    pub seed: u64,
    /// Number of seeds by which the sum of the scores is divided.
    pub seeds: u64,
}

impl Problem {
    /// Problem with one game, and no number of its own.
    pub const WHOLE: Problem = Problem { number: None, seed: 0, seeds: 1 };
}

/// Judgement of a solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// Score; none if the solution does not solve its problem.
    pub score: Option<i64>,
    /// State at the end, in a word.
    pub status: &'static str,
    /// Reason why it scores nothing, with the place.
    pub why: Option<String>,
}

impl Solved {
    /// Word for a solution that was carried out to the end of the game.
    pub const SOLVED: &'static str = "solved";

    /// Creates the judgement of a solution that counts for nothing.
    pub fn nothing(status: &'static str, why: impl ToString) -> Solved {
        Solved { score: None, status, why: Some(why.to_string()) }
    }
}
