//! Scenes of recorded games, against the positions that the protocol sends.

use arbitre::clock::Go;
use arbitre::dialects::arbitre as dialect;
use arbitre::game::Seat;
use arbitre::referee::registry::drawing::{Step, View};
use arbitre::referee::registry::scene::{GameScenes, Look, Paint, Scene};
use arbitre::referee::registry::{DynGame, Speech};
use arbitre::rng::Rng;

/// Random games of each game. Each has up to `PLIES` plies.
const GAMES: u64 = 12;
const PLIES: usize = 300;

/// Moves of a game with their seats, and the position of seat 0 at the start and after each.
struct Played {
    setup: String,
    moves: Vec<(Seat, String)>,
    positions: Vec<String>,
}

fn play(game: &dyn DynGame, seats: usize, seed: u64) -> Played {
    let mut rng = Rng::new(seed);
    let plies = if game.meta().is_solo() { 0 } else { 4 };
    let setup = game.setups(seats, plies, Rng::new(seed)).next().unwrap().unwrap();
    let mut table = game.table(&setup, &vec![Speech::Dialect(&dialect::INFO); seats]).unwrap();
    let mut positions = vec![table.position(Seat::FIRST).unwrap()];
    let mut moves = Vec::new();
    while table.outcome().unwrap().is_none() && moves.len() < PLIES {
        let seat = table.to_move().unwrap().iter().next().unwrap();
        let legal = table.legal_moves(seat).unwrap();
        let answer = legal[rng.below(legal.len())].clone();
        table.ask(seat, Go::Untimed, &mut String::new()).unwrap();
        table.hear(seat, &answer).unwrap();
        moves.push((seat, answer));
        positions.push(table.position(Seat::FIRST).unwrap());
    }
    Played { setup, moves, positions }
}

/// Plays random games, and passes each position with its scene and its drawing to `compare`.
fn compare_scenes(name: &str, rules: &str, seats: usize, compare: fn(&str, &Scene, &str)) {
    let registry = arbitre::registry();
    let game = registry.open(name, rules).unwrap();
    for seed in 0..GAMES {
        let Played { setup, moves, positions } = play(&*game, seats, seed);
        let steps: Vec<Step> = moves.iter().map(|(seat, mv)| Step::Moved(*seat, mv)).collect();
        let GameScenes { board, start, steps: scenes } = game.scenes(&setup, &steps).unwrap();
        let view = View { seat: Seat::FIRST, colour: false, names: vec!["a", "b", "c", "d"] };
        let pictures = game.draw(&setup, &steps, &view).unwrap();
        let last = scenes.iter().map(|scenes| scenes.last().unwrap());
        let shown: Vec<&Scene> = [&start].into_iter().chain(last).collect();
        assert_eq!((shown.len(), shown.len()), (positions.len(), pictures.len()));
        assert!(moves.len() > 3, "{name}: {moves:?}");
        let pits = if board.shape.word() == "pits" { 2 } else { 0 };
        for ((scene, position), picture) in shown.iter().zip(&positions).zip(&pictures) {
            assert_eq!(scene.cells.len(), board.width * board.height + pits);
            compare(position, scene, picture);
        }
    }
}

fn texts<'a>(cells: impl IntoIterator<Item = &'a Look>) -> Vec<&'a str> {
    cells.into_iter().map(|look| look.text.as_str()).collect()
}

#[test]
fn scenes_of_awele_show_all_seeds() {
    compare_scenes("awele", "", 2, |position, scene, _| {
        let numbers: Vec<&str> = position.split(' ').collect();
        let Scene { cells, scores, .. } = scene;
        assert_eq!(texts(&cells[6..12]), numbers[..6], "{position}");
        assert_eq!(texts(cells[..6].iter().rev()), numbers[6..12], "{position}");
        assert_eq!(texts(&cells[12..]), numbers[12..], "{position}");
        assert_eq!(scores[0].to_string(), numbers[12]);
    });
}

/// Between two positions one seed more is sown in each scene, and none is lost.
#[test]
fn seeds_are_sown_one_by_one() {
    let registry = arbitre::registry();
    let game = registry.open("awele", "").unwrap();
    let Played { setup, moves, .. } = play(&*game, 2, 3);
    let steps: Vec<Step> = moves.iter().map(|(seat, mv)| Step::Moved(*seat, mv)).collect();
    let scenes = game.scenes(&setup, &steps).unwrap();
    let seeds = |scene: &Scene| -> Vec<u32> {
        texts(&scene.cells).iter().map(|text| text.parse().unwrap()).collect()
    };
    let mut before = seeds(&scenes.start);
    for step in &scenes.steps {
        let (last, sown) = step.split_last().unwrap();
        let first = seeds(&sown[0]);
        let origin = (0..12).find(|&pit| first[pit] == 0 && before[pit] > 0).unwrap();
        assert_eq!(sown.len() as u32, before[origin]);
        before[origin] = 0;
        for scene in sown {
            before[scene.marks[0]] += 1;
            assert_eq!(seeds(scene), before);
        }
        assert_eq!(before.iter().sum::<u32>(), 48);
        let captured: u32 =
            seeds(last)[12..].iter().sum::<u32>() - before[12..].iter().sum::<u32>();
        let label = (captured > 0).then(|| format!("captures {captured}"));
        assert_eq!((&last.label, last.marks.is_empty()), (&label, label.is_none()));
        before = seeds(last);
        assert_eq!(before.iter().sum::<u32>(), 48);
    }
}

#[test]
fn scenes_of_tron_show_trails_and_heads() {
    for (rules, seats) in [("size=9x7", 2), ("size=12x8", 4), ("", 3)] {
        compare_scenes("tron", rules, seats, |position, scene, picture| {
            // The position of an ended game lacks the trails that the drawing keeps.
            let drawn = picture.lines().filter_map(|line| line.split_once('|')?.1.split_once('|'));
            let drawn: String = drawn.map(|(row, _)| row).collect();
            let letter = |look: &Look| match look.paint {
                Paint::Free => '.',
                Paint::Wall => '#',
                Paint::Taken(seat) => char::from(b'0' + seat.index() as u8),
                Paint::Head(seat) => char::from(b'A' + seat.index() as u8),
                other => panic!("{other}"),
            };
            let shown: String = scene.cells.iter().map(letter).collect();
            assert_eq!(shown, drawn);
            let rows = position.split(' ').next().unwrap().replace('/', "");
            assert!(rows.chars().zip(shown.chars()).all(|(a, b)| a == b || a == '.'), "{rows}");
        });
    }
}

#[test]
fn scenes_of_seven_colors_show_all_cells() {
    compare_scenes("seven-colors", "", 2, |position, scene, _| {
        let letter = |look: &Look| match look.paint {
            Paint::Colour(number) => char::from(b'A' + number as u8),
            Paint::Taken(Seat::FIRST) => '.',
            _ => '*',
        };
        let shown: String = scene.cells.iter().map(letter).collect();
        assert_eq!(shown, position.split(' ').next().unwrap().replace('/', ""));
        let own = shown.chars().filter(|c| *c == '.').count();
        assert_eq!(scene.scores[0], own as i64);
    });
}

#[test]
fn scenes_of_taquin_show_all_tiles() {
    compare_scenes("taquin", "", 1, |position, scene, _| {
        let (board, made) = position.split_once(" after ").unwrap_or((position, "0"));
        let tiles = board.replace('/', " ").replace('_', "");
        let shown = texts(&scene.cells).join(" ");
        assert_eq!(
            shown.split_whitespace().collect::<Vec<_>>(),
            tiles.split_whitespace().collect::<Vec<_>>()
        );
        assert_eq!(scene.scores[0].to_string(), made);
        for (at, look) in scene.cells.iter().enumerate() {
            assert_eq!(look.paint == Paint::Goal, look.text == at.to_string(), "{position}");
        }
    });
}

/// The scenes of a path show each of its commands.
#[test]
fn scenes_of_hextris_show_units_and_filled_cells() {
    let registry = arbitre::registry();
    let game = registry.open("hextris", "").unwrap();
    let view = View { seat: Seat::FIRST, colour: false, names: vec!["a"] };
    let mut commands = 0;
    for seed in 0..GAMES {
        let setup = game.setups(1, 0, Rng::new(seed)).next().unwrap().unwrap();
        let (mut rng, mut path) = (Rng::new(seed), String::new());
        for _ in 0..80 {
            let longer = path.clone() + ["p", "b", "a", "l", "d", "k"][rng.below(6)];
            // A command is illegal where the unit has been before.
            if game.scenes(&setup, &[Step::Moved(Seat::FIRST, &longer)]).is_ok() {
                path = longer;
            }
        }
        let scenes = &game.scenes(&setup, &[Step::Moved(Seat::FIRST, &path)]).unwrap().steps[0];
        assert_eq!(scenes.len(), path.len());
        commands += path.len();
        for (scene, length) in scenes.iter().zip(1..) {
            let step = Step::Moved(Seat::FIRST, &path[..length]);
            let picture = game.draw(&setup, &[step], &view).unwrap().pop().unwrap();
            let letter = |look: &Look| match look.paint {
                Paint::Free => '.',
                Paint::Full => '#',
                _ => 'o',
            };
            let shown: String = scene.cells.iter().map(letter).collect();
            let rows = picture.lines().filter(|line| !line.contains("points"));
            assert_eq!(shown, rows.collect::<String>().replace(' ', ""));
            let points = format!(" {} points", scene.scores[0]);
            assert!(picture.contains(&points), "{picture}");
        }
    }
    assert!(commands > 300, "{commands}");
}

#[test]
fn phrases_are_named_where_they_end() {
    let registry = arbitre::registry();
    let game = registry.open("hextris", "").unwrap();
    let setup = game.setups(1, 0, Rng::new(0)).next().unwrap().unwrap();
    let scenes = game.scenes(&setup, &[Step::Moved(Seat::FIRST, "ei!aei!")]).unwrap();
    let labels: Vec<_> = scenes.steps[0].iter().map(|scene| scene.label.as_deref()).collect();
    assert_eq!(labels, [None, None, Some("ei!"), None, None, None, Some("ei!")]);
}
