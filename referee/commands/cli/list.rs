//! `referee list`: lists the stored matches, or the games of one match.

use super::args::ListArgs;
use super::game_filter::GameFilter;
use super::stored::{self, warn_of_log};
use arbitre_games::diagnostics;
use arbitre_referee::config::Source;
use arbitre_referee::failure::Failure;
use arbitre_referee::play::record::Details;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::game::GameDocument;
use arbitre_referee::report::list;
use arbitre_referee::report::output::{print, print_json};
use arbitre_referee::report::results::{summarise, Summarised};
use arbitre_referee::run::collector::tally_of;
use arbitre_referee::statistics::tally::Tally;
use arbitre_referee::store::{folder, Archive, StoreError, Versions};
use std::path::PathBuf;
use std::process::ExitCode;

/// Lists matches, or the games of one match.
pub fn run(args: &ListArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    if args.games || args.faults || args.filter.is_given() {
        return games(args, registry);
    }
    let read = |path: &PathBuf| -> Result<list::ListedMatch, Failure> {
        let archive = Archive::open(path, registry)?;
        warn_of_log(&archive);
        summarised(&archive)
    };
    let mut matches = Vec::new();
    for path in &args.db {
        matches.push(read(path)?);
    }
    // When a whole folder is listed, one unreadable file must not hide the other matches.
    let found = if args.db.is_empty() { folder::all()? } else { Vec::new() };
    for path in found {
        match read(&path) {
            Ok(found) => matches.push(found),
            Err(error) => diagnostics::print(format_args!("warning: {error}\n")),
        }
    }
    if args.json {
        matches.iter().try_for_each(|found| print_json(found).map(drop))?;
    } else if matches.is_empty() {
        diagnostics::print(format_args!("no matches are stored below {} here\n", folder::FOLDER));
    } else {
        print(&list::matches(&matches))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn summarised(archive: &Archive) -> Result<list::ListedMatch, Failure> {
    let (config, view) = (archive.config(), archive.view(Versions::Current));
    let (tally, asked) = match config.source {
        Source::Words if config.sprt.is_some() => {
            archive.refuse_missing()?;
            (tally_of(archive, &view)?, config.schedule().own_games())
        }
        Source::Words | Source::Room(_) => {
            let mut tally = Tally::of_stored(config.clocks());
            archive.for_each_result::<StoreError>(&view, &mut |result| {
                tally.add(&result, &Details::default());
                Ok(())
            })?;
            archive.refuse_missing()?;
            let asked = config.schedule().own_games().max(tally.games);
            (tally, asked)
        }
        Source::Tournament(_) => {
            let Summarised { tally, asked, .. } = summarise(archive, &view, &mut |_, _| {})?;
            (tally, asked)
        }
    };
    let (all, sessions) = (archive.view(Versions::All).config, archive.sessions()?);
    let first = sessions.first_key_value().map(|(_, first)| first);
    Ok(list::ListedMatch::new(archive.path(), config, &all, (&tally, asked), first))
}

fn games(args: &ListArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    if let [_, second, ..] = &args.db[..] {
        let second = second.display();
        return Err(Failure::Usage(format!("expected one --db beside --games, got also {second}")));
    }
    let archive = stored::read(args.db.first().map(PathBuf::as_path), registry)?;
    let view = archive.view(if args.all_versions { Versions::All } else { Versions::Current });
    let config = &view.config;
    let meta = config.meta(registry)?;
    let filter = GameFilter::new(&args.filter, args.faults, config, &meta)?;
    let mut rows = list::GameList::new(config.seats);
    archive.for_each::<Failure>(&view, &mut |record, _| {
        if !filter.selects(&record) {
            return Ok(());
        }
        if args.json {
            return print_json(&GameDocument::new(&record, config, true)).map(drop);
        }
        rows.add(&record, config);
        Ok(())
    })?;
    if args.json {
        Ok(ExitCode::SUCCESS)
    } else {
        print(&rows.text())
    }
}
