//! Claims about matches, which are played in this process.

use arbitre_games::experiment::{
    HalfPoints, Interval, LabGame, LabMatch, Laboratory, MatchRequest, Measurement, Verdict,
};
use arbitre_games::game::{ParseError, Seat};
use arbitre_games::games::seven_colors::{seats, CellState, Position, SevenColors, ARCSYS, SEATS};
use std::cmp::Ordering;

/// Kinds of boards in the table, with a name and rules each; the report's come first.
const BOARDS: [(&str, &str); 3] = [
    ("symmetric", ""),
    ("not symmetric", "symmetric=no"),
    ("own and opponent's colour banned", "ban=own-and-opponent"),
];

/// Plays a match of strategies.
fn matched(
    lab: &mut dyn Laboratory,
    players: [&str; SEATS],
    rules: &str,
    games: u64,
    inside: bool,
) -> Result<LabMatch, ParseError> {
    let [first, second] = players.map(|player| format!("seven-colors {player}"));
    lab.play(MatchRequest { players: [&first, &second], rules, games, inside })
}

/// Plays a match on the report's boards.
fn usual_match(lab: &mut dyn Laboratory, players: [&str; SEATS]) -> Result<LabMatch, ParseError> {
    let games = lab.games();
    matched(lab, players, "", games, true)
}

/// Plays a mirror match, one game to a board. Without random choices both games on a board would be
/// the same.
fn mirror_match(
    lab: &mut dyn Laboratory,
    player: &str,
    rules: &str,
) -> Result<LabMatch, ParseError> {
    let games = SEATS as u64 * lab.games();
    let mut played = matched(lab, [player; SEATS], rules, games, true)?;
    played.games = played.games.into_iter().step_by(SEATS).collect();
    Ok(played)
}

/// Measures the claim that the first player scores at least the share `at_least`.
pub fn duel(
    lab: &mut dyn Laboratory,
    players: [&str; SEATS],
    at_least: f64,
) -> Result<Measurement, ParseError> {
    let games = lab.games();
    on_all_boards(at_least, |rules| {
        let played = matched(lab, players, rules, games, true)?;
        let (score, seat_of) = (played.score, |game: &LabGame| game.seat_of(0));
        Ok((played, seat_of, score))
    })
}

/// Measures the claim that the starter wins at least 70 % of the games between equal players.
pub fn mirror(lab: &mut dyn Laboratory, player: &str) -> Result<Measurement, ParseError> {
    on_all_boards(0.7, |rules| {
        let played = mirror_match(lab, player, rules)?;
        let wins = count(&results(&played, |_| Seat::FIRST), 2);
        let share = Interval::of_share(wins, played.games.len());
        Ok((played, |_: &LabGame| Seat::FIRST, share))
    })
}

/// Measures a share on each kind of boards, of the results of one seat in each game; the verdict is
/// that of the report's boards.
fn on_all_boards<S: Fn(&LabGame) -> Seat>(
    at_least: f64,
    mut measure: impl FnMut(&str) -> Result<(LabMatch, S, Interval), ParseError>,
) -> Result<Measurement, ParseError> {
    let (mut measured, mut first) = (Vec::new(), None);
    for (boards, rules) in BOARDS {
        let (played, seat_of, share) = measure(rules)?;
        let tally = tally(&results(&played, seat_of));
        measured.push(format!("{boards}: {tally} {}", share.percent()));
        first.get_or_insert((played, share));
    }
    let (played, share) = first.expect("there are kinds of boards");
    Ok(played.within(measured.join("; "), share, at_least, 1.0))
}

/// Measures the claim that most moves of `random` gain nothing.
pub fn idle_moves(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let played = usual_match(lab, ["random"; SEATS])?;
    let replayed = replayed(&played)?;
    let gains = || replayed.iter().flat_map(|game| seats().flat_map(|seat| gains(game, seat)));
    let share = Interval::of_share(gains().filter(|&gain| gain == 0).count(), gains().count());
    let measured = format!("{} of the moves of random gain nothing", share.percent());
    Ok(played.within(measured, share, 0.5, 1.0))
}

/// Measures the claim that `hegemonic` grows fast and then runs out of breath.
pub fn breath(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let played = usual_match(lab, ["greedy", "hegemonic"])?;
    let replayed = replayed(&played)?;
    // One is added to both, so that a player without any gain in ten moves has a ratio as well.
    let ratio = |from: usize| {
        let of = |(game, positions): (&LabGame, &Vec<Position>)| {
            let gained = |player| -> usize {
                gains(positions, game.seat_of(player)).skip(from).take(10).sum()
            };
            (gained(1) + 1) as f64 / (gained(0) + 1) as f64
        };
        Interval::of_ratios(&played.games.iter().zip(&replayed).map(of).collect::<Vec<f64>>())
    };
    let (early, late) = (ratio(0), ratio(10));
    let verdict = Verdict::within(early, 1.0, f64::INFINITY).max(Verdict::within(late, 0.0, 1.0));
    let measured = format!(
        "against greedy it gains {} times as much in the first ten moves, and {} times as much in the \
         next ten",
        early.figure(),
        late.figure(),
    );
    Ok(Measurement { measured, verdict, how: played.command })
}

/// Measures the claim that the starter's losses come from crossing the diagonal.
///
/// Every player crosses it in the end, so the first to cross is counted. Until then the second
/// player can mirror the moves of the first.
pub fn crossing(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let played = mirror_match(lab, "greedy", "")?;
    let first: Vec<Option<Seat>> =
        replayed(&played)?.iter().map(|game| first_to_cross(game)).collect();
    let results = results(&played, |_| Seat::FIRST);
    let lost = |seat: Seat| {
        let games = results.iter().zip(&first).filter(|(_, first)| **first == Some(seat));
        let results: Vec<HalfPoints> = games.map(|(result, _)| *result).collect();
        (count(&results, 0), results.len())
    };
    let ((by_own, all_own), (by_other, all_other)) = (lost(Seat::FIRST), lost(Seat::new(1)));
    let how = played.command;
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
    let games = lab.games().min(GAMES_OF_PROGRAMS);
    let [here, there] = {
        let mut play = |inside| matched(lab, ["greedy", "random"], "", games, inside);
        [play(true)?, play(false)?]
    };
    let moves = |game: &LabGame| -> Vec<String> {
        game.moves.iter().map(|(_, text, _)| text.clone()).collect()
    };
    let pairs = here.games.iter().zip(&there.games);
    let same = pairs.filter(|(here, there)| moves(here) == moves(there)).count();
    let measured = format!("{same} of {} games are the same, move by move", here.games.len());
    Ok(Measurement { measured, verdict: Verdict::of(same == here.games.len()), how: there.command })
}

/// Returns the positions of each game on the report's boards.
fn replayed(played: &LabMatch) -> Result<Vec<Vec<Position>>, ParseError> {
    let game = SevenColors::new(ARCSYS);
    played.games.iter().map(|played| played.positions(&game)).collect()
}

/// Returns the cells that a seat gains, move by move.
fn gains(positions: &[Position], seat: Seat) -> impl Iterator<Item = usize> + '_ {
    let moves = positions.windows(2).filter(move |pair| pair[0].mover() == seat);
    moves.map(move |pair| pair[1].board().count(seat) - pair[0].board().count(seat))
}

/// Returns the seat that first took a cell on the other side of the diagonal, if one did.
fn first_to_cross(positions: &[Position]) -> Option<Seat> {
    let home = |seat| sides(&positions[0], seat).next();
    let is_beyond = |position: &Position, seat: Seat| {
        let other_side = home(seat).map(Ordering::reverse);
        sides(position, seat).any(|side| Some(side) == other_side)
    };
    positions.iter().find_map(|position| seats().find(|&seat| is_beyond(position, seat)))
}

/// Returns the side of the diagonal of each cell of a seat.
fn sides(position: &Position, seat: Seat) -> impl Iterator<Item = Ordering> + '_ {
    let (board, width) = (position.board(), position.board().width());
    let own =
        board.cells().iter().enumerate().filter(move |(_, cell)| **cell == CellState::Taken(seat));
    own.map(move |(index, _)| (index % width).cmp(&(index / width)))
}

/// Returns the result of one seat in each game.
fn results(played: &LabMatch, seat_of: impl Fn(&LabGame) -> Seat) -> Vec<HalfPoints> {
    played.games.iter().map(|game| game.results[seat_of(game).index()]).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::dialect::Notation;

    /// Returns a game of these moves on a small board, with its positions.
    fn game(moves: &str) -> (LabGame, Vec<Position>) {
        let turn = |(ply, colour): (usize, char)| (Seat::new(ply % SEATS), colour.into(), 0.0);
        let game = LabGame {
            round: 0,
            players: [1, 0],
            setup: "AA.; BAC; *DD".into(),
            moves: moves.chars().enumerate().map(turn).collect(),
            results: [2, 0],
        };
        let rules = SevenColors::from_rules("size=3x3 symmetric=no").unwrap();
        let positions = game.positions(&rules).unwrap();
        (game, positions)
    }

    /// The first takes A, the second D, then the first takes B, which lies beyond the diagonal.
    #[test]
    fn gains_and_crossings_follow_from_the_moves() {
        let (_, positions) = game("ADB");
        let [one, other] = [0, 1].map(Seat::new);
        assert_eq!(gains(&positions, one).collect::<Vec<_>>(), [3, 1]);
        assert_eq!(gains(&positions, other).collect::<Vec<_>>(), [2]);
        assert_eq!(first_to_cross(&positions[..3]), None);
        assert_eq!(first_to_cross(&positions), Some(one));
        assert_eq!(first_to_cross(&game("CB").1), None, "the diagonal itself is no side");
    }

    #[test]
    fn results_are_by_player_or_by_seat() {
        let (game, _) = game("");
        assert_eq!([0, 1].map(|player| game.results[game.seat_of(player).index()]), [0, 2]);
        let (score, command) = (Interval::exactly(0.5), String::new());
        let played = LabMatch { games: vec![game], score, move_millis: [0.0; 2], command };
        assert_eq!(results(&played, |_| Seat::FIRST), [2]);
        assert_eq!(results(&played, |game| game.seat_of(0)), [0]);
    }
}
