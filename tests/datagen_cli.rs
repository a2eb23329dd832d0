//! `gambeson datagen` and `gambeson data` as somebody at a shell sees them.

use std::path::Path;
use std::process::{Command, Output};

fn gambeson(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_gambeson")).args(arguments).output();
    output.expect("the program runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn games_are_made_continued_checked_and_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let (games, merged) = (folder.path().join("games"), folder.path().join("merged"));
    let (games, merged) = (text(&games), text(&merged));
    let generate = |count, seed| {
        let fixed = ["datagen", "--nodes", "50", "--threads", "2", "--frc-share", "50"];
        gambeson(&[&fixed[..], &["--games", count, "--seed", seed, "--out", games]].concat())
    };
    assert!(stdout(&generate("3", "4")).starts_with("3 games, "));
    assert!(stdout(&generate("5", "4")).starts_with("5 games, 3 of them from before, "));
    let other = generate("6", "5");
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("other settings"));

    assert!(stdout(&gambeson(&["data", "stats", games])).contains("50.0 % Chess960, network "));
    assert_eq!(stdout(&gambeson(&["data", "show", games, "--count", "2"])).lines().count(), 2);
    let twice = gambeson(&["data", "merge", games, games, "-o", merged]);
    assert!(String::from_utf8_lossy(&twice.stderr).contains("both hold game 0 of seed 4"));
    assert!(stdout(&gambeson(&["data", "merge", games, "-o", merged])).starts_with("5 games"));
    assert_eq!(gambeson(&["data", "dedup", games, "-o", merged]).status.code(), Some(2));
    assert_eq!(gambeson(&["data", "check", games, merged]).status.code(), Some(0));

    let mut bytes = std::fs::read(games).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(games, bytes).expect("a file");
    let damaged = gambeson(&["data", "check", merged, games]);
    assert_eq!(damaged.status.code(), Some(1));
    assert!(stdout(&damaged).contains("checksum"), "{}", stdout(&damaged));

    // A merge that failed does not block the next one.
    std::fs::remove_file(merged).expect("a file");
    for _ in 0..2 {
        let refused = gambeson(&["data", "merge", games, "-o", merged]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(!Path::new(merged).exists());
    }
}

#[test]
fn the_evaluation_is_fitted_to_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = ["games", "once.rs", "twice.rs"].map(|name| folder.path().join(name));
    let [games, once, twice] = paths.each_ref().map(|path| text(path));
    gambeson(&["datagen", "--games", "60", "--nodes", "30", "--threads", "2", "--out", games]);
    let tune =
        |out, threads| gambeson(&["tune", games, "-o", out, "--epochs", "3", "--threads", threads]);
    let said = stdout(&tune(once, "1"));
    assert!(said.contains("held out; scale") && said.contains("epoch   3: training"), "{said}");
    let training: Vec<f64> = said
        .lines()
        .filter_map(|line| line.split("training ").nth(1)?.split(',').next()?.parse().ok())
        .collect();
    assert_eq!(training.len(), 3);
    assert!(training[2] < training[0], "{said}");
    tune(twice, "2");
    let written = std::fs::read_to_string(once).expect("a file");
    assert!(written.contains("pub static WEIGHTS: [Tapered; features::COUNT] = ["));
    assert_eq!(std::fs::read_to_string(twice).expect("a file"), written);
    assert_eq!(gambeson(&["tune", "missing", "-o", once]).status.code(), Some(2));
}
