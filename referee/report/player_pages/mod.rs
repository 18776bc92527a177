//! A page per player of a tournament, for its author: its result, what to do next, its faults, and
//! the games that it should look at. An index lists the pages.

mod document;
mod folder;
mod format;
mod markdown;
mod notes;
mod steps;

pub use format::PageFormat;

use super::anonymity::{hide_texts, Anonymity};
use super::page;
use super::replay::ReplayDocument;
use super::standings::status;
use super::summary::{PlayerSummary, Status, Summary};
use crate::config::player_arg::CommandKind;
use crate::config::Contest;
use crate::failure::Failure;
use crate::play::viewer::Viewer;
use crate::registry::Registry;
use crate::store::{Archive, Order, Versions, View};
use document::PlayerPage;
use folder::{file_names, IndexResult, IndexRow, PageFolder};
use notes::PageNotes;
use std::path::Path;

/// Largest size of a game with all positions and texts, in bytes of the page. Not tuned.
const REPLAY: usize = 200_000;

/// Checks that the pages have a folder, and that their index would replace no file of others.
///
/// # Errors
/// Returns an error that names the file if it would.
pub fn check(folder: &Path, format: PageFormat) -> Result<(), Failure> {
    if folder.exists() && !folder.is_dir() {
        let path = folder.display();
        return Err(Failure::Store(format!("--per-player: expected a folder, got {path}")));
    }
    PageFolder::read(folder, format).map(drop)
}

/// Sources of the pages of a tournament.
pub struct PlayerPages<'a> {
    /// Form of the pages.
    pub format: PageFormat,
    /// Stored games.
    pub archive: &'a Archive,
    /// Tournament.
    pub contest: &'a Contest,
    /// Results, with the names of the players.
    pub summary: &'a Summary,
    /// Names of the players on the pages of others, if these are hidden.
    pub anonymity: Option<&'a Anonymity>,
    /// Games and bundled bots.
    pub registry: &'a Registry,
}

impl PlayerPages<'_> {
    /// Writes a page for each author of a player into a folder, and their index. Removes those of
    /// earlier runs.
    ///
    /// # Errors
    /// Returns an error if the file of the games is damaged, or a page cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        let PlayerPages { format, archive, contest, summary, .. } = *self;
        let target = PageFolder::read(folder, format)?;
        let view = archive.view(Versions::Current);
        let mut notes = PageNotes::new(self.anonymity.is_some());
        archive.for_each_detailed::<Failure>(&view, Order::Schedule, &mut |result, details| {
            notes.add(&result, &details);
            Ok(())
        })?;
        let viewer = Viewer::new(&view.config, self.registry)?;
        let authors: Vec<usize> =
            (0..summary.players.len()).filter(|&of| self.has_author(of)).collect();
        let names = authors.iter().map(|&of| &*summary.players[of].name);
        let files = file_names(names, format);
        let mut pages = Vec::with_capacity(files.len());
        for (&number, file) in authors.iter().zip(&files) {
            pages.push((file.clone(), self.page(number, &notes, &view, &viewer)?));
        }
        let row = |number: usize| {
            let at = authors.iter().position(|&of| of == number);
            self.row(&summary.players[number], at.map(|at| files[at].clone()))
        };
        let mut rows: Vec<IndexRow> = summary.order().into_iter().map(row).collect();
        if self.anonymity.is_some() {
            // The order of the standings would say the ranks.
            rows.sort_by_key(|row| row.name);
        }
        let title = title(contest);
        target.replace(&pages, &|list| match format {
            PageFormat::Markdown => markdown::index(title, &rows) + "\n" + list,
            PageFormat::Html => page::of_index(title, &rows, list),
        })
    }

    /// Returns `true` if a player has an author who is sent a page: it is no bundled bot, takes
    /// part in the tournament and is not shown for comparison.
    fn has_author(&self, number: usize) -> bool {
        let player = &self.contest.players[number];
        let is_program = !matches!(
            player.kind(self.registry),
            Ok(CommandKind::Bundled(..) | CommandKind::Human)
        );
        let is_compared = matches!(
            self.summary.players[number].status,
            Some(Status::Reference | Status::FixedBot)
        );
        is_program && !is_compared && !self.contest.has_left(number)
    }

    fn row<'a>(&self, player: &'a PlayerSummary, file: Option<String>) -> IndexRow<'a> {
        let result = self.anonymity.is_none().then(|| IndexResult {
            rank: player.rank,
            mark: player.mark_text(),
            points: (player.games > 0).then_some(player.points),
            percent: player.percent.filter(|_| player.solo.is_none()),
            status: player.status.map(|_| status(player)),
        });
        IndexRow { name: &player.name, file, result }
    }

    fn page(
        &self,
        number: usize,
        notes: &PageNotes,
        view: &View,
        viewer: &Viewer,
    ) -> Result<String, Failure> {
        let PlayerPages { format, contest, summary, anonymity, registry, .. } = *self;
        let names: Vec<String> = match anonymity {
            Some(anonymity) => anonymity.names().to_vec(),
            None => summary.players.iter().map(|player| player.name.clone()).collect(),
        };
        let notes = notes.of(number);
        let mut facts = PlayerPage::new(number, notes, summary, title(contest), &names);
        facts.steps = steps::steps(number, notes, summary, contest, anonymity.is_some(), registry);
        match format {
            PageFormat::Markdown => {
                Ok(markdown::page(&facts, summary.db.as_deref().unwrap_or(":memory:")))
            }
            PageFormat::Html => {
                let replays = self.add_replays(&mut facts, number, view, viewer)?;
                Ok(page::of_player(&format!("{} · {}", facts.name, facts.title), &facts, &replays))
            }
        }
    }

    /// Adds the games to look at to the facts of a player. Returns them as packed documents.
    fn add_replays(
        &self,
        facts: &mut PlayerPage,
        own: usize,
        view: &View,
        viewer: &Viewer,
    ) -> Result<Vec<String>, Failure> {
        let mut shown = view.config.clone();
        if let Some(anonymity) = self.anonymity {
            let name = shown.players[own].name.clone();
            anonymity.hide_players(&mut shown);
            shown.players[own].name = name;
        }
        let mut packed = Vec::new();
        for game in &mut facts.games {
            if facts.replays.iter().any(|(number, _)| *number == game.number) {
                continue;
            }
            let Some((mut record, _)) = self.archive.game(game.number, view)? else { continue };
            if self.anonymity.is_some() {
                hide_texts(&mut record, Some(own));
            }
            let seat = record.pairing.players.iter().position(|&player| player == own);
            // The rules may have changed since the game was played.
            let document = ReplayDocument::new(&record, &shown, &*viewer.of(&record)).ok();
            let replay = document.filter(|_| !viewer.lacks(&record)).map(|of| page::packed(&of));
            match (replay, seat) {
                (Some(replay), _) if replay.len() > REPLAY => {
                    game.missing = Some("it is too large for this page");
                }
                (Some(replay), Some(seat)) => {
                    facts.replays.push((game.number, seat));
                    packed.push(replay);
                }
                _ => game.missing = Some("its positions cannot be drawn any more"),
            }
        }
        Ok(packed)
    }
}

fn title(contest: &Contest) -> &str {
    contest.tournament().map_or("", |of| &of.title)
}
