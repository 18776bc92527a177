//! Messages between the referee and a launcher. For each program: a request, its reply, the end of
//! the program, the order to kill what is left, and the report that nothing is left. The program
//! can be frozen and thawed in between.

use super::ProgramEnd;
use std::ffi::{CStr, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Number of bytes of every message except the rest of a request.
pub const MESSAGE: usize = 12;
/// Largest request in bytes. The system accepts 2 MiB of arguments and environment by default.
const LARGEST: usize = 8 << 20;

/// Program to start. Every text ends with NUL, as the system expects it.
pub struct LaunchRequest {
    texts: Vec<u8>,
    arguments: usize,
    variables: usize,
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
    ) -> io::Result<LaunchRequest> {
        let mut texts = Vec::with_capacity(8192);
        push(&mut texts, path.as_os_str())?;
        push(&mut texts, folder.as_os_str())?;
        let arguments = push_all(&mut texts, arguments)?;
        let variables = push_all(&mut texts, environment)?;
        Ok(LaunchRequest { texts, arguments, variables })
    }

    /// Returns the bytes to send.
    pub fn encode(&self) -> Vec<u8> {
        let sizes = [self.texts.len(), self.arguments, self.variables];
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
        let [size, arguments, variables] = numbers(header).map(|number| number as usize);
        if size > LARGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut texts = vec![0; size];
        read(&mut texts)?;
        Ok(LaunchRequest { texts, arguments, variables })
    }

    /// Returns path, folder, arguments and environment.
    ///
    /// # Errors
    /// Returns an error if a text is missing.
    pub fn parts(&self) -> io::Result<(&CStr, &CStr, Vec<&CStr>, Vec<&CStr>)> {
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
        Ok((path, folder, arguments, environment))
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

/// Order of the referee to a launcher, about the program and all of its descendants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Kill them.
    End,
    /// Stop them. There is no reply.
    Freeze,
    /// Let those that [`Order::Freeze`] stopped run again, then reply.
    Thaw,
}

impl Order {
    const ALL: [Order; 3] = [Order::End, Order::Freeze, Order::Thaw];

    /// Returns the bytes to send. The first number is 0; that of a request is its size.
    pub fn encode(self) -> [u8; MESSAGE] {
        bytes([0, self as i32, 0])
    }

    /// Returns the order in these bytes.
    pub fn decode(bytes: [u8; MESSAGE]) -> Option<Order> {
        Order::ALL.into_iter().find(|order| order.encode() == bytes)
    }
}

/// Message of a launcher to the referee.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LauncherMessage {
    /// The program runs. Descriptors of the program and of the launcher come with the message.
    Started {
        /// Process of the program.
        program: i32,
        /// Process of the launcher.
        launcher: i32,
    },
    /// The program could not be started, with this error number.
    Failed(i32),
    /// The program ended.
    Ended(ProgramEnd),
    /// The program and its descendants run again.
    Thawed,
    /// Nothing is left of the program. The launcher waits for the next one.
    Gone,
}

impl LauncherMessage {
    /// Returns the bytes to send.
    pub fn encode(self) -> [u8; MESSAGE] {
        bytes(match self {
            LauncherMessage::Started { program, launcher } => [0, program, launcher],
            LauncherMessage::Failed(error) => [1, error, 0],
            LauncherMessage::Ended(ProgramEnd::Code(code)) => [2, code, 0],
            LauncherMessage::Ended(ProgramEnd::Signal(number)) => [3, number, 0],
            LauncherMessage::Gone => [4, 0, 0],
            LauncherMessage::Thawed => [5, 0, 0],
        })
    }

    /// Returns the message in these bytes.
    pub fn decode(bytes: [u8; MESSAGE]) -> Option<LauncherMessage> {
        let [kind, first, second] = numbers(bytes).map(|number| number as i32);
        match kind {
            0 => Some(LauncherMessage::Started { program: first, launcher: second }),
            1 => Some(LauncherMessage::Failed(first)),
            2 => Some(LauncherMessage::Ended(ProgramEnd::Code(first))),
            3 => Some(LauncherMessage::Ended(ProgramEnd::Signal(first))),
            4 => Some(LauncherMessage::Gone),
            5 => Some(LauncherMessage::Thawed),
            _ => None,
        }
    }
}

fn bytes(numbers: [i32; 3]) -> [u8; MESSAGE] {
    let mut bytes = [0; MESSAGE];
    for (place, number) in bytes.chunks_exact_mut(4).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    bytes
}

fn numbers(bytes: [u8; MESSAGE]) -> [u32; 3] {
    let number = |at: usize| bytes[at..at + 4].try_into().map_or(0, u32::from_le_bytes);
    [number(0), number(4), number(8)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_survives_its_encoding() {
        let words = ["bot", "", "a b"].map(OsStr::new);
        let variables = ["A=1", "B="].map(OsStr::new);
        let request =
            LaunchRequest::new(Path::new("/bin/x"), Path::new("/"), words, variables).unwrap();
        let bytes = request.encode();
        let (header, rest) = bytes.split_at(MESSAGE);
        let read = |place: &mut [u8]| {
            place.copy_from_slice(rest);
            Ok(())
        };
        let decoded = LaunchRequest::decode(header.try_into().unwrap(), read).unwrap();
        let (path, folder, arguments, environment) = decoded.parts().unwrap();
        assert_eq!((path, folder), (c"/bin/x", c"/"));
        assert_eq!(arguments, [c"bot", c"", c"a b"]);
        assert_eq!(environment, [c"A=1", c"B="]);
    }

    #[test]
    fn message_survives_its_encoding() {
        let messages = [
            LauncherMessage::Started { program: 7, launcher: 8 },
            LauncherMessage::Failed(2),
            LauncherMessage::Ended(ProgramEnd::Code(-1)),
            LauncherMessage::Ended(ProgramEnd::Signal(9)),
            LauncherMessage::Gone,
            LauncherMessage::Thawed,
        ];
        for message in messages {
            assert_eq!(LauncherMessage::decode(message.encode()), Some(message));
        }
        assert_eq!(LauncherMessage::decode([9; MESSAGE]), None);
    }

    #[test]
    fn order_is_no_request() {
        for order in Order::ALL {
            assert_eq!(Order::decode(order.encode()), Some(order));
        }
        let shortest = LaunchRequest::new(Path::new(""), Path::new(""), [], []).unwrap().encode();
        assert_eq!(Order::decode(shortest[..MESSAGE].try_into().unwrap()), None);
    }

    #[test]
    fn malformed_requests_are_rejected() {
        let nul = OsStr::new("a\0b");
        assert!(LaunchRequest::new(Path::new("/x"), Path::new("/"), [nul], []).is_err());
        let header = |size: u32| {
            let mut header = [0; MESSAGE];
            header[..4].copy_from_slice(&size.to_le_bytes());
            header
        };
        assert!(LaunchRequest::decode(header(u32::MAX), |_| Ok(())).is_err());
        assert!(LaunchRequest::decode(header(0), |_| Ok(())).unwrap().parts().is_err());
    }
}
