//! Messages between the host and a launcher. For each program: a request, its reply, the end of
//! the program, the order to kill what is left, and the report that nothing is left. The program
//! can be frozen and thawed in between.

use super::layers::{Layers, Level, ViewEntry};
use super::namespaces;
use crate::exit::Exit;
use rustix::thread::CpuSet;
use std::ffi::{CStr, OsStr};
use std::io;
use std::os::raw::c_int;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Number of bytes of every message except the rest of a request.
pub const MESSAGE: usize = 16;
/// Largest request in bytes. The system accepts 2 MiB of arguments and environment by default.
const LARGEST: usize = 8 << 20;

/// Program to start. Every text ends with NUL, as the system expects it.
pub struct LaunchRequest {
    texts: Vec<u8>,
    arguments: usize,
    variables: usize,
    /// Number of entries of the sandbox's view; none without a sandbox.
    entries: Option<usize>,
    /// Limit on memory in bytes, if the program has a sandbox. It is sent with the layers.
    memory: Option<u64>,
}

/// Parts of a request.
pub struct LaunchParts<'r> {
    /// File of the program; empty for a canary.
    pub path: &'r CStr,
    /// Folder in which it is started; empty for that of the launcher.
    pub folder: &'r CStr,
    /// Arguments, which begin with the name that the program receives as its own.
    pub arguments: Vec<&'r CStr>,
    /// Environment.
    pub environment: Vec<&'r CStr>,
    /// Layers of its sandbox, if it has one.
    pub layers: Option<Layers>,
    /// Processors; those of the launcher if there is none.
    pub processors: Vec<usize>,
}

impl LaunchRequest {
    /// Creates a request for the file `path`, to be started in `folder`. `arguments` begin with the
    /// name that the program receives as its own.
    ///
    /// # Errors
    /// Returns an error if a text contains NUL.
    pub fn new<'a>(
        path: &Path,
        folder: &Path,
        arguments: impl IntoIterator<Item = &'a OsStr>,
        environment: impl IntoIterator<Item = &'a OsStr>,
        layers: Option<&Layers>,
    ) -> io::Result<LaunchRequest> {
        let mut texts = Vec::with_capacity(8192);
        push(&mut texts, path.as_os_str())?;
        push(&mut texts, folder.as_os_str())?;
        let arguments = push_all(&mut texts, arguments)?;
        let variables = push_all(&mut texts, environment)?;
        if let Some(layers) = layers {
            push(&mut texts, OsStr::new(&layers.encode()))?;
            for entry in &layers.view {
                push(&mut texts, OsStr::from_bytes(&entry.encode()))?;
            }
        }
        let entries = layers.map(|layers| layers.view.len());
        let applied = layers.filter(|layers| layers.level > Level::None);
        let memory = applied.map(|layers| layers.limits.memory);
        Ok(LaunchRequest { texts, arguments, variables, entries, memory })
    }

    /// Has the program run on these processors, and not on those of its launcher.
    pub fn on(mut self, processors: &CpuSet) -> LaunchRequest {
        let numbers = (0..CpuSet::MAX_CPU).filter(|&number| processors.is_set(number));
        let words: Vec<String> = numbers.map(|number| number.to_string()).collect();
        self.texts.extend_from_slice(words.join(" ").as_bytes());
        self.texts.push(0);
        self
    }

    /// Returns the limit on the memory of a program in a sandbox, in bytes.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Creates a request for a canary, which has no path.
    ///
    /// # Errors
    /// Returns an error if a path of the view contains NUL.
    pub fn of_canary(layers: &Layers) -> io::Result<LaunchRequest> {
        LaunchRequest::new(Path::new(""), Path::new("/"), [], [], Some(layers))
    }

    /// Returns the bytes to send.
    pub fn encode(&self) -> Vec<u8> {
        let entries = self.entries.map_or(0, |entries| entries + 1);
        let sizes = [self.texts.len(), self.arguments, self.variables, entries];
        let header = sizes.iter().flat_map(|&size| (size as u32).to_le_bytes());
        header.chain(self.texts.iter().copied()).collect()
    }

    /// Creates a request from its header. `read` fills the rest.
    ///
    /// # Errors
    /// Returns an error if the request is too large, or cannot be read.
    pub fn decode(
        header: [u8; MESSAGE],
        read: impl FnOnce(&mut [u8]) -> io::Result<()>,
    ) -> io::Result<LaunchRequest> {
        let [size, arguments, variables, entries] = numbers(header).map(|number| number as usize);
        if size > LARGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut texts = vec![0; size];
        read(&mut texts)?;
        let (entries, memory) = (entries.checked_sub(1), None);
        Ok(LaunchRequest { texts, arguments, variables, entries, memory })
    }

    /// Returns the parts.
    ///
    /// # Errors
    /// Returns an error if a text is missing.
    pub fn parts(&self) -> io::Result<LaunchParts<'_>> {
        let missing = || io::Error::from(io::ErrorKind::InvalidData);
        let mut rest = &self.texts[..];
        let mut take = || {
            let text = CStr::from_bytes_until_nul(rest).map_err(|_| missing())?;
            rest = &rest[text.to_bytes_with_nul().len()..];
            Ok::<&CStr, io::Error>(text)
        };
        let (path, folder) = (take()?, take()?);
        let arguments = (0..self.arguments).map(|_| take()).collect::<io::Result<_>>()?;
        let environment = (0..self.variables).map(|_| take()).collect::<io::Result<_>>()?;
        let mut layers = None;
        if let Some(entries) = self.entries {
            let numbers = take()?;
            let entry = |text: &CStr| ViewEntry::decode(text.to_bytes()).ok_or_else(missing);
            let view = (0..entries).map(|_| take().and_then(entry)).collect::<io::Result<_>>()?;
            layers = Some(Layers::decode(numbers, view)?);
        }
        let processors = take().map_or(c"", |last| last);
        let processors = processors.to_str().map_err(|_| missing())?.split_ascii_whitespace();
        let processors = processors.map(str::parse).collect::<Result<_, _>>();
        let processors = processors.map_err(|_| missing())?;
        Ok(LaunchParts { path, folder, arguments, environment, layers, processors })
    }
}

fn push_all<'a>(
    texts: &mut Vec<u8>,
    all: impl IntoIterator<Item = &'a OsStr>,
) -> io::Result<usize> {
    let mut count = 0;
    for text in all {
        push(texts, text)?;
        count += 1;
    }
    Ok(count)
}

fn push(texts: &mut Vec<u8>, text: &OsStr) -> io::Result<()> {
    if text.as_bytes().contains(&0) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a NUL byte in the command"));
    }
    texts.extend_from_slice(text.as_bytes());
    texts.push(0);
    Ok(())
}

/// Kind of launcher that a program needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LauncherKind {
    /// In the namespaces of the host, for one program after another.
    Shared,
    /// In namespaces of its own, for one program.
    Alone,
    /// Likewise, but with the network of the host.
    AloneWithNetwork,
}

impl LauncherKind {
    const ALL: [LauncherKind; 3] =
        [LauncherKind::Shared, LauncherKind::Alone, LauncherKind::AloneWithNetwork];

    /// Returns the kind that a sandbox needs.
    pub fn needed_by(layers: Option<&Layers>) -> LauncherKind {
        match layers {
            Some(layers) if layers.level == Level::Full && layers.has_network => {
                LauncherKind::AloneWithNetwork
            }
            Some(layers) if layers.level == Level::Full => LauncherKind::Alone,
            _ => LauncherKind::Shared,
        }
    }

    /// Returns the message that asks the fork server for a launcher.
    pub fn message(self) -> [u8; 1] {
        [self as u8]
    }

    /// Returns the kind that a message asks for.
    pub fn of([message]: [u8; 1]) -> LauncherKind {
        let known = LauncherKind::ALL.into_iter().find(|kind| *kind as u8 == message);
        known.unwrap_or(LauncherKind::Shared)
    }

    /// Returns the namespaces of the launcher, as the system numbers them.
    pub fn namespaces(self) -> Option<c_int> {
        match self {
            LauncherKind::Shared => None,
            LauncherKind::Alone => Some(namespaces::kinds(false)),
            LauncherKind::AloneWithNetwork => Some(namespaces::kinds(true)),
        }
    }
}

/// Order of the host to a launcher, about the program and all of its descendants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Kill them.
    End,
    /// Stop them. There is no reply.
    Freeze,
    /// Let those that [`Order::Freeze`] stopped run again, then reply.
    Thaw,
    /// Stop them until [`Order::Resume`], also if they are thawed. There is no reply.
    Pause,
    /// Let them run again, unless they are frozen. There is no reply.
    Resume,
    /// Tell all attempts, then reply.
    Tell,
}

impl Order {
    const ALL: [Order; 6] =
        [Order::End, Order::Freeze, Order::Thaw, Order::Pause, Order::Resume, Order::Tell];

    /// Returns the bytes to send. The first number is 0; that of a request is its size.
    pub fn encode(self) -> [u8; MESSAGE] {
        bytes([0, self as i32, 0, 0])
    }

    /// Returns the order in these bytes.
    pub fn decode(bytes: [u8; MESSAGE]) -> Option<Order> {
        Order::ALL.into_iter().find(|order| order.encode() == bytes)
    }
}

/// Message of a launcher to the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LauncherMessage {
    /// The program runs. Descriptors of the program and of the launcher come with the message. In
    /// namespaces of its own the next is for a [`TaskCounter`](super::TaskCounter). The last is the
    /// count of the program's CPU time, if the system allows one.
    Started {
        /// Process of the program.
        program: i32,
        /// Process of the launcher.
        launcher: i32,
    },
    /// The program could not be started, with this error number.
    Failed(i32),
    /// The program ended.
    Ended(Exit),
    /// The program and its descendants run again.
    Thawed,
    /// The program has made this number of attempts of one kind, as
    /// `super::attempts` numbers them.
    Attempted {
        /// Kind.
        kind: u32,
        /// Number since its start.
        count: u32,
    },
    /// All attempts were told.
    Told,
    /// Nothing is left of the program. The launcher waits for the next one.
    Gone,
}

impl LauncherMessage {
    /// Returns the bytes to send.
    pub fn encode(self) -> [u8; MESSAGE] {
        bytes(match self {
            LauncherMessage::Started { program, launcher } => [0, program, launcher, 0],
            LauncherMessage::Failed(error) => [1, error, 0, 0],
            LauncherMessage::Ended(Exit::Code(code)) => [2, code, 0, 0],
            LauncherMessage::Ended(Exit::Signal(number)) => [3, number, 0, 0],
            LauncherMessage::Ended(Exit::MemoryLimit) => [6, 0, 0, 0],
            LauncherMessage::Ended(Exit::ProcessLimit) => [7, 0, 0, 0],
            LauncherMessage::Ended(Exit::Unknown) => [8, 0, 0, 0],
            LauncherMessage::Ended(Exit::RanWhileStopped) => [9, 0, 0, 0],
            LauncherMessage::Gone => [4, 0, 0, 0],
            LauncherMessage::Thawed => [5, 0, 0, 0],
            LauncherMessage::Told => [11, 0, 0, 0],
            LauncherMessage::Attempted { kind, count } => [10, kind as i32, count as i32, 0],
        })
    }

    /// Returns the message in these bytes.
    pub fn decode(bytes: [u8; MESSAGE]) -> Option<LauncherMessage> {
        let [kind, first, second, _] = numbers(bytes).map(|number| number as i32);
        match kind {
            0 => Some(LauncherMessage::Started { program: first, launcher: second }),
            1 => Some(LauncherMessage::Failed(first)),
            2 => Some(LauncherMessage::Ended(Exit::Code(first))),
            3 => Some(LauncherMessage::Ended(Exit::Signal(first))),
            4 => Some(LauncherMessage::Gone),
            5 => Some(LauncherMessage::Thawed),
            6 => Some(LauncherMessage::Ended(Exit::MemoryLimit)),
            7 => Some(LauncherMessage::Ended(Exit::ProcessLimit)),
            8 => Some(LauncherMessage::Ended(Exit::Unknown)),
            9 => Some(LauncherMessage::Ended(Exit::RanWhileStopped)),
            11 => Some(LauncherMessage::Told),
            10 => Some(LauncherMessage::Attempted { kind: first as u32, count: second as u32 }),
            _ => None,
        }
    }
}

fn bytes(numbers: [i32; 4]) -> [u8; MESSAGE] {
    let mut bytes = [0; MESSAGE];
    for (place, number) in bytes.chunks_exact_mut(4).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    bytes
}

fn numbers(bytes: [u8; MESSAGE]) -> [u32; 4] {
    let number = |at: usize| bytes[at..at + 4].try_into().map_or(0, u32::from_le_bytes);
    [number(0), number(4), number(8), number(12)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launcher::layers::{Access, SandboxLimits};

    #[test]
    fn request_survives_its_encoding() {
        let words = ["bot", "", "a b"].map(OsStr::new);
        let variables = ["A=1", "B="].map(OsStr::new);
        let limits = SandboxLimits { memory: 1 << 40, processes: 2, files: 3, disk: 4 };
        let view = vec![
            ViewEntry::new(Access::Read, "/"),
            ViewEntry::new(Access::Hidden, "/a b"),
            ViewEntry::new(Access::Write, "/a b/c\n"),
            ViewEntry::new(Access::Device, "/dev/x"),
        ];
        let layers = Some(Layers { level: Level::Partial, view, has_network: true, limits });
        for layers in [None, layers] {
            check_encoding(words, variables, layers);
        }
    }

    fn check_encoding(words: [&OsStr; 3], variables: [&OsStr; 2], layers: Option<Layers>) {
        let (path, folder) = (Path::new("/bin/x"), Path::new("/"));
        let mut processors = CpuSet::new();
        let request = LaunchRequest::new(path, folder, words, variables, layers.as_ref()).unwrap();
        assert!(request.parts().unwrap().processors.is_empty());
        [0, 7].into_iter().for_each(|number| processors.set(number));
        let request = request.on(&processors);
        let bytes = request.encode();
        let (header, rest) = bytes.split_at(MESSAGE);
        let read = |place: &mut [u8]| {
            place.copy_from_slice(rest);
            Ok(())
        };
        let decoded = LaunchRequest::decode(header.try_into().unwrap(), read).unwrap();
        let parts = decoded.parts().unwrap();
        assert_eq!((parts.path, parts.folder), (c"/bin/x", c"/"));
        assert_eq!(parts.arguments, [c"bot", c"", c"a b"]);
        assert_eq!(parts.environment, [c"A=1", c"B="]);
        assert_eq!((parts.layers, parts.processors), (layers, vec![0, 7]));
    }

    #[test]
    fn message_survives_its_encoding() {
        let messages = [
            LauncherMessage::Started { program: 7, launcher: 8 },
            LauncherMessage::Failed(2),
            LauncherMessage::Ended(Exit::Code(-1)),
            LauncherMessage::Ended(Exit::Signal(9)),
            LauncherMessage::Ended(Exit::Unknown),
            LauncherMessage::Ended(Exit::MemoryLimit),
            LauncherMessage::Ended(Exit::ProcessLimit),
            LauncherMessage::Ended(Exit::RanWhileStopped),
            LauncherMessage::Gone,
            LauncherMessage::Thawed,
            LauncherMessage::Attempted { kind: 3, count: u32::MAX },
            LauncherMessage::Told,
        ];
        for message in messages {
            assert_eq!(LauncherMessage::decode(message.encode()), Some(message));
        }
        assert_eq!(LauncherMessage::decode([12; MESSAGE]), None);
    }

    #[test]
    fn order_is_no_request() {
        for order in Order::ALL {
            assert_eq!(Order::decode(order.encode()), Some(order));
        }
        let shortest =
            LaunchRequest::new(Path::new(""), Path::new(""), [], [], None).unwrap().encode();
        assert_eq!(Order::decode(shortest[..MESSAGE].try_into().unwrap()), None);
    }

    #[test]
    fn malformed_requests_are_rejected() {
        let nul = OsStr::new("a\0b");
        assert!(LaunchRequest::new(Path::new("/x"), Path::new("/"), [nul], [], None).is_err());
        let header = |size: u32| {
            let mut header = [0; MESSAGE];
            header[..4].copy_from_slice(&size.to_le_bytes());
            header
        };
        assert!(LaunchRequest::decode(header(u32::MAX), |_| Ok(())).is_err());
        assert!(LaunchRequest::decode(header(0), |_| Ok(())).unwrap().parts().is_err());
    }
}
