//! Summary as a table for people.

use super::summary::{
    rounded, FieldRating, HealthSummary, PairsSummary, PlayerSummary, ShareSummary, SprtSummary,
    Strength, Summary,
};
use crate::escape::escape;
use crate::play::FaultReport;
use crate::player::fault::Fault;
use crate::statistics::tally::{FirstFault, Tally};
use arbitre_games::text::{join, HELP};
use comfy_table::{presets, Cell, CellAlignment, Table};

/// Number of plies within which a missing answer hints at missing flushes. Not tuned.
const FIRST_PLIES: usize = 2;
/// Smallest mean time per move in milliseconds, used while opponents thought, that is shown. Not
/// tuned.
const STOLEN: f64 = 0.01;
/// Share of disturbed moves from which on a warning is given. Not tuned.
const DISTURBED: f64 = 0.05;
/// Number of lines of standard error that are shown with a fault. Not tuned.
const STDERR_LINES: usize = 5;

/// Returns the whole text: the table, notes that help to judge it, and the first fault of each
/// player.
pub fn text(summary: &Summary, tally: &Tally) -> String {
    let mut text = players(summary).trim_fmt() + "\n" + &notes(summary);
    for (player, counts) in summary.players.iter().zip(&tally.players) {
        if let Some(fault) = &counts.first_fault {
            text += &first_fault(&player.name, fault);
        }
    }
    for (name, report) in &summary.not_started {
        let what = match report.fault {
            Fault::Unjudged { .. } => "was withdrawn and plays no more games",
            _ => "could not be started and plays no games",
        };
        text += &format!("\n{} {what}\n", escape(name));
        // The reason comes without the sentence that the heading says already.
        let reason = std::iter::once(report.fault.reason());
        let lines = reason.chain(report_lines(report).into_iter().skip(1));
        lines.for_each(|line| text += &format!("  {line}\n"));
    }
    text
}

fn players(summary: &Summary) -> Table {
    let mut table = plain_table(heads(summary));
    for player in in_order(&summary.players) {
        table.add_row(row(summary, player));
    }
    let columns = table.column_count();
    for column in table.column_iter_mut().skip(1).take(columns - 1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Returns a table with this header and without borders.
pub fn plain_table<T: Into<Cell>>(heads: impl IntoIterator<Item = T>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(heads.into_iter().map(Into::into).collect::<Vec<Cell>>());
    table
}

/// Returns the players in the order in which they were named, or in solo games by place.
/// Players that could not be started come last.
fn in_order(players: &[PlayerSummary]) -> Vec<&PlayerSummary> {
    let mut players: Vec<&PlayerSummary> = players.iter().collect();
    players
        .sort_by_key(|player| (player.not_started.is_some(), player.solo.map(|solo| solo.place)));
    players
}

/// Returns the column heads: results and an Elo difference if games rank two players, otherwise
/// places. A field of more than two players has ratings.
fn heads(summary: &Summary) -> Vec<String> {
    let mut heads = vec!["player".into(), "points".into(), "%".into()];
    let mut add = |names: &[&str]| heads.extend(names.iter().map(|name| (*name).to_owned()));
    if is_solo(summary) {
        add(&["solved", "total"]);
    }
    match summary.ranked {
        // Solo games of two players rank two as well, and so have wins and draws.
        2 => add(&["wins", "draws", "losses", "Elo"]),
        seats => {
            (1..=seats).for_each(|place| add(&[&ordinal(place)]));
            // The table of solo games has no room for another column.
            if !is_solo(summary) {
                add(&["1st %"]);
            }
        }
    }
    if is_field(summary) {
        add(&["rating"]);
    }
    add(&["faults", "ms/move", "p99", "max"]);
    if shows_stolen(summary) {
        add(&["stolen"]);
    }
    heads
}

/// Returns `true` if a player used time while its opponents thought.
fn shows_stolen(summary: &Summary) -> bool {
    summary.players.iter().any(|player| player.stolen_ms.is_some_and(|millis| millis >= STOLEN))
}

fn is_solo(summary: &Summary) -> bool {
    summary.seats == 1
}

fn is_field(summary: &Summary) -> bool {
    summary.players.len() > 2
}

/// Returns an ordinal: `1st`, `2nd`, `3rd`, `11th`.
pub fn ordinal(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

fn row(summary: &Summary, player: &PlayerSummary) -> Vec<String> {
    let percent = match player.games {
        0 => "-".into(),
        games => format!("{:.1}", 100.0 * player.points / games as f64),
    };
    let mut row = vec![escape(&player.name), rounded(player.points, 2).to_string(), percent];
    if let Some(solo) = &player.solo {
        row.extend([solo.solved.to_string(), solo.total.to_string()]);
    }
    match [player.wins, player.draws, player.losses] {
        [Some(wins), Some(draws), Some(losses)] => {
            row.extend([wins, draws, losses].map(|count| count.to_string()));
            let Strength { elo, elo_error, elo_bound, .. } = player.strength;
            row.push(strength(player, [elo, elo_error, elo_bound]));
        }
        _ => {
            row.extend(player.places.iter().map(u64::to_string));
            if !is_solo(summary) {
                row.push(player.first.map_or_else(|| "-".into(), share));
            }
        }
    }
    if is_field(summary) {
        let FieldRating { rating, rating_error, rating_bound } = player.rating;
        row.push(strength(player, [rating, rating_error, rating_bound]));
    }
    row.push(faults(player));
    row.extend(match &player.time_ms {
        Some(time) => [time.mean, time.p99, time.max].map(|millis| format!("{millis:.1}")),
        None => ["-"; 3].map(str::to_owned),
    });
    if shows_stolen(summary) {
        row.push(player.stolen_ms.map_or_else(|| "-".into(), |millis| format!("{millis:.2}")));
    }
    row
}

/// Returns a share and its interval, in whole percent.
fn share(ShareSummary { share, low, high }: ShareSummary) -> String {
    let percent = |share: f64| (100.0 * share).round();
    match low.zip(high) {
        Some((low, high)) => format!("{} ({}-{})", percent(share), percent(low), percent(high)),
        None => percent(share).to_string(),
    }
}

/// Returns an Elo difference with its error, or else the bound that is known.
fn strength(player: &PlayerSummary, of: [Option<f64>; 3]) -> String {
    let is_ahead = 2.0 * player.points > player.games as f64;
    match of {
        [Some(elo), Some(error), _] => format!("{elo:+.1} ± {error:.1}"),
        // A bound on the other side of zero would only confuse.
        [_, _, Some(bound)] if bound > 0.0 && is_ahead => format!("over {bound:+.0}"),
        [_, _, Some(bound)] if bound < 0.0 && !is_ahead => format!("under {bound:+.0}"),
        _ => "undetermined".into(),
    }
}

fn faults(player: &PlayerSummary) -> String {
    if player.not_started.is_some() {
        return "not started".into();
    }
    if player.faults.is_empty() {
        return "0".into();
    }
    join(player.faults.iter().map(|(kind, count)| format!("{count} {kind}")), ", ")
}

/// Returns a line on the health of the machine, and a warning if it is too busy for the limits.
fn machine(summary: &Summary) -> String {
    let Some(machine) = summary.machine else { return String::new() };
    let HealthSummary { disturbed, wait_p50_ms, wait_p99_ms, wait_max_ms } = machine;
    let mut text = format!(
        "machine: {:.2} % of moves disturbed; waits for a processor p50 {wait_p50_ms:.1}, p99 \
         {wait_p99_ms:.1}, max {wait_max_ms:.1} ms\n",
        100.0 * disturbed
    );
    match summary.crowd {
        Some((needed, there)) => {
            text += &format!(
                "warning: the games at once need {needed} processors, and this machine has \
                 {there}{HELP}lower --concurrency\n"
            );
        }
        None if disturbed > DISTURBED => {
            let help = "play longer moves, or fewer games at once, or leave the machine alone";
            text += &format!("warning: this machine is too busy for these limits{HELP}{help}\n");
        }
        None => {}
    }
    text
}

fn notes(summary: &Summary) -> String {
    let Summary { games, resumed, moves, seconds, seed, identical, void, .. } = summary;
    let mut text = match resumed {
        0 => format!("{games} games, {moves} moves in {seconds:.1} s; seed {seed}\n"),
        _ => {
            let new = games.saturating_sub(*resumed);
            format!(
                "{games} games, {moves} moves; {new} games now, in {seconds:.1} s; seed {seed}\n"
            )
        }
    };
    text += &superiority(summary);
    text += &differences(summary);
    if let Some(sprt) = &summary.sprt {
        text += &standing(sprt);
    }
    let (are, s) = be(*identical);
    if *identical > 0 {
        text += &format!("{identical} game{s} {are} identical to an earlier one, move for move\n");
    }
    match summary.openings_ran_out {
        None => {}
        Some(1) => text += "there is one opening, and all games started from it\n",
        Some(count) => {
            text +=
                &format!("the openings ran out: there are {count}, used again from the first\n");
        }
    }
    let (are, s) = be(*void);
    if *void > 0 {
        text += &format!(
            "{void} game{s} {are} void, as a player could not be started or judged, and not kept\n"
        );
    }
    text += &machine(summary);
    text += &conditions(summary);
    if !summary.complete {
        let hint = if summary.db.is_some() { "; --resume goes on" } else { "" };
        text += &format!("not all games were played{hint}\n");
    }
    text
}

/// Names the limits, the dialect and the version of each player, so that a result that is passed on
/// can be judged.
fn conditions(summary: &Summary) -> String {
    let mut text = by_value(summary, "limits", |player| player.limits.clone());
    text += &by_value(summary, "dialect", |player| player.dialect.clone());
    let version = |player: &PlayerSummary| format!("{} {}", player.name, short(&player.version));
    let versions: Vec<String> = summary.players.iter().map(version).collect();
    text + &format!("versions: {}\n", escape(&versions.join(", ")))
}

/// Lists the values of a setting. Where all players have the same, they are not named.
fn by_value(summary: &Summary, what: &str, value: impl Fn(&PlayerSummary) -> String) -> String {
    let mut players: Vec<(String, Vec<&str>)> = Vec::new();
    for player in &summary.players {
        let value = value(player);
        match players.iter_mut().find(|(known, _)| *known == value) {
            Some((_, names)) => names.push(&player.name),
            None => players.push((value, vec![&player.name])),
        }
    }
    let all = players.len() == 1;
    let lines = players.into_iter().map(|(value, names)| match all {
        true => format!("{what}: {}\n", escape(&value)),
        false => format!("{what} of {}: {}\n", escape(&names.join(", ")), escape(&value)),
    });
    lines.collect()
}

/// Returns the start of a digest, which is enough to compare it by eye; other versions are whole.
fn short(version: &str) -> &str {
    let is_digest = version.len() == 64 && version.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_digest {
        &version[..12]
    } else {
        version
    }
}

/// Returns the verb for `count` games, and the ending of the noun.
fn be(count: u64) -> (&'static str, &'static str) {
    if count == 1 {
        ("is", "")
    } else {
        ("are", "s")
    }
}

/// Describes how scores differ from those of the first player, in solo games.
fn differences(summary: &Summary) -> String {
    let mut text = String::new();
    let Some((first, others)) = summary.players.split_first() else { return text };
    for player in others {
        let solo = player.solo.and_then(|solo| solo.difference.zip(solo.difference_error));
        if let Some((mean, error)) = solo {
            let (name, first) = (escape(&player.name), escape(&first.name));
            text += &format!(
                "{name}: {mean:+.2} ± {error:.2} a game to {first}, where both came to the end\n"
            );
        }
    }
    text
}

/// Describes pairs of games and the likelihood of superiority, in a match of two players.
fn superiority(summary: &Summary) -> String {
    let [first, second] = &summary.players[..] else { return String::new() };
    let (name, mut text) = (escape(&first.name), String::new());
    if let Some(PairsSummary { ll, ld, even, wd, ww }) = summary.pairs {
        text +=
            &format!("pairs of games for {name}: LL {ll}, LD {ld}, even {even}, WD {wd}, WW {ww}");
        text += &match (first.strength.normalized_elo, first.strength.normalized_elo_error) {
            (Some(elo), Some(error)) => format!("; normalized Elo {elo:+.1} ± {error:.1}\n"),
            _ => "\n".into(),
        };
    }
    let Some(los) = summary.los else { return text };
    let (name, los) = if los < 0.5 { (escape(&second.name), 1.0 - los) } else { (name, los) };
    text + &format!("{name} is the stronger one with a likelihood of {:.2} %\n", 100.0 * los)
}

/// Describes the state of an SPRT.
fn standing(sprt: &SprtSummary) -> String {
    let SprtSummary { test, llr, lower, upper, accepted } = sprt;
    let verdict = match accepted {
        None => "undecided".into(),
        Some(hypothesis) => format!("{hypothesis} is accepted"),
    };
    format!("SPRT {test}: LLR {llr:.2}, bounds {lower:.2} and {upper:.2}, {verdict}\n")
}

/// Describes the first fault of a player, with the facts that its author needs to fix it.
fn first_fault(name: &str, FirstFault { number, report, .. }: &FirstFault) -> String {
    let (kind, ply, seat) = (report.fault.word(), report.ply, report.seat);
    let name = escape(name);
    let game = number.map_or("a void game".into(), |number| format!("game {number}"));
    let head = format!("first fault of {name}: {kind}, in {game} at ply {ply}, in seat {seat}");
    let lines = report_lines(report).into_iter().map(|line| format!("  {line}\n"));
    format!("\n{head}\n{}", lines.collect::<String>())
}

/// Returns the facts of a fault, in lines that are safe on a terminal.
pub fn report_lines(report: &FaultReport) -> Vec<String> {
    let mut lines = vec![format!("it {}", report.fault)];
    if report.fault.may_be_unflushed() && report.ply < FIRST_PLIES {
        lines.push("is its output flushed? an answer in a buffer never arrives".into());
    }
    lines.extend(report.fault.remedy().map(str::to_owned));
    lines.extend(report.refused.as_ref().map(|refused| escape(refused)));
    if !matches!(report.fault, Fault::NotStarted { .. }) {
        lines.push(format!("position: {}", report.position));
        if !report.legal.is_empty() {
            lines.push(format!("legal moves: {}", report.legal.join(" ")));
        }
    }
    let said: Vec<&str> = report.stderr.lines().collect();
    let end = &said[said.len().saturating_sub(STDERR_LINES)..];
    lines.extend(end.iter().map(|line| format!("standard error: {}", escape(line))));
    lines
}
