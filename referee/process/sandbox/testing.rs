//! Temporary folders for the tests of the sandbox.

use super::Surroundings;
use crate::launcher::layers::{Access, ViewEntry};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Folder that is removed at the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        let base = std::env::temp_dir().canonicalize().unwrap();
        let named = |number| base.join(format!("arbitre-sandbox-{}-{number}", std::process::id()));
        // Another test may have the first names.
        let made = (0..100).map(named).find(|folder| fs::create_dir(folder).is_ok());
        Scratch(made.expect("a temporary folder can be made"))
    }

    pub fn folder(&self, path: &str) -> PathBuf {
        let path = self.0.join(path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    pub fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub fn link(&self, path: &str, target: impl AsRef<Path>) -> PathBuf {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, &path).unwrap();
        path
    }

    /// Surroundings without a home, with this folder as the current one.
    pub fn around(&self, variables: &[(&str, &Path)]) -> Surroundings {
        let variables = variables.iter().map(|(name, value)| (name.into(), value.into()));
        Surroundings {
            folder: self.0.clone(),
            is_own: false,
            home: None,
            variables: variables.collect(),
            private: Vec::new(),
            hidden: Vec::new(),
        }
    }

    /// Surroundings with the home `home`, and a current folder beside it.
    pub fn around_home(&self, variables: &[(&str, &Path)]) -> Surroundings {
        let (folder, home) = (self.folder("here"), Some(self.folder("home")));
        Surroundings { folder, home, ..self.around(variables) }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Rights by the definition of a view: the last entry above the path.
pub fn rights_by_order(view: &[ViewEntry], path: &Path) -> Access {
    let above = view.iter().rfind(|entry| path.starts_with(&entry.path));
    above.map(|entry| entry.access).filter(|of| !of.is_none()).unwrap_or(Access::Hidden)
}

pub fn strings<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}
