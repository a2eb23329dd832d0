//! `gambeson duel` as scripts see it: results, states, refusals.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn duel(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gambeson"));
    command.args(["duel", "hand", "hand", "--nodes", "60"]).args(arguments);
    command.output().expect("the program runs")
}

fn json(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stdout);
    let last = said.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|_| {
        panic!("{said}{}", String::from_utf8_lossy(&output.stderr));
    })
}

fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn a_test_ends_with_a_verdict_and_progress() {
    let result = duel(&["--sprt", "0:60", "--threads", "2", "--json"]);
    let value = json(&result);
    assert_eq!(value["verdict"], "H0");
    assert!(value["llr"].as_f64() <= Some(-2.94), "{value}");
    // Equal players: every pair is two halves or a win and a loss.
    let games = value["games"].as_u64().expect("games");
    assert_eq!(value["pairs"][2].as_u64(), Some(games / 2));
    assert_eq!(value["elo"].as_f64(), Some(0.0));
    let progress = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(games < 100 || progress.contains("100 games: +"), "{progress}");
    assert!(refused(&duel(&["--sprt", "10:0"])).contains("0:10"));
}

#[test]
fn a_match_goes_on_where_it_was_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state.csv");
    let state = text(&state);
    let go = |more: &[&str]| duel(&[&["--state", state, "--json"], more].concat());
    assert_eq!(json(&go(&["--pairs", "3"]))["games"], 6);
    let before = std::fs::read_to_string(state).expect("a state");
    assert_eq!(before.lines().filter(|line| !line.starts_with('#')).count(), 4, "{before}");
    // Killed while the third pair was written.
    let torn = before.trim_end().strip_suffix(|_: char| true).expect("a row");
    std::fs::write(state, torn).expect("a state");
    assert_eq!(json(&go(&["--pairs", "5", "--threads", "2"]))["games"], 10);
    let after = std::fs::read_to_string(state).expect("a state");
    let rows = |text: &str| text.lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(rows(&after), 6, "{after}");
    assert_eq!(json(&go(&["--pairs", "5"]))["games"], 10);

    let other = refused(&go(&["--pairs", "5", "--seed", "2"]));
    assert!(other.contains("\"seed 1\", not \"seed 2\""), "{other}");
    assert!(refused(&go(&["--sprt", "0:5"])).contains("\"no sprt\", not \"sprt 0:5\""));
    std::fs::write(state, after.replace("\n0,", "\nx,")).expect("a state");
    assert!(refused(&go(&["--pairs", "5"])).contains("is damaged"));
}

#[test]
fn openings_come_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("book.epd");
    // White mates at once, whoever has White.
    std::fs::write(&book, "6k1/5ppp/8/8/8/8/8/R3K3 w - - id \"back rank\";\n").expect("a file");
    let value = json(&duel(&["--openings", text(&book), "--pairs", "2", "--json"]));
    assert_eq!((value["wins"].as_u64(), value["losses"].as_u64()), (Some(2), Some(2)));
    std::fs::write(&book, "nonsense\n").expect("a file");
    assert!(refused(&duel(&["--openings", text(&book)])).contains("line 1: "));
    assert!(refused(&duel(&["--openings", "nowhere.epd"])).contains("nowhere.epd"));
}

#[cfg(feature = "tune")]
#[test]
fn search_parameters_are_compared() {
    let weak = ["--a", "late_base=1024,late_depth=16", "--pairs", "3", "--json"];
    assert_eq!(json(&duel(&weak))["games"], 6);
    for (setting, complaint) in [
        ("nothing=1", "there is no search parameter called nothing"),
        ("late_base", "is not name=value"),
        ("futility_slope=0", "futility_slope must be a whole number from 40 to 180"),
        ("futility_slope=x", "futility_slope must be a whole number from 40 to 180"),
    ] {
        let said = refused(&duel(&["--b", setting]));
        assert!(said.contains(complaint), "{said}");
    }
}
