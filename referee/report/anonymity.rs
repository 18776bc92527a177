//! Numbers in place of the names of players, for pages that a whole class sees.

use super::results::Results;
use crate::config::Contest;
use crate::play::record::Record;
use arbitre_games::rng::Rng;

/// Names under which the players of a contest are shown.
pub struct Anonymity {
    names: Vec<String>,
}

impl Anonymity {
    /// Numbers the players in an order that follows from the seed.
    pub fn of(config: &Contest) -> Anonymity {
        let mut numbers: Vec<usize> = (1..=config.players.len()).collect();
        Rng::new(config.seed).shuffle(&mut numbers);
        let names = numbers.into_iter().map(|number| format!("player {number}")).collect();
        Anonymity { names }
    }

    /// Returns the name of each player.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Replaces the names in a contest, and removes what the programs are.
    pub fn hide_players(&self, config: &mut Contest) {
        for (player, name) in config.players.iter_mut().zip(&self.names) {
            player.name.clone_from(name);
            player.command.clear();
            player.version = "hidden".into();
        }
    }

    /// Hides the players of results, and the texts of their faults and games.
    pub fn hide(&self, results: &mut Results) {
        results.is_anonymous = true;
        self.hide_players(&mut results.view.config);
        results.summary.anonymise(&self.names);
        for player in &mut results.tally.players {
            if let Some(first) = &mut player.first_fault {
                first.report.hide_texts();
            }
        }
    }
}

/// Removes the texts that the players of a game wrote, other than moves: comments, standard error,
/// and answers that were faults. Those of player `own` stay.
pub fn hide_texts(record: &mut Record, own: Option<usize>) {
    let players = &record.pairing.players;
    let is_hidden = |seat: usize| own != Some(players[seat]);
    for ply in record.played.plies.iter_mut().filter(|ply| is_hidden(ply.seat.index())) {
        ply.comment = None;
        ply.stderr.clear();
    }
    for report in record.played.faults.iter_mut().filter(|of| is_hidden(of.seat.index())) {
        report.hide_texts();
    }
}
