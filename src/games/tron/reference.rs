//! Reference implementation of the rules for tests: plain loops, written from the text of the
//! rules. It shares no code with the compact position.

/// Change of column and row to each neighbour: up, right, down, left.
const STEPS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// A game, stored as the cells of every trail.
#[derive(Clone, Debug)]
pub struct TronReference {
    width: i32,
    height: i32,
    walls: Vec<(i32, i32)>,
    /// Trails by seat, head last; `None` once the cycle is eliminated.
    trails: Vec<Option<Vec<(i32, i32)>>>,
    turn: usize,
    /// Groups of seats eliminated together, earliest first.
    out: Vec<Vec<usize>>,
}

impl TronReference {
    /// Creates a game on a grid of this size with these obstacles, each cycle at its start.
    pub fn new(
        (width, height): (usize, usize),
        walls: Vec<(i32, i32)>,
        starts: &[(i32, i32)],
    ) -> TronReference {
        let trails = starts.iter().map(|&start| Some(vec![start])).collect();
        let (width, height) = (width as i32, height as i32);
        let mut game = TronReference { width, height, walls, trails, turn: 0, out: Vec::new() };
        game.skip_who_cannot_move();
        game
    }

    /// Creates the game of a picture, with seat `turn` to move. The order of a trail's cells before
    /// its head does not matter.
    ///
    /// # Panics
    /// Panics if the picture has a character that [`TronReference::picture`] does not write, or no
    /// head.
    pub fn of_picture(picture: &str, turn: usize) -> TronReference {
        let rows: Vec<&str> = picture.split('/').collect();
        let (mut walls, mut trails) = (Vec::new(), vec![Vec::new(); 4]);
        let mut heads = Vec::new();
        for (y, row) in (0..).zip(&rows) {
            for (x, cell) in (0..).zip(row.chars()) {
                match cell {
                    '.' => {}
                    '#' => walls.push((x, y)),
                    'A'..='D' => heads.push((cell as usize - 'A' as usize, (x, y))),
                    _ => trails[cell.to_digit(4).expect("a seat") as usize].push((x, y)),
                }
            }
        }
        heads.iter().for_each(|&(seat, head)| trails[seat].push(head));
        trails.truncate(1 + heads.iter().map(|(seat, _)| *seat).max().expect("a head"));
        let trails = trails.into_iter().map(|r| Some(r).filter(|r| !r.is_empty())).collect();
        let (width, height) = (rows[0].len() as i32, rows.len() as i32);
        TronReference { width, height, walls, trails, turn, out: Vec::new() }
    }

    fn in_game(&self) -> Vec<usize> {
        (0..self.trails.len()).filter(|&seat| self.trails[seat].is_some()).collect()
    }

    /// Returns `true` if the game is over.
    pub fn is_over(&self) -> bool {
        self.in_game().len() < 2
    }

    /// Returns the seat to move, while the game is not over.
    pub fn mover(&self) -> usize {
        self.turn
    }

    /// Returns `.` for a free cell, `#` for a wall or a point off the grid, a digit for a trail and
    /// a letter for its head.
    pub fn cell(&self, at: (i32, i32)) -> char {
        let outside = at.0 < 0 || at.1 < 0 || at.0 >= self.width || at.1 >= self.height;
        if outside || self.walls.contains(&at) {
            return '#';
        }
        for (seat, trail) in self.trails.iter().enumerate() {
            let Some(trail) = trail else { continue };
            if trail.last() == Some(&at) {
                return ['A', 'B', 'C', 'D'][seat];
            }
            if trail.contains(&at) {
                return ['0', '1', '2', '3'][seat];
            }
        }
        '.'
    }

    /// Returns the rows of cells, joined by `/`.
    pub fn picture(&self) -> String {
        let row = |y| (0..self.width).map(|x| self.cell((x, y))).collect::<String>();
        (0..self.height).map(row).collect::<Vec<String>>().join("/")
    }

    fn next_cell(&self, seat: usize, way: usize) -> Option<(i32, i32)> {
        let (x, y) = *self.trails[seat].as_ref()?.last()?;
        Some((x + STEPS[way].0, y + STEPS[way].1))
    }

    fn ways(&self, seat: usize) -> Vec<usize> {
        let is_free = |way: &usize| self.next_cell(seat, *way).map(|at| self.cell(at)) == Some('.');
        (0..4).filter(is_free).collect()
    }

    /// Returns the mover's legal moves (0 up, 1 right, 2 down, 3 left); none once the game is over.
    pub fn legal(&self) -> Vec<usize> {
        if self.is_over() {
            Vec::new()
        } else {
            self.ways(self.turn)
        }
    }

    /// Plays a legal move of the mover.
    ///
    /// # Panics
    /// Panics if the mover is not in the game.
    pub fn play(&mut self, way: usize) {
        let next = self.next_cell(self.turn, way).expect("the mover is in the game");
        self.trails[self.turn].as_mut().expect("the mover is in the game").push(next);
        self.turn = (self.turn + 1) % self.trails.len();
        self.skip_who_cannot_move();
    }

    /// Eliminates these seats together, except those eliminated earlier.
    pub fn forfeit(&mut self, seats: &[usize]) {
        let seats: Vec<usize> =
            self.in_game().into_iter().filter(|seat| seats.contains(seat)).collect();
        if self.is_over() || seats.is_empty() {
            return;
        }
        seats.iter().for_each(|&seat| self.trails[seat] = None);
        self.out.push(seats);
        self.skip_who_cannot_move();
    }

    /// Passes the turn on until a seat can move or the game is over; eliminates seats that cannot.
    fn skip_who_cannot_move(&mut self) {
        while !self.is_over() && self.ways(self.turn).is_empty() {
            if self.trails[self.turn].take().is_some() {
                self.out.push(vec![self.turn]);
            }
            self.turn = (self.turn + 1) % self.trails.len();
        }
    }

    /// Returns the number of earlier eliminations by seat, once the game is over.
    pub fn scores(&self) -> Option<Vec<i64>> {
        let earlier = |seat: usize| {
            let groups = self.out.iter().take_while(|group| !group.contains(&seat));
            groups.map(|group| group.len() as i64).sum()
        };
        self.is_over().then(|| (0..self.trails.len()).map(earlier).collect())
    }

    /// Returns the steps from a seat's head to each cell, row by row, over free cells, with the
    /// other players standing still.
    fn distances(&self, seat: usize) -> Vec<Option<usize>> {
        let head = *self.trails[seat].as_ref().and_then(|r| r.last()).expect("it is in the game");
        let mut found = vec![head];
        let mut distances = vec![None; (self.width * self.height) as usize];
        let mut steps = 0;
        while !found.is_empty() {
            let mut next = Vec::new();
            for at in found {
                let slot = &mut distances[(at.1 * self.width + at.0) as usize];
                if slot.is_none() {
                    *slot = Some(steps);
                    next.extend(STEPS.map(|(x, y)| (at.0 + x, at.1 + y)));
                }
            }
            next.retain(|&at| self.cell(at) == '.');
            found = next;
            steps += 1;
        }
        distances
    }

    /// Returns, by seat, the number of cells that it reaches in fewer steps than every other.
    pub fn owned(&self) -> Vec<usize> {
        let all: Vec<_> = (0..self.trails.len()).map(|seat| self.distances(seat)).collect();
        let mut owned = vec![0; all.len()];
        for cell in 0..(self.width * self.height) as usize {
            let reached = all.iter().filter_map(|distances| distances[cell]);
            let Some(least) = reached.min() else { continue };
            let first: Vec<usize> =
                (0..all.len()).filter(|&seat| all[seat][cell] == Some(least)).collect();
            if let [only] = first[..] {
                owned[only] += 1;
            }
        }
        owned
    }
}
