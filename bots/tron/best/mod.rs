//! The strongest Tron bot. Alpha-beta plays two players in contact, a paranoid search the opening
//! of three or four, and MCTS their later game. An enclosed player fills its room with the endgame
//! search, unless MCTS plays.

pub mod bitboards;
pub mod chamber_tree;
pub mod evaluation;
pub mod multiplayer;
pub mod position;
#[cfg(test)]
mod reference;
mod root;
pub mod simd;
pub mod two_player;
pub mod voronoi;

use super::endgame::{EndgamePlayer, FreeRegion};
use crate::engine::Engine;
use crate::tron::seats::seats;
use arbitre_games::dialect::Start;
use arbitre_games::game::Seat;
use arbitre_games::games::tron::{Direction, Position, Tron};
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::deepening::SearchResult;
use bitboards::{Bitboard, LargeGrid, SmallGrid};
use multiplayer::mcts::Mcts;
use multiplayer::ParanoidSearch;
use position::MultiplayerPosition;
use simd::SimdBitboard;
use two_player::TwoPlayerSearch;

/// Number of entries of the two-player transposition table. Not tuned.
pub const ENTRIES: usize = 1 << 20;

/// Depth limit in plies of the opening of three or four players, where the budget has none: two
/// rounds of four. Deeper paranoid searches wall themselves in. Eight plies in place of four: P190
/// 0.246 → 0.263, 700 games each, 2026-11-22 (bots/tron/diary.md).
const OPENING_DEPTH: u32 = 8;

/// The engine.
pub struct Best {
    two_player: TwoPlayerSearch,
    paranoid: ParanoidSearch,
    mcts: Mcts,
    endgame: EndgamePlayer,
    /// Evaluation of the last search in this game, in the words of a comment.
    evaluation: Option<String>,
}

impl Default for Best {
    fn default() -> Best {
        let (paranoid, mcts, endgame, evaluation) = Default::default();
        Best { two_player: TwoPlayerSearch::new(ENTRIES), paranoid, mcts, endgame, evaluation }
    }
}

impl Best {
    fn think<P: SimdBitboard>(
        &mut self,
        position: &Position,
        seat: Seat,
        budget: Budget,
    ) -> (Direction, String) {
        let all = MultiplayerPosition::<P>::new(position, seat);
        if let [only] = Direction::of_mask(position.legal_mask()).collect::<Vec<_>>()[..] {
            // The last evaluation may hold more than the static one, for example a proved win.
            let known = self.evaluation.clone();
            return (only, known.unwrap_or_else(|| score(self.evaluate(&all))));
        }
        let (direction, evaluation, details) = self.search(&all, position, seat, budget);
        let comment = format!("{evaluation} {details}");
        self.evaluation = Some(evaluation);
        (direction, comment)
    }

    /// Returns the best move, its evaluation, and the other results of the search.
    fn search<P: SimdBitboard>(
        &mut self,
        all: &MultiplayerPosition<P>,
        position: &Position,
        seat: Seat,
        budget: Budget,
    ) -> (Direction, String, String) {
        let around = all.free.flood_fill_from(all.heads[0]).dilate();
        let near = seats(all.alive & !1).filter(|&seat| around.has(all.heads[seat]));
        let is_multiplayer = all.alive.count_ones() > 2;
        match near.collect::<Vec<_>>()[..] {
            // MCTS has no depth in plies, so a depth limit falls through to the searches below.
            _ if is_multiplayer && all.is_filled() && budget.depth.is_none() => {
                let found = self.mcts.search(all, budget);
                let details = format!("playouts {} nodes {}", found.rollouts, found.nodes);
                (found.best, format!("win {:.2}", found.reward), details)
            }
            [] => {
                let (direction, details) = self.survive(position, seat, budget);
                (direction, score(self.evaluate(all)), details)
            }
            [other] if !is_multiplayer => {
                with_details(self.two_player.search(&all.against(other), budget))
            }
            _ => {
                let depth = budget.depth.or(Some(OPENING_DEPTH));
                with_details(self.paranoid.search(all, Budget { depth, ..budget }))
            }
        }
    }

    /// Returns the static evaluation, in the unit of the search that would play.
    fn evaluate<P: SimdBitboard>(&mut self, all: &MultiplayerPosition<P>) -> i32 {
        match seats(all.alive & !1).collect::<Vec<_>>()[..] {
            [other] => self.two_player.evaluate(&all.against(other)),
            _ => self.paranoid.evaluate(all),
        }
    }

    /// Plays where no other player can enter the region.
    fn survive(&mut self, position: &Position, seat: Seat, budget: Budget) -> (Direction, String) {
        let region = FreeRegion::of(position, seat).expect("the player to move is in the game");
        let direction = self.endgame.choose(&region, &mut Limiter::new(budget));
        let plan = self.endgame.plan();
        let exact = if plan.exact { ", which is the most" } else { "" };
        let direction = direction.expect("the player to move has a legal move");
        (direction, format!("alone for {} moves more{exact}", plan.path.len()))
    }
}

/// Returns the best move, its evaluation, and the other results of a search.
fn with_details(found: SearchResult<Direction>) -> (Direction, String, String) {
    let SearchResult { best, value, depth, nodes, .. } = found;
    (best, score(value), format!("depth {depth} nodes {nodes}"))
}

fn score(value: i32) -> String {
    format!("score {value}")
}

impl Engine<Tron> for Best {
    fn begin(&mut self, _: &Start<Tron>) {
        self.two_player.clear();
        self.paranoid.clear();
        self.mcts.clear();
        self.endgame = EndgamePlayer::default();
        self.evaluation = None;
    }

    fn choose(&mut self, position: &Position, seat: Seat, budget: Budget) -> (Direction, String) {
        let (width, height) = SmallGrid::LARGEST;
        match position.width() <= width && position.height() <= height {
            true => self.think::<SmallGrid>(position, seat, budget),
            false => self.think::<LargeGrid>(position, seat, budget),
        }
    }
}

/// [`Best`] on grids of up to 30x22 cells, without the code for larger ones.
#[derive(Default)]
pub struct BestOnSmallGrids(Best);

impl Engine<Tron> for BestOnSmallGrids {
    fn begin(&mut self, start: &Start<Tron>) {
        self.0.begin(start);
    }

    fn choose(&mut self, position: &Position, seat: Seat, budget: Budget) -> (Direction, String) {
        self.0.think::<SmallGrid>(position, seat, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Random;
    use arbitre_games::dialect::Notation;
    use arbitre_games::game::{Game, State};
    use arbitre_games::rng::Rng;

    /// Every choice is legal with two to four players and on both grid types, to the end of the
    /// game; random play loses.
    #[test]
    fn best_plays_whole_games() {
        let tables = [(2, "size=12x9"), (3, "size=9x9"), (4, "size=11x10"), (2, "size=33x6")];
        for (seats, rules) in tables {
            let game = Tron::from_rules(&format!("{rules} tolerance=20%")).unwrap();
            let mut won = 0;
            for setup in game.setups(seats, 0, Rng::new(1)).take(4) {
                let mut position = game.start(&setup).unwrap();
                let (mut best, mut random) = (Best::default(), Random::<Tron>::default());
                while position.outcome().is_none() {
                    let seat = position.mover();
                    let (direction, _) = match seat == Seat::FIRST {
                        true => best.choose(&position, seat, Budget::nodes(300)),
                        false => {
                            Engine::<Tron>::choose(&mut random, &position, seat, Budget::nodes(1))
                        }
                    };
                    position.play(seat, direction).unwrap();
                }
                won += usize::from(position.is_alive(Seat::FIRST));
            }
            assert!(won >= 3, "{rules}: {won} of 4");
        }
    }

    /// Rooms of five and of three cells. The second player has no choice from the start, so only
    /// the static evaluation speaks for its first move.
    #[test]
    fn enclosed_players_agree_on_the_winner() {
        let game = Tron::from_rules("size=5x3").unwrap();
        let mut position = game.parse_state("A.1.B/..1.1/..1.1", Seat::FIRST).unwrap();
        let mut players = [Best::default(), Best::default()];
        let mut forced = [0, 0];
        while position.outcome().is_none() {
            let seat = position.mover();
            let own = &mut players[seat.index()];
            let (direction, comment) = own.choose(&position, seat, Budget::nodes(300));
            let sign = if seat == Seat::FIRST { "score 1" } else { "score -1" };
            assert!(comment.starts_with(sign), "{seat}: {comment}");
            let is_forced = position.legal_mask().count_ones() == 1;
            assert_eq!(comment.contains(" alone for "), !is_forced, "{comment}");
            forced[seat.index()] += usize::from(is_forced);
            position.play(seat, direction).unwrap();
        }
        assert!(position.is_alive(Seat::FIRST) && forced[0] > 0 && forced[1] > 0, "{forced:?}");
    }

    /// The same position and limits give the same move, whatever was searched in games before.
    #[test]
    fn node_limits_are_deterministic() {
        let game = Tron::from_rules("").unwrap();
        let setup = game.setups(2, 0, Rng::new(5)).next().unwrap();
        let position = game.start(&setup).unwrap();
        let mut best = Best::default();
        let first = best.choose(&position, Seat::FIRST, Budget::nodes(5000));
        best.two_player.clear();
        assert_eq!(best.choose(&position, Seat::FIRST, Budget::nodes(5000)), first);
    }
}
