//! The examples in the README and on the pages match the programs.

use arbitre_test_support::command::{cleared, scratch};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

pub fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// Returns the first code block of `language` on a page.
fn block(page: &str, language: &str) -> String {
    let start = format!("```{language}\n");
    let at = page.find(&start).unwrap_or_else(|| panic!("no block of {language}")) + start.len();
    page[at..].split("```").next().unwrap().to_owned()
}

fn referee() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.current_dir(arbitre_test_support::command::scratch());
    command.stdin(Stdio::null());
    command
}

/// Creates an empty folder.
pub fn new_folder(name: &str) -> PathBuf {
    let folder = cleared(scratch().join(name));
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn the_five_line_bot_plays() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: the README's Python bot was not played, as there is no python3");
        return;
    }
    let program = block(&page("README.md"), "python");
    assert_eq!(program.lines().count(), 5);
    let folder = arbitre_test_support::command::scratch().join("readme");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("my_bot.py"), program).unwrap();
    let mut match_ = referee();
    match_.args(["python3 my_bot.py", "awele greedy", "--games", "6", "--json"]);
    let output = match_.args(["--move-time", "20s"]).current_dir(&folder).output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&document["games"], &document["complete"]), (&6.into(), &true.into()));
    assert_eq!(document["players"][0]["name"], "my_bot");
    for player in document["players"].as_array().unwrap() {
        assert_eq!(player["faults"], serde_json::json!({}), "{document}");
    }
}

/// Commands that are not run: page, beginning of the line, and reason.
const NOT_RUN: [(&str, &str, &str); 39] = [
    ("README.md", "git clone", "needs an address"),
    ("README.md", "cargo ", "builds the project"),
    ("docs/awele.md", "referee human", "needs a person"),
    ("docs/clusters.md", "srun", "needs a Slurm"),
    ("docs/clusters.md", "scripts/slurm/", "run by scripts/loopback"),
    ("docs/clusters.md", "referee report", "needs the match before"),
    ("docs/clusters.md", "referee ./new ./old", "needs two programs"),
    ("docs/clusters.md", "referee merge", "needs the parts"),
    ("docs/codingame.md", "referee ./my_tron_bot", "needs a bot for the arena"),
    ("docs/codingame.md", "referee \"python3 oware.py\"", "needs a bot for the arena"),
    ("docs/codingame.md", "referee check", "needs a bot for the arena"),
    ("docs/codingame.md", "scripts/bundle", "run by tests/library/bots/bundles.rs"),
    ("docs/commands.md", "referee check \"python3 my_bot.py\"", "run as a command of the README"),
    ("docs/commands.md", "referee perft awele 11", "takes a minute"),
    ("docs/commands.md", "referee experiment awele", "takes minutes"),
    ("docs/commands.md", "referee experiment seven-colors", "takes minutes"),
    ("docs/commands.md", "referee man | man", "needs the program man"),
    ("docs/commands.md", "tron endgame", "takes a minute"),
    ("docs/commands.md", "seven-colors solve", "run as a command of docs/seven-colors.md"),
    ("docs/commands.md", "taquin tables", "writes 200 MB"),
    ("docs/commands.md", "hextris score", "run as a command of docs/hextris.md"),
    ("docs/commands.md", "hextris solve-all", "run as a command of docs/hextris.md"),
    ("docs/external.md", "git clone https://github.com/CodinGame", "needs a game of others"),
    ("docs/external.md", "referee ./new ./old --external", "needs a referee program"),
    ("docs/external.md", "java -jar cg-brutaltester.jar", "needs cg-brutaltester"),
    ("docs/hextris.md", "referee human", "needs a person"),
    ("docs/hextris.md", "referee icfp2015@play_icfp2015", "takes half a minute"),
    ("docs/seven-colors.md", "referee human", "needs a person"),
    ("docs/seven-colors.md", "seven-colors solve --rules filler", "takes a minute"),
    ("docs/seven-colors.md", "seven-colors solve --rules size=6x6", "takes a minute"),
    ("docs/students.md", "cargo install", "builds the project"),
    ("docs/taquin.md", "referee human", "needs a person"),
    ("docs/taquin.md", "taquin show --play", "waits between boards"),
    ("docs/tron.md", "referee human", "needs a person"),
    ("docs/tron.md", "referee \"tron fixed\" tron --nodes", "takes half a minute"),
    ("docs/tron.md", "referee list --player tron --lost", "needs the match before"),
    ("docs/tron.md", "referee replay 6", "needs the match before"),
    ("docs/tron.md", "tron endgame --boxes 20", "takes a minute"),
    ("docs/tuning.md", "referee tune \"awele alpha-beta --heuristic", "takes a minute"),
];

/// Returns the lines of all blocks of shell commands on a page.
fn shell_lines(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap_or_default().lines());
    lines.filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

/// Runs the shell commands of a page in order, in a folder that holds the README's bot.
fn follow(name: &str) {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: the commands of {name} were not run, as there is no python3");
        return;
    }
    let folder = new_folder(&format!("page-{}", name.replace('/', "-")));
    fs::write(folder.join("my_bot.py"), block(&page("README.md"), "python")).unwrap();
    if name == "docs/tournaments.md" {
        let text = page(name);
        let blocks = text.split_inclusive("```toml\n").skip(1);
        let files = ["marks.toml", "class.toml", "gauntlet.toml", "graded.toml"];
        for (file, block) in files.into_iter().zip(blocks) {
            fs::write(folder.join(file), block.split("```").next().unwrap()).unwrap();
        }
    }
    let programs = Path::new(env!("CARGO_BIN_EXE_referee")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    for line in shell_lines(&page(name)) {
        if NOT_RUN.iter().any(|(page, start, _)| *page == name && line.starts_with(start)) {
            continue;
        }
        // A generous limit, so that a loaded machine is no reason for a failure of `check`.
        let line = line.replace("referee check", "referee check --move-time 20s --games 6");
        // Smaller tables, fewer games and quick first moves show that a command works, too.
        let line = line.replace("--seeds 13", "--seeds 9");
        let line = match line.starts_with("referee ") {
            true => line
                .replace("--games 20 ", "--games 4 ")
                .replace("small --games 4 ", "small --games 2 ")
                .replace("--move-time 20ms", "--move-time 5ms --first-move-time 5ms"),
            false => line,
        };
        let begun = Instant::now();
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).env("PATH", &path).env("XDG_CACHE_HOME", &folder);
        let output = shell.current_dir(&folder).stdin(Stdio::null()).output().unwrap();
        println!("{:6.1} s  {line}", begun.elapsed().as_secs_f64());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !said.contains("Traceback"), "{name}: {line}: {said}");
    }
}

macro_rules! pages {
    ($($test:ident $page:literal)*) => {
        /// Pages whose commands are run by a test of their own.
        const FOLLOWED: &[&str] = &[$($page),*];
        $(#[test] fn $test() { follow($page); })*
    };
}

pages! {
    commands_of_the_readme_work "README.md"
    commands_of_awele_work "docs/awele.md"
    commands_of_tron_work "docs/tron.md"
    commands_of_seven_colors_work "docs/seven-colors.md"
    commands_of_taquin_work "docs/taquin.md"
    commands_of_hextris_work "docs/hextris.md"
    commands_of_matches_work "docs/matches.md"
    commands_of_commands_work "docs/commands.md"
    commands_of_clusters_work "docs/clusters.md"
    commands_of_codingame_work "docs/codingame.md"
    commands_of_tuning_work "docs/tuning.md"
    commands_of_tournaments_work "docs/tournaments.md"
    commands_of_reports_work "docs/reports.md"
    commands_of_external_work "docs/external.md"
}

#[test]
fn every_page_with_commands_is_followed() {
    let docs = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")).unwrap().flatten();
    let names = docs.filter(|entry| entry.path().extension().is_some_and(|end| end == "md"));
    for name in names.map(|entry| format!("docs/{}", entry.file_name().to_string_lossy())) {
        let is_followed = FOLLOWED.contains(&name.as_str()) || name == "docs/students.md";
        assert!(is_followed || shell_lines(&page(&name)).is_empty(), "{name} is not followed");
    }
    for (name, start, _) in NOT_RUN {
        let is_there = shell_lines(&page(name)).iter().any(|line| line.starts_with(start));
        assert!(is_there, "{name} has no command {start}");
    }
}

/// Runs the commands of the students' page in order, in a shell. The folder is new, because a
/// second run would overwrite files.
#[test]
fn commands_of_the_students_page_work() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: the students' page was not followed, as there is no python3");
        return;
    }
    let (page, folder) = (page("docs/students.md"), new_folder("students-commands"));
    let programs = Path::new(env!("CARGO_BIN_EXE_referee")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut run = 0;
    for line in page.lines().filter(|line| line.starts_with("referee ")) {
        // Generous limits avoid timeouts on a loaded machine, and a few games show that a command
        // works.
        let line = line.replace("\" --games ", "\" --move-time 20s --games ");
        let line = line.replace("referee check", "referee check --move-time 20s --games 6");
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).env("PATH", &path).current_dir(&folder).stdin(Stdio::null());
        let begun = Instant::now();
        let output = shell.output().unwrap();
        println!("{:6.1} s  {line}", begun.elapsed().as_secs_f64());
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        run += 1;
    }
    assert!(run >= 15, "{run} commands were run");
    let csv = fs::read_to_string(folder.join("class.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 3 * 12, "a line for each game and one for the names");
    assert!(fs::read_to_string(folder.join("ada.xml")).unwrap().contains("failures=\"0\""));
}

/// The `choose` of the students' page replaces that of the Python template, and measures its CPU
/// time. It uses at least half of its limit.
#[test]
fn students_bot_measures_its_time() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: the students' bot was not played, as there is no python3");
        return;
    }
    let folder = new_folder("students-clock");
    let mut new = referee();
    new.args(["new", "python", "--game", "awele", "bot"]).current_dir(&folder);
    assert!(new.status().unwrap().success());
    let file = folder.join("bot/bot.py");
    let template = fs::read_to_string(&file).unwrap();
    let (before, rest) = template.split_once("def choose(").expect("a function");
    let (_, after) = rest.split_once("\n\n\n").expect("another function");
    let shown = block(&page("docs/students.md"), "python");
    fs::write(&file, format!("import time\n{before}{shown}\n\n{after}")).unwrap();
    let mut match_ = referee();
    match_.args(["python3 bot/bot.py", "awele random", "--games", "2", "--json"]);
    match_.args(["--rules", "max-plies=20", "--clock", "fair", "--margin", "5s"]);
    match_.args(["--move-time", "100ms", "--first-move-time", "100ms", "--db", ":memory:"]);
    let output = match_.current_dir(&folder).output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let bot = &document["players"][0];
    assert_eq!(bot["faults"], serde_json::json!({}), "{document}");
    let mean = bot["time_ms"]["mean"].as_f64().unwrap();
    println!("{mean} ms of 100");
    assert!(mean >= 50.0, "{mean} ms of 100");
}

/// The script on the page about CI passes a version that is no weaker, and fails others.
#[test]
fn script_of_the_ci_page_compares_commits() {
    let has = |program| Command::new(program).arg("--version").output().is_ok();
    if !has("python3") || !has("git") {
        eprintln!("SKIPPED: the script for CI was not run, as there is no python3 or no git");
        return;
    }
    let folder = new_folder("ci-script");
    let run = |program: &str, words: &[&str]| {
        let programs = Path::new(env!("CARGO_BIN_EXE_referee")).parent().unwrap();
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(program);
        command.args(words).current_dir(&folder).env("PATH", path).env("GAMES", "20");
        let output = command.stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), said)
    };
    let commit = |bot: &str| {
        fs::write(folder.join("bot.py"), bot).unwrap();
        assert_eq!(run("git", &["add", "bot.py", ".gitignore"]).0, Some(0));
        let author = ["-c", "user.name=ada", "-c", "user.email=ada"];
        assert_eq!(run("git", &[&author[..], &["commit", "-qm", "bot"]].concat()).0, Some(0));
        run("sh", &["match.sh"])
    };
    let script = block(&page("docs/ci.md"), "shell");
    // Limits that also hold on a loaded machine, and on one without Landlock.
    let script = script.replace("--move-time 50ms", "--move-time 20s");
    fs::write(folder.join("match.sh"), script.replace("sandbox partial", "sandbox weak")).unwrap();
    fs::write(folder.join(".gitignore"), ".arbitre\n").unwrap();
    assert_eq!(run("git", &["init", "-q"]).0, Some(0));
    let first = block(&page("README.md"), "python").replace("random.choice(rest)", "rest[0]");
    let last = first.replace("rest[0]", "rest[-1]");
    let (code, out, _) = commit(&first);
    assert_eq!((code, out.as_str()), (Some(0), "the first version has no opponent\n"));
    // The bots are deterministic, and the seed is fixed. So is the score.
    assert_eq!(commit(&last).0, Some(0));
    let (code, _, said) = commit(&first);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.ends_with(&block(&page("docs/ci.md"), "text")), "{said}");
    let (code, _, said) = commit(&first.replace("else answer", "else 'x'"));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("expected faults=0, got faults 20"), "{said}");
    assert!(run("sh", &["match.sh", "v9"]).0 > Some(1));
    assert_eq!(run("git", &["worktree", "list"]).1.lines().count(), 1);
}

/// The document on the page equals the output of its command, except for times.
#[test]
fn document_of_the_page_on_matches_is_what_is_printed() {
    let shown = block(&page("docs/matches.md"), "json").replace(",…", "");
    let match_ =
        ["awele", "awele random", "--games", "20", "--depth", "6", "--seed", "7", "--json"];
    let output = referee().args(match_).output().unwrap();
    let parse = |text: &str| {
        let mut document: serde_json::Value = serde_json::from_str(text).expect("a document");
        let first = document["players"][0].take();
        document["players"] = first;
        document["players"]["time_ms"].take();
        document["players"]["init_cpu_ms"].take();
        document["seconds"].take();
        document["db"].take();
        document
    };
    assert_eq!(parse(&shown), parse(&String::from_utf8_lossy(&output.stdout)));
}

/// One table of exit codes is the source of the help, the manual page and the README.
#[test]
fn exit_codes_are_listed_everywhere() {
    let flat =
        |text: &str| text.replace(['`', '\\'], "").split_whitespace().collect::<Vec<_>>().join(" ");
    let printed = |words: &[&str]| {
        let output = referee().args(words).output().unwrap();
        flat(&String::from_utf8_lossy(&output.stdout))
    };
    let (readme, help, manual) =
        (flat(&page("README.md")), printed(&["help", "all"]), printed(&["man"]));
    for (code, meaning) in arbitre::exit_code::MEANINGS {
        assert!(readme.contains(&format!("| {code} | {meaning} |")), "README: {code}");
        assert!(help.contains(&format!("{code} {meaning}")), "{help}");
        assert!(manual.contains(&format!("{code} {meaning}")), "{manual}");
    }
}

/// The README explains every fault.
#[test]
fn faults_are_listed_in_the_readme() {
    let readme = page("README.md");
    for word in arbitre::internals::player::fault::Fault::WORDS {
        assert!(readme.contains(&format!("\n| `{word}` | ")), "{word}");
    }
}

/// Returns the script of a bot that follows an exchange on a page, line by line, and records its
/// input.
fn follower(exchange: &str, heard: &Path) -> String {
    let steps = exchange.lines().map(|line| match line.strip_prefix("< ") {
        Some(said) => format!("echo '{said}'\n"),
        None => format!("read -r line && echo \"$line\" >>'{}'\n", heard.display()),
    });
    let heard = heard.display();
    let steps = steps.collect::<String>();
    format!("#!/bin/sh\necho started >>'{heard}'\n{steps}cat >/dev/null\n")
}

/// An exchange on a page, and the game that contains it.
struct Exchange {
    file: &'static str,
    dialect: &'static str,
    /// Seat of the bot in the exchange.
    seat: usize,
    /// Scripts of the other bots, by seat.
    others: Vec<String>,
    /// Arguments with the game and its options.
    words: &'static [&'static str],
    /// File of openings, if the game does not have its usual start.
    openings: &'static str,
    moves: &'static str,
}

/// Returns the script of a bot that says `words` in turn, one after every `lines` lines of input.
fn reciter(lines: usize, words: &str) -> String {
    let read = vec!["read -r line"; lines].join(" && ");
    format!("#!/bin/sh\nset -- {words}\nwhile {read}; do echo \"$1\"; shift; done\n")
}

/// Changes a script for seat 1 in dialect `relay`, whose argument is the seat. On seat 0, as in its
/// trial, it runs `trial`.
fn on_seat_1(script: String, trial: &str) -> String {
    let (head, rest) = script.split_once("\n").expect("a script has lines");
    let (start, rest) = match rest.starts_with("echo started") {
        true => rest.split_once("\n").expect("a script has lines"),
        false => ("", rest),
    };
    format!("{head}\n{start}\n[ \"$1\" = 0 ] && {{ {trial}; exit; }}\n{rest}")
}

/// Reads a board of three rows and says A.
const AFTER_A_BOARD: &str =
    "read -r line && read -r line && read -r line && read -r line && echo A";

/// Changes a reciter so that it first reads a board of three rows and says A.
fn after_a_board(reciter: String) -> String {
    reciter.replacen("#!/bin/sh\n", &format!("#!/bin/sh\n{AFTER_A_BOARD}\n"), 1)
}

/// Returns the script of a bot that says `words` in turn, one after each `begin` or `go`.
fn talkative(words: &str) -> String {
    format!(
        "#!/bin/sh\nset -- 'ready other' {words}\nwhile read -r line; do\n\
         case $line in begin|go*) echo \"$1\"; shift;; esac; done\n"
    )
}

fn awele(file: &'static str, dialect: &'static str, other: String) -> Exchange {
    let words = &["--game", "awele", "--rules", "max-plies=4", "--openings", "0"];
    let (others, openings, moves) = (vec![other], "", "2 3 5 2");
    Exchange { file, dialect, seat: 0, others, words, openings, moves }
}

fn tron(dialect: &'static str, other: String) -> Exchange {
    let words = &["--game", "tron", "--rules", "size=4x3", "--openings", "openings.txt"];
    let (others, openings) = (vec![other], "start 0 0 1; start 1 3 1");
    let moves = "RIGHT LEFT UP UP LEFT RIGHT";
    Exchange { file: "docs/tron.md", dialect, seat: 0, others, words, openings, moves }
}

fn seven_colors(dialect: &'static str, seat: usize, other: String) -> Exchange {
    let words =
        &["--game", "seven-colors", "--rules", "size=3x3 colours=3", "--openings", "openings.txt"];
    let (others, openings, moves) = (vec![other], "AB.; BCA; *AB", "A B B A C");
    Exchange { file: "docs/seven-colors.md", dialect, seat, others, words, openings, moves }
}

fn taquin() -> Exchange {
    let words = &["--game", "taquin", "--rules", "eight", "--openings", "openings.txt"];
    let (openings, moves) = ("0 1 2 / 3 4 5 / _ 6 7", "UD RR");
    let (file, dialect) = ("docs/taquin.md", "arbitre");
    Exchange { file, dialect, seat: 0, others: vec![], words, openings, moves }
}

fn eleven_puzzle() -> Exchange {
    let words =
        &["--game", "taquin", "--rules", "size=3x4,max-moves=50", "--openings", "openings.txt"];
    let (openings, dialect, moves) = ("0 1 2 3 / 4 5 6 _ / 8 9 10 7", "codingame", "D");
    Exchange { dialect, words, openings, moves, ..taquin() }
}

fn hextris() -> Exchange {
    let words = &["--game", "hextris", "--openings", "openings.txt"];
    let openings =
        "problem {\"id\":0,\"width\":5,\"height\":3,\"filled\":[],\"units\":[{\"members\":\
                    [{\"x\":0,\"y\":0}],\"pivot\":{\"x\":0,\"y\":0}}],\"sourceLength\":2,\
                    \"sourceSeeds\":[0]}; seed 0";
    let (file, dialect, moves) = ("docs/hextris.md", "arbitre", "ei! llaaa");
    Exchange { file, dialect, seat: 0, others: vec![], words, openings, moves }
}

/// Every dialect has a page with a full exchange, which the test replays.
#[test]
fn exchanges_on_the_pages_are_real() {
    let three = Exchange {
        seat: 1,
        others: vec![reciter(4, "RIGHT RIGHT DOWN DOWN LEFT LEFT"), reciter(4, "UP RIGHT DOWN")],
        words: &["--game", "tron", "--rules", "size=5x3", "--openings", "openings.txt"],
        openings: "start 0 0 0; start 1 4 0; start 2 0 2",
        moves: "RIGHT LEFT UP RIGHT DOWN RIGHT DOWN DOWN DOWN DOWN RIGHT LEFT UP LEFT",
        ..tron("codingame", String::new())
    };
    for exchange in [
        awele("docs/protocol.md", "arbitre", talkative("3 2")),
        awele("docs/students.md", "arbitre", talkative("3 2")),
        awele("docs/awele.md", "relay", on_seat_1(reciter(1, "3 2"), "echo 0")),
        awele("docs/awele.md", "codingame", reciter(1, "3 2")),
        tron("arbitre", talkative("LEFT UP RIGHT")),
        tron("google2010", reciter(6, "4 1 2")),
        three,
        seven_colors("arbitre", 0, talkative("B A")),
        seven_colors("relay", 1, after_a_board(reciter(1, "B C"))),
        taquin(),
        eleven_puzzle(),
        hextris(),
    ] {
        takes_place(&exchange);
    }
}

fn takes_place(exchange: &Exchange) {
    let Exchange { file, dialect, seat, others, words, openings, moves } = exchange;
    let text = block(&page(file), &format!("exchange {dialect}"));
    let folder = new_folder(&format!("exchange-{}-{dialect}", file.replace('/', "-")));
    let heard = folder.join("heard.txt");
    fs::write(folder.join("openings.txt"), openings).unwrap();
    let shown = match (*seat, *dialect) {
        (1, "relay") => on_seat_1(follower(&text, &heard), AFTER_A_BOARD),
        _ => follower(&text, &heard),
    };
    fs::write(folder.join("shown.sh"), shown).unwrap();
    let mut players = Vec::new();
    for (number, other) in others.iter().enumerate() {
        fs::write(folder.join(format!("other{number}.sh")), other).unwrap();
        players.push(format!("sh other{number}.sh"));
    }
    players.insert(*seat, "sh shown.sh".into());
    let mut match_ = referee();
    match_.args(&players).args(*words).args(["--dialect", dialect, "--seed", "1"]);
    match_.args(["--games", "2", "--concurrency", "1", "--events", "--db", ":memory:"]);
    match_.args(["--move-time", "100ms", "--margin", "20s", "--clock", "fair"]);
    // The bot on the page keeps what it receives.
    match_.args(["--allow-write", "."]);
    let mut child = match_.current_dir(&folder).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    // Only the first game is on the page; the next one has the seats swapped.
    child.kill().unwrap();
    child.wait().unwrap();
    let heard = fs::read_to_string(&heard).unwrap();
    let shown: Vec<&str> = text.lines().filter(|line| !line.starts_with("< ")).collect();
    // The first start is the trial before the match.
    let game = heard.split("started\n").nth(2).unwrap_or_default();
    let told = game.lines().take(shown.len()).collect::<Vec<_>>();
    assert_eq!(told, shown, "{file} {dialect}: {first}");
    let event: serde_json::Value = serde_json::from_str(&first).unwrap();
    let played: Vec<&str> = moves.split(' ').collect();
    assert_eq!(event["moves"], serde_json::json!(played), "{file} {dialect}: {first}");
    assert_eq!(event["faults"], serde_json::json!([]), "{file} {dialect}: {first}");
}
