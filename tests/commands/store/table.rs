//! Every command for stored files with every file: it works, or it refuses with a line that names a
//! command which works.

use crate::store::crossings::killed;
use crate::store::format2::{lay, names};
use crate::store::harness::{stderr, Folder, CALM};
use arbitre_test_support::command;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Output;
use std::thread;

/// File of a format that no referee of format 2 had.
const NEW: &str = "graded";
/// Tournament of that file.
const NEW_SOURCE: &str = "[tournament]\ngame = \"awele\"\nseed = 7\nmove-time = \"60s\"\n\
    first-move-time = \"60s\"\ninit-time = \"60s\"\nformat = \"graded\"\ngames = 2\n\
    [[grade]]\nbot = \"bea=awele alpha-beta --depth 1\"\npoints = 1\n\
    [[grade]]\nbot = \"cleo=awele random\"\npoints = 2\n\
    [[player]]\nname = \"ada\"\ncommand = \"awele greedy\"\n\
    [[player]]\nname = \"dan\"\ncommand = \"awele random\"\n";

/// Files of the columns: a short name, that of the file, and its players.
const FILES: [(&str, &str, &[&str]); 18] = [
    ("ba", "balanced", &["ada=awele greedy", "dan=awele random"]),
    ("dk", "double-knockout", &["ada=awele greedy", "dan=awele random"]),
    ("ex", "external", &["a=python3 bot.py/bot.py", "b=python3 bot.py/bot.py"]),
    ("ga", "gauntlet", &["ada=awele greedy", "dan=awele random"]),
    ("gr", NEW, &["ada=awele greedy", "dan=awele random"]),
    ("kn", "knockout", &["ada=awele greedy", "dan=awele random"]),
    ("la", "ladder", &["ada=awele greedy", "dan=awele random"]),
    ("ma", "match", &["awele-a=awele alpha-beta --depth 2", "b=awele random"]),
    ("me", "merged", &["a=awele greedy", "b=awele random", "c=awele random"]),
    ("ro", "round-robin", &["ada=awele greedy", "dan=awele random"]),
    ("sh", "shard", &["a=awele greedy", "b=awele random", "c=awele random"]),
    ("so", "solo", &["taquin best", "taquin random"]),
    ("sw", "swiss", &["ada=awele greedy", "dan=awele random"]),
    ("ta", "table", &["a=tron wall-hugger", "b=tron fixed", "c=tron random"]),
    ("te", "test", &["awele alpha-beta --depth 2", "awele random"]),
    ("tg", "tested-gauntlet", &["ada=awele greedy", "dan=awele random"]),
    ("un", "unfinished", &["ada=awele greedy", "dan=awele random"]),
    ("ve", "versions", &["bad=./bot", "b=awele greedy"]),
];

/// Commands with a cell for each file: `+` works, a letter is that of a refusal.
///
/// In a command, DB is the file. TOML is the file of its tournament, or that of another one for a
/// match. PLAYERS are its players, PLAYER is the first of them, LAST the number of its last game.
const TABLE: &str = "
command                       ba dk ex ga gr kn la ma me ro sh so sw ta te tg un ve
list                          +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
list --games                  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
show last                     +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
replay last                   +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
report --output r.html        +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
report --projector -o p.html  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
report --anonymous -o a.html  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
report --svg ratings          +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
rerun last                    +  +  x  +  +  +  +  +  +  +  +  +  +  +  +  +  +  b
export                        +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
verify                        +  +  v  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
verify --allow-rules          +  +  x  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
show last --allow-rules       +  +  x  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
merge DB --output new.db      +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
drop 0                        +  g  +  +  +  g  +  +  +  +  +  +  g  +  +  +  +  +
drop LAST                     +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +  +
drop PLAYER                   +  p  f  h  +  p  p  f  +  +  +  +  p  f  f  h  p  f
--resume                      t  t  n  t  t  t  t  +  +  t  +  +  t  +  +  t  t  n
--resume --games 60           t  t  n  t  t  t  t  +  +  t  +  +  t  +  +  t  t  n
--resume --games 1            t  t  n  t  t  t  t  s  s  t  s  s  t  s  s  t  t  n
PLAYERS                       T  T  e  T  T  T  T  o  o  T  o  o  T  o  o  T  T  b
PLAYERS --resume              t  t  y  t  t  t  t  +  +  t  +  +  t  +  +  t  t  b
tournament TOML               +  +  m  +  +  +  +  m  m  +  m  m  +  m  m  +  +  m
tournament TOML --per-player d +  +  m  +  +  +  +  m  m  +  m  m  +  m  m  +  +  m
tournament TOML --games 4     +  z  m  +  +  z  +  m  m  +  m  m  z  m  m  s  z  m
";

/// Refusals: the letter, the exit codes, a part of the line, and a command that works. The last is
/// empty where no command helps, for example in another folder.
const REFUSALS: [(&str, &[i32], &str, &str); 16] = [
    ("b", &[3], "expected a program, got './bot'", ""),
    ("e", &[2], "--game: expected ", ""),
    ("f", &[2], "players to be left", "drop LAST"),
    ("g", &[2], "expected games of its last stage", "list --games"),
    ("h", &[2], "whom all others meet; help: name games instead", "drop LAST"),
    ("m", &[2], "expected a tournament, got a match", "--resume"),
    ("n", &[6], "its players were named in", ""),
    ("o", &[4], "it already holds a match; help: continue it with --resume", "--resume"),
    ("p", &[2], "whose stages name its players; help: take the player out", "tournament TOML"),
    ("s", &[4], "games, got fewer; help: write --games ", "--resume --games 60"),
    ("t", &[2], "help: write referee tournament ", "tournament TOML"),
    ("T", &[4], "it already holds a tournament; help: continue it with ", "tournament TOML"),
    ("v", &[1], "write --allow-rules to start it", "verify --allow-rules"),
    ("x", &[1, 6], "expected the folder /tmp/arbitre-format2 of its rules", ""),
    ("z", &[4], "and its stages have begun; help: repeat the options", "tournament TOML"),
    ("y", &[6], "--external: the rules failed at 'rules'", ""),
];

/// Commands with files of another kind.
const OTHERS: [&str; 1] = ["tune"];

/// States of a file, with a cell for each command: `+` works, a letter is that of a problem.
const STATES: &str = "
command                       gone empty text old new cut foreign orphan tuning
list                          G    E     F    O   N   c   f       w      T
show last                     G    E     F    O   N   c   f       w      T
export                        G    E     F    O   N   c   f       w      T
report --projector -o p.html  G    E     F    O   N   c   f       w      T
verify                        G    E     F    O   N   c   f       w      T
merge DB --output new.db      G    E     F    O   N   c   f       w      T
drop 0                        G    E     F    O   N   c   f       w      T
--resume                      G    E     F    O   N   c   f       w      T
PLAYERS                       +    +     F    O   N   c   f       w      T
PLAYERS --resume              +    +     F    O   N   c   f       w      T
tournament TOML               +    +     F    O   N   c   f       w      T
";

/// Problems of a file: the letter, a part of the line, and the exit codes.
const PROBLEMS: [(&str, &str, &[i32]); 9] = [
    ("G", "there is no such file", &[6]),
    ("E", "no match", &[4]),
    ("F", "expected a database of Arbitre, got another file", &[4]),
    ("O", "of an older referee; help: ", &[4]),
    ("N", "of a newer referee; help: ", &[4]),
    ("T", "it holds evaluations", &[4]),
    ("c", "its file -wal is missing", &[0, 1, 2, 4]),
    ("f", "belongs to another file; help: ", &[4]),
    ("w", "holds games of a file that was here; help: ", &[4]),
];

/// Rows of a table: the command, and its cells by column.
fn rows(table: &'static str) -> Vec<(&'static str, BTreeMap<&'static str, &'static str>)> {
    let mut lines = table.trim().lines();
    let columns: Vec<&str> = lines.next().unwrap().split_whitespace().skip(1).collect();
    let row = |line: &'static str| {
        let (command, cells) = line.split_at(30);
        let cells: Vec<&str> = cells.split_whitespace().collect();
        assert_eq!(cells.len(), columns.len(), "{command} has empty cells");
        (command.trim(), columns.iter().copied().zip(cells).collect())
    };
    lines.map(row).collect()
}

/// Returns the words of a command for the file `name.db`.
fn words(command: &str, folder: &Folder, name: &str, players: &[&str]) -> Vec<String> {
    let db = format!("{name}.db");
    let mut words = Vec::new();
    for word in command.split(' ') {
        match word {
            "DB" => words.push(db.clone()),
            "TOML" => words.push(format!("{name}.toml")),
            "PLAYERS" => {
                words.extend(players.iter().chain(&CALM[..3]).map(|&word| word.to_owned()));
            }
            "PLAYER" => {
                let first = players[0].split('=').next().unwrap();
                words.push(first.split(" --").next().unwrap().to_owned());
            }
            "LAST" => {
                let connection = Connection::open(folder.join(&db)).unwrap();
                let sql = "SELECT max(number) FROM game";
                let last: i64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
                words.push(last.to_string());
            }
            word => words.push(word.to_owned()),
        }
    }
    if !command.starts_with("merge") {
        words.extend(["--db".to_owned(), db]);
    }
    words
}

fn run(folder: &Folder, words: &[String]) -> Output {
    folder.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns the letter of what a command did, or else its output.
fn cell(output: &Output) -> Result<&'static str, String> {
    let (text, code) = (command::stdout(output) + &stderr(output), output.status.code());
    let text = text.replace("\nhelp: ", "; help: ");
    if code == Some(0) {
        return Ok("+");
    }
    let is_it = |part: &str, codes: &[i32]| text.contains(part) && codes.contains(&code.unwrap());
    let found = REFUSALS.iter().find(|(_, codes, part, _)| is_it(part, codes));
    found.map(|(letter, ..)| *letter).ok_or(format!("{code:?}: {text}"))
}

/// Lays a file of format 2 or its copy of format 3 into an empty folder.
fn folder_with(name: &str, bytes: Option<&[u8]>, label: &str) -> Folder {
    let folder = Folder::new(label);
    match name {
        NEW => fs::write(folder.join(&format!("{NEW}.toml")), NEW_SOURCE).unwrap(),
        name => lay(&folder, name),
    }
    let toml = folder.join(&format!("{name}.toml"));
    if !toml.exists() {
        // The tournament of other players.
        lay(&folder, "round-robin");
        fs::rename(folder.join("round-robin.toml"), toml).unwrap();
        fs::remove_file(folder.join("round-robin.db")).unwrap();
    }
    if let Some(bytes) = bytes {
        fs::write(folder.join(&format!("{name}.db")), bytes).unwrap();
    }
    folder
}

/// Compares a row of cells with what the commands do. Returns the differences.
fn differences(name: &str, players: &[&str], column: &str, format: i64) -> Vec<String> {
    let label = format!("table {name} {format}");
    let copy = (format == 3).then(|| {
        let folder = folder_with(name, None, &label);
        match name {
            NEW => folder.done(&["tournament", &format!("{NEW}.toml"), "--db", "copy.db"]),
            name => folder.done(&["merge", &format!("{name}.db"), "--output", "copy.db"]),
        };
        fs::read(folder.join("copy.db")).unwrap()
    });
    let mut found = Vec::new();
    for (command, cells) in rows(TABLE) {
        let folder = folder_with(name, copy.as_deref(), &label);
        let told = cell(&run(&folder, &words(command, &folder, name, players)));
        if told != Ok(cells[column]) {
            found.push(format!("{command}, {name}: '{}', got {told:?}", cells[column]));
        }
        // The command that a refusal names, where the table says that it works.
        let cure = REFUSALS.iter().find(|(letter, ..)| *letter == cells[column]);
        let Some((_, _, _, cure)) = cure.filter(|(_, _, _, cure)| !cure.is_empty()) else {
            continue;
        };
        let row = rows(TABLE).into_iter().find(|(command, _)| command == cure);
        let (_, cells) = row.unwrap_or_else(|| panic!("{cure} has no row"));
        let output = run(&folder, &words(cure, &folder, name, players));
        if cells[column] == "+" && cell(&output) != Ok("+") {
            found.push(format!("{command}, {name}: {cure} fails: {}", stderr(&output)));
        }
    }
    found
}

fn check_table(format: i64) {
    let files: Vec<_> = FILES.into_iter().filter(|of| format == 3 || of.1 != NEW).collect();
    // Two at once, as most of the time goes to starting programs.
    let halves = files.split_at(files.len() / 2);
    let found: Vec<String> = thread::scope(|scope| {
        let check = |files: &[(&'static str, &'static str, &'static [&'static str])]| {
            let files = files.to_vec();
            let found = |(column, name, players): &(&str, &str, &[&str])| {
                differences(name, players, column, format)
            };
            move || files.iter().flat_map(found).collect::<Vec<_>>()
        };
        let halves = [halves.0, halves.1].map(|half| scope.spawn(check(half)));
        halves.into_iter().flat_map(|half| half.join().unwrap()).collect()
    });
    assert!(found.is_empty(), "format {format}:\n{}", found.join("\n"));
}

#[test]
fn commands_answer_for_each_file_of_format_2() {
    check_table(2);
}

#[test]
fn commands_answer_for_each_file_of_format_3() {
    check_table(3);
}

/// Puts the file `match.db` of a folder into a state.
fn put_into(state: &str, folder: &Folder) {
    let db = folder.join("match.db");
    let pragma = |sql: &str| Connection::open(&db).unwrap().execute_batch(sql).unwrap();
    match state {
        "gone" => fs::remove_file(&db).unwrap(),
        "empty" => fs::write(&db, "").unwrap(),
        "text" => fs::write(&db, "x".repeat(5000)).unwrap(),
        "old" => pragma("PRAGMA user_version = 1"),
        "new" => pragma("PRAGMA user_version = 99"),
        "tuning" => pragma(&format!("PRAGMA application_id = {}", i32::from_be_bytes(*b"ArbT"))),
        "cut" | "foreign" | "orphan" => {
            let copy = fs::read(&db).unwrap();
            fs::remove_file(&db).unwrap();
            killed(folder, "match.db");
            match state {
                "cut" => fs::remove_file(folder.join("match.db-wal")).unwrap(),
                "foreign" => fs::write(&db, copy).unwrap(),
                _ => fs::remove_file(&db).unwrap(),
            }
            let _ = fs::remove_file(folder.join("match.db-shm"));
        }
        state => panic!("{state} is no state"),
    }
}

#[test]
fn commands_answer_for_each_state_of_a_file() {
    let copies = Folder::new("states");
    lay(&copies, "match");
    copies.done(&["merge", "match.db", "--output", "copy.db"]);
    let copy = fs::read(copies.join("copy.db")).unwrap();
    let (_, _, players) = FILES.iter().find(|(_, name, _)| *name == "match").unwrap();
    let mut found = Vec::new();
    let table = rows(STATES);
    for state in table[0].1.keys() {
        let made = folder_with("match", Some(&copy), "state");
        put_into(state, &made);
        let files: Vec<_> = ["match.db", "match.db-wal"]
            .into_iter()
            .filter_map(|name| Some((name, fs::read(made.join(name)).ok()?)))
            .collect();
        for (command, cells) in &table {
            let folder = folder_with("match", None, "state");
            fs::remove_file(folder.join("match.db")).unwrap();
            files.iter().for_each(|(name, bytes)| fs::write(folder.join(name), bytes).unwrap());
            let output = run(&folder, &words(command, &folder, "match", players));
            let text = command::stdout(&output) + &stderr(&output);
            let (text, code) =
                (text.replace("\nhelp: ", "; help: "), output.status.code().unwrap());
            let problem = PROBLEMS.iter().find(|(_, part, _)| text.contains(part));
            let told = match problem {
                Some((letter, _, codes)) if codes.contains(&code) => *letter,
                None if code == 0 => "+",
                _ => "?",
            };
            if told != cells[state] {
                found.push(format!(
                    "{command}, {state}: '{}', got '{told}', {code}: {text}",
                    cells[state]
                ));
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// A new command or a new file fails here until the table has its row or its column.
#[test]
fn table_has_every_command_and_every_file() {
    let files: BTreeSet<&str> = FILES.iter().map(|(_, name, _)| *name).collect();
    assert_eq!(files, names().into_iter().chain([NEW]).collect());
    let columns: BTreeSet<&str> = FILES.iter().map(|(column, ..)| *column).collect();
    assert_eq!(columns.len(), FILES.len());
    for (command, cells) in rows(TABLE) {
        assert_eq!(cells.keys().copied().collect::<BTreeSet<_>>(), columns, "{command}");
    }
    let folder = Folder::new("every command");
    let help = String::from_utf8(folder.done(&["--help"])).unwrap();
    let (listed, also) = help.split_once("And: ").unwrap();
    let listed = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let also = also.lines().next().unwrap().split(", ");
    let of_table =
        |name: &str| rows(TABLE).iter().any(|(row, _)| row.split(' ').next() == Some(name));
    let mut count = 0;
    for name in listed.chain(also).filter(|name| !name.is_empty() && !OTHERS.contains(name)) {
        let output = folder.run(&[name, "--help"]);
        let help = String::from_utf8_lossy(&output.stdout).into_owned();
        if help.contains("--db <FILE>") || help.contains("<FILE>...") {
            assert!(of_table(name), "{name} has no row");
            count += 1;
        }
    }
    assert!(count >= 10, "{count} commands");
}
