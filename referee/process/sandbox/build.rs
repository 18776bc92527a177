//! Sandbox of one program.

use super::command::{absolute_argument, CommandFiles};
use super::environment::{environment, pair};
use super::view::{exists_in, view};
use super::{Profile, Sandbox, SandboxConfig, Surroundings};
use crate::launcher::layers::{Layers, Level};
use std::path::{Path, PathBuf};

impl SandboxConfig {
    /// Returns the sandbox of a program with these arguments. `level` is the protection that
    /// this machine gives. Files to hide must exist, as the file system is read here.
    pub fn sandbox_for(
        &self,
        program: &Path,
        arguments: &[String],
        around: &Surroundings,
        level: Level,
    ) -> Sandbox {
        let layers = |level, view| {
            let has_network = self.network || level == Level::None;
            Layers { level, view, has_network, limits: self.limits() }
        };
        let Some(profile) = self.profile.filter(|_| level > Level::None) else {
            return Sandbox {
                layers: layers(Level::None, Vec::new()),
                environment: around.variables.iter().cloned().map(pair).collect(),
                folder: around.folder.clone(),
                arguments: arguments.to_vec(),
            };
        };
        let files = CommandFiles::find(program, arguments, around);
        let view = view(self, profile, &files, around, level);
        let starts_here = profile == Profile::Mine && !around.is_own;
        let current = Some(around.folder.clone()).filter(|_| starts_here);
        let mut folders = current.into_iter().chain([files.folder]);
        let folder = folders.find(|folder| exists_in(&view, level, folder));
        let folder = folder.unwrap_or_else(|| PathBuf::from("/"));
        let arguments = if folder == around.folder {
            arguments.to_vec()
        } else {
            arguments.iter().map(|argument| absolute_argument(argument, around)).collect()
        };
        let environment = environment(self, &arguments, around, level);
        Sandbox { layers: layers(level, view), environment, folder, arguments }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{strings, Scratch};
    use super::super::view::rights;
    use super::*;
    use crate::launcher::layers::Access;
    use std::ffi::OsString;

    #[test]
    fn program_starts_where_it_can_read() {
        let scratch = Scratch::new();
        let mut around = scratch.around(&[]);
        let bot = scratch.file("bots/bot", "");
        let book = scratch.file("a.bin", "");
        let start = |profile, around: &Surroundings, level| {
            let config = SandboxConfig { profile, ..SandboxConfig::default() };
            let found = config.sandbox_for(&bot, &strings(["a.bin", "7"]), around, level);
            (found.folder, found.arguments)
        };
        let (mine, class) = (Some(Profile::Mine), Some(Profile::Class));
        let here = (scratch.0.clone(), strings(["a.bin", "7"]));
        let there = (scratch.0.join("bots"), strings([book.to_str().unwrap(), "7"]));
        for level in [Level::Weak, Level::Partial, Level::Full] {
            assert_eq!(start(None, &around, level), here);
            assert_eq!(start(mine, &around, level), here);
            assert_eq!(start(class, &around, level), there);
        }
        // The current folder is in another program's.
        around.folder = scratch.folder("other/sub");
        around.hidden = vec![scratch.0.join("other")];
        let expected = (scratch.0.join("bots"), strings(["a.bin", "7"]));
        assert_eq!(start(mine, &around, Level::Full), expected);
    }

    #[test]
    fn program_starts_in_its_own_folder() {
        let scratch = Scratch::new();
        let bot = scratch.file("élève un/target/bot", "");
        scratch.file("élève un/book", "");
        scratch.file("élève un/not named", "");
        let own = scratch.0.join("élève un");
        let around = scratch.around(&[]).in_own_folder(own.clone());
        let arguments = strings(["book"]);
        for profile in [None, Some(Profile::Mine), Some(Profile::Class)] {
            let config = SandboxConfig { profile, ..SandboxConfig::default() };
            for level in [Level::Weak, Level::Partial, Level::Full] {
                let found = config.sandbox_for(&bot, &arguments, &around, level);
                assert_eq!((&found.folder, &found.arguments), (&own, &arguments), "{profile:?}");
                if profile.is_some() && level == Level::Full {
                    let rights = rights(&found.layers.view, level, &own.join("not named"));
                    assert_eq!(rights, Access::Read);
                }
            }
        }
    }

    #[test]
    fn nothing_is_refused_without_a_profile() {
        let scratch = Scratch::new();
        let around = scratch.around(&[("TOKEN", Path::new("secret"))]);
        for (profile, level) in [(None, Level::Full), (Some(Profile::Class), Level::None)] {
            let config = SandboxConfig { profile, ..SandboxConfig::default() };
            let found = config.sandbox_for(Path::new("/x/bot"), &[], &around, level);
            assert_eq!((found.layers.level, found.layers.has_network), (Level::None, true));
            assert_eq!(found.environment, [OsString::from("TOKEN=secret")]);
        }
    }
}
