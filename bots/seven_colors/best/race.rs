//! Races: who has enough cells for sure, whatever the other does.

use super::bitboard_position::{regions_beside, BitboardNode, BoardContext, NOTHING};
use arbitre_games::bitboard::Loaded;
use arbitre_games::games::seven_colors::ColourRule;

/// What a cell counts more that the other would take next.
const THREATENED: u32 = 25;
/// More ways to close colours than this are not looked at: then nothing is said.
const WAYS: usize = 24;

/// A race under way: it is the runner's turn.
#[derive(Clone, Copy)]
struct ColourRace<P> {
    own: P,
    free: P,
    /// Free cells that the rival takes next, if the runner does not.
    threatened: P,
    rival: P,
    cells: u32,
    /// What the runner played last.
    last: u8,
    /// What the rival is known to have played last to close it.
    closed: u8,
}

/// Does the player in this seat of the node reach this many cells, even if the other took all regions
/// beside its own at every move, whatever their colour, and closed at every move what one wants to play,
/// as far as the rules let it? As whatever the other really does takes less, a win against that is a win.
///
/// The runner plays what gains most, where a cell that the rival would take next counts as 26,
/// or the second best where that is closed.
#[inline(always)]
pub fn outruns<P: Loaded>(
    context: &BoardContext<P::Stored>,
    node: &BitboardNode<P::Stored>,
    (seat, goal): (usize, u32),
) -> bool {
    let ban = context.rules.ban;
    let mut race = ColourRace::<P>::new(context, node, seat);
    let mut others = [race; WAYS];
    let mut waiting = 0;
    // What is closed at the runner's first move is known if it is the runner's turn.
    let mut is_known = seat == 0;
    loop {
        if race.cells + race.free.count() < goal {
            return false;
        }
        let excluded = match (is_known, ban) {
            (_, ColourRule::None) => [NOTHING; 2],
            (true, _) => node.held,
            (false, ColourRule::Opponent) => [NOTHING; 2],
            (false, ColourRule::OwnAndOpponent) => [race.last, NOTHING],
        };
        let [best, second] = most_urgent::<P>(context, &race, excluded);
        let may_be_closed = match ban {
            _ if is_known => false,
            ColourRule::None => false,
            ColourRule::Opponent => true,
            ColourRule::OwnAndOpponent => best.colour != race.closed,
        };
        is_known = false;
        if may_be_closed {
            // Who can do nothing else waits: nobody may close a colour twice in a row.
            if waiting == WAYS || (second.value == 0 && ban == ColourRule::Opponent) {
                return false;
            }
            others[waiting] = race.after(context, best, NOTHING);
            waiting += 1;
            race = race.after(context, second, best.colour);
        } else if best.value == 0 {
            return false;
        } else {
            race = race.after(context, best, NOTHING);
        }
        while race.cells >= goal {
            if waiting == 0 {
                return true;
            }
            waiting -= 1;
            race = others[waiting];
        }
    }
}

/// What a colour takes, and how much it counts.
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
        seat: usize,
    ) -> ColourRace<P> {
        let (own, rival) = (P::load(&node.own[seat]), P::load(&node.own[1 - seat]));
        let free = P::load(&context.board).without(own).without(rival);
        let threatened = regions_beside(context, rival, free);
        let cells = u32::from(node.cells[seat]);
        let (last, closed) = (node.held[seat], NOTHING);
        let race = ColourRace { own, free, threatened, rival, cells, last, closed };
        match seat {
            0 => race,
            _ => race.rivals_turn(context),
        }
    }

    /// The rival takes what it threatens.
    #[inline(always)]
    fn rivals_turn(mut self, context: &BoardContext<P::Stored>) -> ColourRace<P> {
        self.rival = self.rival.or(self.threatened);
        self.free = self.free.without(self.threatened);
        self.threatened = regions_beside(context, self.rival, self.free);
        self
    }

    /// The runner takes that, and then it is its turn again.
    #[inline(always)]
    fn after(
        mut self,
        context: &BoardContext<P::Stored>,
        taking: Taking<P>,
        closed: u8,
    ) -> ColourRace<P> {
        self.own = self.own.or(taking.won);
        self.free = self.free.without(taking.won);
        self.threatened = self.threatened.without(taking.won);
        self.cells += taking.won.count();
        (self.last, self.closed) = (taking.colour, closed);
        self.rivals_turn(context)
    }
}

/// The two colours that count most, of those that are not excluded.
#[inline(always)]
fn most_urgent<P: Loaded>(
    context: &BoardContext<P::Stored>,
    race: &ColourRace<P>,
    excluded: [u8; 2],
) -> [Taking<P>; 2] {
    let beside = regions_beside(context, race.own, race.free);
    let none = Taking { colour: NOTHING, won: P::NONE, value: 0 };
    let (mut best, mut second) = (none, none);
    for colour in 0..context.rules.colours {
        if excluded[0] == colour || excluded[1] == colour {
            continue;
        }
        let won = beside.and(P::load(&context.colours[usize::from(colour)]));
        let value = won.count() + THREATENED * won.and(race.threatened).count();
        if value > best.value {
            second = best;
            best = Taking { colour, won, value };
        } else if value > second.value {
            second = Taking { colour, won, value };
        }
    }
    [best, second]
}
