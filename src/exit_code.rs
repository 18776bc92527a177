//! Exit codes of every program of this project, with their meaning. The help texts, the manual page
//! and the README use this list.

/// A requested condition is not met, or the system refused an operation.
pub const UNMET: u8 = 1;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// A player could not be started.
pub const PLAYER: u8 = 3;
/// The match file is locked, damaged or of another program, or the disk is full.
pub const STORE: u8 = 4;
/// This machine lacks what was asked for.
pub const UNAVAILABLE: u8 = 5;
/// A file is missing or holds bad data.
pub const DATA: u8 = 6;
/// The run was interrupted and can be resumed.
pub const INTERRUPTED: u8 = 130;

/// Every exit code with its meaning.
pub const MEANINGS: [(u8, &str); 8] = [
    (0, "done"),
    (UNMET, "--require, verify or check failed, or the system refused an operation"),
    (USAGE, "wrong usage"),
    (PLAYER, "a player could not be started"),
    (STORE, "the match file is locked, damaged or of another program, or the disk is full"),
    (
        UNAVAILABLE,
        "this machine lacks what was asked for, such as --clock fair or --require-sandbox full, or \
         lacks resources for a player",
    ),
    (DATA, "a file is missing or holds bad data"),
    (INTERRUPTED, "interrupted; --resume continues"),
];
