//! Descriptors that a process hands to another one through a unix socket.

use crate::launcher::socket::{receive_with, send_with};
use rustix::net::RecvFlags;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

/// Byte that comes with each descriptor: a message without bytes would be the end.
const BYTE: u8 = b'+';

/// Hands a copy of a descriptor to the process at the other end.
///
/// # Errors
/// Returns an error if the socket has no room and does not wait, or its other end is closed.
pub fn hand_over(socket: impl AsFd, descriptor: impl AsFd) -> io::Result<()> {
    send_with(socket, &[BYTE], &[descriptor.as_fd()]).map(drop)
}

/// Waits for the next descriptor. `None` once the other end is closed.
///
/// # Errors
/// Returns the error of the system.
pub fn take_over(socket: impl AsFd) -> io::Result<Option<OwnedFd>> {
    loop {
        let mut byte = [0];
        let (count, descriptors) = match receive_with(&socket, &mut byte, RecvFlags::empty()) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            received => received?,
        };
        // A process without room for another descriptor gets the byte alone.
        match descriptors.into_iter().next() {
            None if count > 0 => {}
            descriptor => return Ok(descriptor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::{Read, Seek, Write};
    use std::os::unix::net::UnixStream;

    #[test]
    fn descriptors_arrive_in_order_until_the_end() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let path = std::env::temp_dir().join(format!("arbitre-handing-{}", std::process::id()));
        for text in ["one", "two"] {
            let mut file = File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(true)
                .open(&path)
                .unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.rewind().unwrap();
            hand_over(&ours, &file).unwrap();
            std::fs::remove_file(&path).unwrap();
        }
        drop(ours);
        for text in ["one", "two"] {
            let mut read = String::new();
            File::from(take_over(&theirs).unwrap().unwrap()).read_to_string(&mut read).unwrap();
            assert_eq!(read, text);
        }
        assert!(take_over(&theirs).unwrap().is_none());
        let (ours, theirs) = UnixStream::pair().unwrap();
        drop(theirs);
        assert!(hand_over(&ours, &ours).is_err());
    }
}
