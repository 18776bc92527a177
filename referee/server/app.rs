//! State that all requests share.

use crate::backup;
use crate::board::Boards;
use crate::contest::Contest;
use crate::finals::Finals;
use crate::guard::Limiter;
use crate::join::members::Members;
use crate::labels::Labels;
use crate::pages::slips::Slips;
use crate::people::{Openness, People, Person};
use crate::places::Places;
use crate::streams::Streams;
use crate::token::Token;
use crate::uploads::{Uploads, View};
use crate::words::Language;
use arbitre_games::text::HELP;
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::GameInfo;
use arbitre_referee::report::page;
use arbitre_referee::run::room::{Hosted, Room};
use sha2::{Digest, Sha256};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Requests that may read the store, or wait for that. Not tuned.
const READING: usize = 32;
/// Mebibytes of all requests that bring files at once: they are in memory. Not tuned.
const RECEIVING: usize = 96;

/// Files of all pages.
pub struct Assets {
    /// Style sheet.
    pub style: String,
    /// Script.
    pub script: String,
    /// Part of their addresses that changes with them.
    pub version: String,
}

impl Assets {
    fn new() -> Assets {
        let style = page::style() + include_str!("assets/room.css");
        let script = page::script() + include_str!("assets/room.js");
        let digest = Sha256::new().chain_update(&style).chain_update(&script).finalize();
        let version = digest[..6].iter().map(|byte| format!("{byte:02x}")).collect();
        Assets { style, script, version }
    }
}

/// State of the server.
pub struct App {
    /// The room.
    pub room: Arc<Room>,
    /// Start of the addresses of the room on its server; empty for one room alone.
    pub root: String,
    /// Title of all pages.
    pub title: String,
    /// The game.
    pub game: GameInfo,
    /// Limits of players.
    pub limits: String,
    /// Folder of the room.
    pub folder: PathBuf,
    /// People.
    pub people: Arc<People>,
    /// Programs that people upload, or the reason why they cannot.
    pub uploads: Result<Arc<Uploads>, String>,
    /// People whose programs are connected.
    pub members: Arc<Members>,
    /// Contest, in a solo room.
    pub contest: Option<Arc<Contest>>,
    /// Games of people at the board.
    pub boards: Arc<Boards>,
    /// Finals.
    pub finals: Arc<Finals>,
    /// Addresses of this server for others, the best first.
    pub addresses: Vec<String>,
    /// Name of its cookie.
    pub cookie: String,
    /// Whether a proxy with a certificate is in front.
    pub behind_proxy: bool,
    /// Links that were just made.
    pub slips: Slips,
    /// Ranks of the last hour.
    pub places: Places,
    /// Streams to browsers.
    pub streams: Streams,
    /// Limits on requests.
    pub limiter: Limiter,
    /// Places for requests that read the store.
    pub readers: Semaphore,
    /// Mebibytes that are left for requests that bring files.
    pub receivers: Semaphore,
    /// Files of all pages.
    pub assets: Assets,
}

/// Visitor by its link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Who {
    /// The teacher.
    Teacher,
    /// A person.
    Person(Person),
    /// Anyone else.
    Spectator,
}

/// Browser that asks for a page.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The visitor by its link.
    pub who: Who,
    /// Token by which it showed that.
    pub token: Option<Token>,
    /// Whether the token was in a header, which no form of another site can send.
    pub is_program: bool,
    /// Language of its pages.
    pub language: Language,
}

impl Visitor {
    /// Returns `true` for the teacher.
    pub fn is_teacher(&self) -> bool {
        self.who == Who::Teacher
    }
}

impl App {
    /// Opens the people of a room. Returns the teacher's token, if it is a new one.
    ///
    /// # Errors
    /// Returns an error if they cannot be read or written.
    pub fn open(hosted: Hosted, address: SocketAddr) -> Result<(App, Option<String>), Failure> {
        let Hosted { room, title, game, person, folder, proxy, new_link, below, .. } = hosted;
        let root = below.map_or_else(String::new, |name| format!("/{name}"));
        let (uploads, class, executable) = (hosted.uploads, hosted.class, hosted.executable);
        backup::remove_rests(&folder);
        let people = Arc::new(People::open(&folder)?);
        let unwritten = |why| {
            Failure::Store(format!(
                "{}: expected a folder that can be written, got {why:?}{HELP}see its rights and the \
                 free space",
                folder.display()
            ))
        };
        let is_new = new_link || !people.has_teacher();
        let teacher = is_new.then(|| people.new_teacher().map_err(unwritten)).transpose()?;
        room.pause(people.is_paused());
        let uploads = match uploads {
            Ok(queue) => Ok(Uploads::open(&folder, people.clone(), room.clone(), queue)?),
            Err(why) => Err(why),
        };
        let contest = Contest::open(room.clone(), people.clone(), &folder)?.map(Arc::new);
        let cookie = format!("arbitre-{}", people.room().map_err(unwritten)?);
        let app = App {
            title,
            game,
            finals: Finals::open(&folder, executable, class, room.clone(), people.clone()),
            people,
            uploads,
            behind_proxy: proxy.is_some(),
            addresses: proxy
                .map_or_else(|| addresses(address), |url| vec![url])
                .into_iter()
                .map(|url| url + &root)
                .collect(),
            root,
            cookie,
            limits: person.limits.to_string(),
            contest,
            boards: Arc::new(Boards::new(room.clone())),
            members: Arc::new(Members::new(room.clone(), person)),
            room,
            slips: Slips::default(),
            places: Places::default(),
            streams: Streams::default(),
            limiter: Limiter::default(),
            readers: Semaphore::new(READING),
            receivers: Semaphore::new(RECEIVING),
            assets: Assets::new(),
            folder,
        };
        Ok((app, teacher.map(|token| token.to_string())))
    }

    /// Returns who has this token.
    pub fn who(&self, token: &Token) -> Option<Who> {
        match self.people.is_teacher(token) {
            true => Some(Who::Teacher),
            false => self.people.person_with(token).map(Who::Person),
        }
    }

    /// Returns `true` if a visitor may see the public pages, now.
    pub fn may_see(&self, visitor: &Visitor) -> bool {
        match &visitor.token {
            Some(token) => self.who(token).is_some(),
            None => self.people.openness() != Openness::Closed,
        }
    }

    /// Returns the number of changes of an upload, if a visitor may see it.
    pub fn upload_changes(&self, visitor: &Visitor, id: i64) -> Option<u64> {
        let (owner, changes) = self.uploads.as_ref().ok()?.changes_of(id)?;
        self.is_reader(visitor, owner).then_some(changes)
    }

    /// Returns `true` if a visitor may see what is for one person and the teacher, now: a link may
    /// be replaced meanwhile.
    fn is_reader(&self, visitor: &Visitor, owner: i64) -> bool {
        match visitor.token.as_ref().and_then(|token| self.who(token)) {
            Some(Who::Teacher) => true,
            Some(Who::Person(person)) => owner == person.id,
            Some(Who::Spectator) | None => false,
        }
    }

    /// Returns an upload, if a visitor may see it: its person, and the teacher.
    pub fn upload_of(&self, visitor: &Visitor, id: i64) -> Option<View> {
        let view = self.uploads.as_ref().ok()?.view(id)?;
        self.is_reader(visitor, view.person).then_some(view)
    }

    /// Returns `true` if a visitor sees names, and not numbers.
    pub fn shows_names(&self, visitor: &Visitor) -> bool {
        visitor.who != Who::Spectator || self.people.openness() == Openness::Names
    }

    /// Returns the names of players for people.
    pub fn labels(&self, language: Language, shows_names: bool) -> Labels {
        Labels::new(&self.people.all(), language, shows_names)
    }
}

/// Returns the addresses of a server that listens here. One that listens on all addresses has one
/// for each network of the machine.
fn addresses(address: SocketAddr) -> Vec<String> {
    let url = |ip: IpAddr| format!("http://{}", SocketAddr::new(ip, address.port()));
    if !address.ip().is_unspecified() {
        return vec![url(address.ip())];
    }
    let mut found = crate::machine::addresses(address.is_ipv6());
    found.push(Ipv4Addr::LOCALHOST.into());
    found.into_iter().map(url).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_names_the_place_that_others_reach() {
        let of = |text: &str| addresses(text.parse().unwrap());
        assert_eq!(of("127.0.0.1:8000"), ["http://127.0.0.1:8000"]);
        assert_eq!(of("[::1]:9"), ["http://[::1]:9"]);
        let all = of("0.0.0.0:8000");
        assert_eq!(all.last().unwrap(), "http://127.0.0.1:8000", "{all:?}");
        assert!(all.iter().all(|url| !url.contains("0.0.0.0")), "{all:?}");
    }
}
