//! Networks as users meet them: trained from games, loaded by `EvalFile`, refused if
//! there is anything wrong with them.

mod common {
    pub mod conversation;
}

use common::conversation::{Conversation, PATIENCE};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn gambeson(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_gambeson")).args(arguments).output();
    output.expect("the program runs")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// A network of random weights and the games it pretends to be trained on.
fn random_net(folder: &Path) -> (PathBuf, PathBuf) {
    let (games, net) = (folder.join("games"), folder.join("random.net"));
    gambeson(&["datagen", "--games", "60", "--nodes", "20", "--no-net", "--out", text(&games)]);
    let made =
        gambeson(&["train", text(&games), "-o", text(&net), "--hidden", "64", "--epochs", "0"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    (games, net)
}

#[test]
fn nets_are_trained_and_duel() {
    let folder = tempfile::tempdir().expect("a folder");
    let (games, random) = random_net(folder.path());
    let nets = ["one.net", "two.net"].map(|name| folder.path().join(name));
    for (net, threads) in nets.iter().zip(["1", "2"]) {
        let fixed = ["--hidden", "64", "--epochs", "3", "--batch", "512", "--threads", threads];
        let said = gambeson(&[&["train", text(&games), "-o", text(net)], &fixed[..]].concat());
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        assert!(said.contains("epoch   3: training 0.") && said.contains("64 neurons"), "{said}");
    }
    // Further, wider, and measured on a set of positions.
    let (set, wider) = (folder.path().join("set"), folder.path().join("wider.net"));
    let made = ["-o", text(&set), "--positions", "50", "--nodes", "100"];
    let made = gambeson(&[&["data", "reference", text(&games)], &made[..]].concat());
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let further = |out: &Path, from: &Path, hidden: &str, set: &Path| {
        let paths = ["train", text(&games), "-o", text(out), "--from", text(from)];
        let options = ["--hidden", hidden, "--epochs", "1", "--json", "--reference", text(set)];
        gambeson(&[&paths[..], &options[..]].concat())
    };
    let said = further(&wider, &nets[0], "128", &set);
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let told: serde_json::Value =
        serde_json::from_str(said.lines().last().expect("a line")).expect("valid JSON");
    assert_eq!(told["hidden"], 128);
    assert!(told["reference_error"].as_f64().is_some_and(|error| error > 0.0), "{said}");
    for (from, hidden, set, reason) in [
        (&wider, "64", &set, "128 neurons, more than the 64"),
        (&games, "64", &set, "not a Gambeson network file"),
        (&nets[0], "64", &games, "reference set"),
    ] {
        let out = folder.path().join("none.net");
        let refused = further(&out, from, hidden, set);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains(reason) && !out.exists(), "{said}");
    }
    let bytes = nets.each_ref().map(|net| std::fs::read(net).expect("a net"));
    assert_eq!(bytes[0], bytes[1]);
    assert!(folder.path().join("one.svg").exists());
    let match_ = ["--pairs", "2", "--nodes", "50", "--threads", "2"];
    let said = gambeson(&[&["duel", text(&nets[0]), text(&random)], &match_[..]].concat());
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.starts_with("4 games: +") && said.contains(", Elo "), "{said}");
    let said = gambeson(&["duel", "hand", text(&games), "--pairs", "1"]);
    assert_eq!(said.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&said.stderr).contains("not a Gambeson network file"));
}

#[test]
fn a_network_is_rescaled_to_the_unit_of_the_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let (others, net) = random_net(folder.path());
    let [own, packed, rescaled] = ["own", "packed", "new.net"].map(|name| folder.path().join(name));
    let play = ["datagen", "--games", "30", "--nodes", "20", "--net", text(&net)];
    gambeson(&[&play[..], &["--out", text(&own)]].concat());
    gambeson(&["data", "pack", text(&own), "-o", text(&packed)]);
    let rescale = |games: &Path| {
        gambeson(&["data", "rescale", text(&net), text(games), "-o", text(&rescaled), "--json"])
    };
    let refused = rescale(&others);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("does not hold games of this network") && !rescaled.exists(), "{said}");
    let told: serde_json::Value =
        serde_json::from_slice(&rescale(&packed).stdout).expect("valid JSON");
    let factor = told["factor"].as_f64().expect("a number");
    assert!((0.5..=2.0).contains(&factor) && told["positions"].as_u64() > Some(100), "{told}");
    // The scale follows version, inputs, neurons and outputs.
    let scale = |path: &Path| {
        let bytes = std::fs::read(path).expect("a network");
        f64::from(u32::from_le_bytes([bytes[24], bytes[25], bytes[26], bytes[27]]))
    };
    assert!((scale(&rescaled) - factor * scale(&net)).abs() < 1.0, "{told}");
}

#[test]
fn eval_file_takes_nets_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let (games, net) = random_net(folder.path());
    let good = std::fs::read(&net).expect("a net");
    let bad = folder.path().join("bad.net");

    let mut talk = Conversation::start();
    talk.send("uci");
    talk.expect_line(|line| line == "uciok", PATIENCE);
    talk.send("setoption name Use Network value false");
    talk.send("eval");
    talk.expect_prefix("What each piece is worth, middlegame over endgame");
    let by_hand = talk.expect_prefix("Evaluation: ");
    talk.send("setoption name Use Network value true");
    talk.send(&format!("setoption name EvalFile value {}", text(&net)));
    talk.send("eval");
    talk.expect_prefix("What each piece is worth to the network");
    let by_net = talk.expect_prefix("Evaluation: ");
    assert_ne!(by_net, by_hand);

    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 16;
    let mut wider = good.clone();
    wider[16] = 65;
    let cases: [(&[u8], &str); 5] = [
        (&flipped, "checksum"),
        (&good[..good.len() - 1], "bytes instead of"),
        (&wider, "architecture"),
        (b"not a net at all", "not a Gambeson network file"),
        (&std::fs::read(&games).expect("games"), "not a Gambeson network file"),
    ];
    for (bytes, reason) in cases {
        std::fs::write(&bad, bytes).expect("a file");
        talk.send(&format!("setoption name EvalFile value {}", text(&bad)));
        let said = talk.expect_prefix("info string option EvalFile");
        assert!(said.contains(reason), "{said}");
        // It plays on with the network it had.
        talk.send("eval");
        talk.expect_line(|line| line == by_net, PATIENCE);
        talk.send("go nodes 200");
        talk.expect_prefix("bestmove ");
    }
    talk.send("setoption name EvalFile value /no/such/file.net");
    talk.expect_prefix("info string option EvalFile");
    talk.send("setoption name EvalFile value <empty>");
    talk.send("go nodes 200");
    talk.expect_prefix("bestmove ");
    talk.quit();
}
