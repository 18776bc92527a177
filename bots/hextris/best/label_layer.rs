//! Labels of the phrase DP, in buckets of the best few for each place (see [`super`]).

use arbitre_games::games::hextris::PhraseNode;

/// State of the phrase DP: one of several paths to a place, and the text on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct DpLabel {
    /// Points plus the value of the partial phrases. The best labels have the highest keys.
    pub key: i32,
    /// Points for phrases, with first uses at their current value.
    pub points: i32,
    /// Index of the last letter in the traces of the phrase DP.
    pub last_letter: u32,
    /// Node at the end of the text.
    pub node: PhraseNode,
    /// Turns at this cell of the pivot, counter-clockwise ones negative.
    pub turned: i8,
    /// Phrases used for the first time, as bits.
    pub newly_used: u64,
}

impl DpLabel {
    /// Returns the rank by which one of two labels with the same node is kept: by points, then by
    /// the turns that remain.
    fn rank(&self) -> (i32, i8) {
        (self.points, -self.turned.abs())
    }

    /// Creates the label of an empty text.
    pub fn start(node: PhraseNode) -> DpLabel {
        DpLabel { node, ..DpLabel::default() }
    }
}

/// Buckets of labels with different nodes.
#[derive(Default)]
pub struct LabelLayer {
    /// Number of labels that a bucket can hold.
    limit: usize,
    buckets: Vec<Bucket>,
    labels: Vec<DpLabel>,
    /// The buckets that are not empty, in the order of their first labels.
    occupied: Vec<u32>,
}

/// Fill level of a bucket.
#[derive(Clone, Copy)]
struct Bucket {
    length: u8,
    /// Index of the label with the least key, once the bucket is full.
    worst: u8,
    /// Least key, once the bucket is full.
    least_key: i32,
}

const EMPTY: Bucket = Bucket { length: 0, worst: 0, least_key: i32::MIN };

impl LabelLayer {
    /// Empties the layer, and prepares it for `buckets` buckets of at most `limit` labels.
    pub fn prepare(&mut self, buckets: usize, limit: usize) {
        self.clear();
        self.limit = limit;
        if self.buckets.len() < buckets {
            self.buckets.resize(buckets, EMPTY);
        }
        if self.labels.len() < buckets * limit {
            self.labels.resize(buckets * limit, DpLabel::default());
        }
    }

    /// Empties the layer.
    pub fn clear(&mut self) {
        self.occupied.drain(..).for_each(|bucket| self.buckets[bucket as usize] = EMPTY);
    }

    /// Returns `true` if there is any label.
    pub fn has_any(&self) -> bool {
        !self.occupied.is_empty()
    }

    /// Returns the buckets that have labels.
    pub fn occupied(&self) -> &[u32] {
        &self.occupied
    }

    /// Returns the labels of a bucket.
    #[inline]
    pub fn labels(&self, bucket: usize) -> &[DpLabel] {
        let begin = bucket * self.limit;
        &self.labels[begin..begin + usize::from(self.buckets[bucket].length)]
    }

    /// Returns `true` if a label with this key may be taken.
    #[inline]
    pub fn wants(&self, bucket: usize, key: i32) -> bool {
        key > self.buckets[bucket].least_key
    }

    /// Takes a label if it is among the best, and none with the same node ranks as high. A label
    /// that is taken gets the index of its last letter from `last_letter`.
    pub fn offer(&mut self, bucket: usize, label: &DpLabel, last_letter: impl FnOnce() -> u32) {
        let begin = bucket * self.limit;
        let state = &mut self.buckets[bucket];
        let length = usize::from(state.length);
        let labels = &mut self.labels[begin..begin + self.limit];
        let same = labels[..length].iter().position(|other| other.node == label.node);
        let at = match same {
            Some(at) if label.rank() <= labels[at].rank() => return,
            Some(at) => at,
            None if length < self.limit => {
                state.length += 1;
                if length == 0 {
                    self.occupied.push(bucket as u32);
                }
                length
            }
            None if label.key > state.least_key => state.worst.into(),
            None => return,
        };
        labels[at] = DpLabel { last_letter: last_letter(), ..*label };
        // The least key is kept at hand, as `wants` compares every label with it.
        if usize::from(state.length) == self.limit {
            let keys = labels.iter().map(|label| label.key).enumerate();
            let (worst, least_key) = keys.min_by_key(|&(_, key)| key).expect("the bucket is full");
            (state.worst, state.least_key) = (worst as u8, least_key);
        }
    }
}
