//! `tron endgame`: how long the bot survives in random boxes.

use crate::options::Options;
use crate::program::{say, Failure};
use crate::tron::endgame::{upper_bound, EndgamePlayer, FreeRegion};
use arbitre_games::game::ParseError;
use arbitre_games::games::tron::{Point, LONGEST_SIDE};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter, Timer};
use arbitre_games::search::cpu_time::thread_time;
use std::time::{Duration, Instant};

/// What is to be measured.
struct Boxes {
    /// The fewest and the most columns.
    width: (usize, usize),
    /// The fewest and the most rows.
    height: (usize, usize),
    /// Obstacles in a hundred cells, the fewest and the most.
    obstacles: (usize, usize),
}

impl Boxes {
    /// The boxes that the options ask for.
    fn take(options: &mut Options) -> Result<Boxes, ParseError> {
        let mut boxes = Boxes { width: (8, 12), height: (8, 12), obstacles: (8, 20) };
        if let Some(text) = options.take_text("--size")? {
            let sides = text.split_once('x').map(|(w, h)| (w.parse(), h.parse()));
            let Some((Ok(width), Ok(height))) = sides else {
                return Err(ParseError::new(format!(
                    "--size takes a size like 30x20, not '{text}'"
                )));
            };
            if !(2..=LONGEST_SIDE).contains(&width) || !(2..=LONGEST_SIDE).contains(&height) {
                return Err(ParseError::new("--size takes sides from 2 to 50"));
            }
            (boxes.width, boxes.height) = ((width, width), (height, height));
        }
        if let Some(share) = options.take("--obstacles")? {
            if share > 50usize {
                return Err(ParseError::new("--obstacles takes a percentage from 0 to 50"));
            }
            boxes.obstacles = (share, share);
        }
        Ok(boxes)
    }

    /// A box with obstacles anywhere, and a head on a free cell from which there is a way.
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

/// How one box went.
struct Life {
    moves: u32,
    /// No path has more moves.
    most: u32,
    /// The move after which the rest of the plan was known to be the longest, from 1.
    proved: Option<u32>,
    /// Processor time of the slowest move.
    slowest: Duration,
}

/// Plays boxes and prints a line for each, then the sums.
///
/// # Errors
/// If an option is unknown, or its value not what it takes.
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

/// Plays a box to its end, with so much processor time a move.
fn live(region: FreeRegion, move_time: Duration) -> Life {
    let mut life =
        Life { moves: 0, most: upper_bound(&region), proved: None, slowest: Duration::ZERO };
    let (mut region, mut player) = (region, EndgamePlayer::default());
    loop {
        let time = Some(Timer::cpu(Instant::now(), move_time));
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
