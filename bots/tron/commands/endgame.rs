//! `tron endgame`: measures the number of moves that the bot survives in random boxes.

use crate::options::Options;
use crate::program::{say, Failure};
use crate::tron::endgame::{upper_bound, EndgamePlayer, FreeRegion};
use arbitre_games::game::ParseError;
use arbitre_games::games::tron::{Point, LONGEST_SIDE};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter, Timer};
use arbitre_games::search::cpu_time::thread_time;
use std::time::Duration;

/// Ranges from which boxes are drawn.
struct Boxes {
    /// Smallest and largest number of columns.
    width: (usize, usize),
    /// Smallest and largest number of rows.
    height: (usize, usize),
    /// Smallest and largest percentage of obstacles.
    obstacles: (usize, usize),
}

impl Boxes {
    /// Takes the ranges from the options.
    fn take(options: &mut Options) -> Result<Boxes, ParseError> {
        let mut boxes = Boxes { width: (8, 12), height: (8, 12), obstacles: (8, 20) };
        if let Some(text) = options.take_text("--size")? {
            let sides = text.split_once('x').map(|(w, h)| (w.parse(), h.parse()));
            let Some((Ok(width), Ok(height))) = sides else {
                return Err(ParseError::new(format!(
                    "--size: expected a size like 30x20, got '{text}'"
                )));
            };
            if !(2..=LONGEST_SIDE).contains(&width) || !(2..=LONGEST_SIDE).contains(&height) {
                return Err(ParseError::new(format!(
                    "--size: expected sides from 2 to 50, got '{text}'"
                )));
            }
            (boxes.width, boxes.height) = ((width, width), (height, height));
        }
        if let Some(share) = options.take("--obstacles")? {
            if share > 50usize {
                return Err(ParseError::new(format!(
                    "--obstacles: expected a percentage from 0 to 50, got '{share}'"
                )));
            }
            boxes.obstacles = (share, share);
        }
        Ok(boxes)
    }

    /// Returns a box with random obstacles, and a head that can move at least once.
    fn draw(&self, rng: &mut Rng) -> FreeRegion {
        loop {
            let mut between = |(least, most): (usize, usize)| least + rng.below(most - least + 1);
            let (width, height) = (between(self.width), between(self.height));
            let share = between(self.obstacles);
            let mut cells: Vec<usize> = (0..width * height).collect();
            rng.shuffle(&mut cells);
            let obstacles = cells.split_off(cells.len() - width * height * share / 100);
            let point = |cell: usize| Point { x: (cell % width) as u8, y: (cell / width) as u8 };
            let is_free = |at: Point| !obstacles.iter().any(|&cell| point(cell) == at);
            let region = FreeRegion::new(width, height, point(cells[0]), is_free);
            if upper_bound(&region) > 0 {
                return region;
            }
        }
    }
}

/// Result of one box.
struct Life {
    moves: u32,
    /// Upper bound on the moves of any path.
    most: u32,
    /// Number of the first move after which the remaining plan was proved the longest, from 1.
    proved: Option<u32>,
    /// CPU time of the slowest move.
    slowest: Duration,
}

/// Plays boxes and prints a line for each, then the totals.
///
/// # Errors
/// Returns an error if an option is unknown or its value is invalid.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let boxes = options.take("--boxes")?.unwrap_or(200);
    let seed = options.take("--seed")?.unwrap_or(1);
    let move_time = options.take_duration("--move-time")?.unwrap_or(Duration::from_millis(100));
    let kind = Boxes::take(&mut options)?;
    options.finish()?;
    let rng = Rng::new(seed);
    let mut lives = Vec::new();
    for number in 0..boxes {
        let life = live(kind.draw(&mut rng.fork(number)), move_time);
        say(&line(number, &life));
        lives.push(life);
    }
    say(&sums(&lives));
    Ok(())
}

/// Plays a box to its end with a CPU time of `move_time` per move.
fn live(region: FreeRegion, move_time: Duration) -> Life {
    let mut life =
        Life { moves: 0, most: upper_bound(&region), proved: None, slowest: Duration::ZERO };
    let (mut region, mut player) = (region, EndgamePlayer::default());
    loop {
        let time = Some(Timer::cpu(move_time));
        let begun = thread_time();
        let budget = Budget { time, ..Budget::default() };
        let chosen = player.choose(&region, &mut Limiter::new(budget));
        let spent = thread_time().zip(begun).map_or(Duration::ZERO, |(now, begun)| now - begun);
        life.slowest = life.slowest.max(spent);
        let Some(direction) = chosen else { return life };
        region.advance(direction);
        life.moves += 1;
        if player.plan().exact && life.proved.is_none() {
            life.proved = Some(life.moves);
            // A plan proved at the first move gives the exact maximum in place of the bound.
            if life.moves == 1 {
                life.most = 1 + player.plan().path.len() as u32;
            }
        }
    }
}

fn line(number: u64, life: &Life) -> String {
    let Life { moves, most, proved, slowest } = life;
    let proved = proved.map_or("never proved".into(), |at| format!("proved at move {at}"));
    let slowest = slowest.as_secs_f64() * 1000.0;
    format!("{number}  moves {moves} of {most}  {proved}  slowest move {slowest:.1} ms\n")
}

fn sums(lives: &[Life]) -> String {
    let optimal = lives.iter().filter(|life| life.moves == life.most).count();
    let share = |life: &Life| f64::from(life.moves) / f64::from(life.most);
    let mean = 100.0 * lives.iter().map(share).sum::<f64>() / lives.len().max(1) as f64;
    let slowest = lives.iter().map(|life| life.slowest).max().unwrap_or_default();
    format!(
        "{optimal} of {} optimal, {mean:.2} % of the moves, slowest move {:.1} ms\n",
        lives.len(),
        slowest.as_secs_f64() * 1000.0
    )
}
