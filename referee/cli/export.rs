//! `referee export`: writes stored games as JSON lines, CSV or PGN.

use super::args::{ExportArgs, ExportFormat};
use super::match_file;
use crate::failure::Failure;
use crate::registry::Registry;
use crate::report::game::GameDocument;
use crate::report::output::unwritten;
use crate::report::{csv, json_line, pgn};
use crate::store::folder;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

/// Exports the games of a match.
pub fn run(args: &ExportArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let archive = match_file::open(args.stored.db.as_deref(), registry)?;
    let config = archive.config();
    let sessions = archive.sessions()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut put = |text: &str| out.write_all(text.as_bytes()).map_err(unwritten);
    if args.format == ExportFormat::Csv {
        put(&csv::header(config.seats, args.times))?;
    }
    archive.for_each::<Failure>(&mut |record, session| {
        let game = GameDocument::new(&record, config, args.times);
        put(&match args.format {
            ExportFormat::Jsonl => json_line(&game),
            ExportFormat::Csv => csv::row(&game),
            ExportFormat::Pgn => {
                // Two runs of a match have different dates, so the date needs `--times`.
                let session = sessions.get(&session).filter(|_| args.times);
                let date =
                    session.map(|session| folder::date(&session.begun.to_string(), "%Y.%m.%d"));
                pgn::game(&game, config, date.as_deref())
            }
        })
    })?;
    out.flush().map_err(unwritten).map(|()| ExitCode::SUCCESS)
}
