//! The rules once more, slowly, as the sheet has them: a grid as rows of rows, and the row and column of
//! the blank. Nothing here shares code with the board.

/// A grid and where its blank is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaquinReference {
    /// What the blank's cell holds does not matter: the largest number, as it happens.
    grid: Vec<Vec<i32>>,
    i: i32,
    j: i32,
    /// Moves that are left.
    left: u32,
}

/// Rows and columns to the next cell: down, right, left, up.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (0, -1), (-1, 0)];

impl TaquinReference {
    /// The game of a board as rows separated by `/`, the blank as `_`, with so many moves left.
    ///
    /// # Panics
    /// If there is anything else.
    pub fn new(text: &str, left: u32) -> TaquinReference {
        let row = |row: &str| -> Vec<i32> {
            row.split_whitespace().map(|word| word.parse().unwrap_or(i32::MAX)).collect()
        };
        let grid: Vec<Vec<i32>> = text.split('/').map(row).collect();
        let at = |i: usize| grid[i].iter().position(|&tile| tile == i32::MAX).map(|j| (i, j));
        let (i, j) = (0..grid.len()).find_map(at).expect("a blank");
        TaquinReference { grid, i: i as i32, j: j as i32, left }
    }

    /// The tiles in reading order, the blank last: the goal.
    pub fn is_solved(&self) -> bool {
        let tiles: Vec<i32> = self.grid.concat();
        let count = tiles.len() as i32;
        (0..count - 1).zip(&tiles).all(|(number, &tile)| tile == number)
    }

    /// The possible moves as numbers; none once it is over.
    pub fn legal(&self) -> Vec<usize> {
        let inside = |&way: &usize| {
            let (i, j) = (self.i + STEPS[way].0, self.j + STEPS[way].1);
            i >= 0 && j >= 0 && i < self.grid.len() as i32 && j < self.grid[0].len() as i32
        };
        let is_over = self.left == 0 || self.is_solved();
        (0..4).filter(|way| !is_over && inside(way)).collect()
    }

    /// Slides the blank.
    pub fn play(&mut self, way: usize) {
        let (i, j) = (self.i + STEPS[way].0, self.j + STEPS[way].1);
        self.grid[self.i as usize][self.j as usize] = self.grid[i as usize][j as usize];
        self.grid[i as usize][j as usize] = i32::MAX;
        (self.i, self.j, self.left) = (i, j, self.left - 1);
    }

    /// The board as rows separated by `/`.
    pub fn picture(&self) -> String {
        let word = |&tile: &i32| if tile == i32::MAX { "_".into() } else { tile.to_string() };
        let row = |row: &Vec<i32>| row.iter().map(word).collect::<Vec<String>>().join(" ");
        self.grid.iter().map(row).collect::<Vec<String>>().join(" / ")
    }
}
