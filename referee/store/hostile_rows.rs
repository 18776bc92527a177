//! Property test: rows with correct checksums and any content are read without a panic. Chance
//! cannot produce such rows, but another program can.

use super::cells::checksum_of;
use super::{Order, StoreError, Versions, Writer};
use crate::config::format::FormatConfig;
use crate::config::{Contest, OpeningSource, PlayerConfig, Seeding, Source};
use crate::play::record::Record;
use crate::play::{PlayedGame, Ply, StartReport};
use crate::registry::testing::registry;
use arbitre_games::game::{Outcome, Seat};
use arbitre_process::launcher::layers::Level;
use arbitre_process::stopwatch::AnswerTime;
use proptest::collection::vec;
use proptest::prelude::*;
use rusqlite::types::Value;
use rusqlite::{params, Connection};
use std::time::Duration;

fn config() -> Contest {
    let player = |name: &str| PlayerConfig { name: name.into(), ..PlayerConfig::default() };
    Contest {
        game: registry().game_names()[0].into(),
        rules: String::new(),
        external: None,
        seats: 2,
        games: 10,
        seed: 1,
        openings: OpeningSource::Drawn(0),
        players: vec![player("a"), player("b")],
        format: FormatConfig::RoundRobin,
        sprt: None,
        adjudication: None,
        shard: None,
        seeding: Seeding::default(),
        source: Source::Words,
    }
}

fn record() -> Record {
    let ply = |number: usize| Ply {
        seat: Seat::new(number % 2),
        mv: number.to_string(),
        spent: Duration::from_micros(5),
        time: AnswerTime {
            cpu: Some(Duration::ZERO),
            ..AnswerTime::of_wall(Duration::from_micros(5))
        },
        comment: Some("so".into()),
        stderr: String::new(),
    };
    let report = StartReport { kept: false, ready: Some("ready".into()) };
    let outcome = Outcome { scores: vec![1, 0], out: Vec::new(), lower_is_better: false };
    let played = PlayedGame {
        start_reports: vec![Some(report); 2],
        plies: (0..5).map(ply).collect(),
        outcome: Some(outcome),
        ..PlayedGame::not_started(2, Vec::new())
    };
    let (setup, duration) = ("opening".into(), Duration::from_millis(1));
    let pairing = config().schedule().pairing(0);
    Record { number: None, pairing, setup, played, duration, sandbox: Level::None }
}

/// Returns the columns of the only row of a table.
fn cells(connection: &Connection, table: &str) -> Vec<Value> {
    let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
    let columns = statement.column_count();
    let row = statement.query_row([], |row| (0..columns).map(|column| row.get(column)).collect());
    row.unwrap()
}

/// Makes all checksums fit the rows as they are.
fn forge(connection: &Connection) {
    let moves = checksum_of(&cells(connection, "moves"));
    connection.execute("UPDATE game SET moves = ?", [moves]).unwrap();
    let mut game = cells(connection, "game");
    game.pop();
    connection.execute("UPDATE game SET checksum = ?", [checksum_of(&game)]).unwrap();
}

fn value() -> impl Strategy<Value = Value> {
    let text = "[-\\[\\]{}\",: 0-9a-fé]{0,24}";
    prop_oneof![
        text.prop_map(Value::Text),
        vec(any::<u8>(), 0..24).prop_map(Value::Blob),
        any::<i64>().prop_map(Value::Integer),
        any::<f64>().prop_map(Value::Real),
        Just(Value::Text(format!("{{\"{}\":\"x\"}}", u64::MAX))),
        Just(Value::Text("[[".repeat(2000))),
        Just(Value::Blob(vec![0xff; 3000])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn forged_rows_are_read_without_a_panic(column in 1..28usize, value in value()) {
        let mut writer = Writer::in_memory(&config(), &registry()).unwrap();
        writer.add(&record()).unwrap();
        let connection = &writer.archive().database.connection;
        let (table, column) = if column < 17 { ("game", column) } else { ("moves", column - 17) };
        let name = connection
            .prepare(&format!("SELECT * FROM {table}"))
            .map(|statement| statement.column_name(column).unwrap().to_owned())
            .unwrap();
        let sql = format!("UPDATE {table} SET {name} = ?");
        // A key that is no number is refused by SQLite itself.
        if connection.execute(&sql, params![value]).is_ok() {
            forge(connection);
        }
        let archive = writer.archive();
        for versions in [Versions::Current, Versions::All] {
            let view = archive.view(versions);
            let _ = archive.for_each_found::<StoreError>(&view, &mut |_| Ok(()));
            let _ = archive.for_each_result::<StoreError>(&view, &mut |_| Ok(()));
            let order = Order::Schedule;
            let _ = archive.for_each_detailed::<StoreError>(&view, order, &mut |_, _| Ok(()));
            let _ = archive.game(0, &view);
        }
    }
}

/// Sums over games would exceed their types.
#[test]
fn numbers_beyond_any_game_are_damage() {
    let most = Value::Text(format!("1:{}:1 1:1:1", u64::MAX));
    let moves = Value::Text(format!("{}:1:1 1:1:1", u64::MAX));
    for (column, value, is_fine) in [
        ("round", Value::Integer(7), true),
        ("round", Value::Integer(-1), false),
        ("round", Value::Integer(1 << 45), false),
        ("rotation", Value::Integer(-1), false),
        ("duration", Value::Integer(i64::MAX), false),
        ("times", most, false),
        ("times", moves, false),
    ] {
        let mut writer = Writer::in_memory(&config(), &registry()).unwrap();
        writer.add(&record()).unwrap();
        let connection = &writer.archive().database.connection;
        connection.execute(&format!("UPDATE game SET {column} = ?"), [value]).unwrap();
        forge(connection);
        let (view, mut found) = (writer.archive().view(Versions::Current), Vec::new());
        let all = writer.archive().for_each_found::<StoreError>(&view, &mut |row| {
            found.push(row.err());
            Ok(())
        });
        all.unwrap();
        let damage = format!("game 0: its {column} cannot be read");
        assert_eq!(found, [Some(damage).filter(|_| !is_fine)]);
    }
}

#[test]
fn level_of_the_sandbox_is_a_known_word() {
    let mut writer = Writer::in_memory(&config(), &registry()).unwrap();
    writer.add(&record()).unwrap();
    let archive = writer.archive();
    let read = |word: &str| {
        let connection = &archive.database.connection;
        connection.execute("UPDATE game SET sandbox = ?", [word]).unwrap();
        forge(connection);
        let (view, mut levels) = (archive.view(Versions::Current), Vec::new());
        let all = archive.for_each_found::<StoreError>(&view, &mut |found| {
            levels.push(found.map(|(record, _)| record.sandbox));
            Ok(())
        });
        all.unwrap();
        levels.remove(0)
    };
    for (word, level) in Level::WORDS {
        assert_eq!(read(word), Ok(level));
    }
    assert_eq!(read("fuller"), Err("game 0: its sandbox cannot be read".into()));
}
