//! Bytes and descriptors through a unix socket.

use super::request::{LauncherMessage, MESSAGE};
use rustix::cmsg_space;
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::net::{
    recv, recvmsg, send, sendmsg, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags,
    SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// Largest number of descriptors in one message.
const DESCRIPTORS: usize = 4;

/// Sends `bytes` with copies of `descriptors`. Returns the number of bytes sent.
pub fn send_with(socket: impl AsFd, bytes: &[u8], descriptors: &[BorrowedFd]) -> io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() {
        control.push(SendAncillaryMessage::ScmRights(descriptors));
    }
    Ok(sendmsg(socket, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL)?)
}

/// Sends `bytes` if the socket has room for them.
///
/// # Errors
/// Returns the error of the system.
pub fn send_at_once(socket: impl AsFd, bytes: &[u8]) -> io::Result<()> {
    Ok(send(socket, bytes, SendFlags::NOSIGNAL | SendFlags::DONTWAIT).map(drop)?)
}

/// Receives bytes and descriptors. Returns the number of bytes, 0 at the end.
pub fn receive_with(
    socket: impl AsFd,
    bytes: &mut [u8],
    flags: RecvFlags,
) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = flags | RecvFlags::CMSG_CLOEXEC;
    let count = recvmsg(socket, &mut [IoSliceMut::new(bytes)], &mut control, flags)?.bytes;
    let mut descriptors = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            descriptors.extend(received);
        }
    }
    Ok((count, descriptors))
}

/// Fills `bytes`, however many messages that takes.
///
/// # Errors
/// Returns an error if the socket ends before.
pub fn receive_all(socket: impl AsFd, mut bytes: &mut [u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match recv(&socket, &mut *bytes, RecvFlags::WAITALL) {
            Ok((_, 0)) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok((_, count)) => bytes = &mut bytes[count..],
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Result of a wait for a message.
pub enum ReceivedMessage {
    /// Message, with the descriptors that came with it.
    Message(LauncherMessage, Vec<OwnedFd>),
    /// The other end is closed.
    Closed,
    /// No message came in time.
    Nothing,
}

/// Waits up to `patience` for a message of a launcher.
pub fn receive_message(socket: impl AsFd, patience: Duration) -> ReceivedMessage {
    if !is_ready(&socket, patience) {
        return ReceivedMessage::Nothing;
    }
    let mut bytes = [0; MESSAGE];
    match receive_with(&socket, &mut bytes, RecvFlags::DONTWAIT | RecvFlags::WAITALL) {
        Ok((MESSAGE, descriptors)) => match LauncherMessage::decode(bytes) {
            Some(message) => ReceivedMessage::Message(message, descriptors),
            None => ReceivedMessage::Closed,
        },
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => ReceivedMessage::Nothing,
        _ => ReceivedMessage::Closed,
    }
}

/// Returns `true` if the other end of a descriptor is closed.
pub fn is_closed(descriptor: impl AsFd) -> bool {
    let mut descriptors = [PollFd::new(&descriptor, PollFlags::empty())];
    let polled = poll(&mut descriptors, Some(&Timespec::default()));
    polled.is_err() || !descriptors[0].revents().is_empty()
}

/// Waits up to `patience` until a descriptor can be read, or its other end is closed.
pub fn is_ready(descriptor: impl AsFd, patience: Duration) -> bool {
    let patience = Timespec::try_from(patience).ok();
    let mut descriptors = [PollFd::new(&descriptor, PollFlags::IN)];
    poll(&mut descriptors, patience.as_ref()).is_ok_and(|count| count > 0)
}
