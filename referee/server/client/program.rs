//! Program of a table, which runs on this machine.

use arbitre_process::program::Program;
use rustix::process::{kill_process_group, Pid, Signal};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc::{self, Sender, UnboundedReceiver, UnboundedSender};
use tokio::task::JoinHandle;

/// Time that a program has to end after its output, or after its input. Not tuned.
const BRIEFLY: Duration = Duration::from_secs(1);
/// Longest line that is read at once. A longer one comes in parts.
const LINE: u64 = 1 << 16;
/// Bytes of standard error that are read at once, below those of a message. Not tuned.
const ERRORS: usize = 3000;

/// Act of a program, with the number of its start.
pub struct Event {
    /// Number of the start.
    pub start: u64,
    /// The act.
    pub what: What,
}

/// Act of a program.
pub enum What {
    /// Line, or a part of one, that it printed.
    Printed(Vec<u8>),
    /// Standard error.
    Complained(String),
    /// End with this exit code, or minus the signal; none if it closed its output.
    Ended(Option<i64>),
}

/// Program that was started.
pub struct Running {
    input: Option<UnboundedSender<Vec<u8>>>,
    group: Option<Pid>,
    watch: JoinHandle<()>,
}

impl Running {
    /// Starts a program, whose events go to `events`.
    ///
    /// # Errors
    /// Returns the error of the system.
    pub fn start(program: &Program, start: u64, events: &Sender<Event>) -> io::Result<Running> {
        let mut command = Command::new(&program.path);
        command
            .arg0(&program.arg0)
            .args(&program.arguments)
            .env("PYTHONUNBUFFERED", "1")
            .process_group(0)
            .kill_on_drop(true)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let group = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        let (input, texts) = mpsc::unbounded_channel();
        tokio::spawn(write(child.stdin.take(), texts));
        let watch = tokio::spawn(watch(child, start, events.clone()));
        Ok(Running { input: Some(input), group, watch })
    }

    /// Writes to the program. One that does not read holds up nothing else.
    pub fn write(&self, bytes: &[u8]) {
        // A failed send means that the program has ended.
        self.input.iter().for_each(|input| drop(input.send(bytes.to_vec())));
    }

    /// Kills the program.
    pub fn kill(&self) {
        kill(self.group);
    }

    /// Ends the program: at once, or a short time after its input.
    pub fn end(mut self, now: bool) {
        self.input = None;
        if !now {
            let group = self.group.take();
            tokio::spawn(async move {
                tokio::time::sleep(BRIEFLY).await;
                kill(group);
                drop(self);
            });
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        kill(self.group);
        self.watch.abort();
    }
}

fn kill(group: Option<Pid>) {
    if let Some(group) = group {
        // A group that is gone needs no end.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

async fn write(input: Option<ChildStdin>, mut texts: UnboundedReceiver<Vec<u8>>) {
    let Some(mut input) = input else { return };
    while let Some(text) = texts.recv().await {
        if input.write_all(&text).await.is_err() || input.flush().await.is_err() {
            return;
        }
    }
}

/// Reports what a program prints, then its end.
async fn watch(mut child: Child, start: u64, events: Sender<Event>) {
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let complaints = tokio::spawn(read_errors(errors, start, events.clone()));
    if let Some(output) = output {
        let mut output = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            match (&mut output).take(LINE).read_until(b'\n', &mut line).await {
                Ok(0) | Err(_) => break,
                Ok(_) => drop(events.send(Event { start, what: What::Printed(line) }).await),
            }
        }
    }
    let status = tokio::time::timeout(BRIEFLY, child.wait()).await;
    let code = status.ok().and_then(Result::ok).map(code_of);
    let _ = tokio::time::timeout(BRIEFLY, complaints).await;
    let _ = events.send(Event { start, what: What::Ended(code) }).await;
    // The group is killed when its table ends.
    let _ = child.wait().await;
}

async fn read_errors(errors: Option<impl AsyncRead + Unpin>, start: u64, events: Sender<Event>) {
    let (Some(mut errors), mut chunk) = (errors, [0; ERRORS]) else { return };
    while let Ok(count @ 1..) = errors.read(&mut chunk).await {
        let text = String::from_utf8_lossy(&chunk[..count]).into_owned();
        let _ = events.send(Event { start, what: What::Complained(text) }).await;
    }
}

fn code_of(status: ExitStatus) -> i64 {
    let signal = status.signal().map(|signal| -i64::from(signal));
    status.code().map(i64::from).or(signal).unwrap_or_default()
}
