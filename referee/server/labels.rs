//! Names of players as pages show them.

use crate::people::Person;
use crate::words::Language;
use arbitre_referee::run::room::{BOARD, PERSON};
use std::collections::BTreeMap;

/// Names of players for people. The file of the games has only numbers of persons.
pub struct Labels {
    names: BTreeMap<i64, String>,
    language: Language,
    shows_names: bool,
}

/// Name of a player in the file of the games, in its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stored<'a> {
    /// Name of the player, without a version.
    pub player: &'a str,
    /// Number of the person, if it is one.
    pub person: Option<i64>,
    /// Whether the person itself plays, at the board.
    pub is_at_board: bool,
    /// Number of an earlier version.
    pub version: Option<u32>,
}

impl Stored<'_> {
    /// Reads a name of the file.
    pub fn of(name: &str) -> Stored<'_> {
        let (player, version) = name
            .split_once('@')
            .map_or((name, None), |(player, version)| (player, version.parse().ok()));
        let number = player.strip_prefix(PERSON).or(player.strip_prefix(BOARD));
        let person = number.and_then(|number| number.parse().ok());
        let is_at_board = person.is_some() && player.starts_with(BOARD);
        Stored { player, person, is_at_board, version }
    }
}

impl Labels {
    /// Creates the names of these people.
    pub fn new(people: &[Person], language: Language, shows_names: bool) -> Labels {
        let names = people.iter().map(|person| (person.id, person.name.clone())).collect();
        Labels { names, language, shows_names }
    }

    /// Returns the name of a player, with its version if it is an earlier one.
    pub fn of(&self, stored: &str) -> String {
        let Stored { player, person, is_at_board, version } = Stored::of(stored);
        let name = match person {
            None => player.to_owned(),
            Some(id) if is_at_board => {
                format!("{} {}", self.person(id), self.language.w("at-board"))
            }
            Some(id) => self.person(id),
        };
        match version {
            None => name,
            Some(version) => format!("{name}, {} {version}", self.language.w("version")),
        }
    }

    /// Returns the name of a person, or its number.
    pub fn person(&self, id: i64) -> String {
        let name = self.names.get(&id).filter(|_| self.shows_names);
        name.cloned().unwrap_or_else(|| format!("{} {id}", self.language.w("number")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deleted_and_hidden_people_have_numbers() {
        let people = [Person { id: 3, name: "Ada".into(), is_disabled: false }];
        let labels = Labels::new(&people, Language::English, true);
        for (stored, shown) in [
            ("person-3", "Ada"),
            ("person-3@2", "Ada, version 2"),
            ("person-4", "no. 4"),
            ("awele-greedy", "awele-greedy"),
            ("person-x", "person-x"),
        ] {
            assert_eq!(labels.of(stored), shown);
        }
        let hidden = Labels::new(&people, Language::French, false);
        assert_eq!(hidden.of("person-3@1"), "nº 3, version 1");
    }
}
