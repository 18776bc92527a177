//! `referee export`: writes stored games as JSON lines, CSV or PGN.

use super::args::{ExportArgs, ExportFormat};
use super::stored;
use arbitre_games::text::HELP;
use arbitre_referee::config::Contest;
use arbitre_referee::failure::Failure;
use arbitre_referee::play::pairing::GameId;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::game::GameDocument;
use arbitre_referee::report::output::{print, unwritable, unwritten, NewFile};
use arbitre_referee::report::{csv, json_line, pgn};
use arbitre_referee::store::{folder, Archive, Versions, View};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

/// Exports the games of a match.
pub fn run(args: &ExportArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    if args.csv.is_some() && args.format != ExportFormat::Csv {
        return Err(Failure::Usage(format!(
            "--csv: expected --format csv beside it, got none{HELP}add --format csv"
        )));
    }
    let archive = stored::read(args.stored.db.as_deref(), registry)?;
    let view = archive.view(if args.all_versions { Versions::All } else { Versions::Current });
    match &args.output {
        None if io::stdout().is_terminal() => {
            let mut text = Vec::new();
            write(args, &archive, &view, &mut text)?;
            return print(&String::from_utf8_lossy(&text));
        }
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            write(args, &archive, &view, &mut out)?;
            out.flush().map_err(unwritten)?;
        }
        Some(path) => {
            let failed = |error: io::Error| unwritable(path, &error);
            let mut file = NewFile::create(path).map_err(failed)?;
            write(args, &archive, &view, file.writer())?;
            file.finish().map_err(failed)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn write(
    args: &ExportArgs,
    archive: &Archive,
    view: &View,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let _moment = archive.moment()?;
    let config = &view.config;
    let sessions = archive.sessions()?;
    let mut put = |text: &str| out.write_all(text.as_bytes()).map_err(unwritten);
    let dialect = args.csv.unwrap_or_default();
    if args.format == ExportFormat::Csv {
        put(&csv::header(dialect, config.seats, args.times))?;
    }
    let mut games = archive.games(view)?;
    games.sort_by_cached_key(|(id, _)| key(id, config));
    for (_, number) in games {
        let Some((record, session)) = archive.game(number, view)? else { continue };
        let mut game = GameDocument::new(&record, config, args.times);
        game.game = None;
        put(&match args.format {
            ExportFormat::Jsonl => json_line(&game),
            ExportFormat::Csv => csv::row(dialect, &game),
            ExportFormat::Pgn => {
                // Two runs of a match have different dates, so the date needs `--times`.
                let session = sessions.get(&session).filter(|_| args.times);
                let date =
                    session.map(|session| folder::date(&session.begun.to_string(), "%Y.%m.%d"));
                pgn::game(&game, config, date.as_deref())
            }
        })?;
    }
    Ok(archive.refuse_missing()?)
}

/// Key by which exports are sorted: the round, the names of the players, and their seats.
fn key(id: &GameId, config: &Contest) -> (u64, Vec<String>, Vec<String>) {
    let by_seat: Vec<String> =
        id.players.iter().map(|&player| config.players[player].name.clone()).collect();
    let mut names = by_seat.clone();
    names.sort_unstable();
    (id.round, names, by_seat)
}
