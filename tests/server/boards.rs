//! Boards: people play in the browser, against each kind of player, in rooms of each kind.

use crate::guest::{fairly, Guest};
use crate::http::{quick, Client, Served, DEADLINE};
use crate::joining;
use crate::kills::results_of;
use crate::operation::rules_of_eight;
use crate::uploads::{upload, wait_for, HEALTHY};
use arbitre::internals::store::verify::verify;
use std::thread;
use std::time::{Duration, Instant};

/// Puts up a board of a person, and returns its place.
pub fn put_up(person: &mut Client, against: &[&str], seat: &str) -> String {
    let reply = try_to_put_up(person, against, seat);
    assert_eq!(reply.status, 303, "{against:?}: {}", reply.body);
    reply.header("location").unwrap().to_owned()
}

fn try_to_put_up(person: &mut Client, against: &[&str], seat: &str) -> crate::http::Reply {
    let key = person.get("/me").key().to_owned();
    let mut fields = vec![("key", key.as_str()), ("seat", seat)];
    fields.extend(against.iter().map(|of| ("against", *of)));
    person.post("/board", &fields)
}

/// Returns the value of the first field or button of this name on a page.
fn value<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    page.split(&format!("name=\"{name}\" value=\"")).nth(1)?.split('"').next()
}

/// Plays the first legal move of a person, if it is to move. Returns `false` once the game is over.
fn step(person: &mut Client, place: &str) -> bool {
    let reply = person.get(place);
    let page = reply.body;
    if reply.status == 429 {
        // A person is slower.
        thread::sleep(Duration::from_millis(200));
        return true;
    }
    if page.contains("The game is over") || page.contains("There is no game") {
        return false;
    }
    match (value(&page, "turn"), value(&page, "move")) {
        (Some(turn), Some(mv)) => {
            let key = value(&page, "key").unwrap();
            let reply = person.post(place, &[("key", key), ("turn", turn), ("move", mv)]);
            assert!([303, 429].contains(&reply.status), "{}", reply.body);
        }
        _ => thread::sleep(Duration::from_millis(20)),
    }
    true
}

/// Plays a game to its end, and returns the page.
pub fn play_out(people: &mut [Client], place: &str) -> String {
    let until = Instant::now() + DEADLINE;
    while people.iter_mut().fold(false, |goes_on, person| goes_on | step(person, place)) {
        assert!(Instant::now() < until, "{}", people[0].get(place).body);
    }
    people[0].get(place).body
}

/// Logs people in.
pub fn log_in(served: &Served, tokens: &[String]) -> Vec<Client> {
    let of = |token: &String| {
        let mut client = served.client();
        client.enter(token);
        client
    };
    tokens.iter().map(of).collect()
}

/// Options of the opponents on a page, by the start of their names.
pub fn choice(page: &str, name: &str) -> String {
    let form = page.split("action=\"board\"").nth(1).unwrap_or_else(|| panic!("{page}"));
    let options = form.split("<option value=\"").skip(1);
    let found = options.map(|option| option.split_once('"').unwrap());
    let found = found
        .into_iter()
        .find(|(_, rest)| rest.split_once('>').is_some_and(|(_, text)| text.starts_with(name)));
    found.unwrap_or_else(|| panic!("no {name}: {form}")).0.to_owned()
}

/// Rooms, their seats, and the bots in them: a person plays against bots alone, then all seats are
/// people. Each game is stored and agrees with its rules; the ladder counts none.
#[test]
fn people_play_in_rooms_of_each_kind() {
    let eight = format!("external = \"{}\"\nseats = 8", rules_of_eight("rules at boards"));
    let rooms: &[(&str, &str, usize, &str)] = &[
        ("awele boards", "game = \"awele\"\nrules = \"max-plies=30\"", 2, "awele random"),
        (
            "colours boards",
            "game = \"seven-colors\"\nrules = \"size=6x6\"",
            2,
            "seven-colors random",
        ),
        ("tron boards", "game = \"tron\"\nseats = 4", 4, "tron random"),
        ("external boards", &eight, 8, ""),
    ];
    for (name, settings, seats, bot) in rooms {
        let folder = quick(name, settings, &[]);
        let file = folder.join("class.toml");
        let mut text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(folder.join("bot.py"), HEALTHY).unwrap();
        let bot = if bot.is_empty() { "python3 bot.py" } else { bot };
        for number in 1..*seats {
            text += &format!("[[player]]\nname = \"b{number}\"\ncommand = \"{bot}\"\n");
        }
        std::fs::write(&file, text).unwrap();
        let served = Served::of(&folder, &[]);
        let names: Vec<String> = (0..*seats).map(|of| format!("Person {of}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut people = log_in(&served, &served.teacher().add_people(&names));
        let page = people[0].get("/me").body;
        let bots: Vec<String> = (1..*seats).map(|of| choice(&page, &format!("b{of}"))).collect();
        let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
        let last = (seats - 1).to_string();
        let place = put_up(&mut people[0], &bots, &last);
        let over = play_out(&mut people[..1], &place);
        let scores = over.matches(" <b>").count();
        assert!(over.contains("The game is over") && scores >= *seats, "{name}: {over}");
        let others: Vec<String> = names[1..].iter().map(|of| choice(&page, of)).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        // The limit on forms is for one address, and a class has more of them.
        thread::sleep(Duration::from_secs(seats.ilog2().into()));
        let place = put_up(&mut people[0], &others, "0");
        for person in &mut people[1..] {
            assert!(person.get("/me").body.contains("You are asked to play against"), "{name}");
            let key = person.get(&place).key().to_owned();
            let reply = person.post(&place, &[("key", &key), ("do", "sit")]);
            assert_eq!(reply.status, 303, "{name}: {}", reply.body);
        }
        let over = play_out(&mut people, &place);
        assert!(over.contains("The game is over"), "{name}: {over}");
        let game = over.split("href=\"game/").nth(1).unwrap().split('"').next().unwrap();
        let document = people[1].get(&format!("/game/{game}/data")).body;
        assert!(document.contains("Person 0 (at the board)"), "{name}: {document}");
        let standings = served.client().get("/").body;
        let table = standings.split("</table>").next().unwrap();
        assert!(!table.contains("Person") && table.contains("b1"), "{name}: {table}");
        let (status, error) = served.stop();
        assert!(status.success(), "{name}: {error}");
        let problems = verify(&folder.join("games.db"), &arbitre::registry()).unwrap().problems;
        let is_as_expected =
            |why: &String| why.contains("--allow-rules") && *name == "external boards";
        assert!(problems.iter().all(is_as_expected), "{name}: {problems:?}");
        let (stored, results) = results_of(&folder);
        let at_board = |number: &usize| stored[*number].starts_with("board-");
        let mut own: Vec<_> = results.iter().filter(|of| of.players.iter().any(at_board)).collect();
        own.sort_by_key(|of| of.number);
        assert_eq!(own.len(), 2, "{name}");
        let seat = own[0].players.iter().position(at_board);
        assert_eq!(seat, Some(seats - 1), "{name}: the seat that was chosen");
        assert!(own[1].players.iter().all(at_board), "{name}");
        assert!(own.iter().all(|of| of.outcome.is_some() && of.faults.is_empty()), "{name}");
        // The next start counts them for no rating either.
        let served = Served::of(&folder, &[]);
        let table = served.client().get("/").body;
        let table = table.split("</table>").next().unwrap();
        assert!(!table.contains("Person"), "{name}: {table}");
    }
}

#[test]
fn solo_games_have_no_boards() {
    for game in ["taquin", "hextris"] {
        let bot = format!("{game} random");
        let folder = quick(&format!("{game} boards"), &format!("game = \"{game}\""), &[&bot]);
        let served = Served::of(&folder, &[]);
        let mut people = log_in(&served, &served.teacher().add_people(&["Ada"]));
        assert!(!people[0].get("/me").body.contains("action=\"board\""), "{game}");
        assert_eq!(try_to_put_up(&mut people[0], &[], "0").status, 400, "{game}");
    }
}

/// Each kind of program as the opponent: one's own, connected with one table only or uploaded; one
/// that breaks. The ladder goes on meanwhile, and no program is set aside for it.
#[test]
fn person_plays_against_programs_of_each_kind() {
    let settings =
        "game = \"awele\"\nmove-time = \"500ms\"\nmargin = \"0ms\"\nrules = \"max-plies=20\"";
    let folder = quick("opponents at boards", settings, &["awele random"]);
    let served = Served::of(&folder, &["--i-trust-my-students"]);
    let mut teacher = served.teacher();
    teacher.act("/teacher/pause", &[("do", "pause")]);
    let tokens = teacher.add_people(&["Ada", "Leo"]);
    let reply = upload(&served, &tokens[1], &[("bot.py", HEALTHY.as_bytes())]);
    assert!(reply.body.ends_with("result: passed\n"), "{reply:?}");
    let mut people = log_in(&served, &tokens);
    let paused = choice(&people[0].get("/me").body, "awele-random");
    assert_eq!(try_to_put_up(&mut people[0], &[&paused], "0").status, 409, "the room is paused");
    teacher.act("/teacher/pause", &[("do", "resume")]);
    let (mut guest, mut ada) = (Guest::join(&served, &tokens[0], 1), people[0].clone());
    let program = thread::spawn(move || {
        guest.play(fairly, |guest| {
            guest.notes.iter().any(|note| note.contains("another person"))
                && joining::games(guest).len() >= 4
        });
        guest
    });
    wait_for("the program is here", || ada.clone().get("/me").body.contains("my program"));
    let own = choice(&ada.get("/me").body, "my program");
    let place = put_up(&mut ada, &[&own], "0");
    assert_eq!(try_to_put_up(&mut ada, &[&own], "0").status, 409, "one board at a time");
    let over = play_out(std::slice::from_mut(&mut ada), &place);
    assert!(over.contains("The game is over"), "{over}");
    let guest = program.join().unwrap();
    assert!(guest.notes.iter().all(|note| !note.contains("fault")), "{:?}", guest.notes);
    let leo = choice(&people[1].get("/me").body, "my program");
    let place = put_up(&mut ada, &[&leo], "1");
    let over = play_out(std::slice::from_mut(&mut ada), &place);
    assert!(over.contains("The game is over"), "{over}");
    let page = served.client().get("/").body;
    assert!(!page.contains("set aside"), "{page}");
}

/// Acts besides playing, with the answers: strangers, moves that are none, second clicks.
#[test]
fn boards_refuse_what_is_no_move_of_their_person() {
    let folder = quick("refusals at boards", "game = \"awele\"", &["awele random"]);
    let served = Served::of(&folder, &[]);
    let tokens = served.teacher().add_people(&["Ada", "Leo", "Max"]);
    let mut people = log_in(&served, &tokens);
    let page = people[0].get("/me").body;
    let (bot, leo) = (choice(&page, "awele-random"), choice(&page, "Leo"));
    for (against, seat, status) in [
        (vec![], "0", 400),
        (vec![bot.as_str(), bot.as_str()], "0", 400),
        (vec![bot.as_str()], "2", 400),
        (vec![bot.as_str()], "x", 400),
        (vec!["p999"], "0", 400),
        (vec!["99"], "0", 409),
        (vec!["x"], "0", 400),
        (vec!["p"], "0", 400),
    ] {
        let reply = try_to_put_up(&mut people[0], &against, seat);
        assert_eq!(reply.status, status, "{against:?} {seat}: {}", reply.body);
    }
    let own = format!("p{}", served.teacher().number_of("Ada"));
    assert_eq!(try_to_put_up(&mut people[0], &[&own], "0").status, 400, "against oneself");
    let place = put_up(&mut people[0], &[&bot], "0");
    wait_for("it is her turn", || value(&people[0].clone().get(&place).body, "turn").is_some());
    let page = people[0].get(&place).body;
    let (key, turn) = (value(&page, "key").unwrap(), value(&page, "turn").unwrap());
    for (fields, status) in [
        (vec![("turn", turn), ("move", "0")], 403),
        (vec![("key", key), ("turn", turn), ("move", "9")], 303),
        (vec![("key", key), ("turn", "0"), ("move", "0")], 303),
        (vec![("key", key), ("turn", "x"), ("move", "0")], 422),
        (vec![("key", key), ("do", "sit")], 404),
        (vec![("key", key), ("do", "dance")], 404),
    ] {
        let reply = people[0].post(&place, &fields);
        assert_eq!(reply.status, status, "{fields:?}: {}", reply.body);
    }
    assert_eq!(value(&people[0].get(&place).body, "turn"), Some(turn), "nothing was played");
    // A stranger and a spectator see the board, and touch nothing.
    let stranger = people[1].get(&place).body;
    assert!(value(&stranger, "turn").is_none(), "{stranger}");
    let key = people[1].get("/me").key().to_owned();
    let of_leo = [("key", key.as_str()), ("turn", turn), ("move", "0")];
    assert_eq!(people[1].post(&place, &of_leo).status, 404);
    assert_eq!(served.client().post(&place, &[("turn", turn), ("move", "0")]).status, 403);
    assert_eq!(served.teacher().post("/board", &[("against", &bot)]).status, 403);
    for place in ["/board/99", "/board/x", "/events/board/x"] {
        assert_eq!(people[0].get(place).status, 404, "{place}");
    }
    // Who gives up loses; who is asked may decline; who is deleted leaves a void game.
    let key = value(&people[0].get(&place).body, "key").unwrap().to_owned();
    assert_eq!(people[0].post(&place, &[("key", &key), ("do", "give-up")]).status, 303);
    play_out(&mut people[..1], &place);
    let place = put_up(&mut people[0], &[&leo], "0");
    let key = people[1].get("/me").key().to_owned();
    assert_eq!(people[1].post(&place, &[("key", &key), ("do", "give-up")]).status, 303);
    assert!(people[0].get(&place).body.contains("There is no game"));
    let place = put_up(&mut people[2], &[&bot], "0");
    wait_for("it is the turn of Max", || {
        value(&people[2].clone().get(&place).body, "turn").is_some()
    });
    let max = served.teacher().number_of("Max");
    served.teacher().act(&format!("/teacher/person/{max}"), &[("do", "delete")]);
    wait_for("the game is void", || !served.client().get(&place).body.contains("are to move"));
    // A game at the board does not hold the end of the server.
    let place = put_up(&mut people[0], &[&bot], "0");
    wait_for("it is her turn", || value(&people[0].clone().get(&place).body, "turn").is_some());
    let begun = Instant::now();
    let (status, error) = served.stop();
    assert!(status.success() && begun.elapsed() < DEADLINE, "{error}");
    let (stored, results) = results_of(&folder);
    let at_board = |number: &usize| stored[*number].starts_with("board-");
    let own = results.iter().filter(|of| of.players.iter().any(at_board));
    let words: Vec<&str> = own.flat_map(|of| of.faults.iter().map(|(_, word)| *word)).collect();
    assert_eq!(words, ["disconnect"], "void games are not among the results");
    assert_eq!(verify(&folder.join("games.db"), &arbitre::registry()).unwrap().problems, [""; 0]);
}

/// Many people who sit down and leave at once, beside a ladder that goes on, hold up nothing.
#[test]
fn crowd_that_comes_and_goes_blocks_no_request() {
    let settings = "game = \"awele\"\nrules = \"max-plies=20\"";
    let folder = quick("crowd at boards", settings, &["awele random", "awele greedy"]);
    let served = Served::of(&folder, &[]);
    let names: Vec<String> = (0..11).map(|number| format!("P{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let tokens = served.teacher().add_people(&names);
    let people = log_in(&served, &tokens);
    thread::scope(|scope| {
        for (number, mut person) in people.into_iter().enumerate() {
            scope.spawn(move || {
                let key = person.get("/me").key().to_owned();
                for _ in 0..8 {
                    let against = (number % 2).to_string();
                    let fields = [("key", key.as_str()), ("against", &against), ("seat", "0")];
                    let reply = person.post("/board", &fields);
                    let Some(place) = reply.header("location").map(str::to_owned) else {
                        thread::sleep(Duration::from_millis(100));
                        continue;
                    };
                    let fields = [("key", key.as_str()), ("do", "give-up")];
                    while person.post(&place, &fields).status == 429 {
                        thread::sleep(Duration::from_millis(100));
                    }
                }
            });
        }
    });
    let games = served.games();
    served.wait_for_games(games + 2);
    thread::sleep(Duration::from_secs(2));
    // The one at the board is asked by name, and not as a player of the room.
    let mut last = log_in(&served, &tokens[..1]).remove(0);
    wait_for("the board is free", || {
        !last.clone().get("/me").body.contains("Your game is at the board")
    });
    for number in 2..13 {
        // Slower than the limit on forms.
        thread::sleep(Duration::from_millis(100));
        let reply = try_to_put_up(&mut last, &[&number.to_string()], "0");
        assert_eq!(reply.status, 409, "{number}: {}", reply.body);
    }
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
    assert_eq!(verify(&folder.join("games.db"), &arbitre::registry()).unwrap().problems, [""; 0]);
}
