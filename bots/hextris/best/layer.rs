//! Labels of the dynamic programme, a few of the best for each place.

use crate::games::hextris::Node;

/// A text that leads somewhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Label {
    /// Points and what the node promises: by this labels are preferred.
    pub key: i32,
    /// What phrases have brought, first uses as they count.
    pub points: i32,
    /// The number of the last letter.
    pub trace: u32,
    /// The node at which it ends.
    pub node: Node,
    /// Turns at this cell of the pivot, counter-clockwise ones negative.
    pub turned: i8,
    /// The phrases that it uses for the first time.
    pub fresh: u64,
}

impl Label {
    /// Of two labels with the same node, the one that is better off: more points, or more turns left.
    fn rank(&self) -> (i32, i8) {
        (self.points, -self.turned.abs())
    }

    /// The text that is yet to begin.
    pub fn start(node: Node) -> Label {
        Label { node, ..Label::default() }
    }
}

/// Buckets of labels, no two with the same node.
#[derive(Default)]
pub struct Layer {
    /// So many labels in a bucket at most.
    limit: usize,
    lengths: Vec<u8>,
    labels: Vec<Label>,
    /// The buckets that are not empty.
    touched: Vec<u32>,
}

impl Layer {
    /// Becomes empty, with so many buckets of so many labels at most.
    pub fn prepare(&mut self, buckets: usize, limit: usize) {
        self.clear();
        self.limit = limit;
        if self.lengths.len() < buckets {
            self.lengths.resize(buckets, 0);
        }
        if self.labels.len() < buckets * limit {
            self.labels.resize(buckets * limit, Label::default());
        }
    }

    /// Becomes empty.
    pub fn clear(&mut self) {
        self.touched.drain(..).for_each(|bucket| self.lengths[bucket as usize] = 0);
    }

    /// Is there any label?
    pub fn has_any(&self) -> bool {
        !self.touched.is_empty()
    }

    /// The buckets that have labels.
    pub fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// The labels of a bucket.
    #[inline]
    pub fn labels(&self, bucket: usize) -> &[Label] {
        let begin = bucket * self.limit;
        &self.labels[begin..begin + usize::from(self.lengths[bucket])]
    }

    /// Takes a label if there is none of the same node with as many points, and it is among the best. Its
    /// last letter is numbered if it is taken.
    #[inline]
    pub fn offer(&mut self, bucket: usize, label: &Label, number: impl FnOnce() -> u32) {
        let (begin, length) = (bucket * self.limit, usize::from(self.lengths[bucket]));
        let labels = &mut self.labels[begin..begin + self.limit];
        let mut worst = 0;
        for other in &mut labels[..length] {
            if other.node == label.node {
                if label.rank() > other.rank() {
                    *other = Label { trace: number(), ..*label };
                }
                return;
            }
        }
        if length < self.limit {
            labels[length] = Label { trace: number(), ..*label };
            self.lengths[bucket] += 1;
            if length == 0 {
                self.touched.push(bucket as u32);
            }
            return;
        }
        for at in 1..length {
            if labels[at].key < labels[worst].key {
                worst = at;
            }
        }
        if label.key > labels[worst].key {
            labels[worst] = Label { trace: number(), ..*label };
        }
    }
}
