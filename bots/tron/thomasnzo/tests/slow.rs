//! Reference implementation of the flood and its results, written from the debrief's text. It
//! shares no code with the fast ones.

/// Rows of cells: `.` free, `#` wall, a digit for a trail, a letter for its head.
pub type Picture = Vec<Vec<char>>;

/// A place: column and row.
pub type Place = (usize, usize);

/// Player that reached each cell first and the step, by row and column.
pub type Reached = Vec<Vec<Option<(usize, u16)>>>;

pub const LETTERS: [char; 4] = ['A', 'B', 'C', 'D'];
pub const DIGITS: [char; 4] = ['0', '1', '2', '3'];

pub fn places(picture: &Picture) -> Vec<Place> {
    let (width, height) = (picture[0].len(), picture.len());
    (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).collect()
}

pub fn neighbours(picture: &Picture, (x, y): Place) -> Vec<Place> {
    let around = [(x, y.wrapping_sub(1)), (x + 1, y), (x, y + 1), (x.wrapping_sub(1), y)];
    around.into_iter().filter(|&(x, y)| y < picture.len() && x < picture[0].len()).collect()
}

pub fn head(picture: &Picture, seat: usize) -> Option<Place> {
    places(picture).into_iter().find(|&(x, y)| picture[y][x] == LETTERS[seat])
}

/// Floods a picture step by step. First the players of `enclosed` with a shorter life than the step
/// are removed with all their walls. Then each player in turn takes the free cells beside those it
/// had before; at step 1 those beside its head. A step in which no cell is taken ends the flood.
pub fn flood(picture: &Picture, turns: &[usize], enclosed: &[(usize, u16)]) -> (Reached, u16) {
    let mut picture = picture.clone();
    let mut reached: Reached = vec![vec![None; picture[0].len()]; picture.len()];
    let heads: Vec<_> = turns.iter().map(|&seat| head(&picture, seat)).collect();
    for step in 1.. {
        for &(seat, _) in enclosed.iter().filter(|&&(_, life)| step > life) {
            for cell in picture.iter_mut().flatten() {
                if *cell == LETTERS[seat] || *cell == DIGITS[seat] {
                    *cell = '.';
                }
            }
        }
        let mut took = false;
        for (&seat, &head) in turns.iter().zip(&heads) {
            for place in places(&picture) {
                let had = |near: Place| {
                    let before = reached[near.1][near.0];
                    before.is_some_and(|(owner, at)| owner == seat && at < step)
                        || (step == 1 && Some(near) == head)
                };
                let (x, y) = place;
                let is_free = picture[y][x] == '.' && reached[y][x].is_none();
                if is_free && neighbours(&picture, place).into_iter().any(had) {
                    reached[y][x] = Some((seat, step));
                    took = true;
                }
            }
        }
        if !took {
            return (reached, step - 1);
        }
    }
    unreachable!("a grid has finitely many cells")
}

/// Returns the distance of each place from `from` over places that pass; `from` itself need not
/// pass.
pub fn distances(
    picture: &Picture,
    from: Place,
    passes: impl Fn(Place) -> bool,
) -> Vec<Vec<Option<u16>>> {
    let mut distances = vec![vec![None; picture[0].len()]; picture.len()];
    distances[from.1][from.0] = Some(0);
    for step in 1..=places(picture).len() as u16 {
        for (x, y) in places(picture) {
            let comes = |(a, b): Place| distances[b][a] == Some(step - 1);
            if distances[y][x].is_none()
                && passes((x, y))
                && neighbours(picture, (x, y)).into_iter().any(comes)
            {
                distances[y][x] = Some(step);
            }
        }
    }
    distances
}

/// Returns the cells that a head can reach.
pub fn reachable(picture: &Picture, seat: usize) -> Vec<Place> {
    let head = head(picture, seat).expect("it is in the game");
    let far = distances(picture, head, |(x, y)| picture[y][x] == '.');
    let is_reached = |&(x, y): &Place| far[y][x].is_some_and(|steps| steps > 0);
    places(picture).into_iter().filter(is_reached).collect()
}

/// Returns the number of cells of the largest connected part of a player's region.
pub fn largest_piece(picture: &Picture, reached: &Reached, seat: usize) -> usize {
    let is_own = |(x, y): Place| reached[y][x].is_some_and(|(owner, _)| owner == seat);
    let own = places(picture).into_iter().filter(|&place| is_own(place));
    let piece = |place| {
        distances(picture, place, is_own).iter().flatten().filter(|steps| steps.is_some()).count()
    };
    own.map(piece).max().unwrap_or(0)
}
