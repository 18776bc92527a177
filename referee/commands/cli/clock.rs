//! Clock of a match on a system that does not show how long tasks wait for a processor.

use arbitre_games::clock::ClockKind;
use arbitre_games::text::HELP;
use arbitre_referee::config::ResolvedContest;
use arbitre_referee::failure::Failure;

/// Returns a match that can be timed on this system, which tells waiting times or not. Without them
/// a fair clock becomes a clock of CPU time, unless the user asked for it.
///
/// # Errors
/// Returns an error if the user asked for a fair clock that this system does not have.
pub fn timed_here(
    mut resolved: ResolvedContest,
    is_asked_for: bool,
    tells_waits: bool,
) -> Result<ResolvedContest, Failure> {
    let clocks = resolved.config.players.iter_mut().map(|player| &mut player.limits.clock);
    let fair: Vec<_> = clocks.filter(|clock| clock.kind == ClockKind::Fair).collect();
    if tells_waits || fair.is_empty() {
        return Ok(resolved);
    }
    if is_asked_for {
        return Err(Failure::Unavailable(format!(
            "--clock fair: expected a system that tells how long a task waits for a processor \
             (/proc/PID/schedstat), got none{HELP}write --clock cpu"
        )));
    }
    fair.into_iter().for_each(|clock| clock.kind = ClockKind::Cpu);
    let note =
        "note: this system does not tell how long a task waits for a processor, so the clock \
                is cpu";
    let notes = resolved.note.into_iter().chain([note.to_owned()]);
    Ok(ResolvedContest { note: Some(notes.collect::<Vec<_>>().join("\n")), ..resolved })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_referee::config::format::FormatConfig;
    use arbitre_referee::config::{Contest, OpeningSource, PlayerConfig, Seeding, Source};
    use arbitre_referee::games;

    fn resolved() -> ResolvedContest {
        let entry = games::all().into_iter().find(|entry| entry.meta.name == "awele").unwrap();
        let game = entry.open("").unwrap();
        let config = Contest {
            game: "awele".into(),
            rules: String::new(),
            external: None,
            seats: 2,
            games: 1,
            seed: 1,
            openings: OpeningSource::Drawn(0),
            players: vec![PlayerConfig::default(), PlayerConfig::default()],
            format: FormatConfig::RoundRobin,
            sprt: None,
            adjudication: None,
            shard: None,
            seeding: Seeding::default(),
            source: Source::Words,
        };
        ResolvedContest { config, game, commands: Vec::new(), note: None }
    }

    #[test]
    fn fair_clock_needs_a_system_that_tells_waits() {
        let kinds = |of: &ResolvedContest| {
            of.config.players.iter().map(|player| player.limits.clock.kind).collect::<Vec<_>>()
        };
        let told = timed_here(resolved(), true, true).unwrap();
        assert_eq!((kinds(&told), told.note), (vec![ClockKind::Fair; 2], None));
        let untold = timed_here(resolved(), false, false).unwrap();
        assert_eq!(kinds(&untold), [ClockKind::Cpu; 2]);
        assert!(untold.note.unwrap().ends_with("the clock is cpu"));
        let refused = timed_here(resolved(), true, false);
        assert!(matches!(refused, Err(Failure::Unavailable(why)) if why.contains("--clock cpu")));
        let mut by_wall = resolved();
        by_wall.config.players.iter_mut().for_each(|of| of.limits.clock.kind = ClockKind::Wall);
        assert!(timed_here(by_wall, true, false).is_ok());
    }
}
