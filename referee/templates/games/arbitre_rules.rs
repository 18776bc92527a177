//! Serves the rules of a game to the referee. Implement `Rules` for your game, and call `serve`.

#![allow(dead_code)] // A game does not need everything.

use std::fmt::Display;
use std::io::{self, BufRead, Write};

/// Rules of a game, with at most one game that is being played.
pub trait Rules {
    /// Lower-case letters, digits and hyphens.
    const NAME: &'static str;
    const TITLE: &'static str;
    /// Least and most seats.
    const SEATS: (usize, usize);

    /// Returns setup `number` as one line, drawn by `random`, or `None` if there are fewer.
    fn setup(&self, _seats: usize, number: usize, _random: &mut Random) -> Option<String> {
        (number == 0).then(|| "standard".into())
    }

    /// Begins a game. Returns `false` if the setup is none.
    fn start(&mut self, seats: usize, setup: &str) -> bool;

    /// Returns the seats to move: several if they move at once, none at the end.
    fn turn(&self) -> Vec<usize>;

    /// Returns a score per seat at the end.
    fn scores(&self) -> Vec<i64>;

    /// Returns the legal moves of a seat, each a word.
    fn legal(&self, seat: usize) -> Vec<String>;

    /// Plays a legal move.
    fn play(&mut self, seat: usize, mv: &str);

    /// Returns the position on one line, without what this seat must not see.
    fn state(&self, seat: usize) -> String;

    /// Goes on without seats that are out by a fault. They are last in any case.
    fn out(&mut self, _seats: &[usize]) {}

    /// Returns `true` while others must not see a move of a seat.
    fn hides(&self, _seat: usize, _mv: &str) -> bool {
        false
    }

    /// Returns the position as text of several lines, for people.
    fn picture(&self, _seat: usize) -> Option<String> {
        None
    }
}

/// Random numbers from a text (the generator is splitmix64).
pub struct Random(u64);

impl Random {
    fn new(seed: &str) -> Random {
        let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Random(seed.bytes().fold(0xcbf2_9ce4_8422_2325, fnv))
    }

    /// Returns a number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * n as u128) >> 64) as usize
    }
}

/// Move of a seat, or its end.
struct Event {
    seat: usize,
    text: String,
    mv: Option<String>,
}

/// Answers requests until the input ends.
pub fn serve<R: Rules>(mut rules: R) -> io::Result<()> {
    let mut table = Table::default();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let answer = table.answer(&mut rules, word, rest);
        let answer = answer.unwrap_or_else(|| vec![format!("error expected a request, got {line}")]);
        let mut out = io::stdout().lock();
        answer.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out, ".")?;
        out.flush()?;
    }
    Ok(())
}

#[derive(Default)]
struct Table {
    events: Vec<Event>,
    /// Events that each seat was told, by their numbers.
    told: Vec<Vec<usize>>,
    gone: Vec<Vec<usize>>,
}

impl Table {
    fn answer<R: Rules>(&mut self, rules: &mut R, word: &str, rest: &str) -> Option<Vec<String>> {
        let (first, more) = rest.split_once(' ').unwrap_or((rest, ""));
        let seat = first.parse().unwrap_or(0);
        Some(match word {
            "rules" => {
                let (least, most) = R::SEATS;
                let title = format!("title {}", R::TITLE);
                let seats = format!("seats {least} {most}");
                vec![format!("game {}", R::NAME), title, seats, "lists-legal".into()]
            }
            "draw" => {
                let words: Vec<&str> = rest.split(' ').collect();
                let [seats, _plies, seed, number] = words[..] else { return None };
                let mut random = Random::new(&format!("{seed} {number}"));
                let setup = rules.setup(seats.parse().ok()?, number.parse().ok()?, &mut random);
                setup.map(|setup| format!("setup {setup}")).into_iter().collect()
            }
            "check" if rules.start(seat, more) => vec![format!("setup {more}")],
            "start" if rules.start(seat, more) => {
                *self = Table { told: vec![Vec::new(); seat], ..Table::default() };
                vec![self.status(rules)]
            }
            "told" => Vec::new(),
            "ask" | "close" => {
                let mut lines = self.news(rules, seat);
                if word == "ask" {
                    lines.push(format!("state {}", rules.state(seat)));
                    lines.push(line("legal", &rules.legal(seat)));
                }
                lines
            }
            "play" => {
                let legal = rules.legal(seat);
                if !legal.iter().any(|mv| mv == more) {
                    let expected = legal.join(", ");
                    return Some(vec![format!("illegal expected {expected}, got '{more}'")]);
                }
                rules.play(seat, more);
                let text = format!("moved {seat} {more}");
                self.events.push(Event { seat, text, mv: Some(more.into()) });
                vec![format!("played {more}"), self.status(rules)]
            }
            "out" => {
                let seats: Vec<usize> = more.split(' ').filter_map(|seat| seat.parse().ok()).collect();
                rules.out(&seats);
                for &seat in &seats {
                    self.events.push(Event { seat, text: format!("out {seat} {first}"), mv: None });
                }
                self.gone.push(seats);
                vec![self.status(rules)]
            }
            "state" => vec![format!("state {}", rules.state(seat))],
            "legal" => vec![line("legal", &rules.legal(seat))],
            "picture" => match rules.picture(seat) {
                Some(picture) => picture.lines().map(str::to_owned).collect(),
                None => vec!["unknown".into()],
            },
            "check" | "start" => return None,
            _ => vec!["unknown".into()],
        })
    }

    /// Returns what a seat was not told yet, except what is hidden.
    fn news<R: Rules>(&mut self, rules: &R, viewer: usize) -> Vec<String> {
        let told = &mut self.told[viewer];
        let mut news = Vec::new();
        for (number, Event { seat, text, mv }) in self.events.iter().enumerate() {
            let is_hidden = mv.as_ref().is_some_and(|mv| rules.hides(*seat, mv));
            if *seat != viewer && !is_hidden && !told.contains(&number) {
                told.push(number);
                news.push(text.clone());
            }
        }
        news
    }

    fn status<R: Rules>(&self, rules: &R) -> String {
        let is_gone = |seat: &usize| self.gone.iter().flatten().any(|gone| gone == seat);
        let left: Vec<usize> = rules.turn().into_iter().filter(|seat| !is_gone(seat)).collect();
        if !left.is_empty() {
            return line("turn", &left);
        }
        let groups: Vec<String> = self.gone.iter().map(|group| joined(group)).collect();
        let out = if groups.is_empty() { String::new() } else { format!(" out {}", groups.join(" / ")) };
        line("over", &rules.scores()) + &out
    }
}

fn joined(items: &[impl Display]) -> String {
    items.iter().map(|item| item.to_string()).collect::<Vec<_>>().join(" ")
}

fn line(word: &str, items: &[impl Display]) -> String {
    format!("{word} {}", joined(items)).trim_end().to_owned()
}
