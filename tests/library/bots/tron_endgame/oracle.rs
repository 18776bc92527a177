//! Reference implementations of longest paths: brute force, and a dynamic programme without bounds,
//! blocks or parentheses.

use arbitre::bots::tron::endgame::FreeRegion;
use arbitre::games::tron::{Direction, Point};
use arbitre::rng::Rng;
use std::collections::HashMap;

/// A grid with obstacles and a head.
#[derive(Clone, Debug)]
pub struct Room {
    pub width: usize,
    pub height: usize,
    /// Whether each cell is free, row by row; the head's cell is not.
    pub free: Vec<bool>,
    pub head: usize,
}

impl Room {
    /// Returns a room in which each cell is an obstacle with a chance of `obstacles` percent.
    pub fn draw(width: usize, height: usize, obstacles: usize, rng: &mut Rng) -> Room {
        let mut free: Vec<bool> =
            (0..width * height).map(|_| rng.below(100) >= obstacles).collect();
        let head = rng.below(free.len());
        free[head] = false;
        Room { width, height, free, head }
    }

    pub fn region(&self) -> FreeRegion {
        let point = Point { x: (self.head % self.width) as u8, y: (self.head / self.width) as u8 };
        let is_free = |at: Point| self.free[usize::from(at.y) * self.width + usize::from(at.x)];
        FreeRegion::new(self.width, self.height, point, is_free)
    }

    /// Returns the neighbour in this direction if it is free.
    fn neighbour(&self, cell: usize, way: Direction) -> Option<usize> {
        let (x, y) = (cell % self.width, cell / self.width);
        let inside = match way {
            Direction::Up => y > 0,
            Direction::Right => x + 1 < self.width,
            Direction::Down => y + 1 < self.height,
            Direction::Left => x > 0,
        };
        let (dx, dy) = way.delta();
        let to =
            || (cell as isize + isize::from(dx) + isize::from(dy) * self.width as isize) as usize;
        inside.then(to).filter(|&to| self.free[to])
    }

    /// Moves the head.
    ///
    /// # Panics
    /// Panics if the cell is not free.
    pub fn play(&mut self, way: Direction) {
        self.head = self.neighbour(self.head, way).expect("a move leads to a free cell");
        self.free[self.head] = false;
    }

    pub fn is_stuck(&self) -> bool {
        Direction::ALL.into_iter().all(|way| self.neighbour(self.head, way).is_none())
    }

    pub fn brute_force(&mut self) -> usize {
        let head = self.head;
        let mut longest = 0;
        for way in Direction::ALL {
            let Some(to) = self.neighbour(head, way) else { continue };
            (self.free[to], self.head) = (false, to);
            longest = longest.max(1 + self.brute_force());
            (self.free[to], self.head) = (true, head);
        }
        longest
    }

    /// Returns the length of the longest path in moves.
    pub fn longest(&self) -> usize {
        let mut programme = Programme { room: self, longest: 1, layer: HashMap::new() };
        programme.layer.insert(Plugs { labels: vec![0; self.width + 1], has_end: false }, 0);
        (0..self.free.len()).for_each(|cell| programme.pass(cell));
        programme.longest - 1
    }
}

/// Label of the piece of path with the head. Other pieces get numbers above [`END`] in the order in
/// which they appear.
const HEAD: u8 = 1;
/// Label of the piece of path with the end.
const END: u8 = 2;

/// Pieces that cross the line between processed cells and the others. The labels are those of the
/// edges down by column, then of the edge right of the last cell.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Plugs {
    labels: Vec<u8>,
    has_end: bool,
}

struct Programme<'a> {
    room: &'a Room,
    /// Number of cells on the longest complete path.
    longest: usize,
    /// Largest number of visited cells by crossing pieces.
    layer: HashMap<Plugs, usize>,
}

impl Programme<'_> {
    fn pass(&mut self, cell: usize) {
        for (plugs, visited) in std::mem::take(&mut self.layer) {
            for edges in 0..4 {
                self.choose(cell, plugs.clone(), visited, edges & 1 != 0, edges & 2 != 0);
            }
        }
    }

    /// Adds the state in which the path leaves a cell right, down, both ways or neither.
    fn choose(&mut self, cell: usize, plugs: Plugs, visited: usize, right: bool, down: bool) {
        let (room, column) = (self.room, cell % self.room.width);
        let is_head = cell == room.head;
        let in_path = |to: usize| room.free[to] || to == room.head;
        let opens = |way, leaves: bool| {
            let (x, y) =
                (column + usize::from(way == 1), cell / room.width + usize::from(way == 2));
            !leaves || x < room.width && y < room.height && in_path(y * room.width + x)
        };
        if !opens(1, right) || !opens(2, down) || !in_path(cell) && (right || down) {
            return;
        }
        let mut plugs = plugs;
        let incoming: Vec<u8> = [column, room.width]
            .into_iter()
            .map(|at| std::mem::take(&mut plugs.labels[at]))
            .filter(|&label| label != 0)
            .collect();
        let degree = incoming.len() + usize::from(right) + usize::from(down);
        let mut pieces = incoming.clone();
        match (degree, is_head) {
            (0, false) => return self.keep(plugs, visited),
            (1, true) => pieces.push(HEAD),
            (1, false) if !plugs.has_end => {
                plugs.has_end = true;
                pieces.push(END);
            }
            (2, false) => {}
            _ => return,
        }
        if pieces.len() == 2 && pieces[0] == pieces[1] {
            return;
        }
        pieces.sort_unstable();
        if pieces == [HEAD, END] {
            if plugs.labels.iter().all(|&label| label == 0) && !right && !down {
                self.longest = self.longest.max(visited + 1);
            }
            return;
        }
        let piece = pieces.first().copied().unwrap_or(u8::MAX);
        let renamed = |label: &mut u8| {
            if pieces.contains(label) {
                *label = piece;
            }
        };
        plugs.labels.iter_mut().for_each(renamed);
        plugs.labels[column] = if down { piece } else { 0 };
        plugs.labels[room.width] = if right { piece } else { 0 };
        self.keep(plugs, visited + 1);
    }

    fn keep(&mut self, mut plugs: Plugs, visited: usize) {
        let mut names = vec![0, HEAD, END];
        for label in &mut plugs.labels {
            if *label > END || *label == u8::MAX {
                let known = names[3..].iter().position(|name| name == label);
                let number = known.unwrap_or(names.len() - 3);
                if known.is_none() {
                    names.push(*label);
                }
                *label = number as u8 + 3;
            }
        }
        let most = self.layer.entry(plugs).or_insert(0);
        *most = visited.max(*most);
    }
}
