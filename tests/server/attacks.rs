//! Attacks of a class, or of a stranger in its network.

use crate::http::{encoded, quick, Client, Served, DEADLINE};
use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

fn served(name: &str) -> Served {
    Served::of(&quick(name, "game = \"awele\"", &["awele random", "awele greedy"]), &[])
}

/// Returns the time of a page for an honest browser.
fn time_of_a_page(client: &mut Client) -> Duration {
    let begun = Instant::now();
    let reply = client.get("/rules");
    assert!(matches!(reply.status, 200), "{reply:?}");
    begun.elapsed()
}

/// Five hundred connections that say nothing, or half a request, and others that are half closed.
#[test]
fn silent_connections_hold_up_no_page() {
    let served = served("silent");
    let mut honest = served.client();
    let beginnings: [&[u8]; 4] = [b"", b"GET", b"GET / HTTP/1.1\r\nHost: x\r\n", b"\r\n\r\n\r\n"];
    let mut open = Vec::new();
    for number in 0..500 {
        let mut stream = TcpStream::connect(served.address).unwrap();
        stream.write_all(beginnings[number % 4]).unwrap();
        if number % 3 == 0 {
            stream.shutdown(Shutdown::Write).unwrap();
        }
        open.push(stream);
    }
    assert!(time_of_a_page(&mut honest) < DEADLINE);
    // The server ends them by itself.
    let first = &mut open[2];
    first.set_read_timeout(Some(DEADLINE)).unwrap();
    let mut answer = Vec::new();
    let _ = first.read_to_end(&mut answer);
    assert!(time_of_a_page(&mut honest) < DEADLINE);
}

/// Browsers that ask for much and read nothing.
#[test]
fn slow_readers_hold_up_no_page() {
    let served = served("slow");
    let mut honest = served.client();
    let request = format!("GET /script.js HTTP/1.1\r\nHost: {}\r\n\r\n", served.address);
    let mut open = Vec::new();
    for _ in 0..100 {
        let mut stream = TcpStream::connect(served.address).unwrap();
        // Many requests on one connection, whose answers are not read.
        stream.write_all(request.repeat(5).as_bytes()).unwrap();
        let events = format!("GET /events/room HTTP/1.1\r\nHost: {}\r\n\r\n", served.address);
        let mut stream_of_events = TcpStream::connect(served.address).unwrap();
        stream_of_events.write_all(events.as_bytes()).unwrap();
        open.extend([stream, stream_of_events]);
    }
    for _ in 0..10 {
        assert!(time_of_a_page(&mut honest) < DEADLINE);
    }
    served.wait_for_games(3);
    // Open streams do not hold the end.
    let begun = Instant::now();
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
    assert!(begun.elapsed() < DEADLINE);
}

/// Small requests without end, from one address: most are refused, and games go on.
#[test]
fn floods_are_refused() {
    let served = served("flood");
    let request = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", served.address);
    let mut stream = TcpStream::connect(served.address).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    let mut writer = stream.try_clone().unwrap();
    let all = std::thread::spawn(move || {
        for _ in 0..3000 {
            if writer.write_all(request.as_bytes()).is_err() {
                break;
            }
        }
        let _ = writer.shutdown(Shutdown::Write);
    });
    let mut answers = Vec::new();
    let _ = stream.read_to_end(&mut answers);
    all.join().unwrap();
    let text = String::from_utf8_lossy(&answers);
    let (served_pages, refused) =
        (text.matches("HTTP/1.1 200").count(), text.matches("HTTP/1.1 429").count());
    assert!(refused > 500, "{served_pages} pages, {refused} refused");
    served.wait_for_games(2);
}

/// Requests that no browser sends: each gets an answer or an end, and the server lives.
#[test]
fn malformed_requests_are_refused() {
    let served = served("malformed");
    let host = served.address;
    let long = "a".repeat(100_000);
    let requests = [
        "GET / HTTP/1.1\r\n\r\n".to_owned(),
        "FROB / HTTP/1.1\r\nHost: x\r\n\r\n".into(),
        format!("GET /{long} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {long}\r\n\r\n"),
        format!("GET /game/{long} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        format!("GET /game/-1 HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
        format!("GET /player/99999999999999999999 HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
        format!("GET /../../etc/passwd HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
        format!("GET /enter/%00%ff HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
        format!("POST /leave HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\nkey=x"),
        format!("POST /leave HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nffffffffff\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nCookie: \u{1}={long}\r\n\r\n"),
        "\u{0}\u{1}\u{2}".repeat(1000),
        "GET / HTTP/0.9\r\n\r\n".into(),
    ];
    for request in requests {
        let mut stream = TcpStream::connect(served.address).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        let shown: String = request.chars().take(60).collect();
        assert!(!answer.contains("HTTP/1.1 5"), "{shown}: {answer}");
        assert!(!answer.contains("root:"), "{shown}: {answer}");
    }
    let mut teacher = served.teacher();
    let big = "x\n".repeat(200_000);
    assert_eq!(teacher.act("/teacher/people", &[("names", &big)]).status, 413);
    assert_eq!(teacher.get("/teacher").status, 200);
}

/// Text of people in pages and files.
#[test]
fn scripts_in_texts_are_shown() {
    let served = served("scripts");
    let mut teacher = served.teacher();
    let hostile =
        ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "=cmd|' /C calc'!A0"];
    let tokens = teacher.add_people(&hostile);
    teacher.act("/teacher/message", &[("text", "</p><script>alert(2)</script>")]);
    let mut person = served.client();
    person.enter(&tokens[1]);
    for (client, page) in [(&mut teacher, "/teacher"), (&mut person, "/me")] {
        let body = client.get(page).body;
        for sign in ["<script>alert", "<img src=x", "onerror=alert(1)>"] {
            assert!(!body.contains(sign), "{page}: {body}");
        }
    }
    let number = teacher.number_of(hostile[2]);
    let again = teacher.act(&format!("/teacher/person/{number}"), &[("do", "reissue")]);
    let csv = teacher.get(&format!("{}/csv", again.header("location").unwrap())).body;
    assert!(csv.contains("\n'=cmd"), "a spreadsheet takes it as a text: {csv}");
    let mut none = served.client();
    let to = none.get("/language/fr?to=//evil.example/");
    assert_eq!(to.header("location"), Some("/"), "no way to another site");
    let to = none.get("/language/fr?to=https://evil.example/");
    assert_eq!(to.header("location"), Some("/"));
    let split = none.get("/language/fr?to=/%0d%0aSet-Cookie:%20x=y");
    assert_eq!(split.header("location"), Some("/"));
}

/// Forms that other sites send, with the cookie of a teacher who has them open.
#[test]
fn forms_of_other_sites_are_refused() {
    let served = served("forms");
    let mut teacher = served.teacher();
    let page = teacher.get("/teacher");
    let key = page.key().to_owned();
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let own = format!("Origin: http://{}\r\n", served.address);
    let actions = [
        "/teacher/people",
        "/teacher/person/1",
        "/teacher/pause",
        "/teacher/message",
        "/teacher/openness",
        "/teacher/link",
        "/leave",
        "/challenge",
    ];
    for action in actions {
        let fields = [("key", key.as_str()), ("names", "Eve"), ("do", "pause"), ("text", "x")];
        let body = encoded(&fields);
        for origin in [
            "Origin: http://evil.example\r\n",
            "Origin: null\r\n",
            "Origin: http://127.0.0.1:1\r\n",
            "Sec-Fetch-Site: cross-site\r\n",
        ] {
            let reply = teacher.send("POST", action, &format!("{form}{origin}"), &body);
            assert_eq!(reply.status, 403, "{action} {origin}");
        }
        // From this server, but without the key of this browser.
        for key in ["", "wrong"] {
            let body = encoded(&[("key", key), ("names", "Eve"), ("do", "pause")]);
            let reply = teacher.send("POST", action, &format!("{form}{own}"), &body);
            assert_eq!(reply.status, 403, "{action} {key}");
        }
        let reply = teacher.send("GET", action, "", "");
        assert!(matches!(reply.status, 404 | 405), "{action} changes nothing by a link: {reply:?}");
    }
    let page = teacher.get("/teacher").body;
    assert!(!page.contains("Eve") && page.contains("value=\"pause\""), "{page}");
}

/// Another server on this machine, whose cookies the browser sends here, too.
#[test]
fn cookies_of_neighbours_are_told_apart() {
    let (one, other) = (served("cookies-1"), served("cookies-2"));
    let (mut teacher, mut second) = (one.teacher(), other.teacher());
    let name = |client: &Client| client.cookies.split('=').next().unwrap().to_owned();
    assert_ne!(name(&teacher), name(&second), "two rooms of one host keep both");
    let both = format!("{}; {}", teacher.cookies, second.cookies);
    (teacher.cookies, second.cookies) = (both.clone(), both);
    assert_eq!([teacher.get("/teacher").status, second.get("/teacher").status], [200, 200]);
    // A neighbour that knows the name cannot slip in a cookie of its own.
    let own = one.teacher().cookies;
    let token = one.teacher().add_people(&["Eve"])[0].clone();
    teacher.cookies = format!("{own}; {}={token}", name(&one.teacher()));
    assert_eq!(teacher.get("/me").status, 403, "neither of two is taken");
    teacher.cookies = own;
    let reply = one.client().send("GET", &format!("/enter/{}", one.token()), "", "");
    let cookie = reply.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
}

#[test]
fn tokens_are_not_guessed() {
    let served = served("guesses");
    let mut client = served.client();
    let mut statuses = Vec::new();
    for number in 0..100 {
        let guess = format!("{number:022}");
        statuses.push(client.get(&format!("/enter/{guess}")).status);
    }
    assert!(statuses.iter().all(|status| [404, 429].contains(status)), "{statuses:?}");
    assert!(statuses.iter().filter(|status| **status == 429).count() > 20, "{statuses:?}");
    assert_eq!(client.get("/").status, 200, "pages are still there");
    // Its database has no secret.
    let database = fs::read(served.folder.join("people.db")).unwrap();
    let token = served.token().as_bytes();
    assert!(!database.windows(token.len()).any(|part| part == token));
}

/// The wall clock of a laptop may jump: times are measured by another one.
#[test]
fn the_wall_clock_decides_nothing() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/referee/server");
    let mut readers = Vec::new();
    for entry in fs::read_dir(root).unwrap().chain(fs::read_dir(format!("{root}/pages")).unwrap()) {
        let path = entry.unwrap().path();
        let is_code = path.extension().is_some_and(|ending| ending == "rs");
        if is_code && fs::read_to_string(&path).unwrap().contains("SystemTime") {
            readers.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    assert_eq!(readers, ["people.rs"], "the date of a person is for people alone");
}
