//! Bridge from the new mode of cg-brutaltester to the old one, as a process of its own around a
//! referee program of the new mode.
//!
//! 1. Such a program starts the players itself, by the commands after `-p1`, `-p2` and so on. It is
//!    given `referee --seat FOLDER SEAT`, which passes lines through two named pipes in FOLDER.
//! 2. Towards the referee the bridge speaks the old mode: see `conversation.rs`.
//! 3. Lines for a seat are a question once nothing has come for `QUIET`, and neither the program
//!    nor a seat can run. Then they follow `###Input`. The line `###Lines` at the start says how
//!    many lines `###Output` asks for.
//! 4. More lines for a seat that was asked already end the game: its player could not read them.
//! 5. The program ends with a score per player, which becomes `###End`.

use super::ranking_of;
use arbitre_games::diagnostics;
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::fs::{mknodat, FileType, Mode, CWD};
use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// First argument of the bridge; the command of the program follows.
pub const WORD: &str = "--brutaltester-bridge";
/// First argument of a seat; the folder and the number of the seat follow.
pub const SEAT: &str = "--seat";

/// Time without output after which a question may be complete. Not tuned.
const QUIET: Timespec = Timespec { tv_sec: 0, tv_nsec: 3_000_000 };
/// First byte of a seat, which tells that it has opened its pipes.
const SEATED: u8 = 0;
/// Idle time after which a program without a question waits for more lines. Not tuned.
const STUCK: Duration = Duration::from_secs(5);

/// Runs the bridge around the program of this command.
pub fn run(words: &[String]) -> ExitCode {
    match lead(words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Own(why)) => {
            diagnostics::print(format_args!("{why}\n"));
            ExitCode::FAILURE
        }
        Err(Failure::Program(status)) => {
            let code = status.code().and_then(|code| u8::try_from(code).ok());
            code.map_or(ExitCode::FAILURE, ExitCode::from)
        }
    }
}

/// Passes lines between the standard streams and the pipes of a seat until the program closes them.
pub fn sit(folder: &str, seat: &str) -> ExitCode {
    let folder = Path::new(folder);
    let opened = |end: &str, write: bool| {
        let path = folder.join(format!("{seat}.{end}"));
        OpenOptions::new().read(true).write(write).open(path)
    };
    let (Ok(mut up), Ok(mut down)) = (opened("up", true), opened("down", true)) else {
        return ExitCode::FAILURE;
    };
    if up.write_all(&[SEATED]).is_err() {
        return ExitCode::FAILURE;
    }
    let Ok(mut input) = stdin() else { return ExitCode::FAILURE };
    let mut is_open = true;
    while is_open {
        let mut fds = [PollFd::new(&input, PollFlags::IN), PollFd::new(&down, PollFlags::IN)];
        let polled = poll(&mut fds, None);
        let ready = fds.map(|fd| polled.is_ok() && !fd.revents().is_empty());
        if ready[0] {
            is_open = pass(&mut input, &mut up);
        }
        if ready[1] {
            is_open &= pass(&mut down, &mut io::stdout());
        }
    }
    ExitCode::SUCCESS
}

/// Passes on what there is to read. Returns `false` at the end of a stream.
fn pass(from: &mut impl Read, to: &mut impl Write) -> bool {
    let mut bytes = [0; 1 << 16];
    match from.read(&mut bytes) {
        Ok(0) => false,
        Ok(count) => to.write_all(&bytes[..count]).and_then(|()| to.flush()).is_ok(),
        Err(error) => error.kind() == io::ErrorKind::Interrupted,
    }
}

/// Parameters of the game in the lines of the referee up to `###Start`.
struct Start {
    seats: usize,
    seed: Option<u64>,
    lines: usize,
}

impl Start {
    fn read(input: &mut Lines<impl Read>) -> Result<Start, String> {
        let (mut seed, mut lines) = (None, 1);
        loop {
            let line = loop {
                match input.next() {
                    Some(line) => break line,
                    None if input.is_over => {
                        return Err("expected ###Start SEATS, got nothing".into())
                    }
                    None => input.read(),
                }
            };
            let expected = || format!("expected ###Start SEATS, got '{line}'");
            let (word, number) = line.split_once(' ').ok_or_else(expected)?;
            let number: u64 = number.parse().map_err(|_| expected())?;
            match word {
                "###Seed" => seed = Some(number),
                "###Lines" => lines = number as usize,
                "###Start" => return Ok(Start { seats: number as usize, seed, lines }),
                _ => return Err(expected()),
            }
        }
    }
}

/// Lines of a stream that is read as they come.
struct Lines<R> {
    stream: R,
    /// Bytes that are no complete line yet.
    bytes: Vec<u8>,
    /// Whether the stream has ended.
    is_over: bool,
}

impl<R: Read> Lines<R> {
    fn new(stream: R) -> Lines<R> {
        Lines { stream, bytes: Vec::new(), is_over: false }
    }

    /// Reads once. Waits if there is nothing to read.
    fn read(&mut self) {
        let mut chunk = vec![0; 1 << 16];
        match self.stream.read(&mut chunk) {
            Ok(count @ 1..) => self.bytes.extend_from_slice(&chunk[..count]),
            Ok(0) => self.is_over = true,
            Err(error) => self.is_over = error.kind() != io::ErrorKind::Interrupted,
        }
    }

    /// Returns the next complete line.
    fn next(&mut self) -> Option<String> {
        let end = self.bytes.iter().position(|&byte| byte == b'\n')?;
        let line: Vec<u8> = self.bytes.drain(..=end).collect();
        let line = String::from_utf8_lossy(&line[..end]);
        Some(line.strip_suffix('\r').unwrap_or(&line).to_owned())
    }
}

/// Folder with the pipes of all seats, which is removed once all seats have opened them.
struct Pipes {
    folder: PathBuf,
}

impl Drop for Pipes {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Pipes {
    /// Creates the pipes, and a link to this program whose path has no blanks: some referee
    /// programs split commands at blanks.
    fn create(seats: usize) -> io::Result<Pipes> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // Outside a sandbox, a killed bridge of the same number may have left its folder.
        let name = format!("seats-{}-{}", std::process::id(), now.as_nanos());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder)?;
        let pipes = Pipes { folder };
        symlink(std::env::current_exe()?, pipes.folder.join("referee"))?;
        for seat in 0..seats {
            for end in ["up", "down"] {
                let mode = Mode::RUSR | Mode::WUSR;
                mknodat(CWD, pipes.path(seat, end), FileType::Fifo, mode, 0)?;
            }
        }
        Ok(pipes)
    }

    fn path(&self, seat: usize, end: &str) -> PathBuf {
        self.folder.join(format!("{seat}.{end}"))
    }

    /// Opens a pipe for both directions, so that it neither waits for its other end nor closes
    /// with it.
    fn open(&self, seat: usize, end: &str) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).open(self.path(seat, end))
    }

    /// Returns the command of a seat.
    fn command(&self, seat: usize) -> String {
        let folder = self.folder.display();
        format!("{folder}/referee {SEAT} {folder} {seat}")
    }
}

/// End of a game.
enum GameEnd {
    /// The program has ended: the ranking, or the reason why there is none.
    Printed(Result<String, String>),
    /// The referee needs no more of the game.
    Closed,
}

/// Failure of a game.
enum Failure {
    /// Reason that the bridge prints.
    Own(String),
    /// Status of a program that has printed the reason.
    Program(ExitStatus),
}

impl From<String> for Failure {
    fn from(why: String) -> Failure {
        Failure::Own(why)
    }
}

/// Leads one game.
fn lead(words: &[String]) -> Result<(), Failure> {
    let mut referee = Lines::new(stdin().map_err(|error| error.to_string())?);
    let start = Start::read(&mut referee)?;
    let failed = |error: io::Error| format!("no pipes for the seats: {error}");
    let pipes = Pipes::create(start.seats).map_err(failed)?;
    let mut seats = Vec::new();
    for number in 0..start.seats {
        let up = Lines::new(pipes.open(number, "up").map_err(failed)?);
        let down = pipes.open(number, "down").map_err(failed)?;
        seats.push(SeatPipes { up, down, is_seated: false, waiting: Vec::new() });
    }
    let [program, arguments @ ..] = words else { return Err(Failure::Own("no program".into())) };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
    for seat in 0..start.seats {
        command.arg(format!("-p{}", seat + 1)).arg(pipes.command(seat));
    }
    if let Some(seed) = start.seed {
        command.arg("-d").arg(format!("seed={seed}"));
    }
    let mut child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
    let printed = Lines::new(child.stdout.take().expect("its output is piped"));
    let (order, asked, scores) = (VecDeque::new(), None, Vec::new());
    let (program, lines) = (child.id(), start.lines);
    let game = Game {
        referee,
        printed,
        seats,
        pipes: Some(pipes),
        order,
        asked,
        has_asked: false,
        scores,
        program,
        lines,
    };
    let ended = game.lead();
    if !matches!(ended, Ok(GameEnd::Printed(_))) {
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    match ended? {
        GameEnd::Printed(Ok(ranking)) => say(&ranking),
        GameEnd::Printed(Err(_)) if !status.success() => return Err(Failure::Program(status)),
        GameEnd::Printed(Err(why)) => return Err(Failure::Own(why)),
        GameEnd::Closed => {}
    }
    Ok(())
}

/// Returns standard input without a buffer, so that nothing waits where no poll sees it.
fn stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Pipes of a seat, and its lines.
struct SeatPipes {
    up: Lines<File>,
    down: File,
    /// Whether the seat has opened its pipes.
    is_seated: bool,
    /// Lines of the program that no question has sent yet.
    waiting: Vec<String>,
}

/// Running game.
struct Game {
    referee: Lines<File>,
    /// Standard output of the program.
    printed: Lines<ChildStdout>,
    seats: Vec<SeatPipes>,
    /// Folder of the pipes, until all seats have opened them.
    pipes: Option<Pipes>,
    /// Seats with waiting lines, in the order of the first of them.
    order: VecDeque<usize>,
    /// Seat that is asked, with the number of lines to come.
    asked: Option<(usize, usize)>,
    /// Whether a seat was asked before.
    has_asked: bool,
    /// Lines that the program printed.
    scores: Vec<String>,
    /// Number of the program's process.
    program: u32,
    /// Number of lines of an answer.
    lines: usize,
}

/// Streams that have something to read.
#[derive(Default)]
struct Ready {
    referee: bool,
    printed: bool,
    seats: Vec<usize>,
}

impl Game {
    fn lead(mut self) -> Result<GameEnd, String> {
        let mut last = Instant::now();
        loop {
            let ready = self.wait();
            if ready.referee {
                self.referee.read();
                self.answers()?;
                if self.referee.is_over {
                    return Ok(GameEnd::Closed);
                }
            }
            ready.seats.iter().try_for_each(|&seat| self.take(seat))?;
            if ready.printed {
                self.printed.read();
                self.scores.extend(std::iter::from_fn(|| self.printed.next()));
                if self.printed.is_over {
                    return Ok(GameEnd::Printed(self.ranking()));
                }
            }
            let is_quiet = !ready.referee && !ready.printed && ready.seats.is_empty();
            if !is_quiet || self.asked.is_some() || can_run(self.program) {
                last = Instant::now();
            } else if !self.order.is_empty() {
                self.ask();
            } else if last.elapsed() > STUCK {
                return Err(self.stuck());
            }
        }
    }

    /// Waits for something to read, while no seat is asked up to [`QUIET`].
    fn wait(&self) -> Ready {
        let seats = self.seats.iter().map(|seat| PollFd::new(&seat.up.stream, PollFlags::IN));
        let mut fds = vec![
            PollFd::new(&self.referee.stream, PollFlags::IN),
            PollFd::new(&self.printed.stream, PollFlags::IN),
        ];
        fds.extend(seats);
        let timeout = if self.asked.is_some() { None } else { Some(&QUIET) };
        if poll(&mut fds, timeout).is_err() {
            return Ready::default();
        }
        let [referee, printed, seats @ ..] = &fds[..] else { return Ready::default() };
        let has_news = |fd: &PollFd| !fd.revents().is_empty();
        let numbered = seats.iter().enumerate().filter(|(_, fd)| has_news(fd));
        Ready {
            referee: has_news(referee),
            printed: has_news(printed),
            seats: numbered.map(|(seat, _)| seat).collect(),
        }
    }

    /// Takes what the program sent to a seat.
    fn take(&mut self, number: usize) -> Result<(), String> {
        let seat = &mut self.seats[number];
        seat.up.read();
        if !seat.is_seated && seat.up.bytes.first() == Some(&SEATED) {
            seat.up.bytes.remove(0);
            seat.is_seated = true;
        }
        let was_waiting = !seat.waiting.is_empty();
        while let Some(line) = seat.up.next() {
            if self.asked.is_some_and(|(asked, _)| asked == number) {
                return Err(format!(
                    "expected no line for seat {number} after its question, got '{line}'"
                ));
            }
            seat.waiting.push(line);
        }
        if !was_waiting && !seat.waiting.is_empty() {
            self.order.push_back(number);
        }
        if self.seats.iter().all(|seat| seat.is_seated) {
            self.pipes = None;
        }
        Ok(())
    }

    /// Sends the first question to the referee.
    fn ask(&mut self) {
        let Some(seat) = self.order.pop_front() else { return };
        let mut text = format!("###Input {seat}\n");
        self.seats[seat].waiting.drain(..).for_each(|line| text += &(line + "\n"));
        text += &format!("###Output {seat} {}\n", self.lines);
        (self.asked, self.has_asked) = (Some((seat, self.lines)), true);
        say(&text);
    }

    /// Passes the lines of the referee to the seat that is asked.
    fn answers(&mut self) -> Result<(), String> {
        while let (Some((seat, lines)), Some(line)) = (self.asked, self.referee.next()) {
            self.asked = Some((seat, lines - 1)).filter(|(_, left)| *left > 0);
            let written = self.seats[seat].down.write_all(format!("{line}\n").as_bytes());
            written.map_err(|error| format!("seat {seat}: {error}"))?;
        }
        Ok(())
    }

    /// Returns the ranking by the scores that the program printed.
    fn ranking(&self) -> Result<String, String> {
        let seats = self.seats.len();
        let scores = self.scores.iter().map_while(|line| line.trim().parse::<f64>().ok());
        let scores: Vec<f64> = scores.take(seats).collect();
        if scores.len() < seats {
            let got = self.scores.last().map_or("nothing", String::as_str);
            return Err(format!("expected a score for each of {seats} players, got '{got}'"));
        }
        Ok(format!("###End {}\n", ranking_of(&scores)))
    }

    /// Returns the failure of a program that neither asks nor ends.
    fn stuck(&self) -> String {
        if !self.has_asked {
            return "the program neither asks a player nor ends".into();
        }
        format!(
            "the program waits without a question; if its turns have more lines than {}, write \
             --rules lines=N",
            self.lines
        )
    }
}

/// Returns `true` if a thread of this process or of its descendants runs, could run, or waits for
/// a device. Where `/proc` cannot be read, only [`QUIET`] counts.
fn can_run(program: u32) -> bool {
    let parents: Vec<(u32, u32)> =
        numbers("/proc").filter_map(|pid| Some((pid, parent(pid)?))).collect();
    let mut family = vec![program];
    let mut at = 0;
    while let Some(&next) = family.get(at) {
        family.extend(parents.iter().filter(|(_, parent)| *parent == next).map(|(pid, _)| *pid));
        at += 1;
    }
    let runs = |task: String| matches!(stat(&task).first().map(String::as_str), Some("R" | "D"));
    family.into_iter().any(|pid| {
        let tasks = format!("/proc/{pid}/task");
        numbers(&tasks).any(|task| runs(format!("{tasks}/{task}")))
    })
}

/// Returns the parent of a process.
fn parent(pid: u32) -> Option<u32> {
    stat(&format!("/proc/{pid}")).get(1)?.parse().ok()
}

/// Returns the fields of `stat` from the state on. The name before it may contain blanks.
fn stat(folder: &str) -> Vec<String> {
    let text = fs::read_to_string(format!("{folder}/stat")).unwrap_or_default();
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    fields.split_ascii_whitespace().take(2).map(str::to_owned).collect()
}

/// Returns the entries of a folder that are numbers.
fn numbers(folder: &str) -> impl Iterator<Item = u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Prints text for the referee. A closed pipe shows at the next read.
fn say(text: &str) {
    let mut output = io::stdout().lock();
    let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
}
