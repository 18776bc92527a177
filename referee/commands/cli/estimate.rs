//! Time, file and memory of a match or tournament before it is played, from random games.

use arbitre_games::clock::{Clock, Go};
use arbitre_games::dialects::arbitre;
use arbitre_games::game::Seat;
use arbitre_games::rng::Rng;
use arbitre_process::launcher::layers::Level;
use arbitre_process::stopwatch::AnswerTime;
use arbitre_referee::config::limits::PlayerLimits;
use arbitre_referee::config::Contest;
use arbitre_referee::failure::Failure;
use arbitre_referee::formats::GameCount;
use arbitre_referee::play::pairing::Pairing;
use arbitre_referee::play::record::Record;
use arbitre_referee::play::{PlayedGame, Ply};
use arbitre_referee::registry::table::RulesError;
use arbitre_referee::registry::{DynGame, Registry, Speech};
use arbitre_referee::run::plan::Plan;
use arbitre_referee::run::processors::per_game;
use arbitre_referee::store::Writer;
use std::time::Duration;

/// Number of random games. Not tuned.
const GAMES: u64 = 20;
/// Number of moves of all seats after which a random game is taken to have no end. Not tuned.
const MOST: usize = 40_000;
/// Share of a limit that a move is taken to use: one in this number.
const USED: u32 = 2;

/// Number of times that each random game is stored: the size of a file of few games is mostly that
/// of its tables.
const COPIES: u64 = 20;
/// Memory of a merge in bytes: its own with that of its table, and that of each file. Measured by
/// `cargo bench --bench store -- --shards` (2026-11-26): it does not depend on the number of games.
const MERGE: u64 = 16 << 20;
const MERGE_PER_FILE: u64 = 160 << 10;

/// Random games.
struct RandomGames {
    /// Mean number of moves of a seat.
    mean: f64,
    /// Largest number of moves of a seat.
    most: u64,
    /// Mean size of a stored game without comments, in bytes.
    bytes: f64,
}

/// Describes `games` games, of which this run plays `own`: the likely and the longest time, the
/// size of the file, and the memory to merge shards. What cannot be estimated is left out: time
/// without limits of moves, and everything without a list of legal moves.
pub fn describe(plan: &Plan, games: GameCount, own: u64, registry: &Registry) -> String {
    let Plan { config, game, concurrency, .. } = plan;
    let Ok(Some(random)) = random_games(&**game, config, registry) else { return String::new() };
    let limits: Vec<&PlayerLimits> = config.players.iter().map(|player| &player.limits).collect();
    let time_of_game = |moves: f64, share: u32, seats: usize| -> Option<f64> {
        let of = |limits: &&PlayerLimits| time_of(&limits.clock, limits.margin, moves, share);
        let times: Option<Vec<f64>> = limits.iter().map(of).collect();
        // The slowest player at every seat that takes time.
        times?.into_iter().max_by(f64::total_cmp).map(|seconds| seconds * seats as f64)
    };
    // Fixed bots may answer at once, or take as long as a player.
    let fewest_seats = match config.format.fixed_bots() {
        [] => config.seats,
        _ => 1,
    };
    let RandomGames { mean, most, bytes } = random;
    let per_game = per_game(limits.iter().copied(), config.seats) as f64;
    let middle = (games.least + games.most) / 2;
    // The number of games of a test depends on the strengths, which are not known.
    let has_test = config.test().is_some();
    let mut lines = String::new();
    let of_game =
        [(mean, USED, fewest_seats), (mean, USED, config.seats), (most as f64, 1, config.seats)]
            .map(|(moves, share, seats)| time_of_game(moves, share, seats));
    if let [Some(shortest), Some(likely), Some(longest)] = of_game {
        let at_once = *concurrency as f64;
        let (own_likely, own_most) = match config.shard {
            Some(_) => (own, own),
            None => (middle, games.most),
        };
        if !has_test {
            let [from, to] = [shortest, likely].map(|of| text(of * own_likely as f64 / at_once));
            let time = match fewest_seats == config.seats {
                true => to,
                false => format!("{from} if the fixed bots answer at once, else {to}"),
            };
            lines += &format!(
                "likely {time} (moves of half their limit, {mean:.0} of each player in a game), "
            );
        }
        lines += &format!(
            "at most {} (whole limits, {most} moves), {concurrency} at once{}\n",
            text(longest * own_most as f64 / at_once),
            if config.tournament().is_some() { "; --max-time ends it earlier" } else { "" }
        );
        let hours = |seconds: f64, games: u64| seconds * games as f64 * per_game / 3600.0;
        let likely = match has_test {
            true => String::new(),
            false if fewest_seats < config.seats => {
                let [from, to] = [shortest, likely].map(|of| hours_text(hours(of, middle)));
                format!("likely {from} to {to}, ")
            }
            false => format!("likely {}, ", hours_text(hours(likely, middle))),
        };
        let longest = hours_text(hours(longest, games.most));
        lines += &format!("CPU hours of all games: {likely}at most {longest}\n");
    }
    let stored = bytes * games.most as f64;
    lines += &format!("file of all games: about {} without comments", megabytes(stored));
    if let Some(shard) = config.shard {
        let merge = MERGE + MERGE_PER_FILE * shard.count();
        lines += &format!("; memory of referee merge: about {}", megabytes(merge as f64));
    }
    lines += "\n";
    lines
}

fn hours_text(hours: f64) -> String {
    match hours {
        ..1.0 => format!("{hours:.2}"),
        1.0..100.0 => format!("{hours:.1}"),
        _ => format!("{hours:.0}"),
    }
}

fn megabytes(bytes: f64) -> String {
    match bytes / 1e6 {
        megabytes @ ..10.0 => format!("{megabytes:.1} MB"),
        megabytes @ 10.0..10_000.0 => format!("{megabytes:.0} MB"),
        megabytes => format!("{:.1} GB", megabytes / 1e3),
    }
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

/// Plays random games and stores them in memory. `None` if the game does not list its legal moves.
fn random_games(
    game: &dyn DynGame,
    config: &Contest,
    registry: &Registry,
) -> Result<Option<RandomGames>, Failure> {
    let (openings, schedule) = (config.openings(game), config.schedule());
    let players: Vec<usize> = (0..config.seats).collect();
    let mut store = Writer::in_memory(config, registry)?;
    let empty = store.archive().size()?;
    let (mut sum, mut most) = (0, 0);
    for round in 0..GAMES {
        let setup = openings.setup(round).map_err(|why| Failure::Data(why.to_string()))?;
        let played = random_game(game, &setup, config.seats, Rng::new(round));
        let Some(played) = played.map_err(|why| Failure::Data(why.to_string()))? else {
            return Ok(None);
        };
        let moves_of = |seat| played.plies.iter().filter(|ply| ply.seat == seat).count() as u64;
        let moves = (0..config.seats).map(|seat| moves_of(Seat::new(seat))).max().unwrap_or(0);
        sum += moves;
        most = most.max(moves);
        for copy in 0..COPIES {
            let (round, seeds) = (round * COPIES + copy, schedule.seeds(round, 0, &players));
            let pairing = Pairing { round, rotation: 0, players: players.clone(), seeds };
            let (setup, played) = (setup.clone(), played.clone());
            let (duration, sandbox) = (Duration::from_secs(1), Level::None);
            let number = None;
            store.add(&Record { number, pairing, setup, played, duration, sandbox })?;
        }
    }
    let bytes = (store.archive().size()? - empty) as f64 / (GAMES * COPIES) as f64;
    Ok(Some(RandomGames { mean: sum as f64 / GAMES as f64, most, bytes }))
}

/// Plays a random game in which each move takes a millisecond.
fn random_game(
    game: &dyn DynGame,
    setup: &str,
    seats: usize,
    mut rng: Rng,
) -> Result<Option<PlayedGame>, RulesError> {
    let mut table = game.table(setup, &vec![Speech::Dialect(&arbitre::INFO); seats])?;
    let mut plies: Vec<Ply> = Vec::new();
    let outcome = loop {
        if let Some(outcome) = table.outcome()? {
            break outcome;
        }
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
        for (seat, mv) in answers {
            if table.hear(seat, &mv).is_err() || plies.len() > MOST {
                return Ok(None);
            }
            let wall = Duration::from_micros(1000 + rng.below(1000) as u64);
            let time = AnswerTime { wall, cpu: Some(wall), wait: None };
            let (comment, stderr) = (None, String::new());
            plies.push(Ply { seat, mv, time, spent: wall, comment, stderr });
        }
    };
    let outcome = Some(outcome);
    Ok(Some(PlayedGame { plies, outcome, ..PlayedGame::not_started(seats, Vec::new()) }))
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
