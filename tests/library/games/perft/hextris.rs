//! The fingerprint of Hextris.

use super::{check_all, fingerprints, Fingerprint};
use arbitre::games::hextris::reference::HextrisReference;
use arbitre::games::hextris::Hextris;

fn lines() -> Vec<Fingerprint<Hextris>> {
    fingerprints(include_str!("../../../data/hextris.perft"), "there is no usual start")
}

fn slow_game(line: &Fingerprint<Hextris>) -> HextrisReference {
    let (position, phrases) = (&line.position, line.position.phrases().texts());
    HextrisReference::new(
        &position.setup().problem,
        position.setup().seed,
        position.played(),
        phrases,
    )
}

#[test]
fn counts_match_the_data() {
    check_all(&lines(), slow_game);
}
