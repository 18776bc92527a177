//! Reference implementation of the rules, as the sheet describes them: a grid of rows, and the row
//! and column of the blank. It shares no code with [`Board`](super::Board).

/// A grid, the position of its blank, and the remaining moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaquinReference {
    /// Tiles by row and column. The blank's cell holds `i32::MAX`.
    grid: Vec<Vec<i32>>,
    i: i32,
    j: i32,
    /// Remaining moves.
    left: u32,
}

/// Row and column offsets of the directions down, right, left and up.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (0, -1), (-1, 0)];

impl TaquinReference {
    /// Creates a game from rows separated by `/`, with the blank as `_` and `left` remaining moves.
    ///
    /// # Panics
    /// Panics if the text has no blank.
    pub fn new(text: &str, left: u32) -> TaquinReference {
        let row = |row: &str| -> Vec<i32> {
            row.split_whitespace().map(|word| word.parse().unwrap_or(i32::MAX)).collect()
        };
        let grid: Vec<Vec<i32>> = text.split('/').map(row).collect();
        let at = |i: usize| grid[i].iter().position(|&tile| tile == i32::MAX).map(|j| (i, j));
        let (i, j) = (0..grid.len()).find_map(at).expect("a blank");
        TaquinReference { grid, i: i as i32, j: j as i32, left }
    }

    /// Returns `true` if the tiles are in reading order and the blank is last.
    pub fn is_solved(&self) -> bool {
        let tiles: Vec<i32> = self.grid.concat();
        let count = tiles.len() as i32;
        (0..count - 1).zip(&tiles).all(|(number, &tile)| tile == number)
    }

    /// Returns the indices of the legal moves; none once the game is over.
    pub fn legal(&self) -> Vec<usize> {
        let inside = |&way: &usize| {
            let (i, j) = (self.i + STEPS[way].0, self.j + STEPS[way].1);
            i >= 0 && j >= 0 && i < self.grid.len() as i32 && j < self.grid[0].len() as i32
        };
        let is_over = self.left == 0 || self.is_solved();
        (0..4).filter(|way| !is_over && inside(way)).collect()
    }

    /// Slides the blank in direction `way`.
    pub fn play(&mut self, way: usize) {
        let (i, j) = (self.i + STEPS[way].0, self.j + STEPS[way].1);
        self.grid[self.i as usize][self.j as usize] = self.grid[i as usize][j as usize];
        self.grid[i as usize][j as usize] = i32::MAX;
        (self.i, self.j, self.left) = (i, j, self.left - 1);
    }

    /// Returns the board as rows separated by `/`.
    pub fn picture(&self) -> String {
        let word = |&tile: &i32| if tile == i32::MAX { "_".into() } else { tile.to_string() };
        let row = |row: &Vec<i32>| row.iter().map(word).collect::<Vec<String>>().join(" ");
        self.grid.iter().map(row).collect::<Vec<String>>().join(" / ")
    }
}
