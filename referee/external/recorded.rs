//! Recorded games, shown by the program of their rules.

use crate::registry::drawing::Step;
use crate::registry::table::RulesError;
use arbitre_games::game::ParseError;

/// Shows the position of a table at the start and after each step.
///
/// # Errors
/// Returns an error if the rules fail, or refuse a step.
pub fn shown<T, S>(
    table: &mut T,
    steps: &[Step],
    take: impl Fn(&mut T, &Step) -> Result<(), RulesError>,
    show: impl Fn(&T) -> Result<S, RulesError>,
) -> Result<Vec<S>, ParseError> {
    let mut shown = vec![show(table)?];
    for step in steps {
        take(table, step)?;
        shown.push(show(table)?);
    }
    Ok(shown)
}
