//! Summary as a table for people.

use super::bracket;
use super::columns::{optional, Columns};
use super::machines::{self, HealthSummary};
use super::summary::{
    PairsSummary, PlayerSummary, ShareSummary, SprtSummary, Status, Summary, TimeSummary,
};
use super::{counted, rounded, shortened};
use crate::escape::escape;
use crate::play::FaultReport;
use crate::player::attempts::in_words;
use crate::player::fault::Fault;
use crate::player::last_words::last_words;
use crate::statistics::tally::{FirstFault, Tally};
use arbitre_games::text::HELP;

/// Number of plies within which a missing answer hints at missing flushes. Not tuned.
const FIRST_PLIES: usize = 2;
/// Smallest mean time per move in milliseconds, used while opponents thought, that is shown. Not
/// tuned.
const STOLEN: f64 = 0.01;
/// Smallest mean CPU time of a start in milliseconds that is shown. Interpreters of the usual
/// languages need less. Not tuned.
const LONG_INIT: f64 = 1000.0;
/// Share of disturbed moves from which on a warning is given. Not tuned.
const DISTURBED: f64 = 0.05;
/// Number of games of a player from which on it has a rating in the table. Not tuned.
pub const ENOUGH: u64 = 10;
/// Largest number of characters of a name in the table. 30 players then fit 80 columns.
const WIDEST_NAME: usize = 24;
/// Largest number of players of which the versions are shown. Not tuned.
const MOST_VERSIONS: usize = 8;
/// Explanation of the marks.
const MARK: &str = "mark: weighted score against the fixed bots, ± 95 %\n";
/// Explanation of the ratings.
const RATING: &str = "rating: Elo above the players' mean, ± 95 %; each has one virtual draw\n";

/// Returns the whole text: the table, notes that help to judge it, and the first fault of each
/// player.
pub fn text(summary: &Summary, tally: &Tally) -> String {
    let mut text = figures(summary);
    for (player, counts) in summary.players.iter().zip(&tally.players) {
        if let Some(fault) = &counts.first_fault {
            text += &first_fault(&player.name, fault);
        }
    }
    for player in summary.players.iter().filter(|player| player.not_started.is_none()) {
        let what = match player.status {
            Some(Status::Struck) => {
                "made no move in three games in a row, and its games do not count"
            }
            Some(Status::Withdrawn) => {
                "made no move in three games in a row, and its opponents win its other games"
            }
            Some(Status::Late) => "joined when nothing more was paired, and plays no games",
            _ => continue,
        };
        text += &format!("\n{} {what}\n", escape(&player.name));
    }
    for (name, report) in &summary.not_started {
        let player = summary.players.iter().find(|player| player.name == *name);
        let status = player.and_then(|player| player.status);
        let what = match (&report.fault, status) {
            (_, Some(Status::Struck)) => "was withdrawn, and its games do not count",
            (Fault::Unjudged { .. }, _) | (_, Some(Status::Withdrawn)) => {
                "was withdrawn and plays no more games"
            }
            // Its new version does not start.
            _ if player.is_some_and(|player| player.games > 0) => "plays no more games",
            _ => "could not be started and plays no games",
        };
        text += &format!("\n{} {what}\n", escape(name));
        absence_lines(report).iter().for_each(|line| text += &format!("  {line}\n"));
    }
    text
}

/// Returns the table, the notes and the bracket, without anything that a program said.
pub fn figures(summary: &Summary) -> String {
    columns(summary).plain(summary.in_order())
        + "\n"
        + &extent(summary)
        + &notes(summary)
        + &bracket::text(summary)
}

/// Returns the columns: results if games rank two players, otherwise places. A field of more than
/// two players has fewer columns, so that it fits a terminal.
fn columns(summary: &Summary) -> Columns<'_, PlayerSummary> {
    let mut columns = Columns::<PlayerSummary>::default();
    let is_field = summary.players.len() > 2;
    let shows = |is_shown: fn(&PlayerSummary) -> bool| summary.players.iter().any(is_shown);
    if is_field {
        columns.number("#", |of| optional(of.rank));
    }
    columns.text("player", |of| shortened(&escape(&of.name), WIDEST_NAME));
    add_points(&mut columns, summary);
    add_results(&mut columns, summary, is_field);
    if shows_ratings(summary) {
        columns.number("rating", |of| optional(of.rating_text().filter(|_| is_rated(of))));
    }
    columns.number("faults", faults);
    columns.number("ms/move", |of| time(of, |time| time.mean));
    if !is_field {
        columns.number("p99", |of| time(of, |time| time.p99));
        columns.number("max", |of| time(of, |time| time.max));
    }
    if shows(|of| of.stolen_ms.is_some_and(|millis| millis >= STOLEN)) {
        columns.number("stolen", |of| optional(of.stolen_ms.map(|millis| format!("{millis:.2}"))));
    }
    if shows(|of| of.init_cpu_ms.is_some_and(|millis| millis >= LONG_INIT)) {
        columns
            .number("ms/init", |of| optional(of.init_cpu_ms.map(|millis| format!("{millis:.0}"))));
    }
    if shows(|of| !of.attempts.is_empty()) {
        columns.number("attempts", |of| of.attempts.total().to_string());
    }
    columns
}

/// Adds the columns of the points, after that of the mark if there are marks.
pub fn add_points(columns: &mut Columns<PlayerSummary>, summary: &Summary) {
    if summary.is_graded {
        columns.number("mark of 20", |of| optional(of.mark_text()));
    }
    columns.number("points", |of| rounded(of.points, 2).to_string());
    columns.number("%", |of| optional(of.percent.map(|percent| format!("{percent:.1}"))));
}

/// Returns a time of a move.
pub fn time(of: &PlayerSummary, time: fn(TimeSummary) -> f64) -> String {
    optional(of.time_ms.map(|times| format!("{:.1}", time(times))))
}

fn add_results(columns: &mut Columns<PlayerSummary>, summary: &Summary, is_field: bool) {
    let is_solo = summary.seats == 1;
    if is_solo {
        columns.number("solved", |of| optional(of.solo.map(|solo| solo.solved)));
        columns.number("total", |of| optional(of.solo.map(|solo| solo.total)));
    }
    match summary.ranked {
        // Solo games of two players rank two as well, and so have wins and draws.
        2 if is_field => {
            columns.number("W-D-L", |of| [of.wins, of.draws, of.losses].map(optional).join("-"));
        }
        2 => {
            columns.number("wins", |of| optional(of.wins));
            columns.number("draws", |of| optional(of.draws));
            columns.number("losses", |of| optional(of.losses));
        }
        ranked if !is_solo => {
            for place in 0..ranked {
                columns.number(&ordinal(place + 1), move |of| optional(of.places.get(place)));
            }
            columns.number("1st %", |of| optional(of.first.map(share)));
        }
        // A column for each player would not fit.
        _ => {}
    }
}

/// Returns `true` if a player has enough games for a rating.
fn shows_ratings(summary: &Summary) -> bool {
    summary.players.iter().any(is_rated)
}

fn is_rated(player: &PlayerSummary) -> bool {
    player.games >= ENOUGH
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

/// Returns a share and its interval, in whole percent.
fn share(ShareSummary { share, low, high }: ShareSummary) -> String {
    let percent = |share: f64| (100.0 * share).round();
    match low.zip(high) {
        Some((low, high)) => format!("{} ({}-{})", percent(share), percent(low), percent(high)),
        None => percent(share).to_string(),
    }
}

fn faults(player: &PlayerSummary) -> String {
    match (&player.not_started, player.status) {
        (_, Some(Status::Struck | Status::Withdrawn)) => "withdrawn".into(),
        (Some(_), _) => "not started".into(),
        (None, Some(Status::Late)) => "too late".into(),
        (None, _) => player.faults.values().sum::<u64>().to_string(),
    }
}

/// Lists the faults of the players by kind.
fn fault_kinds(summary: &Summary) -> String {
    let with_faults = summary.in_order().into_iter().filter(|of| !of.faults.is_empty());
    let line = |player: &PlayerSummary| {
        format!("faults of {}: {}\n", escape(&player.name), player.faults_text())
    };
    with_faults.map(line).collect()
}

/// Lists the attempts of the players to reach beyond their sandboxes.
fn attempt_kinds(summary: &Summary) -> String {
    let with_attempts = summary.in_order().into_iter().filter(|of| !of.attempts.is_empty());
    let line = |player: &PlayerSummary| {
        let (name, attempts) = (escape(&player.name), in_words(&player.attempts));
        format!("attempts of {name}: {attempts}; its sandbox refused all of them\n")
    };
    with_attempts.map(line).collect()
}

/// Returns a line on the health of the machine, and a warning if it is too busy for the limits.
fn machine(summary: &Summary) -> String {
    let Some(machine) = summary.machine else { return String::new() };
    let HealthSummary { disturbed, wait_p50_ms, wait_p99_ms, wait_max_ms } = machine;
    let mut text = match shows_ratings(summary) {
        true => format!(
            "machine: {:.2} % of moves disturbed; waits for a processor p50 {wait_p50_ms:.1}, p99 \
             {wait_p99_ms:.1}, max {wait_max_ms:.1} ms\n",
            100.0 * disturbed
        ),
        false => String::new(),
    };
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

/// Returns the line with the numbers of games and moves.
fn extent(summary: &Summary) -> String {
    let Summary { games, resumed, moves, seconds, seed, .. } = summary;
    match resumed {
        // A stored match was not played by this run.
        0 if *seconds == 0.0 => format!("{games} games, {moves} moves; seed {seed}\n"),
        0 => format!("{games} games, {moves} moves in {seconds:.1} s; seed {seed}\n"),
        _ => {
            let new = games.saturating_sub(*resumed);
            format!(
                "{games} games, {moves} moves; {new} games now, in {seconds:.1} s; seed {seed}\n"
            )
        }
    }
}

/// Returns the notes that help to judge the table, as lines.
pub fn notes(summary: &Summary) -> String {
    let Summary { identical, void, .. } = summary;
    let mut text = too_few(summary);
    if summary.is_graded {
        text += MARK;
    }
    if shows_ratings(summary) {
        text += &comparison(summary);
        text += RATING;
    }
    text += &fault_kinds(summary);
    text += &attempt_kinds(summary);
    text += &differences(summary);
    if let Some(sprt) = &summary.sprt {
        text += &standing(sprt);
    }
    text += &tests(summary);
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
    text += &machines::text(&summary.machines);
    text += &conditions(summary);
    if !summary.complete {
        let hint = match &summary.db {
            Some(_) => format!("; {} continues", summary.continued_by),
            None => String::new(),
        };
        text += &format!("not all games were played{hint}\n");
    }
    text
}

/// Names the limits, the dialect and the version of each player, so that a result that is passed on
/// can be judged.
fn conditions(summary: &Summary) -> String {
    let mut text = by_value(summary, "limits", |player| player.limits.clone());
    text += &by_value(summary, "dialect", |player| player.dialect.clone());
    let version = |player: &PlayerSummary| match player.version.starts_with(&player.name) {
        // A bundled bot is named after its command.
        true => player.version.clone(),
        false => format!("{} {}", player.name, short(&player.version)),
    };
    let versions: Vec<String> = summary.players.iter().map(version).collect();
    // A line of many digests is of no use; the documents have them.
    match versions.len() <= MOST_VERSIONS && !summary.is_anonymous {
        true => text + &format!("versions: {}\n", escape(&versions.join(", "))),
        false => text,
    }
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
    if summary.is_anonymous {
        // The players are in another order.
        return text;
    }
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

/// Returns the result in plain words where games are too few for ratings.
fn too_few(summary: &Summary) -> String {
    let started = summary.players.iter().filter(|player| player.rank.is_some());
    let fewest = started.map(|player| player.games).min();
    let Some(fewest) = fewest.filter(|&fewest| fewest < ENOUGH && summary.games > 0) else {
        return String::new();
    };
    match plain_result(summary) {
        Some(result) => format!("{result}; play at least {ENOUGH} for a rating\n"),
        None => {
            format!("too few games to rate every player: {fewest} of one, of at least {ENOUGH}\n")
        }
    }
}

/// Returns the result of a match of two as a sentence: `ada won 4 of 8 games, bea 3, and 1 was
/// drawn`.
pub fn plain_result(summary: &Summary) -> Option<String> {
    let [one, other] = &summary.players[..] else { return None };
    let (wins, losses, draws) = (one.wins?, one.losses?, one.draws?);
    let games = counted(wins + losses + draws, "game");
    let drawn = match draws {
        0 => String::new(),
        1 => ", and 1 was drawn".into(),
        _ => format!(", and {draws} were drawn"),
    };
    let [one, other] = [(one, wins), (other, losses)].map(|(of, won)| (escape(&of.name), won));
    if wins == losses {
        let names = format!("{} and {}", one.0, other.0);
        return Some(match wins {
            0 => format!("{names} drew all of {games}"),
            _ => format!("{names} won {wins} of {games} each{drawn}"),
        });
    }
    let (first, second) = if wins > losses { (one, other) } else { (other, one) };
    let rest = match (draws, second.1) {
        (0, _) | (_, 0) => drawn,
        (_, won) => format!(", {} {won}{drawn}", second.0),
    };
    Some(format!("{} won {} of {games}{rest}", first.0, first.1))
}

/// Describes how the first player compares with the second, in a match of two players, in the words
/// of fastchess.
fn comparison(summary: &Summary) -> String {
    let [first, _] = &summary.players[..] else { return String::new() };
    let Some(los) = summary.los else { return String::new() };
    let strength = &first.strength;
    // After a few lost games the bound may lie above zero all the same.
    let is_won = strength.score.is_some_and(|score| score.share > 0.5);
    let elo = match (strength.elo.zip(strength.elo_error), strength.elo_bound) {
        (Some((elo, error)), _) => format!("Elo {elo:+.1} ± {error:.1}, "),
        (_, Some(bound)) if is_won => format!("Elo over {bound:+.0}, "),
        (_, Some(bound)) => format!("Elo under {bound:+.0}, "),
        _ => String::new(),
    };
    let normalized = strength.normalized_elo.zip(strength.normalized_elo_error);
    let normalized = normalized.map(|(elo, error)| format!("nElo {elo:+.1} ± {error:.1}, "));
    let (name, normalized) = (escape(&first.name), normalized.unwrap_or_default());
    let mut text = format!("{name}: {elo}{normalized}LOS {:.2} %", 100.0 * los);
    let draws = |share: f64| format!(", DrawRatio {:.1} %", 100.0 * share);
    text += &summary.draw_ratio.map(draws).unwrap_or_default();
    if let Some(PairsSummary { ll, ld, even, wd, ww }) = summary.pairs {
        text += &format!("; Ptnml(0-2) {ll}, {ld}, {even}, {wd}, {ww}");
    }
    text + "\n"
}

/// Describes the state of an SPRT.
pub fn standing(sprt: &SprtSummary) -> String {
    let SprtSummary { test, lower, upper, .. } = sprt;
    let (llr, decision) = (sprt.llr(), sprt.decision());
    let help = match sprt.openings_ran_out {
        true => "help: more openings bring new games: see --openings\n",
        false => "",
    };
    format!("SPRT {test}: {llr}, bounds {lower:.2} and {upper:.2}, {decision}\n{help}")
}

/// Lists the tests of the first player against each opponent, in a gauntlet.
fn tests(summary: &Summary) -> String {
    let tested = summary.players.iter().filter_map(|of| Some((&of.name, of.sprt.as_ref()?)));
    let mut text = String::new();
    for (name, sprt) in tested {
        if text.is_empty() {
            let SprtSummary { test, lower, upper, .. } = sprt;
            let first = summary.players.iter().find(|of| of.sprt.is_none());
            let first = escape(first.map_or("", |of| &of.name));
            text +=
                &format!("SPRT {test}: bounds {lower:.2} and {upper:.2}; {first} against each:\n");
        }
        text += &format!("  {}: {}, {}\n", escape(name), sprt.llr(), sprt.decision());
    }
    text
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

/// Returns why a player plays no games, in texts that are safe on a terminal: the reason, with the
/// output of a build, then the facts. A heading says already that it could not be started.
pub fn absence_lines(report: &FaultReport) -> Vec<String> {
    let facts = report_lines(report).into_iter().skip(1);
    std::iter::once(report.fault.reason()).chain(facts).collect()
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
    lines.extend(last_words(&report.stderr));
    lines
}
