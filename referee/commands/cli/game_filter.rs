//! Selection of stored games by player, result and fault.

use super::args::GameFilterArgs;
use arbitre_games::game::Meta;
use arbitre_games::text::unknown;
use arbitre_referee::config::Contest;
use arbitre_referee::failure::Failure;
use arbitre_referee::play::record::Record;
use arbitre_referee::player::fault::Fault;

/// Result of a game for one of its players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PlayerResult {
    /// Only player in first place.
    Won,
    /// One of several players in first place.
    Drawn,
    /// Player below the first place.
    Lost,
}

/// Selection of games.
pub struct GameFilter {
    /// Player whose games are selected, as its numbers in the configuration: one for each version.
    players: Option<Vec<usize>>,
    result: Option<PlayerResult>,
    /// Word of the fault that a game must have.
    fault: Option<String>,
    /// Whether a game must have some fault.
    has_fault: bool,
}

impl GameFilterArgs {
    /// Returns `true` if games are selected, which implies that they are listed.
    pub fn is_given(&self) -> bool {
        self.player.is_some() || self.fault.is_some()
    }
}

impl GameFilter {
    /// Resolves the options for a match. With `has_fault` only games with a fault are selected.
    ///
    /// # Errors
    /// Returns an error if there is no such player or fault, or if the result of a solo game is
    /// asked for.
    pub fn new(
        args: &GameFilterArgs,
        has_fault: bool,
        config: &Contest,
        meta: &Meta,
    ) -> Result<GameFilter, Failure> {
        let result = match (args.won, args.drawn, args.lost) {
            (true, ..) => Some(PlayerResult::Won),
            (_, true, _) => Some(PlayerResult::Drawn),
            (.., true) => Some(PlayerResult::Lost),
            _ => None,
        };
        if result.is_some() && meta.is_solo() {
            let message = format!(
                "expected a game of several players beside --won, --drawn and --lost, got {}",
                meta.name
            );
            return Err(Failure::Usage(message));
        }
        if let Some(word) = args.fault.as_deref().filter(|word| !Fault::WORDS.contains(word)) {
            return Err(unknown("--fault", word, Fault::WORDS).into());
        }
        let players = args.player.as_deref().map(|name| find_player(name, config)).transpose()?;
        Ok(GameFilter { players, result, fault: args.fault.clone(), has_fault })
    }

    /// Returns `true` if the game is selected.
    pub fn selects(&self, record: &Record) -> bool {
        let is_own = |seat: usize| match &self.players {
            Some(players) => players.contains(&record.pairing.players[seat]),
            None => true,
        };
        let is_asked = |word: &str| self.fault.as_deref().is_none_or(|asked| asked == word);
        let mut faults = record.played.faults.iter();
        let has_fault =
            faults.any(|report| is_own(report.seat.index()) && is_asked(report.fault.word()));
        let asks_for_fault = self.has_fault || self.fault.is_some();
        let seats = 0..record.pairing.players.len();
        let has_result = |seat| match (self.result, record.ranks()) {
            (None, _) => true,
            (Some(result), Some(ranks)) => result_of(&ranks, seat) == result,
            (Some(_), None) => false,
        };
        (has_fault || !asks_for_fault)
            && seats.into_iter().any(|seat| is_own(seat) && has_result(seat))
    }
}

/// Returns the numbers of a player: of all its versions in the configuration.
fn find_player(name: &str, config: &Contest) -> Result<Vec<usize>, Failure> {
    // The sign separates the name of a player from the number of an earlier version.
    let is_it =
        |full: &str| full == name || full.split_once('@').is_some_and(|(own, _)| own == name);
    let names = || config.players.iter().map(|player| player.name.as_str());
    let found: Vec<usize> =
        names().enumerate().filter(|(_, full)| is_it(full)).map(|(number, _)| number).collect();
    match found.is_empty() {
        true => Err(unknown("--player", name, names()).into()),
        false => Ok(found),
    }
}

fn result_of(ranks: &[usize], seat: usize) -> PlayerResult {
    let firsts = ranks.iter().filter(|rank| **rank == 1).count();
    match (ranks[seat], firsts) {
        (1, 1) => PlayerResult::Won,
        (1, _) => PlayerResult::Drawn,
        _ => PlayerResult::Lost,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_place_is_won_or_shared() {
        use PlayerResult::{Drawn, Lost, Won};
        for (ranks, results) in [
            (&[1, 2][..], &[Won, Lost][..]),
            (&[1, 1], &[Drawn, Drawn]),
            (&[3, 1, 1, 4], &[Lost, Drawn, Drawn, Lost]),
            (&[2, 2, 1], &[Lost, Lost, Won]),
        ] {
            let found: Vec<_> = (0..ranks.len()).map(|seat| result_of(ranks, seat)).collect();
            assert_eq!(found, results, "{ranks:?}");
        }
    }
}
