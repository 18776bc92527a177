//! Lower bounds for measurements: a relay without rules, and a loop that only starts programs.

use crate::measure::Cost;
use crate::recorder::{Said, Transcript};
use arbitre_process::program::Program;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

/// Sends a whole match to its programs, with blocking writes and reads only.
pub fn relay(program: &Program, transcript: &Transcript) -> Cost {
    let (cost, ()) = Cost::of(|| {
        let mut bots = start_all(program, transcript.seats);
        transcript.games.iter().for_each(|game| pass_on(game, &mut bots));
        bots.into_iter().for_each(finish);
    });
    Cost { moves: transcript.moves, games: transcript.games.len() as u64, ..cost }
}

/// Starts two programs per game and lets them end. With a transcript, sends them a game in between.
pub fn spawn_loop(program: &Program, games: u64, transcript: Option<&Transcript>) -> Cost {
    let (cost, ()) = Cost::of(|| {
        for game in 0..games {
            let mut bots = start_all(program, 2);
            if let Some(transcript) = transcript {
                pass_on(&transcript.games[game as usize], &mut bots);
            }
            bots.into_iter().for_each(finish);
        }
    });
    Cost { games, ..cost }
}

fn start_all(program: &Program, count: usize) -> Vec<Child> {
    (0..count).map(|_| start(program)).collect()
}

fn start(program: &Program) -> Child {
    let mut command = Command::new(&program.path);
    command.args(&program.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().expect("the bot can be started")
}

fn pass_on(game: &[Said], bots: &mut [Child]) {
    let mut buffer = [0; 4096];
    for said in game {
        let bot = &mut bots[said.to];
        let input = bot.stdin.as_mut().expect("the input is a pipe");
        input.write_all(said.text.as_bytes()).expect("the bot reads its input");
        let output = bot.stdout.as_mut().expect("the output is a pipe");
        let mut ended = !said.answered;
        while !ended {
            let count = output.read(&mut buffer).expect("the bot answers");
            assert!(count > 0, "the bot answers");
            ended = buffer[..count].contains(&b'\n');
        }
    }
}

fn finish(mut bot: Child) {
    drop(bot.stdin.take());
    bot.wait().expect("the bot ends");
}
