//! Conversion of command-line options to a match configuration.

use crate::config::adjudication::Adjudication;
use crate::config::arena::Arena;
use crate::config::args::ConfigArgs;
use crate::config::common_args::CommonArgs;
use crate::config::format::FormatConfig;
use crate::config::limits::{defaults, PlayerLimits};
use crate::config::player_arg::{CommandKind, PlayerArg};
use crate::config::player_options::PlayerOptions;
use crate::config::sandbox_args::SandboxArgs;
use crate::config::{
    Contest, Environment, OpeningSource, PlayerConfig, ResolvedContest, Seeding, Source,
};
use crate::external::{ExternalRules, Protocol};
use crate::failure::Failure;
use crate::formats::openings::read_setups;
use crate::registry::entry::ArenaInfo;
use crate::registry::{DynGame, GameInfo, Registry, Speech};
use arbitre_games::dialect::DialectInfo;
use arbitre_games::files;
use arbitre_games::game::Meta;
use arbitre_games::text::{alternatives, io_reason, word_of, HELP};
use arbitre_process::sandbox::SandboxConfig;
use std::collections::HashSet;

/// Values for absent options.
#[derive(Clone, Copy, Debug)]
pub struct Absent {
    /// Seed of the match.
    pub seed: u64,
    /// Number of games; `None` for the default.
    pub games: Option<u64>,
    /// Players at a table, where the game allows it.
    pub tables: Tables,
}

/// Number of players at a table without `--seats`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tables {
    /// All players of the contest.
    All,
    /// Two.
    Two,
    /// Two, for which a room may still wait.
    Room,
}

/// Returns the match that the options describe.
///
/// # Errors
/// Returns an error if the options describe no match, or the file of openings cannot be used.
pub fn resolve(
    args: &ConfigArgs,
    options: &PlayerOptions,
    absent: Absent,
    registry: &Registry,
) -> Result<ResolvedContest, Failure> {
    resolve_players(PlayerArg::parse_all(&args.players, registry)?, args, options, absent, registry)
}

/// Draws the seed of a contest, of 53 bits. Every JSON reader keeps them exactly. A bot receives
/// a seed that follows from it, and cannot try them all, as it could with 32.
pub fn new_seed() -> u64 {
    getrandom::u64().expect("Linux has random numbers") >> 11
}

/// Returns the match of the players `parsed`, which replace those of the options.
///
/// # Errors
/// Returns the errors of [`resolve`].
pub fn resolve_players(
    parsed: Vec<PlayerArg>,
    args: &ConfigArgs,
    options: &PlayerOptions,
    absent: Absent,
    registry: &Registry,
) -> Result<ResolvedContest, Failure> {
    let external = find_external(&args.common, &options.sandbox, registry)?;
    let Some(external) = external else {
        return resolve_known(parsed, args, options, absent, registry);
    };
    let mut args = args.clone();
    args.common.game = Some(external.game.into());
    let mut resolved = resolve_known(parsed, &args, options, absent, &external.registry)?;
    resolved.config.external = Some(external.rules);
    Ok(resolved)
}

/// Returns the match of these players in a game of the registry.
fn resolve_known(
    parsed: Vec<PlayerArg>,
    args: &ConfigArgs,
    options: &PlayerOptions,
    absent: Absent,
    registry: &Registry,
) -> Result<ResolvedContest, Failure> {
    let with_a_person = parsed.iter().any(|arg| arg.kind == CommandKind::Human);
    let info = choose_game(args.common.game.as_deref(), args.common.arena, &parsed, registry)?;
    let (args, options) = &set_conditions(args, options, info)?;
    let game = info.open(&args.common.rules)?;
    let usual = if absent.tables == Tables::All { parsed.len() } else { 2 };
    let present = if absent.tables == Tables::Room { usize::MAX } else { parsed.len() };
    let seats = choose_seats(args.common.seats, usual, present, &info.meta)?;
    let players = player_configs(&parsed, args, options, registry)?;
    let blind = check_dialects(info, seats, &players)?;
    let games = args.games.or(absent.games).unwrap_or(match (with_a_person, args.sprt) {
        (true, _) => 2,
        (false, Some(_)) => defaults::GAMES_OF_A_TEST,
        (false, None) => defaults::GAMES,
    });
    if args.sprt.is_some() && (parsed.len(), seats) != (2, 2) {
        return Err(Failure::Usage(format!(
            "--sprt: expected 2 players at tables of 2, got {} at tables of {seats}",
            parsed.len()
        )));
    }
    let plies = if with_a_person { 0 } else { info.opening_plies };
    let adjudication = args.common.adjudicate;
    adjudication.map_or(Ok(()), |rules| check_adjudication(&rules, seats, &info.meta))?;
    let openings = match blind {
        None => choose_openings(args.common.openings.as_deref(), info, plies, &*game, seats)?,
        Some(_) => OpeningSource::Drawn(0),
    };
    let note = blind.map(|DialectInfo { name, .. }| {
        format!("note: {name} cannot convey an opening, so all games begin at the start")
    });
    let seed = args.common.seed.unwrap_or(absent.seed);
    let (name, rules, sprt) = (info.meta.name.to_owned(), game.rules(), args.sprt);
    let config = Contest {
        game: name,
        rules,
        external: None,
        seats,
        games,
        seed,
        openings,
        players,
        format: FormatConfig::RoundRobin,
        sprt,
        adjudication,
        shard: None,
        seeding: Seeding::default(),
        source: Source::Words,
    };
    let commands = parsed.into_iter().map(|arg| arg.kind).collect();
    Ok(ResolvedContest { config, game, commands, note })
}

/// Sets what the options of a match leave open as the arena has it; without one, the dialect of the
/// game.
///
/// # Errors
/// Returns an error if the arena does not have the game.
pub fn set_conditions(
    args: &ConfigArgs,
    options: &PlayerOptions,
    info: &GameInfo,
) -> Result<(ConfigArgs, PlayerOptions), Failure> {
    let Some(arena) = args.common.arena else {
        let usual = info.dialects.first().map(|dialect| dialect.name.into());
        let common = args.common.over(&CommonArgs { dialect: usual, ..CommonArgs::default() });
        return Ok((ConfigArgs { common, ..args.clone() }, options.clone()));
    };
    let ArenaInfo { dialect, rules, options: words, .. } = *conditions(arena, info)?;
    let common =
        CommonArgs { dialect: Some(dialect.into()), rules: rules.into(), ..CommonArgs::default() };
    let common = args.common.over(&common);
    let words: Vec<String> = words.iter().map(|word| (*word).into()).collect();
    let options = options.over(&PlayerOptions::parse_words(&words)?);
    Ok((ConfigArgs { common, ..args.clone() }, options))
}

/// Returns the conditions of the arena for this game.
fn conditions(arena: Arena, info: &GameInfo) -> Result<&'static ArenaInfo, Failure> {
    let name = word_of(arena, &Arena::WORDS);
    info.arenas.iter().find(|known| known.name == name).ok_or_else(|| {
        Failure::Usage(format!(
            "--arena: expected a game of {name}, got {}{HELP}referee games lists the arenas of each",
            info.meta.name
        ))
    })
}

/// Game whose rules are a program.
pub struct ExternalGameEntry {
    /// Name of the game.
    pub game: &'static str,
    /// The rules.
    pub rules: ExternalRules,
    /// Registry with the game.
    pub registry: Registry,
}

/// Starts the program of rules that the options name, if they do.
///
/// # Errors
/// Returns an error if the program does not serve a game.
pub fn find_external(
    common: &CommonArgs,
    sandbox: &SandboxArgs,
    registry: &Registry,
) -> Result<Option<ExternalGameEntry>, Failure> {
    let protocol = common.arena.map_or(Protocol::Own, Arena::protocol);
    if common.classpath.is_some() && protocol != Protocol::CodingameSdk {
        return Err(Failure::Usage(format!(
            "--classpath: expected --external FOLDER and --arena {}, got another game",
            word_of(Arena::CodingameSdk, &Arena::WORDS)
        )));
    }
    let Some(command) = &common.external else {
        return match (common.arena, protocol) {
            (None, _) | (_, Protocol::Own) => Ok(None),
            (Some(arena), _) => Err(Failure::Usage(format!(
                "--arena {}: expected --external COMMAND, got none",
                word_of(arena, &Arena::WORDS)
            ))),
        };
    };
    let sandbox = sandbox.on(SandboxConfig::default())?;
    let (rules, info) = {
        let class_path = common.classpath.as_deref();
        ExternalRules::find(command, protocol, class_path, sandbox, registry.executable)?
    };
    let (game, registry) = (info.meta.name, registry.with(info));
    Ok(Some(ExternalGameEntry { game, rules, registry }))
}

/// Checks that all players use dialects of this game that allow `seats` seats. Returns a dialect
/// that cannot convey openings, if a player uses one.
fn check_dialects(
    info: &GameInfo,
    seats: usize,
    players: &[PlayerConfig],
) -> Result<Option<&'static DialectInfo>, Failure> {
    let words = players.iter().map(|player| player.dialect.as_str());
    let words = words.filter(|word| *word != Speech::PERSON);
    let spoken = words.map(|word| info.dialect(word)).collect::<Result<Vec<_>, _>>()?;
    if let Some(dialect) = spoken.iter().find(|dialect| seats > dialect.max_seats) {
        let name = dialect.name;
        let most = dialect.max_seats;
        return Err(Failure::Usage(format!(
            "dialect {name}: expected at most {most} seats, got {seats}{HELP}write --seats {most}"
        )));
    }
    Ok(spoken.into_iter().find(|dialect| info.hides_openings(dialect)))
}

/// Checks that these rules can end games of `seats` seats.
fn check_adjudication(rules: &Adjudication, seats: usize, meta: &Meta) -> Result<(), Failure> {
    let expected = match seats {
        1 => "a game with opponents",
        2 => return Ok(()),
        _ if rules.compares_scores() => "tables of 2 for draw and resign",
        _ => return Ok(()),
    };
    let found = if seats == 1 { meta.name.into() } else { format!("tables of {seats}") };
    Err(Failure::Usage(format!("--adjudicate: expected {expected}, got {found}")))
}

/// Returns the game `named`, or the game of the bundled bots among the players. If there is none,
/// the error names the games of the arena.
///
/// # Errors
/// Returns an error if there is no such game, the bots play different games, or no game is given.
pub fn choose_game<'r>(
    named: Option<&str>,
    arena: Option<Arena>,
    players: &[PlayerArg],
    registry: &'r Registry,
) -> Result<&'r GameInfo, Failure> {
    let mut bundled = players.iter().filter_map(|arg| match &arg.kind {
        CommandKind::Bundled(name, _) => Some(name.as_str()),
        _ => None,
    });
    if let Some(name) = named {
        let info = registry.game(name)?;
        return match bundled.find(|bot| *bot != name) {
            Some(other) => Err(other_game(other, name)),
            None => Ok(info),
        };
    }
    let Some(first) = bundled.next() else {
        let names = match arena {
            Some(arena) => registry.game_names_of(word_of(arena, &Arena::WORDS)),
            None => registry.game_names(),
        };
        let names = alternatives(&names);
        return Err(Failure::Usage(format!("--game: expected {names}, got none")));
    };
    if let Some(other) = bundled.find(|other| *other != first) {
        return Err(Failure::Usage(format!("expected bots of one game, got {first} and {other}")));
    }
    Ok(registry.game(first)?)
}

/// Returns the failure of a bundled bot in a game that it does not play.
pub fn other_game(bot: &str, game: &str) -> Failure {
    Failure::Usage(format!(
        "{bot} does not play {game}{HELP}leave --game out, or name bots that play {game}"
    ))
}

/// Returns the number of seats: the one that is asked for, else the usual one if the game has it.
fn choose_seats(
    asked: Option<usize>,
    usual: usize,
    players: usize,
    meta: &Meta,
) -> Result<usize, Failure> {
    let (fewest, most) = meta.seats;
    let usual = if (fewest..=most).contains(&usual) { usual } else { 2.clamp(fewest, most) };
    let seats = asked.unwrap_or(usual);
    let allowed = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
    if !(fewest..=most).contains(&seats) {
        return Err(Failure::Usage(format!(
            "{}: expected {allowed} seats, got {seats}",
            meta.name
        )));
    }
    if players < seats {
        return Err(Failure::Usage(format!(
            "{}: expected at least {seats} players, got {players}",
            meta.name
        )));
    }
    Ok(seats)
}

/// Returns the configurations of the players, each with a unique name.
fn player_configs(
    parsed: &[PlayerArg],
    args: &ConfigArgs,
    options: &PlayerOptions,
    registry: &Registry,
) -> Result<Vec<PlayerConfig>, Failure> {
    let mut taken = HashSet::new();
    let config = |arg: &PlayerArg| {
        player_config(arg, args.dialect(), options, unique(&arg.name, &mut taken), registry)
    };
    parsed.iter().map(config).collect()
}

/// Returns a player with the common limits, sandbox and dialect, unless its own argument sets
/// others.
///
/// # Errors
/// Returns an error if an option or the dialect is unknown, a person is given limits, or a bundled
/// bot a sandbox.
pub fn player_config(
    arg: &PlayerArg,
    dialect: &str,
    options: &PlayerOptions,
    name: String,
    registry: &Registry,
) -> Result<PlayerConfig, Failure> {
    let is_person = arg.kind == CommandKind::Human;
    if is_person && !arg.options.is_empty() {
        return Err(Failure::Usage("expected no limits for a person, who has no clock".into()));
    }
    let common = match is_person {
        true => PlayerLimits::untimed(),
        false => options.limits.on(PlayerLimits::default())?,
    };
    let own = PlayerOptions::parse_words(&arg.options)?;
    let limits = own.limits.on(common)?;
    let sandbox = match &arg.kind {
        CommandKind::External(_) => {
            own.sandbox.on(options.sandbox.on(SandboxConfig::default())?)?
        }
        // A common option is for the programs among the players. One in these brackets could only
        // be a mistake, as it has no effect.
        _ if own.sandbox.is_empty() => SandboxConfig::none(),
        _ => {
            return Err(Failure::Usage(format!(
                "{name}: expected no sandbox for a bundled bot, got one{HELP}write only limits in its \
                 brackets"
            )));
        }
    };
    let dialect = arg.dialect.as_deref().unwrap_or(dialect);
    registry.check_dialect(dialect)?;
    // A person has no dialect, so the common one does not apply.
    let dialect = if is_person { Speech::PERSON } else { dialect }.to_owned();
    let command = arg.command.clone();
    let environment = Environment { own_folder: arg.folder.clone(), ..Environment::here() };
    let version = String::new();
    Ok(PlayerConfig { name, command, dialect, limits, version, environment, sandbox })
}

/// Returns the name, with the suffix `-2`, `-3` and so on if it is taken.
pub fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let free = names.find(|name| !taken.contains(name)).expect("the numbers do not end");
    taken.insert(free.clone());
    free
}

/// Returns the source of openings: drawn ones of a given length, or the lines of a file.
fn choose_openings(
    asked: Option<&str>,
    entry: &GameInfo,
    default_plies: usize,
    game: &dyn DynGame,
    seats: usize,
) -> Result<OpeningSource, Failure> {
    match asked.map(|text| (text, text.parse::<usize>())) {
        None => Ok(OpeningSource::Drawn(default_plies)),
        Some((_, Ok(plies))) if plies > 0 && entry.opening_plies == 0 => {
            let name = entry.meta.name;
            Err(Failure::Usage(format!(
                "--openings: expected a file for {name}, got {plies}{HELP}leave it out for random starts"
            )))
        }
        Some((_, Ok(plies))) => Ok(OpeningSource::Drawn(plies)),
        Some((file, Err(_))) => {
            let text = files::read_text(file).map_err(|error| {
                let why = io_reason(&error);
                Failure::Data(format!(
                    "--openings: expected a number of plies or a file, got '{file}': {why}"
                ))
            })?;
            let setups = read_setups(game, seats, &text);
            setups.map(OpeningSource::Listed).map_err(|why| Failure::Data(format!("{file}: {why}")))
        }
    }
}
