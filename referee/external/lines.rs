//! Lines of a program for a seat.

use arbitre_games::game::Seat;
use arbitre_games::text::join;
use std::mem;

/// Lines for one seat.
#[derive(Default)]
pub struct SeatLines {
    /// Lines that it has not received yet.
    waiting: String,
    /// Lines that it received last.
    received: String,
}

impl SeatLines {
    /// Adds lines.
    pub fn add(&mut self, lines: &str) {
        self.waiting += lines;
    }

    /// Hands out the lines that wait; none, as for the second line of an answer.
    pub fn hand_out(&mut self) -> &str {
        if self.waiting.is_empty() {
            return "";
        }
        self.received = mem::take(&mut self.waiting);
        &self.received
    }

    /// Takes the lines that wait at the end of a game.
    pub fn take_rest(&mut self) -> String {
        mem::take(&mut self.waiting)
    }

    /// Returns the newest lines.
    pub fn newest(&self) -> &str {
        if self.waiting.is_empty() {
            &self.received
        } else {
            &self.waiting
        }
    }

    /// Returns the newest lines in one line.
    pub fn in_one_line(&self) -> String {
        join(self.newest().lines(), " | ")
    }

    /// Returns the newest lines below the name of their seat, for people.
    pub fn text(&self, seat: Seat) -> String {
        let lines = self.newest().lines().map(|line| format!("  {line}\n"));
        format!("to seat {seat}:\n{}", lines.collect::<String>())
    }
}
