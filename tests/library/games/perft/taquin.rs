//! Perft counts of Taquin.

use super::{check_all, fingerprints, Fingerprint};
use arbitre::games::taquin::reference::TaquinReference;
use arbitre::games::taquin::Taquin;

fn lines() -> Vec<Fingerprint<Taquin>> {
    fingerprints(include_str!("../../../data/taquin.perft"), "there is no usual start")
}

fn slow_game(line: &Fingerprint<Taquin>) -> TaquinReference {
    let board = line.name.split('|').nth(1).expect("a position");
    let board = board.split(" after ").next().expect("a board");
    TaquinReference::new(board, line.game.rules.max_moves - line.position.made())
}

#[test]
fn counts_match_the_data() {
    check_all(&lines(), slow_game);
}
