//! The user's cache folder.

use std::path::PathBuf;

/// Returns the user's cache folder: `$XDG_CACHE_HOME/arbitre`, or else `~/.cache/arbitre`. Returns
/// `None` if neither variable is set.
pub fn folder() -> Option<PathBuf> {
    let variable =
        |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = variable("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
    let cache = cache.or_else(|| Some(variable("HOME")?.join(".cache")));
    cache.map(|folder| folder.join("arbitre"))
}
