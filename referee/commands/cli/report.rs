//! `referee report`: writes a page with the standings and the games of a match, or a picture.

use super::args::{Picture, ReportArgs, RulesArgs};
use super::show;
use super::stored::{misfit, warn_of_log};
use super::trust::tell_missing;
use arbitre_games::exit_code::INTERRUPTED;
use arbitre_games::text::HELP;
use arbitre_process::process_group::ProcessGroups;
use arbitre_referee::chart::{self, Place, Svg};
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::anonymity::Anonymity;
use arbitre_referee::report::match_page::{self, Extent};
use arbitre_referee::report::output::{print_path, unwritable, write_whole};
use arbitre_referee::report::projector::{self, Looks};
use arbitre_referee::report::results::Results;
use arbitre_referee::report::{charts, replay};
use arbitre_referee::run::interrupt::{Listener, Stop};
use arbitre_referee::store::{is_written, Address, Archive, Versions};
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Time between two pages of a match that is being played.
const INTERVAL: Duration = Duration::from_secs(2);
/// Least time between two pages, in times of writing one, so that the games keep the processor. Not
/// tuned.
const SPARED: u32 = 10;
/// Number of games in the page of a match that is being played.
const LAST: usize = 20;

/// Writes the page or the picture, and prints its path.
pub fn run(args: &ReportArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let path = Address::of(args.stored.db.as_deref()).path(registry)?;
    if args.follow {
        return follow(args, &path, registry);
    }
    let archive = Archive::open(&path, registry)?;
    warn_of_log(&archive);
    let (output, text) = match args.svg {
        None => (args.page().into(), args.text(&archive, registry, false, &mut Looks::default())?),
        Some(picture) => self::picture(args, picture, &archive, registry)?,
    };
    write_whole(&output, &text).map_err(|error| unwritable(&output, &error))?;
    print_path(&output)
}

impl ReportArgs {
    /// Returns the path of the page.
    fn page(&self) -> &Path {
        self.output.as_deref().expect("the grammar asks for it")
    }

    fn versions(&self) -> Versions {
        if self.all_versions {
            Versions::All
        } else {
            Versions::Current
        }
    }

    /// Returns the text of the page. `is_live` says whether it will be written again.
    fn text(
        &self,
        archive: &Archive,
        registry: &Registry,
        is_live: bool,
        looks: &mut Looks,
    ) -> Result<String, Failure> {
        if self.projector {
            let viewer = self.rules.viewer(archive, archive.config(), registry)?;
            let shown = (self.versions(), self.anonymous);
            return projector::of(archive, shown, &viewer, is_live, looks);
        }
        let extent = if is_live { Extent::Last(LAST) } else { Extent::Whole };
        page_of(archive, &self.results(archive)?, &self.rules, registry, extent)
    }

    fn results(&self, archive: &Archive) -> Result<Results, Failure> {
        let mut results = Results::read(archive, self.versions())?;
        if self.anonymous {
            let anonymity = Anonymity::of(&results.view.config);
            anonymity.hide_summary(&mut results.summary);
            anonymity.hide(&mut results);
        }
        Ok(results)
    }
}

/// Returns the page of a match.
///
/// # Errors
/// Returns an error if the file is damaged.
pub fn page_of(
    archive: &Archive,
    results: &Results,
    rules: &RulesArgs,
    registry: &Registry,
    extent: Extent,
) -> Result<String, Failure> {
    let viewer = rules.viewer(archive, &results.view.config, registry)?;
    match_page::of(archive, results, &viewer, extent)
}

/// Returns the path of a picture and its text.
fn picture(
    args: &ReportArgs,
    picture: Picture,
    archive: &Archive,
    registry: &Registry,
) -> Result<(PathBuf, String), Failure> {
    let name = picture.to_possible_value().expect("every picture has a name");
    let mut name = name.get_name().to_owned();
    let of_results = |draw: fn(&Results, Place) -> Svg| {
        Ok::<_, Failure>(draw(&args.results(archive)?, Place::File))
    };
    let svg = match picture {
        Picture::Ratings => of_results(charts::ratings)?,
        Picture::CrossTable => charts::cross_table(&args.results(archive)?),
        Picture::Lengths => of_results(charts::lengths)?,
        Picture::Times => of_results(charts::times)?,
        Picture::Position => {
            let (record, config) = show::find(archive, args.game)?;
            let viewer = args.rules.viewer(archive, &config, registry)?;
            tell_missing(&viewer, &record);
            let moves = record.played.plies.len();
            let turn = args.turn.unwrap_or(moves);
            if turn > moves {
                let why = format!("--turn: expected a number from 0 to {moves}, got {turn}");
                return Err(Failure::Usage(why));
            }
            name = format!("game-{}-{turn}", record.number.unwrap_or_default());
            let (board, scene) = replay::scene_after(&record, &*viewer.of(&record), turn)
                .map_err(misfit(archive))?;
            chart::position(&board, &scene)
        }
    };
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.svg")));
    Ok((path, svg.document()))
}

/// Writes the page again and again for as long as a referee plays the match, and the whole page at
/// the end.
fn follow(args: &ReportArgs, path: &Path, registry: &Registry) -> Result<ExitCode, Failure> {
    let (output, mut is_first) = (args.page(), true);
    if output.metadata().is_ok_and(|there| !there.is_file()) {
        let why = format!("--follow: expected a file to replace, got {}", output.display());
        return Err(Failure::Usage(format!("{why}{HELP}leave --follow out")));
    }
    let (sender, signals) = channel();
    let ask = move || {
        // There is no listener any more once the last page is written.
        let _ = sender.send(());
    };
    let _listener = Listener::start(Stop::default(), ProcessGroups::default(), ask, || {})?;
    let (mut looks, mut is_stopped) = (Looks::default(), false);
    loop {
        let begun = Instant::now();
        // Asked first: games that are stored meanwhile are in the last page.
        let is_played = is_written(path) && !is_stopped;
        let archive = Archive::open(path, registry)?;
        let page = args.text(&archive, registry, is_played, &mut looks)?;
        write_whole(output, &page).map_err(|error| unwritable(output, &error))?;
        if std::mem::take(&mut is_first) {
            print_path(output)?;
        }
        match (is_played, is_stopped) {
            (_, true) => return Ok(ExitCode::from(INTERRUPTED)),
            (false, _) => return Ok(ExitCode::SUCCESS),
            (true, false) => {}
        }
        let pause = INTERVAL.max(begun.elapsed() * SPARED);
        is_stopped = signals.recv_timeout(pause) != Err(RecvTimeoutError::Timeout);
    }
}
