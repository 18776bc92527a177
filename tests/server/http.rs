//! A served room, and a client that speaks HTTP by itself.

use arbitre_test_support::command::{cleared, folder, program};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Limit of each wait. Not tuned.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// Referee that serves a room.
pub struct Served {
    /// Process; none for one room of several, whose server is another value.
    child: Option<Child>,
    /// Start of the addresses of the room.
    pub root: String,
    /// Address at which it listens.
    pub address: SocketAddr,
    /// Lines that it printed at its start.
    pub lines: Vec<String>,
    /// Folder of the room.
    pub folder: PathBuf,
}

impl Served {
    /// Serves the room in a folder at a free port.
    pub fn of(folder: &Path, words: &[&str]) -> Served {
        let words = [&["--listen", "127.0.0.1:0"], words].concat();
        Served::try_of(folder, &words).unwrap_or_else(|error| panic!("{words:?}: {error}"))
    }

    /// Serves the room in a folder, or returns what the referee says.
    pub fn try_of(folder: &Path, words: &[&str]) -> Result<Served, String> {
        Served::at(folder, words, None)
    }

    /// Serves the room in a folder at an address, or at the one that is printed.
    pub fn at(
        folder: &Path,
        words: &[&str],
        address: Option<SocketAddr>,
    ) -> Result<Served, String> {
        let mut command = Command::new(program("referee"));
        Served::by(command.arg("serve").arg(folder).args(words), folder, address)
    }

    /// Serves the room in a folder by a command, at an address, or at the one that is printed.
    pub fn by(
        command: &mut Command,
        folder: &Path,
        address: Option<SocketAddr>,
    ) -> Result<Served, String> {
        command.env_remove("PYTHONUNBUFFERED").stdin(Stdio::null());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the referee can be started");
        let mut lines = Vec::new();
        for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
            let is_last = line.starts_with("Ctrl-C");
            lines.push(line);
            if is_last {
                break;
            }
        }
        let people = lines.iter().find_map(|line| line.strip_prefix("people: http://"));
        let printed = people.and_then(|url| url.trim_end_matches('/').parse().ok());
        let is_served = lines.iter().any(|line| line.starts_with("Ctrl-C"));
        let Some(address) = address.filter(|_| is_served).or(printed) else {
            let mut error = String::new();
            child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
            let status = child.wait().unwrap();
            return Err(format!("{error}code {}", status.code().unwrap_or(-1)));
        };
        let (child, root) = (Some(child), String::new());
        Ok(Served { child, root, address, lines, folder: folder.into() })
    }

    /// Serves the rooms in these folders by one server, whose process the first one has.
    pub fn several(folders: &[PathBuf]) -> Vec<Served> {
        let mut command = Command::new(program("referee"));
        command.arg("serve").args(folders).args(["--listen", "127.0.0.1:0", "--new-link"]);
        command.env_remove("PYTHONUNBUFFERED").stdin(Stdio::null());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it is there");
        let output = BufReader::new(child.stdout.take().unwrap());
        let (mut lines, mut ready) = (Vec::new(), 0);
        for line in output.lines().map_while(Result::ok) {
            ready += usize::from(line.contains(": Ctrl-C"));
            lines.push(line);
            if ready == folders.len() {
                break;
            }
        }
        assert_eq!(ready, folders.len(), "{lines:?}");
        let mut child = Some(child);
        let of = |folder: &PathBuf| {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            let own = lines.iter().filter_map(|line| line.strip_prefix(&format!("{name}: ")));
            let lines: Vec<String> = own.map(str::to_owned).collect();
            let people = lines.iter().find_map(|line| line.strip_prefix("people: http://"));
            let address = people.unwrap().split('/').next().unwrap().parse().unwrap();
            let (child, root) = (child.take(), format!("/{name}"));
            Served { child, root, address, lines, folder: folder.clone() }
        };
        folders.iter().map(of).collect()
    }

    /// Returns the token of the teacher's link that was printed.
    pub fn token(&self) -> &str {
        let line = self.lines.iter().find(|line| line.starts_with("teacher: http"));
        line.and_then(|line| line.rsplit('/').next()).expect("the first start prints a link")
    }

    /// Returns a browser of the teacher.
    pub fn teacher(&self) -> Client {
        let mut client = self.client();
        client.enter(self.token());
        client
    }

    /// Returns a browser without a link.
    pub fn client(&self) -> Client {
        let root = self.root.clone();
        Client { address: self.address, root, cookies: String::new() }
    }

    /// Returns the number of the process.
    pub fn pid(&self) -> u32 {
        self.child.as_ref().expect("this room has the process").id()
    }

    /// Kills the referee.
    pub fn kill(&mut self) {
        let child = self.child.as_mut().expect("this room has the process");
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Asks the referee to stop, and returns how it ended, with what it printed as errors.
    pub fn stop(mut self) -> (ExitStatus, String) {
        signal(self.pid(), "-TERM");
        let child = self.child.as_mut().expect("this room has the process");
        let status = wait(child);
        let mut error = String::new();
        child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
        (status, error)
    }

    /// Returns the number of games that the page of the room names.
    pub fn games(&self) -> usize {
        let page = self.client().get("/").body;
        let line = page.split("<p class=\"dim\">").find_map(|part| {
            let (count, rest) = part.split_once(' ')?;
            rest.starts_with("game").then(|| count.parse().ok()).flatten()
        });
        line.unwrap_or(0)
    }

    /// Waits until a number of games is stored.
    pub fn wait_for_games(&self, count: usize) {
        let until = Instant::now() + DEADLINE;
        while self.games() < count {
            assert!(Instant::now() < until, "expected {count} games, got {}", self.games());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Sends a signal to a process.
pub fn signal(pid: u32, name: &str) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
}

/// Waits for the end of a process.
pub fn wait(child: &mut Child) -> ExitStatus {
    let until = Instant::now() + DEADLINE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(Instant::now() < until, "the referee does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Answer of a server.
#[derive(Debug)]
pub struct Reply {
    /// Status.
    pub status: u16,
    /// Head with its lines.
    pub head: String,
    /// Body.
    pub body: String,
}

impl Reply {
    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let named = self.head.lines().filter_map(|line| line.split_once(": "));
        named.into_iter().find(|(of, _)| of.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Returns the key of the forms of a page.
    pub fn key(&self) -> &str {
        let after = self.body.split("name=\"key\" value=\"").nth(1).expect("the page has a form");
        after.split('"').next().unwrap()
    }
}

/// Browser with its cookies.
#[derive(Clone)]
pub struct Client {
    /// Address of the server.
    pub address: SocketAddr,
    /// Start of the addresses of the room.
    pub root: String,
    /// Cookies that it sends.
    pub cookies: String,
}

impl Client {
    /// Sends a request as it is written, and reads the answer to the end of the connection.
    pub fn raw(&self, request: &[u8]) -> Option<Reply> {
        let mut stream = TcpStream::connect(self.address).ok()?;
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream.write_all(request).ok()?;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = text.split_once("\r\n\r\n")?;
        // Tests name pages by their addresses in the room.
        let head = &head.replace(&format!("location: {}/", self.root), "location: /");
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Reply { status, head: head.into(), body: body.into() })
    }

    /// Sends a request with these lines of its head.
    pub fn send(&self, method: &str, path: &str, lines: &str, body: &str) -> Reply {
        let Client { address, root, cookies } = self;
        let cookie =
            if cookies.is_empty() { String::new() } else { format!("Cookie: {cookies}\r\n") };
        let request = format!(
            "{method} {root}{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{cookie}{lines}\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.raw(request.as_bytes()).unwrap_or_else(|| panic!("{method} {path}: no answer"))
    }

    /// Gets a page.
    pub fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, "", "")
    }

    /// Sends a form.
    pub fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let form = "Content-Type: application/x-www-form-urlencoded\r\n";
        self.send("POST", path, form, &encoded(fields))
    }

    /// Sends a form with the key of the teacher's page.
    pub fn act(&mut self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let page = self.get("/teacher");
        let fields = [&[("key", page.key())], fields].concat();
        self.post(path, &fields)
    }

    /// Logs in by a token. Returns the answer.
    pub fn enter(&mut self, token: &str) -> Reply {
        let reply = self.get(&format!("/enter/{token}"));
        if let Some(cookie) = reply.header("set-cookie") {
            self.cookies = cookie.split(';').next().unwrap().into();
        }
        reply
    }

    /// Returns the number of a person, which is drawn, by the page of the teacher.
    pub fn number_of(&mut self, name: &str) -> String {
        let page = self.get("/teacher").body;
        let shown = name.replace('<', "&#60;").replace('>', "&#62;").replace('\'', "&#39;");
        let before = page.split(&format!("<bdi>{shown}</bdi>")).next().unwrap();
        let cell = before.rsplit("<td class=\"number dim\">").next().unwrap();
        cell.split('<').next().unwrap().to_owned()
    }

    /// Adds people, and returns the token of each.
    pub fn add_people(&mut self, names: &[&str]) -> Vec<String> {
        let reply = self.act("/teacher/people", &[("names", &names.join("\n"))]);
        assert_eq!(reply.status, 303, "{}", reply.body);
        let place = reply.header("location").unwrap().to_owned();
        let csv = self.get(&format!("{place}/csv")).body;
        let links = csv.lines().skip(1).filter_map(|line| line.rsplit("/enter/").next());
        let tokens: Vec<String> = links.map(str::to_owned).collect();
        assert_eq!(tokens.len(), names.len(), "{csv}");
        tokens
    }
}

/// Returns fields as a form sends them.
pub fn encoded(fields: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (name, value) in fields {
        let _ = write!(text, "{}{name}=", if text.is_empty() { "" } else { "&" });
        for byte in value.bytes() {
            match byte.is_ascii_alphanumeric() {
                true => text.push(char::from(byte)),
                false => write!(text, "%{byte:02X}").unwrap(),
            }
        }
    }
    text
}

/// Settings of a room whose bots answer at once.
pub fn quick(name: &str, settings: &str, bots: &[&str]) -> PathBuf {
    let folder = cleared(folder("served").join(name));
    fs::create_dir_all(&folder).unwrap();
    let bots = bots.iter().map(|command| {
        let name = command.replace(' ', "-");
        format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\nmove-time = \"20ms\"\n")
    });
    let text = format!("[tournament]\n{settings}\n{}", bots.collect::<String>());
    fs::write(folder.join("class.toml"), text).unwrap();
    folder
}
