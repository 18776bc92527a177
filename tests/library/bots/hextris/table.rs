//! Hextris at the table. An answer is a line of characters, taken as it stands.

use super::answers::{self, Answers};
use super::command;
use arbitre::dialect::{BotEnd, Notation, RefereeEnd};
use arbitre::dialects::arbitre::{ArbitreBot, ArbitreReferee};
use arbitre::game::{Game, Seat, State};
use arbitre::games::hextris::{
    score, Hextris, Phrases, Problem, Solution, SolutionEnd, Terrain, ANSWER_LIMIT,
};
use arbitre::referee::registry::table::RejectedAnswer;
use arbitre::referee::registry::Speech;
use std::process::Command;

/// Setup of two units of one cell on a board of 5x3.
const SETUP: &str = "problem {\"id\":0,\"width\":5,\"height\":3,\"filled\":[],\"units\":[{\"members\":\
    [{\"x\":0,\"y\":0}],\"pivot\":{\"x\":0,\"y\":0}}],\"sourceLength\":2,\"sourceSeeds\":[0]}; seed 0";

/// Returns the table's answers to these lines, and the scores at the end.
fn answers(lines: &[&str]) -> Answers {
    answers::answers("hextris", "phrases=ei!", SETUP, lines)
}

#[test]
fn answers_may_be_long() {
    let game = arbitre::registry().open("hextris", "").unwrap();
    let table = game.table(SETUP, &[Speech::Dialect(&arbitre::dialects::arbitre::INFO)]).unwrap();
    assert_eq!(table.line_limit(Seat::FIRST), ANSWER_LIMIT);
}

/// Blanks command south-east three times; the third locks the unit. Then follow the phrase and two
/// steps down, the last of which locks on the floor.
#[test]
fn blanks_are_commands_and_an_answer_may_stop_short() {
    let (said, scores) = answers(&["   ", "Ei!", "aa"]);
    let told = ["   ", "ei!", "aa"].map(|text| Ok(text.to_string()));
    assert_eq!((&said[..2], scores), (&told[..2], Some(vec![308])), "{said:?}");
    let (said, scores) = answers(&["ei!", ""]);
    assert_eq!((said[1].clone(), scores), (Ok("$".into()), Some(vec![306])));
}

#[test]
fn bad_character_is_named_and_nothing_is_played() {
    let (said, scores) = answers(&["epe", "e~p", "p$p", "  \t ei!$"]);
    let illegal = |why: &str| Err(RejectedAnswer::Illegal(why.into()));
    assert_eq!(said[0], illegal("move 2 of 3, p: the unit was there before"));
    assert!(
        matches!(&said[1], Err(RejectedAnswer::Invalid(why)) if why.contains("character 1 is '~'"))
    );
    assert_eq!(said[2], illegal("move 3 of 3, p: the game is over"));
    assert_eq!((said[3].clone(), scores), (Ok("  \t ei!$".into()), Some(vec![307])));
}

/// The referee's end reads a path as the bot's end writes it, with blanks before and after.
#[test]
fn both_ends_mean_the_same_path() {
    let game = Hextris::from_rules("small").unwrap();
    for (number, setup) in game.setups(1, 0, arbitre::rng::Rng::new(3)).take(20).enumerate() {
        let (mut bot, mut referee) = (ArbitreBot::<Hextris>::new(None), ArbitreReferee::default());
        let rules = format!("game hextris {}", game.rules());
        let setups = game.setup_lines(&setup, Seat::FIRST);
        let setups: Vec<String> = setups.iter().map(|line| format!("setup {line}")).collect();
        for line in ["arbitre 1", &rules, "seats 1 you 0", &setups[0], &setups[1], "begin"] {
            bot.hear(line).unwrap();
        }
        let mut state = game.start(&setup).unwrap();
        let path = game.parse_path(&" a "[..1 + number % 3]).unwrap();
        let mut line = String::new();
        bot.answer_path(&path, "score 3", &mut line);
        let read = referee.read_path(&game, line.strip_suffix('\n').unwrap()).unwrap();
        assert_eq!((&read.mv, read.comment), (&path, Some("score 3")));
        read.mv.iter().for_each(|&c| state.play(Seat::FIRST, c).unwrap());
        let arbitre::dialect::BotAction::Choose(kept, ..) = bot.hear("go").unwrap() else {
            panic!("the bot is asked");
        };
        assert_eq!((kept.played(), kept.score()), (state.played(), state.score()));
    }
}

/// Returns a program of the contest that gives one answer, on several lines, for any command line.
fn contest_program(folder: &std::path::Path, solution: &str, ending: &str) -> String {
    let answer = format!("[\n{{\"problemId\":0,\"seed\":0,\n\"solution\":\"{solution}\"}}\n]");
    let script = format!(
        "#!/bin/sh\necho \"$@\" >args.txt\ncp \"$2\" problem.json\ncat <<'END'\n{answer}\nEND\n{ending}\n"
    );
    format!("'{}'", command::script(folder, "contest.sh", &script).display())
}

/// Plays a match of one game in the contest's dialect. Returns its document and its folder.
fn contest_match(
    name: &str,
    solution: &str,
    ending: &str,
) -> (serde_json::Value, std::path::PathBuf) {
    let folder = command::folder(name);
    let program = contest_program(&folder, solution, ending);
    let openings = folder.join("problems.txt");
    std::fs::write(&openings, SETUP).unwrap();
    let file = openings.display().to_string();
    let words = [
        &program,
        "--game",
        "hextris",
        "--rules",
        "phrases=ei!+ia!_ia!",
        "--problems",
        &file,
        "--games",
        "1",
        "--dialect",
        "icfp2015",
        "--db",
        ":memory:",
        "--json",
        "--move-time",
        "2s",
        "--first-move-time",
        "2s",
        // The program notes what it was given.
        "--allow-write",
        ".",
    ];
    let output = command::referee(&words).current_dir(&folder).output().unwrap();
    let text = command::stdout(&output);
    assert!(output.status.success(), "{text} {}", command::stderr(&output));
    (command::json(&text), folder)
}

#[test]
fn contest_program_plays_as_a_bot() {
    let (document, folder) = contest_match("contest-good", "Ei!   ", "");
    // The phrase has 6 points and 300 for its first use, the locked cell has 1.
    assert_eq!(document["players"][0]["solo"]["total"], 307, "{document:#}");
    let arguments = std::fs::read_to_string(folder.join("args.txt")).unwrap();
    let expected = " -t 2 -p ei! -p ia! ia!\n";
    assert!(arguments.starts_with("-f ") && arguments.ends_with(expected), "{arguments}");
    let problem = std::fs::read_to_string(folder.join("problem.json")).unwrap();
    assert!(problem.ends_with("\"sourceSeeds\":[0]}"), "{problem}");
    let gone = arguments.split(' ').nth(1).unwrap();
    assert!(!std::path::Path::new(gone).exists(), "{gone} is still there");
}

#[test]
fn bad_and_late_solutions_are_reported() {
    let (document, _) = contest_match("contest-bad", "eppp", "");
    let story = document["players"][0]["first_fault"].to_string() + &document.to_string();
    assert!(story.contains("illegal"), "{document:#}");
    let (document, _) = contest_match("contest-late", "ei!", "exec sleep 20");
    assert!(document.to_string().contains("timeout"), "{document:#}");
}

/// Runs `play_icfp2015` with several phrase sets, and scores its answers.
#[test]
fn play_icfp2015_plays_as_a_contest_program() {
    let folder = command::folder("play-icfp2015");
    let file = folder.join("problem.json");
    let json = SETUP.split("; seed").next().unwrap().strip_prefix("problem ").unwrap();
    let problem = json.replace("\"sourceSeeds\":[0]", "\"sourceSeeds\":[0,7,0]");
    std::fs::write(&file, &problem).unwrap();
    let terrain = Terrain::new(Problem::parse(&problem).unwrap());
    for phrases in [&["ei!", "ia! ia!"][..], &["pkkpdbbd", "pb", "sd"], &[]] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_play_icfp2015"));
        program.args(["-t", "30", "-m", "100", "-c", "2", "-f"]).arg(&file);
        phrases.iter().for_each(|phrase| {
            program.args(["-p", phrase]);
        });
        let output = program.output().unwrap();
        assert!(output.status.success(), "{}", command::stderr(&output));
        let text = command::stdout(&output);
        let solutions = Solution::parse_all(&text).unwrap();
        let seeds: Vec<u32> = solutions.iter().map(|solution| solution.seed).collect();
        assert_eq!(seeds, [0, 7]);
        let automaton = Phrases::new(phrases).unwrap();
        for solution in solutions {
            let scored = score(&terrain, solution.seed, &solution.text, &automaton);
            assert!(matches!(scored.ending, SolutionEnd::Over(_)), "{scored:?}");
            assert!(scored.total() >= 2);
        }
    }
    let output = Command::new(env!("CARGO_BIN_EXE_play_icfp2015")).args(["-f", "none"]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(6), "{}", command::stderr(&output));
}

/// A bundled bot plays the same game in the contest's dialect and in its own.
#[test]
fn bundled_bot_speaks_both_dialects() {
    let words = [
        "a=icfp2015@hextris taupe",
        "b=hextris taupe",
        "--rules",
        "small,phrases=ei!",
        "--games",
        "2",
        "--seed",
        "3",
        "--move-time",
        "60s",
        "--first-move-time",
        "60s",
        "--db",
        ":memory:",
        "--json",
    ];
    let output = command::run(&words);
    let text = command::stdout(&output);
    assert!(output.status.success(), "{text} {}", command::stderr(&output));
    let document = command::json(&text);
    let total = |player: usize| document["players"][player]["solo"]["total"].as_i64().unwrap();
    assert!(total(0) == total(1) && total(0) > 600, "{document:#}");
}
