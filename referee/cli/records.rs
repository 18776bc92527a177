//! Commands that read what was stored: `list`, `show`, `export`, `verify`.

use super::args::{Export, Format, List, Show, Verify};
use super::failure::Failure;
use super::match_file;
use super::output::{colours, print, print_json, unwritten};
use crate::config::Charter;
use crate::play::record::Record;
use crate::play::replay::Replay;
use crate::registry::Speech;
use crate::report::game::GameDocument;
use crate::report::list;
use crate::report::transcript::{self, Boards};
use crate::report::{csv, json_line, pgn};
use crate::statistics::tally::Tally;
use crate::store::verify;
use crate::store::{folder, Archive, Session, StoreError, Why};
use arbitre_games::game::ParseError;
use serde_json::json;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Lists matches, or the games of one.
pub fn list(args: &List) -> Result<ExitCode, Failure> {
    if args.db.is_some() || args.games || args.faults {
        return games(args);
    }
    let read = |path: &PathBuf| Archive::open(path).and_then(|archive| summarised(&archive));
    let mut matches = Vec::new();
    for path in &args.files {
        matches.push(read(path)?);
    }
    // One bad file of many must not hide the others.
    let found = if args.files.is_empty() { folder::all()? } else { Vec::new() };
    for path in found {
        match read(&path) {
            Ok(found) => matches.push(found),
            Err(error) => eprintln!("warning: {error}"),
        }
    }
    if args.json {
        matches.iter().try_for_each(|found| print_json(found).map(drop))?;
    } else if matches.is_empty() {
        eprintln!("no matches are stored below {} here", folder::FOLDER);
    } else {
        print(&list::matches(&matches))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn summarised(archive: &Archive) -> Result<list::Match, StoreError> {
    let charter = archive.charter();
    let mut tally = Tally::new(charter.players.len(), charter.schedule().groups().len());
    archive.for_each::<StoreError>(|record, _| {
        tally.add(&record);
        Ok(())
    })?;
    let sessions: Vec<Session> = archive.sessions()?.into_values().collect();
    Ok(list::Match::new(archive.path(), charter, &tally, &sessions))
}

fn games(args: &List) -> Result<ExitCode, Failure> {
    let archive = match_file::open(args.db.as_deref())?;
    let charter = archive.charter();
    let mut rows = list::Games::new(charter.seats);
    archive.for_each::<Failure>(|record, _| {
        if args.faults && record.played.faults.is_empty() {
            return Ok(());
        }
        if args.json {
            return print_json(&GameDocument::new(&record, charter, true)).map(drop);
        }
        rows.add(&record, charter);
        Ok(())
    })?;
    if args.json {
        Ok(ExitCode::SUCCESS)
    } else {
        print(&rows.text())
    }
}

/// Shows a game.
pub fn show(args: &Show) -> Result<ExitCode, Failure> {
    let archive = match_file::open(args.stored.db.as_deref())?;
    let record = find(&archive, args.game)?;
    if let Some(seat) = args.input {
        return input(&archive, &record, seat, args.fresh);
    }
    if args.json {
        return print_json(&GameDocument::new(&record, archive.charter(), true));
    }
    let boards = match (args.ply, args.brief) {
        (Some(plies), _) => Boards::After(plies),
        (None, true) => Boards::None,
        (None, false) => Boards::All,
    };
    let text = transcript_of(&record, archive.charter(), boards);
    print(&text.map_err(|why| match boards {
        Boards::After(_) => Failure::usage(why),
        Boards::All | Boards::None => misfit(&archive)(why),
    })?)
}

/// A game as a person reads it.
///
/// # Errors
/// If it does not follow from the rules, or is shorter than the position that was asked for.
pub fn transcript_of(
    record: &Record,
    charter: &Charter,
    boards: Boards,
) -> Result<String, ParseError> {
    let game = charter.open_game()?;
    transcript::text(record, charter, &*game, boards, colours(&io::stdout()))
}

/// The game of this number.
///
/// # Errors
/// If the match has no such game, or it has not been played.
pub fn find(archive: &Archive, number: u64) -> Result<Record, Failure> {
    if let Some(record) = archive.game(number)? {
        return Ok(record);
    }
    let (games, here) = (archive.charter().schedule().games(), archive.count()?);
    let path = archive.path().display();
    Err(Failure::Usage(match number < games {
        true => format!("{path} has {here} of {games} games, and game {number} is not among them"),
        false => format!("{path} has games 0 to {}, so no game {number}", games - 1),
    }))
}

/// What does not follow from the rules in a file whose checksums fit.
fn misfit(archive: &Archive) -> impl Fn(ParseError) -> Failure + '_ {
    |why| Why::Damaged(why.to_string()).about(archive.path()).into()
}

/// What a seat was sent, byte by byte.
fn input(
    archive: &Archive,
    record: &Record,
    seat: usize,
    fresh: bool,
) -> Result<ExitCode, Failure> {
    let seats = record.fixture.players.len();
    if seat >= seats {
        return Err(Failure::Usage(format!("the game has seats 0 to {}, not {seat}", seats - 1)));
    }
    let charter = archive.charter();
    let game = charter.open_game().map_err(misfit(archive))?;
    let replay = Replay::of(record, &*game, charter, fresh).map_err(misfit(archive))?;
    if let Some(difference) = replay.difference(record) {
        let what = format!("game {}: played again, {difference}", record.fixture.index);
        return Err(Why::Damaged(what).about(archive.path()).into());
    }
    if charter.players[record.fixture.players[seat]].dialect == Speech::PERSON {
        eprintln!(
            "note: this is what a person saw, without colours and without what was asked twice"
        );
    }
    let kept = record.played.entrances[seat].as_ref().is_some_and(|entrance| entrance.kept);
    if kept && !fresh {
        eprintln!(
            "note: this program was kept from an earlier game; --fresh prints what one that is \
             just started would be sent"
        );
    }
    print(&replay.heard[seat])
}

/// Exports games.
pub fn export(args: &Export) -> Result<ExitCode, Failure> {
    let archive = match_file::open(args.stored.db.as_deref())?;
    let charter = archive.charter();
    let sessions = archive.sessions()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut put = |text: &str| out.write_all(text.as_bytes()).map_err(unwritten);
    if args.format == Format::Csv {
        put(&csv::header(charter.seats, args.times))?;
    }
    archive.for_each::<Failure>(|record, session| {
        let game = GameDocument::new(&record, charter, args.times);
        put(&match args.format {
            Format::Jsonl => json_line(&game),
            Format::Csv => csv::row(&game),
            Format::Pgn => {
                let session = sessions.get(&session).filter(|_| args.times);
                let date =
                    session.map(|session| folder::date(&session.begun.to_string(), "%Y.%m.%d"));
                pgn::game(&game, charter, date.as_deref())
            }
        })
    })?;
    out.flush().map_err(unwritten).map(|()| ExitCode::SUCCESS)
}

/// Checks a file.
pub fn verify(args: &Verify) -> Result<ExitCode, Failure> {
    let path = match_file::path_of(args.stored.db.as_deref())?;
    let found = verify::verify(&path)?;
    let (games, problems) = (found.games, &found.problems);
    if args.json {
        print_json(
            &json!({ "db": path.display().to_string(), "games": games, "problems": problems }),
        )?;
    } else {
        let lines = problems.iter().map(|problem| format!("{problem}\n"));
        print(&lines.collect::<String>())?;
    }
    let (path, looked_at) = (path.display(), counted(games, "game"));
    if !problems.is_empty() {
        let count = counted(problems.len() as u64, "problem");
        return Err(Failure::Condition(format!("{path}: {count} in {looked_at}")));
    }
    if !args.json {
        print(&format!("{path}: {looked_at}, all as they were played\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// `1 game`, `2 games`.
fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
