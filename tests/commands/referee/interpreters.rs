//! Warning of an interpreter that `PATH` finds in a hidden folder: every command that starts
//! programs gives it once, and none without a reason.

use arbitre_test_support::command::{cleared, folder, referee, script, stderr, SHELL_BOT};
use std::path::{Path, PathBuf};
use std::process::Output;

const TOURNAMENT: &str = "[tournament]\ngame = 'awele'\nformat = 'round-robin'\ngames = 2\n\
    move-time = '20s'\nclock = 'wall'\nprofile = 'class'\n\
    [[player]]\nname = 'a'\ncommand = './bots/a.sh'\n[[player]]\nname = 'b'\ncommand = './bots/b.sh'\n\
    [[player]]\nname = 'c'\ncommand = 'awele random'\n";

/// Creates a folder with two bots that run `bash`, of which `tools/bin` has another one.
fn room() -> PathBuf {
    let room = cleared(folder("interpreters"));
    let bots = room.join("bots");
    for folder in [&bots, &room.join("tools/bin")] {
        std::fs::create_dir_all(folder).unwrap();
    }
    script(&room.join("tools/bin"), "bash", "#!/bin/sh\nexec /bin/sh \"$@\"\n");
    let inner = SHELL_BOT.replace("#!/bin/sh", "");
    for name in ["a.sh", "b.sh"] {
        script(&bots, name, &format!("#!/bin/sh\nexec bash -c '{inner}'\n"));
    }
    script(&bots, "plain.sh", SHELL_BOT);
    std::fs::write(room.join("class.toml"), TOURNAMENT).unwrap();
    room
}

fn run(room: &Path, words: &str) -> Output {
    let path = format!("{}:/usr/bin:/bin", room.join("tools/bin").display());
    let words = shell_words::split(words).unwrap();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut command = referee(&words);
    command.current_dir(room).env("PATH", path).output().unwrap()
}

/// Each row needs the files of those above it.
#[test]
fn every_command_names_the_interpreter_and_the_option() {
    let room = room();
    let tools = room.join("tools");
    let rest = "--game awele --move-time 20s --clock wall --rules max-plies=12";
    let genes = "--gene d=1..2 --against ./bots/plain.sh --generations 1 --instances 1";
    let two = format!("./bots/a.sh ./bots/b.sh {rest}");
    let four = "./bots/a.sh ./bots/b.sh 'tron random' 'tron random' --game tron --seats 4";
    for (what, words, is_warned) in [
        ("match", format!("{two} --games 2 --profile class --db m.db"), true),
        ("resumed", "--resume --games 4 --db m.db".into(), true),
        ("played again", "rerun 0 --db m.db".into(), true),
        ("table of four", format!("{four} --games 4 --profile class --db f.db"), true),
        ("tournament", "tournament class.toml --db t.db".into(), true),
        ("check", format!("check ./bots/a.sh {rest} --profile class --games 1"), true),
        ("tune", format!("tune './bots/a.sh {{d}}' {genes} {rest} --profile class"), true),
        ("psyleague", format!("arena psyleague {two} --seed 1 --profile class"), true),
        ("another profile", format!("{two} --games 2 --db n.db"), false),
        ("hole", format!("{two} --games 2 --profile class --allow-read tools --db o.db"), false),
        ("no sandbox", format!("{two} --games 2 --no-sandbox --db p.db"), false),
        ("bundled", format!("'awele random' 'awele random' {rest} --games 2 --db r.db"), false),
        ("no name", format!("check ./bots/plain.sh {rest} --profile class --games 1"), false),
    ] {
        let output = run(&room, &words);
        let told = stderr(&output);
        if String::from_utf8_lossy(&output.stderr).contains("the sandbox is weak") {
            eprintln!("SKIPPED: no warning was looked for, as this machine hides no files");
            return;
        }
        assert!(output.status.success(), "{what}: {told}");
        let warning = format!(
            "warning: the sandbox hides {}, so that scripts find /usr/bin/bash; help: --allow-read \
             {} shows it\n",
            tools.join("bin/bash").display(),
            tools.display(),
        );
        assert_eq!(told.matches(&warning).count(), usize::from(is_warned), "{what}: {told}");
    }
}
