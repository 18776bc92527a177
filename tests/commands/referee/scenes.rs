//! Scenes of recorded games, against the positions that the protocol sends.

use arbitre::game::Seat;
use arbitre::referee::registry::drawing::{Step, View};
use arbitre::referee::registry::scene::Scene;
use arbitre::rng::Rng;
use arbitre_test_support::scenes::{check_scene, texts, Moves};

/// Random games of each game.
const GAMES: u64 = 12;

/// Plays random games, and compares each position with its scene and its drawing.
fn compare_scenes(name: &str, rules: &str, seats: usize) {
    let registry = arbitre::registry();
    let game = registry.open(name, rules).unwrap();
    for seed in 0..GAMES {
        let moves = Moves::random(&*game, seats, seed);
        let scenes = moves.scenes(&*game);
        let (positions, pictures) = (moves.positions(&*game), moves.pictures(&*game));
        let last = scenes.steps.iter().map(|scenes| scenes.last().unwrap());
        let shown: Vec<&Scene> = [&scenes.start].into_iter().chain(last).collect();
        assert_eq!((shown.len(), shown.len()), (positions.len(), pictures.len()));
        assert!(moves.moves.len() > 3, "{name}: {:?}", moves.moves);
        let board = scenes.board;
        let pits = if board.shape.word() == "pits" { 2 } else { 0 };
        for ((scene, position), picture) in shown.iter().zip(&positions).zip(&pictures) {
            assert_eq!(scene.cells.len(), board.width * board.height + pits);
            check_scene(name, scene, position, picture);
        }
    }
}

#[test]
fn scenes_of_awele_show_all_seeds() {
    compare_scenes("awele", "", 2);
}

/// Between two positions one seed more is sown in each scene, and none is lost.
#[test]
fn seeds_are_sown_one_by_one() {
    let registry = arbitre::registry();
    let game = registry.open("awele", "").unwrap();
    let scenes = Moves::random(&*game, 2, 3).scenes(&*game);
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
        compare_scenes("tron", rules, seats);
    }
}

#[test]
fn scenes_of_seven_colors_show_all_cells() {
    compare_scenes("seven-colors", "", 2);
}

#[test]
fn scenes_of_taquin_show_all_tiles() {
    compare_scenes("taquin", "", 1);
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
            if game.scenes(&setup, 1, &[Step::Moved(Seat::FIRST, &longer)]).is_ok() {
                path = longer;
            }
        }
        let scenes = &game.scenes(&setup, 1, &[Step::Moved(Seat::FIRST, &path)]).unwrap().steps[0];
        assert_eq!(scenes.len(), path.len());
        commands += path.len();
        for (scene, length) in scenes.iter().zip(1..) {
            let step = Step::Moved(Seat::FIRST, &path[..length]);
            let picture = game.draw(&setup, &[step], &view).unwrap().pop().unwrap();
            check_scene("hextris", scene, "", &picture);
        }
    }
    assert!(commands > 300, "{commands}");
}

#[test]
fn phrases_are_named_where_they_end() {
    let registry = arbitre::registry();
    let game = registry.open("hextris", "").unwrap();
    let setup = game.setups(1, 0, Rng::new(0)).next().unwrap().unwrap();
    let scenes = game.scenes(&setup, 1, &[Step::Moved(Seat::FIRST, "ei!aei!")]).unwrap();
    let labels: Vec<_> = scenes.steps[0].iter().map(|scene| scene.label.as_deref()).collect();
    assert_eq!(labels, [None, None, Some("ei!"), None, None, None, Some("ei!")]);
}
