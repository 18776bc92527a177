//! Mistakes in a tournament: one clear error each, and nothing that was played is lost.

use crate::tournament::harness::{player, Folder, PLAYERS};
use arbitre_test_support::command::stderr;

/// Settings, players, exit code, and a part of the error.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], i32, &'a str);

const GRADE: &str = "[[grade]]\nbot = \"awele best\"\npoints = 2";

#[test]
fn mistakes_are_one_clear_error() {
    let folder = Folder::new("mistakes");
    let two = &PLAYERS[..2];
    let twice = [PLAYERS[0], PLAYERS[0]];
    let cases: [Case; 20] = [
        ("", &[], 6, "expected at least two players, got 0"),
        ("", &twice, 6, "expected players of different names, got 'ada' twice"),
        ("gmae = \"awele\"", two, 6, "did you mean game?"),
        ("seats = 3", two, 2, "awele: expected 2 seats, got 3"),
        ("rounds = 3", two, 2, "rounds: expected the format swiss, got round-robin"),
        ("rounds = 3", two, 2, "help: choose the format swiss, or leave out rounds"),
        ("sprt = \"elo1=5\"", two, 2, "sprt: expected the format gauntlet, got round-robin"),
        (
            "sprt = \"elo2=5\"",
            two,
            6,
            "sprt: option: expected elo0, elo1, alpha, beta, model, repeats or batch",
        ),
        ("sprt = { elo1 = \"x\" }", two, 6, "expected elo1 to be a finite number, got 'x'"),
        ("format = \"balanced\"", two, 2, "games-per-player: expected a number"),
        (
            "[players]\nfrom = \"absent\"",
            two,
            6,
            "from: expected a folder or a zip file, got 'absent'",
        ),
        ("until = \"21:30\"", two, 6, "expected a key ("),
        ("rules = \"sweep=maybe\"", two, 2, "sweep"),
        ("format = \"graded\"", two, 2, "[[grade]]: expected a fixed bot for the format graded"),
        (GRADE, two, 2, "[[grade]]: expected the format graded, got round-robin"),
        (
            "format = \"graded\"\n[[grade]]\nbot = \"x=awele best\"\npoints = -2",
            two,
            6,
            "points: expected a number above 0, got -2",
        ),
        (
            "format = \"graded\"\n[[grade]]\nbot = \"ada=awele best\"\npoints = 2",
            two,
            6,
            "expected players of different names, got 'ada' twice",
        ),
        (
            "format = \"graded\"\n[[grade]]\nbot = \"a b=c 'd\"\npoints = 2",
            two,
            6,
            "cup.toml:8:1: bot: ",
        ),
        (
            "format = \"graded\"\nrounds = 2\n[[grade]]\nbot = \"awele best\"\npoints = 2",
            two,
            2,
            "rounds: expected the format swiss, got graded",
        ),
        (
            "format = \"graded\"\n[[grade]]\nbot = \"a=awele best\"\npoints = 2\n\
             [[grade]]\nbot = \"b=awele best\"\npoints = 2",
            &[],
            2,
            "graded: expected a player beside the fixed bots, got none",
        ),
    ];
    for (settings, players, code, part) in cases {
        folder.cup(settings, players);
        let output = folder.run(&["tournament", "cup.toml"]);
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{settings}: {error}");
        assert!(error.contains(part), "{settings}: {error}");
        assert!(error.starts_with("error: ") && error.lines().count() <= 2, "{error}");
    }
    let absent = folder.run(&["tournament", "absent.toml"]);
    assert_eq!(stderr(&absent), "error: absent.toml: no such file or folder\n");
    let times = folder.run(&["tournament", "cup.toml", "--until", "25:00"]);
    assert!(stderr(&times).contains("expected a time like 21:30, got '25:00'"));
}

/// A file with the results of another tournament is refused, and stays as it is.
#[test]
fn other_tournament_is_refused() {
    let folder = Folder::new("other");
    folder.cup("games = 2", &PLAYERS[..2]);
    folder.standings(&[]);
    let export = folder.export();
    folder.cup("games = 2\nformat = \"swiss\"", &PLAYERS[..2]);
    let output = folder.run(&["tournament", "cup.toml"]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("its format is round-robin, not swiss"),
        "{}",
        stderr(&output)
    );
    assert_eq!(folder.export(), export);
}

#[test]
fn dry_run_plays_nothing() {
    let folder = Folder::new("dry");
    folder.cup("games = 2\nname = \"Cup of 2026\"", &PLAYERS);
    let text = folder.done(&["tournament", "cup.toml", "--dry-run"]);
    assert!(text.starts_with("Cup of 2026: 6 players, round-robin, 30 games, seed 7\n"), "{text}");
    assert!(!folder.path(".arbitre/tournament-cup.toml.db").exists());
}

/// In a solo game every player solves the same instances, and no other format is possible.
#[test]
fn solo_games_are_a_round_robin() {
    let folder = Folder::new("solo");
    let players = [("ida", "taquin best"), ("quinn", "taquin quick"), ("rob", "taquin random")];
    folder.cup("rules = \"eight\"\ngames = 6", &players);
    let text = std::fs::read_to_string(folder.path("cup.toml")).unwrap();
    folder.file("cup.toml", &text.replace("awele", "taquin"));
    let standings = folder.standings(&[]);
    assert_eq!(crate::tournament::harness::names(&standings), ["ida", "quinn", "rob"]);
    let ratings = ["ida", "quinn", "rob"].map(|name| player(&standings, name)["rating"].as_f64());
    assert!(ratings[0] > ratings[1] && ratings[1] > ratings[2], "{standings}");
    let swiss = folder.run(&["tournament", "cup.toml", "--format", "swiss", "--db", ":memory:"]);
    assert_eq!(swiss.status.code(), Some(2));
    assert!(stderr(&swiss).contains("swiss: expected at least two seats"), "{}", stderr(&swiss));
}

/// A bye gives points, and is no game.
#[test]
fn tables_of_four_fill_a_swiss_tournament() {
    let folder = Folder::new("four");
    let players: Vec<(String, &str)> = (1..=9)
        .map(|n| (format!("p{n}"), if n % 2 == 0 { "tron wall-hugger" } else { "tron random" }))
        .collect();
    let players: Vec<(&str, &str)> =
        players.iter().map(|(name, of)| (name.as_str(), *of)).collect();
    folder.cup("rules = \"size=12x9\"\nseats = 4\nformat = \"swiss\"\nrounds = 4", &players);
    let text = std::fs::read_to_string(folder.path("cup.toml")).unwrap();
    folder.file("cup.toml", &text.replace("\"awele\"", "\"tron\""));
    let standings = folder.standings(&[]);
    assert_eq!((&standings["games"], &standings["complete"]), (&32.into(), &true.into()));
    let with_a_bye: Vec<&serde_json::Value> = standings["standings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|player| player["games"] == 12)
        .collect();
    assert_eq!(with_a_bye.len(), 4, "each round has one bye, and never the same player twice");
    for player in with_a_bye {
        assert!(player["points"].as_f64().unwrap() >= 4.0, "a bye is a won meeting: {player}");
    }
}

#[test]
fn reference_players_are_shown_and_not_ranked() {
    let folder = Folder::new("reference");
    folder.cup("games = 2\n[players]\nreference = [\"awele best --depth 4\"]", &PLAYERS[3..]);
    let files = ["s.md", "s.csv", "s.json", "s.html"];
    let outputs: Vec<&str> = files.iter().flat_map(|file| ["--output", file]).collect();
    let standings = folder.standings(&outputs);
    let best = player(&standings, "awele best");
    assert_eq!((&best["status"], &best["rank"]), (&"reference".into(), &serde_json::Value::Null));
    assert!(best["rating"].as_f64() > player(&standings, "dan")["rating"].as_f64());
    assert_eq!(player(&standings, "dan")["rank"], 1);
    let text = folder.done(&["tournament", "cup.toml"]);
    assert!(text.lines().take(7).all(|line| line.chars().count() <= 80), "{text}");
    let read = |name| std::fs::read_to_string(folder.path(name)).unwrap();
    assert_eq!(read("s.csv").lines().count(), 5);
    assert!(read("s.csv").starts_with(
        "rank,name,points,games,rating,error,faults,status,reason,attempts,percent\n1,dan,"
    ));
    assert!(
        read("s.md").contains("| 1 | dan | ")
            && read("s.md").contains("## Points against each other")
    );
    assert!(read("s.json").contains("\"status\":\"reference\""));
    assert!(read("s.html").contains("id=\"standings\""));
    let wrong = folder.run(&["tournament", "cup.toml", "--anonymous", "--events"]);
    assert!(stderr(&wrong).contains("--events: expected no --anonymous beside it"));
    let wrong = folder.run(&["tournament", "cup.toml", "--output", "s.pdf"]);
    assert!(stderr(&wrong).contains("--output: expected a file .html, .md, .csv or .json, got"));
}

/// A program with a fault at its second move, as the file `main.py`.
const FAULTY: &str = "import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == 'begin': print('ready faulty', flush=True)
    if word == 'legal': legal = rest
    if word == 'go': print('nonsense', flush=True)
";

/// After a fault the last lines are commands that show it and test the program, wherever the file
/// of the games and the program are.
#[test]
fn commands_after_a_fault_run_as_printed() {
    let folder = Folder::new("advice");
    let calm = ["--move-time", "30s", "--first-move-time", "30s", "--games", "2"];
    let bot = "python3 sub/class/ada/main.py";
    folder.file("sub/class/ada/main.py", FAULTY);
    folder.file("sub/class/my bob/main.py", &format!("{FAULTY}#"));
    folder.file("sub/class/eve/made", &format!("#!/usr/bin/env python3\n{FAULTY}"));
    folder.file("sub/class/eve/build.sh", "cp made bot; chmod +x bot; rm made");
    folder.file("sub/cup.toml", "[tournament]\ngame = \"awele\"\n[players]\nfrom = \"class\"");
    folder.done(&["new-game", "python", "rules"]);
    let rules = ["--external", "python3 rules/tictactoe.py"];
    let cases: [(&[&str], usize); 8] = [
        (&[bot, "awele random"], 2),
        (&[bot, "awele random", "--db", "my games.db", "--rules", "max-plies=50"], 2),
        (&[bot, "awele random", "--db", ":memory:"], 1),
        (&["awele random", "b=awele random", "--db", "no.db"], 0),
        (&["tournament", "sub/class", "--game", "awele"], 4),
        (&["tournament", "sub/cup.toml"], 4),
        (&[bot, "b=python3 sub/class/ada/main.py", rules[0], rules[1]], 3),
        // A check would need the rules in the folder of the program.
        (&["tournament", "sub/class", "--db", "own.db", rules[0], rules[1]], 1),
    ];
    let programs = std::path::Path::new(crate::tournament::harness::REFEREE).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    for (words, expected) in cases {
        let text = folder.run(&[words, &calm].concat());
        let text = String::from_utf8(text.stdout).unwrap();
        let (_, advice) = text.split_once("\nto find the cause:\n").unwrap_or_default();
        let lines: Vec<&str> = advice.lines().filter(|line| line.starts_with("  ")).collect();
        assert_eq!(lines.len(), expected, "{words:?}: {text}");
        for line in lines {
            let mut shell = std::process::Command::new("sh");
            // Fewer games, for speed.
            let fewer = line.replace("referee check", "referee check --games 2");
            shell.args(["-c", &fewer]).env("PATH", &path).current_dir(folder.path("."));
            let output = shell.output().unwrap();
            let told = String::from_utf8_lossy(&output.stdout);
            assert!(told.contains("nonsense"), "{line}: {told}{}", stderr(&output));
            // The program of a student sees no more than in the tournament.
            let is_class = line.contains(" check ") && words[0] == "tournament";
            assert_eq!(line.contains("--profile class"), is_class, "{line}");
            // A check that finds a mistake has its own exit code.
            let code = if line.contains(" check ") { 1 } else { 0 };
            assert_eq!(output.status.code(), Some(code), "{line}: {told}");
        }
    }
}

/// Rows of CSV files as Python reads them: a line of JSON for each file.
const READER: &str = "import csv, json, sys
for name, delimiter, encoding in (
    ('plain.csv', ',', 'utf-8'), ('fr.csv', ';', 'utf-8-sig'),
    ('plain-games.csv', ',', 'utf-8'), ('fr-games.csv', ';', 'utf-8-sig')):
    with open(name, encoding=encoding, newline='') as file:
        print(json.dumps(list(csv.reader(file, delimiter=delimiter))))
";

/// Both dialects of CSV hold the same table. French ones have decimal commas, and no cell of either
/// is a formula.
#[test]
fn grades_open_in_excel_with_french_settings() {
    let folder = Folder::new("csv");
    // A folder without a program is listed with its reason.
    folder.file("class/=SUM(A1)/notes.txt", "");
    let settings = |csv: &str| format!("games = 12\n{csv}\n[players]\nfrom = \"class\"");
    let players = [("é;x,y", "awele alpha-beta --depth 2"), ("dan", "awele greedy")];
    folder.cup(&settings("csv = \"excel-fr\""), &players);
    folder.done(&["tournament", "cup.toml", "--output", "fr.csv"]);
    folder.done(&["tournament", "cup.toml", "--output", "plain.csv", "--csv", "plain"]);
    let export = |more: &[&str]| {
        let words = ["export", "--db", ".arbitre/tournament-cup.toml.db", "--format", "csv"];
        folder.done(&[&words, more].concat());
    };
    export(&["--times", "--output", "plain-games.csv"]);
    export(&["--times", "--csv", "excel-fr", "--output", "fr-games.csv"]);
    let french = std::fs::read_to_string(folder.path("fr.csv")).unwrap();
    assert!(french.starts_with("\u{feff}rank;name;points;games;rating;"), "{french}");
    let python = std::process::Command::new("python3")
        .args(["-c", READER])
        .current_dir(folder.path("."))
        .output();
    let Ok(output) = python else {
        eprintln!("SKIPPED: no CSV was read by Python, as there is no python3");
        return;
    };
    let tables: Vec<Vec<Vec<String>>> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [plain, french, games, french_games] = &tables[..] else { panic!("{tables:?}") };
    let with_points = |cell: &String| cell.replace(',', ".");
    for (plain, french, numbers) in [
        (plain, french, &["points", "rating", "error", "percent"][..]),
        (games, french_games, &["seconds", "times_ms"]),
    ] {
        assert_eq!((plain[0].clone(), plain.len()), (french[0].clone(), french.len()));
        for (row, of_french) in plain.iter().zip(french).skip(1) {
            for ((head, cell), of_french) in plain[0].iter().zip(row).zip(of_french) {
                if numbers.contains(&head.as_str()) {
                    assert!(!of_french.contains('.'), "{head}: {of_french}");
                    assert_eq!(&with_points(of_french), cell, "{head}");
                } else {
                    assert_eq!(of_french, cell, "{head}");
                }
                assert!(!cell.starts_with(['=', '+', '@']), "a spreadsheet computes {cell}");
            }
        }
    }
    let names: Vec<&str> = french[1..].iter().map(|row| row[1].as_str()).collect();
    assert_eq!((names.contains(&"é;x,y"), names[2]), (true, "'=SUM(A1)"), "{names:?}");
    assert!(french[1..].iter().any(|row| row[4].starts_with('-') && row[4].contains(',')));
    folder.cup(&settings("csv = \"exel-fr\""), &players);
    let wrong = stderr(&folder.run(&["tournament", "cup.toml"]));
    let told = "csv: expected plain or excel-fr, got 'exel-fr'\nhelp: did you mean excel-fr?";
    assert!(wrong.contains(told), "{wrong}");
}
