//! Pages and pictures of a match.

use arbitre_test_support::command::{folder, json, referee, run, stderr, stdout};
use arbitre_test_support::pages::{
    self, between, document, hostile_match, played, unpacked, HOSTILE,
};
use rustix::process::{kill_process, Pid, Signal};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

/// Writes the page of a match, and returns its text.
fn report(folder: &Path, words: &[&str]) -> String {
    fs::read_to_string(pages::report(folder, words)).unwrap()
}

/// Returns the games in the blocks of a page, in their order.
fn blocks(page: &str, id: &str) -> Vec<Vec<Value>> {
    let lines = between(page, &format!("id=\"{id}\">"), "</script>").trim();
    let lines = lines.lines().map(|line| match unpacked(line) {
        Value::Array(games) => games,
        other => panic!("{other}"),
    });
    lines.collect()
}

/// Checks that the numbers of the games in each block are those that the document announces.
fn check_numbers(document: &Value, blocks: &[Vec<Value>], id: &str) -> BTreeSet<u64> {
    let numbers: Vec<Vec<u64>> = blocks
        .iter()
        .map(|games| games.iter().map(|game| game["number"].as_u64().unwrap()).collect())
        .collect();
    assert_eq!(json(&serde_json::to_string(&numbers).unwrap()), document[id]);
    numbers.into_iter().flatten().collect()
}

#[test]
fn report_has_every_game_and_the_standings() {
    let folder = folder("report");
    let bots = ["awele greedy", "awele random", "awele alpha-beta"];
    let words = ["--seats", "2", "--games", "4", "--depth", "2", "--seed", "5"];
    let db = played(&folder, &[&bots[..], &words].concat());
    let page = report(&folder, &["--db", &db]);
    let report = document(&page);
    let listed = stdout(&run(&["list", "--games", "--json", "--db", &db]));
    let games: Vec<Value> = listed.lines().map(json).collect();
    assert_eq!(games.len(), 12);
    let columns = &report["games"];
    for (index, game) in games.iter().enumerate() {
        let players = columns["players"][index].as_array().unwrap().iter();
        let names: Vec<&Value> = players
            .map(|player| &report["summary"]["players"][player.as_u64().unwrap() as usize]["name"])
            .collect();
        assert_eq!(names, game["players"].as_array().unwrap().iter().collect::<Vec<_>>());
        for (column, key) in
            [("number", "game"), ("scores", "scores"), ("ranks", "ranks"), ("ending", "ending")]
        {
            assert_eq!(columns[column][index], game[key], "game {index}: {key}");
        }
        assert_eq!(columns["moves"][index], game["moves"].as_array().unwrap().len());
        let setup = columns["setup"][index].as_u64().unwrap() as usize;
        assert_eq!(columns["setups"][setup], game["setup"]);
    }
    let frames = blocks(&page, "frames");
    let numbers = check_numbers(&report, &frames, "frames");
    assert_eq!(numbers, (0..12).collect(), "each game has all positions");
    for game in frames.iter().flatten() {
        let number = game["number"].to_string();
        let path = folder.join("game.html").to_string_lossy().into_owned();
        assert!(run(&["replay", &number, "--db", &db, "--output", &path]).status.success());
        assert_eq!(game, &document(&fs::read_to_string(&path).unwrap()), "game {number}");
    }
    // The summary is that of the match.
    let resumed = run(&["--resume", "--db", &db, "--json"]);
    let summary = json(&stdout(&resumed));
    for key in ["games", "moves", "seed", "complete"] {
        assert_eq!(report["summary"][key], summary[key], "{key}");
    }
    for key in ["name", "points", "rating", "rank", "faults", "time_ms"] {
        for player in 0..3 {
            let [here, there] =
                [&report["summary"], &summary].map(|of| &of["players"][player][key]);
            assert_eq!(here, there, "{key} of player {player}");
        }
    }
    // Points of the games against each other.
    let mut points: BTreeMap<(u64, u64), (f64, u64)> = BTreeMap::new();
    for index in 0..12 {
        let seat = |seat: usize, column: &str| columns[column][index][seat].as_u64().unwrap();
        for (own, other) in [(0, 1), (1, 0)] {
            let won = match seat(own, "ranks").cmp(&seat(other, "ranks")) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
            let meeting = points.entry((seat(own, "players"), seat(other, "players"))).or_default();
            *meeting = (meeting.0 + won, meeting.1 + 1);
        }
    }
    let meetings = report["meetings"].as_array().unwrap().iter().map(|of| {
        let number = |at: usize| of[at].as_u64().unwrap();
        ((number(0), number(1)), (of[2].as_f64().unwrap(), number(3)))
    });
    assert_eq!(meetings.collect::<BTreeMap<_, _>>(), points);
}

#[test]
fn games_beyond_the_room_have_their_moves_as_text() {
    let folder = folder("report-long");
    let words = ["awele random", "awele random", "--games", "1040", "--seed", "8"];
    let db = played(&folder, &words);
    let page = report(&folder, &["--db", &db]);
    let report = document(&page);
    let frames = check_numbers(&report, &blocks(&page, "frames"), "frames");
    let moves = blocks(&page, "moves");
    let told = check_numbers(&report, &moves, "moves");
    assert_eq!((frames.len(), told.len()), (1000, 40));
    assert_eq!(frames.union(&told).copied().collect::<BTreeSet<_>>(), (0..1040).collect());
    let listed = stdout(&run(&["list", "--games", "--json", "--db", &db]));
    let games: Vec<Value> = listed.lines().map(json).collect();
    for game in moves.iter().flatten() {
        let stored = &games[game["number"].as_u64().unwrap() as usize];
        assert_eq!(game["moves"], stored["moves"]);
        assert_eq!(game["seats"], "", "the seats alternate");
        let times =
            game["ms"].as_array().unwrap().iter().zip(stored["times_ms"].as_array().unwrap());
        for (shown, stored) in times {
            let [shown, stored] = [shown, stored].map(|ms| ms.as_f64().unwrap());
            assert!((shown - stored).abs() <= 0.06 * stored.max(0.001), "{shown} {stored}");
        }
    }
}

/// Nothing that a player says becomes markup, in any form in which games leave the referee.
#[test]
fn hostile_names_and_outputs_are_data() {
    let folder = folder("report-hostile");
    let db = hostile_match(&folder);
    let page = report(&folder, &["--db", &db]);
    let names = &document(&page)["summary"]["players"];
    assert!(names.to_string().contains("<img src=x onerror=alert(1)>"), "{names}");
    assert_eq!(page.matches("<script").count(), 4, "three documents and the code");
    assert!(!page.contains("<img") && !page.contains(" style=\""));
    let without_namespace = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!without_namespace.contains("http://") && !without_namespace.contains("https://"));
    let forms = [
        &["show", "first-fault"][..],
        &["list", "--games"],
        &["export", "--format", "csv", "--times"],
        &["export", "--format", "pgn", "--times"],
        &["export", "--format", "jsonl", "--times"],
        &["--resume"],
    ];
    for form in forms {
        let output = run(&[form, &["--db", &db]].concat());
        assert!(output.status.success(), "{form:?}: {}", stderr(&output));
        let text = stdout(&output);
        assert!(text.contains("onerror"), "{form:?}: {text}");
        let is_control =
            |c: char| c.is_control() && c != '\n' && !(form[0] == "export" && c == '\r');
        let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!text.chars().any(|c| is_control(c) || turns(c)), "{form:?}: {text:?}");
        if form.contains(&"csv") {
            let mut rows = csv::Reader::from_reader(text.as_bytes());
            let cells = rows
                .records()
                .flat_map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>());
            for cell in cells {
                assert!(!cell.starts_with(['=', '+', '@']), "a spreadsheet computes {cell}");
            }
        }
    }
    check_markdown(&folder);
    for picture in ["ratings", "times", "cross-table"] {
        let path = folder.join("picture.svg").to_string_lossy().into_owned();
        let output = run(&["report", "--db", &db, "--svg", picture, "--output", &path]);
        assert!(output.status.success(), "{}", stderr(&output));
        let svg = fs::read_to_string(&path).unwrap();
        assert!(svg.contains("&lt;img") && !svg.contains("<img"), "{svg}");
    }
}

/// Plays a tournament of two players with hostile names and outputs, and checks what it writes in
/// Markdown.
fn check_markdown(folder: &Path) {
    let class = folder.join("class");
    for name in [HOSTILE, "```*[x](javascript:alert(1))*"] {
        let own = class.join(name.replace('/', "-"));
        fs::create_dir_all(&own).unwrap();
        fs::copy(folder.join(HOSTILE), own.join("bot")).unwrap();
    }
    let [standings, pages, db] =
        ["s.md", "pages", "cup.db"].map(|name| folder.join(name).to_string_lossy().into_owned());
    let class = class.to_string_lossy().into_owned();
    arbitre_test_support::command::remove_results(&db);
    let words = ["tournament", &class, "--game", "awele", "--games", "2", "--move-time", "30s"];
    let files = ["--db", &db, "--output", &standings, "--per-player", &pages];
    let files = [&files[..], &["--per-player-format", "md"]].concat();
    let played = run(&[&words[..], &files].concat());
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    let text = fs::read_to_string(&standings).unwrap();
    assert!(!text.contains("<img"), "{text}");
    assert!(text.contains("&lt;img") && text.contains("\\[x\\]"), "{text}");
    for page in fs::read_dir(&pages).unwrap() {
        let page = page.unwrap();
        let text = fs::read_to_string(page.path()).unwrap();
        // Outside of the blocks nothing is markup, and no output ends its block.
        let mut fence = None;
        for line in text.lines() {
            let ticks = line.chars().take_while(|c| *c == '`').count();
            match fence {
                None if ticks >= 3 => fence = Some(ticks),
                Some(open) if ticks == open && line.len() == ticks => fence = None,
                None => assert!(!line.contains("<script") && !line.contains("<img"), "{line}"),
                Some(_) => {}
            }
        }
        assert_eq!(fence, None, "{text}");
        assert!(text.contains("```text") || page.file_name() == "index.md", "{text}");
    }
}

#[test]
fn pictures_show_results_and_positions() {
    let folder = folder("report-pictures");
    let db = played(&folder, &["taquin", "taquin random", "--games", "2", "--nodes", "1000"]);
    let path = folder.join("picture.svg").to_string_lossy().into_owned();
    let picture = |words: &[&str]| {
        let output = run(&[&["report", "--db", &db, "--output", &path, "--svg"], words].concat());
        assert_eq!(stdout(&output), format!("{path}\n"), "{}", stderr(&output));
        fs::read_to_string(&path).unwrap()
    };
    for name in ["ratings", "lengths", "times", "cross-table"] {
        let svg = picture(&[name]);
        assert!(svg.starts_with("<svg") && svg.contains("<style>") && svg.len() > 1000, "{name}");
    }
    // Texts of equal appearance share an element, so they are sorted by their place.
    let numbers = |svg: &str| -> Vec<u32> {
        let mut found = BTreeMap::new();
        for row in svg.split("<text").skip(1) {
            let y: u32 = between(row, "y=\"", "\"").parse().unwrap();
            for text in row.split("<tspan").skip(1) {
                let x: u32 = between(text, "x=\"", "\"").parse().unwrap();
                found.insert((y, x), between(text, ">", "<").parse().unwrap());
            }
        }
        found.into_values().collect()
    };
    let shown = stdout(&run(&["show", "0", "--ply", "0", "--db", &db]));
    let tiles = numbers(&picture(&["position", "--game", "0", "--turn", "0"]));
    assert!(tiles.len() > 7, "{tiles:?}");
    let words: Vec<u32> =
        shown.replace('|', " ").split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let is_there = words.windows(tiles.len()).any(|window| window == tiles);
    assert!(is_there, "{tiles:?} in {shown}");
}

#[test]
fn reports_that_cannot_be_written_are_refused() {
    let folder = folder("report-refused");
    let db = played(&folder, &["awele random", "awele random", "--games", "2"]);
    let page = folder.join("page.html").to_string_lossy().into_owned();
    let missing = folder.join("missing/page.html").to_string_lossy().into_owned();
    let empty = folder.join("empty.db").to_string_lossy().into_owned();
    fs::write(&empty, "").unwrap();
    let damaged = folder.join("damaged.db").to_string_lossy().into_owned();
    let mut bytes = fs::read(&db).unwrap();
    let setup = bytes.windows(8).rposition(|text| text == b"opening ").unwrap();
    bytes[setup] = b'O';
    fs::write(&damaged, bytes).unwrap();
    for (words, code, why) in [
        (&["--db", &db, "--output", &missing][..], 4, "page.html: it cannot be written: "),
        (&["--db", &empty, "--output", &page], 4, "empty.db: "),
        (&["--db", &damaged, "--output", &page], 4, "damaged.db: "),
        (&["--db", &db], 2, "expected --output"),
        (&["--db", &db, "--svg", "position", "--game", "7"], 2, "expected one of its 2 games"),
        (
            &["--db", &db, "--svg", "position", "--turn", "9999"],
            2,
            "--turn: expected a number from 0",
        ),
        (
            &["--db", &db, "--svg", "pie"],
            2,
            "expected ratings, cross-table, lengths, times or position",
        ),
        (&["--db", &db, "--follow", "--output", "/dev/stdout"], 2, "expected a file to replace"),
    ] {
        let refused = run(&[&["report"], words].concat());
        assert_eq!(refused.status.code(), Some(code), "{words:?}: {}", stderr(&refused));
        let said = stderr(&refused);
        assert!(said.starts_with("error: ") && said.contains(why), "{words:?}: {said}");
        assert!(stdout(&refused).is_empty());
    }
    let left: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("html")), "{left:?}");
}

/// Ctrl-C in the middle of games: they are not stored, and the page has those before.
#[test]
fn interrupted_matches_and_pages_are_whole() {
    let folder = folder("report-interrupted");
    let db = folder.join("match.db").to_string_lossy().into_owned();
    arbitre_test_support::command::remove_results(&db);
    let page = folder.join("page.html").to_string_lossy().into_owned();
    let words = ["awele alpha-beta", "awele greedy", "--games", "1000", "--events", "--db", &db];
    let limits = ["--move-time", "20ms", "--first-move-time", "20ms"];
    let mut playing = referee(&[&words[..], &limits].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut events = BufReader::new(playing.stdout.take().unwrap()).lines();
    events.next().unwrap().unwrap();
    let words = ["report", "--db", &db, "--output", &page, "--follow"];
    let mut following = referee(&words).stdout(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(following.stdout.take().unwrap()).lines();
    assert_eq!(told.next().unwrap().unwrap(), page);
    interrupt(&following);
    assert_eq!(following.wait().unwrap().code(), Some(130));
    assert_eq!(document(&fs::read_to_string(&page).unwrap())["is_live"], false);
    // Twice: the games that run are cut off.
    interrupt(&playing);
    interrupt(&playing);
    assert_eq!(playing.wait().unwrap().code(), Some(130));
    let document = document(&report(&folder, &["--db", &db]));
    let stored = stdout(&run(&["list", "--games", "--json", "--db", &db])).lines().count();
    assert_eq!(document["games"]["number"].as_array().unwrap().len(), stored);
    assert!(stored > 0 && document["summary"]["complete"] == false);
}

fn interrupt(child: &Child) {
    let pid = Pid::from_child(child);
    kill_process(pid, Signal::INT).unwrap();
}

/// A page that follows a match has its last games, and all of them once the match is over.
#[test]
fn report_follows_a_match_to_its_end() {
    let folder = folder("report-follow");
    let db = folder.join("match.db").to_string_lossy().into_owned();
    arbitre_test_support::command::remove_results(&db);
    let page = folder.join("page.html").to_string_lossy().into_owned();
    let words = ["awele alpha-beta", "awele greedy", "--games", "60", "--seed", "1"];
    let limits = ["--move-time", "3ms", "--first-move-time", "3ms"];
    let mut playing = referee(&[&words[..], &limits, &["--events", "--db", &db]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut events = BufReader::new(playing.stdout.take().unwrap()).lines();
    (0..25).for_each(|_| drop(events.next().unwrap().unwrap()));
    let mut following = referee(&["report", "--db", &db, "--output", &page, "--follow"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(following.stdout.take().unwrap()).lines();
    assert_eq!(told.next().unwrap().unwrap(), page, "the path is told after the first page");
    let first = document(&fs::read_to_string(&page).unwrap());
    assert_eq!(first["is_live"], true, "the match took too little time");
    assert_eq!(first["games"]["number"].as_array().unwrap().len(), 20);
    assert!(first["summary"]["games"].as_u64().unwrap() >= 25);
    assert_eq!(events.count(), 35);
    assert!(playing.wait().unwrap().success());
    assert!(following.wait().unwrap().success());
    let last = document(&fs::read_to_string(&page).unwrap());
    assert_eq!((&last["is_live"], &last["summary"]["complete"]), (&false.into(), &true.into()));
    assert_eq!(last["games"]["number"].as_array().unwrap().len(), 60);
}

/// The page opens with the result in plain words, with no more certainty than the games give.
#[test]
fn pages_begin_with_the_result_in_plain_words() {
    let folder = folder("report-lead");
    let three = ["--seats", "2", "--games", "40"];
    let (strong, weak) = ("awele greedy", "awele random");
    let four = ["tron wall-hugger", "tron random", "tron random", "tron random"];
    for (players, words, expected) in [
        (&[strong, weak][..], &["--games", "20"][..], "games, awele random 2, and 1 was drawn. awele greedy is stronger."),
        (&[strong, weak], &["--games", "4"], "These are too few games to tell which is stronger."),
        (&[weak, weak], &["--games", "20"], "That is too close to tell which is stronger."),
        (&[strong, weak], &["--games", "40", "--sprt", "elo0=0,elo1=90"], "H1 is accepted"),
        (&[strong, weak, weak], &three, "awele greedy is first: 75 points in 80 games, 94 %. Its lead over awele random-2 is more than chance."),
        (&[weak, weak, weak], &three, " may be chance."),
        (&[weak, weak, weak], &["--seats", "2", "--games", "2"], "awele random-2 is first: 3 points in 4 games, 75 %."),
        (&four, &["--rules", "size=7x7", "--games", "40"], "Its lead over tron random may be chance."),
        (&["taquin quick", "taquin random"], &["--games", "3"], "taquin quick is first: 3 of 3 games solved."),
    ] {
        let db = played(&folder, &[players, words, &["--seed", "4"]].concat());
        let page = document(&report(&folder, &["--db", &db]));
        let last = page["lead"].as_array().unwrap().last().unwrap().as_str().unwrap();
        assert!(last.ends_with(expected), "{players:?} {words:?}: {last}");
    }
}
