//! `referee serve`: a room, whose server is a crate that this one does not know.

mod several;
mod tester;

use super::args::ServeArgs;
use super::clock::timed_here;
use super::play::{single, warn_of_lost_games, warn_of_memory, warn_of_sandbox};
use arbitre_games::clock::ClockKind;
use arbitre_games::diagnostics;
use arbitre_games::text::{alternatives, word_of, HELP};
use arbitre_process::launcher::layers::Level;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::sandbox::{Profile, SandboxConfig};
use arbitre_process::usage::tells_waits;
use arbitre_referee::config::arena::Arena;
use arbitre_referee::config::common_args::CommonArgs;
use arbitre_referee::config::from_args::{self, find_external, new_seed, Absent, Tables};
use arbitre_referee::config::limits::PlayerLimits;
use arbitre_referee::config::player_arg::{is_name, CommandKind, PlayerArg};
use arbitre_referee::config::player_options::PlayerOptions;
use arbitre_referee::config::sandbox_args::SandboxArgs;
use arbitre_referee::config::tournament_args::TournamentOptions;
use arbitre_referee::config::tournament_file::{FilePlayer, TournamentFile};
use arbitre_referee::config::{PlayerConfig, ResolvedContest, Source, CONNECTED};
use arbitre_referee::failure::{about, Failure};
use arbitre_referee::registry::Registry;
use arbitre_referee::report::match_page::title;
use arbitre_referee::report::output::{print, write_whole};
use arbitre_referee::run::descriptors::{descriptors_needed, make_room_for};
use arbitre_referee::run::interrupt::{Listener, Stop};
use arbitre_referee::run::plan::Plan;
use arbitre_referee::run::processors::processors;
use arbitre_referee::run::room::{Class, Hosted, Room, Server, BOARD, GAMES, PERSON, SETTINGS};
use arbitre_referee::run::sandboxes::SandboxPolicy;
use arbitre_referee::store::{Address, Archive, Wish};
use rustix::fs::Mode;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{absolute, Path};
use std::process::ExitCode;
use std::sync::{mpsc, Arc};
use std::time::Duration;
use tester::Tester;

/// Time per move of a house bot. Not tuned.
const HOUSE: &str = "50ms";
/// Margin of a house bot: it keeps to its time, and a busy laptop is no fault of it. Not tuned.
const MARGIN: &str = "500ms";
/// Limit of a move below which a network matters. Not tuned.
const SHORT: Duration = Duration::from_secs(1);
/// Steps by which the priority of games is below that of the server. Not tuned.
const BELOW_THE_SERVER: i32 = 5;
/// Descriptors beyond those of games: connections of browsers. Not tuned.
const CONNECTIONS: u64 = 2500;
/// Options of a tournament that a room does not have.
const FOREIGN: [&str; 9] = [
    "format",
    "rounds",
    "games",
    "games-per-player",
    "max-games",
    "max-error",
    "sprt",
    "third-place",
    "csv",
];

/// Serves a room until a signal comes.
pub fn run(
    args: &ServeArgs,
    server: Option<&Server>,
    registry: &Registry,
) -> Result<ExitCode, Failure> {
    let server = server_of(server, "serve")?;
    let [folder] = &args.folders[..] else {
        return (server.front)(several::front(args, registry)?);
    };
    let folder = absolute(folder)?;
    // The files of a room, and their copies, have names and hashes of tokens.
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    if let Some(file) = &args.backup {
        (server.back_up)(&folder, &absolute(file)?, registry)?;
        return print(&format!("{}: a copy of {}\n", file.display(), args.folders[0].display()));
    }
    let file = settings(args, &folder, registry)?;
    let options = TournamentOptions::parse(&file.options)?;
    // Paths in the file are relative to it.
    std::env::set_current_dir(&folder).map_err(about(&folder, Failure::Data))?;
    let games = folder.join(GAMES);
    let opened = Address::File(games.clone()).open(Wish::ContinueOrBegin, registry);
    let opened = opened.map_err(in_words_of_a_room)?;
    let new_policy = || {
        SandboxPolicy::new(registry.executable, args.requirement.require_sandbox, Some(&games))
            .hiding([folder.clone()])
    };
    let policy = new_policy();
    let external = find_external(&options.common, &options.players.sandbox, registry)?;
    let known = external.as_ref().map_or(registry, |of| &of.registry);
    let (resolved, person) = contest(&file, &options, opened.archive(), &folder, registry)?;
    let own_sandbox = sandbox_of_uploads(&options.players.sandbox)?;
    let program = uploaded(person.clone(), &own_sandbox)?;
    let person = connected(person);
    let game = known.game(&resolved.config.game)?.clone();
    // Rooms of one server share its processors.
    let shared = args.rooms.map(|rooms| (processors() as u16 / rooms.max(1)).max(1));
    let concurrency = args.concurrency.or(options.concurrency).or(shared);
    let mut plan = Plan::new(resolved, opened.archive(), registry, concurrency, &policy)?;
    let store = opened.begin(&plan.config, false, processors(), registry)?;
    plan.apply_sandboxes(&policy);
    warn_of_lost_games(&store);
    warn_of_sandbox(plan.sandboxes.as_ref(), &plan.players);
    warn_of_memory(&plan);
    warn_of_short_limits(&person.limits);
    let (title, sandbox) = (title(&plan.config), plan.sandboxes.as_ref().map(|of| of.line()));
    make_room_for(descriptors_needed(plan.concurrency) + CONNECTIONS);
    let room = Arc::new(Room::open(plan, store, registry)?);
    let (sender, receiver) = mpsc::channel();
    let refusal = refusal_of_uploads(args, &program, &policy);
    refusal.iter().for_each(|why| tester::say_why_not(why));
    let listening = (server.start)(Hosted {
        room: room.clone(),
        title,
        game: game.clone(),
        person,
        folder: folder.clone(),
        class: class_of(&file),
        executable: registry.executable,
        uploads: refusal.map_or(Ok(sender), Err),
        listen: args.listen,
        below: args.below.clone(),
        proxy: args.behind_proxy.clone(),
        new_link: args.new_link,
    })?;
    let lines = sandbox.into_iter().chain(listening.lines);
    print(&lines.map(|line| line + "\n").collect::<String>())?;
    let (stop, processes) = (Stop::default(), ProcessGroups::default());
    let tester = Tester {
        room: &room,
        info: &game,
        registry,
        options: PlayerOptions { sandbox: own_sandbox, ..options.players.clone() },
        model: program,
        policy: &new_policy,
        stop: Stop::default(),
        processes: ProcessGroups::default(),
    };
    let (closing, ended) = (room.clone(), tester.ending());
    let finish = move || {
        closing.finish();
        ended();
        diagnostics::print(format_args!(
            "finishing the games that run; once more to stop at once\n"
        ));
    };
    let _listener = Listener::start(stop.clone(), processes.clone(), finish, || {})?;
    // The threads of the server have been started, and keep their priority.
    let _ = rustix::process::nice(BELOW_THE_SERVER);
    let played = tester.work_beside(receiver, || room.play(&processes, &stop));
    (listening.stop)();
    played.map(|()| ExitCode::SUCCESS)
}

/// Returns the server, which a command needs.
pub fn server_of<'a>(server: Option<&'a Server>, command: &str) -> Result<&'a Server, Failure> {
    server.ok_or_else(|| {
        Failure::Usage(format!(
            "{command}: expected a referee that was built with its server, got one without{HELP}take \
             an archive, or write cargo build --release --bin referee --features serve"
        ))
    })
}

/// Reads the settings of a room, which are written first if there are none.
fn settings(
    args: &ServeArgs,
    folder: &Path,
    registry: &Registry,
) -> Result<TournamentFile, Failure> {
    let path = folder.join(SETTINGS);
    if path.try_exists().map_err(about(&path, Failure::Data))? {
        let file = TournamentFile::read(&path)?;
        check(&file, &path)?;
        let stored = TournamentOptions::parse(&file.options)?.common;
        refuse_other_options(&args.common, &stored, &path)?;
        return Ok(file);
    }
    if args.common.game.is_none() && args.common.external.is_none() {
        let names = alternatives(&registry.game_names());
        return Err(Failure::Usage(format!(
            "{}: expected a room, or --game to begin one, got neither{HELP}write --game with {names}",
            args.folders[0].display()
        )));
    }
    let text = new_settings(args, registry)?;
    let file = TournamentFile::parse(SETTINGS, &text)?;
    if folder.is_dir() {
        // Paths in the file are relative to it.
        std::env::set_current_dir(folder).map_err(about(folder, Failure::Data))?;
    }
    // Nothing is written that cannot be played.
    let options = TournamentOptions::parse(&file.options)?;
    contest(&file, &options, None, folder, registry)?;
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(about(folder, Failure::Data))?;
    write_whole(&path, &text).map_err(about(&path, Failure::Data))?;
    Ok(file)
}

/// Refuses options of a room that has settings, unless they repeat these.
fn refuse_other_options(
    typed: &CommonArgs,
    stored: &CommonArgs,
    path: &Path,
) -> Result<(), Failure> {
    let path = path.display();
    if let Some(game) = typed.game.as_ref().filter(|game| Some(*game) != stored.game.as_ref()) {
        let own = stored.game.as_deref().or(stored.external.as_deref()).unwrap_or("another one");
        return Err(Failure::Usage(format!(
            "--game: expected {own}, the game of {path}, got {game}{HELP}name another folder for \
             another room"
        )));
    }
    let others = [
        ("external", typed.external.is_some()),
        ("classpath", typed.classpath.is_some()),
        ("seats", typed.seats.is_some()),
        ("seed", typed.seed.is_some()),
        ("openings", typed.openings.is_some()),
        ("rules", !typed.rules.is_empty()),
        ("arena", typed.arena.is_some()),
        ("dialect", typed.dialect.is_some()),
        ("adjudicate", typed.adjudicate.is_some()),
    ];
    match others.iter().find(|(_, is_typed)| *is_typed) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::Usage(format!(
            "--{name}: expected it in {path}, got it on the command line{HELP}a room keeps its \
             settings in that file"
        ))),
    }
}

/// Returns the commented settings of a new room.
fn new_settings(args: &ServeArgs, registry: &Registry) -> Result<String, Failure> {
    let common = &args.common;
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut keys = Vec::new();
    let mut key = |name: &str, value: Option<&String>| {
        keys.extend(value.map(|value| format!("{name} = {}\n", quoted(value))));
    };
    key("game", common.game.as_ref());
    // The server enters the folder, from which a path of the command would lead elsewhere.
    let external = common.external.as_ref().map(|command| from_here(command));
    key("external", external.transpose()?.as_ref());
    key("classpath", common.classpath.as_ref());
    key("rules", Some(&common.rules).filter(|rules| !rules.is_empty()));
    key("dialect", common.dialect.as_ref());
    let openings = common.openings.as_ref().map(|text| match Path::new(text).exists() {
        // One in the room moves with it.
        true => absolute(text).and_then(|path| {
            let folder = absolute(&args.folders[0])?;
            Ok(path.strip_prefix(folder).unwrap_or(&path).display().to_string())
        }),
        false => Ok(text.clone()),
    });
    key("openings", openings.transpose()?.as_ref());
    if let Some(arena) = common.arena {
        let word = word_of(arena, &Arena::WORDS);
        keys.push(format!("arena = {}\n", quoted(word)));
    }
    keys.extend(common.seats.map(|seats| format!("seats = {seats}\n")));
    keys.extend(common.seed.map(|seed| format!("seed = {seed}\n")));
    keys.extend(common.adjudicate.map(|of| format!("adjudicate = {}\n", quoted(&of.to_string()))));
    let opponents = match &common.game {
        Some(name) => registry.game(name)?.opponents,
        None => &[],
    };
    let house = opponents.iter().map(|command| {
        // The name of the game is that of the bot, and says nothing here.
        let words = command.split(' ').skip(1).map(|word| word.trim_start_matches('-'));
        let name = words.collect::<Vec<_>>().join("-");
        let (name, command) = (quoted(&name), quoted(command));
        format!(
            "\n[[player]]\nname = {name}\ncommand = {command}\nmove-time = \"{HOUSE}\"\n\
             margin = \"{MARGIN}\"\n"
        )
    });
    let house: String = house.collect();
    Ok(format!(
        "# Settings of a room of referee serve, which reads them when it starts.\n\n\
         [tournament]\n\
         # Title of all pages; without it, the name of the folder.\n\
         #name = \"Tuesday class\"\n\
         {}\
         # Any option of referee tournament that describes games may stand here.\n\
         move-time = \"1s\"\n\
         # Number of games played at once; the default depends on the processors.\n\
         #concurrency = 2\n\n\
         # House bots, which are always there. Ratings count from their mean. They think for a \
         short time,\n# so that this machine stays free.\n{house}",
        keys.concat()
    ))
}

/// Returns a command whose program and folders are named from the root.
fn from_here(command: &str) -> Result<String, Failure> {
    let words = shell_words::split(command).map_err(|why| Failure::Usage(why.to_string()))?;
    let whole = |word: String| match Path::new(&word).exists() {
        true => absolute(&word).map(|path| path.display().to_string()).unwrap_or(word),
        false => word,
    };
    Ok(shell_words::join(words.into_iter().map(whole)))
}

/// Refuses settings that a room does not have.
fn check(file: &TournamentFile, path: &Path) -> Result<(), Failure> {
    let names = file.options.iter().map(|option| {
        let word = option.trim_start_matches('-');
        word.split_once('=').map_or(word, |(name, _)| name)
    });
    let foreign = names.into_iter().find(|name| FOREIGN.contains(name));
    let other = [
        (file.from.is_some(), "from"),
        (!file.references.is_empty(), "reference"),
        (!file.grades.is_empty(), "grade"),
    ];
    let other = other.into_iter().find(|(is_there, _)| *is_there).map(|(_, name)| name);
    match foreign.or(other) {
        None => Ok(()),
        Some(name) => Err(Failure::Data(format!(
            "{}: expected the settings of a room, got {name}{HELP}leave it out: a room has a \
             ladder that never ends, and house bots as [[player]]",
            path.display()
        ))),
    }
}

/// Returns the contest of a room.
fn contest(
    file: &TournamentFile,
    options: &TournamentOptions,
    stored: Option<&Archive>,
    folder: &Path,
    registry: &Registry,
) -> Result<(ResolvedContest, PlayerConfig), Failure> {
    let house = file.players.iter().map(|player| house_bot(player, registry));
    let house = house.collect::<Result<Vec<PlayerArg>, Failure>>()?;
    for (number, bot) in house.iter().enumerate() {
        if house[..number].iter().any(|other| other.name == bot.name) {
            return Err(Failure::Data(format!(
                "{}: name: expected house bots of different names, got '{}' twice{HELP}give one of \
                 them another name",
                file.players[number].place, bot.name
            )));
        }
    }
    let seed = stored.map_or_else(new_seed, |archive| archive.config().seed);
    let absent = Absent { seed, games: Some(1), tables: Tables::Room };
    let args = options.config_args(false);
    // The players of people have the limits and the dialect of one that is never seated.
    let model = PlayerArg::of(PERSON, CONNECTED.into(), CommandKind::Absent(String::new()));
    let players = house.into_iter().chain([model]).collect();
    let mut resolved =
        from_args::resolve_players(players, &args, &options.players, absent, registry)?;
    resolved.commands.pop();
    let person = resolved.config.players.pop().expect("the last player is that of people");
    let name = || folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let title = options.name.clone().unwrap_or_else(name);
    resolved.config.source = Source::Room(title);
    if let Some(stored) = stored.map(Archive::config) {
        resolved.config.seeding = stored.seeding;
        if let Some(difference) = stored.difference(&resolved.config) {
            return Err(Failure::Usage(format!(
                "{SETTINGS}: expected the room of {GAMES}, but {difference}{HELP}begin another \
                 room in another folder"
            )));
        }
    }
    let asks_for_fair = options.players.limits.clock_kind().is_some();
    Ok((timed_here(resolved, asks_for_fair, tells_waits())?, person))
}

/// Returns the settings that finals share.
fn class_of(file: &TournamentFile) -> Class {
    let house = file.players.iter().filter_map(|player| {
        let command = player.command.clone()?;
        let name = player.name.clone().unwrap_or_else(|| command.clone());
        // It keeps its name and its time, if an argument can have that name.
        let is_plain = name.chars().all(is_name);
        let options = player.options.join(",");
        let bot = if is_plain { format!("{name}[{options}]={command}") } else { command };
        Some((name, bot))
    });
    Class { options: file.options.clone(), house: house.collect() }
}

/// Returns the configuration of a person's program on a machine of its own: of that only the time
/// that passes is known.
fn connected(mut person: PlayerConfig) -> PlayerConfig {
    person.limits.clock.kind = ClockKind::Wall;
    person.limits.clock.threads = None;
    person
}

/// Returns the sandbox of the programs that people upload. The profile of the file is for house
/// bots: no upload may see what the server sees.
fn sandbox_of_uploads(sandbox: &SandboxArgs) -> Result<SandboxArgs, Failure> {
    Ok(match sandbox.on(SandboxConfig::default())?.profile {
        Some(_) => SandboxArgs::with_profile(Profile::Class).over(sandbox),
        None => sandbox.clone(),
    })
}

/// Returns the configuration of a person's program on this machine.
fn uploaded(mut person: PlayerConfig, sandbox: &SandboxArgs) -> Result<PlayerConfig, Failure> {
    if person.limits.clock.kind == ClockKind::Fair && !tells_waits() {
        person.limits.clock.kind = ClockKind::Cpu;
    }
    Ok(PlayerConfig { sandbox: sandbox.on(SandboxConfig::default())?, ..person })
}

/// Returns the reason why people cannot upload programs, if so: on this machine they would reach
/// more than their own files.
fn refusal_of_uploads(
    args: &ServeArgs,
    program: &PlayerConfig,
    policy: &SandboxPolicy,
) -> Option<String> {
    let level = program.sandbox.profile.map_or(Level::None, |_| policy.level());
    (level <= Level::Weak && !args.i_trust_my_students).then(|| {
        format!(
            "expected a sandbox that is full or partial, got {level}{HELP}see referee doctor, or write \
             --i-trust-my-students"
        )
    })
}

/// Warns of limits that a network may take up.
fn warn_of_short_limits(limits: &PlayerLimits) {
    if limits.clock.per_move.is_some_and(|time| time < SHORT) {
        log::warn!(
            "limits of programs on other machines: {limits}; a network that stalls for a moment can \
             use a move's time up{HELP}write move-time = \"1s\" in {SETTINGS}"
        );
    }
}

/// Returns a house bot of the settings.
fn house_bot(player: &FilePlayer, registry: &Registry) -> Result<PlayerArg, Failure> {
    let bot = single(player, None, registry)?;
    let is_of_people = [PERSON, BOARD].iter().any(|start| bot.name.starts_with(start));
    if is_of_people || bot.name.contains('@') {
        return Err(Failure::Data(format!(
            "{}: name: expected one without @ that does not begin with {PERSON} or {BOARD}, got '{}'",
            player.place, bot.name
        )));
    }
    if bot.kind == CommandKind::Human {
        return Err(Failure::Data(format!(
            "{}: command: expected a program for a house bot, got a person",
            player.place
        )));
    }
    Ok(PlayerArg { is_named: true, ..bot })
}

/// Returns a failure of the file of a room with the way out of this command.
fn in_words_of_a_room(failure: Failure) -> Failure {
    match failure {
        Failure::Store(why) => {
            let own = "serve a folder that is yours, with free space";
            let why = why.replace("another file with --db", "another folder");
            Failure::Store(why.replace("name a file elsewhere, or write --db :memory:", own))
        }
        other => other,
    }
}
