//! Sources of the streams to browsers.

use crate::words::Language;
use std::sync::Arc;
use tokio::sync::watch;

/// Page whose parts are sent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Topic {
    /// Standings, running games and last results.
    Room,
    /// The same in large type.
    Projector,
}

impl Topic {
    const ALL: [Topic; 2] = [Topic::Room, Topic::Projector];
}

/// Key of equal streams: the topic, the language, and whether names are shown.
pub type Edition = (Topic, Language, bool);

/// Sources of all streams.
pub struct Streams {
    /// Sources of the parts of pages.
    pub parts: Vec<(Edition, watch::Sender<Arc<str>>)>,
    /// Number of looks at the room that found something new.
    pub looks: watch::Sender<u64>,
}

impl Default for Streams {
    fn default() -> Streams {
        let editions = Topic::ALL.into_iter().flat_map(|topic| {
            let of =
                move |language| [true, false].map(|shows_names| (topic, language, shows_names));
            Language::ALL.into_iter().flat_map(of)
        });
        let parts = editions.map(|edition| (edition, watch::Sender::new("".into()))).collect();
        Streams { parts, looks: watch::Sender::default() }
    }
}

impl Streams {
    /// Returns the source of a topic.
    pub fn source(&self, edition: Edition) -> Option<&watch::Sender<Arc<str>>> {
        self.parts.iter().find(|(of, _)| *of == edition).map(|(_, source)| source)
    }

    /// Returns the number of streams.
    pub fn streams(&self) -> usize {
        let parts: usize = self.parts.iter().map(|(_, source)| source.receiver_count()).sum();
        parts + self.looks.receiver_count()
    }
}

/// Waits until the server is to end.
pub async fn ended(stopped: &mut watch::Receiver<bool>) {
    // Without its sender the server has ended.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}
