//! The fingerprint of Hextris.

use super::{check_checked, check_fast, check_slow, fingerprints, Fingerprint};
use arbitre::games::hextris::reference::HextrisReference;
use arbitre::games::hextris::Hextris;

fn lines() -> Vec<Fingerprint<Hextris>> {
    fingerprints(include_str!("../../data/hextris.perft"), "there is no usual start")
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
    check_fast(&lines());
    check_checked(&lines());
    check_slow(&lines(), slow_game);
}
