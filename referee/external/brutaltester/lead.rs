//! `referee arena brutaltester GAME`: a game of the referee as a referee program of
//! cg-brutaltester. The counterpart of its [parent](super).
//!
//! 1. cg-brutaltester starts the program once per game, in one of two modes.
//! 2. In the new mode the arguments name the players. Then it is a match of one game, of which
//!    [`scores`] is the output: see `referee/commands/cli/brutaltester.rs`.
//! 3. In the old mode (`-o`) cg-brutaltester starts the players, and [`lead`] leads the game.
//! 4. Each seat is a `RemotePlayer` of the usual [`play`]: lines for it follow `###Input SEAT`,
//!    and `###Output SEAT 1` asks for its answer.
//! 5. `###End` ranks the seats; those that share a place share a word.
//! 6. `###Error` is never printed, because cg-brutaltester repeats it for ever. Faults are
//!    described on standard error.
//! 7. There are no limits in the old mode: cg-brutaltester has none, and ends the program if a
//!    player ends.

use super::ranking_of;
use crate::config::limits::PlayerLimits;
use crate::failure::Failure;
use crate::formats::openings::Openings;
use crate::formats::schedule::Schedule;
use crate::play::{play, SeatedPlayer};
use crate::player::fault::Fault;
use crate::player::Player;
use crate::registry::table::{StartParams, Table};
use crate::registry::{DynGame, Speech};
use arbitre_games::diagnostics;
use arbitre_games::dialect::DialectInfo;
use arbitre_games::game::{Outcome, ParseError, Seat};
use arbitre_process::process::{Answer, Wanted};
use arbitre_process::stopwatch::Limit;
use std::io::{self, BufRead, Write};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// Game that cg-brutaltester has us lead, except what it sends.
pub struct Lead<'g> {
    /// The game with its rules.
    pub game: &'g dyn DynGame,
    /// Dialect of the players.
    pub dialect: &'static DialectInfo,
    /// Length of the opening in plies.
    pub plies: usize,
    /// Seed of a game for which cg-brutaltester sends none.
    pub seed: u64,
}

/// Leads one game in the old mode.
///
/// # Errors
/// Returns an error if the input does not begin with `###Start`, does not fit the game or ends
/// early. Also if the output cannot be written.
pub fn lead<'a>(
    lead: &Lead,
    input: impl BufRead + Send + 'a,
    output: impl Write + Send + 'a,
) -> Result<(), Failure> {
    let mut link = Link { input: Box::new(input), output: Box::new(output), failure: None };
    let (seed, seats) = link.read_start(lead.game)?;
    let link = Mutex::new(link);
    let schedule = Schedule::new(seats, seats, 1, seed.unwrap_or(lead.seed));
    let openings = Openings::drawn(lead.game, seats, lead.plies, schedule.openings_rng());
    let setup = openings.setup(0)?;
    let mut table = lead.game.table(&setup, &vec![Speech::Dialect(lead.dialect); seats])?;
    let (seeds, limits) = (schedule.seeds(0, 0, &[]), PlayerLimits::untimed());
    refuse_arguments(lead.dialect, &mut *table, &limits)?;
    let mut players: Vec<RemotePlayer> = (0..seats).map(|i| RemotePlayer::new(i, &link)).collect();
    let has_started = AtomicBool::new(true);
    let players = players.iter_mut().zip(&seeds);
    let mut seated: Vec<SeatedPlayer> = players
        .map(|(player, &seed)| SeatedPlayer::new(player, &limits, seed, &has_started))
        .collect();
    let played = play(&mut *table, &mut seated);
    drop(seated);
    let mut link = link.into_inner().expect("no thread panics while it holds the lock");
    link.failure.take().map_or(Ok(()), Err)?;
    for report in &played.faults {
        diagnostics::print(format_args!("seat {} {}\n", report.seat, report.fault));
    }
    let outcome = played.outcome.ok_or_else(|| Failure::Data("the game has no result".into()))?;
    link.write(&format!("###End {}\n", ranking(&outcome))).map_err(Failure::System)
}

/// Refuses a dialect whose players need arguments, as cg-brutaltester passes none.
fn refuse_arguments(
    dialect: &DialectInfo,
    table: &mut dyn Table,
    limits: &PlayerLimits,
) -> Result<(), Failure> {
    let start = StartParams { seat: Seat::FIRST, clock: &limits.clock, seed: 0, kept: false };
    match table.arguments(&start)?[..] {
        [] => Ok(()),
        _ => Err(Failure::Usage(format!(
            "--dialect: expected a dialect without arguments for the players, got {}",
            dialect.name
        ))),
    }
}

/// Returns the seats by place, the best first. Seats that share a place share a word.
fn ranking(outcome: &Outcome) -> String {
    let ahead: Vec<f64> = outcome.places().into_iter().map(|place| -(place as f64)).collect();
    ranking_of(&ahead)
}

/// Returns the scores as cg-brutaltester compares them: those of the game if they rank the seats as
/// the outcome does and none is negative, else the number of seats ranked behind each.
pub fn scores(outcome: &Outcome) -> Vec<i64> {
    let (scores, places) = (&outcome.scores, outcome.places());
    let behind = |place: &usize| places.iter().filter(|other| *other > place).count() as i64;
    let are_ranked = (0..places.len()).all(|one| {
        (0..places.len())
            .all(|other| places[one].cmp(&places[other]) == scores[other].cmp(&scores[one]))
    });
    match are_ranked && scores.iter().all(|score| *score >= 0) {
        true => scores.clone(),
        false => places.iter().map(behind).collect(),
    }
}

/// Connection to cg-brutaltester.
struct Link<'a> {
    input: Box<dyn BufRead + Send + 'a>,
    output: Box<dyn Write + Send + 'a>,
    /// First failure of the connection.
    failure: Option<Failure>,
}

impl Link<'_> {
    /// Reads a line without its end. Returns `false` at the end of the input.
    fn read(&mut self, line: &mut String) -> io::Result<bool> {
        line.clear();
        let length = self.input.read_line(line)?;
        line.truncate(line.trim_end_matches(['\n', '\r']).len());
        Ok(length > 0)
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    /// Reads `###Seed N`, which may be absent, and `###Start SEATS`. Returns both numbers.
    fn read_start(&mut self, game: &dyn DynGame) -> Result<(Option<u64>, usize), Failure> {
        let number = |line: &str, word: &str| -> Option<u64> {
            line.strip_prefix(word)?.strip_prefix(' ')?.trim().parse().ok()
        };
        let mut line = String::new();
        self.read(&mut line)?;
        let seed = number(&line, "###Seed");
        if seed.is_some() {
            self.read(&mut line)?;
        }
        let (fewest, most) = game.meta().seats;
        let seats = number(&line, "###Start").and_then(|seats| usize::try_from(seats).ok());
        let fitting = seats.filter(|seats| (fewest..=most).contains(seats));
        let seats = fitting.ok_or_else(|| {
            let allowed =
                if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
            ParseError::in_file(format!("expected ###Start with {allowed} seats, got '{line}'"))
        })?;
        Ok((seed, seats))
    }
}

/// Player that cg-brutaltester runs.
struct RemotePlayer<'l, 'a> {
    seat: usize,
    link: &'l Mutex<Link<'a>>,
    line: String,
}

impl<'l, 'a> RemotePlayer<'l, 'a> {
    fn new(seat: usize, link: &'l Mutex<Link<'a>>) -> RemotePlayer<'l, 'a> {
        RemotePlayer { seat, link, line: String::new() }
    }

    fn link(&self) -> MutexGuard<'l, Link<'a>> {
        self.link.lock().expect("no thread panics while it holds the lock")
    }

    /// Returns the command that passes `text` on.
    fn input(&self, text: &str) -> String {
        match text {
            "" => String::new(),
            text => format!("###Input {}\n{text}", self.seat),
        }
    }
}

impl Player for RemotePlayer<'_, '_> {
    fn ask(
        &mut self,
        prompt: &str,
        _: &Limit,
        _: Wanted,
        _: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, Fault> {
        let mut link = self.link();
        // After a failure the game only has to come to its end.
        if link.failure.is_some() {
            return Err(Fault::Disconnect);
        }
        let seat = self.seat;
        let command = format!("{}###Output {seat} 1\n", self.input(prompt));
        let read = link.write(&command).and_then(|()| link.read(&mut self.line));
        if !matches!(read, Ok(true)) {
            let ended = format!("expected a line of seat {seat}, got the end of the input");
            link.failure = Some(read.map_or_else(Failure::System, |_| Failure::Data(ended)));
            return Err(Fault::Disconnect);
        }
        drop(link);
        Ok(Answer::of_wall(&self.line, Duration::ZERO))
    }

    fn tell(&mut self, text: &str) {
        let (mut link, command) = (self.link(), self.input(text));
        if link.failure.is_none() {
            link.failure = link.write(&command).map_err(Failure::System).err();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::game::Seats;

    fn outcome(scores: &[i64], out: &[&[usize]]) -> Outcome {
        let group = |seats: &&[usize]| seats.iter().map(|&seat| Seat::new(seat)).collect::<Seats>();
        let out = out.iter().map(group).collect();
        Outcome { scores: scores.to_vec(), out, lower_is_better: false }
    }

    #[test]
    fn seats_that_share_a_place_share_a_word() {
        for (scores, out, ranked, printed) in [
            (&[25, 23][..], &[][..], "0 1", &[25, 23][..]),
            (&[24, 24], &[], "01", &[24, 24]),
            // A seat that is out is behind whatever its score is.
            (&[25, 23], &[&[0][..]], "1 0", &[0, 1]),
            (&[1, 2, 2, 0], &[], "12 0 3", &[1, 2, 2, 0]),
            (&[1, 2, 2, 0], &[&[1, 2]], "0 3 12", &[3, 0, 0, 2]),
            (&[-1, 3], &[], "1 0", &[0, 1]),
        ] {
            let outcome = outcome(scores, out);
            assert_eq!(ranking(&outcome), ranked, "{scores:?} {out:?}");
            assert_eq!(super::scores(&outcome), printed, "{scores:?} {out:?}");
        }
        let lower = Outcome { lower_is_better: true, ..outcome(&[5, 9], &[]) };
        assert_eq!((ranking(&lower), super::scores(&lower)), ("0 1".into(), vec![1, 0]));
    }
}
