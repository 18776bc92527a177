//! Namespaces in which attacks are played. They have their own root folder in memory, and show
//! programs and libraries of the machine, which cannot be changed in them. Their superuser is an
//! ordinary user outside.

use crate::hostile::attacks::{HOME, HOST};
use arbitre_process::launcher::layers::Level;
use arbitre_process::sandbox::Profile;
use rustix::process::geteuid;
use serde_json::{json, Value};
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{id, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::OnceLock;

/// Variable with the task of the test inside of namespaces.
pub const TASK: &str = "HOSTILE_TASK";
/// Test that plays inside of namespaces.
const INSIDE: &str = "hostile::inside::play_in_namespaces";
/// Number that no user of the machine should have.
const OUTSIDE_USER: &str = "64321";
/// Time after which they are closed, in seconds.
pub const SHORT: u32 = 120;

/// Builds a root folder at `$1`, beside the folder `$2` with the programs, enters it, and runs the
/// test. `$3` is the number of user namespaces that can be made in it, and `$4` the user.
const BUILD: &str = r#"
set -e
mount --make-rprivate /
mount -t tmpfs -o size=200m,nr_inodes=20000,mode=755 root "$1"
cd "$1"
for folder in usr bin sbin lib lib32 lib64 etc; do
    if [ -L "/$folder" ]; then
        cp -P "/$folder" .
    elif [ -d "/$folder" ]; then
        mkdir "$folder"
        mount --rbind "/$folder" "$folder"
        mount -o remount,bind,ro "$folder"
    fi
done
mkdir -p proc dev/shm old programs tmp var/tmp run home/player
mount --bind "$2" programs
mount -o remount,bind,ro programs
mount -t proc proc proc
for device in null zero full random urandom; do
    : > "dev/$device"
    mount --bind "/dev/$device" "dev/$device"
done
pivot_root . old
umount -l /old
rmdir /old
cd /home/player
hostname "$0"
echo 1000 > /proc/self/oom_score_adj
echo "$3" > /proc/sys/user/max_user_namespaces
limited() { exec prlimit --nproc=400 --data=1073741824 "$@"; }
case $4 in
    root) limited /programs/test --ignored --exact --nocapture "$5" ;;
    *) limited unshare --user --map-user=1000 --map-group=1000 \
        /programs/test --ignored --exact --nocapture "$5" ;;
esac
"#;

/// Kind of namespaces.
#[derive(Clone, Copy, Debug)]
pub struct Namespaces {
    /// Whether the referee is run by their superuser.
    pub is_root: bool,
    /// Protection of the players.
    pub level: Level,
    /// Profile of the players.
    pub profile: Profile,
    /// Time after which they are closed, in seconds.
    pub patience: u32,
}

/// Programs of the namespaces, in a folder that other users can reach, too.
pub struct Programs(PathBuf);

impl Programs {
    /// Collects the programs.
    pub fn new() -> Programs {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("arbitre-hostile-{}-{number}", id()));
        fs::create_dir_all(folder.join("programs")).unwrap();
        fs::create_dir(folder.join("root")).unwrap();
        let test = std::env::current_exe().unwrap();
        let referee = Path::new(env!("CARGO_BIN_EXE_referee"));
        for (file, name) in [(&*test, "test"), (referee, "referee"), (attack(), "attack")] {
            let place = folder.join("programs").join(name);
            fs::hard_link(file, &place).or_else(|_| fs::copy(file, &place).map(drop)).unwrap();
        }
        Programs(folder)
    }

    /// Returns `true` if namespaces can be made here.
    pub fn make_namespaces(&self) -> bool {
        let made = cfg!(target_arch = "x86_64") && {
            let probe = Namespaces {
                is_root: false,
                level: Level::Full,
                profile: Profile::Class,
                patience: SHORT,
            };
            self.play(probe, &[], 0).error.is_none()
        };
        if !made {
            eprintln!("SKIPPED: no namespaces can be made here, so no attack was tried");
        }
        made
    }

    /// Plays attacks in new namespaces, one after another, and all of them `rounds` times.
    pub fn play(&self, namespaces: Namespaces, attacks: &[&str], rounds: u32) -> Played {
        let Namespaces { is_root, level, profile, patience } = namespaces;
        let nested = match (level, is_root) {
            (Level::Partial, true) => "0",
            (Level::Partial, false) => "1",
            _ => "1000",
        };
        let profile = Profile::WORDS.iter().find(|(_, known)| *known == profile).unwrap().0;
        let task = json!({
            "attacks": attacks, "level": level.to_string(), "profile": profile, "rounds": rounds,
        });
        let mut command = Command::new(if geteuid().is_root() { "setpriv" } else { "unshare" });
        if geteuid().is_root() {
            command.args([
                "--reuid",
                OUTSIDE_USER,
                "--regid",
                OUTSIDE_USER,
                "--clear-groups",
                "unshare",
            ]);
        }
        command.args(["--user", "--map-root-user", "--mount", "--pid", "--ipc", "--net", "--uts"]);
        command.args(["--cgroup", "--fork", "--kill-child", "timeout", "--signal=KILL"]);
        command.args([&patience.to_string(), "sh", "-c", BUILD, HOST]);
        command.args([&self.0.join("root"), &self.0.join("programs")]);
        command.args([nested, if is_root { "root" } else { "player" }, INSIDE]);
        command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", HOME);
        command.env(TASK, task.to_string()).env("RUST_BACKTRACE", "0").stdin(Stdio::null());
        let output = command.output().expect("unshare can be started");
        let text = String::from_utf8_lossy(&output.stdout);
        let ended = |line: &str| serde_json::from_str(line.strip_prefix(RESULT)?).ok();
        let results: Vec<Value> = text.lines().filter_map(ended).collect();
        let error = (!output.status.success()).then(|| {
            format!("{}\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr))
        });
        Played { results, error }
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Beginning of a line with the result of an attack.
pub const RESULT: &str = "result: ";

/// Results of the attacks in namespaces.
pub struct Played {
    /// Result of each attack that was played to its end.
    pub results: Vec<Value>,
    /// Output of the namespaces, if they did not end by themselves.
    pub error: Option<String>,
}

/// Returns the program of the attacks, compiled on first use. The name contains a hash of the
/// source, so that it is never outdated.
pub fn attack() -> &'static Path {
    static ATTACK: OnceLock<PathBuf> = OnceLock::new();
    ATTACK.get_or_init(|| {
        let mut hasher = DefaultHasher::new();
        include_str!("attacks.rs").hash(&mut hasher);
        let folder = arbitre_test_support::command::scratch();
        let program = folder.join(format!("attack-{:016x}", hasher.finish()));
        if !program.exists() {
            let own = folder.join(format!("attack-by-{}", id()));
            let source =
                Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/untrusted/hostile/attacks.rs");
            let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
            let mut command = Command::new(rustc);
            command.args(["--edition=2021", "--crate-name=attack", "-Copt-level=1", "-o"]);
            let status = command.arg(&own).arg(source).status().expect("rustc can be started");
            assert!(status.success(), "the attacks do not compile: {status}");
            fs::rename(own, &program).expect("both names are in the same folder");
        }
        program
    })
}
