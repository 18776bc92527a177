//! Numbers in place of the names of players, for pages that a whole class sees.

use super::results::Results;
use super::summary::Summary;
use crate::config::Contest;
use crate::play::record::Record;
use arbitre_games::rng::Rng;
use sha2::{Digest, Sha256};

/// Numbers under which the players of a contest are shown. They are also listed by them, as the
/// order of a class would tell the names.
pub struct Anonymity {
    /// Place of each player in lists, counted from 0.
    numbers: Vec<usize>,
    names: Vec<String>,
}

impl Anonymity {
    /// Numbers the players in an order that follows from the seed and the digests of all programs,
    /// which no player knows.
    pub fn of(config: &Contest) -> Anonymity {
        let mut hash = Sha256::new_with_prefix(config.seed.to_be_bytes());
        config.players.iter().for_each(|player| hash.update(&player.version));
        let digest = hash.finalize();
        let seed = digest[..8].try_into().expect("a digest has 32 bytes");
        let mut numbers: Vec<usize> = (0..config.players.len()).collect();
        Rng::new(u64::from_be_bytes(seed)).shuffle(&mut numbers);
        let names = numbers.iter().map(|number| format!("player {}", number + 1)).collect();
        if config.players.len() == 2 {
            // The statistics of a match of two are those of its first player.
            numbers = vec![0, 1];
        }
        Anonymity { numbers, names }
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

    /// Hides the players of a summary, and lists them by their numbers.
    pub fn hide_summary(&self, summary: &mut Summary) {
        summary.anonymise(&self.names);
        self.sort(&mut summary.players);
        if let Some(bracket) = &mut summary.bracket {
            bracket.renumber(|player| self.numbers[player]);
        }
    }

    /// Hides the players of results and the texts of their faults and games, after those of the
    /// summary.
    pub fn hide(&self, results: &mut Results) {
        results.is_anonymous = true;
        self.hide_players(&mut results.view.config);
        results.view.renumber(&self.numbers);
        for player in &mut results.tally.players {
            if let Some(first) = &mut player.first_fault {
                first.report.hide_texts();
            }
        }
        self.sort(&mut results.tally.players);
        results.tally.rankings.renumber(|player| self.numbers[player]);
        for player in results.games.iter_mut().flat_map(|game| &mut game.players) {
            *player = self.numbers[*player];
        }
    }

    fn sort<T>(&self, players: &mut Vec<T>) {
        let mut numbered: Vec<(usize, T)> =
            self.numbers.iter().copied().zip(players.drain(..)).collect();
        numbered.sort_by_key(|(number, _)| *number);
        players.extend(numbered.into_iter().map(|(_, player)| player));
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
