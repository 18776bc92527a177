//! Claims about matches, which are played in this process.

use super::arena::{play, ArenaGame};
use arbitre_games::experiment::{HalfPoints, Interval, Laboratory, Measurement, Verdict};
use arbitre_games::game::{ParseError, Seat};
use arbitre_games::games::seven_colors::SEATS;

/// Kinds of boards in the table, with a name and rules each; the report's come first.
const BOARDS: [(&str, &str); 3] = [
    ("symmetric", "arcsys"),
    ("not symmetric", "symmetric=no"),
    ("own and opponent's colour banned", "ban=own-and-opponent"),
];

/// Returns the command that plays the same match through programs.
fn match_command(lab: &dyn Laboratory, [first, second]: [&str; SEATS]) -> String {
    let (games, seed) = (lab.games(), lab.seed());
    format!(
        "referee \"seven-colors {first}\" \"seven-colors {second}\" --games {games} --seed {seed}"
    )
}

/// Plays a match of `games` games under `rules`.
fn matched(
    lab: &dyn Laboratory,
    players: [&str; SEATS],
    rules: &str,
    games: u64,
) -> Result<Vec<ArenaGame>, ParseError> {
    play(players, rules, &lab.schedule(games), lab.workers())
}

/// Plays a mirror match, one game to a board. Without random choices both games on a board would be
/// the same.
fn mirror_match(
    lab: &dyn Laboratory,
    player: &str,
    rules: &str,
) -> Result<Vec<ArenaGame>, ParseError> {
    let mut schedule = lab.schedule(SEATS as u64 * lab.games());
    // The games of a pair share a board, so half of twice the games has every board once.
    schedule.pairings.retain(|pairing| pairing.index.is_multiple_of(SEATS as u64));
    play([player; SEATS], rules, &schedule, lab.workers())
}

/// Measures the claim that the first player scores at least the share `at_least`.
pub fn duel(
    lab: &mut dyn Laboratory,
    players: [&str; SEATS],
    at_least: f64,
) -> Result<Measurement, ParseError> {
    on_all_boards(match_command(lab, players), at_least, |rules| {
        let played = matched(lab, players, rules, lab.games())?;
        let of_first = |game: &ArenaGame| game.half_points(game.pairing.seat_of(0));
        let results: Vec<HalfPoints> = played.iter().map(of_first).collect();
        let score = lab.score(results.as_chunks().0)?;
        Ok((results, score))
    })
}

/// Measures the claim that the starter wins at least 70 % of the games between equal players.
pub fn mirror(lab: &mut dyn Laboratory, player: &str) -> Result<Measurement, ParseError> {
    on_all_boards(match_command(lab, [player; SEATS]), 0.7, |rules| {
        let played = mirror_match(lab, player, rules)?;
        let results: Vec<_> = played.iter().map(|game| game.half_points(Seat::FIRST)).collect();
        let wins = Interval::of_share(count(&results, 2), results.len());
        Ok((results, wins))
    })
}

/// Measures a share on each kind of boards; the verdict is that of the report's boards.
fn on_all_boards(
    how: String,
    at_least: f64,
    measure: impl Fn(&str) -> Result<(Vec<HalfPoints>, Interval), ParseError>,
) -> Result<Measurement, ParseError> {
    let (mut measured, mut verdicts) = (Vec::new(), Vec::new());
    for (boards, rules) in BOARDS {
        let (results, share) = measure(rules)?;
        measured.push(format!("{boards}: {} {}", tally(&results), share.percent()));
        verdicts.push(Verdict::within(share, at_least, 1.0));
    }
    Ok(Measurement { measured: measured.join("; "), verdict: verdicts[0], how })
}

/// Measures the claim that most moves of `random` gain nothing.
pub fn idle_moves(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let players = ["random"; SEATS];
    let played = matched(lab, players, BOARDS[0].1, lab.games())?;
    let gains = || played.iter().flat_map(|game| &game.plies).map(|&(_, gain)| gain);
    let share = Interval::of_share(gains().filter(|&gain| gain == 0).count(), gains().count());
    let measured = format!("{} of the moves of random gain nothing", share.percent());
    let how = match_command(lab, players);
    Ok(Measurement { measured, verdict: Verdict::within(share, 0.5, 1.0), how })
}

/// Measures the claim that `hegemonic` grows fast and then runs out of breath.
pub fn breath(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let players = ["greedy", "hegemonic"];
    let played = matched(lab, players, BOARDS[0].1, lab.games())?;
    let gained = |game: &ArenaGame, player: usize, from: usize| -> f64 {
        game.gains(game.pairing.seat_of(player)).skip(from).take(10).map(f64::from).sum()
    };
    // One is added to both, so that a player without any gain in ten moves has a ratio as well.
    let ratio = |from: usize| {
        let of = |game| (gained(game, 1, from) + 1.0) / (gained(game, 0, from) + 1.0);
        Interval::of_ratios(&played.iter().map(of).collect::<Vec<f64>>())
    };
    let (early, late) = (ratio(0), ratio(10));
    let verdict = Verdict::within(early, 1.0, f64::INFINITY).max(Verdict::within(late, 0.0, 1.0));
    let measured = format!(
        "against greedy it gains {} times as much in the first ten moves, and {} times as much in the \
         next ten",
        early.figure(),
        late.figure(),
    );
    Ok(Measurement { measured, verdict, how: match_command(lab, players) })
}

/// Measures the claim that the starter's losses come from crossing the diagonal.
///
/// Every player crosses it in the end, so the first to cross is counted. Until then the second
/// player can mirror the moves of the first.
pub fn crossing(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let (played, how) =
        (mirror_match(lab, "greedy", BOARDS[0].1)?, match_command(lab, ["greedy"; SEATS]));
    let lost = |first: Seat| {
        let games = played.iter().filter(|game| game.first_to_cross() == Some(first));
        let results: Vec<_> = games.map(|game| game.half_points(Seat::FIRST)).collect();
        (count(&results, 0), results.len())
    };
    let ((by_own, all_own), (by_other, all_other)) = (lost(Seat::FIRST), lost(Seat::new(1)));
    if all_own == 0 || all_other == 0 {
        let measured =
            format!("the starter crosses first in {all_own} games, the other in {all_other}");
        return Ok(Measurement { measured, verdict: Verdict::Undecided, how });
    }
    // Only separate intervals decide: an overlap may be chance.
    let own = Interval::of_share(by_own, all_own);
    let other = Interval::of_share(by_other, all_other);
    let measured = format!(
        "the starter loses {by_own} of the {all_own} games in which it crosses first, {}, and {by_other} \
         of the {all_other} in which the other does, {}",
        own.percent(),
        other.percent(),
    );
    let verdict = if own.low > other.high {
        Verdict::Reproduced
    } else if own.high < other.low {
        Verdict::Contradicted
    } else {
        Verdict::Undecided
    };
    Ok(Measurement { measured, verdict, how })
}

/// Largest number of games through programs. More say nothing new about the lines between programs.
const GAMES_OF_PROGRAMS: u64 = 100;

/// Measures a claim of our own: these games are the ones that programs play.
pub fn through_programs(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let (players, games) = (["greedy", "random"], lab.games().min(GAMES_OF_PROGRAMS));
    let here = matched(lab, players, BOARDS[0].1, games)?;
    let [first, second] = players.map(|player| format!("seven-colors {player}"));
    let there = lab.play(&first, &second, games)?;
    let is_the_same = |game: &&ArenaGame| {
        let other = there.games.iter().find(|other| other.pairing.index == game.pairing.index);
        other.is_some_and(|other| {
            let moves = other.moves.iter().map(|(_, text, _)| text.clone());
            moves.eq(game.plies.iter().map(|(colour, _)| colour.to_string()))
        })
    };
    let same = here.iter().filter(is_the_same).count();
    let measured = format!("{same} of {} games are the same, move by move", here.len());
    Ok(Measurement { measured, verdict: Verdict::of(same == here.len()), how: there.command })
}

fn count(results: &[HalfPoints], wanted: HalfPoints) -> usize {
    results.iter().filter(|&&result| result == wanted).count()
}

fn tally(results: &[HalfPoints]) -> String {
    match [2, 1, 0].map(|wanted| count(results, wanted)) {
        [wins, 0, losses] => format!("{wins}-{losses}"),
        [wins, draws, losses] => format!("{wins}-{losses}, {draws} drawn,"),
    }
}
