//! Letters of the paths to the boards of the beam: linked lists with one step per unit. Boards with
//! common ancestors share steps.

use std::rc::Rc;

/// Letters of a path, as a list from the last unit back to the first.
#[derive(Clone, Default)]
pub struct LetterPath(Option<Rc<PathStep>>);

/// Letters of a unit, after those of the units before it.
struct PathStep {
    before: LetterPath,
    text: Box<[u8]>,
}

impl LetterPath {
    /// Continues the path by the letters of a unit.
    pub fn then(self, text: Box<[u8]>) -> LetterPath {
        LetterPath(Some(Rc::new(PathStep { before: self, text })))
    }

    /// Returns all letters.
    pub fn text(&self) -> Vec<u8> {
        let steps = std::iter::successors(self.0.as_ref(), |step| step.before.0.as_ref());
        let mut parts: Vec<&[u8]> = steps.map(|step| &step.text[..]).collect();
        parts.reverse();
        parts.concat()
    }
}

impl Drop for LetterPath {
    /// Drops the steps that no other path shares, one by one: recursion could overflow the stack on
    /// a game of many units.
    fn drop(&mut self) {
        let mut last = self.0.take();
        while let Some(mut step) = last.and_then(Rc::into_inner) {
            last = step.before.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_share_their_beginning_and_may_be_long() {
        let common = LetterPath::default().then(b"pa".as_slice().into());
        let (west, east) = (common.clone().then([b'p'].into()), common.then([b'b'].into()));
        assert_eq!((west.text(), east.text()), (b"pap".to_vec(), b"pab".to_vec()));
        assert!(LetterPath::default().text().is_empty());
        let long = (0..1_000_000).fold(east, |path, _| path.then([b'l'].into()));
        assert_eq!(long.text().len(), 1_000_003);
    }
}
