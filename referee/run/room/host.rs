//! Interface of a room and its server. The server is a crate of its own, which the root package
//! hands to the command line as a value.

use super::Room;
use crate::config::PlayerConfig;
use crate::failure::Failure;
use crate::registry::{GameInfo, Registry};
use crate::run::player::PlannedPlayer;
use arbitre_process::program::Program;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::Sender;
use std::sync::Arc;

/// Program that a person uploaded, on its way into the room. Another thread builds and tests it.
pub trait Upload: Send {
    /// Returns what is to be done, now that its turn has come; none if it is not wanted any more.
    fn begin(&self) -> Option<Task>;
    /// Takes what its build or its test says.
    fn say(&self, bytes: &[u8]);
    /// Takes the outcome.
    fn end(self: Box<Self>, outcome: Tested);
}

/// Work on an upload.
pub struct Task {
    /// Name of its player in the file of the games.
    pub player: String,
    /// Folder of its files.
    pub folder: PathBuf,
    /// Folder in which it is built.
    pub builds: PathBuf,
    /// Whether it has passed its test before.
    pub has_passed: bool,
}

/// Outcome of the work on an upload.
pub enum Tested {
    /// The player of a program without mistakes.
    Passed(Box<PlannedPlayer>),
    /// A mistake, which was said.
    Failed,
    /// No outcome, as the server ends.
    Stopped,
}

/// Queue of the uploads, in the order in which they are worked on.
pub type UploadQueue = Sender<Box<dyn Upload>>;

/// Room with everything that its server needs.
pub struct Hosted {
    /// The room.
    pub room: Arc<Room>,
    /// Title.
    pub title: String,
    /// Game, for the page of its rules.
    pub game: GameInfo,
    /// Configuration of the players of people, without name, version and command.
    pub person: PlayerConfig,
    /// Folder of the room.
    pub folder: PathBuf,
    /// Address on which the server listens.
    pub listen: SocketAddr,
    /// Name of the room on a server of several, below which its pages are. Its connections come
    /// from the front of that server, on standard input.
    pub below: Option<String>,
    /// Address of a proxy on this machine from which requests come, which names the client and has
    /// a certificate.
    pub proxy: Option<String>,
    /// Settings that its finals share.
    pub class: Class,
    /// Executable of the referee.
    pub executable: &'static Path,
    /// Queue of the programs that people upload, or the reason why they cannot upload any.
    pub uploads: Result<UploadQueue, String>,
    /// Whether the teacher gets another link.
    pub new_link: bool,
}

/// Settings of a room, as its class.toml has them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Class {
    /// Options as words of a command line.
    pub options: Vec<String>,
    /// Names of its house bots, and the argument of a command line for each.
    pub house: Vec<(String, String)>,
}

/// Server that listens.
pub struct Listening {
    /// Lines for the person who started it: addresses and links.
    pub lines: Vec<String>,
    /// Ends the server. Open streams do not hold it.
    pub stop: Box<dyn FnOnce()>,
}

/// Program of this machine that joins a room elsewhere.
pub struct Joining {
    /// Address of the room's WebSocket.
    pub url: String,
    /// Secret of the person's link.
    pub token: String,
    /// The program.
    pub program: Program,
    /// Name of its file.
    pub name: String,
    /// Number of games at once.
    pub tables: usize,
    /// Player to play one round against, and no more.
    pub once: Option<String>,
    /// Whether each line to and from the program is printed.
    pub watch: bool,
}

/// Front of several rooms.
pub struct Front {
    /// Names and folders of the rooms.
    pub rooms: Vec<(String, PathBuf)>,
    /// Address on which it listens.
    pub listen: SocketAddr,
    /// Executable of the referee.
    pub executable: &'static Path,
    /// Arguments for each room, beside its folder, its name and the address.
    pub arguments: Vec<OsString>,
}

/// Server of rooms.
pub struct Server {
    /// Starts the server on threads of its own.
    pub start: fn(Hosted) -> Result<Listening, Failure>,
    /// Serves several rooms, each by a process of its own, until a signal comes.
    pub front: fn(Front) -> Result<ExitCode, Failure>,
    /// Copies a room into a zip file, also while another process serves it.
    pub back_up: fn(&Path, &Path, &Registry) -> Result<(), Failure>,
    /// Has a program of this machine join a room.
    pub join: fn(Joining) -> Result<ExitCode, Failure>,
}

/// File of the games, in the folder of a room.
pub const GAMES: &str = "games.db";
/// File of the settings, in the folder of a room.
pub const SETTINGS: &str = "class.toml";
/// Start of the name in the file of the games of a person's player. Its number follows; the name of
/// the person is not in that file.
pub const PERSON: &str = "person-";
/// The same of the person at the board, without a program.
pub const BOARD: &str = "board-";
