//! Programs that people upload: tested, seated, taken back, and those that mean harm.

use crate::guest::Guest;
use crate::http::{quick, signal, Client, Reply, Served, DEADLINE};
use arbitre::rng::Rng;
use arbitre_test_support::zips::{zip, Entry, LINK};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// Bot that plays the first legal move.
pub const HEALTHY: &str =
    "import sys\nfor line in sys.stdin:\n    words = line.split() or ['']\n    \
                       if words[0] == 'begin': print('ready b', flush=True)\n    \
                       if words[0] == 'legal': legal = words[1:]\n    \
                       if words[0] == 'go': print(legal[0], flush=True)\n";
/// The same in a language that is built, with a file beside it.
const BUILT: &str =
    "#include <stdio.h>\n#include <string.h>\n#include \"ready.h\"\nint main(void) {\n\
                     char line[100000], move[100];\nwhile (fgets(line, sizeof line, stdin)) {\n\
                     if (!strncmp(line, \"begin\", 5)) puts(READY);\n\
                     if (!strncmp(line, \"legal \", 6)) sscanf(line + 6, \"%99s\", move);\n\
                     if (!strncmp(line, \"go\", 2)) puts(move);\nfflush(stdout); }\nreturn 0; }\n";

/// File of an upload.
pub type File<'a> = (&'a str, &'a [u8]);

/// Returns the body of a form with files, and the header that names its border.
pub fn form(files: &[File], fields: &[(&str, &str)]) -> (String, Vec<u8>) {
    let mut body = Vec::new();
    for (name, value) in fields {
        let head = format!("--bord\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        body.extend([head.as_bytes(), value.as_bytes(), b"\r\n"].concat());
    }
    for (name, bytes) in files {
        let head = format!(
            "--bord\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        body.extend([head.as_bytes(), bytes, b"\r\n"].concat());
    }
    body.extend(b"--bord--\r\n");
    ("Content-Type: multipart/form-data; boundary=bord\r\n".into(), body)
}

/// Sends a form as a program does, and reads the answer to the end of the test.
pub fn send(client: &Client, path: &str, lines: &str, body: &[u8]) -> Option<Reply> {
    // Of this version, an answer has no parts.
    let head = format!(
        "POST {}{path} HTTP/1.0\r\nHost: {}\r\n{lines}Content-Length: {}\r\n\r\n",
        client.root,
        client.address,
        body.len()
    );
    client.raw(&[head.as_bytes(), body].concat())
}

/// Uploads files by a link, and returns what came of it.
pub fn upload(served: &Served, token: &str, files: &[File]) -> Reply {
    let (kind, body) = form(files, &[]);
    let lines = format!("{kind}Authorization: Bearer {token}\r\n");
    send(&served.client(), "/upload", &lines, &body).expect("the server answers")
}

/// Returns the standings' rows with this name.
pub fn rows(served: &Served, name: &str) -> Vec<String> {
    let page = served.client().get("/").body;
    let table = page.split("<tbody>").nth(1).unwrap_or_default();
    let rows = table.split("</tr>").filter(|row| row.contains(&format!("<bdi>{name}</bdi>")));
    rows.map(str::to_owned).collect()
}

/// Waits until something is so.
#[track_caller]
pub fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let until = Instant::now() + DEADLINE;
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        thread::sleep(Duration::from_millis(100));
    }
}

fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    let entries: Vec<Entry> = files.iter().map(|(name, text)| Entry::new(name, text)).collect();
    zip(&entries)
}

/// Uploads of each kind, with the result and a part of the log.
#[test]
fn uploads_are_tested_and_mistakes_are_named() {
    let nested = zipped(&[("tp/main.py", HEALTHY), ("tp/data/book.txt", "1")]);
    let nested: &[u8] = &nested;
    let (healthy, built) = (HEALTHY.as_bytes(), BUILT.as_bytes());
    let wrong = HEALTHY.replace("legal[0]", "'nonsense'");
    let cases: &[(&str, &[File], &str, &str)] = &[
        ("source", &[("bot.py", healthy)], "passed", "nothing to fix"),
        (
            "several",
            &[("main.c", built), ("ready.h", b"#define READY \"ready c\"\n")],
            "passed",
            "nothing to fix",
        ),
        ("zip", &[("tp.zip", nested)], "passed", "nothing to fix"),
        ("names", &[("mon bot é.py", healthy)], "passed", "nothing to fix"),
        ("build", &[("main.c", b"int main(void) { return x; }")], "failed", "undeclared"),
        ("syntax", &[("bot.py", b"def x(:\n")], "failed", "SyntaxError"),
        ("moves", &[("bot.py", wrong.as_bytes())], "failed", "to fix: legal"),
        ("none", &[("notes.txt", b"hello")], "failed", "expected an entry point"),
        ("two", &[("a.py", healthy), ("b.py", healthy)], "failed", "expected one entry point"),
        ("empty", &[("bot.py", b"")], "failed", "to fix: start"),
    ];
    let folder = quick("uploads", "game = \"awele\"\nmove-time = \"1s\"", &["awele random"]);
    let served = Served::of(&folder, &[]);
    let names: Vec<&str> = cases.iter().map(|(name, ..)| *name).collect();
    let mut teacher = served.teacher();
    let tokens = teacher.add_people(&names);
    // The ladder would take the processors.
    teacher.act("/teacher/pause", &[("do", "pause")]);
    for ((name, files, result, said), token) in cases.iter().zip(&tokens) {
        let Reply { status, body, .. } = upload(&served, token, files);
        assert_eq!(status, 200, "{name}: {body}");
        assert!(body.ends_with(&format!("result: {result}\n")), "{name}: {body}");
        assert!(body.contains(said), "{name}: {body}");
        // Nothing of the server's folders is in it.
        assert!(!body.contains(folder.to_str().unwrap()), "{name}: {body}");
    }
    for (name, _, result, _) in cases.iter().filter(|(_, _, result, _)| *result == "passed") {
        wait_for(&format!("{name} {result}, plays"), || {
            rows(&served, name).iter().any(|row| row.contains("uploaded"))
        });
    }
    assert!(rows(&served, "build").is_empty());
    // The page of an upload is for its person and the teacher.
    let mut readers = [served.client(), served.client(), served.client(), served.teacher()];
    readers[0].enter(&tokens[0]);
    readers[1].enter(&tokens[1]);
    let statuses = readers.each_mut().map(|client| client.get("/upload/1").status);
    assert_eq!(statuses, [200, 404, 404, 200]);
    let page = readers[0].get("/me").body;
    assert!(page.contains("\"upload/1") && page.contains("Passed: it plays"), "{page}");
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
}

/// A browser sends its key, and pasted text; another site cannot.
#[test]
fn forms_need_the_key_of_their_page() {
    let folder = quick("upload-forms", "game = \"awele\"", &["awele random"]);
    let served = Served::of(&folder, &[]);
    let tokens = served.teacher().add_people(&["Ada"]);
    let mut ada = served.client();
    ada.enter(&tokens[0]);
    let key = ada.get("/me").key().to_owned();
    let pasted = [("text", HEALTHY), ("ending", "py")];
    let with = |key: &str, fields: &[(&str, &str)]| {
        let (kind, body) = form(&[], &[&[("key", key)], fields].concat());
        send(&ada, "/upload", &format!("{kind}Cookie: {}\r\n", ada.cookies), &body).unwrap()
    };
    assert_eq!(with("", &pasted).status, 403);
    assert_eq!(with("x", &pasted).status, 403);
    assert_eq!(with(&key, &[]).status, 400, "nothing was chosen");
    assert_eq!(with(&key, &[("text", "x"), ("ending", "../../x")]).status, 400);
    let taken = with(&key, &pasted);
    assert_eq!((taken.status, taken.header("location")), (303, Some("/upload/1")));
    let (kind, body) = form(&[("bot.py", HEALTHY.as_bytes())], &[]);
    assert_eq!(send(&served.client(), "/upload", &kind, &body).unwrap().status, 403);
    let wrong = format!("{kind}Authorization: Bearer AAAAAAAAAAAAAAAAAAAAAA\r\n");
    let refused = send(&served.client(), "/upload", &wrong, &body).unwrap();
    assert_eq!(refused.status, 401, "{refused:?}");
    assert!(refused.body.starts_with("error: This link leads nowhere"), "{refused:?}");
    let teacher = format!("{kind}Authorization: Bearer {}\r\n", served.token());
    assert_eq!(send(&served.client(), "/upload", &teacher, &body).unwrap().status, 403);
    wait_for("it passes", || ada.clone().get("/upload/1").body.contains("Passed: it plays"));
}

/// Files that are refused at once, each with the sentence that says why.
#[test]
fn files_that_can_be_no_program_are_refused() {
    let folder = quick("refused", "game = \"awele\"", &["awele random", "awele greedy"]);
    let served = Served::of(&folder, &[]);
    let up = zip(&[Entry::new("../../class.toml", "x")]);
    let link = zip(&[Entry::new("bot.py", "/etc/passwd").with_mode(LINK)]);
    let bomb = zip(&[Entry::new("bot.py", "0".repeat(65 << 20))]);
    let many: Vec<(String, String)> =
        (0..3000).map(|number| (format!("f{number}"), String::new())).collect();
    let many: Vec<Entry> = many.iter().map(|(name, text)| Entry::new(name, text)).collect();
    let many = zip(&many);
    let cases: [(&str, &[File], &str); 8] = [
        ("up", &[("a.zip", &up)], "expected paths inside of the zip file"),
        ("link", &[("a.zip", &link)], "expected no links"),
        ("bomb", &[("a.zip", &bomb)], "expected at most 64 MiB unpacked"),
        ("many", &[("a.zip", &many)], "expected at most 2000 files"),
        ("damaged", &[("a.zip", b"PK\x03\x04 no")], "expected a zip file"),
        ("hidden", &[(".bashrc", b"x")], "expected the name of a file"),
        ("dots", &[("..", b"x")], "expected the name of a file"),
        ("twice", &[("bot.py", b"x"), ("BOT.py", b"x")], "expected each file once"),
    ];
    let names: Vec<&str> = cases.iter().map(|(name, ..)| *name).collect();
    let tokens = served.teacher().add_people(&names);
    for ((name, files, why), token) in cases.iter().zip(&tokens) {
        let refused = upload(&served, token, files);
        assert_eq!(refused.status, 400, "{name}: {refused:?}");
        assert!(refused.body.contains(why), "{name}: {refused:?}");
    }
    let left = fs::read_dir(folder.join("uploads")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "nothing of them stays");
    served.wait_for_games(1);
}

/// Bodies that are too large, that stop midway, and that come too often.
#[test]
fn large_and_broken_bodies_hold_up_no_game() {
    let folder = quick("bodies", "game = \"awele\"", &["awele random", "awele greedy"]);
    let served = Served::of(&folder, &[]);
    let tokens = served.teacher().add_people(&["Ada", "Grace"]);
    let head = |token: &str, length: &str| {
        format!(
            "POST /upload HTTP/1.1\r\nHost: {}\r\nContent-Type: multipart/form-data; \
             boundary=bord\r\nAuthorization: Bearer {token}\r\n{length}\r\n\r\n--bord\r\n\
             Content-Disposition: form-data; name=\"file\"; filename=\"bot.py\"\r\n\r\n",
            served.address
        )
    };
    // A gibibyte, with its length and without.
    for length in ["Content-Length: 1073741824", "Transfer-Encoding: chunked"] {
        let mut stream = TcpStream::connect(served.address).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let mut reader = stream.try_clone().unwrap();
        let text = head(&tokens[0], length);
        let answer = thread::spawn(move || {
            let mut answer = vec![0; 4096];
            let count = reader.read(&mut answer).unwrap_or(0);
            String::from_utf8_lossy(&answer[..count]).into_owned()
        });
        let is_chunked = length.starts_with('T');
        let (before, body) = text.split_once("\r\n\r\n").unwrap();
        let part = |bytes: &[u8]| match is_chunked {
            true => [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat(),
            false => bytes.to_vec(),
        };
        stream.write_all(format!("{before}\r\n\r\n").as_bytes()).unwrap();
        let _ = stream.write_all(&part(body.as_bytes()));
        let zeros = part(&[0; 1 << 20]);
        let sent = (0..1024).take_while(|_| stream.write_all(&zeros).is_ok()).count();
        assert!(sent < 64, "{length}: {sent} MiB were taken");
        let answer = answer.join().unwrap();
        assert!(answer.contains(" 413 ") || answer.is_empty(), "{length}: {answer}");
    }
    // Several that stop midway take no place of others.
    let stopped: Vec<TcpStream> = (0..5)
        .map(|_| {
            let mut stream = TcpStream::connect(served.address).unwrap();
            stream.write_all(head(&tokens[0], "Content-Length: 1000000").as_bytes()).unwrap();
            stream
        })
        .collect();
    let reply = upload(&served, &tokens[1], &[("bot.py", HEALTHY.as_bytes())]);
    assert!(reply.body.ends_with("result: passed\n"), "{reply:?}");
    drop(stopped);
    let statuses: Vec<u16> =
        (0..12).map(|_| upload(&served, &tokens[0], &[(".x", b"")]).status).collect();
    assert!(statuses.contains(&429), "{statuses:?}");
    assert!(fs::read_dir(folder.join("uploads")).unwrap().count() == 1);
    served.wait_for_games(2);
}

/// Programs that reach for what is not theirs, when they are built and when they play.
#[test]
fn hostile_uploads_find_nothing() {
    let folder = quick("hostile", "game = \"awele\"", &[]);
    let served = Served::of(&folder, &[]);
    let tokens = served.teacher().add_people(&["Ada", "Mallory", "Loud", "Fork"]);
    let secret = format!("secret = 'the secret of Ada'\n{HEALTHY}");
    let ada = upload(&served, &tokens[0], &[("bot.py", secret.as_bytes())]);
    assert!(ada.body.ends_with("result: passed\n"), "{ada:?}");
    let room = folder.canonicalize().unwrap();
    let room = room.display();
    // What it finds goes to its log, and a build that finds nothing makes no program.
    let spy = format!(
        "cat {room}/people.db {room}/games.db {room}/class.toml {room}/uploads/*/files/* 2>&1\n\
         ls -la {room} {room}/uploads {room}/.. 2>&1\nenv\ncat /proc/*/environ 2>&1 | head -c 1000\n\
         (exec sleep 1000) &\necho done\n"
    );
    let spied = upload(&served, &tokens[1], &[("build.sh", spy.as_bytes())]);
    assert!(spied.body.ends_with("result: failed\n"), "{spied:?}");
    for found in ["the secret of Ada", "SQLite", "[tournament]", "ARBITRE_", served.token()] {
        assert!(!spied.body.contains(found), "{found}: {spied:?}");
    }
    // Two gigabytes of output, of which beginning and end are kept.
    let loud = "echo begun; yes | head -c 2000000000; echo ended; exit 3\n";
    let heard = upload(&served, &tokens[2], &[("build.sh", loud.as_bytes())]);
    assert!(heard.body.len() < 200_000, "{}", heard.body.len());
    for part in ["begun\ny\n", "bytes are left out", "ended\n", "exit code 3", "result: failed\n"] {
        assert!(heard.body.contains(part), "{part}");
    }
    // A process that would outlive its game, or its build, does not.
    let daemon = format!(
        "import os\nfor _ in range(3):\n    if os.fork() == 0:\n        os.setsid()\n        \
         os.execvp('sleep', ['sleep', '98765'])\n{HEALTHY}"
    );
    upload(&served, &tokens[3], &[("bot.py", daemon.as_bytes())]);
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let commands = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let left = commands.filter(|line| line.windows(5).any(|part| part == b"98765")).count();
    assert_eq!(left, 0, "no process stays");
}

/// The newest version that passed plays, also after a kill; a connected program takes its place.
#[test]
fn newest_version_that_passed_plays() {
    let folder =
        quick("upload-versions", "game = \"awele\"\nmove-time = \"1s\"", &["awele random"]);
    let mut served = Served::of(&folder, &[]);
    let (teacher, tokens) =
        (served.token().to_owned(), served.teacher().add_people(&["Ada", "Eve"]));
    let version = |number: u32| format!("# {number}\n{HEALTHY}");
    for (text, result) in [(version(1), "passed"), ("x".into(), "failed"), (version(2), "passed")] {
        let reply = upload(&served, &tokens[0], &[("bot.py", text.as_bytes())]);
        assert!(reply.body.ends_with(&format!("result: {result}\n")), "{reply:?}");
    }
    let failed = upload(&served, &tokens[0], &[("bot.py", b"x")]);
    assert!(failed.body.ends_with("result: failed\n"), "{failed:?}");
    let mut ada = served.client();
    ada.enter(&tokens[0]);
    let page = ada.get("/me").body;
    let plays: Vec<&str> =
        page.split("</tr>").filter(|row| row.contains("Passed: it plays")).collect();
    assert!(plays.len() == 1 && plays[0].contains("\"upload/3"), "{page}");
    wait_for("two versions played", || {
        let link = rows(&served, "Ada");
        let number = link.first().and_then(|row| row.split("\"player/").nth(1)?.split('"').next());
        let Some(number) = number else { return false };
        ada.clone().get(&format!("/player/{number}")).body.contains("Ada, version 1")
    });
    // Four uploads at once by one person: the last of them is tested in any case.
    let answers: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|number| {
                let (served, token) = (&served, &tokens[1]);
                let text = version(10 + number);
                scope.spawn(move || upload(served, token, &[("bot.py", text.as_bytes())]).body)
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let ended = |word: &str| answers.iter().filter(|body| body.ends_with(word)).count();
    assert!(ended("result: passed\n") >= 1, "{answers:?}");
    let taken = ended("result: passed\n") + ended("result: replaced\n");
    let refused = answers.iter().filter(|body| body.contains("Too many uploads")).count();
    assert_eq!(taken + refused, 4, "{answers:?}");
    let before = rows(&served, "Ada").len();
    served.kill();
    drop(served);
    let served = Served::of(&folder, &[]);
    wait_for("both play again", || {
        ["Ada", "Eve"].iter().all(|name| {
            rows(&served, name).iter().any(|row| row.contains("uploaded") && !row.contains("away"))
        })
    });
    assert_eq!(rows(&served, "Ada").len(), before, "it is the same version");
    // Disabled, enabled, deleted.
    let mut by_teacher = served.client();
    by_teacher.enter(&teacher);
    let number = by_teacher.number_of("Ada");
    let place = format!("/teacher/person/{number}");
    let is_away = || rows(&served, "Ada").iter().all(|row| row.contains("class=\"away\""));
    by_teacher.act(&place, &[("do", "disable")]);
    wait_for("it leaves", is_away);
    by_teacher.act(&place, &[("do", "enable")]);
    wait_for("it is back", || !is_away());
    let folders = || fs::read_dir(folder.join("uploads")).unwrap().count();
    assert_eq!(folders(), 4 + taken);
    by_teacher.act(&place, &[("do", "delete")]);
    wait_for("its files are gone", || folders() == taken);
    assert!(rows(&served, "Ada").is_empty());
}

/// Where programs would reach more than their own files, none is taken, unless the teacher says so.
#[test]
fn uploads_need_a_sandbox() {
    let settings = "game = \"awele\"\nno-sandbox = true\nmove-time = \"1s\"";
    let folder = quick("open uploads", settings, &["awele random"]);
    let served = Served::of(&folder, &[]);
    let tokens = served.teacher().add_people(&["Ada"]);
    let refused = upload(&served, &tokens[0], &[("bot.py", HEALTHY.as_bytes())]);
    assert_eq!(refused.status, 409, "{refused:?}");
    assert!(refused.body.contains("expected a sandbox that is full or partial, got none"));
    let mut ada = served.client();
    ada.enter(&tokens[0]);
    let page = ada.get("/me").body;
    assert!(page.contains("--i-trust-my-students") && !page.contains("type=\"file\""), "{page}");
    assert_eq!(served.teacher().get("/teacher/final").status, 200);
    let (_, error) = served.stop();
    assert!(error.contains("note: no uploads: expected a sandbox"), "{error}");
    let served = Served::of(&folder, &["--i-trust-my-students"]);
    let taken = upload(&served, &tokens[0], &[("bot.py", HEALTHY.as_bytes())]);
    assert!(taken.body.ends_with("result: passed\n"), "{taken:?}");
    wait_for("it plays", || rows(&served, "Ada").iter().any(|row| row.contains("uploaded")));
    // Without the option it stays away.
    drop(served);
    let served = Served::of(&folder, &[]);
    thread::sleep(Duration::from_secs(2));
    assert!(rows(&served, "Ada").iter().all(|row| row.contains("class=\"away\"")));
}

/// A program that connects takes the place of the uploaded one, which is back afterwards.
#[test]
fn connected_program_plays_in_place_of_an_upload() {
    let settings = "game = \"awele\"\nmove-time = \"1s\"";
    let folder = quick("upload and join", settings, &["awele random", "awele greedy"]);
    let served = Served::of(&folder, &[]);
    let tokens = served.teacher().add_people(&["Ada"]);
    // The client of this test answers in no game, and would be set aside.
    served.teacher().act("/teacher/pause", &[("do", "pause")]);
    let taken = upload(&served, &tokens[0], &[("bot.py", HEALTHY.as_bytes())]);
    assert!(taken.body.ends_with("result: passed\n"), "{taken:?}");
    let has = |mark: &str| {
        let rows = rows(&served, "Ada");
        rows.len() == 1 && rows[0].contains(mark) && !rows[0].contains("class=\"away\"")
    };
    wait_for("the upload plays", || has("uploaded"));
    let guest = Guest::join(&served, &tokens[0], 1);
    wait_for("the connected program plays", || has("own machine"));
    // Another upload is tested meanwhile, and waits.
    let other = format!("# other\n{HEALTHY}");
    let taken = upload(&served, &tokens[0], &[("bot.py", other.as_bytes())]);
    assert!(taken.body.ends_with("result: passed\n"), "{taken:?}");
    assert!(has("own machine"));
    drop(guest);
    wait_for("the newer upload plays", || has("uploaded"));
    let mut ada = served.client();
    ada.enter(&tokens[0]);
    assert!(ada.get("/me").body.matches("Passed").count() >= 2);
}

/// A file of people that an earlier version wrote has no uploads yet.
#[test]
fn people_of_an_earlier_version_upload() {
    let folder = quick("older people", "game = \"awele\"", &["awele random"]);
    let served = Served::of(&folder, &[]);
    let tokens = served.teacher().add_people(&["Ada"]);
    drop(served);
    let file = folder.join("people.db");
    // Each earlier format with the tables that it lacked, then one of a later version.
    let write = |format: i32, lacking: &[&str]| {
        let drop = lacking.iter().map(|table| format!("c.execute('DROP TABLE {table}'); "));
        let text = format!(
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); {}\
             c.execute('PRAGMA user_version = {format}'); c.commit()",
            drop.collect::<String>()
        );
        assert!(Command::new("python3").args(["-c", &text]).arg(&file).status().unwrap().success());
    };
    for (format, lacking) in [(1, &["upload", "solution"][..]), (2, &["solution"])] {
        write(format, lacking);
        let served = Served::of(&folder, &[]);
        let text = format!("# {format}\n{HEALTHY}");
        let taken = upload(&served, &tokens[0], &[("bot.py", text.as_bytes())]);
        assert!(taken.body.ends_with("result: passed\n"), "{format}: {taken:?}");
    }
    write(4, &[]);
    // That of a later version, and two of other programs.
    let other = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('CREATE TABLE t (a)')";
    for of in ["later", "text", "sqlite"] {
        match of {
            "text" => fs::write(&file, "people").unwrap(),
            "sqlite" => {
                fs::remove_file(&file).unwrap();
                let made = Command::new("python3").args(["-c", other]).arg(&file).status();
                assert!(made.unwrap().success());
            }
            _ => {}
        }
        let refused = Served::try_of(&folder, &["--listen", "127.0.0.1:0"]).err().unwrap();
        assert!(refused.contains("people.db: expected the people of a room"), "{of}: {refused}");
    }
}

/// Uploads, and kills of the server at random moments: each upload that was acknowledged is there,
/// with its files, and is tested in the end.
fn kill_during_uploads(name: &str, kills: usize) {
    let settings = "game = \"awele\"\nmove-time = \"1s\"";
    let folder = quick(name, settings, &[]);
    let mut served = Served::of(&folder, &[]);
    let mut teacher = served.teacher();
    let tokens = teacher.add_people(&["Ada", "Grace", "Leo"]);
    teacher.act("/teacher/pause", &[("do", "pause")]);
    let mut rng = Rng::new(kills as u64);
    let mut acknowledged = Vec::new();
    for round in 0..kills {
        let after = Duration::from_millis(rng.below(3000) as u64);
        let heads: Vec<String> = thread::scope(|scope| {
            let threads: Vec<_> = tokens
                .iter()
                .map(|token| {
                    let (served, text) = (&served, format!("# {round} {token}\n{HEALTHY}"));
                    let build = format!("cat > bot <<'E'\n#!/usr/bin/env python3\n{text}E\nchmod +x bot; sleep 0.3\n");
                    scope.spawn(move || {
                        let (kind, body) = form(&[("build.sh", build.as_bytes())], &[]);
                        let lines = format!("{kind}Authorization: Bearer {token}\r\n");
                        // A server that is killed gives half an answer, or none.
                        send(&served.client(), "/upload", &lines, &body).map_or_else(String::new, |of| of.body)
                    })
                })
                .collect();
            thread::sleep(after);
            signal(served.pid(), "-KILL");
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let numbers = heads.iter().filter_map(|head| {
            head.strip_prefix("upload ")?.split(':').next()?.parse::<i64>().ok()
        });
        acknowledged.extend(numbers);
        drop(served);
        served = Served::of(&folder, &[]);
    }
    let mut people: Vec<Client> = tokens.iter().map(|_| served.client()).collect();
    for (client, token) in people.iter_mut().zip(&tokens) {
        client.enter(token);
    }
    for number in &acknowledged {
        wait_for(&format!("upload {number} is there, and over"), || {
            people.iter().any(|client| {
                let page = client.clone().get(&format!("/upload/{number}"));
                let over = ["Passed", "Not tested: a newer one came"];
                page.status == 200 && over.iter().any(|word| page.body.contains(word))
            })
        });
    }
    let unique: std::collections::BTreeSet<_> = acknowledged.iter().collect();
    assert_eq!(unique.len(), acknowledged.len(), "none is there twice");
    for name in ["Ada", "Grace", "Leo"] {
        wait_for(&format!("{name} plays"), || {
            rows(&served, name).iter().any(|row| !row.contains("away"))
        });
    }
    println!("{kills} kills: {} uploads acknowledged", acknowledged.len());
    let list = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM upload').fetchone()[0])";
    let counted = Command::new("python3").args(["-c", list]).arg(folder.join("people.db")).output();
    let stored: usize = String::from_utf8(counted.unwrap().stdout).unwrap().trim().parse().unwrap();
    assert!(stored >= acknowledged.len());
    // No folder is left of an upload that was cut off. Of each person the files of ten are kept,
    // and of the one that plays.
    wait_for(&format!("few folders of {stored} uploads are left"), || {
        let folders = fs::read_dir(folder.join("uploads")).unwrap().count();
        (stored.min(30)..=stored.min(33)).contains(&folders)
    });
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
}

#[test]
fn kills_lose_no_upload() {
    kill_during_uploads("upload-kills", 3);
}

#[test]
#[ignore = "it takes minutes: .ci/full evening"]
fn thirty_kills_lose_no_upload() {
    kill_during_uploads("thirty-upload-kills", 30);
}
