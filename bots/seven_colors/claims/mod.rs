//! The claims of the report behind the first bots: R. Hutin, R. Sun, "Arcsys : le jeu des 7
//! couleurs", ENS Rennes, 2016. Matches are played in this process.

mod climb;
mod counts;
mod matches;
mod scans;
mod worst;

use arbitre_games::experiment::{Claim, Experiments, Laboratory, Measurement, Verdict};
use arbitre_games::game::ParseError;
use counts::{actions_of_greedy, plays_of_oracle, symmetric_boards};
use matches::{breath, crossing, duel, idle_moves, mirror, through_programs};
use scans::{most_scans, recursion};
use worst::worst_board;

/// Measures a claim without matches; the command of the experiment itself repeats it.
fn counted(
    lab: &mut dyn Laboratory,
    claim: &str,
    count: impl Fn(&mut dyn Laboratory) -> (String, Verdict),
) -> Result<Measurement, ParseError> {
    let (measured, verdict) = count(lab);
    let (games, seed) = (lab.games(), lab.seed());
    let how =
        format!("referee experiment seven-colors --claim {claim} --games {games} --seed {seed}");
    Ok(Measurement { measured, verdict, how })
}

/// Creates the claim that the starter wins most games of a mirror match.
macro_rules! mirror {
    ($name:literal, $player:literal) => {
        Claim {
            name: $name,
            words: "peu importe l'intelligence artificielle employée, le match-up miroir est à +70% en \
                    faveur du joueur qui commence",
            meaning: concat!("of two that play ", $player, " the starter wins at least 70 % of the games"),
            measure: |lab| mirror(lab, $player),
        }
    };
}

/// Creates the claim that every player has boards that suit it badly.
macro_rules! worst_board {
    ($name:literal, $player:literal, $trials:literal) => {
        Claim {
            name: $name,
            words: "Il est possible pour chaque joueur de créer un pire cas.",
            meaning: concat!(
                "local search finds a board on which ",
                $player,
                " needs more moves for more than half of it than on any of the random ones"
            ),
            measure: |lab| counted(lab, $name, |lab| worst_board(lab, $player, $trials)),
        }
    };
}

/// Claims of the report. For a strategy that it only describes, the claim is that it beats a
/// simpler one.
pub const EXPERIMENTS: Experiments = Experiments {
    game: "seven-colors",
    source: "R. Hutin, R. Sun: Arcsys, le jeu des 7 couleurs, ENS Rennes 2016",
    claims: &[
        Claim {
            name: "scans",
            words: "une couleur qui « serpente » sur le plateau, créant une situation où 199 tours sont \
                    nécessaires",
            meaning: "no board needs more than 199 scans for a move",
            measure: |lab| counted(lab, "scans", most_scans),
        },
        Claim {
            name: "recursion",
            words: "Il ne s'agit ensuite que de faire un seul tour de boucle",
            meaning: "with recursion one scan takes what repeated scans take, and passes by no cell more \
                      than five times",
            measure: |lab| counted(lab, "recursion", recursion),
        },
        Claim {
            name: "actions-of-greedy",
            words: "D'où une complexité en environ 3884 actions.",
            meaning: "by the report's own formula, a move of greedy takes 3800 to 4000 actions on its board",
            measure: |lab| counted(lab, "actions-of-greedy", |_| actions_of_greedy()),
        },
        Claim {
            name: "plays-of-oracle",
            words: "si on considère p le nombre de coups à jouer en avance, la complexité est de l'ordre de \
                    O(7^p)",
            meaning: "an oracle of a move more tries about 7 times as many plays (6.5 to 7.5)",
            measure: |lab| counted(lab, "plays-of-oracle", |lab| plays_of_oracle(lab.seed())),
        },
        Claim {
            name: "symmetric-boards",
            words: "il y a un nombre fini de configurations initiales possibles (7^465)",
            meaning: "a symmetric board has 465 cells whose colours can be chosen",
            measure: |lab| counted(lab, "symmetric-boards", |lab| symmetric_boards(lab.seed())),
        },
        Claim {
            name: "greedy-random",
            words: "Il gagne toujours presque toutes les parties à l'exception d'une ou deux.",
            meaning: "greedy wins at least 99 % of the points against random",
            measure: |lab| duel(lab, ["greedy", "random"], 0.99),
        },
        Claim {
            name: "random-useful",
            words: "La fonction attendue a été programmée dans le module random.c",
            meaning: "colours that gain something beat any colours",
            measure: |lab| duel(lab, ["random-useful", "random"], 0.5),
        },
        Claim {
            name: "random-gains-nothing",
            words: "il est très probable avec cette méthode de ne rien jouer à chaque tour",
            meaning: "more than half of the moves of random gain nothing",
            measure: idle_moves,
        },
        Claim {
            name: "greedy-hegemonic",
            words: "le joueur glouton gagne plus de 95 fois sur 100",
            meaning: "greedy wins at least 95 % of the points against hegemonic",
            measure: |lab| duel(lab, ["greedy", "hegemonic"], 0.95),
        },
        Claim {
            name: "hegemonic-runs-out-of-breath",
            words: "s'il augmente très vite son territoire au début, il s'essoufle très vite",
            meaning: "hegemonic gains more than greedy, its opponent, in the first ten moves, and less in \
                      the next ten",
            measure: breath,
        },
        Claim {
            name: "contact-greedy",
            words: "semblait tenir un avantage sur le joueur glouton",
            meaning: "hegemonic-contact beats greedy",
            measure: |lab| duel(lab, ["hegemonic-contact", "greedy"], 0.5),
        },
        Claim {
            name: "foreseeing-greedy",
            words: "jouer la couleur et ensuite le coup glouton et comparer les points obtenus",
            meaning: "foreseeing beats greedy",
            measure: |lab| duel(lab, ["foreseeing", "greedy"], 0.5),
        },
        Claim {
            name: "oracle-3-foreseeing",
            words: "prévoyant sur plus de deux tours",
            meaning: "an oracle of three moves beats foreseeing",
            measure: |lab| duel(lab, ["oracle --depth 3", "foreseeing"], 0.5),
        },
        Claim {
            name: "oracle-4-oracle-3",
            words: "si on considère p le nombre de coups à jouer en avance",
            meaning: "an oracle of four moves beats one of three",
            measure: |lab| duel(lab, ["oracle --depth 4", "oracle --depth 3"], 0.5),
        },
        mirror!("mirror-random", "random"),
        mirror!("mirror-random-useful", "random-useful"),
        mirror!("mirror-hegemonic", "hegemonic"),
        mirror!("mirror-greedy", "greedy"),
        mirror!("mirror-foreseeing", "foreseeing"),
        mirror!("mirror-oracle-3", "oracle --depth 3"),
        mirror!("mirror-oracle-4", "oracle --depth 4"),
        Claim {
            name: "crossing-the-diagonal",
            words: "probablement parce que le premier joueur est parfois amené franchir la « diagonale »",
            meaning: "in mirror matches of greedy the starter loses more often where it is the first to \
                      cross the diagonal than where the other is",
            measure: crossing,
        },
        worst_board!("worst-board-random", "random", 8),
        worst_board!("worst-board-greedy", "greedy", 1),
        worst_board!("worst-board-hegemonic", "hegemonic", 1),
        worst_board!("worst-board-foreseeing", "foreseeing", 1),
        worst_board!("worst-board-oracle-3", "oracle --depth 3", 1),
        Claim {
            name: "through-programs",
            words: "(ours) these matches run inside the referee",
            meaning: "greedy and random play the same games, move by move, as programs",
            measure: through_programs,
        },
    ],
};
