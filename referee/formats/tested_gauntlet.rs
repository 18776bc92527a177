//! Gauntlet with a sequential test of the first player against each opponent.
//!
//! A stage is a batch of rounds against every opponent whose test is undecided. The test of an
//! opponent is evaluated when a stage is complete, on all pairs of games against it. It therefore
//! depends neither on concurrency nor on the other opponents: the games against an opponent are
//! those of the first rounds, up to the end of the batch that decides.

use crate::formats::round_robin::Gauntlet;
use crate::formats::{Format, FormatError, GameCount, History, Meeting, Placing, Stage};
use crate::statistics::rating::HalfPoints;
use crate::statistics::sprt::evidence::{Evidence, PlayedPair};
use crate::statistics::sprt::Sprt;

/// Rounds of a batch of a test that names none: sixteen games, which keep eight workers busy
/// against one opponent. Not tuned.
pub const BATCH: u64 = 8;

/// Gauntlet in which a test ends the games against an opponent.
#[derive(Clone, PartialEq, Debug)]
pub struct TestedGauntlet {
    gauntlet: Gauntlet,
    rounds: u64,
    sprt: Sprt,
    /// Length of the list of openings; 0 for drawn ones.
    listed: u64,
}

impl TestedGauntlet {
    /// Creates a gauntlet of at most `rounds` rounds against each opponent, at least one.
    ///
    /// # Errors
    /// Returns an error if there is no opponent, or the tables have more than two seats.
    pub fn new(
        players: usize,
        seats: usize,
        rounds: u64,
        sprt: Sprt,
    ) -> Result<TestedGauntlet, FormatError> {
        if seats > 2 {
            return Err(FormatError::TestedTable { seats });
        }
        let rounds = rounds.max(1);
        let gauntlet = Gauntlet::new(players, 1, seats, rounds)?;
        Ok(TestedGauntlet { gauntlet, rounds, sprt, listed: 0 })
    }

    fn batch(&self) -> u64 {
        self.sprt.batch().unwrap_or(BATCH)
    }

    /// Sets the length of the list of openings, which is played through before it has run out.
    pub fn on_list(self, listed: u64) -> TestedGauntlet {
        TestedGauntlet { listed, ..self }
    }
}

impl Format for TestedGauntlet {
    fn next(&self, history: &History) -> Option<Stage> {
        let mut played = vec![0; history.players()];
        for of in history.meetings() {
            of.meeting.players.iter().for_each(|&player| played[player] += of.meeting.rounds);
        }
        let evidence = evidence_of_first(history, self.listed);
        let is_open = |&player: &usize| {
            played[player] < self.rounds && self.sprt.end(&evidence[player]).is_none()
        };
        let (first, others): (Vec<usize>, Vec<usize>) =
            history.present().into_iter().partition(|&player| player == 0);
        let open = others.iter().filter(|_| !first.is_empty()).copied().filter(is_open);
        let batch = |opponent: usize| {
            let rounds = played[opponent]..self.rounds.min(played[opponent] + self.batch());
            let meeting =
                move |first_round| Meeting { players: vec![0, opponent], first_round, rounds: 1 };
            rounds.map(meeting)
        };
        let meetings: Vec<Meeting> = open.flat_map(batch).collect();
        (!meetings.is_empty()).then_some(Stage { meetings, byes: vec![] })
    }

    fn ranking(&self, history: &History) -> Vec<Placing> {
        self.gauntlet.ranking(history)
    }

    fn games(&self, players: usize) -> GameCount {
        let GameCount { most, .. } = self.gauntlet.games(players);
        // A test may be decided after one batch.
        GameCount { least: most / self.rounds * self.rounds.min(self.batch()), most }
    }
}

/// Returns the pairs of games of the first player against each player, from its view, on a list of
/// `listed` openings. A round with a game that is not rated does not count.
pub fn evidence_of_first(history: &History, listed: u64) -> Vec<Evidence> {
    let mut evidence = vec![Evidence::of_list(listed); history.players()];
    for of in history.meetings() {
        let rated: u64 = of.rankings.iter().map(|(_, games)| games).sum();
        let (players, texts) = (&of.meeting.players[..], &of.texts[..]);
        if let ([0, opponent], &[first, second], 2) = (players, texts, rated) {
            // The test does not distinguish two draws from a win and a loss.
            let both = of.half_points[0] as HalfPoints;
            evidence[*opponent].add(PlayedPair {
                round: of.meeting.first_round,
                games: [first, second],
                half_points: [both / 2, both - both / 2],
            });
        }
    }
    evidence
}
