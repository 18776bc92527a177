//! Races: a sufficient test for a player to reach enough cells whatever its rival does.

use super::bitboard_position::{regions_beside, BitboardNode, BoardContext, MOVER, NO_COLOUR};
use arbitre_games::bitboard::{out_of_line, Loaded};
use arbitre_games::games::seven_colors::ColourRule;

/// Parameters of a race.
struct RaceParams {
    /// Extra value of a cell that the rival would take next. Not tuned.
    threatened: u32,
    /// Largest number of branches that wait at once; beyond it a race proves nothing. Fewer saved
    /// neither nodes nor time beyond noise on `filler` (2026-11-21).
    branches: usize,
}

const RACE: RaceParams = RaceParams { threatened: 25, branches: 24 };

/// State of a race with the runner to move.
#[derive(Clone, Copy)]
struct ColourRace<P> {
    own: P,
    free: P,
    /// Free cells that the rival takes next unless the runner does.
    threatened: P,
    rival: P,
    cells: u32,
    /// Colour that the runner played last.
    runner_last: u8,
    /// Colour with which the rival banned the runner's last choice, or [`NO_COLOUR`]. Under
    /// `OwnAndOpponent` the rival cannot play it again at once.
    rival_last: u8,
}

/// Returns `true` if player `side` of the node reaches `goal` cells against the strongest rival.
///
/// This rival takes all regions beside its own cells at every move, whatever their colour. As far
/// as the rules allow, it also bans the colour that the runner wants. A real rival takes less, so a
/// win against this one is a win.
///
/// The runner plays the most valuable colour, in which a threatened cell counts 26, or the second
/// most valuable where the first is banned.
#[inline(always)]
pub fn outruns<P: Loaded>(
    context: &BoardContext<P::Stored>,
    node: &BitboardNode<P::Stored>,
    (side, goal): (usize, u32),
) -> bool {
    let ban = context.rules.ban;
    let mut race = ColourRace::<P>::new(context, node, side);
    let mut others = [race; RACE.branches];
    let mut waiting = 0;
    // The bans of the first move are known only if it is the runner's turn.
    let mut is_known = side == MOVER;
    loop {
        // Even all remaining free cells would not be enough.
        if race.cells + race.free.count() < goal {
            return false;
        }
        let banned = match (is_known, ban) {
            (_, ColourRule::None) => [NO_COLOUR; 2],
            (true, _) => node.last_played,
            (false, ColourRule::Opponent) => [NO_COLOUR; 2],
            (false, ColourRule::OwnAndOpponent) => [race.runner_last, NO_COLOUR],
        };
        let [best, second] = most_valuable::<P>(context, &race, banned);
        let rival_may_ban = match ban {
            _ if is_known => false,
            ColourRule::None => false,
            ColourRule::Opponent => true,
            ColourRule::OwnAndOpponent => best.colour != race.rival_last,
        };
        is_known = false;
        if rival_may_ban {
            // Without another gain the runner passes: under `OwnAndOpponent` no colour can be
            // banned twice in a row.
            if waiting == RACE.branches || (second.value == 0 && ban == ColourRule::Opponent) {
                return false;
            }
            // Both replies of the rival must be won: `best` left open here, `best` banned in the
            // next line.
            others[waiting] = race.after(context, best, NO_COLOUR);
            waiting += 1;
            race = race.after(context, second, best.colour);
        } else if best.value == 0 {
            return false;
        } else {
            race = race.after(context, best, NO_COLOUR);
        }
        // A won branch makes room for one that waits; without any, the race is won.
        while race.cells >= goal {
            if waiting == 0 {
                return true;
            }
            waiting -= 1;
            race = others[waiting];
        }
    }
}

/// Cells that a colour takes, and their value.
#[derive(Clone, Copy)]
struct Taking<P> {
    colour: u8,
    won: P,
    value: u32,
}

impl<P: Loaded> ColourRace<P> {
    #[inline(always)]
    fn new(
        context: &BoardContext<P::Stored>,
        node: &BitboardNode<P::Stored>,
        side: usize,
    ) -> ColourRace<P> {
        let (own, rival) = (P::load(&node.own[side]), P::load(&node.own[1 - side]));
        let free = P::load(&context.board).and_not(own).and_not(rival);
        let threatened = regions_beside(context, rival, free);
        let cells = u32::from(node.cells[side]);
        let (runner_last, rival_last) = (node.last_played[side], NO_COLOUR);
        let race = ColourRace { own, free, threatened, rival, cells, runner_last, rival_last };
        match side {
            MOVER => race,
            _ => race.rivals_turn(context),
        }
    }

    /// Lets the rival take all threatened cells.
    #[inline(always)]
    fn rivals_turn(mut self, context: &BoardContext<P::Stored>) -> ColourRace<P> {
        self.rival = self.rival.or(self.threatened);
        self.free = self.free.and_not(self.threatened);
        self.threatened = regions_beside(context, self.rival, self.free);
        self
    }

    /// Plays `taking` for the runner, then lets the rival move.
    #[inline(always)]
    fn after(
        self,
        context: &BoardContext<P::Stored>,
        taking: Taking<P>,
        rival_last: u8,
    ) -> ColourRace<P> {
        match P::IN_REGISTERS {
            true => self.played(context, taking, rival_last),
            false => out_of_line(|race: Self| race.played(context, taking, rival_last), self),
        }
    }

    /// Implements [`ColourRace::after`].
    #[inline(always)]
    fn played(
        mut self,
        context: &BoardContext<P::Stored>,
        taking: Taking<P>,
        rival_last: u8,
    ) -> ColourRace<P> {
        self.own = self.own.or(taking.won);
        self.free = self.free.and_not(taking.won);
        self.threatened = self.threatened.and_not(taking.won);
        self.cells += taking.won.count();
        (self.runner_last, self.rival_last) = (taking.colour, rival_last);
        self.rivals_turn(context)
    }
}

/// Returns the two most valuable colours that are not `banned`.
#[inline(always)]
fn most_valuable<P: Loaded>(
    context: &BoardContext<P::Stored>,
    race: &ColourRace<P>,
    banned: [u8; 2],
) -> [Taking<P>; 2] {
    match P::IN_REGISTERS {
        true => most_valuable_of(context, race, banned),
        false => out_of_line(|banned| most_valuable_of(context, race, banned), banned),
    }
}

/// Implements [`most_valuable`].
#[inline(always)]
fn most_valuable_of<P: Loaded>(
    context: &BoardContext<P::Stored>,
    race: &ColourRace<P>,
    banned: [u8; 2],
) -> [Taking<P>; 2] {
    let beside = regions_beside(context, race.own, race.free);
    let none = Taking { colour: NO_COLOUR, won: P::NONE, value: 0 };
    let (mut best, mut second) = (none, none);
    for colour in 0..context.rules.colours {
        if banned[0] == colour || banned[1] == colour {
            continue;
        }
        let won = beside.and(P::load(&context.colours[usize::from(colour)]));
        let value = won.count() + RACE.threatened * won.and(race.threatened).count();
        if value > best.value {
            second = best;
            best = Taking { colour, won, value };
        } else if value > second.value {
            second = Taking { colour, won, value };
        }
    }
    [best, second]
}
