//! `relay`, the dialect of class tournaments between two programs: a program is told its seat as its
//! last argument, and from then on nothing passes but bare moves, the opponent's on standard input
//! and its own on standard output, the last of the game included. Then the input ends.
//!
//! ```text
//! ./bot 0          ./bot 1
//! 3                3
//! 5                5
//! ```

use crate::clock::Go;
use crate::dialect::{
    BotEnd, Brief, Cue, End, Event, Init, Knowledge, Notation, RefereeEnd, Spoken, Start, Turn,
};
use crate::game::{BadText, Seat, State};

/// How many sit at a table where each knows the other by not being it.
const SEATS: usize = 2;

/// The referee's end.
#[derive(Debug, Default)]
pub struct Referee;

fn write_moves<G: Notation>(game: &G, seat: Seat, news: &[Event<G::Move>], out: &mut String) {
    for event in news {
        if let Event::Moved(mover, mv) = *event {
            if mover != seat {
                game.write_move(mv, out);
                out.push('\n');
            }
        }
    }
}

impl<G: Notation> RefereeEnd<G> for Referee {
    fn arguments(&self, seat: Seat) -> Vec<String> {
        vec![seat.to_string()]
    }

    fn open(&mut self, _: &Brief<G>, _: &mut String) -> Init {
        Init::WithFirstMove
    }

    fn write_turn(&mut self, turn: &Turn<G>, out: &mut String) {
        write_moves(turn.game, turn.seat, turn.news, out);
    }

    fn read_move<'l>(&mut self, game: &G, line: &'l str) -> Result<Spoken<'l, G::Move>, BadText> {
        Ok(Spoken { mv: game.parse_move(line.trim())?, comment: None })
    }

    fn close(&mut self, end: &End<G>, out: &mut String) {
        write_moves(end.game, end.seat, end.news, out);
    }
}

/// The bot's end; it keeps the board.
pub struct Bot<G: Notation> {
    start: Start<G>,
}

impl<G: Notation> Bot<G> {
    /// The end of whoever has this seat, in a game from its usual start.
    ///
    /// # Errors
    /// If there is no such seat, or the game has no usual start.
    pub fn new(knows: Knowledge<G>, seat: usize) -> Result<Bot<G>, BadText> {
        if seat >= SEATS {
            return Err(BadText::new(format!("expected seat 0 or 1 as last argument, not {seat}")));
        }
        let Knowledge { game, clock, seed } = knows;
        let state = game.start(&game.parse_setup(&[])?)?;
        let seat = Seat::new(seat);
        Ok(Bot { start: Start { game, state, seat, seats: SEATS, clock, seed } })
    }

    fn turn(&self) -> Cue<'_, G> {
        let Start { state, seat, .. } = &self.start;
        match state.to_move() {
            seats if seats.contains(*seat) => Cue::Choose(state, *seat, Go::Untimed),
            seats if seats.is_empty() => Cue::Over,
            _ => Cue::Listen,
        }
    }
}

impl<G: Notation> BotEnd<G> for Bot<G> {
    fn start(&mut self) -> Cue<'_, G> {
        Cue::Begin(&self.start)
    }

    fn follow_up(&mut self) -> Cue<'_, G> {
        self.turn()
    }

    fn hear(&mut self, line: &str) -> Result<Cue<'_, G>, BadText> {
        let Start { game, state, seat, .. } = &mut self.start;
        let mv = game.parse_move(line.trim())?;
        let other = seat.other();
        state.play(other, mv).map_err(|why| BadText::new(format!("'{line}': {why}")))?;
        Ok(self.turn())
    }

    fn answer(&mut self, mv: G::Move, _: &str, out: &mut String) {
        let Start { game, state, seat, .. } = &mut self.start;
        game.write_move(mv, out);
        out.push('\n');
        state.play_unchecked(*seat, mv);
    }
}
