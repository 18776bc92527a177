//! Broken programs among healthy ones, in every format and at every number of seats.

use crate::tournament::harness::{names, player, Folder, CALM, REFEREE};
use arbitre_test_support::command::{stderr, SHELL_BOT};
use arbitre_test_support::pages::document;
use serde_json::Value;

/// Formats with their options for one seat, two seats and tables; none where they allow no such
/// number.
pub const FORMATS: [(&str, [Option<&str>; 3]); 9] = [
    ("round-robin", [Some("games = 2"), Some("games = 2"), Some("games = 12")]),
    ("gauntlet", [None, Some("games = 2"), Some("games = 12")]),
    ("gauntlet", [None, Some("games = 4\nsprt = \"elo0=0,elo1=40\""), None]),
    ("balanced", [None, Some("games-per-player = 8"), Some("games-per-player = 32")]),
    ("swiss", [None, Some("rounds = 3\ngames = 2"), Some("rounds = 3\ngames = 12")]),
    ("knockout", [None, Some("games = 2\nthird-place = true"), Some("games = 12")]),
    ("double-knockout", [None, Some("games = 2"), None]),
    ("ladder", [None, Some("max-games = 70"), Some("max-games = 70")]),
    ("graded", [Some(GRADED_ALONE), Some(GRADED), Some(GRADED)]),
];
/// Fixed bots of a solo game.
const GRADED_ALONE: &str = "games = 2\n[[grade]]\nbot = \"taquin best\"\npoints = 2";
/// Fixed bots of a table of four.
const GRADED: &str = "games = 8\n[[grade]]\nbot = \"a=tron random\"\npoints = 2\n\
     [[grade]]\nbot = \"b=tron random\"\npoints = 1\n\
     [[grade]]\nbot = \"c=tron wall-hugger\"\npoints = 1";
/// Fixed bots of a table of eight.
const GRADED_OF_EIGHT: &str = "games = 8\n[[grade]]\nbot = \"a=./first\"\npoints = 2\n\
     [[grade]]\nbot = \"b=./second\"\npoints = 1\n[[grade]]\nbot = \"c=./third\"\npoints = 1\n\
     [[grade]]\nbot = \"d=./first\"\npoints = 1\n[[grade]]\nbot = \"e=./second\"\npoints = 1\n\
     [[grade]]\nbot = \"f=./third\"\npoints = 1\n[[grade]]\nbot = \"g=./first\"\npoints = 1";
/// Rules of a game for eight; no bundled one has more than four seats. A seat takes one of three
/// numbers, twice.
const RACE: &str = "from arbitre_rules import Rules

class Race(Rules):
    name = 'race'
    seats = (2, 8)

    def setup(self, seats, number, rng):
        return ' '.join(str(rng.randrange(10)) for _ in range(3 * seats))

    def start(self, seats, setup):
        numbers = [int(number) for number in setup.split()]
        self.numbers = [numbers[3 * seat:3 * seat + 3] for seat in range(seats)]
        self.points = [0] * seats
        self.queue = 2 * list(range(seats))

    def turn(self):
        return self.queue[:1]

    def scores(self):
        return self.points

    def legal(self, seat):
        return ['1', '2', '3']

    def play(self, seat, move):
        self.points[seat] += self.numbers[seat][int(move) - 1]
        self.queue.pop(0)

    def out(self, seats):
        self.queue = [seat for seat in self.queue if seat not in seats]

    def state(self, seat):
        return 'points ' + ' '.join(map(str, self.points))

Race().serve()
";
/// Programs that do not pass their trial.
const BROKEN: [(&str, &str); 3] = [
    ("ends", "#!/bin/sh\nexit 3\n"),
    ("talks", "#!/bin/sh\nread line\necho nonsense\n"),
    // It ends with its input: one that ended earlier would be told by its exit code, or not yet.
    ("mute", "#!/bin/sh\nexec >&-\nwhile read line; do :; done\n"),
];

/// Writes `cup.toml`: players that can play, and after each of the first ones a broken one.
pub fn cup(folder: &Folder, settings: &str, seats: usize, healthy: usize, broken: &[(&str, &str)]) {
    let bots = match seats {
        1 => ["taquin best", "taquin quick", "taquin random"],
        8 => ["./first", "./second", "./third"],
        _ => ["tron breadth --depth 1", "tron wall-hugger", "tron random"],
    };
    let game = match seats {
        1 => "game = \"taquin\"\nrules = \"eight\"".into(),
        8 => "external = \"python3 rules/race.py\"\nseats = 8".into(),
        _ => format!("game = \"tron\"\nrules = \"size=12x9\"\nseats = {seats}"),
    };
    if seats == 8 {
        for (name, place) in [("first", "1"), ("second", "2"), ("third", "3")] {
            let own = format!("set -- $first $rest; move=${place}");
            folder.program(name, &SHELL_BOT.replace("move=$first", &own));
        }
        if !folder.path("rules").exists() {
            folder.done(&["new-game", "python", "rules"]);
            folder.file("rules/race.py", RACE);
        }
    }
    let mut text = format!("[tournament]\n{game}\nseed = 7\n{CALM}{settings}\n");
    let mut add = |name: &str, command: &str| {
        text += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\n");
    };
    for number in 0..healthy {
        add(&format!("healthy {number}"), bots[number % bots.len()]);
        if let Some((name, program)) = broken.get(number) {
            folder.program(name, program);
            add(name, &format!("./{name}"));
        }
    }
    folder.file("cup.toml", &text);
}

/// Returns what the standings say about the healthy players, in their order.
fn results(standings: &Value) -> Vec<[Value; 4]> {
    let players = standings["standings"].as_array().unwrap().iter();
    let healthy = players.filter(|player| player["status"] == "ranked");
    let keys = ["name", "rank", "points", "games"];
    healthy.map(|player| keys.map(|key| player[key].clone())).collect()
}

/// The healthy players have the tournament that they would have without the others.
fn check_broken_among_healthy(
    name: &str,
    format: &str,
    options: &str,
    seats: usize,
    healthy: usize,
) {
    let what = format!("{format} of {healthy} at {seats} seats");
    let folder = Folder::new(name);
    let settings = format!("format = \"{format}\"\n{options}");
    cup(&folder, &settings, seats, healthy, &[]);
    let alone = folder.standings(&[]);
    std::fs::remove_dir_all(folder.path(".arbitre")).unwrap();
    cup(&folder, &settings, seats, healthy, &BROKEN);
    let among = folder.standings(&[]);
    assert_eq!(results(&among), results(&alone), "{what}");
    assert!(results(&among).iter().all(|[.., games]| games.as_u64() > Some(0)), "{what}");
    assert_eq!((&among["complete"], &among["games"]), (&true.into(), &alone["games"]));
    let mut last = names(&among).split_off(names(&alone).len());
    last.sort_unstable();
    assert_eq!(last, ["ends", "mute", "talks"], "{what}");
    for (name, part) in [("ends", "exit code 3"), ("talks", "nonsense"), ("mute", "ready")] {
        let reason = player(&among, name)["reason"].as_str().unwrap();
        assert!(reason.contains(part), "{what}: {name}: {reason}");
        // The file says it, too, to those that read it later.
        assert_eq!(
            &stored_reason(&folder, name),
            &player(&among, name)["reason"],
            "{what}: {name}"
        );
    }
    // A run without games to play has the same reasons, though formats that take late joiners try
    // whether the broken ones have been repaired.
    let again = folder.standings(&[]);
    assert_eq!(again["standings"], among["standings"], "{what}");
}

/// Returns why a player could not be started, as a page of the stored tournament says it.
fn stored_reason(folder: &Folder, name: &str) -> Value {
    let db = ".arbitre/tournament-cup.toml.db";
    folder.done(&["report", "--db", db, "--output", "stored.html"]);
    let page = document(&std::fs::read_to_string(folder.path("stored.html")).unwrap());
    let players = page["summary"]["players"].as_array().unwrap().iter();
    let mut own = players.filter(|player| player["name"] == name);
    own.next().map_or(Value::Null, |player| player["not_started"].clone())
}

/// Tournament of the table of formats and seats.
struct Cell {
    /// Number of the format in the table.
    number: usize,
    format: &'static str,
    options: &'static str,
    seats: usize,
    /// Number of players that can play.
    healthy: usize,
}

/// Returns the cells for which `is_meant` is true of the number of the format and the seats.
fn cells(is_meant: fn(usize, usize) -> bool) -> impl Iterator<Item = Cell> {
    let formats = FORMATS.into_iter().enumerate();
    let all = formats.flat_map(|(number, (format, [alone, pairs, tables]))| {
        let sizes = [(1, 3, alone), (2, 5, pairs), (3, 5, tables), (4, 6, tables)];
        sizes.into_iter().filter_map(move |(seats, healthy, options)| {
            Some(Cell { number, format, options: options?, seats, healthy })
        })
    });
    all.filter(move |cell| is_meant(cell.number, cell.seats))
}

fn check_every_format(name: &str, is_meant: fn(usize, usize) -> bool) {
    for Cell { number, format, options, seats, healthy } in cells(is_meant) {
        let name = format!("{name} {number} {seats}");
        check_broken_among_healthy(&name, format, options, seats, healthy);
    }
}

/// Every second format at two seats, and the others at four.
#[test]
fn broken_players_change_nothing_for_the_others() {
    check_every_format("broken", |number, seats| seats == [2, 4][number % 2]);
}

#[test]
#[ignore = "it takes a minute: .ci/full whole"]
fn whole_broken_players_change_nothing_for_the_others() {
    check_every_format("whole broken", |_, _| true);
}

/// Formats that allow eight seats, with their options and the number of healthy players.
const OF_EIGHT: [(&str, &str, usize); 7] = [
    ("round-robin", "games = 8", 8),
    ("gauntlet", "games = 8", 8),
    ("balanced", "games-per-player = 64", 8),
    ("swiss", "rounds = 2\ngames = 8", 9),
    ("knockout", "games = 8", 9),
    ("ladder", "max-games = 16", 9),
    ("graded", GRADED_OF_EIGHT, 3),
];

fn check_tables_of_eight(name: &str, formats: &[(&str, &str, usize)]) {
    for (format, options, healthy) in formats {
        let options = format!("no-sandbox = true\n{options}");
        check_broken_among_healthy(&format!("{name} {format}"), format, &options, 8, *healthy);
    }
}

#[test]
#[ignore = "it takes half a minute: .ci/full whole"]
fn whole_broken_players_change_nothing_at_tables_of_eight() {
    check_tables_of_eight("whole eight", &OF_EIGHT);
}

/// A format that allows eight seats, and the two that do not.
#[test]
fn broken_players_change_nothing_at_tables_of_eight() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: no game of eight was played, as there is no python3");
        return;
    }
    check_tables_of_eight("eight", &OF_EIGHT[4..5]);
    for (format, options, part) in [
        ("double-knockout", "games = 8", "expected two seats for double elimination, got 8"),
        (
            "gauntlet",
            "games = 8\nsprt = \"elo0=0,elo1=40\"",
            "expected two seats for a test, got 8",
        ),
    ] {
        let folder = Folder::new(&format!("eight {format} refused"));
        cup(&folder, &format!("format = \"{format}\"\n{options}"), 8, 9, &[]);
        let output = folder.run(&["tournament", "cup.toml"]);
        let error = stderr(&output);
        assert!(error.contains(part), "{format}: {error}");
        assert_eq!(output.status.code(), Some(2), "{format}: {error}");
    }
}

/// With too few players for any game, the standings name the reasons, and the command fails.
#[test]
fn too_few_healthy_players_are_an_error() {
    for (format, options, seats, healthy, expected) in [
        ("round-robin", "games = 12", 4, 3, "expected at least 4 players that can play, got 3"),
        ("balanced", "games-per-player = 16", 4, 3, "expected at least 4 players that can play"),
        ("swiss", "rounds = 2", 2, 1, "expected at least 2 players that can play, got 1"),
        ("knockout", "games = 2", 2, 1, "expected at least 2 players that can play, got 1"),
        ("ladder", "max-games = 8", 2, 1, "expected at least 2 players that can play, got 1"),
    ] {
        let folder = Folder::new(&format!("few {format}"));
        cup(&folder, &format!("format = \"{format}\"\n{options}"), seats, healthy, &BROKEN[..1]);
        let output = folder.run(&["tournament", "cup.toml", "--json"]);
        let error = stderr(&output);
        assert!(error.contains(expected), "{format}: {error}");
        assert_eq!(output.status.code(), Some(3), "{format}: {error}");
        let standings: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&standings["complete"], &standings["games"]), (&false.into(), &0.into()));
        assert!(player(&standings, "ends")["reason"].as_str().unwrap().contains("exit code 3"));
    }
}

/// A player that is repaired later plays all of its games where the format takes late joiners.
/// Elsewhere its line says why it has none. Every second format is played at four seats, and the
/// others at two.
#[test]
fn mended_player_joins_where_it_can() {
    check_mended("mended", |number, seats| seats == [4, 2][number % 2]);
}

#[test]
#[ignore = "it takes half a minute: .ci/full whole"]
fn whole_mended_player_joins_where_it_can() {
    check_mended("whole mended", |_, seats| seats != 3);
}

fn check_mended(name: &str, is_meant: fn(usize, usize) -> bool) {
    for Cell { number, format, options, seats, healthy } in cells(is_meant) {
        let what = format!("{format} of {healthy} at {seats} seats");
        let folder = Folder::new(&format!("{name} {number} {seats}"));
        let settings = format!("format = \"{format}\"\nallow-read = [\"{REFEREE}\"]\n{options}");
        cup(&folder, &settings, seats, healthy, &BROKEN[..1]);
        let before = folder.standings(&[]);
        let bot = if seats == 1 { "taquin random" } else { "tron random" };
        folder.program("ends", &format!("#!/bin/sh\nexec '{REFEREE}' bot {bot}\n"));
        let text = folder.done(&["tournament", "cup.toml"]);
        let after = folder.standings(&[]);
        let (mended, games) = (player(&after, "ends"), |of: &Value| of["games"].as_u64());
        let is_late = text.contains("ends joined when nothing more was paired");
        match format {
            "round-robin" | "gauntlet" | "balanced" | "graded" => {
                // All of a round robin have equally many games, and all of a gauntlet but one.
                let other = player(&after, "healthy 1");
                let (least, most) = (games(mended), games(other));
                assert!(least > Some(0) && least <= most, "{what}: {after}");
                assert!(format == "balanced" || least == most, "{what}: {after}");
                assert_eq!((&mended["status"], is_late), (&"ranked".into(), false), "{what}");
                assert!(games(&after) > games(&before), "{what}");
            }
            _ => {
                assert_eq!((&mended["status"], is_late), (&"late".into(), true), "{what}");
                assert_eq!((&mended["rank"], games(mended)), (&Value::Null, Some(0)), "{what}");
                assert_eq!(results(&after), results(&before), "{what}");
            }
        }
        assert_eq!(after["complete"], true, "{what}");
    }
}

/// A player fails at its first move, and another one is dropped from the file. The others keep
/// their number of games.
#[test]
fn struck_games_of_a_balanced_schedule_are_replaced() {
    let games_of_healthy = |standings: &Value| -> Vec<u64> {
        results(standings).iter().map(|[.., games]| games.as_u64().unwrap()).collect()
    };
    for (seats, options) in [(2, "games-per-player = 8"), (4, "games-per-player = 32")] {
        let folder = Folder::new(&format!("struck {seats}"));
        let settings = format!("format = \"balanced\"\nno-sandbox = true\n{options}");
        let program = format!("#!/bin/sh\n[ -e started ] && exit 1\n: >started\n{SHELL_BOT}");
        let late = [("late", program.as_str())];
        cup(&folder, &settings, seats, 6, &late);
        let standings = folder.standings(&[]);
        assert_eq!(player(&standings, "late")["status"], "struck");
        let (games, wanted) = (games_of_healthy(&standings), if seats == 2 { 8 } else { 32 });
        assert!(games.iter().all(|&games| games >= wanted), "{seats} seats: {games:?}");
        assert_eq!(standings["complete"], true);
        assert_eq!(folder.standings(&[])["standings"], standings["standings"], "it is over");
        folder.done(&["drop", "healthy 5", "--db", ".arbitre/tournament-cup.toml.db"]);
        cup(&folder, &settings, seats, 5, &late);
        let standings = folder.standings(&[]);
        let games = games_of_healthy(&standings);
        assert!(games.len() == 5 && games.iter().all(|&games| games >= wanted), "{games:?}");
        folder.done(&["verify", "--db", ".arbitre/tournament-cup.toml.db"]);
    }
}

/// A player that could be started for one shard only would have pairings in one of them.
#[test]
fn shards_of_other_players_are_not_merged() {
    let folder = Folder::new("shards");
    let bot = format!("#!/bin/sh\n[ -e flag ] || exit 3\nexec '{REFEREE}' bot tron random\n");
    let settings = format!(
        "format = \"balanced\"\ngames-per-player = 8\nallow-read = [\"{REFEREE}\", \"flag\"]"
    );
    folder.file("flag", "");
    cup(&folder, &settings, 2, 5, &[("moody", &bot)]);
    folder.done(&["tournament", "cup.toml", "--shard", "1/2", "--db", "1.db"]);
    std::fs::remove_file(folder.path("flag")).unwrap();
    folder.file("flag.txt", "");
    cup(&folder, &settings.replace("\"flag\"", "\"flag.txt\""), 2, 5, &[("moody", &bot)]);
    folder.done(&["tournament", "cup.toml", "--shard", "2/2", "--db", "2.db"]);
    let output = folder.run(&["merge", "1.db", "2.db", "--output", "both.db"]);
    let error = stderr(&output);
    assert!(error.contains("expected the pairings of 1.db, got those of other players"), "{error}");
}

/// Wrong options are refused before the builds, which may take minutes.
#[test]
fn wrong_options_are_refused_before_the_builds() {
    let folder = Folder::new("options");
    for number in 0..40 {
        folder.file(&format!("class/s{number}/build.sh"), "cp source bot\n");
    }
    for (more, code, expected) in [
        (&["--seats", "4"][..], 2, "expected at most 5000 groups"),
        (&["--seats", "9"], 2, "expected 2 to 4 seats, got 9"),
        (&["--format", "balanced"], 2, "games-per-player: expected a number"),
        (&["--format", "double-knockout", "--seats", "4"], 2, "two seats for double elimination"),
        (&["--openings", "-1"], 6, "--openings: expected a number of plies"),
        (&["--memory", "1KiB"], 2, "--memory"),
        (&["--rules", "size=1x1"], 2, "size"),
    ] {
        for dry in [&["--dry-run"][..], &[]] {
            let words = [&["tournament", "class", "--game", "tron"], more, dry].concat();
            let output = folder.run(&words);
            assert!(stderr(&output).contains(expected), "{more:?}: {}", stderr(&output));
            assert_eq!(output.status.code(), Some(code), "{more:?}: {}", stderr(&output));
            assert!(!folder.path(".arbitre/builds").exists(), "{more:?} built");
        }
    }
}

/// A dry run builds, pairs the players that could be built, and names the others.
#[test]
fn dry_run_names_the_players_that_would_not_play() {
    let folder = Folder::new("dry broken");
    for name in ["ada", "bea", "cleo"] {
        folder.program(&format!("class/{name}/bot"), SHELL_BOT);
    }
    folder.file("class/empty/notes.txt", "I will do it");
    folder.file("class/wrong/build.sh", "echo no such luck >&2; exit 1\n");
    for (options, games) in [
        ("--games=2", "6 games"),
        ("--format=gauntlet", "8 games"),
        ("--format=swiss", "12 games"),
        ("--format=knockout", "8 to 24 games"),
        ("--format=ladder", "150 games"),
    ] {
        let words = ["tournament", "class", "--game", "awele", "--dry-run", options];
        let text = folder.done(&words);
        assert!(text.contains(&format!("5 players, {}", &options[9..])) || options == "--games=2");
        assert!(text.contains(games), "{options}: {text}");
        let (first, broken) = text.split_once("these would not play:\n").expect("some are broken");
        let (_, pairs) = first.split_once("first round:\n").expect("there are pairings");
        assert!(!pairs.contains("empty") && !pairs.contains("wrong"), "{options}: {text}");
        assert!(broken.contains("  empty: expected an entry point"), "{options}: {text}");
        assert!(
            broken.contains("  wrong: ") && broken.contains("exit code 1"),
            "{options}: {text}"
        );
    }
}
