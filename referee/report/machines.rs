//! Machines on which the games of a match were played: their health, and where they differ.

use super::{counted, rounded};
use crate::statistics::health::Health;
use crate::store::{Archive, StoreError, View};
use arbitre_games::text::join;
use arbitre_process::launcher::layers::Level;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Waits of the moves for a processor: of the player while it thinks, and of the referee when the
/// answer has come.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct HealthSummary {
    /// Share of moves that waited for more than a tenth of their limit.
    pub disturbed: f64,
    /// Median of the waits in milliseconds.
    pub wait_p50_ms: f64,
    /// 99th percentile.
    pub wait_p99_ms: f64,
    /// Maximum.
    pub wait_max_ms: f64,
}

impl HealthSummary {
    pub(super) fn new(health: &Health) -> Option<HealthSummary> {
        let wait = |share| rounded(health.wait(share).as_secs_f64() * 1000.0, 3);
        (health.moves > 0).then(|| HealthSummary {
            disturbed: rounded(health.disturbed as f64 / health.moves as f64, 6),
            wait_p50_ms: wait(0.5),
            wait_p99_ms: wait(0.99),
            wait_max_ms: wait(1.0),
        })
    }
}

/// Games on machines with the same processor and the same sandbox.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MachineSummary {
    /// Model of the processors.
    pub processor: String,
    /// Level of protection that sandboxes gave; `none` for games of bundled bots alone.
    pub sandbox: String,
    /// Names of the machines.
    pub hosts: BTreeSet<String>,
    /// Number of games.
    pub games: u64,
    /// Waits of the moves; `None` without moves that have a time limit.
    pub machine: Option<HealthSummary>,
}

/// Returns the kinds of machines on which the games of a view were played, if there are several.
///
/// # Errors
/// Returns an error if the file is damaged.
pub fn differing(archive: &Archive, view: &View) -> Result<Vec<MachineSummary>, StoreError> {
    let sessions = archive.sessions()?;
    // The games of bundled bots have no sandbox on any machine.
    let mut sandboxes: BTreeMap<i64, Level> = BTreeMap::new();
    for (session, sandbox) in archive.sandboxes()? {
        let most = sandboxes.entry(session).or_default();
        *most = sandbox.max(*most);
    }
    let machine = |session| sessions.get(&session).and_then(|session| session.machine.as_ref());
    let kind = |session| {
        let processor = machine(session).map_or("unknown processor", |of| &of.processor);
        (processor, sandboxes.get(&session).copied().unwrap_or_default())
    };
    let kinds: BTreeSet<(&str, Level)> = sandboxes.keys().map(|session| kind(*session)).collect();
    if kinds.len() < 2 {
        return Ok(Vec::new());
    }
    let mut found: BTreeMap<(&str, Level), (BTreeSet<String>, u64, Health)> = BTreeMap::new();
    let clocks = view.config.clocks();
    archive.for_each_found::<StoreError>(view, &mut |game| {
        // The damage is reported by the reader of the results.
        let Ok((record, session)) = game else { return Ok(()) };
        let (hosts, games, health) = found.entry(kind(session)).or_default();
        hosts.extend(machine(session).map(|machine| machine.host.clone()));
        *games += 1;
        let seated: Vec<_> = record.pairing.players.iter().map(|&player| &clocks[player]).collect();
        health.add(&record.details().times, &seated);
        Ok(())
    })?;
    let summary = |((processor, sandbox), (hosts, games, health)): ((&str, Level), _)| {
        let (processor, sandbox) = (processor.to_owned(), sandbox.to_string());
        let machine = HealthSummary::new(&health);
        MachineSummary { processor, sandbox, hosts, games, machine }
    };
    Ok(found.into_iter().map(summary).collect())
}

/// Lists unequal machines, as lines.
pub fn text(machines: &[MachineSummary]) -> String {
    if machines.is_empty() {
        return String::new();
    }
    let line = |of: &MachineSummary| {
        let MachineSummary { processor, sandbox, hosts, games, machine } = of;
        let disturbed = machine.map_or(String::new(), |health| {
            format!(", {:.2} % of moves disturbed", 100.0 * health.disturbed)
        });
        let hosts = if hosts.is_empty() { "?".into() } else { join(hosts, ", ") };
        format!(
            "  {} on {processor} ({hosts}), sandbox {sandbox}{disturbed}\n",
            counted(*games, "game")
        )
    };
    let lines: String = machines.iter().map(line).collect();
    format!("note: the games were played on unequal machines:\n{lines}")
}
