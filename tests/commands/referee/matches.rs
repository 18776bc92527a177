//! Whole matches: the same games at any concurrency and over any connection.

use arbitre_test_support::command::program;
use arbitre_test_support::matches as support;

use arbitre::internals::formats::openings::{read_setups, Openings};
use arbitre::internals::formats::schedule::Schedule;
use arbitre::internals::play::record::Record;
use arbitre::internals::player::fault::Fault;
use arbitre::internals::player::program;
use arbitre::internals::run::PlayerSource;
use arbitre::internals::statistics::tally::Tally;
use std::sync::Arc;
use support::{bundled, Match};

/// Returns everything that two runs must have in common: all except times.
fn essence(records: &[Record]) -> Vec<String> {
    let describe = |record: &Record| {
        let moves: Vec<&str> = record.played.plies.iter().map(|ply| ply.mv.as_str()).collect();
        let scores = record.played.outcome.as_ref().map(|outcome| outcome.scores.clone());
        let id = record.pairing.id();
        format!("{id:?} {} {moves:?} {scores:?}", record.setup)
    };
    let mut games: Vec<&Record> = records.iter().collect();
    games.sort_by_key(|record| record.pairing.id());
    games.into_iter().map(describe).collect()
}

fn in_process(words: &'static [&'static str]) -> PlayerSource {
    let words: Vec<String> = words.iter().map(|word| (*word).into()).collect();
    let bot = arbitre::registry().bot("awele").unwrap();
    PlayerSource::InProcess(Arc::new(move || bot.console(&words).unwrap()))
}

/// Depth 3 against random: deterministic, and no two games are alike.
fn sources() -> [PlayerSource; 2] {
    [bundled(&["alpha-beta", "--depth", "3"]), bundled(&["random"])]
}

#[test]
fn a_match_is_the_same_at_any_concurrency() {
    let reference = essence(&Match::of(sources()).play().1);
    assert_eq!(reference.len(), 40);
    for concurrency in [2, 3] {
        let other = Match { concurrency, ..Match::of(sources()) };
        assert_eq!(essence(&other.play().1), reference, "concurrency {concurrency}");
    }
}

#[test]
fn engine_in_this_process_plays_the_same_games() {
    let reference = essence(&Match::of(sources()).play().1);
    let engines = [in_process(&["alpha-beta", "--depth", "3"]), in_process(&["random"])];
    assert_eq!(essence(&Match::of(engines).play().1), reference);
}

/// `sh` forwards the lines without the word `again`, so each game has a fresh process.
#[test]
fn a_kept_bot_plays_the_same_games_as_a_fresh_one() {
    let reference = essence(&Match::of(sources()).play().1);
    let fresh = |arguments: &str| {
        let script = format!("exec \"$0\" bot awele {arguments} | sed -u s/again//");
        let referee = program("referee").display().to_string();
        let words = ["sh", "-c", &script, &referee].map(str::to_owned);
        PlayerSource::Program(program::find(&words, &[]).unwrap())
    };
    // A program that is not bundled gets its seed from the dialect alone, as all do.
    let sources = [fresh("alpha-beta --depth 3"), fresh("random")];
    assert_eq!(essence(&Match::of(sources).play().1), reference);
}

#[test]
fn another_seed_is_another_match() {
    let reference = essence(&Match::of(sources()).play().1);
    let other = Match { seed: 2, ..Match::of(sources()) };
    assert_ne!(essence(&other.play().1), reference);
}

/// A bundled bot with a seed of its own plays by that in every dialect, whatever the seed of the
/// match.
#[test]
fn seed_of_a_bot_replaces_that_of_the_match() {
    for dialect in ["arbitre", "relay", "codingame"] {
        let play = |seed, sources: [PlayerSource; 2]| {
            let game = Match { games: 4, openings: 0, dialect, ..Match::of(sources) };
            let (tally, records) = Match { seed, ..game }.play();
            assert_eq!(tally.games, 4, "{dialect}: {:?}", tally.players);
            essence(&records)
        };
        let bots =
            |seed| [bundled(&["random", "--seed", seed]), bundled(&["random", "--seed", "4"])];
        let reference = play(1, bots("9"));
        assert_eq!(play(2, bots("9")), reference, "{dialect}");
        assert_ne!(play(1, bots("8")), reference, "{dialect}");
        assert_ne!(play(1, [bundled(&["random"]), bundled(&["random"])]), reference, "{dialect}");
        if dialect == "arbitre" {
            let own =
                [in_process(&["random", "--seed", "9"]), in_process(&["random", "--seed", "4"])];
            assert_eq!(play(3, own), reference, "in this process");
        }
    }
}

#[test]
fn only_games_of_a_pair_share_an_opening() {
    let (_, records) = Match::of(sources()).play();
    let mut setups: Vec<(u64, &str)> =
        records.iter().map(|record| (record.pairing.round, record.setup.as_str())).collect();
    setups.sort_unstable();
    assert!(setups.chunks(2).all(|pair| pair[0] == pair[1]), "{setups:?}");
    setups.dedup();
    let rounds = setups.len();
    setups.sort_by_key(|(_, setup)| *setup);
    setups.dedup_by_key(|(_, setup)| *setup);
    assert_eq!((rounds, setups.len()), (20, 20));
}

#[test]
fn exhausted_openings_repeat_and_are_counted() {
    let game = support::awele();
    let few = Openings::drawn(&*game, 2, 1, arbitre::rng::Rng::new(1));
    let setups: Vec<String> = (0..6).map(|round| few.setup(round).unwrap()).collect();
    assert_eq!(few.fewer_than(6), Ok(None));
    assert_eq!(few.setup(8).unwrap(), setups[2]);
    assert_eq!(few.fewer_than(7), Ok(Some(6)));
}

#[test]
fn each_line_of_a_file_is_an_opening() {
    let game = support::awele();
    let file = "# two of them\nopening 2 5 0\n\n 3 1 # the short form\n";
    let openings = Openings::listed(read_setups(&*game, 2, file).unwrap());
    assert_eq!(
        [0, 1].map(|round| openings.setup(round).unwrap()),
        ["opening 2 5 0", "opening 3 1"]
    );
    for (file, part) in
        [("", "problem per line, got none"), ("2\n9\n", "line 2"), ("2 5 0 3 3 3 3", "line 1")]
    {
        let error = read_setups(&*game, 2, file).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn counts_are_consistent() {
    let (tally, records) = Match::of(sources()).play();
    let [strong, weak] = &tally.players[..] else { panic!("two players") };
    assert_eq!(tally.games, 40);
    assert_eq!(strong.games.wins, weak.games.losses);
    assert_eq!(strong.games.count(), 40);
    assert_eq!(tally.head_to_head(0, 1).pairs.count(), 20);
    assert_eq!(tally.head_to_head(0, 1).games, strong.games);
    let moves: usize = records.iter().map(|record| record.played.plies.len()).sum();
    assert_eq!(tally.moves, moves as u64);
    assert_eq!(tally.identical, 0, "no two games of a random player are alike");
    assert_eq!(strong.times.len() + weak.times.len(), tally.moves);
    assert!(strong.games.points() > 35.0, "depth 3 beats random: {:?}", strong.games);
}

/// Both players are the same, so both games of a pair are the same game.
#[test]
fn identical_games_are_counted() {
    let same = || bundled(&["alpha-beta", "--depth", "2"]);
    let (tally, _) = Match::of([same(), same()]).play();
    assert!(tally.identical >= 20, "{} of 40", tally.identical);
    assert_eq!(tally.head_to_head(0, 1).pairs.even(), 20);
}

#[test]
fn the_order_of_games_does_not_matter() {
    let (tally, mut records) = Match::of(sources()).play();
    records.reverse();
    let mut again = Tally::new(2);
    records.iter().for_each(|record| again.add_record(record));
    assert_eq!(again.head_to_head(0, 1).pairs, tally.head_to_head(0, 1).pairs);
    assert_eq!(again.head_to_head(0, 1).games, tally.head_to_head(0, 1).games);
    assert_eq!(again.identical, tally.identical);
}

#[test]
fn player_that_cannot_start_voids_its_games() {
    let words = ["sh", "-c", "echo no such module >&2; exit 1"].map(str::to_owned);
    let absent = PlayerSource::Program(program::find(&words, &[]).unwrap());
    let (tally, records) = Match::of([bundled(&["random"]), absent]).play();
    assert_eq!((tally.games, tally.void), (0, 40));
    assert_eq!(tally.players[0].games.count(), 0, "void games award no points");
    assert_eq!(tally.players[1].faults["not-started"], 40);
    let tried = records.iter().flat_map(|record| &record.played.faults);
    let tried = tried.filter(|story| story.stderr.contains("no such module")).count();
    assert_eq!(tried, 1);
    let story = &tally.players[1].first_fault.as_ref().unwrap().report;
    assert!(matches!(&story.fault, Fault::NotStarted { why, .. } if why.contains("exit code 1")));
}

#[test]
fn round_robin_pairs_all_players() {
    let three = [bundled(&["greedy"]), bundled(&["random"]), bundled(&["random"])];
    let game = Match { games: 4, ..Match::of(three) };
    let (tally, records) = game.play();
    assert_eq!(records.len(), 12);
    assert!(tally.players.iter().all(|player| player.games.count() == 8));
    let meetings = [[0, 1], [0, 2], [1, 2]].map(|[one, other]| tally.head_to_head(one, other));
    assert!(meetings.iter().all(|meeting| meeting.pairs.count() == 2));
    assert_eq!(Schedule::new(3, 2, 4, 1).groups(), [[0, 1], [0, 2], [1, 2]]);
}

/// Two engines play the same games in every dialect, from the same start. They use the same rules,
/// which some dialects do not send.
#[test]
fn every_dialect_carries_the_same_games() {
    let play = |dialect| {
        let game = Match { games: 8, rules: "abapa", openings: 0, dialect, ..Match::of(sources()) };
        let (tally, records) = game.play();
        let faults: u64 = tally.players.iter().flat_map(|player| player.faults.values()).sum();
        assert_eq!((tally.games, faults), (8, 0), "{dialect}: {:?}", tally.players);
        essence(&records)
    };
    let reference = play("arbitre");
    assert_eq!(play("relay"), reference);
    assert_eq!(play("codingame"), reference);
    let engines = || [in_process(&["alpha-beta", "--depth", "3"]), in_process(&["random"])];
    let game = Match { games: 8, dialect: "codingame", ..Match::of(engines()) };
    assert_eq!(game.play().0.games, 8, "an engine in this process detects its dialect");
}
