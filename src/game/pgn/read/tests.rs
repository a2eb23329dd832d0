use super::*;
use crate::game::{Eval, Shape};
use std::time::Duration;

fn parse(bytes: &[u8], detail: Detail) -> Vec<ParsedGame> {
    Reader::new(bytes, detail).map(|game| game.unwrap()).collect()
}

fn games(text: &str) -> Vec<ParsedGame> {
    parse(text.as_bytes(), Detail::Everything)
}

fn sans(parsed: &ParsedGame) -> String {
    let mut board = parsed.game.start().clone();
    let mut sans = Vec::new();
    for mv in parsed.game.moves() {
        sans.push(board.san(mv));
        board.make(mv);
    }
    sans.join(" ")
}

#[test]
fn reads_what_people_call_pgn() {
    let (white, black) = (Some(GameResult::WhiteWins), Some(GameResult::BlackWins));
    for (text, moves, result) in [
        ("1. e4 e5 2. Nf3 Nc6 1/2-1/2", "e4 e5 Nf3 Nc6", Some(GameResult::Draw)),
        ("1.e4 e5 2.Nf3 *", "e4 e5 Nf3", None),
        ("1. e4 { a [%clk 0:1] ) comment } e5 ; to the end ) 2. d4\n2. d3 0-1", "e4 e5 d3", black),
        ("1. e4 (1. d4 d5 (1... Nf6) 2. c4) 1... e5!? $13 +- 1-0", "e4 e5", white),
        (
            "% no move\n1. e2e4 e7-e5 2. Ng1-f3 Nc6 3. Bb5 Nf6 4. 0-0 Nxe4!! 1-0",
            "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4",
            white,
        ),
        ("[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4#", "f3 e5 g4 Qh4#", black),
        ("\u{feff}[Event \"x\"]\r\n\r\n1. e4\r\n1... c5\r\n*", "e4 c5", None),
        ("1.e4 1…e5 2. d4 (2. d3 1-0) exd4 *", "e4 e5 d4 exd4", None),
        ("[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n1. a8Q+ Kd7 2. Qb7+ *", "a8=Q+ Kd7 Qb7+", None),
        ("[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1\"]\n1. exd6 e.p. Kd7 *", "exd6 Kd7", None),
        (
            "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
             [FEN \"nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1\"]\n\n\
             1. Nb3 Nb6 *",
            "Nb3 Nb6",
            None,
        ),
        ("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n7... Ke7 8. e4", "Ke7 e4", None),
    ] {
        for detail in [Detail::Everything, Detail::MainLine] {
            let games = parse(text.as_bytes(), detail);
            assert_eq!(games.len(), 1, "{text}");
            assert_eq!(games[0].problems, [], "{text}");
            let found = (sans(&games[0]), games[0].game.result);
            assert_eq!(found, (moves.to_owned(), result), "{text}");
        }
    }
}

#[test]
fn keeps_what_stands_beside_the_moves() {
    let text = "{ before } 1.e4! {best {by test} e5 $1 $14 2. Nf3 ({ or } 2. f4 exf4 (2... d5) \
        {x)} 3. Nf3) 2... Nc6 ; why\n3. Bc4 Nf6?! 4. 0-0 { [%eval 0.35,18] [%clk 0:01:30.5] \
        [%csl Ge4] quiet } 4... Bc5 {[%clk 9999:00:00]} 1-0";
    let parsed = &games(text)[0];
    assert_eq!(parsed.problems, []);
    let game = &parsed.game;
    let line: Vec<NodeId> = game.main_line().collect();
    let notes = |index: usize| game.notes(line[index]);
    assert_eq!(game.notes(Game::START).comment, "before");
    assert_eq!((notes(0).nags.as_slice(), &*notes(0).comment), (&[1][..], "best {by test"));
    assert_eq!(notes(1).nags, [1, 14]);
    let castled = notes(6);
    assert_eq!((castled.eval, castled.depth), (Some(Eval::Centipawns(35)), Some(18)));
    assert_eq!(castled.clock, Some(Duration::from_millis(90_500)));
    let shapes: Vec<String> = castled.shapes.iter().map(Shape::to_string).collect();
    assert_eq!((shapes, &*castled.comment), (vec!["Ge4".to_owned()], "quiet"));
    assert_eq!(notes(3).comment, "why");
    // What nobody believes is kept as text.
    assert_eq!((notes(7).clock, &*notes(7).comment), (None, "[%clk 9999:00:00]"));
    let f4 = game.children(line[1])[1];
    assert_eq!(game.notes(f4).before, "or");
    assert_eq!(game.children(f4).len(), 2);
    assert_eq!(game.notes(game.children(f4)[0]).comment, "x)");
}

#[test]
fn tells_games_apart() {
    let text = "[White \"A \\\"x\\\" B\"]\n[Black \"C\"]\n\n1. e4 *\n\n[White \"D\"]\n1. d4 d5\n\
        [White \"E\"]\n[Result \"1-0\"]\n\n1-0\n1. c4 1/2-1/2\n\n\n";
    let games = games(text);
    let whites: Vec<_> = games.iter().map(|it| it.game.tag("White")).collect();
    assert_eq!(whites, [Some("A \"x\" B"), Some("D"), Some("E"), None]);
    assert_eq!(games.iter().map(sans).collect::<Vec<_>>(), ["e4", "d4 d5", "", "c4"]);
    assert_eq!(games[2].game.result, Some(GameResult::WhiteWins));
}

#[test]
fn says_where_a_game_goes_wrong() {
    let messages = |text: &str| -> Vec<String> {
        games(text)[0].problems.iter().map(PgnError::to_string).collect()
    };
    assert_eq!(messages("1. e4 e5 2. Ke3 Nc6 *"), ["move 2: \"Ke3\" is not legal here"]);
    assert_eq!(messages("1. e4 hello"), ["move 1 of Black: \"hello\" is not a move"]);
    assert_eq!(messages("1. e4 -- 2. d4"), ["move 1 of Black: \"--\" is not a move"]);
    assert_eq!(messages("1. e4\n{ oh"), ["line 2: the comment is never closed"]);
    assert_eq!(messages("1. e4\n\n(1. d4"), ["line 3: the variation is never closed"]);
    assert_eq!(messages("[Event x]\n1. e4"), ["line 1: a tag must look like [Name \"value\"]"]);
    assert!(messages("[FEN \"8/8 w - -\"]\n1. e4 *")[0].starts_with("the FEN tag: "));
    assert!(messages("[Variant \"Atomic\"]\n*")[0].contains("Atomic"));
    assert!(messages(&"x".repeat(10_000))[0].len() < 200);
    for nothing in ["", " \n\n", "% a comment", "{ a comment }", "\u{feff}", "1."] {
        assert_eq!(games(nothing).len(), 0, "{nothing:?}");
    }
}

#[test]
fn a_line_that_goes_wrong_ends_alone() {
    let parsed = games("1. e4 (1. d4 -- 2. c4 (2. x) {y}) e5 (1... c5 2. Ke5 d6) 2. Nf3 * 1. d4 *");
    assert_eq!(parsed.len(), 2);
    assert_eq!(sans(&parsed[0]), "e4 e5 Nf3");
    assert_eq!(parsed[0].problems.len(), 2);
    assert_eq!(parsed[0].game.size(), 1 + 3 + 2);
    let wrong = games("( 1. e4 ) 1. d4 ) d5 ((1... c5) *");
    assert_eq!(sans(&wrong[0]), "d4 d5");
    assert_eq!(wrong[0].problems.len(), 3);
    let deep = format!("1. e4 {}", "(1. d4 ".repeat(100_000));
    assert_eq!(sans(&games(&deep)[0]), "e4");
}

#[test]
fn old_files_are_latin_1() {
    let parsed = parse(b"[White \"M\xfcller\"]\n\n1. e4 { sch\xf6n } *", Detail::Everything);
    assert_eq!(parsed[0].game.tag("White"), Some("Müller"));
    let first = parsed[0].game.main_line().next().unwrap();
    assert_eq!(parsed[0].game.notes(first).comment, "schön");
}

#[test]
#[cfg_attr(miri, ignore = "thousands of moves take too long there")]
fn a_game_without_end_is_cut() {
    let long = games(&"Nf3 Nf6 Ng1 Ng8 ".repeat(3_000));
    assert_eq!(long[0].game.moves().count(), LONGEST_GAME);
    assert_eq!(long[0].problems, [PgnError::TooLong]);
}
