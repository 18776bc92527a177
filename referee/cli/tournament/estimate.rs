//! Duration of a tournament before it is played, from random games.

use crate::config::limits::PlayerLimits;
use crate::config::MatchConfig;
use crate::formats::GameCount;
use crate::registry::table::RulesError;
use crate::registry::{DynGame, Speech};
use crate::tournament::plan::MatchPlan;
use arbitre_games::clock::{Clock, Go};
use arbitre_games::dialects::arbitre;
use arbitre_games::game::Seat;
use arbitre_games::rng::Rng;
use std::time::Duration;

/// Number of random games. Not tuned.
const GAMES: u64 = 20;
/// Number of moves after which a random game is taken to have no end. Not tuned.
const MOST: u64 = 10_000;
/// Share of a limit that a move is taken to use: one in this number.
const USED: u32 = 2;

/// Moves of each seat in random games.
struct RandomGames {
    /// Mean number of moves of a seat.
    mean: f64,
    /// Largest number of moves of a seat.
    most: u64,
}

/// Describes the likely and the longest duration of a tournament. `None` if moves have no limit, or
/// the game has no list of legal moves.
pub fn describe(plan: &MatchPlan, count: GameCount) -> Option<String> {
    let MatchPlan { config, game, concurrency, .. } = plan;
    let games = random_games(&**game, config).ok()??;
    let limits: Vec<&PlayerLimits> = config.players.iter().map(|player| &player.limits).collect();
    let longest_of = |moves: f64, share: u32| -> Option<f64> {
        let of = |limits: &&PlayerLimits| time_of(&limits.clock, limits.margin, moves, share);
        let times: Option<Vec<f64>> = limits.iter().map(of).collect();
        // The slowest player at every seat.
        let seats = config.seats as f64;
        times?.into_iter().max_by(f64::total_cmp).map(|seconds| seconds * seats)
    };
    let whole = |seconds: f64, games: u64| seconds * games as f64 / *concurrency as f64;
    let likely = whole(longest_of(games.mean, USED)?, (count.least + count.most) / 2);
    let longest = whole(longest_of(games.most as f64, 1)?, count.most);
    let likely = format!(
        "likely {} (moves of half their limit, {:.0} of each player in a game), ",
        text(likely),
        games.mean
    );
    // The number of games of a test depends on the strengths, which are not known.
    let has_tests = config.tournament.as_ref().is_some_and(|of| of.format.sprt().is_some());
    let likely = if has_tests { String::new() } else { likely };
    Some(format!(
        "{likely}at most {} (whole limits, {} moves), {concurrency} at once\n",
        text(longest),
        games.most
    ))
}

/// Returns the time of a player in a game with this number of moves, in seconds. Of each limit one
/// share in `share` is used.
fn time_of(clock: &Clock, margin: Duration, moves: f64, share: u32) -> Option<f64> {
    let used = |time: Duration| (time / share).as_secs_f64();
    let by_move = clock.per_move.map(|time| {
        let first = used(clock.first.unwrap_or(time));
        first + (moves - 1.0).max(0.0) * (used(time) + margin.as_secs_f64())
    });
    let by_game = clock.game.map(|time| used(time) + moves * used(clock.increment));
    match (by_move, by_game) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Plays random games. `None` if the game does not list its legal moves.
fn random_games(
    game: &dyn DynGame,
    config: &MatchConfig,
) -> Result<Option<RandomGames>, RulesError> {
    let openings = config.openings(game);
    let (mut sum, mut most) = (0, 0);
    for round in 0..GAMES {
        let setup = openings.setup(round)?;
        let Some(moves) = random_game(game, &setup, config.seats, Rng::new(round))? else {
            return Ok(None);
        };
        sum += moves;
        most = most.max(moves);
    }
    Ok(Some(RandomGames { mean: sum as f64 / GAMES as f64, most }))
}

/// Returns the number of moves of the seat with the most.
fn random_game(
    game: &dyn DynGame,
    setup: &str,
    seats: usize,
    mut rng: Rng,
) -> Result<Option<u64>, RulesError> {
    let mut table = game.table(setup, &vec![Speech::Dialect(&arbitre::INFO); seats])?;
    let mut moves = vec![0; seats];
    while table.outcome()?.is_none() {
        let asked: Vec<Seat> = table.to_move()?.iter().collect();
        let mut answers = Vec::new();
        for &seat in &asked {
            let legal = table.legal_moves(seat)?;
            let Some(choice) = (!legal.is_empty()).then(|| rng.below(legal.len())) else {
                return Ok(None);
            };
            answers.push((seat, legal[choice].clone()));
            table.ask(seat, Go::Untimed, &mut String::new())?;
        }
        for (seat, answer) in answers {
            moves[seat.index()] += 1;
            if table.hear(seat, &answer).is_err() || moves[seat.index()] > MOST {
                return Ok(None);
            }
        }
    }
    Ok(moves.into_iter().max())
}

/// Returns a duration for people: `1 h 5 min`.
fn text(seconds: f64) -> String {
    let minutes = (seconds / 60.0).ceil() as u64;
    match minutes {
        0..=1 => format!("{} s", seconds.ceil()),
        2..60 => format!("{minutes} min"),
        _ => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short_to_read() {
        assert_eq!(text(3.2), "4 s");
        assert_eq!(text(61.0), "2 min");
        assert_eq!(text(3601.0), "1 h 1 min");
    }

    #[test]
    fn moves_have_the_smaller_of_two_limits() {
        let seconds = |clock: &Clock| time_of(clock, Duration::ZERO, 11.0, 1);
        let per_move = Some(Duration::from_secs(1));
        let clock = Clock { per_move, first: Some(Duration::from_secs(5)), ..Clock::default() };
        assert_eq!(seconds(&clock), Some(15.0));
        let clock = Clock { game: Some(Duration::from_secs(9)), ..clock };
        assert_eq!(seconds(&clock), Some(9.0));
        assert_eq!(seconds(&Clock::default()), None);
    }
}
