//! Drawings of recorded games.

use super::drawing::{Step, View};
use super::entry::GameEntry;
use super::scene::{GameScenes, Scene};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{ParseError, Seat, State};

/// Draws the position at the start and after each step.
///
/// # Errors
/// Returns an error if the setup or a step does not fit the rules. The message names the step.
pub fn draw_all<G: GameEntry>(
    game: &G,
    setup: &str,
    steps: &[Step],
    view: &View,
) -> Result<Vec<String>, ParseError> {
    let mut state = game.start(&game.parse_setup_text(setup)?)?;
    let mut pictures = vec![game.draw(&state, view)];
    for (i, step) in steps.iter().enumerate() {
        take(game, &mut state, step, |_, _, _, _| {})
            .map_err(|why| ParseError::new(format!("step {} of the game: {why}", i + 1)))?;
        pictures.push(game.draw(&state, view));
    }
    Ok(pictures)
}

/// Draws the scenes of a recorded game.
///
/// # Errors
/// Returns an error if the setup or a step does not fit the rules. The message names the step.
pub fn scenes_of<G: GameEntry>(
    game: &G,
    setup: &str,
    steps: &[Step],
) -> Result<GameScenes, ParseError> {
    let mut state = game.start(&game.parse_setup_text(setup)?)?;
    let (board, start) = (G::board(&state), game.scene(&state));
    let mut drawn = Vec::with_capacity(steps.len());
    for (number, step) in (1..).zip(steps) {
        let of_step = |why| ParseError::new(format!("step {number} of the game: {why}"));
        drawn.push(scenes_of_step(game, &mut state, step).map_err(of_step)?);
    }
    Ok(GameScenes { board, start, steps: drawn })
}

fn scenes_of_step<G: GameEntry>(
    game: &G,
    state: &mut G::State,
    step: &Step,
) -> Result<Vec<Scene>, ParseError> {
    let mut drawn = Vec::new();
    take(game, state, step, |before, seat, mv, after| {
        drawn.extend(game.played(before, seat, mv, after));
    })?;
    // An elimination, or an empty path.
    if drawn.is_empty() {
        drawn.push(game.scene(state));
    }
    Ok(drawn)
}

/// Takes a step. Passes each of its moves to `played`, with the positions before and after it.
///
/// # Errors
/// Returns an error if the step does not fit the rules.
fn take<G: Notation>(
    game: &G,
    state: &mut G::State,
    step: &Step,
    mut played: impl FnMut(&G::State, Seat, G::Move, &G::State),
) -> Result<(), ParseError> {
    match *step {
        Step::Eliminated(seats) => state.forfeit(seats),
        Step::Moved(seat, text) => {
            let refused = |why| ParseError::new(format!("'{text}' is illegal: {why}"));
            for mv in game.parse_path(text)? {
                let before = state.clone();
                state.play(seat, mv).map_err(refused)?;
                played(&before, seat, mv, state);
            }
        }
    }
    Ok(())
}
