//! The phrases that a unit can play, and the points of a text for them.

use arbitre_games::games::hextris::{AxialCoord, PhraseNode, Phrases, Piece, Symbol, FIRST_USE};
use std::collections::HashSet;

/// Returns the points of a text that continues from a node, where the phrases of `used` were used.
pub fn points(phrases: &Phrases, mut node: PhraseNode, text: &[u8], mut used: u64) -> u32 {
    let mut points = 0;
    for &letter in text {
        node = phrases.after(node, letter);
        let ended = phrases.ended(node);
        points += phrases.gain(node) + first_uses(ended & !used);
        used |= ended;
    }
    points
}

/// Returns the points of the first use of each of these phrases.
pub fn first_uses(new: u64) -> u32 {
    new.count_ones() * FIRST_USE as u32
}

/// The phrases that a unit can play where nothing is in its way, as bits.
pub fn playable(phrases: &Phrases, piece: &Piece) -> u64 {
    let numbered = phrases.texts().iter().enumerate();
    let can_play = numbered.filter(|(_, text)| playable_from(text, piece) == 0);
    can_play.fold(0, |set, (number, _)| set | 1 << number)
}

/// From which of its characters on this text commands to the end, and brings a unit to no position twice. The
/// pivot and the rotation tell positions apart, whatever the board.
pub fn playable_from(text: &str, piece: &Piece) -> usize {
    let (mut at, mut rotation) = (AxialCoord { y: 0, q: 0 }, 0);
    let mut held = vec![(at, rotation)];
    for letter in text.bytes() {
        let Some(command) = Symbol::of(letter).command() else {
            // It is where it was, and so the text can be played from behind this at best.
            held.push((at, rotation));
            continue;
        };
        at = at.plus(command.way());
        rotation = piece.shift(rotation, command).rotation.into();
        held.push((at, rotation));
    }
    let mut seen = HashSet::new();
    let new = held.iter().rev().take_while(|&&position| seen.insert(position)).count();
    held.len() - new
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::games::hextris::{draw_problem, Command, Rules, Terrain};
    use arbitre_games::rng::Rng;

    /// Step by step, each time from where it begins.
    fn is_playable(text: &str, piece: &Piece) -> bool {
        let (mut at, mut rotation) = (AxialCoord { y: 0, q: 0 }, 0);
        let mut held = vec![(at, rotation)];
        text.bytes().all(|letter| {
            let Some(command) = Symbol::of(letter).command() else { return false };
            let path = match command {
                Command::West => AxialCoord { y: 0, q: -1 },
                Command::East => AxialCoord { y: 0, q: 1 },
                Command::SouthWest => AxialCoord { y: 1, q: -1 },
                Command::SouthEast => AxialCoord { y: 1, q: 0 },
                _ => AxialCoord { y: 0, q: 0 },
            };
            at = at.plus(path);
            rotation = piece.shift(rotation, command).rotation.into();
            let is_new = !held.contains(&(at, rotation));
            held.push((at, rotation));
            is_new
        })
    }

    #[test]
    fn from_there_on_a_text_can_be_played_and_from_no_earlier_letter() {
        let (rules, mut rng) = (Rules::parse("contest").unwrap(), Rng::new(12));
        let custom = ["pkkpdbbd", "ssseespsps", "uuuuu", "dddddd", "pb", "p\tb", "é", "l!a"];
        let texts = Phrases::official().texts().to_vec();
        let texts: Vec<&str> = texts.iter().map(String::as_str).chain(custom).collect();
        let mut firsts = [0; 3];
        for _ in 0..20 {
            let terrain = Terrain::new(draw_problem(&rules, &mut rng));
            for (piece, text) in
                terrain.pieces().iter().flat_map(|p| texts.iter().map(move |t| (p, t)))
            {
                let first = playable_from(text, piece);
                for from in (0..=text.len()).filter(|&from| text.is_char_boundary(from)) {
                    assert_eq!(is_playable(&text[from..], piece), from >= first, "{text} {from}");
                }
                firsts[usize::from(first > 0) + usize::from(first == text.len())] += 1;
            }
        }
        assert!(firsts.iter().all(|&count| count > 10), "{firsts:?}");
    }
}
