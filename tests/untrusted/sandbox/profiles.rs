//! Runtimes under both profiles, and the accesses that profiles refuse.

use crate::sandbox::harness::{PROTECTED, REFEREE};
use arbitre::internals::config::sandbox_args::surroundings;
use arbitre_process::launcher::Launcher;
use arbitre_process::sandbox::refusal::{refused, Refusal};
use arbitre_process::sandbox::{Profile, SandboxConfig, Surroundings};
use rustix::event::{poll, PollFd, PollFlags};
use rustix::fs::{fcntl_getfl, fcntl_setfl, OFlags};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Scripts that read `book` beside themselves and print it, then read `../other/book`. The second
/// file is a module of the first.
const RUNTIMES: [(&str, &str, &str, &str, &str); 3] = [
    (
        "python3",
        "bot.py",
        "import json, random\nimport part\nprint(part.read('book'), end='', flush=True)\n\
         part.read('../other/book')\n",
        "part.py",
        "import os\n\
         def read(name): return open(os.path.join(os.path.dirname(__file__), name)).read()\n",
    ),
    (
        "node",
        "bot.js",
        "const part = require('./part.js');\nprocess.stdout.write(part('book'));\n\
         part('../other/book');\n",
        "part.js",
        "const fs = require('fs');\nmodule.exports = (name) => fs.readFileSync(__dirname + '/' + name, 'utf8');\n",
    ),
    (
        "sh",
        "bot.sh",
        "folder=$(dirname \"$0\"); . \"$folder/part.sh\"; part book; part ../other/book\n",
        "part.sh",
        "part() { cat \"$folder/$1\"; }\n",
    ),
];

/// Returns the program of this name in `PATH`.
fn search(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn read_all(stream: impl Into<std::os::fd::OwnedFd>) -> String {
    let stream = stream.into();
    fcntl_setfl(&stream, fcntl_getfl(&stream).unwrap() - OFlags::NONBLOCK).unwrap();
    let mut text = String::new();
    File::from(stream).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn runtimes_read_their_own_folder_only() {
    let root = arbitre_test_support::command::folder("profiles").canonicalize().unwrap();
    for (runtime, script, text, part, part_text) in RUNTIMES {
        let Some(program) = search(runtime) else {
            eprintln!("skipped: no {runtime} in PATH");
            continue;
        };
        for folder in ["own", "other"] {
            fs::create_dir_all(root.join(folder)).unwrap();
            fs::write(root.join(folder).join("book"), format!("book of {folder}\n")).unwrap();
        }
        fs::write(root.join("own").join(script), text).unwrap();
        fs::write(root.join("own").join(part), part_text).unwrap();
        let around = Surroundings {
            folder: root.clone(),
            hidden: vec![root.join("other")],
            ..surroundings()
        };
        for profile in [Profile::Mine, Profile::Class] {
            for level in PROTECTED {
                let config = SandboxConfig { profile: Some(profile), ..SandboxConfig::default() };
                let arguments = [format!("own/{script}")];
                let sandbox = config.sandbox_for(&program, &arguments, &around, level);
                let request = sandbox.request(&program, OsStr::new(runtime), &[]).unwrap();
                let launcher = Launcher::default();
                let started = launcher.start(Path::new(REFEREE), sandbox.launcher(), &request);
                let mut started = started.unwrap();
                let [_, output, errors] = started.take_streams();
                let (output, errors) = (read_all(output.unwrap()), read_all(errors.unwrap()));
                poll(&mut [PollFd::new(&*started.pidfd, PollFlags::IN)], None).unwrap();
                started.kill();
                launcher.bury(started);
                assert_eq!(output, "book of own\n", "{runtime}, {profile:?}, {level}: {errors}");
                let hidden = Refusal::Hidden { path: root.join("other/book"), is_device: false };
                assert_eq!(refused(&errors, &program, &sandbox), Some(hidden), "{errors}");
            }
        }
    }
}
