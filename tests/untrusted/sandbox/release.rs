//! A release, installed into a root folder without Rust, libraries or a network.
//!
//! The folder that `scripts/dist` filled is named by `ARBITRE_DIST`. `.ci/full dist` makes one.

use crate::sandbox::levels::{is_full, without};
use arbitre_test_support::command::SHELL_BOT;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{id, Command, Stdio};
use std::time::{Duration, Instant};

/// Makes a root folder at `$1` with the folder `$2` as `/release` and the shell `$3`, enters it,
/// and runs the script `$4`. The folders `$5` and following of this machine are shown, too.
const BUILD: &str = r#"
set -e
mount --make-rprivate /
mount -t tmpfs -o size=200m,mode=755 root "$1"
release=$2 shell=$3 script=$4
cd "$1"
mkdir -p bin dev etc home old proc release tmp
shift 4
for folder in "$@"; do
    if [ -L "$folder" ]; then
        cp -P "$folder" ".$folder"
    elif [ -d "$folder" ]; then
        mkdir -p ".$folder"
        mount --rbind "$folder" ".$folder"
        mount -o remount,bind,ro ".$folder"
    fi
done
mkdir old/bin
cp "$shell" old/bin/busybox
mv old/bin shell
mount --bind "$release" release
mount -o remount,bind,ro release
mount -t proc proc proc
for device in null zero full random urandom; do
    : > "dev/$device"
    mount --bind "/dev/$device" "dev/$device"
done
pivot_root . old
exec /shell/busybox sh -c '
    /shell/busybox umount -l /old
    [ -e /bin/sh ] || /shell/busybox --install -s /bin
    cd /home
    eval "$0"' "$script"
"#;

/// Installs the archive with a shell, `tar` and `gzip`.
const FROM_ARCHIVE: &str = r#"
mkdir /home/.local
tar -xzf /release/arbitre-*.tar.gz -C /home/.local --strip-components=1
export PATH=/home/.local/bin:$PATH
"#;
/// Checks the sums, and opens the tables, the book and the pages of the archive.
const OPEN_FILES: &str = r#"
(cd /release && sha256sum -c arbitre-*-SHA256SUMS)
share=/home/.local/share
awele probe --tables $share/arbitre/awele/tables 0 0 1 0 2 1 1 0 3 0 0 0
awele tables verify $share/arbitre/awele/tables
referee "awele --tables $share/arbitre/awele/tables" "awele random" --games 2 --depth 2
for file in man/man1/referee.1 doc/arbitre/docs/install.md doc/arbitre/THIRD-PARTY.txt \
    bash-completion/completions/referee zsh/site-functions/_referee \
    fish/vendor_completions.d/referee.fish; do
    [ -s "$share/$file" ]
done
echo "== opened"
"#;
/// Installs the wheel with `pip`, which finds nothing else.
const FROM_WHEEL: &str = r#"
python3 -m venv /home/venv
echo "== venv"
/home/venv/bin/pip install --quiet --no-index --disable-pip-version-check /release/arbitre-*.whl
export PATH=/home/venv/bin:$PATH
"#;
/// Imports the client for Python, and plays a game by it.
const IMPORT: &str = r#"
python -c 'import arbitre
with arbitre.Games("awele") as games: print(games.reset(1, seed=7))'
echo "== imported"
"#;
/// Plays a short match, the first of the README, one with a shell script and one with the program
/// `awele`; asks each program for help.
const PLAY: &str = r#"
echo "== installed"
referee "awele greedy" "awele random" --games 1
echo "== played"
referee awele "awele greedy" --games 2 --move-time 20ms
echo "== played the match of the README"
printf '%s' "$BOT" > bot.sh
chmod +x bot.sh
referee ./bot.sh "awele greedy" --games 2 --require faults=0
referee "$(command -v awele) random" "awele greedy" --games 2 --require faults=0
echo "== played external programs"
for bot in awele tron seven-colors taquin hextris play_icfp2015; do
    $bot --help | head -n 1
done
referee doctor | grep -A 1 '^sandbox'
echo "== examined"
"#;

fn dist() -> PathBuf {
    let folder = std::env::var_os("ARBITRE_DIST").expect("ARBITRE_DIST names a folder");
    fs::canonicalize(folder).unwrap()
}

/// Runs a script in a new root. Returns its output, and the time at which each line that begins
/// with `==` came.
fn in_root(script: &str, shown: &[&str]) -> (String, Vec<(String, Duration)>) {
    let root = std::env::temp_dir().join(format!("arbitre-release-{}", id()));
    fs::create_dir_all(&root).unwrap();
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "--pid", "--ipc", "--net", "--uts"]);
    command.args(["--fork", "--kill-child", "timeout", "--signal=KILL", "120"]);
    command.args(["sh", "-c", BUILD, "release"]).arg(&root).arg(dist());
    command.args(["/bin/busybox", script]).args(shown);
    command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", "/home");
    command.env("BOT", SHELL_BOT).stdin(Stdio::null()).stdout(Stdio::piped());
    let begun = Instant::now();
    let mut child = command.spawn().expect("unshare can be started");
    let (mut text, mut marks) = (String::new(), Vec::new());
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        if line.starts_with("== ") {
            marks.push((line.clone(), begun.elapsed()));
        }
        text += &format!("{line}\n");
    }
    let status = child.wait().unwrap();
    fs::remove_dir(root).unwrap();
    assert!(status.success(), "{status}: {text}");
    (text, marks)
}

/// Installs in a new root and plays there, at the level that the root gives.
fn play_installed(scripts: [&str; 2], shown: &[&str], level: &str) {
    let [install, last] = scripts;
    let script = format!("set -e\necho '== begin'\n{install}{PLAY}{last}echo '== done'\n");
    let (text, marks) = in_root(&script, shown);
    for pair in marks.windows(2) {
        println!("{level}: {} after {:.2} s", pair[1].0, (pair[1].1 - pair[0].1).as_secs_f64());
    }
    assert!(text.contains(&format!("\nsandbox: {level}, profile mine\n")), "{text}");
    assert!(text.contains(&format!("level {level}: ")), "{text}");
    assert_eq!(text.matches("\nUsage: ").count(), 6, "{text}");
    assert!(text.ends_with("== done\n"), "{text}");
}

fn at_each_level(scripts: [&'static str; 2], shown: &'static [&'static str]) {
    assert!(Path::new("/bin/busybox").exists(), "Debian's package busybox-static is needed");
    if !is_full() {
        return;
    }
    play_installed(scripts, shown, "full");
    let partial = move || play_installed(scripts, shown, "partial");
    without(libc::SYS_clone, Some(libc::CLONE_NEWUSER), libc::EPERM, partial);
    let weak = move || {
        let weak = move || play_installed(scripts, shown, "weak");
        without(libc::SYS_landlock_create_ruleset, None, libc::ENOSYS, weak)
    };
    without(libc::SYS_clone, Some(libc::CLONE_NEWUSER), libc::EPERM, weak);
}

#[test]
#[ignore = "needs a release; run by .ci/full dist"]
fn archive_plays_in_an_empty_root() {
    at_each_level([FROM_ARCHIVE, OPEN_FILES], &[]);
}

/// The root shows the system, for its Python.
#[test]
#[ignore = "needs a release; run by .ci/full dist"]
fn wheel_plays_in_a_root_with_python() {
    at_each_level([FROM_WHEEL, IMPORT], &["/usr", "/lib", "/lib64", "/bin", "/sbin"]);
}
