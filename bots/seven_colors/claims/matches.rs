//! Claims about matches, which are played in this process.

use super::arena::{play, results, starters, ArenaGame, ArenaMatch, ResultCounts};
use super::how::match_command;
use arbitre_games::experiment::{HalfPoints, Interval, Laboratory, Measurement, Verdict};
use arbitre_games::game::{ParseError, Seat};
use arbitre_games::games::seven_colors::SEATS;

/// The boards of the table: what they are called, and their rules. The report's come first.
const BOARDS: [(&str, &str); 3] = [
    ("symmetric", "arcsys"),
    ("not symmetric", "symmetric=no"),
    ("own and opponent's colour banned", "ban=own-and-opponent"),
];

/// A match of so many games under these rules.
fn matched(
    lab: &dyn Laboratory,
    players: [&str; SEATS],
    rules: &str,
    games: u64,
) -> Result<Vec<ArenaGame>, ParseError> {
    let (schedule, workers) = (lab.schedule(games), lab.workers());
    play(&ArenaMatch { players, rules, schedule, both: true, workers })
}

/// A mirror match, one game to a board: of strategies that leave nothing to chance both games on a board
/// are the same.
fn of_equals(
    lab: &dyn Laboratory,
    player: &str,
    rules: &str,
) -> Result<Vec<ArenaGame>, ParseError> {
    let (players, games) = ([player; SEATS], SEATS as u64 * lab.games());
    let (schedule, workers) = (lab.schedule(games), lab.workers());
    play(&ArenaMatch { players, rules, schedule, both: false, workers })
}

/// The claim that the first player makes at least such a share of the points.
pub fn duel(
    lab: &mut dyn Laboratory,
    players: [&str; SEATS],
    at_least: f64,
) -> Result<Measurement, ParseError> {
    on_all_boards(match_command(lab, players), at_least, |rules| {
        let (games, pairs) = results(&matched(lab, players, rules, lab.games())?);
        Ok((games, lab.score(&pairs)?))
    })
}

/// The claim that whoever starts wins at least 70 % of the games between equals.
pub fn mirror(lab: &mut dyn Laboratory, player: &str) -> Result<Measurement, ParseError> {
    on_all_boards(match_command(lab, [player; SEATS]), 0.7, |rules| {
        let games = starters(&of_equals(lab, player, rules)?);
        Ok((games, Interval::of_share(games.wins, games.wins + games.draws + games.losses)))
    })
}

/// The claim of at least such a share, measured on each kind of boards. The verdict is about the report's.
fn on_all_boards(
    how: String,
    at_least: f64,
    measure: impl Fn(&str) -> Result<(ResultCounts, Interval), ParseError>,
) -> Result<Measurement, ParseError> {
    let (mut measured, mut verdicts) = (Vec::new(), Vec::new());
    for (boards, rules) in BOARDS {
        let (games, share) = measure(rules)?;
        measured.push(format!("{boards}: {} {}", tally(&games), share.percent()));
        verdicts.push(Verdict::within(share, at_least, 1.0));
    }
    Ok(Measurement { measured: measured.join("; "), verdict: verdicts[0], how })
}

/// The claim that most moves of a random player gain nothing.
pub fn idle_moves(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let players = ["random"; SEATS];
    let played = matched(lab, players, BOARDS[0].1, lab.games())?;
    let gains = || played.iter().flat_map(|game| &game.plies).map(|&(_, gain)| gain);
    let share = Interval::of_share(gains().filter(|&gain| gain == 0).count(), gains().count());
    let measured = format!("{} of the moves of random gain nothing", share.percent());
    let how = match_command(lab, players);
    Ok(Measurement { measured, verdict: Verdict::within(share, 0.5, 1.0), how })
}

/// The claim that hegemonic grows fast and then runs out of breath.
pub fn breath(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let players = ["greedy", "hegemonic"];
    let played = matched(lab, players, BOARDS[0].1, lab.games())?;
    let gained = |game: &ArenaGame, player: usize, from: usize| -> f64 {
        game.gains(game.pairing.seat_of(player)).skip(from).take(10).map(f64::from).sum()
    };
    // One is added so that who gains nothing in ten moves has a ratio as well.
    let ratio = |from: usize| {
        let of = |game| (gained(game, 1, from) + 1.0) / (gained(game, 0, from) + 1.0);
        Interval::of_ratios(&played.iter().map(of).collect::<Vec<f64>>())
    };
    let (early, late) = (ratio(0), ratio(10));
    let verdicts = [Verdict::within(early, 1.0, f64::INFINITY), Verdict::within(late, 0.0, 1.0)];
    let measured = format!(
        "against greedy it gains {} times as much in the first ten moves, and {} times as much in the \
         next ten",
        early.figure(),
        late.figure(),
    );
    Ok(Measurement { measured, verdict: all_of(&verdicts), how: match_command(lab, players) })
}

/// The claim that the starter's losses come from crossing the diagonal. Everybody crosses it at last, so what counts is who did first: until then the second player
/// can play as in a mirror.
pub fn crossing(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let played = of_equals(lab, "greedy", BOARDS[0].1)?;
    let lost = |first: Seat| {
        let games = played.iter().filter(|game| game.first_to_cross() == Some(first));
        let results: Vec<HalfPoints> = games.map(|game| game.half_points(Seat::FIRST)).collect();
        (results.iter().filter(|&&result| result == 0).count(), results.len())
    };
    let ((by_own, all_own), (by_other, all_other)) = (lost(Seat::FIRST), lost(Seat::new(1)));
    if all_own == 0 || all_other == 0 {
        let measured =
            format!("the starter crosses first in {all_own} games, the other in {all_other}");
        let (verdict, how) = (Verdict::Undecided, match_command(lab, ["greedy"; SEATS]));
        return Ok(Measurement { measured, verdict, how });
    }
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
    Ok(Measurement { measured, verdict, how: match_command(lab, ["greedy"; SEATS]) })
}

/// More games than this say nothing more of the lines between programs.
const GAMES_OF_PROGRAMS: u64 = 100;

/// The claim, which is ours, that these matches are those that programs play.
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
    let verdict = if same == here.len() { Verdict::Reproduced } else { Verdict::Contradicted };
    Ok(Measurement { measured, verdict, how: there.command })
}

/// Of a claim that says several things.
fn all_of(verdicts: &[Verdict]) -> Verdict {
    if verdicts.contains(&Verdict::Contradicted) {
        Verdict::Contradicted
    } else if verdicts.contains(&Verdict::Undecided) {
        Verdict::Undecided
    } else {
        Verdict::Reproduced
    }
}

fn tally(games: &ResultCounts) -> String {
    match games.draws {
        0 => format!("{}-{}", games.wins, games.losses),
        draws => format!("{}-{}, {draws} drawn,", games.wins, games.losses),
    }
}
