//! A queue of numbers with small priorities, the least first, in which a priority can be changed.

use super::node_store::{push, room};

/// Of equal priorities the one that came last is first, which for A* is mostly the farther one.
#[derive(Default)]
pub struct BucketQueue {
    /// By priority: the numbers.
    buckets: Vec<Vec<u32>>,
    /// By number: its bucket, if it is in the queue.
    bucket_of: Vec<u8>,
    /// By number: its place there.
    places: Vec<u32>,
    /// No bucket before this one has a number.
    least: usize,
    len: usize,
}

/// In place of a bucket.
const NO_BUCKET: u8 = u8::MAX;

impl BucketQueue {
    /// Puts a number in, or changes the priority that it has.
    pub fn put(&mut self, number: u32, priority: usize) {
        let at = number as usize;
        while self.places.len() <= at {
            push(&mut self.bucket_of, NO_BUCKET);
            push(&mut self.places, 0);
        }
        self.take(number);
        if self.buckets.len() <= priority {
            self.buckets.resize_with(priority + 1, Vec::new);
        }
        assert!(priority < usize::from(NO_BUCKET), "priorities are below {NO_BUCKET}");
        self.bucket_of[at] = priority as u8;
        self.places[at] = self.buckets[priority].len() as u32;
        self.buckets[priority].push(number);
        self.least = self.least.min(priority);
        self.len += 1;
    }

    /// Takes out a number with the least priority, and returns both.
    pub fn pop(&mut self) -> Option<(u32, usize)> {
        if self.len == 0 {
            return None;
        }
        while self.buckets[self.least].is_empty() {
            self.least += 1;
        }
        let number = *self.buckets[self.least].last()?;
        self.take(number);
        Some((number, self.least))
    }

    /// Takes a number out, if it is in. The last one of its bucket comes into its place.
    fn take(&mut self, number: u32) {
        let (bucket, place) = (self.bucket_of[number as usize], self.places[number as usize]);
        if bucket == NO_BUCKET {
            return;
        }
        let numbers = &mut self.buckets[usize::from(bucket)];
        numbers.swap_remove(place as usize);
        if let Some(&moved) = numbers.get(place as usize) {
            self.places[moved as usize] = place;
        }
        self.bucket_of[number as usize] = NO_BUCKET;
        self.len -= 1;
    }

    /// The bytes that it takes, if so many more numbers are to have room.
    pub fn bytes(&self, more: usize) -> usize {
        let numbers: usize = self.buckets.iter().map(Vec::capacity).sum();
        4 * (numbers + more) + room(&self.bucket_of, more) + 4 * room(&self.places, more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::rng::Rng;
    use std::collections::HashMap;

    /// Against a map that is searched from end to end.
    #[test]
    fn the_least_priority_comes_first() {
        let (mut queue, mut slow) = (BucketQueue::default(), HashMap::<u32, usize>::new());
        let mut rng = Rng::new(5);
        let (mut decreased, mut popped) = (0, 0);
        for _ in 0..20_000 {
            if rng.below(3) == 0 {
                let least = slow.values().min().copied();
                let popped_now = queue.pop();
                assert_eq!(popped_now.map(|(_, priority)| priority), least);
                if let Some((number, priority)) = popped_now {
                    assert_eq!(slow.remove(&number), Some(priority));
                    popped += 1;
                }
            } else {
                let (number, priority) = (rng.below(50) as u32, rng.below(20));
                queue.put(number, priority);
                decreased += usize::from(slow.insert(number, priority) > Some(priority));
            }
            assert_eq!(queue.len, slow.len());
        }
        assert!(decreased > 1000 && popped > 1000, "{decreased} {popped}");
    }
}
