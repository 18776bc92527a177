//! `referee merge`: joins the files of one match to one.

use super::args::MergeArgs;
use super::stored::warn_of_log;
use arbitre_games::diagnostics;
use arbitre_games::text::join;
use arbitre_referee::config::shard::Shard;
use arbitre_referee::config::Source;
use arbitre_referee::failure::Failure;
use arbitre_referee::formats::stages::Stages;
use arbitre_referee::play::pairing::GameId;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::output::{print, print_json};
use arbitre_referee::report::results::{summarise, Summarised};
use arbitre_referee::report::standings::Standings;
use arbitre_referee::report::summary::Summary;
use arbitre_referee::report::{counted, standings, table};
use arbitre_referee::run::descriptors::make_room_for_descriptors;
use arbitre_referee::store::merge::{self, Merged};
use arbitre_referee::store::{folder, Archive, StoreError, Versions};
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;

/// Document that `--json` prints.
#[derive(Serialize)]
struct MergeDocument<'a> {
    /// Path of the merged file.
    db: String,
    files: usize,
    /// Number of games in the merged file.
    games: u64,
    /// Number of games that the match has and the file has not.
    missing: u64,
    /// Number of games that were in several files with the same result.
    repeated: u64,
    /// Number of games of which another result was kept.
    replaced: u64,
    /// Shards of which there was no file.
    missing_shards: &'a [u64],
    incomplete: &'a [Incomplete],
    /// Results, as the match or the tournament itself prints them.
    results: MergedResults<'a>,
}

/// Results of a merged file.
#[derive(Serialize)]
#[serde(untagged)]
enum MergedResults<'a> {
    Match(&'a Summary),
    Tournament(Standings<'a>),
}

/// File that lacks games of its own shard.
#[derive(Serialize)]
struct Incomplete {
    db: String,
    games: u64,
    expected: u64,
}

/// Merges files and prints what they have together.
pub fn run(args: &MergeArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    if args.output == Path::new(folder::IN_MEMORY) {
        return Err(Failure::Usage("--output: expected a file, got :memory:".into()));
    }
    make_room_for_descriptors(args.files.len());
    let archives = args.files.iter().map(|file| merge::open(file, registry));
    let archives = archives.collect::<Result<Vec<_>, StoreError>>()?;
    archives.iter().for_each(warn_of_log);
    let merged = merge::merge(&archives, &args.output, args.prefer)?;
    for path in &merged.growing {
        let path = path.display();
        diagnostics::print(format_args!(
            "note: {path} is still written; its games so far were taken\n"
        ));
    }
    let missing_shards = missing_shards(&archives);
    let archive = Archive::open(&args.output, registry)?;
    let view = archive.view(Versions::Current);
    let Summarised { summary, tally, .. } = summarise(&archive, &view, &mut |_, _| {})?;
    let players = summary.players.iter().enumerate();
    let absent = players.filter(|(_, player)| player.not_started.is_some() && player.games == 0);
    let absent: Vec<usize> = absent.map(|(number, _)| number).collect();
    let expected = expected_games(&archive, &absent)?;
    let incomplete = archives.iter().map(|of| incomplete(of, &absent));
    let incomplete = incomplete.collect::<Result<Vec<Option<Incomplete>>, Failure>>()?;
    let incomplete: Vec<Incomplete> = incomplete.into_iter().flatten().collect();
    // A player that left has games that will not be played.
    let expected = if summary.complete { summary.games } else { expected };
    let missing = expected.saturating_sub(summary.games);
    if args.json {
        let results = match view.config.source {
            Source::Tournament(_) => {
                MergedResults::Tournament(standings::document(&summary, &view.config))
            }
            Source::Words | Source::Room(_) => MergedResults::Match(&summary),
        };
        print_json(&MergeDocument {
            db: args.output.display().to_string(),
            files: args.files.len(),
            games: merged.games,
            missing,
            repeated: merged.repeated,
            replaced: merged.replaced,
            missing_shards: &missing_shards,
            incomplete: &incomplete,
            results,
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = described(&merged, args.files.len(), &summary, expected);
    if !missing_shards.is_empty() {
        text += &format!("no file has shard {}\n", join(&missing_shards, ", "));
    }
    for Incomplete { db, games, expected } in &incomplete {
        text += &format!("{db}: {games} of {expected} games\n");
    }
    text += &table::text(&summary, &tally);
    print(&(text + &format!("kept in {}\n", args.output.display())))
}

/// Describes the merged games.
fn described(merged: &Merged, files: usize, summary: &Summary, expected: u64) -> String {
    let Merged { games, repeated, replaced, .. } = merged;
    let files = counted(files as u64, "file");
    let mut text = format!("{files}: {} of {expected} games\n", summary.games);
    let earlier = games.saturating_sub(summary.games);
    if earlier > 0 {
        text += &format!("{} of earlier versions or withdrawn players\n", counted(earlier, "game"));
    }
    if *repeated > 0 {
        text += &format!("{} in several files, with the same result\n", counted(*repeated, "game"));
    }
    if *replaced > 0 {
        text += &format!("{} left out for another result\n", counted(*replaced, "game"));
    }
    text
}

/// Returns the shards that none of the files has, if all name the same number of shards.
fn missing_shards(archives: &[Archive]) -> Vec<u64> {
    let shards: Vec<Shard> = archives.iter().filter_map(|of| of.config().shard).collect();
    let Some(first) = shards.first().filter(|_| shards.len() == archives.len()) else {
        return Vec::new();
    };
    if shards.iter().any(|shard| shard.count() != first.count()) {
        return Vec::new();
    }
    let is_there = |number: &u64| shards.iter().any(|shard| shard.number() == *number);
    (1..=first.count()).filter(|number| !is_there(number)).collect()
}

/// Returns how many games of its shard a file has, if it lacks any that have all of their players.
fn incomplete(archive: &Archive, absent: &[usize]) -> Result<Option<Incomplete>, Failure> {
    if archive.config().shard.is_none() {
        return Ok(None);
    }
    let (games, expected) = (archive.count()?, expected_games(archive, absent)?);
    let db = archive.path().display().to_string();
    Ok((games < expected).then_some(Incomplete { db, games, expected }))
}

/// Returns the number of games of a match or of its shard without the players `absent`, which have
/// no game.
fn expected_games(archive: &Archive, absent: &[usize]) -> Result<u64, Failure> {
    let stages = Stages::of(archive.config(), archive.stages()?)?;
    let planned = stages.planned();
    if absent.is_empty() {
        return Ok(planned.own_games());
    }
    let is_there = |id: &GameId| !id.players.iter().any(|player| absent.contains(player));
    Ok(planned.ids().filter(is_there).count() as u64)
}
