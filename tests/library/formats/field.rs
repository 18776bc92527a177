//! Simulated players, whose results are drawn from a seed.

use arbitre::internals::formats::{Format, History, Meeting, PlayedMeeting, PlayedStage, Stage};
use arbitre::internals::statistics::ranking::{Ranking, Rankings};
use arbitre::internals::statistics::sprt::evidence::GameText;
use arbitre::rng::Rng;

/// Most stages of any simulated tournament.
const MOST_STAGES: usize = 2_000;

/// Players of known strength. A game has the same result whenever it is played.
#[derive(Clone)]
pub struct Field {
    /// Strengths in Elo.
    pub strengths: Vec<f64>,
    /// Probability that a player shares the rank of the one before it.
    pub ties: f64,
    pub seed: u64,
}

impl Field {
    /// Creates players of equal strength that often share ranks.
    pub fn equal(players: usize, seed: u64) -> Field {
        Field { strengths: vec![0.0; players], ties: 0.3, seed }
    }

    /// Returns the ranking of a game, drawn by the model of Plackett and Luce.
    fn draw(&self, players: &[usize], round: u64, rotation: u64) -> Ranking {
        let mut rng = Rng::new(self.seed).fork(round).fork(rotation);
        for &player in players {
            rng = rng.fork(player as u64);
        }
        // The order of exponential variables with these rates follows the model.
        let time = |&player: &usize, rng: &mut Rng| {
            let weight = 10f64.powf(self.strengths[player] / 400.0);
            -(1.0 - rng.unit()).ln() / weight
        };
        let mut times: Vec<(f64, usize)> =
            players.iter().map(|player| (time(player, &mut rng), *player)).collect();
        times.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (mut rank, mut ranks) = (0, Vec::new());
        for place in 0..times.len() {
            if place == 0 || rng.unit() >= self.ties {
                rank = place;
            }
            ranks.push(rank);
        }
        let order: Vec<usize> = times.into_iter().map(|(_, player)| player).collect();
        Ranking::new(&order, &ranks)
    }

    fn play_meeting(&self, meeting: &Meeting) -> PlayedMeeting {
        let mut rankings = Rankings::default();
        for round in 0..meeting.rounds {
            for rotation in 0..meeting.players.len() as u64 {
                rankings.add(self.draw(&meeting.players, meeting.first_round + round, rotation));
            }
        }
        let against = rankings.against(self.strengths.len());
        let half_points = meeting.players.iter().map(|&player| against[player].iter().sum());
        let rounds = meeting.first_round..meeting.first_round + meeting.rounds;
        let texts = rounds.flat_map(|round| {
            let text = move |rotation| GameText::new(&round.to_string(), rotation);
            (0..meeting.players.len() as u64).map(text)
        });
        PlayedMeeting {
            meeting: meeting.clone(),
            half_points: half_points.collect(),
            texts: texts.collect(),
            rankings,
        }
    }

    pub fn play(&self, stage: &Stage) -> PlayedStage {
        let meetings = stage.meetings.iter().map(|meeting| self.play_meeting(meeting)).collect();
        PlayedStage { meetings, byes: stage.byes.clone() }
    }

    /// Plays a tournament of players that are always present.
    pub fn run(&self, format: &dyn Format) -> History {
        let mut history = start(self.strengths.len());
        while let Some(stage) = format.next(&history) {
            history.stages.push(self.play(&stage));
            assert!(history.stages.len() <= MOST_STAGES, "the tournament does not end");
        }
        history
    }
}

/// Returns the history of a tournament that has not begun.
pub fn start(players: usize) -> History {
    History { stages: vec![], present: vec![true; players] }
}

/// Returns the number of games played.
pub fn games(history: &History) -> u64 {
    let meetings = history.stages.iter().flat_map(|stage| &stage.meetings);
    meetings.map(|of| of.meeting.games()).sum()
}

/// Returns the games of each player.
pub fn games_of(history: &History) -> Vec<u64> {
    let mut games = vec![0; history.players()];
    for of in history.stages.iter().flat_map(|stage| &stage.meetings) {
        of.meeting.players.iter().for_each(|&player| games[player] += of.meeting.games());
    }
    games
}

/// Returns the rounds in which two players met.
pub fn met(history: &History) -> Vec<Vec<u64>> {
    let mut met = vec![vec![0; history.players()]; history.players()];
    for of in history.stages.iter().flat_map(|stage| &stage.meetings) {
        for &one in &of.meeting.players {
            for &other in of.meeting.players.iter().filter(|&&other| other != one) {
                met[one][other] += of.meeting.rounds;
            }
        }
    }
    met
}
