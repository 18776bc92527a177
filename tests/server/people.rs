//! Teacher, people and spectators, by the pages that they see.

use crate::http::{quick, Client, Served, DEADLINE};
use std::io::{Read, Write};
use std::net::TcpStream;

/// Pages with what a spectator, a person and the teacher get.
const PAGES: [(&str, u16, u16, u16); 12] = [
    ("/", 200, 200, 200),
    ("/projector", 200, 200, 200),
    ("/address", 200, 200, 200),
    ("/rules", 200, 200, 200),
    ("/player/0", 200, 200, 200),
    ("/player/99", 404, 404, 404),
    ("/player/x", 404, 404, 404),
    ("/game/999999", 404, 404, 404),
    ("/me", 403, 200, 303),
    ("/teacher", 403, 403, 200),
    ("/teacher/slips/1", 403, 403, 200),
    ("/nothing", 404, 404, 404),
];

#[test]
fn every_page_has_its_readers() {
    let folder = quick("readers", "game = \"awele\"", &["awele random", "awele greedy"]);
    let served = Served::of(&folder, &[]);
    let mut teacher = served.teacher();
    let tokens = teacher.add_people(&["Ada", "Grace"]);
    let (mut ada, mut none) = (served.client(), served.client());
    assert_eq!(ada.enter(&tokens[0]).header("location"), Some("/me"));
    served.wait_for_games(1);
    for (page, by_none, by_person, by_teacher) in PAGES {
        let found = [&mut none, &mut ada, &mut teacher].map(|client| client.get(page).status);
        assert_eq!(found, [by_none, by_person, by_teacher], "{page}");
    }
    for path in ["/game/0", "/game/0/data"] {
        assert_eq!(none.get(path).status, 200, "{path}");
    }
    // Every page of every language is whole, and has the policy.
    for language in ["en", "fr"] {
        for (page, ..) in PAGES {
            let reply = teacher.send("GET", page, &format!("Accept-Language: {language}\r\n"), "");
            if reply.status == 303 {
                continue;
            }
            assert!(reply.body.contains(&format!("<html lang=\"{language}\">")), "{page}");
            assert!(reply.body.trim_end().ends_with("</html>"), "{page}: {}", reply.body);
            let policy = reply.header("content-security-policy").unwrap();
            assert!(policy.contains("connect-src 'self'"), "{page}: {policy}");
            assert!(!reply.body.contains("onclick") && !reply.body.contains("style="), "{page}");
        }
    }
    let (status, error) = served.stop();
    assert!(status.success(), "{status}: {error}");
}

#[test]
fn people_are_renamed_disabled_and_deleted() {
    let folder = quick("people", "game = \"awele\"", &["awele random"]);
    let served = Served::of(&folder, &[]);
    let mut teacher = served.teacher();
    let tokens = teacher.add_people(&["Ada", "Grace"]);
    let mut ada = served.client();
    ada.enter(&tokens[0]);
    let own = format!("/teacher/person/{}", teacher.number_of("Ada"));
    assert!(ada.get("/me").body.contains("<bdi>Ada</bdi>"));
    // A second device by the same link.
    let mut phone = served.client();
    phone.enter(&tokens[0]);
    assert_eq!(phone.get("/me").status, 200);

    teacher.act(&own, &[("do", "rename"), ("name", "Ada <Lovelace>")]);
    assert!(ada.get("/me").body.contains("<bdi>Ada &#60;Lovelace&#62;</bdi>"));
    let taken = teacher.act(&own, &[("do", "rename"), ("name", "grace")]);
    assert_eq!(taken.status, 400);
    assert!(taken.body.contains("This name is taken: grace"), "{}", taken.body);

    let again = teacher.act(&own, &[("do", "reissue")]);
    assert_eq!(again.status, 303);
    for device in [&mut ada, &mut phone] {
        assert_eq!(device.get("/me").status, 403, "a link that was replaced leads nowhere");
        assert_eq!(device.enter(&tokens[0]).status, 404);
    }
    let csv = teacher.get(&format!("{}/csv", again.header("location").unwrap())).body;
    let token = csv.trim().rsplit('/').next().unwrap();
    assert_eq!(ada.enter(token).status, 303);

    teacher.act(&own, &[("do", "disable")]);
    assert_eq!(ada.get("/me").status, 403);
    teacher.act(&own, &[("do", "enable")]);
    assert_eq!(ada.get("/me").status, 200);

    teacher.act(&own, &[("do", "delete")]);
    assert_eq!(ada.get("/me").status, 403);
    let page = teacher.get("/teacher").body;
    assert!(!page.contains("Lovelace") && page.contains("Grace"));
    let gone = teacher.act(&own, &[("do", "rename"), ("name", "x")]);
    assert_eq!(gone.status, 404);
    for names in ["", "Eve\n\u{202e}x", "Eve\nGRACE"] {
        assert_eq!(teacher.act("/teacher/people", &[("names", names)]).status, 400, "{names:?}");
    }
    assert!(!teacher.get("/teacher").body.contains("Eve"), "none is added if one is refused");
}

#[test]
fn spectators_see_what_the_teacher_allows() {
    let folder = quick("openness", "game = \"awele\"", &["awele random", "awele greedy"]);
    let served = Served::of(&folder, &[]);
    let (mut teacher, mut none) = (served.teacher(), served.client());
    let mut ada = served.client();
    ada.enter(&teacher.add_people(&["Ada"])[0]);
    teacher.act("/teacher/message", &[("text", "At <noon> we stop")]);
    assert!(none.get("/").body.contains("At &#60;noon&#62; we stop"));
    for page in ["/", "/projector", "/rules", "/address", "/events/room"] {
        if page != "/events/room" {
            assert_eq!(none.get(page).status, 200, "{page}");
        }
        teacher.act("/teacher/openness", &[("openness", "closed")]);
        assert_eq!(none.get(page).status, 403, "{page}");
        if page != "/events/room" {
            assert_eq!(ada.get(page).status, 200, "{page}");
        }
        teacher.act("/teacher/openness", &[("openness", "names")]);
    }
    teacher.act("/teacher/pause", &[("do", "pause")]);
    assert!(none.get("/").body.contains("The room is paused"));
    teacher.act("/teacher/pause", &[("do", "resume")]);
    assert!(!none.get("/").body.contains("The room is paused"));
}

#[test]
fn teachers_link_is_replaced() {
    let folder = quick("rotation", "game = \"awele\"", &["awele random"]);
    let mut served = Served::of(&folder, &[]);
    let (mut teacher, old) = (served.teacher(), served.token().to_owned());
    let mut pupil = served.client();
    assert_eq!(pupil.enter(&old).status, 303, "a link that was pasted into a chat");
    let reply = teacher.act("/teacher/link", &[]);
    let cookie = reply.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(pupil.get("/teacher").status, 403);
    assert_eq!(pupil.enter(&old).status, 404);
    teacher.cookies = cookie;
    assert_eq!(teacher.get("/teacher").status, 200, "the browser of the teacher goes on");
    served.kill();

    let mut served = Served::of(&folder, &[]);
    assert!(served.lines.iter().any(|line| line.contains("--new-link")), "{:?}", served.lines);
    teacher.address = served.address;
    assert_eq!(teacher.get("/teacher").status, 200, "a restart changes nothing");
    served.kill();
    let served = Served::of(&folder, &["--new-link"]);
    teacher.address = served.address;
    assert_eq!(teacher.get("/teacher").status, 403);
    assert_eq!(served.teacher().get("/teacher").status, 200);
}

/// Returns what a stream sends until the server ends it.
fn read_to_end(mut stream: TcpStream) -> String {
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    let mut all = Vec::new();
    stream.read_to_end(&mut all).expect("the server ends the stream");
    String::from_utf8_lossy(&all).into_owned()
}

#[test]
fn streams_end_with_the_right_to_see_them() {
    let folder = quick("streams", "game = \"awele\"", &["awele random", "awele greedy"]);
    let served = Served::of(&folder, &[]);
    let mut teacher = served.teacher();
    let mut ada = served.client();
    ada.enter(&teacher.add_people(&["Ada"])[0]);
    let open = |client: &Client, path: &str| {
        let Client { address, cookies, .. } = client;
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nCookie: {cookies}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    for (openness, person) in [("closed", false), ("numbers", false), ("names", true)] {
        let streams = ["/events/room", "/events/projector"].map(|path| match person {
            true => open(&ada, path),
            false => open(&served.client(), path),
        });
        match person {
            true => teacher.act("/teacher/person/1", &[("do", "disable")]),
            false => teacher.act("/teacher/openness", &[("openness", openness)]),
        };
        for stream in streams {
            let sent = read_to_end(stream);
            assert!(sent.starts_with("HTTP/1.1 200"), "{openness}: {sent}");
        }
        teacher.act("/teacher/openness", &[("openness", "names")]);
    }
}

/// The sample of the protocol has the lines that the bot beside it reads.
#[test]
fn sample_of_the_protocol_fits_the_bot() {
    let folder =
        quick("sample", "game = \"awele\"\nmove-time = \"2s\"", &["awele random", "awele greedy"]);
    let served = Served::of(&folder, &[]);
    served.wait_for_games(1);
    let page = served.client().get("/rules").body;
    for part in ["\nstate ", "\nlegal ", "&#60; ready bot", "move 2000", "word == &#34;legal&#34;"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/referee/server/assets/bot.py");
    assert!(readme.contains(&std::fs::read_to_string(bot).unwrap()), "the bot is that of README");
}

#[test]
fn pause_outlasts_a_restart() {
    let folder = quick("paused", "game = \"awele\"", &["awele random", "awele greedy"]);
    let mut served = Served::of(&folder, &[]);
    let token = served.token().to_owned();
    served.teacher().act("/teacher/pause", &[("do", "pause")]);
    served.kill();
    let served = Served::of(&folder, &[]);
    let mut teacher = served.client();
    teacher.enter(&token);
    assert!(teacher.get("/").body.contains("The room is paused"));
    teacher.act("/teacher/pause", &[("do", "resume")]);
    served.wait_for_games(1);
}

/// A link that another person sends takes no browser from its owner.
#[test]
fn link_of_another_asks_first() {
    let folder = quick("another link", "game = \"awele\"", &["awele random"]);
    let served = Served::of(&folder, &[]);
    let mut teacher = served.teacher();
    let token = teacher.add_people(&["Eve"])[0].clone();
    let link = format!("/enter/{token}");
    let asked = teacher.get(&link);
    assert_eq!((asked.status, asked.header("set-cookie")), (200, None));
    assert!(asked.body.contains("<bdi>Eve</bdi>"), "{}", asked.body);
    assert_eq!(teacher.get("/teacher").status, 200);
    assert_eq!(teacher.post(&link, &[("key", "wrong")]).status, 403);
    let key = asked.key().to_owned();
    let entered = teacher.post(&link, &[("key", &key)]);
    assert_eq!((entered.status, entered.header("location")), (303, Some("/me")));
    // Its own link, and that of a browser without one, ask nothing.
    let own = served.token().to_owned();
    assert_eq!(served.teacher().get(&format!("/enter/{own}")).status, 303);
    assert_eq!(served.client().get(&link).status, 303);
}
