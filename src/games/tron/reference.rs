//! The rules once more, slowly: written from the text of the rules with plain loops, for tests to
//! compare the compact position with. Nothing here shares code with it.

/// Columns and rows from a cell to its neighbours: up, right, down, left.
const STEPS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// A game, as every cell that every cycle has been on.
#[derive(Clone, Debug)]
pub struct TronReference {
    width: i32,
    height: i32,
    walls: Vec<(i32, i32)>,
    /// By seat; gone once the cycle is out. The last cell is the head.
    trails: Vec<Option<Vec<(i32, i32)>>>,
    turn: usize,
    /// Who went out together, earliest first.
    out: Vec<Vec<usize>>,
}

impl TronReference {
    /// A game on a grid of this size with these obstacles, each cycle at its start.
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

    /// The game of a picture, with a seat to move. The course of a ribbon does not matter.
    ///
    /// # Panics
    /// If there are other characters in it than [`TronReference::picture`] writes.
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

    /// Is the game over?
    pub fn is_over(&self) -> bool {
        self.in_game().len() < 2
    }

    /// Whose turn it is, while the game goes on.
    pub fn mover(&self) -> usize {
        self.turn
    }

    /// `.` for a free cell, `#` for a wall, a digit for a ribbon, a letter for its head.
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

    /// The rows of cells, joined by `/`.
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

    /// The legal moves of whoever is to move, as 0 up, 1 right, 2 down, 3 left; none once the game
    /// is over.
    pub fn legal(&self) -> Vec<usize> {
        if self.is_over() {
            Vec::new()
        } else {
            self.ways(self.turn)
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, way: usize) {
        let next = self.next_cell(self.turn, way).expect("the mover is in the game");
        self.trails[self.turn].as_mut().expect("the mover is in the game").push(next);
        self.turn = (self.turn + 1) % self.trails.len();
        self.skip_who_cannot_move();
    }

    /// Takes seats out of the game together, those that are out already apart.
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

    /// Seat by seat from the one whose turn it is, until one can move or nobody is left to play with.
    fn skip_who_cannot_move(&mut self) {
        while !self.is_over() && self.ways(self.turn).is_empty() {
            if self.trails[self.turn].take().is_some() {
                self.out.push(vec![self.turn]);
            }
            self.turn = (self.turn + 1) % self.trails.len();
        }
    }

    /// By seat, how many went out earlier, once the game is over.
    pub fn scores(&self) -> Option<Vec<i64>> {
        let earlier = |seat: usize| {
            let groups = self.out.iter().take_while(|group| !group.contains(&seat));
            groups.map(|group| group.len() as i64).sum()
        };
        self.is_over().then(|| (0..self.trails.len()).map(earlier).collect())
    }

    /// How many steps a seat's head is from each cell, row by row: over free cells and its own, as if
    /// nobody else moved.
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

    /// By seat, how many cells it reaches in fewer steps than every other.
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
