//! `gambeson perft` as a user runs it: what it prints, where, and the exit
//! status.

mod common {
    pub mod broken_fens;
}

use common::broken_fens::BROKEN_FENS;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";

#[derive(Debug)]
struct Output {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Output {
    /// The total a count that went well printed.
    fn nodes(&self) -> u64 {
        assert_eq!(self.status, Some(0), "{self:?}");
        let line = self.stdout.lines().find_map(|line| line.strip_prefix("Nodes searched: "));
        line.and_then(|nodes| nodes.parse().ok()).unwrap_or_else(|| panic!("no total: {self:?}"))
    }

    /// The `move: nodes` lines of `--divide`.
    fn parts(&self) -> Vec<(&str, u64)> {
        let listed = self.stdout.lines().take_while(|line| !line.is_empty());
        listed
            .map(|line| {
                let (mv, nodes) = line.split_once(": ").expect(line);
                (mv, nodes.parse().expect(line))
            })
            .collect()
    }

    /// A run that could not even start its work.
    fn assert_refused(&self, message: &str) {
        assert_eq!(self.status, Some(2), "{self:?}");
        assert!(self.stderr.contains(message), "no {message:?}: {self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
    }
}

fn perft(args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_gambeson"))
        .arg("perft")
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    Output {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Writes a suite to a file of its own and runs it.
fn perft_suite(name: &str, suite: &str, more: &[&str]) -> Output {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, suite).expect("the suite is written");
    let mut args = vec!["--suite", path.to_str().expect("UTF-8")];
    args.extend(more);
    perft(&args)
}

#[test]
fn counts_from_the_start_position() {
    let output = perft(&["4"]);
    assert_eq!(output.nodes(), 197_281);
    assert_eq!(output.stderr, "");
    for (depth, nodes) in [("0", 1), ("1", 20), ("2", 400), ("3", 8_902)] {
        assert_eq!(perft(&[depth]).nodes(), nodes);
    }
}

#[test]
fn divide_lists_every_move() {
    let output = perft(&["4", "--divide"]);
    let parts = output.parts();
    assert_eq!(parts.len(), 20);
    assert!(parts.contains(&("e2e4", 13_160)), "{parts:?}");
    assert!(parts.contains(&("a2a3", 8_457)), "{parts:?}");
    assert_eq!(parts.iter().map(|&(_, nodes)| nodes).sum::<u64>(), output.nodes());
    assert_eq!(output.nodes(), 197_281);
}

#[test]
fn threads_and_hash_change_nothing() {
    let plain = perft(&["4", "--divide", "--fen", KIWIPETE]);
    assert_eq!(plain.nodes(), 4_085_603);
    for options in [&["--threads", "2"][..], &["--hash", "16"], &["--threads", "2", "--hash", "1"]]
    {
        let args = [&["4", "--divide", "--fen", KIWIPETE], options].concat();
        let output = perft(&args);
        assert_eq!(output.nodes(), plain.nodes(), "{options:?}");
        assert_eq!(output.parts(), plain.parts(), "{options:?}");
    }
    assert_eq!(perft(&["4", "--threads", "2", "--hash", "16"]).nodes(), 197_281);
}

#[test]
fn counts_from_a_fen() {
    assert_eq!(perft(&["3", "--fen", KIWIPETE]).nodes(), 97_862);
    // Mate and stalemate: nothing to count below, but the position itself.
    for fen in ["R5k1/5ppp/8/8/8/8/8/6K1 b - -", "7k/5Q2/6K1/8/8/8/8/8 b - -"] {
        assert_eq!(perft(&["0", "--fen", fen]).nodes(), 1);
        assert_eq!(perft(&["3", "--fen", fen, "--divide"]).nodes(), 0);
    }
}

#[test]
fn castling_is_written_as_asked() {
    let moves = |args: &[&str]| -> Vec<String> {
        perft(args).parts().iter().map(|&(mv, _)| mv.to_owned()).collect()
    };
    let has = |list: &[String], mv: &str| list.iter().any(|listed| listed == mv);

    let orthodox = moves(&["1", "--divide", "--fen", KIWIPETE]);
    assert!(has(&orthodox, "e1g1") && has(&orthodox, "e1c1"), "{orthodox:?}");
    assert!(!has(&orthodox, "e1h1") && !has(&orthodox, "e1a1"), "{orthodox:?}");

    let chess960 = moves(&["1", "--divide", "--chess960", "--fen", KIWIPETE]);
    assert!(has(&chess960, "e1h1") && has(&chess960, "e1a1"), "{chess960:?}");
    assert!(!has(&chess960, "e1g1") && !has(&chess960, "e1c1"), "{chess960:?}");

    // With the king elsewhere there is no other way.
    let inner = moves(&["1", "--divide", "--fen", "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1"]);
    assert!(has(&inner, "f1h1") && has(&inner, "f1b1"), "{inner:?}");
}

#[test]
fn verify_finds_nothing_wrong() {
    assert_eq!(perft(&["2", "--verify"]).nodes(), 400);
    assert_eq!(perft(&["2", "--verify", "--fen", KIWIPETE]).nodes(), 2_039);
}

#[test]
fn a_right_suite_passes() {
    let suite = format!(
        "# start and Kiwipete\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902\n\
         {KIWIPETE} ;D1 48 ;D2 2039 ;D3 1\n"
    );
    let output = perft_suite("right.epd", &suite, &["--max-depth", "2"]);
    assert_eq!(output.nodes(), 20 + 400 + 48 + 2_039);
    assert!(output.stdout.contains("2 positions, 4 counts, 0 failures"), "{output:?}");
    let output = perft_suite("right.epd", &suite, &["--max-depth", "2", "--threads", "2"]);
    assert_eq!(output.nodes(), 20 + 400 + 48 + 2_039);
}

#[test]
fn a_wrong_suite_fails_and_says_where() {
    let wrong = format!("\n{KIWIPETE} ;D1 48 ;D2 2040\n");
    let output = perft_suite("wrong.epd", &wrong, &[]);
    assert_eq!(output.status, Some(1), "{output:?}");
    let complaint = "line 2: depth 2: expected 2040, found 2039";
    assert!(output.stdout.contains(complaint), "{output:?}");

    for (name, line, complaint) in [
        ("count.epd", "4k3/8/8/8/8/8/8/4K3 w - - ;D1 many", "line 1: \"D1 many\" is neither"),
        ("fen.epd", "4k3/8/8/8/8/8/8/8 w - - ;D1 5", "line 1: white has 0 kings instead of one"),
        ("bare.epd", "4k3/8/8/8/8/8/8/4K3 w - -", "line 1: there are no counts"),
        ("text.epd", "Hello, world!", "line 1: the FEN ends before the castling field"),
    ] {
        let output = perft_suite(name, line, &[]);
        assert_eq!(output.status, Some(1), "{output:?}");
        assert!(output.stdout.contains(complaint), "{output:?}");
    }
}

#[test]
fn an_empty_suite_is_an_error() {
    let output = perft_suite("empty.epd", "\n# only a comment\n", &[]);
    output.assert_refused("gambeson: there are no positions in ");
}

#[test]
fn a_missing_suite_is_an_error() {
    let output = perft(&["--suite", "no/such/suite.epd"]);
    output.assert_refused("gambeson: cannot read no/such/suite.epd: ");
}

#[test]
fn broken_fens_are_refused_with_the_reason() {
    assert!(BROKEN_FENS.len() >= 30);
    for &(fen, message) in BROKEN_FENS {
        let output = perft(&["2", "--fen", fen]);
        output.assert_refused(&format!("gambeson: invalid FEN: {message}\n"));
    }
}

#[test]
fn bad_arguments_are_refused() {
    perft(&[]).assert_refused("required arguments were not provided");
    perft(&["many"]).assert_refused("invalid value 'many' for '[DEPTH]'");
    perft(&["1.5"]).assert_refused("invalid value '1.5' for '[DEPTH]'");
    perft(&["100"]).assert_refused("invalid value '100' for '[DEPTH]'");
    perft(&["-1"]).assert_refused("unexpected argument '-1'");
    perft(&["3", "--threads", "0"]).assert_refused("invalid value '0' for '--threads <N>'");
    perft(&["3", "--hash", "lots"]).assert_refused("invalid value 'lots' for '--hash <MB>'");
    perft(&["3", "--fen"]).assert_refused("a value is required for '--fen <FEN>'");
    perft(&["3", "--verify", "--divide"]).assert_refused("cannot be used with");
    perft(&["3", "--suite", "any.epd"]).assert_refused("cannot be used with");
    perft(&["--max-depth", "2"]).assert_refused("required arguments were not provided");
}
