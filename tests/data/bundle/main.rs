//! A bot with the parts of the language that a bundle could get wrong. It plays no game.

mod parts;

use crate::parts::{Area as Size, Grid, *};
use arbitre_games::rng::Rng;
use std::fmt::{self, Display};

/* A comment /* with another one */ inside. */
const MOST: usize = 7;

/// A name that the standard library has, too.
trait Shape {
    const NONE: Self;
    fn len(&self) -> usize;
    fn unused(&self) -> Nowhere;
    fn twice(&self) -> usize {
        2 * self.len()
    }
}

struct Nowhere;

/// Implements `Shape`.
macro_rules! shapes {
    ($($shape:ident: $len:expr),*) => {$(
        impl Shape for $shape {
            const NONE: Self = $shape;
            fn len(&self) -> usize {
                $len
            }
            fn unused(&self) -> Nowhere {
                Nowhere
            }
        }
    )*};
}

#[derive(Clone, Copy)]
struct Line;
struct Square;

shapes!(Line: 2, Square: 4);

impl Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let len = self.len();
        write!(f, "line of {len:>MOST$}, {{len}} {}", "{len}")
    }
}

fn never() -> &'static str {
    include_str!("unused.txt")
}

fn longest<'a>(words: &[&'a str]) -> &'a str {
    use std::cmp::Reverse;
    words.iter().copied().max_by_key(|word| (word.len(), Reverse(*word))).unwrap_or("none")
}

fn sum<const N: usize>(cells: [u8; N]) -> impl Iterator<Item = u32> + use<N> {
    let mut sum = 0;
    cells.into_iter().map(move |cell| {
        sum += u32::from(cell);
        sum
    })
}

fn main() {
    let never = MOST; // "never" is also a function
    println!("{}", r#"a // "b" /* {never} */"#);
    println!("{never} {MOST:02} {:?} {:?} {}", '"', '\'', b"\"//"[0]);
    println!("{} {} {}", Line, Line::NONE.twice(), <Square as Shape>::NONE.len());
    println!("{}", longest(&["one", "three", "seven"]));
    println!("{:?}", sum([1, 2, 3]).collect::<Vec<_>>().len());
    // A name that is missing here would match everything.
    let side = match Grid::new(4, 3).larger() {
        Height => "height",
        Side::Width => "width",
    };
    println!("{side} {}", Size::of(&Grid::new(3, 4)).0);
    println!("{}", 1 - -1 & !0);
    println!("{}", Rng::new(MOST as u64).below(1000));
    print!("{}", include_str!("text.txt"));
}

#[cfg(test)]
mod tests {
    use nowhere::Nothing;
}
