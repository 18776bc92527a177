//! Tables of stored matches, and of the games of one match.

use super::columns::plain_table;
use super::game::{names, GameDocument};
use super::rounded;
use super::summary::score_so_far;
use crate::config::{sandbox_args, Contest, PlayerConfig};
use crate::escape::escape;
use crate::play::record::Record;
use crate::statistics::tally::{PlayerTally, Tally};
use crate::store::{folder, Session};
use arbitre_games::clock::ClockKind;
use arbitre_games::text::{join, word_of};
use comfy_table::Table;
use serde::Serialize;
use std::path::Path;

/// A stored match in a list.
#[derive(Serialize)]
pub struct ListedMatch {
    /// Path of the file.
    db: String,
    /// Date of the first session.
    begun: String,
    /// Version of the referee in the first session.
    referee: String,
    game: String,
    rules: String,
    seed: u64,
    players: Vec<ListedPlayer>,
    /// Number of stored games.
    games: u64,
    /// Number of requested games: of a tournament that is over, those that were played.
    asked: u64,
    sprt: Option<String>,
    /// Points so far, as in the progress bar.
    #[serde(skip)]
    score: String,
}

#[derive(Serialize)]
struct ListedPlayer {
    name: String,
    command: String,
    dialect: String,
    limits: String,
    sandbox: String,
    /// Kind of time that counts.
    clock: &'static str,
    points: f64,
    /// Number of games by place: first, second and so on.
    places: Vec<u64>,
    /// Versions of the player, the current one last: the digest of its files, or the words of a
    /// bundled bot with the signature of its engines.
    versions: Vec<String>,
}

impl ListedMatch {
    /// Creates the entry of a match, which has `asked` games at most. `config` has the current
    /// versions of the players and `all` has every version.
    pub fn new(
        db: &Path,
        config: &Contest,
        all: &Contest,
        (tally, asked): (&Tally, u64),
        first: Option<&Session>,
    ) -> ListedMatch {
        let (begun, referee) = first.map_or_else(Default::default, |first| {
            let begun = folder::date(&first.begun.to_string(), "%Y-%m-%d %H:%M");
            (begun, first.referee.clone())
        });
        let players = config.players.iter().zip(&tally.players);
        ListedMatch {
            db: db.display().to_string(),
            begun,
            referee,
            game: config.game.clone(),
            rules: config.rules.clone(),
            seed: config.seed,
            players: players
                .map(|(player, counts)| ListedPlayer::of(player, counts, all))
                .collect(),
            games: tally.games,
            asked,
            sprt: config.sprt.map(|sprt| sprt.to_string()),
            score: score_so_far(tally, config),
        }
    }
}

impl ListedPlayer {
    fn of(player: &PlayerConfig, counts: &PlayerTally, all: &Contest) -> ListedPlayer {
        let earlier = format!("{}@", player.name);
        let own = all.players.iter().filter(|version| version.name.starts_with(&earlier));
        let versions = own.chain([player]).map(|version| version.version.clone()).collect();
        ListedPlayer {
            name: player.name.clone(),
            command: player.command.clone(),
            dialect: player.dialect.clone(),
            limits: player.limits.to_string(),
            sandbox: sandbox_args::in_words(&player.sandbox),
            clock: word_of(player.limits.clock.kind, &ClockKind::WORDS),
            points: rounded(counts.points(), 3),
            places: counts.places.clone(),
            versions,
        }
    }
}

/// Returns the matches as a table, each followed by the path of its file.
pub fn matches(matches: &[ListedMatch]) -> String {
    let mut table = plain_table(["begun", "game", "games", "score"]);
    for found in matches {
        let games = format!("{} of {}", found.games, found.asked);
        let begun = if found.begun.is_empty() { "-" } else { &found.begun };
        table.add_row([begun, &found.game, &games, &found.score]);
    }
    let text = table.trim_fmt();
    let files = matches.iter().map(|found| format!("   {}\n", escape(&found.db)));
    let lines = text.lines().map(|line| format!("{line}\n"));
    let below = std::iter::once(String::new()).chain(files);
    lines.zip(below).map(|(line, file)| line + &file).collect()
}

/// Table of the games of a match.
pub struct GameList(Table);

impl GameList {
    /// Creates an empty table of games with `seats` seats. Ranks have a column only if there are
    /// more than two seats, as the scores of two show the winner.
    pub fn new(seats: usize) -> GameList {
        let ranks = (seats > 2).then_some("ranks");
        let head = ["game", "round", "players by seat", "scores"].into_iter().chain(ranks);
        GameList(plain_table(head.chain(["moves", "seconds", "setup", "faults"])))
    }

    /// Adds a game.
    pub fn add(&mut self, record: &Record, config: &Contest) {
        let document = GameDocument::new(record, config, false);
        let players: Vec<String> = names(record, config).into_iter().map(escape).collect();
        let scores = document.scores.map_or("void".into(), |scores| join(scores, " - "));
        let ranks = (players.len() > 2)
            .then(|| document.ranks.as_ref().map_or("-".into(), |ranks| join(ranks, " - ")));
        let number = document.game.map_or("-".into(), |number| number.to_string());
        let head = [number, document.round.to_string(), players.join(" - "), scores];
        let tail = [
            document.moves.len().to_string(),
            format!("{:.3}", record.duration.as_secs_f64()),
            escape(document.setup),
            escape(&document.faults_in_words()),
        ];
        self.0.add_row(head.into_iter().chain(ranks).chain(tail));
    }

    /// Returns the table as text.
    pub fn text(&self) -> String {
        self.0.trim_fmt() + "\n"
    }
}
