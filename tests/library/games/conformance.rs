//! Properties of every game, whatever its rules: one suite, which a game joins with one entry.

mod promises;
mod walk;

/// Runs the suite on a game: its type, rule texts, every word that might be a move, and a number of
/// turns within which a random game ends.
macro_rules! conformance {
    ($name:ident: $game:ty, rules: $rules:expr, words: $words:expr, turns: $turns:expr) => {
        mod $name {
            use super::promises;
            use super::walk::Suite;

            fn suite() -> Suite<$game> {
                Suite::new(&$rules, &$words, $turns)
            }

            conformance!(@promises
                only_listed_moves_are_legal
                illegal_moves_change_nothing
                play_unchecked_equals_play
                only_seats_to_move_can_play
                finished_game_never_changes
                finished_game_names_its_reasons
                unfinished_game_has_moves
                same_setup_gives_the_same_game
                setups_are_distinct_and_start
                rules_round_trip
                setups_round_trip
                moves_and_positions_round_trip
                forfeiting_seats_rank_last
                decided_ranking_is_final
            );
        }
    };
    (@promises $($promise:ident)*) => {
        $(
            #[test]
            fn $promise() {
                promises::$promise(&suite());
            }
        )*
    };
}

conformance!(awele: arbitre::games::awele::Awele,
    rules: [
        "codingame", "abapa", "awari", "grand-slam=illegal", "abapa grand-slam=take",
        "abapa grand-slam=take-but-last no-move=opponent-all repetition=third:draw",
    ],
    words: ["0", "1", "2", "3", "4", "5"],
    turns: 2000);

conformance!(tron: arbitre::games::tron::Tron,
    rules: [
        "size=8x6 tolerance=20%", "size=5x5 tolerance=20%",
        "size=9x7 walls=4:3/4:4/0:0/8:2 tolerance=25%",
    ],
    words: ["UP", "RIGHT", "DOWN", "LEFT"],
    turns: 80);

conformance!(seven_colors: arbitre::games::seven_colors::SevenColors,
    rules: [
        "size=8x8 colours=6 ban=opponent", "filler stall=9", "size=5x7 colours=3 symmetric=no",
        "gamos size=6x6 colours=4 corner=fixed", "size=5x5 count-enclosed=yes colours=5",
        "size=4x4 colours=4 stall=7 ban=own-and-opponent",
    ],
    words: ["A", "B", "C", "D", "E", "F"],
    turns: 1000);

conformance!(taquin: arbitre::games::taquin::Taquin,
    rules: [
        "fifteen max-moves=90", "eight scramble=9", "size=2x2", "size=3x2", "size=2x5 max-moves=40",
        "size=10x10 scramble=5 max-moves=30",
    ],
    words: ["U", "D", "L", "R"],
    turns: 200);

conformance!(hextris: arbitre::games::hextris::Hextris,
    rules: [
        "size=2x3 length=2 phrases=none", "size=3x4 length=4 phrases=ei!+k", "size=4x4 length=3",
        "small phrases=ia!_ia!", "size=any length=7",
    ],
    words: [
        "p", "'", "!", ".", "0", "3", "b", "c", "e", "f", "y", "2", "a", "g", "h", "i", "j", "4", "l",
        "m", "n", "o", " ", "5", "d", "q", "r", "v", "z", "1", "k", "s", "t", "u", "w", "x", "$",
    ],
    turns: 5000);
