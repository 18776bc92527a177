//! Rooms with players of each kind, at tables of each size, played in this process.

use crate::http::Client;
use arbitre::internals::config::args::ConfigArgs;
use arbitre::internals::config::common_args::CommonArgs;
use arbitre::internals::config::from_args::{resolve_players, Absent, Tables};
use arbitre::internals::config::player_arg::CommandKind;
use arbitre::internals::config::player_options::PlayerOptions;
use arbitre::internals::config::{PlayerConfig, Source};
use arbitre::internals::run::interrupt::Stop;
use arbitre::internals::run::plan::{planned_player, Plan};
use arbitre::internals::run::room::{Class, Hosted, Listening, Refusal, Role, Room, GAMES};
use arbitre::internals::run::sandboxes::SandboxPolicy;
use arbitre::internals::run::{PlannedPlayer, PlayerSource};
use arbitre::internals::store::verify::verify;
use arbitre::internals::store::{Address, Archive, Wish};
use arbitre::referee::registry::Speech;
use arbitre_process::process_group::ProcessGroups;
use arbitre_test_support::command::{cleared, folder, program};
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Limit of each wait. Not tuned.
const DEADLINE: Duration = Duration::from_secs(60);

/// Room that is played on a thread of its own.
pub struct Playing {
    /// The room.
    pub room: Arc<Room>,
    folder: PathBuf,
    game: &'static str,
    thread: Option<JoinHandle<()>>,
}

/// Kind of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A bundled bot as a program.
    Bundled,
    /// A bundled bot in this process.
    Inside,
    /// A program that ends at once.
    Ends,
    /// A program whose file cannot be started.
    Missing,
    /// A program that answers nonsense.
    Babbles,
    /// A program that never answers.
    Silent,
}

impl Playing {
    /// Opens a room for this game and number of seats, and plays in it.
    pub fn open(folder: &Path, game: &'static str, seats: usize) -> Playing {
        fs::create_dir_all(folder).unwrap();
        let registry = arbitre::registry();
        let common = CommonArgs {
            game: Some(game.into()),
            seats: Some(seats),
            rules: if game == "awele" { "max-plies=20".into() } else { String::new() },
            ..CommonArgs::default()
        };
        let args = ConfigArgs { common, ..ConfigArgs::default() };
        let absent = Absent { seed: 7, games: Some(1), tables: Tables::Room };
        let options = PlayerOptions::default();
        let mut resolved = resolve_players(Vec::new(), &args, &options, absent, &registry).unwrap();
        resolved.config.source = Source::Room("test".into());
        let opened =
            Address::File(folder.join(GAMES)).open(Wish::ContinueOrBegin, &registry).unwrap();
        let policy = SandboxPolicy::new(registry.executable, None, None);
        let plan = Plan::new(resolved, opened.archive(), &registry, Some(2), &policy).unwrap();
        let store = opened.begin(&plan.config, false, 2, &registry).unwrap();
        let room = Arc::new(Room::open(plan, store, &registry).unwrap());
        let played = room.clone();
        let thread = thread::spawn(move || {
            played.play(&ProcessGroups::default(), &Stop::default()).unwrap();
        });
        Playing { room, folder: folder.into(), game, thread: Some(thread) }
    }

    /// Seats a player of this kind.
    pub fn enter(&self, name: &str, kind: Kind, is_house: bool) -> usize {
        self.enter_version(name, kind, is_house, "1")
    }

    /// Seats a version of a player.
    pub fn enter_version(&self, name: &str, kind: Kind, is_house: bool, version: &str) -> usize {
        let player = planned(self.game, name, kind, version, self.room.game());
        let role = if is_house { Role::House } else { Role::Ladder };
        self.room.enter(player, role).unwrap()
    }

    /// Waits until the room is as it should be.
    #[track_caller]
    pub fn wait_for(&self, what: &str, is_so: impl Fn(&Room) -> bool) {
        let until = Instant::now() + DEADLINE;
        while !is_so(&self.room) {
            let games = self.room.last_games(None).len();
            assert!(Instant::now() < until, "{what}, after {games} games");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Lets the running games end, and closes the file.
    pub fn finish(mut self) -> Archive {
        self.room.finish();
        self.thread.take().unwrap().join().unwrap();
        let path = self.folder.join(GAMES);
        drop(Arc::into_inner(self.room).expect("the room is used by this test alone"));
        let checked = verify(&path, &arbitre::registry()).unwrap();
        assert_eq!(checked.problems, [""; 0]);
        Archive::open(&path, &arbitre::registry()).unwrap()
    }
}

/// Arguments of the bot that plays at random, which all games have.
const RANDOM: [&str; 1] = ["random"];

fn planned(
    game: &str,
    name: &str,
    kind: Kind,
    version: &str,
    rules: &dyn arbitre::referee::registry::DynGame,
) -> PlannedPlayer {
    let registry = arbitre::registry();
    let config = PlayerConfig {
        name: name.into(),
        dialect: "arbitre".into(),
        version: version.into(),
        ..PlayerConfig::default()
    };
    let shell = |script: &str| CommandKind::External(vec!["sh".into(), "-c".into(), script.into()]);
    let command = match kind {
        Kind::Inside => {
            let words = RANDOM.map(str::to_owned);
            let bot = registry.bot(game).unwrap();
            let factory = move || bot.console(&words).unwrap();
            let source = PlayerSource::InProcess(Arc::new(factory));
            let speech = Speech::Dialect(&arbitre::dialects::arbitre::INFO);
            return PlannedPlayer::new(config, source, speech);
        }
        Kind::Bundled => CommandKind::Bundled(game.into(), RANDOM.map(str::to_owned).to_vec()),
        Kind::Ends => shell("exit 3"),
        Kind::Missing => CommandKind::Absent("it is not built".into()),
        Kind::Babbles => shell("while read line; do echo nonsense; done"),
        Kind::Silent => shell("sleep 1000"),
    };
    let mut config = config;
    config.limits.clock.first = Some(Duration::from_millis(200));
    config.limits.clock.per_move = Some(Duration::from_millis(200));
    config.limits.clock.init = Some(Duration::from_millis(500));
    let mut registry = registry;
    registry.executable = Box::leak(program("referee").into_boxed_path());
    planned_player(&config, &command, rules, &registry).unwrap()
}

/// Games and seats that are crossed with the kinds of players.
const TABLES: [(&str, usize); 6] =
    [("taquin", 1), ("hextris", 1), ("awele", 2), ("seven-colors", 2), ("tron", 3), ("tron", 4)];
/// Kinds of a player that joins healthy ones, and whether it is set aside.
const KINDS: [(Kind, bool); 6] = [
    (Kind::Bundled, false),
    (Kind::Inside, false),
    (Kind::Ends, true),
    (Kind::Missing, true),
    (Kind::Babbles, true),
    (Kind::Silent, true),
];

/// A room goes on beside players of each kind: the healthy ones have games and no fault, and a
/// broken one is set aside with its reason.
fn cross(game: &'static str, seats: usize, kind: Kind, is_set_aside: bool) {
    let name = format!("{game} {seats} {kind:?}");
    let path = cleared(folder("rooms").join(&name));
    let playing = Playing::open(&path, game, seats);
    let healthy: Vec<usize> =
        (0..=seats).map(|of| playing.enter(&format!("healthy-{of}"), Kind::Inside, true)).collect();
    let joined = playing.enter("person-1", kind, false);
    let seen = |number: usize| playing.room.player(number).unwrap();
    match is_set_aside {
        true => playing.wait_for(&format!("{name}: it is set aside"), |_| {
            !seen(joined).is_present && seen(joined).given_up.is_some()
        }),
        false => playing.wait_for(&format!("{name}: it plays"), |_| seen(joined).games >= 2),
    }
    playing
        .wait_for(&format!("{name}: all play"), |_| healthy.iter().all(|&of| seen(of).games > 0));
    for &number in &healthy {
        assert_eq!(seen(number).faults, [].into(), "{name}");
        assert_eq!(seen(number).given_up, None, "{name}");
    }
    assert_eq!(playing.room.trouble(), None, "{name}");
    playing.room.rate();
    let games = playing.finish().count().unwrap();
    assert!(games > 0, "{name}");
}

#[test]
fn rooms_go_on_beside_any_player() {
    for (game, seats) in TABLES {
        for (kind, is_set_aside) in KINDS {
            cross(game, seats, kind, is_set_aside);
        }
    }
}

/// A room may wait: without players, with too few, and after all have left.
#[test]
fn room_waits_for_players() {
    for (game, seats) in TABLES {
        let path = cleared(folder("rooms").join(format!("waits {game} {seats}")));
        let playing = Playing::open(&path, game, seats);
        let few: Vec<usize> = (1..seats)
            .map(|of| playing.enter(&format!("person-{of}"), Kind::Inside, false))
            .collect();
        thread::sleep(Duration::from_millis(20));
        assert!(playing.room.last_games(None).is_empty(), "{game} {seats}: a table is not full");
        let last = playing.enter(&format!("person-{seats}"), Kind::Inside, false);
        playing.wait_for("they play", |room| room.last_games(None).len() > 2);
        few.into_iter().chain([last]).for_each(|number| playing.room.leave(number));
        // A worker may have taken a game that the room does not show yet.
        thread::sleep(Duration::from_millis(100));
        playing.wait_for("running games end", |room| room.running().is_empty());
        let count = playing.room.last_games(None).len();
        thread::sleep(Duration::from_millis(50));
        assert_eq!(playing.room.last_games(None).len(), count, "{game} {seats}");
        playing.finish();
    }
}

#[test]
fn versions_are_players_of_their_own() {
    let path = cleared(folder("rooms").join("versions"));
    let playing = Playing::open(&path, "awele", 2);
    playing.enter("greedy", Kind::Inside, true);
    let first = playing.enter_version("person-1", Kind::Inside, false, "a");
    playing.wait_for("the first plays", |room| room.player(first).unwrap().games > 2);
    let second = playing.enter_version("person-1", Kind::Inside, false, "b");
    assert_ne!(first, second);
    let before = playing.room.player(first).unwrap();
    assert!(!before.is_present, "one version of a person plays");
    playing.wait_for("the second plays", |room| room.player(second).unwrap().games > 4);
    // Two games that run, and two that wait to be stored.
    assert!(playing.room.player(first).unwrap().games <= before.games + 4, "those that ran");
    // The first comes back, as a program that is put back.
    assert_eq!(playing.enter_version("person-1", Kind::Inside, false, "a"), first);
    assert!(!playing.room.player(second).unwrap().is_present);
    playing.room.rate();
    let standings = playing.room.standings();
    let rated = standings.rows.iter().filter(|row| row.rating.is_some()).count();
    assert_eq!(rated, 3, "{standings:?}");
    let games = |number| playing.room.player(number).unwrap().games;
    playing.wait_for("it plays on", |room| room.player(first).unwrap().games > before.games + 4);
    playing.room.pause(true);
    playing.wait_for("all is quiet", |room| room.running().is_empty());
    let counted = [games(0), games(first), games(second)];
    let archive = playing.finish();
    let names = archive.config().names();
    assert_eq!(names, ["greedy", "person-1", "person-1@2"]);

    // Opened again, all is as it was.
    let again = Playing::open(&path, "awele", 2);
    let games = |number| again.room.player(number).unwrap().games;
    assert_eq!([games(0), games(first), games(second)], counted);
    assert!(again.room.running().is_empty(), "no player is here");
    again.finish();
}

#[test]
fn players_are_asked_to_games() {
    for (game, seats) in [("awele", 2), ("tron", 4)] {
        let path = cleared(folder("rooms").join(format!("asked {game}")));
        let playing = Playing::open(&path, game, seats);
        let players: Vec<usize> = (0..=seats)
            .map(|of| playing.enter(&format!("person-{of}"), Kind::Inside, false))
            .collect();
        let (own, others) = (players[0], &players[1..seats]);
        let gone = playing.enter("person-99", Kind::Inside, false);
        playing.room.leave(gone);
        let ask = |others: &[usize]| playing.room.challenge(own, others);
        let with = |other: usize| [&others[1..], &[other]].concat();
        assert_eq!(ask(&with(own)), Err(Refusal::WrongNumber));
        assert_eq!(ask(&[]), Err(Refusal::WrongNumber));
        assert_eq!(ask(&with(gone)), Err(Refusal::Absent));
        assert_eq!(ask(&with(99)), Err(Refusal::Absent));
        let mut group: Vec<usize> = others.iter().copied().chain([own]).collect();
        group.sort_unstable();
        // One is open at most; the room goes on between.
        for _ in 0..3 {
            let asked = ask(others);
            assert!(matches!(asked, Ok(()) | Err(Refusal::HasOne)), "{asked:?}");
            if asked.is_ok() && playing.room.player(own).unwrap().waits {
                let again = ask(others);
                // It may be over by now.
                assert!(matches!(again, Ok(()) | Err(Refusal::HasOne)), "{again:?}");
            }
            playing.wait_for("its game is over", |room| !room.player(own).unwrap().waits);
        }
        let asked = playing.room.last_games(Some(own)).into_iter().filter(|game| {
            let mut players = game.players.clone();
            players.sort_unstable();
            players == group
        });
        assert!(asked.count() >= seats, "a round has a game for each rotation");
        playing.room.pause(true);
        assert_eq!(ask(others), Err(Refusal::Paused));
        playing.room.pause(false);
        playing.finish();
    }
}

/// Server of a room in this process, whose players are scripted.
struct Shown {
    playing: Playing,
    address: SocketAddr,
    token: String,
    stop: Option<Box<dyn FnOnce()>>,
}

impl Shown {
    fn open(name: &str) -> Shown {
        let path = cleared(folder("rooms").join(name));
        let playing = Playing::open(&path, "awele", 2);
        let registry = arbitre::registry();
        let listening = (arbitre::server().unwrap().start)(Hosted {
            room: playing.room.clone(),
            title: "Room".into(),
            game: registry.game("awele").unwrap().clone(),
            person: PlayerConfig { dialect: "arbitre".into(), ..PlayerConfig::default() },
            folder: path,
            listen: "127.0.0.1:0".parse().unwrap(),
            below: None,
            proxy: None,
            class: Class::default(),
            executable: registry.executable,
            uploads: Err("none here".into()),
            new_link: false,
        });
        let Listening { lines, stop } = listening.unwrap();
        let find = |start: &str| lines.iter().find_map(|line| line.strip_prefix(start)).unwrap();
        let address = find("people: http://").trim_end_matches('/').parse().unwrap();
        let token = find("teacher: ").rsplit('/').next().unwrap().to_owned();
        Shown { playing, address, token, stop: Some(stop) }
    }

    fn client(&self, token: Option<&str>) -> Client {
        let mut client =
            Client { address: self.address, root: String::new(), cookies: String::new() };
        token.into_iter().for_each(|token| drop(client.enter(token)));
        client
    }

    fn close(mut self) {
        (self.stop.take().unwrap())();
        self.playing.finish();
    }
}

/// A person with a player asks for a game by the button of the room, and sees what others do not.
#[test]
fn person_asks_for_a_game_by_a_button() {
    let shown = Shown::open("button");
    let mut teacher = shown.client(Some(&shown.token));
    let tokens = teacher.add_people(&["Ada", "Grace"]);
    let [mut ada, mut grace] = [0, 1].map(|of: usize| shown.client(Some(&tokens[of])));
    let mut none = shown.client(None);
    let number = teacher.number_of("Ada");
    let (name, hidden) = (format!("person-{number}"), format!("no. {number}"));
    let house = shown.playing.enter("greedy", Kind::Inside, true);
    assert!(!ada.get("/").body.contains("action=\"challenge\""), "she has no player yet");
    let own = shown.playing.enter(&name, Kind::Inside, false);
    shown.playing.wait_for("they play", |room| room.player(own).unwrap().games > 2);
    shown.playing.room.rate();
    let page = ada.get("/");
    assert!(page.body.contains("action=\"challenge\""), "{}", page.body);
    let (key, against) = (page.key().to_owned(), house.to_string());
    let ask = |client: &mut Client, key: &str, against: &[&str]| {
        let fields: Vec<(&str, &str)> =
            [("key", key)].into_iter().chain(against.iter().map(|of| ("against", *of))).collect();
        client.post("/challenge", &fields).status
    };
    let status = ask(&mut ada, &key, &[&against]);
    assert!([303, 409].contains(&status), "{status}");
    shown.playing.wait_for("its game is over", |room| !room.player(own).unwrap().waits);
    assert_eq!(ask(&mut ada, "", &[&against]), 403);
    assert_eq!(ask(&mut ada, &key, &[]), 400);
    assert_eq!(ask(&mut ada, &key, &["x"]), 400);
    assert_eq!(ask(&mut ada, &key, &[&own.to_string()]), 400);
    assert_eq!(ask(&mut ada, &key, &["99"]), 409);
    assert_eq!(ask(&mut none, &key, &[&against]), 403);
    let other = grace.get("/me").key().to_owned();
    assert_eq!(ask(&mut grace, &other, &[&against]), 409, "she has no player");

    // Names and numbers, for each that looks, on every page that names players.
    let game = shown.playing.room.last_games(Some(own))[0].number;
    let pages = [
        "/".to_owned(),
        "/projector".into(),
        format!("/player/{own}"),
        format!("/game/{game}"),
        format!("/game/{game}/data"),
    ];
    for (openness, by_none) in [("names", "Ada"), ("numbers", hidden.as_str())] {
        teacher.act("/teacher/openness", &[("openness", openness)]);
        for page in &pages {
            let body = none.get(page).body;
            assert!(body.contains(by_none), "{openness} {page}: {body}");
            assert!(!body.contains(&name), "{openness} {page}");
            assert!(openness == "names" || !body.contains("Ada"), "{openness} {page}: {body}");
            for client in [&mut ada, &mut grace, &mut teacher] {
                assert!(client.get(page).body.contains("Ada"), "{openness} {page}");
            }
        }
    }
    // Deleted, she has a number for all, and plays no more.
    teacher.act(&format!("/teacher/person/{number}"), &[("do", "delete")]);
    shown.playing.wait_for("she leaves", |room| !room.player(own).unwrap().is_present);
    for page in &pages[2..] {
        let body = teacher.get(page).body;
        assert!(body.contains(&hidden) && !body.contains("Ada"), "{page}: {body}");
    }
    shown.close();
}
