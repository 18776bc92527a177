//! An evening of a class, from empty folder to marks, with Chromium for what the teacher does.

use crate::browsing::at;
use crate::finals::games_of;
use crate::http::{quick, Client, Served};
use crate::uploads::{form, upload, HEALTHY};
use arbitre_test_support::browser::Browser;
use arbitre_test_support::class::{self, MENDED, NOT_STARTED, STUDENTS};
use arbitre_test_support::command::{cleared, folder, run, stderr};
use arbitre_test_support::zips::{zip, Entry};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// Uploads that mean harm, each as a script that builds it.
const HOSTILE: [(&str, &str); 5] = [
    ("Endless", "while :; do :; done"),
    ("Filler", "while :; do head -c 100000000 /dev/zero > $RANDOM$RANDOM; done"),
    ("Daemon", "(setsid sleep 98764 &) ; (setsid sleep 98764 &) ; exit 1"),
    ("Spy", "cat ../../../../*.db ../../../../uploads/*/files/*; ls -la / ../../../..; exit 1"),
    ("Loud", "yes | head -c 2000000000; exit 1"),
];
/// Uploads with mistakes that no student of `scripts/class` makes.
const BROKEN: [(&str, &str); 2] = [("Empty", ""), ("Endings", "bot.docx")];
/// Program in a language that `scripts/class` does not have.
const JAVASCRIPT: &str = "let legal = [];
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const words = line.split(' ');
  if (words[0] === 'begin') console.log('ready node');
  if (words[0] === 'legal') legal = words.slice(1);
  if (words[0] === 'go') console.log(legal[0]);
});
";
/// Limit of each step. Not tuned.
const LONG: Duration = Duration::from_secs(300);

/// Files of an upload.
type Files = Vec<(String, Vec<u8>)>;

/// Returns the paths of all files below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.path().is_dir() {
            true => files.extend(below(&entry.path())),
            false => files.push(entry.path()),
        }
    }
    files.sort_unstable();
    files
}

/// Returns the submissions of a week by student, as they upload them: a file, or a zip file.
fn submissions(week: usize) -> Option<BTreeMap<String, Files>> {
    let place = cleared(folder("evening-class").join(week.to_string()));
    fs::create_dir_all(&place).unwrap();
    let sent = place.join("week.zip");
    if !class::write(&sent, STUDENTS, week) {
        return None;
    }
    let unzip = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])";
    let to = place.join("all");
    assert!(Command::new("python3")
        .args(["-c", unzip])
        .args([&sent, &to])
        .status()
        .unwrap()
        .success());
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(&to).unwrap().flatten() {
        let student = entry.file_name().to_string_lossy().split('_').next().unwrap().to_owned();
        let files = below(&entry.path());
        let name = |path: &Path| path.strip_prefix(entry.path()).unwrap().display().to_string();
        let files: Files = match files.as_slice() {
            [one] => vec![(name(one).rsplit('/').next().unwrap().into(), fs::read(one).unwrap())],
            _ => {
                let entries: Vec<Entry> =
                    files.iter().map(|of| Entry::new(name(of), fs::read(of).unwrap())).collect();
                vec![("tp.zip".into(), zip(&entries))]
            }
        };
        all.insert(student, files);
    }
    Some(all)
}

/// Uploads files, and returns the time until the first line about them, and all lines.
fn upload_timed(served: &Served, token: &str, files: &Files) -> (Duration, String) {
    let files: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
    let (kind, body) = form(&files, &[]);
    let head = format!(
        "POST /upload HTTP/1.0\r\nHost: {}\r\n{kind}Authorization: Bearer {token}\r\n\
         Content-Length: {}\r\n\r\n",
        served.address,
        body.len()
    );
    let begun = Instant::now();
    let mut stream = TcpStream::connect(served.address).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    stream.write_all(&[head.as_bytes(), &body].concat()).unwrap();
    let (mut text, mut first) = (Vec::new(), None);
    let mut chunk = vec![0; 1 << 16];
    loop {
        let count = stream.read(&mut chunk).unwrap_or(0);
        if count == 0 {
            break;
        }
        text.extend(&chunk[..count]);
        // The first line of the answer repeats the names of the files.
        let body = text.windows(4).position(|part| part == b"\r\n\r\n").map(|end| &text[end + 4..]);
        let lines = body.map_or(0, |body| body.iter().filter(|byte| **byte == b'\n').count());
        if lines >= 2 && first.is_none() {
            first = Some(begun.elapsed());
        }
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    (first.unwrap_or_else(|| begun.elapsed()), text)
}

/// CPU time of the server and of all its processes that have ended, in seconds.
fn cpu(served: &Served) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", served.pid())).unwrap();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    // Fields 14 to 17 of the line, in hundredths.
    fields[11..15].iter().map(|of| of.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

/// Steps of the evening, with the time and the CPU time of each.
struct Steps {
    begun: Instant,
    cpu: f64,
}

impl Steps {
    fn end(&mut self, served: &Served, step: &str) {
        let now = cpu(served);
        let (wall, used) = (self.begun.elapsed().as_secs_f64(), now - self.cpu);
        println!("{step:<44} {wall:>7.1} s {used:>7.1} s of CPU, {} games", served.games());
        (self.begun, self.cpu) = (Instant::now(), now);
    }
}

fn wait_for_final(teacher: &mut Client, place: &str) {
    let until = Instant::now() + LONG;
    loop {
        let page = teacher.get(place).body;
        if page.contains("<b>ended</b>") {
            return;
        }
        assert!(Instant::now() < until && !page.contains("cannot be played"), "{page}");
        thread::sleep(Duration::from_millis(200));
    }
}

/// Sends a form of the teacher's page of finals in the browser.
fn send_form(browser: &mut Browser, served: &Served, action: &str, fields: &[(&str, &str)]) {
    browser.visit_server(&at(served, "/teacher/final"));
    let set: String = fields
        .iter()
        .map(|(name, value)| format!("form.elements[{name:?}].value = {value:?};"))
        .collect();
    let action = action.trim_start_matches('/');
    browser.evaluate(&format!(
        "{{ const form = document.querySelector('form[action=\"{action}\"]');
            {set}
            form.requestSubmit(); }}"
    ));
}

/// Thirty-three people, programs in six languages, ten with mistakes, five hostile.
#[test]
#[ignore = "it needs compilers and Chromium and takes minutes: .ci/full evening"]
fn class_from_first_start_to_marks() {
    let Some(first) = submissions(1) else { return };
    let second = submissions(2).unwrap();
    let settings = "game = \"tron\"\nseats = 4\nrules = \"size=12x9\"\nmove-time = \"200ms\"";
    let bots =
        ["tron random", "tron wall-hugger", "tron breadth --depth 1", "tron breadth --depth 2"];
    let folder = quick("class-evening", settings, &bots);
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let served = Served::of(&folder, &[]);
    let mut steps = Steps { begun: Instant::now(), cpu: 0.0 };
    let mut class = first.clone();
    for (name, script) in HOSTILE {
        class.insert(name.into(), vec![("build.sh".into(), script.as_bytes().to_vec())]);
    }
    for (name, file) in BROKEN {
        let file = if file.is_empty() { "bot.py" } else { file };
        class.insert(name.into(), vec![(file.into(), Vec::new())]);
    }
    class.insert("Node".into(), vec![("bot.js".into(), JAVASCRIPT.into())]);
    let names: Vec<&str> = class.keys().map(String::as_str).collect();
    browser.visit_server(&at(&served, &format!("/enter/{}", served.token())));
    browser.wait_for("location.pathname === '/teacher'");
    let mut teacher = served.teacher();
    let tokens = teacher.add_people(&names);
    steps.end(&served, "33 people");

    // All of them within a minute, and games go on.
    let before = served.games();
    let answers: Vec<(&str, Duration, String)> = thread::scope(|scope| {
        let uploads: Vec<_> = class
            .iter()
            .zip(&tokens)
            .enumerate()
            .map(|(number, ((name, files), token))| {
                let served = &served;
                scope.spawn(move || {
                    thread::sleep(Duration::from_millis(1700 * number as u64));
                    let (first, text) = upload_timed(served, token, files);
                    (name.as_str(), first, text)
                })
            })
            .collect();
        uploads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let longest = answers.iter().map(|(_, first, _)| *first).max().unwrap();
    println!("first word after {:.2} s at most", longest.as_secs_f64());
    assert!(longest < Duration::from_secs(60), "{longest:?}");
    assert!(served.games() > before, "games go on");
    steps.end(&served, "33 uploads in 56 s, built and tested");
    let mut healthy = Vec::new();
    for (name, _, text) in &answers {
        let is_broken =
            class::has_mistake(name) || HOSTILE.iter().chain(&BROKEN).any(|(of, _)| of == name);
        let has_passed = text.ends_with("result: passed\n");
        assert_eq!(has_passed, !is_broken, "{name}: {text}");
        for secret in ["SQLite", "ARBITRE", served.token()] {
            assert!(!text.contains(secret), "{name}: {text}");
        }
        if let Some((_, reason)) = NOT_STARTED.iter().find(|(of, _)| of == name) {
            let reason = if reason.starts_with("got ") { "expected" } else { reason };
            assert!(text.contains(reason), "{name}: {text}");
        }
        healthy.extend(has_passed.then_some(*name));
    }

    // Two correct their programs, and one sends another version.
    for name in MENDED.iter().chain(&["Ada Blanc"]) {
        let at = names.iter().position(|of| of == name).unwrap();
        let mut files = second[*name].clone();
        if *name == "Ada Blanc" {
            files[0].1.extend(b"\n# another version\n");
        }
        let (_, text) = upload_timed(&served, &tokens[at], &files);
        assert!(text.ends_with("result: passed\n"), "{name}: {text}");
        if !healthy.contains(name) {
            healthy.push(name);
        }
    }
    healthy.sort_unstable();
    steps.end(&served, "3 resubmissions");

    send_form(
        browser,
        &served,
        "/teacher/deadline",
        &[("zone", "UTC"), ("at", "2020-01-01T00:00")],
    );
    browser.wait_for("document.querySelector('#notices').textContent.includes('closed')");
    let frozen = upload(&served, &tokens[0], &[("bot.py", HEALTHY.as_bytes())]);
    assert_eq!(frozen.status, 409, "{frozen:?}");
    // All came after that; the last one counts.
    let set = teacher.act("/teacher/deadline", &[("zone", "UTC"), ("at", &now_in_utc())]);
    assert_eq!(set.status, 303, "{}", set.body);
    steps.end(&served, "freeze");

    let fields = [("title", "Finale"), ("format", "swiss"), ("games", "4"), ("rounds", "5")];
    send_form(browser, &served, "/teacher/final", &fields);
    browser.wait_for("location.pathname === '/final/1'");
    wait_for_final(&mut teacher, "/final/1");
    let file = folder.join("finals/1/final.db");
    let games = games_of(&file);
    let played: Vec<&str> = games.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(played, healthy, "all healthy students play, and no others");
    // Five rounds of four games; what a table of four leaves over has a bye.
    let byes = 5 * (healthy.len() % 4);
    let missing: usize = games.iter().map(|(_, count)| (20 - count) / 4).sum();
    assert_eq!(missing, byes, "{games:?}");
    assert!(games.iter().all(|(_, count)| *count == 20 || *count == 16), "{games:?}");
    steps.end(&served, "final: Swiss, 4 seats, 5 rounds of 4 games");

    let fields = [
        ("format", "graded"),
        ("games", "8"),
        ("points-0", "10"),
        ("points-1", "6"),
        ("points-2", "4"),
    ];
    send_form(browser, &served, "/teacher/final", &fields);
    browser.wait_for("location.pathname === '/final/2'");
    wait_for_final(&mut teacher, "/final/2");
    let csv = teacher.get("/final/2/standings.csv").body;
    assert_eq!(csv.lines().count(), 1 + healthy.len() + 3, "{csv}");
    steps.end(&served, "marks: 8 games at least with each fixed bot");
    let verified = run(&["verify", "--db", file.to_str().unwrap()]);
    assert!(verified.status.success(), "{}", stderr(&verified));
    assert!(browser.problems().is_empty(), "{:#?}", browser.problems());
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
    let commands = fs::read_dir("/proc").unwrap().flatten();
    let commands = commands.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let left = commands.filter(|line| line.windows(5).any(|part| part == b"98764")).count();
    assert_eq!(left, 0, "no process of the hostile ones stays");
}

fn now_in_utc() -> String {
    let now = Command::new("date").args(["-u", "+%Y-%m-%dT%H:%M:%S"]).output().unwrap();
    String::from_utf8(now.stdout).unwrap().trim().into()
}
