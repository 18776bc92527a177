//! `referee show GAME`: prints a stored game move by move, or the bytes sent to a seat.

use super::args::{GameArg, ShowArgs};
use super::stored::{self, misfit};
use super::trust::tell_missing;
use arbitre_games::diagnostics;
use arbitre_games::text::HELP;
use arbitre_referee::config::Contest;
use arbitre_referee::escape::visible;
use arbitre_referee::failure::Failure;
use arbitre_referee::play::record::Record;
use arbitre_referee::play::replay::Replay;
use arbitre_referee::player::human::shows_colours;
use arbitre_referee::registry::{DynGame, Registry};
use arbitre_referee::report::ending::Ending;
use arbitre_referee::report::game::GameDocument;
use arbitre_referee::report::output::{print_exact, print_json, print_paged, print_unchanged};
use arbitre_referee::report::transcript::{self, Boards};
use arbitre_referee::store::{Archive, OpenError, Versions, View};
use rustix::termios::tcgetwinsize;
use serde::Serialize;
use std::io;
use std::process::ExitCode;
use std::time::Duration;

/// Terminal code that moves the cursor to the first line.
const CURSOR_HOME: &str = "\x1b[H";

/// Stored game with the reasons for its end.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    game: GameDocument<'a>,
    #[serde(flatten)]
    ending: Ending<'a>,
}

/// Prints a stored game.
pub fn run(args: &ShowArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let archive = stored::read(args.stored.db.as_deref(), registry)?;
    let (record, config) = find(&archive, args.game)?;
    let viewer = args.rules.viewer(&archive, &config, registry)?;
    let game = viewer.of(&record);
    if let Some(seat) = args.input {
        return input(&archive, &record, &config, seat, args.fresh, &*game);
    }
    tell_missing(&viewer, &record);
    let colour = shows_colours(&io::stdout());
    if args.play {
        let frames = transcript::frames(&record, &config, &*game, colour);
        return play(&frames.map_err(misfit(&archive))?, args.speed);
    }
    if args.json {
        let ending = Ending::of(&record, &config, &*game);
        return print_json(&Shown { game: GameDocument::new(&record, &config, true), ending });
    }
    let boards = match (args.ply, args.brief) {
        (Some(plies), _) => Boards::After(plies),
        (None, true) => Boards::None,
        (None, false) => Boards::All,
    };
    let text = transcript::text(&record, &config, &*game, boards, colour);
    // With `--ply` the number may be beyond the end; any other error means a damaged file.
    print_paged(&text.map_err(|why| match boards {
        Boards::After(_) => why.into(),
        Boards::All | Boards::None => misfit(&archive)(why),
    })?)
}

/// Shows frames one after another in the same place of the terminal.
fn play(frames: &[String], speed: u32) -> Result<ExitCode, Failure> {
    let Ok(terminal) = tcgetwinsize(io::stdout()) else {
        let why = "--play: expected a terminal on standard output, got none";
        return Err(Failure::Usage(format!("{why}{HELP}write --output FILE with referee replay")));
    };
    let height = frames.iter().map(|frame| frame.lines().count()).max().unwrap_or(0);
    if height >= terminal.ws_row.into() {
        return Err(Failure::Usage(format!(
            "--play: expected a terminal of {} lines, got {}{HELP}enlarge it, or see the game in a \
             browser with referee replay",
            height + 1,
            terminal.ws_row
        )));
    }
    for frame in frames {
        // Each line replaces the one that is there, so that nothing flickers.
        let frame = visible(frame);
        let lines: String = frame.lines().map(|line| format!("{line}\x1b[K\n")).collect();
        print_unchanged(&format!("{CURSOR_HOME}{lines}\x1b[J"))?;
        std::thread::sleep(Duration::from_secs(1) / speed);
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns a game, and the configuration of its match with all versions of the players.
///
/// # Errors
/// Returns an error if there is no such game.
pub fn find(archive: &Archive, game: GameArg) -> Result<(Record, Contest), Failure> {
    let view = archive.view(Versions::All);
    let number = match game {
        GameArg::Number(number) => number,
        // A match without games has no game 0 either, and is reported below.
        GameArg::Last => archive.numbers()?.last().copied().unwrap_or(0),
        GameArg::FirstFault => first_fault(archive, &view)?,
    };
    if let Some((record, _)) = archive.game(number, &view)? {
        return Ok((record, view.config));
    }
    let (path, numbers) = (archive.path().display(), archive.numbers()?);
    Err(Failure::Usage(match (numbers.first(), numbers.last()) {
        (Some(first), Some(last)) => {
            let here = numbers.len();
            format!(
                "{path}: expected one of its {here} games, from {first} to {last}, got {number}"
            )
        }
        _ => format!("{path}: expected a game, but none has been played"),
    }))
}

/// Returns the number of the first game with a fault.
fn first_fault(archive: &Archive, view: &View) -> Result<u64, Failure> {
    let mut first = None;
    archive.for_each_result::<Failure>(view, &mut |result| {
        first = first.or(result.number.filter(|_| !result.faults.is_empty()));
        Ok(())
    })?;
    let path = archive.path().display();
    first.ok_or_else(|| {
        Failure::Usage(format!("{path}: expected a game with a fault, but no game has one"))
    })
}

/// Prints the bytes that were sent to a seat.
fn input(
    archive: &Archive,
    record: &Record,
    config: &Contest,
    seat: usize,
    fresh: bool,
    game: &dyn DynGame,
) -> Result<ExitCode, Failure> {
    let seats = record.pairing.players.len();
    if seat >= seats {
        return Err(Failure::Usage(format!("expected a seat from 0 to {}, got {seat}", seats - 1)));
    }
    // The bytes are not stored but computed by a replay, which must reproduce the record.
    let replay = Replay::of(record, game, config, fresh).map_err(misfit(archive))?;
    if let Some(difference) = replay.difference(record) {
        let what =
            format!("game {}: played again, {difference}", record.number.unwrap_or_default());
        return Err(OpenError::Damaged(what).about(archive.path()).into());
    }
    if config.players[record.pairing.players[seat]].is_person() {
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
    print_exact(&replay.heard[seat])
}
