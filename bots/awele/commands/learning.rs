//! `awele selfplay` and `awele train`: learning of evaluations.

use crate::awele::best::evaluation::EvaluationSource;
use crate::awele::learning::records::{Record, RECORD};
use crate::awele::learning::selfplay::SelfPlay;
use crate::awele::learning::{linear, network};
use crate::options::Options;
use crate::program::{say, Failure, DATA, USAGE};
use arbitre_games::dialect::Notation;
use arbitre_games::files;
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::Awele;
use arbitre_games::parallel;
use arbitre_games::rng::Rng;
use arbitre_games::text::io_reason;
use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal, Read, Write};

/// Games between two writes to the file.
const CHUNK: u64 = 200;

/// Plays games until the file has the number that `--games` names.
///
/// # Errors
/// Returns an error if an option is invalid, or the file has other parameters or cannot be written.
pub fn selfplay(mut options: Options) -> Result<(), Failure> {
    let output = required(&mut options, "--output")?;
    let games: u64 = options.take_count("--games")?.unwrap_or(10_000);
    let depth = options.take_count("--depth")?.unwrap_or(9);
    let seed = options.take("--seed")?.unwrap_or(1);
    let threads = options.take_threads()?;
    let game = Awele::from_rules(&options.take_text("--rules")?.unwrap_or_default())?;
    let source = EvaluationSource::take(&mut options)?;
    options.finish()?;
    let rules = *game.options();
    let evaluation = source.evaluation(&rules);
    let header = format!(
        "awele-selfplay 1 evaluation {:016x} depth {depth} seed {seed} rules {rules}\n",
        evaluation.fingerprint()
    );
    let mut done = resume(&output, &header)?;
    let play = SelfPlay { rules, evaluation: &evaluation, depth, seed };
    while done < games {
        let count = CHUNK.min(games - done);
        let chunk =
            parallel::map(threads, count as usize, |number| play.game(done + number as u64));
        let bytes: Vec<u8> = chunk.iter().flatten().flat_map(Record::bytes).collect();
        let file = OpenOptions::new().append(true).open(&output);
        let written = file.and_then(|mut file| file.write_all(&bytes));
        written.map_err(|error| cannot("written", &output, &error))?;
        done += count;
        progress(&format!("{done} of {games} games"));
    }
    Ok(())
}

/// Reads a file of games, which may be large.
fn read(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    files::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Creates the file, or cuts it after its last complete game. Returns the number of its games.
fn resume(path: &str, header: &str) -> Result<u64, Failure> {
    let bytes = match read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::write(path, header).map_err(|error| cannot("written", path, &error))?;
            return Ok(0);
        }
        bytes => bytes.map_err(|error| cannot("read", path, &error))?,
    };
    let Some(records) = bytes.strip_prefix(header.as_bytes()) else {
        return Err(Failure::new(
            DATA,
            format!("expected the games of these options in '{path}', got another file; help: name another --output"),
        ));
    };
    let parsed = parse(records, path)?;
    let games = parsed.iter().filter(|record| record.is_last).count();
    let complete = parsed.iter().rposition(|record| record.is_last).map_or(0, |last| last + 1);
    let file = OpenOptions::new().write(true).open(path);
    let cut = file.and_then(|file| file.set_len((header.len() + complete * RECORD) as u64));
    cut.map_err(|error| cannot("written", path, &error))?;
    Ok(games as u64)
}

fn parse(bytes: &[u8], path: &str) -> Result<Vec<Record>, Failure> {
    let records =
        bytes.chunks_exact(RECORD).map(|record| record.try_into().ok().and_then(Record::parse));
    let all: Option<Vec<Record>> = records.collect();
    all.ok_or_else(|| {
        Failure::new(DATA, format!("expected records of self-play in '{path}', got others"))
    })
}

/// Trains an evaluation on the games of files.
///
/// # Errors
/// Returns an error if an option is invalid, or a file cannot be read or written.
pub fn train(mut options: Options) -> Result<(), Failure> {
    let data = required(&mut options, "--data")?;
    let output = options.take_text("--output")?;
    let kind = options.take_text("--kind")?.unwrap_or("network".into());
    let epochs = options.take_count("--epochs")?.unwrap_or(20);
    let mut rng = Rng::new(options.take("--seed")?.unwrap_or(1));
    options.finish()?;
    let is_network = match kind.as_str() {
        "network" => true,
        "linear" => false,
        _ => {
            let why = format!("--kind: expected linear or network, got '{kind}'");
            return Err(Failure::new(USAGE, why));
        }
    };
    let mut records = Vec::new();
    for path in data.split(',') {
        let bytes = read(path).map_err(|error| cannot("read", path, &error))?;
        let header =
            bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| end + 1);
        records.extend(parse(&bytes[header..], path)?);
    }
    if records.is_empty() {
        return Err(Failure::new(DATA, format!("expected games in '{data}', got none")));
    }
    let report =
        |epoch: usize, loss: f64| progress(&format!("epoch {epoch} of {epochs}: error {loss:.5}"));
    let text = match is_network {
        true => network::train(&mut records, epochs, &mut rng, report).text(),
        false => linear::train(&mut records, epochs, &mut rng, report).text(),
    };
    match output {
        None => say(&text),
        Some(path) => fs::write(&path, text).map_err(|error| cannot("written", &path, &error))?,
    }
    Ok(())
}

fn required(options: &mut Options, name: &'static str) -> Result<String, Failure> {
    let value = options.take_text(name)?;
    value.ok_or_else(|| ParseError::new(format!("expected {name} FILE, got none")).into())
}

fn cannot(what: &str, path: &str, error: &io::Error) -> Failure {
    Failure::new(DATA, format!("'{path}' cannot be {what}: {}", io_reason(error)))
}

/// Prints a line on standard error, over the last one on a terminal.
fn progress(line: &str) {
    let mut out = io::stderr();
    let end = if out.is_terminal() { "\r" } else { "\n" };
    let _ = write!(out, "{line}{end}");
}
