//! The properties, one function each.

use super::walk::{portrait, seats, some_start, table_sizes, tables, word, Suite, Turn};
use arbitre::dialect::Notation;
use arbitre::game::{Game, Seat, Seats, State};
use arbitre::rng::Rng;
use std::collections::HashSet;

pub fn only_listed_moves_are_legal<G: Notation>(suite: &Suite<G>) {
    let (mut accepted, mut refused) = (0, 0);
    suite.play(|turn| {
        let listed = turn.state.moves(turn.seat);
        let known = |mv: &G::Move| suite.moves.contains(mv);
        assert!(listed.iter().all(known), "a listed move is not among the words: {listed:?}");
        for &mv in &suite.moves {
            let answer = turn.state.clone().play(turn.seat, mv);
            assert_eq!(answer.is_ok(), listed.contains(&mv), "{mv:?} in {}", picture(&turn));
            *if answer.is_ok() { &mut accepted } else { &mut refused } += 1;
        }
    });
    assert!(accepted > 0 && refused > 0, "{accepted} accepted, {refused} refused");
}

/// Every illegal move is tried on the position with which the game continues.
pub fn illegal_moves_change_nothing<G: Notation>(suite: &Suite<G>) {
    let mut refusals = 0;
    suite.play(|turn| {
        let mut tried = turn.state.clone();
        refusals += try_everything(suite, &mut tried);
        let Turn { game, state, .. } = turn;
        assert_eq!(portrait(game, &tried), portrait(game, state));
        tried.play(turn.seat, turn.mv).expect("the move is still legal");
        assert_eq!(state.misreading(turn.seat, turn.mv), None, "of a legal move");
        let mut untried = state.clone();
        untried.play(turn.seat, turn.mv).expect("a listed move is legal");
        assert_eq!(portrait(game, &tried), portrait(game, &untried));
    });
    assert!(refusals > 0);
}

/// Plays every illegal move of every seat. Returns their number.
fn try_everything<G: Notation>(suite: &Suite<G>, state: &mut G::State) -> usize {
    let mut refusals = 0;
    for seat in seats::<G>() {
        let listed = state.moves(seat);
        for mv in suite.moves.iter().filter(|mv| !listed.contains(mv)) {
            state.play(seat, *mv).expect_err("an unlisted move is illegal");
            // Asked of every position, as it must not panic.
            state.misreading(seat, *mv);
            refusals += 1;
        }
    }
    refusals
}

/// Compares whole games, so that state beside the board is compared as well.
pub fn play_unchecked_equals_play<G: Notation>(suite: &Suite<G>) {
    for game in &suite.games {
        for (seats, seed) in tables::<G>(10) {
            let start = || some_start(game, seats, seed);
            let (mut fast, mut checked) = (start(), start());
            let mut rng = Rng::new(seed);
            while let Some(seat) = checked.to_move().iter().next() {
                let moves = checked.moves(seat);
                let mv = moves[rng.below(moves.len())];
                fast.play_unchecked(seat, mv);
                checked.play(seat, mv).expect("a listed move is legal");
                assert_eq!(portrait(game, &fast), portrait(game, &checked), "after {mv:?}");
            }
        }
    }
}

pub fn only_seats_to_move_can_play<G: Notation>(suite: &Suite<G>) {
    let mut silent = 0;
    suite.play(|turn| {
        for seat in seats::<G>().filter(|&seat| !turn.state.to_move().contains(seat)) {
            silent += 1;
            assert!(turn.state.moves(seat).is_empty(), "{seat} in {}", picture(&turn));
            for &mv in &suite.moves {
                let answer = turn.state.clone().play(seat, mv);
                assert!(answer.is_err(), "{seat} plays {mv:?} in {}", picture(&turn));
            }
        }
    });
    assert!(silent > 0 || G::META.seats.1 == 1);
}

pub fn finished_game_never_changes<G: Notation>(suite: &Suite<G>) {
    for (game, mut state) in suite.play(|_| ()) {
        let before = portrait(&game, &state);
        assert!(state.to_move().is_empty() && state.outcome().is_some(), "{before}");
        assert!(seats::<G>().all(|seat| state.moves(seat).is_empty()), "{before}");
        let refusals = try_everything(suite, &mut state);
        assert_eq!(refusals, G::META.seats.1 * suite.moves.len());
        seats::<G>().for_each(|seat| state.forfeit(Seats::one(seat)));
        assert_eq!(portrait(&game, &state), before);
    }
}

/// No game forfeits here, so the rules end each of them and eliminate each seat that is out.
pub fn finished_game_names_its_reasons<G: Notation>(suite: &Suite<G>) {
    let finished = suite.play(|turn| {
        assert_eq!(turn.state.end_reason(), None, "{}", picture(&turn));
        assert_eq!(turn.state.elimination(turn.seat), None, "{}", picture(&turn));
    });
    for (game, state) in finished {
        let at_the_end = portrait(&game, &state);
        assert!(state.end_reason().is_some(), "{at_the_end}");
        let out = state.outcome().expect("the game is over").out;
        let out: Seats = out.iter().flat_map(|group| group.iter()).collect();
        for seat in seats::<G>() {
            let is_known = state.elimination(seat).is_some();
            assert!(is_known || !out.contains(seat), "{seat} in {at_the_end}");
        }
    }
}

pub fn unfinished_game_has_moves<G: Notation>(suite: &Suite<G>) {
    suite.play(|turn| {
        assert_eq!(turn.state.outcome(), None, "{}", picture(&turn));
        for seat in turn.state.to_move().iter() {
            assert!(!turn.state.moves(seat).is_empty(), "{seat} in {}", picture(&turn));
        }
    });
}

/// Plays all games twice from the same seeds.
pub fn same_setup_gives_the_same_game<G: Notation>(suite: &Suite<G>) {
    let record = || {
        let mut record = Vec::new();
        suite.play(|turn| record.push(picture(&turn)));
        record
    };
    let once = record();
    assert!(once == record() && once.len() > 100, "{} turns", once.len());
}

pub fn setups_are_distinct_and_start<G: Notation>(suite: &Suite<G>) {
    for game in &suite.games {
        for (seats, plies) in table_sizes::<G>().flat_map(|seats| [0, 1, 5].map(|n| (seats, n))) {
            let (mut texts, mut starts) = (HashSet::new(), HashSet::new());
            for setup in game.setups(seats, plies, Rng::new(plies as u64)).take(200) {
                let state = game.start(&setup).expect("a game starts from its own setups");
                assert_eq!(state.outcome(), None);
                assert!(texts.insert(game.setup_text(&setup)), "twice: {setup:?}");
                let portrait = portrait(game, &state);
                assert!(starts.insert(portrait.clone()), "two setups, one start: {portrait}");
            }
            assert!(!texts.is_empty(), "no setup of {plies} plies");
        }
    }
}

pub fn rules_round_trip<G: Notation>(suite: &Suite<G>) {
    for game in &suite.games {
        let text = game.rules();
        assert_eq!(G::from_rules(&text).expect("resolved rules are valid").rules(), text);
        assert_eq!(
            G::from_rules(&text.replace(' ', ",")).expect("commas are valid separators").rules(),
            text
        );
    }
    let distinct: HashSet<String> = suite.games.iter().map(|game| game.rules()).collect();
    assert_eq!(distinct.len(), suite.games.len(), "the rule texts resolve to different rules");
}

pub fn setups_round_trip<G: Notation>(suite: &Suite<G>) {
    for game in &suite.games {
        let tables = table_sizes::<G>().flat_map(|seats| (0..4).map(move |plies| (seats, plies)));
        let drawn = |(seats, plies)| game.setups(seats, plies, Rng::new(3)).take(50);
        for setup in tables.flat_map(drawn) {
            let lines = game.setup_lines(&setup, Seat::FIRST);
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            assert_eq!(game.parse_setup(&lines, Seat::FIRST).as_ref(), Ok(&setup));
            assert_eq!(game.parse_setup_text(&game.setup_text(&setup)), Ok(setup));
        }
    }
}

pub fn moves_and_positions_round_trip<G: Notation>(suite: &Suite<G>) {
    let mut positions = HashSet::new();
    suite.play(|Turn { game, state, seat, mv }| {
        assert_eq!(game.parse_move(&word(game, mv)), Ok(mv));
        let text = view(game, state, seat);
        let read = game.parse_state(&text, seat).expect("a written position is valid");
        assert_eq!(view(game, &read, seat), text);
        assert!(read.to_move().contains(seat) && read.moves(seat) == state.moves(seat), "{text}");
        positions.insert(text);
    });
    assert!(positions.len() > 100, "{} positions", positions.len());
}

/// A ranking that a game calls decided is that of its end.
pub fn decided_ranking_is_final<G: Notation>(suite: &Suite<G>) {
    for game in &suite.games {
        for (seats, seed) in tables::<G>(100) {
            let mut state = some_start(game, seats, seed);
            let mut rng = Rng::new(seed);
            let mut decided = None;
            while let Some(seat) = state.to_move().iter().next() {
                if state.is_decided() {
                    let so_far = state.outcome_so_far().expect("a decided game has scores");
                    decided.get_or_insert((so_far.places(), portrait(game, &state)));
                }
                let moves = state.moves(seat);
                state.play(seat, moves[rng.below(moves.len())]).expect("a listed move is legal");
            }
            let end = state.outcome().expect("no seat is to move");
            if let Some((places, start)) = decided {
                assert_eq!(places, end.places(), "after {start}");
            }
        }
    }
}

pub fn forfeiting_seats_rank_last<G: Notation>(suite: &Suite<G>) {
    let mut over = 0;
    suite.play(|turn| {
        let playing = seats_playing(&turn);
        for seat in playing.iter() {
            let mut state = turn.state.clone();
            state.forfeit(Seats::one(seat));
            assert!(!state.to_move().contains(seat) && state.moves(seat).is_empty());
            assert!(turn.state.outcome().is_none(), "a forfeit changes its own copy only");
            over += check_last(&turn, &state, Seats::one(seat));
        }
        let mut state = turn.state.clone();
        state.forfeit(playing);
        assert!(state.outcome().is_some(), "all gave up in {}", picture(&turn));
        over += check_last(&turn, &state, playing);
    });
    assert!(over > 100, "{over} games were over");
}

/// Checks a position after a forfeit of `gone`. With two seats the game is over. If it is over,
/// these seats share the place below all that still played, and above those eliminated before.
/// Returns 1 if the game is over.
fn check_last<G: Notation>(turn: &Turn<G>, state: &G::State, gone: Seats) -> usize {
    let playing = seats_playing(turn);
    let Some(outcome) = state.outcome() else {
        assert!(playing.len() > 2, "not over: {}", picture(turn));
        return 0;
    };
    let places = outcome.places();
    let last = playing.len() - gone.len();
    for seat in (0..places.len()).map(Seat::new) {
        let place = places[seat.index()];
        let expected = match (gone.contains(seat), playing.contains(seat)) {
            (true, _) => place == last,
            (false, true) => place < last,
            (false, false) => place >= playing.len(),
        };
        assert!(expected, "{gone:?} gave up, places {places:?} in {}", picture(turn));
    }
    1
}

/// Returns the seats still in the game: those eliminated together if all forfeit.
fn seats_playing<G: Game>(turn: &Turn<G>) -> Seats {
    let mut state = turn.state.clone();
    state.forfeit(seats::<G>().collect());
    let outcome = state.outcome().expect("a game that all give up is over");
    *outcome.out.last().expect("a seat was eliminated")
}

fn view<G: Notation>(game: &G, state: &G::State, seat: Seat) -> String {
    let mut text = String::new();
    game.write_state(state, seat, &mut text);
    text
}

fn picture<G: Notation>(turn: &Turn<G>) -> String {
    portrait(turn.game, turn.state)
}
