//! `referee show GAME`: prints a stored game move by move, or the bytes sent to a seat.

use super::args::ShowArgs;
use super::match_file;
use crate::config::MatchConfig;
use crate::failure::Failure;
use crate::play::record::Record;
use crate::play::replay::Replay;
use crate::player::human::shows_colours;
use crate::registry::{Registry, Speech};
use crate::report::game::GameDocument;
use crate::report::output::{print, print_json};
use crate::report::transcript::{self, Boards};
use crate::store::{Archive, OpenError};
use arbitre_games::diagnostics;
use arbitre_games::game::ParseError;
use std::io;
use std::process::ExitCode;

/// Prints a stored game.
pub fn run(args: &ShowArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let archive = match_file::open(args.stored.db.as_deref(), registry)?;
    let record = find(&archive, args.game)?;
    if let Some(seat) = args.input {
        return input(&archive, &record, seat, args.fresh, registry);
    }
    if args.json {
        return print_json(&GameDocument::new(&record, archive.config(), true));
    }
    let boards = match (args.ply, args.brief) {
        (Some(plies), _) => Boards::After(plies),
        (None, true) => Boards::None,
        (None, false) => Boards::All,
    };
    let text = transcript_of(&record, archive.config(), boards, registry);
    // With `--ply` the number may be beyond the end; any other error means a damaged file.
    print(&text.map_err(|why| match boards {
        Boards::After(_) => why.into(),
        Boards::All | Boards::None => misfit(&archive)(why),
    })?)
}

/// Returns a game as text for people.
///
/// # Errors
/// Returns an error if the game breaks the rules, or has fewer moves than `boards` asks for.
pub fn transcript_of(
    record: &Record,
    config: &MatchConfig,
    boards: Boards,
    registry: &Registry,
) -> Result<String, ParseError> {
    let game = config.open_game(registry)?;
    transcript::text(record, config, &*game, boards, shows_colours(&io::stdout()))
}

/// Returns the game with this number.
///
/// # Errors
/// Returns an error if the match has no such game, or it has not been played.
pub fn find(archive: &Archive, number: u64) -> Result<Record, Failure> {
    if let Some(record) = archive.game(number)? {
        return Ok(record);
    }
    let (games, here) = (archive.config().schedule().games(), archive.count()?);
    let path = archive.path().display();
    Err(Failure::Usage(match number < games {
        true => format!("{path}: expected one of the {here} games played of {games}, got {number}"),
        false => format!("{path}: expected a game from 0 to {}, got {number}", games - 1),
    }))
}

/// Returns the failure for games that break the rules although the checksums are correct.
fn misfit(archive: &Archive) -> impl Fn(ParseError) -> Failure + '_ {
    |why| OpenError::Damaged(why.to_string()).about(archive.path()).into()
}

/// Prints the bytes that were sent to a seat.
fn input(
    archive: &Archive,
    record: &Record,
    seat: usize,
    fresh: bool,
    registry: &Registry,
) -> Result<ExitCode, Failure> {
    let seats = record.pairing.players.len();
    if seat >= seats {
        return Err(Failure::Usage(format!("expected a seat from 0 to {}, got {seat}", seats - 1)));
    }
    let config = archive.config();
    let game = config.open_game(registry).map_err(misfit(archive))?;
    // The bytes are not stored but computed by a replay, which must reproduce the record.
    let replay = Replay::of(record, &*game, config, fresh).map_err(misfit(archive))?;
    if let Some(difference) = replay.difference(record) {
        let what = format!("game {}: played again, {difference}", record.pairing.index);
        return Err(OpenError::Damaged(what).about(archive.path()).into());
    }
    if config.players[record.pairing.players[seat]].dialect == Speech::PERSON {
        diagnostics::print(
            "note: this is what a person saw, without colours and without what was asked twice\n",
        );
    }
    let kept =
        record.played.start_reports[seat].as_ref().is_some_and(|start_report| start_report.kept);
    if kept && !fresh {
        diagnostics::print(
            "note: this program was kept from an earlier game; --fresh prints what one that is \
             just started would be sent\n",
        );
    }
    print(&replay.heard[seat])
}
