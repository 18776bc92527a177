//! `referee drop`: removes games, a player or an earlier version from a match.

use super::args::DropArgs;
use super::play::content;
use super::stored::StoredCommand;
use arbitre_games::game::ParseError;
use arbitre_games::text::{unknown, HELP};
use arbitre_referee::config::format::FormatKind;
use arbitre_referee::escape::escape;
use arbitre_referee::failure::Failure;
use arbitre_referee::formats::StoredStage;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::output::{print_either, tell};
use arbitre_referee::store::{Address, Archive, Versions};
use serde_json::json;
use std::collections::BTreeSet;
use std::process::ExitCode;

/// Meaning of an argument.
enum Target {
    /// Numbers of games.
    Games(BTreeSet<u64>),
    /// Name of a player or of an earlier version.
    Player(String),
}

/// Removes what the arguments name. Nothing is removed if one of them is wrong.
pub fn run(args: &DropArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let mut writer = Address::of(args.stored.db.as_deref()).write(registry)?;
    let path = writer.archive().path().to_owned();
    let archive = writer.archive();
    let targets: Vec<Target> =
        args.what.iter().map(|text| target(text, archive)).collect::<Result<_, Failure>>()?;
    for target in &targets {
        match target {
            Target::Games(games) => {
                StoredCommand::DropGames.check(archive)?;
                refuse_early_games(games, archive)?;
            }
            Target::Player(_) => StoredCommand::DropPlayer.check(archive)?,
        }
    }
    refuse_too_few_players(&targets, archive)?;
    refuse_hero(&targets, archive)?;
    tell(&format!("{}\n", content(archive)?), args.json)?;
    let (mut numbers, mut players) = (BTreeSet::new(), BTreeSet::new());
    for target in targets {
        match target {
            Target::Games(games) => numbers.extend(games),
            Target::Player(name) => {
                numbers.extend(archive.numbers_of(&name)?);
                players.insert(name);
            }
        }
    }
    let numbers: Vec<u64> = numbers.into_iter().collect();
    let games = writer.remove(&numbers)?;
    players.iter().try_for_each(|name| writer.remove_player(name))?;
    let left = writer.archive().count()?;
    let db = path.display().to_string();
    let document = json!({
        "db": db, "games": games, "numbers": numbers, "players": players, "left": left
    });
    let s = if games == 1 { "" } else { "s" };
    let who: String = players.iter().map(|name| format!(" and {name}")).collect();
    let text = format!("removed {games} game{s}{who} from {db}; {left} are left\n");
    print_either(&document, &text, args.json)
}

/// Returns what a text names: numbers of stored games, or a player.
fn target(text: &str, archive: &Archive) -> Result<Target, Failure> {
    let names = archive.view(Versions::All).config;
    let names = names.names();
    if names.contains(&text) {
        return Ok(Target::Player(text.to_owned()));
    }
    let Some((first, last)) = range(text) else {
        let error: ParseError = unknown("game or player", text, names);
        return Err(Failure::Usage(format!("{}: {error}", archive.path().display())));
    };
    let games: BTreeSet<u64> = archive.numbers()?.into_iter().collect();
    let found: BTreeSet<u64> = games.range(first..=last).copied().collect();
    if found.is_empty() {
        let path = archive.path().display();
        return Err(Failure::Usage(format!(
            "{path}: expected numbers of stored games, got {text}{HELP}write referee list --games --db {path}"
        )));
    }
    Ok(Target::Games(found))
}

/// Refuses games that later stages were paired by.
fn refuse_early_games(numbers: &BTreeSet<u64>, archive: &Archive) -> Result<(), Failure> {
    if !archive.config().counts_all_versions() {
        return Ok(());
    }
    let stages: Vec<StoredStage> = archive.stages()?;
    let Some(first) = stages.last().map(StoredStage::first_round) else { return Ok(()) };
    let view = archive.view(Versions::All);
    for &number in numbers {
        let game = archive.game(number, &view)?;
        if game.is_some_and(|(record, _)| record.pairing.round < first) {
            let path = archive.path().display();
            return Err(Failure::Usage(format!(
                "{path}: expected games of its last stage, got game {number}, by which later stages \
                 were paired{HELP}write referee list --games --db {path}"
            )));
        }
    }
    Ok(())
}

/// Parses a number or a range of numbers.
fn range(text: &str) -> Option<(u64, u64)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some((first, last))
}

/// Refuses the first player of a gauntlet, in whose place its first opponent would come, and the
/// fixed bots of a graded tournament.
fn refuse_hero(targets: &[Target], archive: &Archive) -> Result<(), Failure> {
    let config = archive.config();
    let hero = config.players.first().filter(|_| config.format.kind() == FormatKind::Gauntlet);
    let bots = config.format.fixed_bots().iter().map(|bot| &bot.name);
    let mut met_by_all = hero.map(|player| &player.name).into_iter().chain(bots);
    let Some(hero) = met_by_all.find(|name| names(targets, name)) else { return Ok(()) };
    let (path, hero) = (archive.path().display(), escape(hero));
    Err(Failure::Usage(format!(
        "{path}: expected another player, got {hero}, whom all others meet{HELP}name games \
         instead, or begin another tournament by --db NEW"
    )))
}

/// Returns `true` if one of the targets is the player of this name.
fn names(targets: &[Target], name: &str) -> bool {
    targets.iter().any(|target| matches!(target, Target::Player(dropped) if dropped == name))
}

fn refuse_too_few_players(targets: &[Target], archive: &Archive) -> Result<(), Failure> {
    let config = archive.config();
    let left = config.names().into_iter().filter(|name| !names(targets, name)).count();
    if left >= config.seats && (config.sprt.is_none() || left == config.players.len()) {
        return Ok(());
    }
    let path = archive.path().display();
    Err(Failure::Usage(format!(
        "{path}: expected at least {} players to be left, got {left}{HELP}name games instead",
        if config.sprt.is_some() { 2 } else { config.seats }
    )))
}
