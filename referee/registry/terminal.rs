//! The referee's end for a person: positions are drawn.

use super::drawing::View;
use super::entry::GameEntry;
use arbitre_games::dialect::{
    Event, GameContext, GameEnd, Init, Notation, ParsedAnswer, RefereeEnd, Turn,
};
use arbitre_games::game::{ParseError, Seat, State};

/// Referee's end for a person at the terminal.
pub struct Terminal {
    /// Whether the terminal shows colours.
    colour: bool,
    /// Number of seats at the table.
    seats: usize,
}

impl Terminal {
    /// Creates the end for a person.
    pub fn new(colour: bool) -> Terminal {
        Terminal { colour, seats: 2 }
    }

    /// Returns the name of `seat` in text for the person on seat `you`.
    fn name(&self, seat: Seat, you: Seat) -> String {
        match seat {
            _ if seat == you => "you".into(),
            _ if self.seats == 2 => "the other".into(),
            _ => format!("seat {seat}"),
        }
    }

    fn write_news<G: Notation>(
        &self,
        game: &G,
        you: Seat,
        news: &[Event<G::Move>],
        out: &mut String,
    ) {
        for event in news {
            match *event {
                Event::Moved(mover, mv) => {
                    *out += &format!("{}: ", self.name(mover, you));
                    game.write_move(mv, out);
                    out.push('\n');
                }
                Event::Eliminated(seats, why) => seats
                    .iter()
                    .for_each(|seat| *out += &format!("{}: out by {why}\n", self.name(seat, you))),
            }
        }
    }
}

impl<G: GameEntry> RefereeEnd<G> for Terminal {
    fn open(&mut self, context: &GameContext<G>, out: &mut String) -> Init {
        self.seats = context.seats;
        *out += &format!("\n{}: {}\n", G::META.title, G::META.summary);
        *out += &format!("You have seat {}. Ctrl-D gives up.\n", context.seat);
        Init::None
    }

    fn write_turn(&mut self, turn: &Turn<G>, out: &mut String) {
        out.push('\n');
        self.write_news(turn.game, turn.seat, turn.news, out);
        let names: Vec<String> =
            (0..self.seats).map(|seat| self.name(Seat::new(seat), turn.seat)).collect();
        let names = names.iter().map(String::as_str).collect();
        let view = View { seat: turn.seat, colour: self.colour, names };
        *out += &turn.game.draw(turn.state, &view);
        out.push_str("your move");
        if G::LISTS_LEGAL_MOVES {
            out.push_str(" (");
            for (i, mv) in turn.state.moves(turn.seat).into_iter().enumerate() {
                out.push_str(if i > 0 { " " } else { "" });
                turn.game.write_move(mv, out);
            }
            out.push(')');
        }
        out.push_str("> ");
    }

    fn read_move<'l>(
        &mut self,
        game: &G,
        line: &'l str,
    ) -> Result<ParsedAnswer<'l, G::Move>, ParseError> {
        // A person may type small letters where the notation has capitals.
        let in_capitals = |why| game.parse_move(&line.to_uppercase()).map_err(|_| why);
        game.parse_move(line).or_else(in_capitals).map(ParsedAnswer::bare)
    }

    fn read_path<'l>(
        &mut self,
        game: &G,
        line: &'l str,
    ) -> Result<ParsedAnswer<'l, Vec<G::Move>>, ParseError> {
        game.parse_path(line).map(ParsedAnswer::bare)
    }

    fn close(&mut self, end: &GameEnd<G>, out: &mut String) {
        out.push('\n');
        self.write_news(end.game, end.seat, end.news, out);
        let score =
            |(i, score): (usize, &i64)| format!("{} {score}", self.name(Seat::new(i), end.seat));
        let scores: Vec<String> = end.scores.iter().enumerate().map(score).collect();
        *out += &format!("The game is over: {}\n", scores.join(", "));
    }
}
