//! Messages between a server and the clients of `join`, as text frames carry them.

use serde::{Deserialize, Serialize};

/// Version of these messages that this server speaks.
pub const VERSION: u32 = 1;
/// Most games of one client at once. The number of a table is a byte. Not tuned.
pub const MOST_TABLES: usize = 64;
/// Hexadecimal digits of a digest.
const DIGEST: usize = 64;
/// Most characters of a text that a client sends and pages show. Not tuned.
const SHOWN: usize = 80;

/// Table with the number of bytes that one side has received for it: number, session, bytes.
pub type Received = (u8, String, u64);

/// First message of a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hello {
    /// Version of the messages.
    pub version: u32,
    /// Name of the client.
    #[serde(default)]
    pub client: String,
    /// Digest of the program's files.
    pub digest: String,
    /// File of the program.
    #[serde(default)]
    pub program: String,
    /// Number of games at once.
    pub tables: usize,
    /// Tables whose programs were started.
    #[serde(default)]
    pub open: Vec<Received>,
    /// Name of a player to play one round against, and no more.
    #[serde(default)]
    pub once: Option<String>,
}

impl Hello {
    /// Returns the reason why such a client cannot play.
    pub fn refusal(&self) -> Option<String> {
        let Hello { version, tables, digest, .. } = self;
        if *version != VERSION {
            return Some(format!(
                "this server speaks version {VERSION} of join, got {version}: take join.py from \
                 your page once more"
            ));
        }
        if !(1..=MOST_TABLES).contains(tables) {
            return Some(format!("expected 1 to {MOST_TABLES} games at once, got {tables}"));
        }
        if self.open.len() > MOST_TABLES {
            return Some(format!("expected at most {MOST_TABLES} open tables"));
        }
        (!is_digest(digest)).then(|| format!("expected a digest of {DIGEST} hexadecimal digits"))
    }

    /// Returns the file of the program, as pages show it.
    pub fn program(&self) -> String {
        self.program.chars().filter(|c| !c.is_control()).take(SHOWN).collect()
    }
}

/// Returns `true` if a text has the form of a digest.
pub fn is_digest(text: &str) -> bool {
    text.len() == DIGEST && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Message of a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum FromClient {
    /// First message.
    Hello(Hello),
    /// The files of the program have changed.
    Digest {
        /// Their digest.
        digest: String,
    },
    /// The program of a table was started.
    Started {
        /// Table.
        table: u8,
        /// Name of the start, if the client says it.
        #[serde(default)]
        session: Option<String>,
    },
    /// The program of a table could not be started.
    Failed {
        /// Table.
        table: u8,
        /// Name of the start, if the client says it.
        #[serde(default)]
        session: Option<String>,
        /// Reason.
        #[serde(default)]
        why: String,
    },
    /// Part of standard error.
    Stderr {
        /// Table.
        table: u8,
        /// The text.
        text: String,
    },
    /// The program of a table ended, or closed its output.
    Ended {
        /// Table.
        table: u8,
        /// Name of the start, if the client says it.
        #[serde(default)]
        session: Option<String>,
        /// Exit code, or minus the signal; none if the program closed its output and runs on.
        code: Option<i64>,
    },
}

/// Message to a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ToClient {
    /// Answer to its first message.
    Welcome {
        /// Name of the person.
        name: String,
        /// Title of the room.
        room: String,
        /// Address of the person's page.
        page: String,
        /// Tables that go on.
        open: Vec<Received>,
    },
    /// Start the program for a table.
    Start {
        /// Table.
        table: u8,
        /// Name of this start.
        session: String,
    },
    /// End the program of a table.
    End {
        /// Table.
        table: u8,
        /// Whether it is killed at once.
        now: bool,
    },
    /// Line for the person.
    Note {
        /// The line.
        text: String,
    },
    /// The connection is closed.
    Bye {
        /// Reason.
        text: String,
        /// Whether the client may come back by itself.
        again: bool,
        /// Whether all that it asked for was done.
        ok: bool,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<FromClient> {
        serde_json::from_str(text).ok()
    }

    #[test]
    fn first_message_is_checked() {
        let hello = |version: u32, digest: &str, tables: i64| {
            let text = format!(
                r#"{{"type":"hello","version":{version},"digest":"{digest}","tables":{tables},"later":1}}"#
            );
            match read(&text) {
                Some(FromClient::Hello(hello)) => Some(hello.refusal()),
                _ => None,
            }
        };
        let digest = "0".repeat(DIGEST);
        assert_eq!(hello(1, &digest, 1), Some(None), "a later key is ignored");
        assert!(hello(0, &digest, 1).flatten().unwrap().contains("take join.py"));
        assert!(hello(2, &digest, 1).flatten().is_some());
        assert!(
            hello(1, &digest, 0).flatten().is_some() && hello(1, &digest, 65).flatten().is_some()
        );
        assert!(hello(1, "../../etc", 1).flatten().is_some());
        assert_eq!(hello(1, &digest, -1), None);
        assert_eq!(read(r#"{"type":"ended","table":300,"code":1}"#), None);
        assert_eq!(read(r#"{"type":"time","spent":0}"#), None);
    }

    #[test]
    fn messages_have_the_documented_form() {
        let bye = ToClient::Bye { text: "x".into(), again: false, ok: true };
        let text = serde_json::to_string(&bye).unwrap();
        assert_eq!(text, r#"{"type":"bye","text":"x","again":false,"ok":true}"#);
        let welcome = ToClient::Welcome {
            name: "Ada".into(),
            room: "class".into(),
            page: String::new(),
            open: vec![(0, "s".into(), 7)],
        };
        assert!(serde_json::to_string(&welcome).unwrap().ends_with(r#""open":[[0,"s",7]]}"#));
    }
}
