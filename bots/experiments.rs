//! Experiments of every game: the claims of the source documents of the bots.

use crate::{awele, seven_colors};
use arbitre_games::experiment::Experiments;

/// Experiments by game. Some documents claim nothing that can be measured by matches.
pub const EXPERIMENTS: [Experiments; 5] = [
    awele::claims::EXPERIMENTS,
    Experiments {
        game: "tron",
        source: "T. Nicoullaud (ThomasNzO): Tron battle, le debrief",
        claims: &[],
    },
    seven_colors::claims::EXPERIMENTS,
    Experiments {
        game: "taquin",
        source: "a course sheet: Algorithme A* : jeu du Taquin",
        claims: &[],
    },
    Experiments {
        game: "hextris",
        source: "TaupeGoons' account of the ICFP 2015 contest: Participation à l'ICFP 2015",
        claims: &[],
    },
];
