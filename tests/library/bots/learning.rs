//! `awele selfplay` and `awele train`.

use arbitre_test_support::command::{folder, stderr, stdout};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn awele(words: &str, folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_awele"));
    command.args(words.split_whitespace()).current_dir(folder).output().unwrap()
}

fn done(words: &str, folder: &Path) -> Output {
    let output = awele(words, folder);
    assert!(output.status.success(), "{words}: {}", stderr(&output));
    output
}

const SELFPLAY: &str = "selfplay --games 12 --depth 3 --evaluation captures --rules abapa --output";

/// Neither threads nor an interruption change the games.
#[test]
fn selfplay_continues_to_the_same_bytes() {
    let folder = folder("selfplay");
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let _ = fs::remove_file(folder.join("whole"));
    done(&format!("{SELFPLAY} whole --threads 1"), &folder);
    let whole = read("whole");
    let header = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    assert!(whole.len() > header + 16 * 12 * 20 && (whole.len() - header).is_multiple_of(16));
    for length in [header, header + 5, header + 16 * 7, whole.len() / 2, whole.len() - 1] {
        fs::write(folder.join("cut"), &whole[..length]).unwrap();
        done(&format!("{SELFPLAY} cut --threads 2"), &folder);
        assert!(read("cut") == whole, "cut at {length}");
    }
    // A finished file stays, and one with other parameters is not touched.
    done(&format!("{SELFPLAY} whole"), &folder);
    let refused = awele(&format!("{SELFPLAY} whole --seed 2"), &folder);
    assert_eq!(refused.status.code(), Some(6));
    let told = stderr(&refused);
    assert!(told.starts_with("error: expected the games of these options in 'whole'"), "{told}");
    assert!(read("whole") == whole);
}

/// The last error of training is below the first, and the same games give the same evaluation.
#[test]
fn training_repeats_and_lowers_the_error() {
    let folder = folder("training");
    done(&format!("{SELFPLAY} games"), &folder);
    for (kind, version) in [("linear", 1), ("network", 2)] {
        let words = format!("train --data games --kind {kind} --epochs 6");
        let trained = done(&words, &folder);
        assert!(stdout(&trained).starts_with(&format!("awele-{kind} {version}\n")));
        let errors: Vec<f64> = stderr(&trained)
            .lines()
            .map(|line| line.rsplit(' ').next().unwrap().parse().unwrap())
            .collect();
        assert!(errors.len() == 6 && errors[5] < 0.95 * errors[0], "{kind}: {errors:?}");
        done(&format!("{words} --output {kind}.txt"), &folder);
        assert_eq!(
            fs::read_to_string(folder.join(format!("{kind}.txt"))).unwrap(),
            stdout(&trained)
        );
        let other = stdout(&done(&format!("{words} --seed 2"), &folder));
        assert_ne!(other, stdout(&trained));
        done(&format!("bench --depth 2 --evaluation {kind}.txt"), &folder);
    }
}

#[test]
fn bad_options_are_refused() {
    let folder = folder("learning");
    fs::write(folder.join("empty"), "header\n").unwrap();
    fs::write(folder.join("other"), "no games\n0123456789abcdefX").unwrap();
    for (words, code, why) in [
        ("selfplay", 2, "expected --output FILE, got none"),
        ("train", 2, "expected --data FILE, got none"),
        ("train --data none", 6, "'none' cannot be read: no such file or folder"),
        ("train --data other", 6, "expected records of self-play in 'other', got others"),
        ("bench --hash 99999999999", 2, "--hash: expected at most 65536, got '99999999999'"),
        ("bench --threads 2000", 2, "--threads: expected at most 1024, got '2000'"),
        ("train --data empty", 6, "expected games in 'empty', got none"),
        ("bench --evaluation none", 6, "--evaluation: expected network, linear, terms, captures"),
        ("bench --evaluation other", 6, "--evaluation: expected network, linear, terms, captures"),
    ] {
        let refused = awele(words, &folder);
        assert!(stderr(&refused).starts_with(&format!("error: {why}")), "{}", stderr(&refused));
        assert_eq!(refused.status.code(), Some(code), "{words}");
    }
    let refused = awele("train --data empty --kind tree", &folder);
    assert!(stderr(&refused).starts_with("error: --kind: expected linear or network, got 'tree'"));
}
