//! Priority queue of numbers, least first, in which a priority can be changed.

use super::node_store::{push, room};

/// Bucket queue: numbers by small priorities. Among equal priorities the last one put in comes
/// first, which for A* is mostly the one farther from the root.
#[derive(Default)]
pub struct BucketQueue {
    /// Numbers by priority.
    buckets: Vec<Vec<u32>>,
    /// Bucket of each number, or [`NO_BUCKET`].
    bucket_of: Vec<u8>,
    /// Index of each number in its bucket.
    places: Vec<u32>,
    /// Lower bound of the least priority in the queue.
    least: usize,
    len: usize,
}

/// Marks a number that is not in the queue.
const NO_BUCKET: u8 = u8::MAX;

impl BucketQueue {
    /// Puts a number in, or changes its priority.
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

    /// Removes a number with the least priority. Returns the number and its priority.
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

    /// Removes a number, if it is in the queue. The last number of its bucket takes its index.
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

    /// Returns the size in bytes, with room for `more` more numbers.
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

    /// Compares the queue with a map searched linearly.
    #[test]
    fn least_priority_comes_first() {
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
