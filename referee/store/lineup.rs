//! Players of a stored match and their versions. A player whose program, dialect or limits change
//! gets another version; games of earlier versions stay, but count only where all versions are
//! asked for.

use super::cells::{checksum, json};
use crate::config::{Contest, Environment, Kind, PlayerConfig};
use arbitre_process::sandbox::SandboxConfig;
use rusqlite::types::ValueRef;
use rusqlite::{params, Connection, Row};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// Selection of versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Versions {
    /// The last version of each player, or all of them as one player where they count: see
    /// [`Contest::counts_all_versions`]. In a room each version is a player of its own, in the
    /// order in which they came.
    Current,
    /// All versions, each as a player of its own.
    All,
}

/// Players and versions as they are stored.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Lineup {
    players: Vec<StoredPlayer>,
    versions: Vec<StoredVersion>,
}

#[derive(Clone, PartialEq, Debug)]
struct StoredPlayer {
    id: i64,
    name: String,
    /// Version that plays now.
    current: i64,
}

/// Surroundings of a version and its sandbox, in the column `environment`.
#[derive(Serialize, Deserialize)]
struct StoredSurroundings {
    #[serde(flatten)]
    environment: Environment,
    #[serde(default)]
    sandbox: SandboxConfig,
}

#[derive(Clone, PartialEq, Debug)]
struct StoredVersion {
    id: i64,
    player: i64,
    config: PlayerConfig,
}

/// Match as seen through some versions: its configuration, and the player that each version is.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// Configuration whose players are the versions of the view.
    pub config: Contest,
    numbers: HashMap<i64, usize>,
}

impl View {
    /// Replaces the number of each player.
    pub fn renumber(&mut self, numbers: &[usize]) {
        let mut players: Vec<_> = self.config.players.drain(..).zip(numbers).collect();
        players.sort_by_key(|(_, number)| **number);
        self.config.players = players.into_iter().map(|(player, _)| player).collect();
        self.numbers.values_mut().for_each(|number| *number = numbers[*number]);
    }

    /// Returns the players that these versions are; `None` if the view lacks one.
    pub fn players(&self, versions: &[i64]) -> Option<Vec<usize>> {
        versions.iter().map(|version| self.numbers.get(version).copied()).collect()
    }
}

impl Lineup {
    /// Reads the players and versions of a database.
    ///
    /// # Errors
    /// Returns an error of SQLite, or a description of the damage.
    pub fn read(connection: &Connection) -> rusqlite::Result<Result<Lineup, String>> {
        let players = rows(connection, "SELECT * FROM player ORDER BY id", StoredPlayer::read)?;
        let versions = rows(connection, "SELECT * FROM version ORDER BY id", StoredVersion::read)?;
        Ok(players.and_then(|players| {
            let mut lineup = Lineup { players, versions: versions? };
            lineup.check()?;
            lineup.name_versions();
            Ok(lineup)
        }))
    }

    /// Gives each version the name of its player.
    fn name_versions(&mut self) {
        for version in &mut self.versions {
            let player = self.players.iter().find(|player| player.id == version.player);
            version.config.name = player.map_or_else(String::new, |player| player.name.clone());
        }
    }

    fn check(&self) -> Result<(), String> {
        let has_current = |player: &StoredPlayer| {
            let mut own = self.versions.iter().filter(|version| version.player == player.id);
            own.any(|version| version.id == player.current)
        };
        match self.players.iter().find(|player| !has_current(player)) {
            Some(player) => Err(format!("player {} has no version", player.id)),
            None => Ok(()),
        }
    }

    /// Returns the view of the match `config` through `versions`.
    pub fn view(&self, config: &Contest, versions: Versions) -> View {
        let shown = match config.kind() {
            Kind::Room => self.in_order(),
            _ => self.shown(versions),
        };
        let mut numbers: HashMap<i64, usize> =
            shown.iter().enumerate().map(|(number, (id, _))| (*id, number)).collect();
        if versions == Versions::Current && config.counts_all_versions() {
            for version in &self.versions {
                let player = self.players.iter().position(|player| player.id == version.player);
                numbers.extend(player.map(|player| (version.id, player)));
            }
        }
        let players = shown.into_iter().map(|(_, player)| player).collect();
        View { config: Contest { players, ..config.clone() }, numbers }
    }

    /// Returns all versions with their players, in the order in which they came.
    fn in_order(&self) -> Vec<(i64, PlayerConfig)> {
        let mut all = self.shown(Versions::All);
        all.sort_by_key(|(id, _)| *id);
        all
    }

    /// Returns the identity of the version behind each number of a player, for new games.
    pub fn numbered(&self, config: &Contest) -> Vec<i64> {
        match config.kind() {
            Kind::Room => self.in_order().into_iter().map(|(id, _)| id).collect(),
            _ => self.current(),
        }
    }

    /// Returns the versions with their players: the current ones first, in the order of the
    /// players.
    fn shown(&self, versions: Versions) -> Vec<(i64, PlayerConfig)> {
        let current = self.players.iter().filter_map(|player| {
            let version = self.versions.iter().find(|version| version.id == player.current)?;
            Some((version.id, version.config.clone()))
        });
        let mut shown: Vec<(i64, PlayerConfig)> = current.collect();
        if versions == Versions::All {
            shown.extend(self.players.iter().flat_map(|player| self.earlier(player)));
        }
        shown
    }

    /// Returns the versions of a player that do not play any more, named `ada@1`, `ada@2` and so
    /// on in the order in which they came. No name of a player has such a sign.
    fn earlier(&self, player: &StoredPlayer) -> Vec<(i64, PlayerConfig)> {
        let own = self.versions.iter().filter(|version| version.player == player.id);
        let numbered = own.zip(1..).filter(|(version, _)| version.id != player.current);
        let named = numbered.map(|(version, number)| {
            let name = format!("{}@{number}", player.name);
            (version.id, PlayerConfig { name, ..version.config.clone() })
        });
        named.collect()
    }

    /// Returns the identities of the versions that play now, in the order of the players.
    pub fn current(&self) -> Vec<i64> {
        self.players.iter().map(|player| player.current).collect()
    }

    /// Returns the identity of the version that plays now of the player of this name.
    pub fn current_of(&self, name: &str) -> Option<i64> {
        self.players.iter().find(|player| player.name == name).map(|player| player.current)
    }

    /// Returns the identities of the players, in their order.
    pub fn identities(&self) -> impl Iterator<Item = i64> + '_ {
        self.players.iter().map(|player| player.id)
    }

    /// Writes all players and versions into a new database.
    ///
    /// # Errors
    /// Returns an error of SQLite.
    pub fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        self.players.iter().try_for_each(|player| player.write(connection))?;
        self.versions.iter().try_for_each(|version| version.write(connection))
    }

    /// Returns each version with itself, for a copy.
    pub fn same(&self) -> HashMap<i64, i64> {
        self.versions.iter().map(|version| (version.id, version.id)).collect()
    }

    /// Returns the identity of the player of this name.
    pub fn player(&self, name: &str) -> Option<i64> {
        self.players.iter().find(|player| player.name == name).map(|player| player.id)
    }

    /// Returns the identities of the versions behind a name: all of a player, or the one that
    /// `ada@1` names.
    pub fn versions_of(&self, name: &str) -> Vec<i64> {
        let own = self.versions.iter().filter(|version| Some(version.player) == self.player(name));
        let all: Vec<i64> = own.map(|version| version.id).collect();
        if !all.is_empty() {
            return all;
        }
        let earlier = self.players.iter().flat_map(|player| self.earlier(player));
        earlier.filter(|(_, config)| config.name == name).map(|(id, _)| id).collect()
    }

    /// Makes these players and versions the current ones: adds those that are new. Players that
    /// are not named stay as they are.
    ///
    /// # Errors
    /// Returns an error of SQLite.
    pub fn enrol(
        &mut self,
        players: &[PlayerConfig],
        connection: &Connection,
    ) -> rusqlite::Result<()> {
        for config in players {
            let known = self.players.iter().position(|player| player.name == config.name);
            let player = known.map_or_else(
                || 1 + self.players.iter().map(|player| player.id).max().unwrap_or(0),
                |at| self.players[at].id,
            );
            let current = self.version(player, config, connection)?;
            match known {
                None => {
                    let stored = StoredPlayer { id: player, name: config.name.clone(), current };
                    stored.write(connection)?;
                    self.players.push(stored);
                }
                Some(at) if self.players[at].current != current => {
                    self.players[at].current = current;
                    self.players[at].write(connection)?;
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Adds the versions of `others` that these players lack, in an order that does not depend on
    /// the order of `others`. Returns the new identities of the versions of each.
    ///
    /// # Errors
    /// Returns an error of SQLite.
    pub fn join<'a>(
        &mut self,
        others: impl Iterator<Item = &'a Lineup> + Clone,
        connection: &Connection,
    ) -> rusqlite::Result<Vec<HashMap<i64, i64>>> {
        let key = |version: &&StoredVersion| {
            let PlayerConfig { name, version, dialect, limits, .. } = &version.config;
            (name.clone(), version.clone(), dialect.clone(), json(limits))
        };
        let mut all: Vec<&StoredVersion> =
            others.clone().flat_map(|other| &other.versions).collect();
        all.sort_by_cached_key(key);
        for StoredVersion { config, .. } in all {
            let own = self.player(&config.name).map(|player| self.has_version(player, config));
            if let (Some(player), Some(false)) = (self.player(&config.name), own) {
                self.version(player, config, connection)?;
            }
        }
        let same = |version: &StoredVersion| {
            let is_same = |own: &&StoredVersion| {
                own.config.name == version.config.name
                    && own.config.is_same_version(&version.config)
            };
            Some((version.id, self.versions.iter().find(is_same)?.id))
        };
        Ok(others.map(|other| other.versions.iter().filter_map(same).collect()).collect())
    }

    fn has_version(&self, player: i64, config: &PlayerConfig) -> bool {
        let mut own = self.versions.iter().filter(|version| version.player == player);
        own.any(|version| version.config.is_same_version(config))
    }

    /// Returns the version with this identity.
    pub fn version_of(&self, id: i64) -> Option<&PlayerConfig> {
        self.versions.iter().find(|version| version.id == id).map(|version| &version.config)
    }

    /// Returns the identity of a version, which is added if the player had none like it. A known
    /// one gets the sandbox of `config`, and its command where its own folder is another one.
    fn version(
        &mut self,
        player: i64,
        config: &PlayerConfig,
        connection: &Connection,
    ) -> rusqlite::Result<i64> {
        let mut own = self.versions.iter_mut().filter(|version| version.player == player);
        if let Some(known) = own.find(|version| version.config.is_same_version(config)) {
            let own_folder = &config.environment.own_folder;
            let is_moved = known.config.environment.own_folder != *own_folder;
            if known.config.sandbox != config.sandbox || is_moved {
                known.config.sandbox = config.sandbox.clone();
                if is_moved {
                    known.config.environment = config.environment.clone();
                    known.config.command = config.command.clone();
                }
                known.write(connection)?;
            }
            return Ok(known.id);
        }
        let id = 1 + self.versions.iter().map(|version| version.id).max().unwrap_or(0);
        let version = StoredVersion { id, player, config: config.clone() };
        version.write(connection)?;
        self.versions.push(version);
        Ok(id)
    }

    /// Removes the versions that do not play any more and have no games. `used` are those that
    /// have.
    ///
    /// # Errors
    /// Returns an error of SQLite.
    pub fn prune(&mut self, used: &HashSet<i64>, connection: &Connection) -> rusqlite::Result<()> {
        let current: HashSet<i64> = self.current().into_iter().collect();
        let (kept, idle): (Vec<StoredVersion>, Vec<StoredVersion>) =
            std::mem::take(&mut self.versions)
                .into_iter()
                .partition(|version| used.contains(&version.id) || current.contains(&version.id));
        self.versions = kept;
        for version in idle {
            connection.execute("DELETE FROM version WHERE id = ?", [version.id])?;
        }
        Ok(())
    }

    /// Removes a player with its versions, or one version of it.
    ///
    /// # Errors
    /// Returns an error of SQLite.
    pub fn remove(&mut self, name: &str, connection: &Connection) -> rusqlite::Result<()> {
        let (player, versions) = (self.player(name), self.versions_of(name));
        for version in &versions {
            connection.execute("DELETE FROM version WHERE id = ?", [version])?;
        }
        self.versions.retain(|version| !versions.contains(&version.id));
        if let Some(player) = player {
            connection.execute("DELETE FROM player WHERE id = ?", [player])?;
            self.players.retain(|stored| stored.id != player);
        }
        Ok(())
    }
}

/// Reads rows whose last column is the checksum of the others.
fn rows<T>(
    connection: &Connection,
    sql: &str,
    read: fn(&Row) -> Option<T>,
) -> rusqlite::Result<Result<Vec<T>, String>> {
    let mut statement = connection.prepare(sql)?;
    let last = statement.column_count() - 1;
    let what = if sql.contains("FROM player") { "player" } else { "version" };
    let rows = statement.query_map([], |row| {
        let id: i64 = row.get(0)?;
        let cells = (0..last).map(|column| row.get_ref(column));
        let stored: u32 = row.get(last)?;
        let is_whole = checksum(cells.collect::<rusqlite::Result<Vec<_>>>()?) == stored;
        let damaged = || format!("{what} {id}: its checksum does not fit");
        Ok(Some(row).filter(|_| is_whole).and_then(read).ok_or_else(damaged))
    })?;
    rows.collect()
}

impl StoredPlayer {
    fn read(row: &Row) -> Option<StoredPlayer> {
        let get = || -> rusqlite::Result<StoredPlayer> {
            Ok(StoredPlayer { id: row.get(0)?, name: row.get(1)?, current: row.get(2)? })
        };
        get().ok()
    }

    fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let StoredPlayer { id, name, current } = self;
        let cells = [ValueRef::Integer(*id), name.as_str().into(), ValueRef::Integer(*current)];
        let sum = checksum(cells);
        let sql = "INSERT OR REPLACE INTO player VALUES (?, ?, ?, ?)";
        connection.execute(sql, params![id, name, current, sum]).map(drop)
    }
}

impl StoredVersion {
    fn read(row: &Row) -> Option<StoredVersion> {
        let text = |column: usize| row.get::<_, String>(column).ok();
        let StoredSurroundings { environment, sandbox } = serde_json::from_str(&text(6)?).ok()?;
        let config = PlayerConfig {
            name: String::new(),
            version: text(2)?,
            command: text(3)?,
            dialect: text(4)?,
            limits: serde_json::from_str(&text(5)?).ok()?,
            environment,
            sandbox,
        };
        Some(StoredVersion { id: row.get(0).ok()?, player: row.get(1).ok()?, config })
    }

    fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let PlayerConfig { command, dialect, limits, version, environment, sandbox, .. } =
            &self.config;
        let surroundings =
            StoredSurroundings { environment: environment.clone(), sandbox: sandbox.clone() };
        let (limits, environment) = (json(limits), json(&surroundings));
        let texts = [version, command, dialect, &limits, &environment];
        let cells = [ValueRef::Integer(self.id), ValueRef::Integer(self.player)];
        let sum = checksum(cells.into_iter().chain(texts.map(|text| text.as_str().into())));
        let sql = "INSERT OR REPLACE INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
        let [digest, command, dialect, limits, environment] = texts;
        let (id, player) = (self.id, self.player);
        let row = params![id, player, digest, command, dialect, limits, environment, sum];
        connection.execute(sql, row).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_version_in_another_folder_is_moved() {
        let connection = Connection::open_in_memory().unwrap();
        let tables = "CREATE TABLE player (id PRIMARY KEY, b, c, d);
                      CREATE TABLE version (id PRIMARY KEY, b, c, d, e, f, g, h)";
        connection.execute_batch(tables).unwrap();
        let own = |folder: &str, command: &str| {
            let own_folder = Some(folder.to_owned());
            let environment = Environment { own_folder, ..Environment::default() };
            let (name, command) = ("ada".to_owned(), command.to_owned());
            PlayerConfig { name, command, environment, ..PlayerConfig::default() }
        };
        let mut lineup = Lineup::default();
        for config in [own("builds/1", "./bot"), own("builds/2", "./main")] {
            lineup.enrol(std::slice::from_ref(&config), &connection).unwrap();
            let read = Lineup::read(&connection).unwrap().unwrap();
            assert_eq!((&read, read.versions.len()), (&lineup, 1));
            assert_eq!(read.versions[0].config, config);
        }
    }

    #[test]
    fn versions_stored_without_a_sandbox_are_read() {
        let (folder, system) = ("/x".into(), "Linux".into());
        let environment = Environment { folder, system, own_folder: None };
        let stored = r#"{"folder":"/x","system":"Linux"}"#;
        let read = |text: &str| serde_json::from_str::<StoredSurroundings>(text).unwrap();
        let StoredSurroundings { environment: read_environment, sandbox } = read(stored);
        assert_eq!((&read_environment, sandbox), (&environment, SandboxConfig::default()));
        let own_folder = Some("class/élève".into());
        let own = Environment { own_folder, ..environment.clone() };
        let both = StoredSurroundings { environment: own.clone(), sandbox: SandboxConfig::none() };
        assert_eq!(read(&json(&both)).environment, own);
        let none = StoredSurroundings { environment, sandbox: SandboxConfig::none() };
        assert!(!json(&none).contains("own_folder"), "stored as before");
        assert_eq!(read(&json(&none)).sandbox, SandboxConfig::none());
        let partial = r#"{"folder":"","system":"","sandbox":{"profile":"class"}}"#;
        assert_eq!(read(partial).sandbox.memory, SandboxConfig::default().memory);
    }
}
