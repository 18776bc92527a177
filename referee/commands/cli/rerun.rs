//! `referee rerun GAME`: plays a stored game again, with its own players or with replacements.

use super::args::RerunArgs;
use super::listen::play_one;
use super::play::warn_of_sandbox;
use super::show::find;
use super::stored::{self, misfit};
use super::trust::{check, programs_of, tell};
use arbitre_games::diagnostics;
use arbitre_referee::config::format::FormatConfig;
use arbitre_referee::config::from_args::{player_config, unique};
use arbitre_referee::config::player_arg::{CommandKind, PlayerArg};
use arbitre_referee::config::player_options::PlayerOptions;
use arbitre_referee::config::{Contest, PlayerConfig, ResolvedContest, Source};
use arbitre_referee::escape::escape;
use arbitre_referee::failure::Failure;
use arbitre_referee::play::pairing::Pairing;
use arbitre_referee::play::record::Record;
use arbitre_referee::player::human::shows_colours;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::game::GameDocument;
use arbitre_referee::report::output::{print_coloured, print_json};
use arbitre_referee::report::transcript::{self, Boards};
use arbitre_referee::run::plan::{start_failure, Plan};
use arbitre_referee::run::sandboxes::SandboxPolicy;
use arbitre_referee::submissions::hold;
use serde::Serialize;
use std::io;
use std::process::ExitCode;

/// A game that was played again, with its first difference from the stored game.
#[derive(Serialize)]
struct Again<'a> {
    #[serde(flatten)]
    game: GameDocument<'a>,
    /// First ply at which the two games differ, counted from 0; `None` if they are the same.
    differs_at: Option<usize>,
}

/// Plays a stored game again and prints it with the comparison.
pub fn run(args: &RerunArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let archive = stored::read(args.stored.db.as_deref(), registry)?;
    let (before, stored) = find(&archive, args.game)?;
    let config = at_this_table(&stored, &before, &args.replace, registry)?;
    let plays = |player: &PlayerConfig| {
        let seats = before.pairing.players.iter().enumerate();
        let mut kept =
            seats.filter(|(seat, _)| !args.replace.iter().any(|(replaced, _)| replaced == seat));
        kept.any(|(_, &number)| stored.players[number].name == player.name)
    };
    let programs = programs_of(&stored, plays, registry);
    check(&programs, &args.sandbox, &archive)?;
    tell(&programs, &archive);
    let mut resolved = ResolvedContest::of_stored(config, registry).map_err(misfit(&archive))?;
    for (player, kind) in resolved.config.players.iter_mut().zip(&resolved.commands) {
        if matches!(kind, CommandKind::External(_)) {
            player.sandbox = args.sandbox.on(player.sandbox.clone())?;
        }
    }
    let required = args.requirement.require_sandbox;
    let policy = SandboxPolicy::new(registry.executable, required, Some(archive.path()));
    let _held = hold(&resolved.config.players);
    let mut plan = Plan::new(resolved, None, registry, Some(1), &policy)?;
    plan.apply_sandboxes(&policy);
    warn_of_sandbox(plan.sandboxes.as_ref(), &plan.players);
    warn_of_changes(&stored, &before, &plan.config, &args.replace);
    let players = (0..plan.players.len()).collect();
    let now = play_one(&plan, true, Pairing { players, ..before.pairing.clone() })?;
    let differs_at = difference(&before, &now);
    if args.json {
        let game = GameDocument::new(&now, &plan.config, true);
        print_json(&Again { game, differs_at })?;
    } else {
        let boards = if args.brief { Boards::None } else { Boards::All };
        let colour = shows_colours(&io::stdout());
        let text = transcript::text(&now, &plan.config, &*plan.game, boards, colour)?;
        print_coloured(&(text + &verdict(&before, &now, differs_at)))?;
    }
    start_failure(&plan.players).map_or(Ok(ExitCode::SUCCESS), Err)
}

/// Warns of players whose program has changed since the game. A replacement is another program on
/// purpose.
fn warn_of_changes(
    stored: &Contest,
    record: &Record,
    now: &Contest,
    replacements: &[(usize, String)],
) {
    for (seat, &player) in record.pairing.players.iter().enumerate() {
        let is_replaced = replacements.iter().any(|(replaced, _)| *replaced == seat);
        let name = &stored.players[player].name;
        if !is_replaced && stored.players[player].version != now.players[seat].version {
            diagnostics::print(format_args!(
                "warning: the program of {name} has changed since this game\n"
            ));
        }
    }
}

/// Returns a configuration for this one game: its players by seat, some of them replaced.
fn at_this_table(
    config: &Contest,
    record: &Record,
    replacements: &[(usize, String)],
    registry: &Registry,
) -> Result<Contest, Failure> {
    let seated = record.pairing.players.iter().map(|&player| config.players[player].clone());
    let mut players: Vec<PlayerConfig> = seated.collect();
    for (seat, words) in replacements {
        let seats = players.len();
        let missing =
            || Failure::Usage(format!("expected a seat from 0 to {}, got {seat}", seats - 1));
        let old = players.get(*seat).ok_or_else(missing)?;
        let mut new = replacement(old, &config.game, words, registry)?;
        // Players need distinct names, and the replacement may have the name of another seat.
        let others = players.iter().enumerate().filter(|(other, _)| other != seat);
        let mut taken = others.map(|(_, player)| player.name.clone()).collect();
        new.name = unique(&new.name, &mut taken);
        players[*seat] = new;
    }
    let (format, source) = (FormatConfig::RoundRobin, Source::Words);
    Ok(Contest { players, format, source, shard: None, ..config.clone() })
}

/// Returns the player that takes a seat. It has the limits and the dialect of `old`, unless `words`
/// set others. A hole in the sandbox of `old` is none in its own.
fn replacement(
    old: &PlayerConfig,
    game: &str,
    words: &str,
    registry: &Registry,
) -> Result<PlayerConfig, Failure> {
    let arg = PlayerArg::parse(words, registry)?;
    if let CommandKind::Bundled(bot, _) = &arg.kind {
        if bot != game {
            return Err(Failure::Usage(format!("{bot} does not play {game}")));
        }
    }
    let name = arg.name.clone();
    let new = player_config(&arg, &old.dialect, &PlayerOptions::default(), name, registry)?;
    let own = PlayerOptions::parse_words(&arg.options)?;
    let limits = own.limits.on(old.limits.clone())?;
    Ok(PlayerConfig { limits, ..new })
}

/// Returns the first ply at which two games differ, counted from 0.
fn difference(before: &Record, now: &Record) -> Option<usize> {
    let moves =
        |of: &Record| -> Vec<String> { of.played.plies.iter().map(|ply| ply.mv.clone()).collect() };
    let (before_moves, now_moves) = (moves(before), moves(now));
    let alike = before_moves.iter().zip(&now_moves).take_while(|(a, b)| a == b).count();
    // Equal moves can still end differently, for example by a fault after the last move.
    let is_same = before_moves == now_moves && before.played.outcome == now.played.outcome;
    (!is_same).then_some(alike)
}

fn verdict(before: &Record, now: &Record, differs_at: Option<usize>) -> String {
    let Some(ply) = differs_at else { return "the same game as before, move for move\n".into() };
    let at = |of: &Record| match of.played.plies.get(ply) {
        Some(played) => format!("'{}'", escape(&played.mv)),
        None => match of.played.faults.first() {
            Some(story) => story.fault.word().into(),
            None => "the end".into(),
        },
    };
    format!("another game than before from move {}: {}, not {}\n", ply + 1, at(now), at(before))
}
