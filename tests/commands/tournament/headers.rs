//! First lines of a tournament, and the estimate of its dry run.

use crate::tournament::broken::cup;
use crate::tournament::harness::Folder;
use arbitre_test_support::command::{stderr, stdout};
use arbitre_test_support::pages::document;

/// Fixed bots that fill a table of four.
const BOTS: &str = "[[grade]]\nbot = \"a=tron random\"\npoints = 2\n\
     [[grade]]\nbot = \"b=tron random\"\npoints = 1\n\
     [[grade]]\nbot = \"c=tron wall-hugger\"\npoints = 1";

/// The first lines have the number of games that is played, and the one that was asked for.
#[test]
fn first_lines_have_the_games_that_are_played() {
    for (number, (seats, format, options, parts)) in [
        (1, "round-robin", "games = 3", &[][..]),
        (2, "round-robin", "games = 3", &["(3 rounded up to 4, "]),
        (2, "round-robin", "games = 4", &[]),
        (4, "round-robin", "games = 6", &["(6 rounded up to 8, "]),
        (2, "gauntlet", "games = 3", &["(3 rounded up to 4, "]),
        (2, "gauntlet", "games = 7\nsprt = \"elo0=0,elo1=40\"", &["(7 rounded up to 8, "]),
        (
            2,
            "balanced",
            "games-per-player = 6",
            &[", 8 games per player, ", "(6 rounded up to 8, "],
        ),
        (
            4,
            "balanced",
            "games-per-player = 24",
            &[", 32 games per player, ", "(24 rounded up to 32, "],
        ),
        (4, "balanced", "games-per-player = 32", &[", 32 games per player, "]),
        (4, "swiss", "rounds = 2\ngames = 2", &["(2 rounded up to 4, "]),
        (2, "knockout", "games = 5", &["(5 rounded up to 6, "]),
        (2, "double-knockout", "games = 1", &["(1 rounded up to 2, "]),
        (4, "ladder", "max-games = 10", &[", at most 10 games, "]),
        (2, "graded", &format!("games = 5\n{BOTS}"), &["(5 rounded up to 6, "]),
        (4, "graded", &format!("games = 5\n{BOTS}"), &["(5 rounded up to 8, "]),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = Folder::new(&format!("header {number}"));
        cup(&folder, &format!("format = \"{format}\"\n{options}"), seats, 6, &[]);
        let text = stdout(&folder.run(&["tournament", "cup.toml", "--dry-run"]));
        let head: Vec<&str> = text.lines().take(2).collect();
        let head = head.join("\n");
        let what = format!("{format} at {seats} seats, {options}: {head}");
        assert!(parts.iter().all(|part| head.contains(part)), "{what}");
        assert_eq!(head.contains("rounded up"), parts.concat().contains("rounded up"), "{what}");
    }
}

/// The number that was asked for and the one that is played are the same tournament.
#[test]
fn rounded_number_continues_a_balanced_tournament() {
    let folder = Folder::new("rounded");
    for games in [6, 8, 6] {
        cup(&folder, &format!("format = \"balanced\"\ngames-per-player = {games}"), 2, 6, &[]);
        let standings = folder.standings(&["--output", "cup.md", "--output", "cup.html"]);
        assert_eq!(standings["games"], 24, "{games}: {standings}");
        let text = std::fs::read_to_string(folder.path("cup.md")).unwrap();
        assert!(text.contains("(balanced, 8 games per player)"), "{text}");
        let page = std::fs::read_to_string(folder.path("cup.html")).unwrap();
        let page = document(&page);
        assert_eq!(page["kind"], "balanced, 8 games per player");
    }
    cup(&folder, "format = \"balanced\"\ngames-per-player = 10", 2, 6, &[]);
    let output = folder.run(&["tournament", "cup.toml"]);
    let said = stderr(&output);
    let part = "its format is balanced, 8 games per player, not balanced, 12 games per player";
    assert!(said.contains(part), "{said}");
}

/// Fixed bots may answer at once: the estimate says what follows from that. `--max-time` is named.
#[test]
fn estimate_of_a_graded_tournament_is_a_range() {
    for (number, (seats, format, options, is_range)) in [
        (2, "graded", BOTS, true),
        (4, "graded", BOTS, true),
        (1, "graded", "[[grade]]\nbot = \"taquin best\"\npoints = 2", false),
        (2, "round-robin", "", false),
        (4, "balanced", "games-per-player = 16", false),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = Folder::new(&format!("estimate {number}"));
        cup(&folder, &format!("format = \"{format}\"\n{options}"), seats, 6, &[]);
        let text = stdout(&folder.run(&["tournament", "cup.toml", "--dry-run"]));
        let what = format!("{format} at {seats} seats: {text}");
        let line = text.lines().find(|line| line.starts_with("likely ")).expect(&what);
        assert_eq!(line.contains(" if the fixed bots answer at once, else "), is_range, "{what}");
        assert!(line.ends_with(" at once; --max-time ends it earlier"), "{what}");
        let hours = text.lines().find(|line| line.starts_with("CPU hours ")).expect(&what);
        assert_eq!(hours.contains(" to "), is_range, "{what}");
    }
}
