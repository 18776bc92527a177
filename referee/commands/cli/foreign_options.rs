//! Options of fastchess and cutechess-cli, with the way to say the same here.

/// Names without dashes, and the remedy.
const OPTIONS: [(&[&str], &str); 20] = [
    (&["rounds"], "each round has two games here: for N rounds write --games 2N"),
    (&["engine", "engines"], "name players as NAME=COMMAND, such as new=./new old=./old"),
    (&["each"], "options for all players need no prefix: write --tc 8+0.08"),
    (&["recover"], "leave it out: a crash loses its game and the match continues"),
    (&["pgnout", "pgn", "pgnfile"], "after the match, write referee export --format pgn"),
    (
        &["ratinginterval", "outcomeinterval", "scoreinterval"],
        "leave it out: the score is shown during the match; --events prints every game",
    ),
    (&["repeat", "noswap", "reverse", "swap"], "leave it out: all seats play each opening"),
    (&["srand", "randomseed"], "write --seed S"),
    (&["resign", "draw", "tb"], "leave it out: every game is played to its end"),
    (&["maxmoves"], "limit games by --rules, such as --rules max-plies=400 in awele"),
    (&["st", "movetime"], "write --move-time 100ms"),
    (&["timemargin"], "write --margin 10ms"),
    (&["inc"], "write --tc 8+0.08, or --game-time and --increment"),
    (&["book"], "write --openings FILE"),
    (&["variant"], "write --game GAME, and --rules for its options"),
    (&["proto", "protocol"], "write --dialect D"),
    (&["jobs", "force-concurrency"], "write --concurrency C"),
    (&["tournament"], "leave it out: more than two players play a round robin"),
    (&["config", "autosaveinterval"], "leave it out: games are stored; --resume continues"),
    (
        &["log", "debug", "report", "event", "site", "wait", "quick", "use-affinity"],
        "leave it out; referee help all lists the options",
    ),
];

/// Returns the remedy for a word that is an option of another manager.
pub fn remedy(word: &str) -> Option<&'static str> {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))?;
    let name = name.split('=').next().unwrap_or(name);
    let found = OPTIONS.iter().find(|(names, _)| names.contains(&name));
    found.map(|(_, remedy)| *remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::grammar;

    #[test]
    fn no_option_of_a_match_is_foreign() {
        // A tournament has rounds, and a match has none.
        for option in grammar().get_arguments().filter_map(|arg| arg.get_long()) {
            assert_eq!(remedy(&format!("--{option}")), None, "{option}");
        }
    }
}
