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
    let reason = String::from_utf8_lossy(&other.stderr);
    assert!(reason.contains("another series: --seed 4 --nodes 50 --frc-share 50"), "{reason}");
    assert!(!reason.contains('{'), "{reason}");

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
fn games_are_packed_learned_from_and_unpacked() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = ["games", "packed", "unpacked", "again", "one.net", "two.net"];
    let paths = paths.map(|name| folder.path().join(name));
    let [games, packed, unpacked, again, one, two] = paths.each_ref().map(|path| text(path));
    gambeson(&["datagen", "--games", "60", "--nodes", "20", "--threads", "2", "--out", games]);
    let said = stdout(&gambeson(&["data", "pack", games, "-o", packed]));
    assert!(said.starts_with("60 games, ") && said.ends_with(" bytes a position\n"), "{said}");
    let sizes = [games, packed].map(|path| std::fs::metadata(path).expect("a file").len());
    assert!(3 * sizes[1] < sizes[0], "{sizes:?}");
    assert_eq!(stdout(&gambeson(&["data", "unpack", packed, "-o", unpacked])), "60 games\n");
    gambeson(&["data", "pack", unpacked, "-o", again]);
    let bytes = |path: &str| std::fs::read(path).expect("a file");
    assert_eq!(bytes(again), bytes(packed));

    // What reads game files reads packed ones.
    let positions = |path| {
        let said = stdout(&gambeson(&["data", "check", path]));
        said.split_once(": ").map(|(_, said)| said.to_owned())
    };
    assert!(positions(packed).is_some_and(|said| said.starts_with("sound, 60 games, ")));
    assert_eq!(positions(packed), positions(games));
    assert!(stdout(&gambeson(&["data", "stats", packed])).contains("Chess960, network "));
    assert_eq!(stdout(&gambeson(&["data", "show", packed, "--count", "2"])).lines().count(), 2);
    assert!(stdout(&gambeson(&["data", "chances", packed])).contains("positions: half won"));
    let train = |from, net| {
        let options = ["--hidden", "64", "--epochs", "2", "--batch", "512", "--threads", "2"];
        stdout(&gambeson(&[&["train", from, "-o", net], &options[..]].concat()))
    };
    assert!(train(packed, one).contains("epoch   2: "));
    train(unpacked, two);
    assert_eq!(bytes(one), bytes(two));

    // Nothing is overwritten; what is damaged is reported and the rest goes on.
    for command in ["pack", "unpack"] {
        let refused = gambeson(&["data", command, packed, "-o", games]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("exists already"));
    }
    let refused = gambeson(&["datagen", "--games", "61", "--nodes", "20", "--out", packed]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("unpack it first"));
    let mut damaged = bytes(packed);
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    std::fs::write(packed, damaged).expect("a file");
    let checked = gambeson(&["data", "check", packed]);
    assert_eq!(checked.status.code(), Some(1));
    let said = stdout(&checked);
    assert!(said.contains("block 0 is lost: its checksum is wrong"), "{said}");
    std::fs::remove_file(unpacked).expect("a file");
    let saved = gambeson(&["data", "unpack", packed, "-o", unpacked]);
    assert_eq!(saved.status.code(), Some(1));
    assert!(stdout(&saved).contains("block 0 is lost"), "{}", stdout(&saved));
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
    assert!(written.contains("pub(super) static WEIGHTS: [Tapered; features::COUNT] = ["));
    assert_eq!(std::fs::read_to_string(twice).expect("a file"), written);
    assert_eq!(gambeson(&["tune", "missing", "-o", once]).status.code(), Some(2));
}
