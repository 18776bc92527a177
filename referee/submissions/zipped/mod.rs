//! Players from a zip file, such as Moodle's: unpacked once below the folder of results.

mod contents;
mod encoding;
mod players;
mod reading;

pub use reading::is_zip;

use super::build::remove;
use super::tree::TreeLimits;
use super::{is_folder, open_kept, scan};
use crate::failure::{about, Failure};
use crate::player::digest::hexadecimal;
use arbitre_games::text::HELP;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// Limits of the files in a zip file, and in those in it. Not tuned.
pub const LIMITS: TreeLimits = TreeLimits { entries: 10_000, bytes: 1 << 30, depth: 32 };
/// Number of digits of a digest: 64 bits.
const DIGITS: usize = 16;
/// Folder of the players of a zip file, and the file of the remarks beside it.
const PLAYERS: &str = "players";
const NOTES: &str = "notes";
/// Folders that exist while a zip file is unpacked: the result, what was unpacked, and what one
/// player has.
const PART: &str = "part";
const UNPACKED: &str = "unpacked";
const INNER: &str = "inner";

/// Players of a zip file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unpacked {
    /// Folder of the players.
    pub folder: PathBuf,
    /// Remarks for people, each one line.
    pub notes: Vec<String>,
}

/// Unpacks the players of a zip file below the folder `zips`, for example `.arbitre/zips`, unless
/// the same file was unpacked there before.
///
/// # Errors
/// Returns an error if it is no zip file of players, or cannot be read or unpacked.
pub fn unpack(zip: &Path, zips: &Path) -> Result<Unpacked, Failure> {
    let bytes = reading::read(zip)?;
    let of_io = about(zips, Failure::Store);
    let (zips, _lock) = open_kept(zips).map_err(of_io)?;
    let mut digest = hexadecimal(&Sha256::digest(&bytes));
    digest.truncate(DIGITS);
    let (kept, part) = (zips.join(digest), zips.join(PART));
    if !is_folder(&kept) {
        // A referee that was killed may have left it.
        remove(&part).map_err(of_io)?;
        if let Err(failure) = prepare(&bytes, &part) {
            if let Err(error) = remove(&part) {
                log::warn!("{}: {error}", part.display());
            }
            return Err(match failure {
                Failure::Data(why) => Failure::Data(format!("{}: {why}", zip.display())),
                other => other,
            });
        }
        fs::rename(&part, &kept).map_err(of_io)?;
    }
    let notes = fs::read_to_string(kept.join(NOTES)).map_err(of_io)?;
    let notes = notes.lines().map(str::to_owned).collect();
    Ok(Unpacked { folder: kept.join(PLAYERS), notes })
}

/// Unpacks the zip file of one player into an empty folder. Folders that contain nothing but a
/// folder are left out. The folder `inner` is used on the way.
///
/// # Errors
/// Returns a failure of the data if it is damaged or exceeds the limits, and one of the store if it
/// cannot be written.
pub fn unpack_player(
    bytes: &[u8],
    folder: &Path,
    inner: &Path,
    mut limits: TreeLimits,
) -> Result<(), Failure> {
    contents::unpack(bytes, folder, &mut limits)?;
    players::lift(folder, inner)
}

/// Unpacks a zip file into the new folder `part`.
fn prepare(bytes: &[u8], part: &Path) -> Result<(), Failure> {
    let of_io = about(part, Failure::Store);
    let (unpacked, players) = (part.join(UNPACKED), part.join(PLAYERS));
    fs::create_dir_all(&unpacked).map_err(of_io)?;
    let mut limits = LIMITS;
    contents::unpack(bytes, &unpacked, &mut limits)?;
    let notes = players::arrange(&unpacked, &players, &part.join(INNER), &mut limits)?;
    if scan(&players).is_err() {
        return Err(Failure::Data(format!(
            "expected players, got none{HELP}put each player into a folder, or into a file such \
             as bot.py"
        )));
    }
    fs::write(part.join(NOTES), notes.join("\n")).map_err(of_io)?;
    remove(&unpacked).map_err(of_io)
}
