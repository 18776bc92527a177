//! Tests of endgame tables: a reference implementation, whole games, published digests, damage, and
//! play.

use arbitre_test_support::command;
use arbitre_test_support::data;

use arbitre::bots::awele::best::evaluation::{Evaluation, EvaluationSource};
use arbitre::bots::awele::endgame::{EndgameTables, Endings, ScoreBounds, SeedRows};
use arbitre::bots::awele::{AlphaBeta, Best, Heuristic};
use arbitre::bots::engine::Engine;
use arbitre::bots::options::Options;
use arbitre::clock::Clock;
use arbitre::dialect::{Notation, Start};
use arbitre::game::{Seat, State};
use arbitre::games::awele::reference::{AweleReference, ReferenceBoard};
use arbitre::games::awele::{Awele, Board, GrandSlam, Position, Rules, ABAPA, CODINGAME};
use arbitre::rng::Rng;
use arbitre::search::budget::Budget;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const RULE: GrandSlam = GrandSlam::Nothing;

/// Returns every board of `seeds` seeds with seat 0 to move that a move can lead to, so the other
/// row is not full.
fn boards(seeds: u8) -> Vec<ReferenceBoard> {
    fn fill(pits: &mut [u8; 12], pit: usize, left: u8, found: &mut Vec<ReferenceBoard>) {
        if pit == 11 {
            pits[pit] = left;
            if pits[6..].contains(&0) {
                found.push(ReferenceBoard { pits: *pits, captures: [0; 2], mover: 0 });
            }
            return;
        }
        for seeds in 0..=left {
            pits[pit] = seeds;
            fill(pits, pit + 1, left - seeds, found);
        }
    }
    let mut found = Vec::new();
    fill(&mut [0; 12], 0, seeds, &mut found);
    found
}

/// Returns the pits from the mover's side.
fn key(board: &ReferenceBoard) -> [u8; 12] {
    board.from_mover().0
}

/// Solves all boards by the definition. Nothing is forced at first; then values follow from the
/// boards after each move, until nothing changes.
fn slow_tables(seeds: u8) -> HashMap<[u8; 12], [u8; 2]> {
    let mut forced = HashMap::new();
    for layer in (0..=seeds).map(boards) {
        forced.extend(layer.iter().map(|board| (key(board), [0, 0])));
        loop {
            let mut changed = false;
            for board in &layer {
                let value = follows(board, &forced);
                changed |= forced.insert(key(board), value) != Some(value);
            }
            if !changed {
                break;
            }
        }
    }
    forced
}

fn follows(board: &ReferenceBoard, forced: &HashMap<[u8; 12], [u8; 2]>) -> [u8; 2] {
    let after = board.legal(RULE).into_iter().map(|pit| {
        let after = board.play(pit, RULE);
        let [mover, other] = forced[&key(&after)];
        [after.captures[0] + other, mover]
    });
    let rows = [board.row(0), board.row(1)];
    after.reduce(|one, two| [one[0].max(two[0]), one[1].min(two[1])]).unwrap_or(rows)
}

#[test]
fn tables_agree_with_the_definition() {
    let (fast, reference) = (EndgameTables::make(6, 2), slow_tables(6));
    for seeds in 0..=6 {
        for board in boards(seeds) {
            let pits = key(&board);
            let [mover, other] = reference[&pits];
            let looked = fast.look(Board::new(pits, [0; 2]));
            assert_eq!(looked, Some(ScoreBounds { mover, other }), "{pits:?}");
        }
    }
}

/// Returns `true` if `seat` can get `seeds` seeds by best play of the whole game, with repetition.
fn can_get(game: &AweleReference, seat: usize, seeds: i64) -> bool {
    if let Some(scores) = game.scores() {
        return scores[seat] >= seeds;
    }
    let can = |pit: usize| {
        let mut next = game.clone();
        next.play(pit);
        can_get(&next, seat, seeds)
    };
    match game.board().mover == seat {
        true => game.legal().into_iter().any(can),
        false => game.legal().into_iter().all(can),
    }
}

#[test]
fn both_players_get_what_they_can_force() {
    let tables = EndgameTables::make(3, 1);
    for board in (0..=3).flat_map(boards) {
        let game = AweleReference::new(ABAPA, board.clone());
        let ScoreBounds { mover, other } = tables.look(Board::new(key(&board), [0; 2])).unwrap();
        assert!(can_get(&game, 0, mover.into()), "{board:?}: the mover does not get {mover}");
        assert!(can_get(&game, 1, other.into()), "{board:?}: the other does not get {other}");
    }
}

#[test]
fn unreachable_board_is_not_in_the_tables() {
    let tables = EndgameTables::make(7, 1);
    assert_eq!(tables.look(Board::new([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1], [0; 2])), None);
    assert_eq!(tables.look(Board::START), None);
}

/// Digests published with the strong solution of these rules (jh85/smallgames, 2026).
#[test]
fn layers_have_the_published_digests() {
    let seeds = 12;
    let what = format!("the layers of up to {seeds} seeds were not compared with digests");
    let Some(path) = data::data("awele/layers.sha256", &what) else { return };
    let (tables, digests) = (EndgameTables::make(seeds, 2), fs::read_to_string(path).unwrap());
    for seeds in 0..=seeds {
        let digest = Sha256::digest(tables.file(seeds).unwrap());
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let line = format!("{digest}  oware_n{seeds:02}.lh");
        assert!(digests.lines().any(|known| known == line), "{line}");
    }
}

#[test]
fn threads_make_the_same_bytes() {
    let (one, four) = (EndgameTables::make(9, 1), EndgameTables::make(9, 4));
    (0..=9).for_each(|seeds| assert!(one.file(seeds) == four.file(seeds), "{seeds}"));
}

fn files(tables: &EndgameTables) -> Vec<Vec<u8>> {
    (0..tables.layers()).map(|seeds| tables.file(seeds).unwrap().to_vec()).collect()
}

fn read(files: &[Vec<u8>]) -> Result<EndgameTables, String> {
    let mut tables = EndgameTables::default();
    let mut add = |file: &Vec<u8>| tables.add(file).map_err(|error| error.to_string());
    files.iter().try_for_each(&mut add)?;
    Ok(tables)
}

/// Changes bits of the values and of the header in layers of few seeds, which cover both packings:
/// all bits of the small layers, and every fifth of the large one. The two bytes after bit fields
/// mean nothing, nor do the bits beyond the last field.
#[test]
fn changed_bit_is_detected() {
    let sound = files(&EndgameTables::make(6, 1));
    let rows = SeedRows::up_to(6);
    let (mut refused, mut unsound) = (0, 0);
    for seeds in [2, 3, 5] {
        let (length, step) = match seeds {
            5 => (sound[seeds].len() - 2, 19),
            _ => (sound[seeds].len() - 1, 3),
        };
        for at in (0..8 * length).step_by(step) {
            let mut damaged = sound[..=seeds].to_vec();
            damaged[seeds][at / 8] ^= 1 << (at % 8);
            match read(&damaged) {
                Err(_) => refused += 1,
                Ok(tables) => {
                    let (wrong, first) = tables.unsound(&rows, seeds, 2);
                    assert!(wrong > 0 && first.is_some(), "bit {at} of layer {seeds}");
                    unsound += 1;
                }
            }
        }
    }
    assert!(refused > 100 && unsound > 1000, "{refused} {unsound}");
    let tables = read(&sound).unwrap();
    (0..=6).for_each(|seeds| assert_eq!(tables.unsound(&rows, seeds, 2), (0, None)));
}

#[test]
fn invalid_layer_is_refused() {
    let sound = files(&EndgameTables::make(5, 1));
    let refusal = |file: &[u8]| EndgameTables::default().add(file).unwrap_err().to_string();
    let begins = |error: String, part: &str| assert!(error.starts_with(part), "{error}");
    begins(refusal(b""), "expected a layer of an endgame table, which begins with OWARELH1");
    begins(refusal(b"OWARELH1"), "expected a layer of an endgame table");
    begins(refusal(&sound[1]), "expected the layer of 0 seeds, not that of 1");
    let mut shorter = sound[0].clone();
    shorter.pop();
    begins(refusal(&shorter), "expected 57 bytes, got 56");
    let mut more = sound[0].clone();
    more[8] = 49;
    begins(refusal(&more), "expected a layer of 48 seeds at most, got 49");
}

/// Returns random boards that the mover wins by force and on which it needs at least 4 more seeds.
fn won_positions(tables: &EndgameTables, rules: Rules, count: usize) -> Vec<Position> {
    let mut rng = Rng::new(7);
    let mut won = Vec::new();
    while won.len() < count {
        let mut pits = [0; 12];
        let seeds = 6 + rng.below(tables.layers() - 6);
        (0..seeds).for_each(|_| pits[rng.below(12)] += 1);
        let Some(forced) = tables.look(Board::new(pits, [0; 2])) else { continue };
        let needed = 25 - forced.mover;
        if forced.mover < 4 {
            continue;
        }
        let board = Board::new(pits, [needed, 48 - needed - seeds as u8]);
        won.push(Position::new(rules, board, Seat::FIRST));
    }
    won
}

/// The player with tables wins every won position against a search that looks deeper. The tables
/// know the winner, and the search makes progress.
#[test]
fn won_endgames_are_won() {
    let tables = EndgameTables::make(10, 2);
    let endings = Endings::of(tables.clone());
    for rules in [ABAPA, CODINGAME] {
        let report = AlphaBeta::new(Heuristic::Captures).with_endings(endings.clone());
        let mut best = Best::new(EvaluationSource::Rules(Evaluation::network));
        best = best.with_endings(endings.clone());
        best.new_game(&rules);
        let winners: [Box<dyn Engine<Awele>>; 2] = [Box::new(report), Box::new(best)];
        for mut winner in winners {
            for start in won_positions(&tables, rules, 15) {
                is_won(&mut *winner, &start);
            }
        }
    }
}

/// Returns a random position with up to `most` seeds on the board, and captures that leave the
/// game open.
fn random_endgame(rng: &mut Rng, most: usize) -> Option<Position> {
    let mut pits = [0; 12];
    let seeds = 2 + rng.below(most - 1);
    (0..seeds).for_each(|_| pits[rng.below(12)] += 1);
    let own = (24 - rng.below(seeds + 1)) as u8;
    let other = 48 - seeds as u8 - own;
    let position = Position::new(ABAPA, Board::new(pits, [own, other]), Seat::FIRST);
    (other <= 24 && position.end().is_none()).then_some(position)
}

/// Returns what is certain for a side that forces `own` seeds, captures included, while the other
/// forces `other`: a win is 3, at least a draw 2, a loss 0, and otherwise 1.
fn certainty(own: u8, other: u8) -> u8 {
    match (own, other) {
        (25.., _) => 3,
        (24, _) => 2,
        (_, 25..) => 0,
        _ => 1,
    }
}

/// Checks on random endgames that the best bot keeps what the tables promise, and wins what is won.
fn endgames_are_played_well(seeds: usize, count: usize) {
    let tables = EndgameTables::make(seeds, 2);
    let mut best = Best::new(EvaluationSource::Rules(Evaluation::network));
    best = best.with_endings(Endings::of(tables.clone()));
    best.new_game(&ABAPA);
    let (mut rng, mut seen, mut won) = (Rng::new(39), 0, 0);
    while seen < count {
        let Some(position) = random_endgame(&mut rng, seeds) else { continue };
        let (board, [own, other]) = (position.board(), position.board().captures());
        let Some(forced) = tables.look(board) else { continue };
        let promised = certainty(own + forced.mover, other + forced.other);
        let (pit, _) = best.choose(&position, Seat::FIRST, Budget::nodes(1_000));
        let after = board.after(pit, RULE);
        let ([other, own], left) = (after.captures(), tables.look(after).unwrap());
        let kept = certainty(own + left.other, other + left.mover);
        assert!(kept >= promised, "{board}: pit {pit} keeps {kept} of {promised}");
        if promised == 3 {
            is_won(&mut best, &position);
            won += 1;
        }
        seen += 1;
    }
    println!("{seen} endgames of up to {seeds} seeds, {won} of them won");
    assert!(won > count / 10, "{won}");
}

#[test]
fn small_endgames_are_played_well() {
    endgames_are_played_well(9, 300);
}

#[test]
#[ignore = "takes minutes"]
fn large_endgames_are_played_well() {
    endgames_are_played_well(12, 10_000);
    endgames_are_played_well(18, 1_000);
}

/// Plays a game from a won position.
fn is_won(winner: &mut dyn Engine<Awele>, start: &Position) {
    let mut loser = AlphaBeta::new(Heuristic::Captures);
    let mut position = start.clone();
    while position.end().is_none() {
        let seat = position.mover();
        let (pit, _) = match seat == Seat::FIRST {
            true => winner.choose(&position, seat, Budget::depth(8)),
            false => loser.choose(&position, seat, Budget::depth(10)),
        };
        position.play(seat, pit).unwrap();
    }
    let [own, other] = position.outcome().unwrap().scores[..] else { panic!() };
    assert!(own > other, "{start:?} ended {own} to {other}");
}

/// Returns the comment of an engine in a won endgame of three seeds under `rules`.
fn comment(mut engine: AlphaBeta, rules: &str) -> String {
    let game = Awele::from_rules(rules).unwrap();
    let state = game.parse_state("0 1 1 0 0 0 0 0 0 0 0 1 24 21", Seat::FIRST).unwrap();
    let clock = Clock::parse("depth 4").unwrap();
    let (seat, seats, seed) = (Seat::FIRST, 2, 1);
    engine.begin(&Start { game, state: state.clone(), seat, seats, clock, seed });
    engine.choose(&state, seat, Budget::depth(4)).1
}

/// Tables are used only under rules for which they hold, and not if the goal is more than a win.
#[test]
fn tables_are_used_only_where_they_apply() {
    let take = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|&word| word.into()).collect();
        AlphaBeta::take(&mut Options::new(&words)).unwrap()
    };
    let told = |engine: AlphaBeta, rules| comment(engine, rules).contains("won by the tables");
    let small = || take(&[]).with_endings(Endings::making_small_tables());
    assert!(told(small(), "codingame"));
    assert!(!told(small(), "awari"));
    assert!(!told(take(&[]), "codingame"));
    let folder = fresh("tables of a bot");
    let name = folder.to_str().unwrap();
    awele(&["tables", "--seeds", "4", name], "");
    assert!(told(take(&["--tables", name]), "abapa"));
    assert!(!told(take(&["--tables", "none"]), "abapa"));
    for more in [["--maximise", "on"], ["--threshold", "30"]] {
        assert!(!told(take(&["--tables", name, more[0], more[1]]), "abapa"), "{more:?}");
    }
}

fn awele(words: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_awele"));
    command.args(words);
    answer(command, input)
}

fn answer(mut command: Command, input: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    use std::io::Write;
    // A program that refuses its options reads no input, so the write may fail.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn fresh(name: &str) -> std::path::PathBuf {
    command::cleared(command::folder(name))
}

fn layers(folder: &Path) -> Vec<Vec<u8>> {
    (0..).map_while(|n| fs::read(folder.join(format!("oware_n{n:02}.lh"))).ok()).collect()
}

/// Without a folder the tables are in the cache, from where bots map them into memory.
#[test]
fn tables_are_kept_in_the_cache() {
    let cache = fresh("cache of tables");
    let run = |words: &[&str], input: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_awele"));
        command.args(words).env("XDG_CACHE_HOME", &cache);
        answer(command, input)
    };
    let missing = run(&["--tables", "cache"], "");
    assert_eq!(missing.status.code(), Some(6), "{missing:?}");
    assert!(run(&["tables", "--seeds", "13"], "").status.success());
    assert_eq!(layers(&cache.join("arbitre/awele")).len(), 14);
    let position = "0 1 0 0 2 1 1 0 3 0 1 4 23 12";
    let probed = run(&["probe", "--tables", "cache", position], "");
    assert!(command::stdout(&probed).starts_with("of 13 seeds the mover forces "), "{probed:?}");
    let verified = command::stdout(&run(&["tables", "verify"], ""));
    assert!(verified.ends_with("13 seeds: 2464320 boards, sound\n"), "{verified}");
}

/// A started folder is continued without making its layers again.
#[test]
fn tables_are_made_verified_and_continued() {
    let folder = fresh("tables");
    let name = folder.to_str().unwrap();
    let made = awele(&["tables", "--seeds", "6", "--threads", "2", "--format", "lh", name], "");
    assert!(made.status.success(), "{made:?}");
    assert!(layers(&folder) == files(&EndgameTables::make(6, 1)));
    let made = awele(&["tables", name, "--seeds=8"], "");
    let told = command::stderr(&made);
    assert!(told.starts_with("7 layers found") && told.lines().count() == 3, "{told}");
    let verified = awele(&["tables", "verify", name], "");
    assert!(verified.status.success(), "{verified:?}");
    assert!(command::stdout(&verified).ends_with(" 8 seeds: 75504 boards, sound\n"));
}

#[test]
fn damaged_layer_is_named() {
    let folder = fresh("damaged tables");
    let name = folder.to_str().unwrap();
    awele(&["tables", "--seeds", "6", name], "");
    let path = folder.join("oware_n06.lh");
    let mut file = fs::read(&path).unwrap();
    let length = file.len();
    file[length / 2] ^= 1;
    fs::write(&path, &file).unwrap();
    let verified = awele(&["tables", "verify", name], "");
    assert_eq!(verified.status.code(), Some(1), "{verified:?}");
    assert!(command::stdout(&verified).contains("not what their moves say, first ["));
    // Bots do not check all values, and impossible ones say nothing.
    file[56..].fill(0xFF);
    fs::write(&path, &file).unwrap();
    let probed = awele(&["probe", "--tables", name, "1 1 1 0 0 0 1 1 1 0 0 0"], "");
    assert!(command::stdout(&probed).starts_with("of 6 seeds the mover forces 0, the other 0"));
    fs::write(&path, &file[..length - 1]).unwrap();
    for (words, code) in [(vec!["tables", "verify", name], 6), (vec!["tables", name], 6)] {
        let refused = awele(&words, "");
        assert_eq!(refused.status.code(), Some(code), "{refused:?}");
        let told = command::stderr(&refused);
        assert!(told.contains("oware_n06.lh' cannot be used: expected "), "{told}");
    }
}

#[test]
fn a_board_is_probed() {
    let probed = awele(&["probe", "0 0 0 0 0 1 1 0 0 0 0 0"], "");
    let expected =
        "of 2 seeds the mover forces 0, the other 2, which is all of them\n  pit 5: 0, 2\n";
    assert_eq!(command::stdout(&probed), expected);
    let words: Vec<&str> = "probe 0 0 1 0 2 1 1 0 3 0 1 0 23 16".split(' ').collect();
    let told = command::stdout(&awele(&words, ""));
    assert!(told.ends_with("won: the mover ends with 25 to 30 of 48\n"), "{told}");
}

#[test]
fn positions_are_analysed() {
    let input = "state 4 4 4 4 4 4 4 4 4 4 4 4 0 0\n\n0 0 0 0 0 0 0 0 0 0 0 1 24 23\n";
    let told = command::stdout(&awele(&["analyse", "--depth", "4"], input));
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("4 4 4 4 4 4 4 4 4 4 4 4 0 0  best "));
    assert!(lines[0].contains(" depth 4 nodes "), "{told}");
    assert_eq!(lines[1..], ["0 0 0 0 0 0 0 0 0 0 0 1 24 23  over"]);
}

/// The best moves come in order, each once, as text and as documents.
#[test]
fn several_moves_are_analysed() {
    let input = "4 4 4 4 4 4 4 4 4 4 4 4 0 0\n0 0 0 0 0 0 0 0 0 0 0 1 24 23\n";
    let told = command::stdout(&awele(&["analyse", "--depth", "6", "--lines", "9"], input));
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 7);
    let json = ["analyse", "--depth", "6", "--lines", "9", "--json", "on"];
    let json = command::stdout(&awele(&json, input));
    let documents: Vec<serde_json::Value> = json.lines().map(command::json).collect();
    assert_eq!(documents.len(), 2);
    assert_eq!(documents[1]["over"], true);
    let board = serde_json::json!([4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0, 0]);
    assert_eq!(documents[0]["board"], board);
    let found = documents[0]["lines"].as_array().unwrap();
    let mut moves: Vec<i64> = found.iter().map(|line| line["move"].as_i64().unwrap()).collect();
    let scores: Vec<i64> = found.iter().map(|line| line["score"].as_i64().unwrap()).collect();
    assert!(scores.is_sorted_by(|one, next| one >= next), "{scores:?}");
    for (line, (mv, score)) in lines.iter().zip(moves.iter().zip(&scores)) {
        assert!(line.contains(&format!(". {mv} score {score} depth 6 ")), "{line}");
    }
    moves.sort_unstable();
    assert_eq!(moves, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn bad_arguments_are_refused() {
    let none = fresh("no tables");
    let none = none.to_str().unwrap();
    let cases: [(&[&str], &str, i32); 8] = [
        (&["tables", "--seeds", "49", none], "--seeds: expected at most 48, got '49'", 2),
        (&["tables", "--threads", "0", none], "--threads: expected a number from 1, got '0'", 2),
        (&["tables", "--format", "gtb", none], "--format: expected lh, got 'gtb'", 2),
        (&["tables", "verify", none], "expected endgame tables in '", 6),
        (&["probe", "1", "2"], "expected 14 numbers", 6),
        (&["probe", "2 2 2 2 2 2 2 2 2 2 2 2"], "expected --tables DIR for a board of 24 seeds", 2),
        (&["analyse", "--dept", "3"], "option: expected ", 2),
        (&["--tables", none], "expected endgame tables in '", 6),
    ];
    for (words, part, code) in cases {
        let refused = awele(words, "");
        let told = command::stderr(&refused);
        assert!(told.starts_with(&format!("error: {part}")), "{words:?}: {told}");
        assert_eq!(told.lines().filter(|line| !line.starts_with("help: ")).count(), 1, "{told}");
        assert_eq!(refused.status.code(), Some(code), "{told}");
    }
    let refused = awele(&["analyse"], "1 2\n");
    assert!(command::stderr(&refused).starts_with("error: line 1: expected 14 numbers"));
    assert_eq!(refused.status.code(), Some(6));
}
