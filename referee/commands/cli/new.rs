//! `referee new LANGUAGE --game G DIR`: writes a bot to begin with.

use super::args::{NewArgs, NewGameArgs};
use arbitre_games::dialects::arbitre;
use arbitre_games::rng::Rng;
use arbitre_games::text::{alternatives, unknown, word_of, HELP};
use arbitre_referee::config::arena::Arena;
use arbitre_referee::config::args::DIALECT;
use arbitre_referee::failure::{about, Failure};
use arbitre_referee::registry::table::RulesError;
use arbitre_referee::registry::{DynGame, GameInfo, Registry, Speech};
use arbitre_referee::report::output::print;
use arbitre_referee::templates::{in_folder, BotTemplate, BOT_TEMPLATES, BUILD, GAME_TEMPLATES};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::ExitCode;

/// Maximum length of the name that a bot gets from its folder, in bytes. Not tuned.
const NAME: usize = 32;

/// Writes a bot and prints the next commands to type.
pub fn run(args: &NewArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let starter = find(&args.language)?;
    let info = registry.game(&args.game)?;
    if let Some(dialect) = args.dialect.as_deref().filter(|dialect| *dialect != DIALECT) {
        return write_for_arena(args, starter, info, dialect, registry);
    }
    let game = info.open("")?;
    if !lists_moves(&*game)? {
        let name = info.meta.name;
        let message = format!("expected a game that lists its legal moves, got {name}");
        return Err(Failure::Usage(message));
    }
    let files = starter.files(info, &own_name(&args.folder, starter));
    write_all(&args.folder, &files)?;
    print(&next(starter, info, None, &args.folder, &files, registry))
}

/// Writes a bot that speaks the dialect of an arena.
fn write_for_arena(
    args: &NewArgs,
    starter: &BotTemplate,
    info: &GameInfo,
    dialect: &str,
    registry: &Registry,
) -> Result<ExitCode, Failure> {
    let starters = || {
        let all =
            info.arenas.iter().flat_map(|arena| arena.starters.iter().map(move |of| (arena, of)));
        all.filter(|(_, (language, _))| *language == starter.language)
    };
    let Some((_, (_, text))) = starters().find(|(arena, _)| arena.dialect == dialect) else {
        let known = std::iter::once(DIALECT).chain(starters().map(|(arena, _)| arena.dialect));
        Err(unknown("dialect of a starter", dialect, known))?
    };
    let bot = starter.for_arena(text);
    let files = bot.files(info, "");
    write_all(&args.folder, &files)?;
    print(&next(&bot, info, Some(dialect), &args.folder, &files, registry))
}

/// Writes games whose rules run in a process of their own, and prints the next commands.
pub fn run_game(args: &NewGameArgs) -> Result<ExitCode, Failure> {
    let arena = args.arena.map(|arena| word_of(arena, &Arena::WORDS));
    let of_arena = || GAME_TEMPLATES.iter().filter(|template| template.arena == arena);
    if of_arena().next().is_none() {
        let known: Vec<&str> =
            GAME_TEMPLATES.iter().filter_map(|template| template.arena).collect();
        let (known, got) = (alternatives(&known), arena.unwrap_or_default());
        return Err(Failure::Usage(format!("--arena: expected {known}, got {got}")));
    }
    let languages = || of_arena().map(|template| template.language);
    let found = of_arena().find(|template| template.language == args.language);
    let found = found.ok_or_else(|| unknown("language", &args.language, languages()))?;
    let files: Vec<(&str, String)> =
        found.files.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
    write_all(&args.folder, &files)?;
    let mut text = format!("{}; next:\n", written(&args.folder, &files));
    if files.iter().any(|(name, _)| *name == BUILD) {
        text += &build(&args.folder);
    }
    let folder = args.folder.to_string_lossy();
    let bot = in_folder(found.bot, &folder);
    let bot = shell_words::quote(&bot);
    let arena = arena.map_or_else(String::new, |name| format!(" --arena {name}"));
    for &(command, players) in found.commands {
        let command = in_folder(command, &folder);
        let game = shell_words::quote(&command);
        let bots = vec![&*bot; players].join(" ");
        text += &format!("  referee {bots} --external {game}{arena} --games 20\n");
        if found.arena.is_some() {
            text += &format!("  referee check {bot} --external {game}{arena}\n");
        }
    }
    print(&text)
}

/// Writes new files into a folder, which is created if it is missing.
fn write_all(folder: &Path, files: &[(&str, String)]) -> Result<(), Failure> {
    refuse_what_is_there(folder, files)?;
    fs::create_dir_all(folder).map_err(about(folder, Failure::Data))?;
    for (name, text) in files {
        let path = folder.join(name);
        write(&path, text).map_err(about(&path, Failure::Data))?;
    }
    Ok(())
}

/// Returns the list of written files.
fn written(folder: &Path, files: &[(&str, String)]) -> String {
    let written = files.iter().map(|(name, _)| folder.join(name).display().to_string());
    format!("wrote {}", written.collect::<Vec<_>>().join(" and "))
}

/// Returns the command that builds what was written.
fn build(folder: &Path) -> String {
    format!("  sh {}\n", shell_words::quote(&folder.join(BUILD).to_string_lossy()))
}

fn find(language: &str) -> Result<&'static BotTemplate, Failure> {
    let names = || BOT_TEMPLATES.iter().map(|starter| starter.language);
    let found = BOT_TEMPLATES.iter().find(|starter| starter.language == language);
    Ok(found.ok_or_else(|| unknown("language", language, names()))?)
}

/// Returns `true` if the game lists its legal moves, from which the template bots choose.
fn lists_moves(game: &dyn DynGame) -> Result<bool, RulesError> {
    let seats = game.meta().seats.0;
    let Some(setup) = game.setups(seats, 0, Rng::new(0)).next() else { return Ok(false) };
    let table = game.table(&setup?, &vec![Speech::Dialect(&arbitre::INFO); seats])?;
    match table.to_move()?.iter().next() {
        Some(seat) => Ok(!table.legal_moves(seat)?.is_empty()),
        None => Ok(false),
    }
}

/// Returns the name that the bot reports: that of its folder if it is one short word, else the
/// language.
fn own_name(folder: &Path, starter: &BotTemplate) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let is_word = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    match !name.is_empty() && name.len() <= NAME && is_word(&name) {
        true => name.into_owned(),
        false => starter.language.into(),
    }
}

/// Refuses to write if one of the files exists already.
fn refuse_what_is_there(folder: &Path, files: &[(&str, String)]) -> Result<(), Failure> {
    let mut paths = files.iter().map(|(name, _)| folder.join(name));
    // Unlike `exists`, this also finds a dangling symbolic link.
    match paths.find(|path| path.symlink_metadata().is_ok()) {
        None => Ok(()),
        Some(path) => Err(Failure::Usage(format!(
            "expected a new file, got {}, which exists{HELP}choose another folder",
            path.display()
        ))),
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let mode = if path.ends_with(BUILD) { 0o755 } else { 0o644 };
    // A file that was created after the check is not overwritten either.
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    file.write_all(text.as_bytes())
}

/// Returns the list of written files and the next commands to type.
fn next(
    starter: &BotTemplate,
    info: &GameInfo,
    arena: Option<&str>,
    folder: &Path,
    files: &[(&str, String)],
    registry: &Registry,
) -> String {
    let folder_text = folder.to_string_lossy();
    let mut text = format!("{}; next:\n", written(folder, files));
    if files.len() > 1 {
        text += &build(folder);
    }
    let command = starter.command(&folder_text);
    let (bot, game) = (shell_words::quote(&command), info.meta.name);
    let arena = arena.map_or_else(String::new, |name| format!(" --arena {name}"));
    text += &format!("  referee check {bot} --game {game}{arena}\n");
    let rival =
        registry.bot(game).and_then(|bot| bot.strategies().last()).map_or("", |last| last.0);
    text + &format!("  referee {bot} \"{game} {rival}\" --games 20{arena}\n")
}
