//! The hash of a position, for tables.

use super::bitboard_position::BitboardNode;
use arbitre_games::search::hash::FoldHasher;
use std::hash::{Hash, Hasher};

/// The hash of a node: two that differ have the same one once in 2⁶⁴ pairs or so.
#[inline]
pub fn hash<P: Hash>(node: &BitboardNode<P>) -> u64 {
    let mut hasher = FoldHasher::default();
    node.hash(&mut hasher);
    hasher.finish()
}
