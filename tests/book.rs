//! Opening books: made from games, shown, played from in both protocols, and
//! refused when they are none.

mod common {
    pub mod conversation;
}

use common::conversation::{Conversation, Scene};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const GAMES: &str = "\
[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n\
[White \"B\"]\n\n1. e4 { best by test } c5 (1... e6) 2. Nf3 1/2-1/2\n\n\
[White \"C\"]\n\n1. d4 d5 2. c4 0-1\n\n\
[White \"D\"]\n\n1. e4 e5 2. Ke3 1-0\n";

/// A file of this test's own, removed when it is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: &[u8]) -> Scratch {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, content).expect("a file can be written");
        Scratch(path)
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("the path is UTF-8")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn gambeson(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_gambeson");
    Command::new(program).args(arguments).output().expect("the program starts")
}

/// A book made from [`GAMES`].
fn book(name: &str) -> Scratch {
    let games = Scratch::new(&format!("{name}.pgn"), GAMES.as_bytes());
    let book = Scratch::new(&format!("{name} with blanks.bin"), b"");
    let output = gambeson(&["book", "make", games.text(), "-o", book.text(), "--min-games", "1"]);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("from 4 games") && said.contains("1 of the games"), "{said}");
    book
}

#[test]
fn makes_and_shows() {
    let book = book("shown");
    let show = |fen: &[&str]| {
        let output = gambeson(&[&["book", "show", "-b", book.text()], fen].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert_eq!(show(&[]), "e4      100.0 %  weight 5\n");
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(show(&[after_e4]), "c5      100.0 %  weight 1\n");
    let words: Vec<&str> = after_e4.split(' ').collect();
    assert_eq!(show(&words), show(&[after_e4]));
    assert!(show(&["4k3/8/8/8/8/8/8/4K3 w - - 0 1"]).starts_with("no moves for "));

    for bad in [
        &["book", "show", "-b", "no such book"][..],
        &["book", "show", "-b", book.text(), "8/8"],
        &["book", "make", "no such games", "-o", book.text()],
    ] {
        let output = gambeson(bad);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!output.stderr.is_empty());
    }
    let games = Scratch::new("games again.pgn", GAMES.as_bytes());
    let target = ["book", "make", games.text(), "-o", "/no/such/folder/book", "--min-games", "1"];
    let output = gambeson(&target);
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"), "{output:?}");
    let few = Scratch::new("few.pgn", GAMES.as_bytes());
    let output = gambeson(&["book", "make", few.text(), "-o", book.text(), "--min-games", "9"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    // What was there is not replaced by nothing.
    assert_eq!(show(&[]), "e4      100.0 %  weight 5\n");
}

/// Plays a script in which BOOK stands for the book's path.
fn play(script: &str, book: &Scratch) {
    let mut talk = Conversation::start();
    Scene::new(&mut talk).run(&script.replace("BOOK", book.text()));
    talk.quit();
}

#[test]
fn plays_by_the_book_in_uci() {
    let book = book("uci");
    play(
        "> uci | = uciok | > setoption name BookFile value BOOK \
        | > position startpos moves d2d4 | > go depth 1 | * depth 1 | ^ bestmove \
        | > setoption name OwnBook value true \
        | > go wtime 1000 btime 1000 | = info string book move d5 | * pv d7d5 | = bestmove d7d5 \
        | > position startpos | > go movetime 1000 | * depth 0 | = bestmove e2e4 ponder c7c5 \
        | > position startpos moves e2e4 e7e5 | > go nodes 10 | = bestmove g1f3 \
        | > position startpos | > go depth 1 searchmoves a2a3 | * depth 1 | ^ bestmove a2a3 \
        | > go infinite | * depth 1 | > stop | ^ bestmove \
        | > setoption name BookDepth value 1 \
        | > position startpos moves e2e4 e7e5 | > go depth 1 | * depth 1 | ^ bestmove \
        | > position startpos | > go depth 1 | * depth 0 | = bestmove e2e4 ponder c7c5 \
        | > setoption name BookFile value <empty> | > go depth 1 | * depth 1 | ^ bestmove",
        &book,
    );
}

#[test]
fn plays_by_the_book_in_xboard() {
    let book = book("xboard");
    play(
        "> xboard | > protover 2 | ^ feature done=1 | > new | > bk | = \
        | > option BookFile=BOOK | > option OwnBook=1 | > hard | > post \
        | > bk | = \te4      100.0 %  weight 5 | =  \
        | > usermove d2d4 | = # book move d5 | = move d7d5 \
        | > bk | = \tno book moves here | = \
        | > new | > go | = move e2e4 | > usermove e7e5 | = move g1f3 | > force",
        &book,
    );
}

#[test]
fn bad_books_are_refused() {
    let bad = Scratch::new("bad.bin", b"this is no book at all");
    let good = book("good");
    play(
        &format!(
            "> uci | = uciok | > setoption name OwnBook value true \
            | > setoption name BookFile value {} | * is not a Polyglot book \
            | > setoption name BookFile value no such file | * option BookFile: no such file \
            | > go depth 1 | * depth 1 | ^ bestmove \
            | > setoption name BookFile value BOOK | > go depth 1 | = bestmove e2e4 ponder c7c5 \
            | > setoption name BookFile value {} | * is not a Polyglot book \
            | > go depth 1 | = bestmove e2e4 ponder c7c5",
            bad.text(),
            bad.text()
        ),
        &good,
    );
}
