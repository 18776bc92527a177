//! Matches between submissions, and what is stored of them.

use super::harness::{level, ready, Class, REFEREE};
use arbitre::internals::config::args::ConfigArgs;
use arbitre::internals::config::common_args::CommonArgs;
use arbitre::internals::config::from_args::{resolve_players, Absent, Tables};
use arbitre::internals::config::player_arg::PlayerArg;
use arbitre::internals::config::player_options::PlayerOptions;
use arbitre::internals::run::contest_run::{News, Run};
use arbitre::internals::run::interrupt::Stop;
use arbitre::internals::run::plan::Plan;
use arbitre::internals::run::sandboxes::SandboxPolicy;
use arbitre::internals::store::Writer;
use arbitre::internals::submissions::scan;
use arbitre::referee::registry::Registry;
use arbitre_process::launcher::layers::Level;
use arbitre_process::process_group::ProcessGroups;
use arbitre_test_support::command::stdout;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Bot that plays only where it starts in its own folder, and finds its book there.
const BOT: &str = "#!/bin/sh
read name < ./book.txt || exit 1
while read word first rest; do
    case $word in
        begin) echo \"ready $name\" ;;
        legal) move=$first ;;
        go) echo \"$move\" ;;
    esac
done
";

fn bots(class: &Class) {
    class.program("ada/bot", BOT);
    class.file("ada/book.txt", "ada\n");
    class.file("zoé m/build.sh", "cp source bot; chmod +x bot; echo zoe > book.txt");
    class.file("zoé m/source", BOT);
}

/// Settings of a match.
pub struct Match<'a> {
    pub game: &'a str,
    /// Profile of the sandbox, or `none`.
    pub profile: &'a str,
    /// Limit on the time of a move, as an option of a player.
    pub time: Option<&'a str>,
    /// Games of each pair.
    pub games: u64,
}

/// Plays a match between the submissions of two bots, without a fault. Returns its file.
fn play(class: &Class, profile: &str) -> PathBuf {
    let players = ["ada", "zoé m"].map(|name| ready(class.prepare(name)).arg());
    let settings = Match { game: "awele", profile, time: None, games: 2 };
    let (db, faults) = play_between(class, players.into(), &settings);
    assert!(faults.is_empty(), "{profile}: {faults:?}");
    db
}

/// Plays a match. Returns its file, and the faults by player in alphabetic order.
pub fn play_between(
    class: &Class,
    players: Vec<PlayerArg>,
    settings: &Match,
) -> (PathBuf, Vec<(String, String)>) {
    let Match { game, profile, time, games } = *settings;
    let registry = Registry { executable: Path::new(REFEREE), ..arbitre::registry() };
    let mut words: Vec<String> = time.map(str::to_owned).into_iter().collect();
    words.push(match profile {
        "none" => "no-sandbox".into(),
        profile => format!("profile={profile}"),
    });
    let options = PlayerOptions::parse_words(&words).unwrap();
    let common = CommonArgs { game: Some(game.into()), seats: Some(2), ..CommonArgs::default() };
    let args = ConfigArgs { common, ..ConfigArgs::default() };
    let absent = Absent { seed: 1, games: Some(games), tables: Tables::All };
    let resolved = resolve_players(players, &args, &options, absent, &registry).unwrap();
    let db = class.0.join(format!("{profile}.db"));
    let submissions = scan(&class.path("")).map(|scan| scan.submissions).unwrap_or_default();
    let sources = submissions.into_iter().map(|submission| submission.path());
    let policy = SandboxPolicy::new(Path::new(REFEREE), None, Some(&db)).hiding(sources);
    let mut plan = Plan::new(resolved, None, &registry, Some(1), &policy).unwrap();
    let store = Writer::create(&db, &plan.config, "a test", &registry).unwrap();
    plan.apply_sandboxes(&policy);
    let (stop, processes) = (Stop::default(), ProcessGroups::default());
    let mut faults = Vec::new();
    let names: Vec<String> = plan.config.names().into_iter().map(str::to_owned).collect();
    let run = Run::new(plan, store).unwrap();
    let outcome = run.play(false, None, (&stop, &processes), &mut |news| {
        if let News::Game(record, _) = news {
            faults.extend(record.played.faults.iter().map(|story| {
                let player = record.pairing.players[story.seat.index()];
                (names[player].clone(), story.fault.word().to_owned())
            }));
        }
        Ok(())
    });
    let not_started = outcome.unwrap().plan.not_started();
    assert!(not_started.is_empty(), "{profile}: {not_started:?}");
    faults.sort();
    (db, faults)
}

fn referee(folder: &Path, words: &[&str]) -> Output {
    Command::new(REFEREE).args(words).current_dir(folder).output().unwrap()
}

#[test]
fn submission_starts_in_its_folder_and_is_found_again() {
    for profile in ["class", "mine", "none"] {
        let class = Class::new(&format!("match {profile}"));
        bots(&class);
        let db = play(&class, profile);
        let db = db.to_str().unwrap();
        // What is stored is typed again.
        let typed: &[&str] = if profile == "none" { &["--no-sandbox"] } else { &[] };
        let referee = |folder: &Path, words: &[&str]| referee(folder, &[words, typed].concat());
        // From another folder than that of the match.
        let resumed = referee(&class.0, &["--resume", "--db", db, "--games", "4", "--json"]);
        let text =
            format!("{profile}: {}{}", stdout(&resumed), String::from_utf8_lossy(&resumed.stderr));
        assert!(resumed.status.success(), "{text}");
        let summary: serde_json::Value = serde_json::from_slice(&resumed.stdout).unwrap();
        assert_eq!((&summary["games"], &summary["complete"]), (&4.into(), &true.into()), "{text}");
        assert_eq!(summary["players"][1]["name"], "zoé m");
        let again = referee(&class.0, &["rerun", "1", "--db", db, "--brief"]);
        assert!(stdout(&again).ends_with("the same game as before, move for move\n"), "{again:?}");
        // The built copy is gone: the player is named.
        std::fs::remove_dir_all(class.0.join("builds")).unwrap();
        let gone = referee(&class.0, &["rerun", "1", "--db", db]);
        let error = String::from_utf8_lossy(&gone.stderr).into_owned();
        assert!(!gone.status.success() && error.contains("expected a folder, got "), "{error}");
    }
}

#[test]
fn edited_submission_is_another_version() {
    let class = Class::new("versions");
    bots(&class);
    let version = |class: &Class| {
        let players = ["ada", "zoé m"].map(|name| ready(class.prepare(name)).arg());
        let common = CommonArgs { game: Some("awele".into()), ..CommonArgs::default() };
        let args = ConfigArgs { common, ..ConfigArgs::default() };
        let absent = Absent { seed: 1, games: Some(2), tables: Tables::All };
        let registry = Registry { executable: Path::new(REFEREE), ..arbitre::registry() };
        let options = PlayerOptions::parse_words(&[]).unwrap();
        let resolved = resolve_players(players.into(), &args, &options, absent, &registry);
        let policy = SandboxPolicy::new(Path::new(REFEREE), None, None);
        let plan = Plan::new(resolved.unwrap(), None, &registry, Some(1), &policy).unwrap();
        plan.config.players.into_iter().map(|player| player.version).collect::<Vec<_>>()
    };
    let first = version(&class);
    assert_eq!(version(&class), first);
    class.file("ada/book.txt", "eve\n");
    let second = version(&class);
    assert_ne!(second[0], first[0]);
    assert_eq!(second[1], first[1]);
    class.file("zoé m/source", &format!("{BOT}# edited\n"));
    assert_ne!(version(&class)[1], second[1]);
}

/// Bot that prints what it can read of its opponent and of the match, in place of its name.
#[test]
fn submissions_cannot_read_each_other() {
    if level() < Level::Partial {
        eprintln!("SKIPPED: reading each other was not tried, as there is no sandbox");
        return;
    }
    for profile in ["class", "mine"] {
        let class = Class::new(&format!("spies {profile}"));
        bots(&class);
        let root = class.0.display();
        let spy = format!(
            "cat '{root}'/class/ada/book.txt '{root}'/class/zo*/source '{root}'/*.db > /dev/null 2>&1 && exit 3
             for x in '{root}'/class/ada/* '{root}'/class/zo*/* '{root}'/*.db; do
                 case $x in */class/$1/*) ;; *) head -c 1 \"$x\" 2> /dev/null | grep -q . && exit 4 ;; esac
             done\n"
        );
        class
            .program("ada/bot", &BOT.replace("read name <", &format!("set ada; {spy}read name <")));
        class.file(
            "zoé m/source",
            &BOT.replace("read name <", &format!("set -- -; {spy}read name <")),
        );
        play(&class, profile);
    }
}
