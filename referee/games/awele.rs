//! Awélé in the registry.

use crate::registry::drawing::{View, BOLD, DIM};
use crate::registry::entry::{ArenaInfo, DialectEnd, GameEntry};
use crate::registry::scene::{Look, Paint, Scene, SceneBoard, Shape};
use arbitre_games::dialects::relay;
use arbitre_games::game::Seat;
use arbitre_games::games::awele::{codingame, Awele, Pit, Position, OPTIONS, PITS, PRESETS, ROW};
use arbitre_games::games::options::OptionInfo;

impl GameEntry for Awele {
    const STATE_HELP: &'static [&'static str] = &[
        "fourteen numbers: the seeds in your pits 0 to 5, from left to right, then in",
        "the other's six pits, in sowing order; then your captures and the other's.",
        "A move is the number of one of your pits, 0 to 5.",
    ];
    const OPENING_PLIES: usize = 8;
    const OPTIONS: &'static [OptionInfo] = &OPTIONS;
    const DIALECTS: &'static [DialectEnd<Awele>] = &[
        (&relay::INFO, || Box::new(relay::RelayReferee)),
        (&codingame::INFO, || Box::new(codingame::Referee)),
    ];
    const OPPONENTS: &'static [&'static str] =
        &["awele random", "awele greedy", "awele alpha-beta --depth 3", "awele best"];
    // The arena's statement of Oware Abapa; its memory and overtime are those of all its games.
    const ARENAS: &'static [ArenaInfo] = &[ArenaInfo {
        name: codingame::INFO.name,
        dialect: codingame::INFO.name,
        rules: "codingame",
        options: &["first-move-time=1s", "move-time=50ms", "overtime=50ms", "memory=768MiB"],
        starters: &[
            ("python", include_str!("../templates/codingame/awele.py")),
            ("c", include_str!("../templates/codingame/awele.c")),
            ("java", include_str!("../templates/codingame/Awele.java")),
            ("ocaml", include_str!("../templates/codingame/awele.ml")),
            ("rust", include_str!("../templates/codingame/awele.rs")),
        ],
    }];

    fn presets() -> Vec<(&'static str, String)> {
        PRESETS.iter().map(|(name, rules)| (*name, rules.to_string())).collect()
    }

    /// Draws the board as `view.seat` sees it. Its own row is below, sown from left to right, and
    /// the numbers of the pits are outside.
    fn draw(&self, position: &Position, view: &View) -> String {
        let seat = view.seat;
        let board = position.board_of(seat);
        let pits = board.pits();
        let [own, other] = board.captures();
        // Only the mover has legal moves to highlight.
        let legal = if seat == position.mover() { position.legal_mask() } else { 0 };
        let row = |cells: Vec<String>| format!("  |{}|\n", cells.join("|"));
        let numbers = |pits: Vec<usize>| {
            let cells: Vec<String> = pits.iter().map(|pit| format!(" {pit:>2}  ")).collect();
            view.paint(DIM, format!("   {}", cells.join("")))
        };
        let seeds = |pit: usize| {
            let text = if pits[pit] == 0 { " .".into() } else { format!("{:>2}", pits[pit]) };
            let playable = pit < ROW && legal >> pit & 1 != 0;
            format!(" {} ", if playable { view.paint(BOLD, text) } else { text })
        };
        let edge = format!("  +{}\n", "----+".repeat(ROW));
        let captures = |of: Seat, seeds: u8| format!("   {}: {seeds}\n", view.names[of.index()]);
        let mut text = numbers((0..ROW).rev().collect()) + &captures(seat.other(), other);
        text += &edge;
        text += &row((ROW..PITS).rev().map(seeds).collect());
        text += &edge;
        text += &row((0..ROW).map(seeds).collect());
        text += &edge;
        text + &numbers((0..ROW).collect()) + &captures(seat, own)
    }

    fn board(_: &Position) -> SceneBoard {
        SceneBoard { shape: Shape::Pits, width: ROW, height: 2, slides: false }
    }

    fn scene(&self, position: &Position) -> Scene {
        let board = position.board_of(Seat::FIRST);
        scene_of(board.pits(), board.captures())
    }

    fn played(&self, before: &Position, seat: Seat, pit: Pit, after: &Position) -> Vec<Scene> {
        let mut drawn = sowing(before, seat, pit);
        let mut last = self.scene(after);
        let [earlier, later] =
            [before, after].map(|position| position.board_of(seat).captures()[0]);
        if earlier < later {
            let sown = drawn.last().map_or(&[][..], |scene| &scene.cells);
            let changed = sown.iter().zip(&last.cells).take(PITS).enumerate();
            let emptied = changed.filter(|(_, (sown, last))| sown != last).map(|(at, _)| at);
            last.marks = emptied.collect();
            last.label = Some(format!("captures {}", later - earlier));
        }
        drawn.push(last);
        drawn
    }
}

/// Draws the sowing of a move, after each seed. A capture is not shown.
fn sowing(before: &Position, seat: Seat, pit: Pit) -> Vec<Scene> {
    let board = before.board_of(Seat::FIRST);
    let mut pits = board.pits();
    let origin = pit.index() + if seat == Seat::FIRST { 0 } else { ROW };
    let seeds = std::mem::take(&mut pits[origin]);
    // Every lap skips the origin.
    let path = (1..PITS).cycle().map(|step| (origin + step) % PITS);
    let sown = path.take(seeds.into()).map(|at| {
        pits[at] += 1;
        Scene { marks: vec![cell(at)], ..scene_of(pits, board.captures()) }
    });
    sown.collect()
}

/// Draws seeds, which are given as seat 0 sees them.
fn scene_of(pits: [u8; PITS], captures: [u8; 2]) -> Scene {
    let mut cells = vec![Look::plain(Paint::Pit); PITS];
    for (pit, seeds) in pits.iter().enumerate() {
        cells[cell(pit)] = Look::with(Paint::Pit, seeds);
    }
    cells.extend(captures.map(|seeds| Look::with(Paint::Store, seeds)));
    Scene { scores: captures.map(i64::from).into(), ..Scene::of(cells) }
}

/// Returns the cell of a pit: the row of seat 1 is above that of seat 0, and sown to the left.
fn cell(pit: usize) -> usize {
    if pit < ROW {
        ROW + pit
    } else {
        PITS - 1 - pit
    }
}
