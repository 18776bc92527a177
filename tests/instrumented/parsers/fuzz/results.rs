//! Files of results: damaged bytes, and rows with any content whose checksums fit.

use super::chance::Chance;
use super::{done, run};
use arbitre_test_support::command::{scratch, script, stderr};
use flate2::{read::GzDecoder, Crc};
use rusqlite::types::Value;
use rusqlite::{params_from_iter, Connection};
use std::fs;
use std::io::Read;
use std::path::Path;

/// A valid file.
pub struct File {
    bytes: Vec<u8>,
}

/// Bot that comments on its moves, writes to standard error, and makes a mistake in some games.
const TALKER: &str = r#"#!/bin/sh
while read word first rest; do
    case $word in
        seed) seed=$first; count=0 ;;
        begin) echo "ready talker" ;;
        legal) move=$first ;;
        go) count=$((count + 1))
            case $count$seed in 9*[123]) move=9 ;; 9*4) exit 3 ;; esac
            [ $count = 5 ] && echo "[PDATA] five = 5" >&2
            echo "$move # score $count \"so\"" ;;
    esac
done
"#;

/// Commands that play a file `m.db`. Time never decides a game.
const PLAYED: [&str; 4] = [
    "referee ./talker 'awele random' --games 6 --seed 3",
    "referee 'tron random' 'tron fixed' 'tron random' --seats 3 --games 2 --seed 1",
    "referee 'taquin random' 'taquin quick' --rules eight --games 2 --seed 1 --nodes 2000",
    "referee 'awele random' 'awele greedy' --external 'referee arena step awele' --games 2",
];

/// Files of the previous format, one for each way to pair.
const OLDER: [&str; 7] = [
    "double-knockout.db.gz",
    "external.db.gz",
    "ladder.db.gz",
    "merged.db.gz",
    "swiss.db.gz",
    "tested-gauntlet.db.gz",
    "versions.db.gz",
];

/// Commands that read a file, and start nothing that it names.
const COMMANDS: [&str; 24] = [
    "referee list",
    "referee list --json --db m.db",
    "referee list --games --db m.db",
    "referee list --faults --json --all-versions --db m.db",
    "referee show 0 --db m.db",
    "referee show last --json --db m.db",
    "referee show first-fault --brief --db m.db",
    "referee show 1 --ply 3 --db m.db",
    "referee show 0 --input 0 --db m.db",
    "referee verify --db m.db",
    "referee verify --json --db m.db",
    "referee export --times --all-versions --db m.db",
    "referee export --format csv --db m.db",
    "referee export --format pgn --times --db m.db",
    "referee report --all-versions --output report.html --db m.db",
    "referee report --svg position --db m.db",
    "referee report --svg ratings --db m.db",
    "referee report --svg times --db m.db",
    "referee replay last --output game.html --db m.db",
    "referee merge m.db --output copy.db",
    "referee merge .arbitre/whole.db m.db --output copy.db",
    "referee drop 0 --db m.db",
    "referee tournament cup.toml --dry-run --db m.db",
    "referee tournament cup.toml --dry-run --json --db m.db",
];

/// Tournament that the files of tournaments belong to.
const CUP: &str = include_str!("../../../data/store/format2/swiss.toml");

/// Other damage to the tables.
const STATEMENTS: [&str; 9] = [
    "DELETE FROM moves WHERE number = 0",
    "DELETE FROM session",
    "DELETE FROM version",
    "DELETE FROM ledger",
    "DROP TABLE stage",
    "INSERT INTO match SELECT * FROM match",
    "INSERT INTO stage SELECT number + 1, document, checksum FROM stage",
    "UPDATE player SET name = 'm' || char(27) || '[2J' || char(10) || name",
    "PRAGMA user_version = 4294967295",
];

pub fn files(folder: &Path) -> Vec<File> {
    script(folder, "talker", TALKER);
    let mut files = Vec::new();
    for command in PLAYED {
        let _ = fs::remove_file(folder.join("m.db"));
        let calm = "--move-time 60s --first-move-time 60s --init-time 60s --no-sandbox";
        done(folder, &format!("{command} {calm} --db m.db"));
        files.push(File { bytes: fs::read(folder.join("m.db")).unwrap() });
    }
    for name in OLDER {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store/format2").join(name);
        let mut bytes = Vec::new();
        GzDecoder::new(fs::File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
        files.push(File { bytes });
    }
    files
}

pub fn case(files: &[File], chance: &mut Chance, folder: &Path) -> Vec<String> {
    let (path, bytes) = (folder.join("m.db"), &chance.pick(files).bytes);
    if chance.below(8) == 0 {
        fs::write(&path, chance.mutated(bytes)).unwrap();
    } else {
        fs::write(&path, bytes).unwrap();
        let connection = Connection::open(&path).unwrap();
        for _ in 0..=chance.below(2) {
            edit(&connection, chance);
        }
        if chance.below(8) > 0 {
            forge(&connection);
        }
        connection.close().unwrap();
    }
    fs::write(folder.join("cup.toml"), CUP).unwrap();
    fs::create_dir(folder.join(".arbitre")).unwrap();
    fs::copy(&path, folder.join(".arbitre/m.db")).unwrap();
    fs::write(folder.join(".arbitre/whole.db"), bytes).unwrap();
    (0..4).map(|_| (*chance.pick(&COMMANDS)).into()).collect()
}

/// Changes a column of a row. A change that SQLite refuses is none.
fn edit(connection: &Connection, chance: &mut Chance) {
    if chance.below(8) == 0 {
        let _ = connection.execute_batch(STATEMENTS[chance.below(STATEMENTS.len())]);
        return;
    }
    let tables = ["match", "player", "version", "session", "game", "moves", "void", "stage"];
    let table = *chance.pick(&[&tables[..], &["game", "moves", "ledger"]].concat());
    let Some((names, rows)) = rows(connection, table) else { return };
    if rows.is_empty() {
        return;
    }
    let (row, column) = (chance.pick(&rows), chance.below(names.len()));
    let value = match (&row[column + 1], chance.below(20)) {
        (_, 0) => Value::Null,
        (_, 1) => Value::Blob(vec![0xff; 3000]),
        (Value::Text(text), _) => {
            Value::Text(String::from_utf8_lossy(&chance.mutated(text.as_bytes())).into())
        }
        (Value::Blob(bytes), _) => Value::Blob(chance.mutated(bytes)),
        (_, 2) => Value::Text("[[".repeat(2000)),
        _ => Value::Integer(*chance.pick(&[-1, 0, 1, 2, 255, 1 << 32, i64::MAX, i64::MIN])),
    };
    let sql = format!("UPDATE OR REPLACE {table} SET {} = ? WHERE rowid = ?", names[column]);
    let _ = connection.execute(&sql, params_from_iter([&value, &row[0]]));
}

/// Returns the names of the columns of a table, and its rows, each after its key.
fn rows(connection: &Connection, table: &str) -> Option<(Vec<String>, Vec<Vec<Value>>)> {
    let mut statement = connection.prepare(&format!("SELECT rowid, * FROM {table}")).ok()?;
    let names: Vec<String> = statement.column_names().map(Into::into).collect();
    let of_row = |row: &rusqlite::Row| (0..names.len()).map(|column| row.get(column)).collect();
    let rows: rusqlite::Result<Vec<Vec<Value>>> = statement.query_map([], of_row).ok()?.collect();
    Some((names[1..].to_vec(), rows.ok()?))
}

/// Makes all checksums fit the rows as they are.
fn forge(connection: &Connection) {
    let put = |table: &str, column: &str, value: u32, key: &Value| {
        let sql = format!("UPDATE {table} SET {column} = ? WHERE rowid = ?");
        let _ = connection.execute(&sql, params_from_iter([&Value::Integer(value.into()), key]));
    };
    for row in rows(connection, "moves").map_or(Vec::new(), |(_, rows)| rows) {
        put("game", "moves", checksum(&row[1..]), &row[0]);
    }
    for table in ["match", "session", "stage"] {
        for row in rows(connection, table).map_or(Vec::new(), |(_, rows)| rows) {
            let mut sum = Crc::new();
            if let Some(Value::Text(document)) = row.iter().nth_back(1) {
                sum.update(document.as_bytes());
            }
            put(table, "checksum", sum.sum(), &row[0]);
        }
    }
    for table in ["player", "version", "game", "void"] {
        for row in rows(connection, table).map_or(Vec::new(), |(_, rows)| rows) {
            put(table, "checksum", checksum(&row[1..row.len() - 1]), &row[0]);
        }
    }
    let games = rows(connection, "game").map_or(Vec::new(), |(_, rows)| rows);
    let sums = games.iter().map(|row| checksum(&row[1..row.len() - 1]));
    put("ledger", "digest", sums.fold(0, |all, sum| all ^ sum), &Value::Integer(1));
    put("ledger", "games", games.len() as u32, &Value::Integer(1));
}

/// Returns the checksum of columns, as `docs/format.md` has it.
fn checksum(cells: &[Value]) -> u32 {
    let mut sum = Crc::new();
    for cell in cells {
        let (kind, number, bytes): (&[u8], i64, &[u8]) = match cell {
            Value::Null => {
                sum.update(b"n");
                continue;
            }
            Value::Integer(number) => (b"i", *number, &[]),
            Value::Real(number) => (b"r", number.to_bits() as i64, &[]),
            Value::Text(text) => (b"t", text.len() as i64, text.as_bytes()),
            Value::Blob(bytes) => (b"b", bytes.len() as i64, bytes),
        };
        [kind, &number.to_le_bytes(), bytes].iter().for_each(|part| sum.update(part));
    }
    sum.sum()
}

/// Rows that failed once: a search for setups took a second per game, and sums overflowed.
#[test]
fn earlier_failures_are_refused() {
    let folder = scratch().join("fuzz of rows");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    done(&folder, "referee 'tron random' 'tron fixed' --games 2 --db whole.db");
    let cases = [
        (
            r#"UPDATE match SET document = replace(document, '"seats":2', '"seats":1')"#,
            "the match: expected 2 to 4 seats, got 1",
        ),
        ("UPDATE game SET round = -1 WHERE number = 0", "game 0: its round cannot be read"),
        (
            "UPDATE game SET times = '18446744073709551615:1:1 1:1:1' WHERE number = 1",
            "game 1: its times cannot be read",
        ),
    ];
    for (sql, part) in cases {
        fs::copy(folder.join("whole.db"), folder.join("m.db")).unwrap();
        let connection = Connection::open(folder.join("m.db")).unwrap();
        assert_eq!(connection.execute(sql, []), Ok(1));
        forge(&connection);
        connection.close().unwrap();
        let output = run(&folder, "referee report --svg ratings --db m.db");
        let told = format!("error: m.db: it is damaged: {part}\n");
        assert_eq!((output.status.code(), stderr(&output)), (Some(4), told), "{sql}");
    }
}
