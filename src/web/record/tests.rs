use super::*;
use crate::game::pgn::{Detail, Reader};

fn game(moves: &str) -> Record {
    let mut record = Record::default();
    for text in moves.split_whitespace() {
        let mv = record.read(text).expect(text);
        record.play(mv, None, 0, None);
    }
    record
}

#[test]
fn endings_have_their_names() {
    let end = |record: &Record| record.end().map(|end| end.to_string());
    assert_eq!(end(&game("e4 e5")), None);
    let mate = game("f3 e5 g4 Qh4");
    assert_eq!(end(&mate).as_deref(), Some("Black wins by checkmate."));
    let repeated = game("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_eq!(end(&repeated).as_deref(), Some("Draw by threefold repetition."));
    let fifty = Record::new(Board::from_fen("k7/8/8/8/8/8/1R6/7K w - - 100 90").expect("ok"));
    assert_eq!(end(&fifty).as_deref(), Some("Draw by the fifty-move rule."));
}

#[test]
fn taking_back_reopens_the_game() {
    let mut record = game("f3 e5 g4 Qh4");
    record.truncate(2);
    assert_eq!((record.end(), record.moves().len()), (None, 2));
    assert_eq!(record.board(), &record.board_of(record.place()));
    record.truncate(0);
    assert_eq!(record.board().fen(), Board::START_FEN);
    assert_eq!(record.to_game(Vec::new()), Game::default());
}

fn again(record: &Record) -> Record {
    let text = record.to_game(record.tags().to_vec()).to_string();
    let mut games = Reader::new(text.as_bytes(), Detail::Everything);
    Record::load(games.next().expect("a game").expect("memory").game)
}

#[test]
fn survives_as_pgn() {
    let mut record = game("e4 e5 Nf3");
    let last = record.place();
    assert!(record.evaluate(last, Eval::Centipawns(31), 9, false));
    assert!(!record.evaluate(last, Eval::Centipawns(50), 8, false));
    assert!(!record.evaluate(Game::START, Eval::Centipawns(50), 8, true));
    record.finish(GameResult::BlackWins, Termination::Resignation);
    let again = again(&record);
    assert_eq!(again.notes(&again.moves()[2]).eval, Some(Eval::Centipawns(31)));
    let unknown = GameEnd::new(GameResult::BlackWins, Termination::Unknown);
    assert_eq!(again.end(), Some(unknown));
}

fn line(record: &mut Record, from: NodeId, moves: &str) -> NodeId {
    moves.split(' ').fold(from, |place, text| {
        let mv = record.board_of(place).parse_move(text).expect(text);
        record.try_move(place, mv).expect("room")
    })
}

fn text(record: &Record) -> String {
    let text = record.to_game(Vec::new()).to_string();
    text.split_once("\n\n").expect("moves").1.trim().to_owned()
}

#[test]
fn an_adopted_line_leaves_the_game_as_a_variation() {
    let mut record = game("e4 e5 Nf3");
    let first = record.moves()[0].id;
    let place = line(&mut record, first, "c5 d4");
    assert_eq!((record.moves().len(), record.played()), (3, None));
    record.adopt(place);
    assert_eq!(text(&again(&record)), "1. e4 c5 (1... e5 2. Nf3) 2. d4 *");
    assert_eq!(record.moves().len(), 3);
}

#[test]
fn going_on_from_an_earlier_position_loses_nothing() {
    let mut record = game("f3 e5 g4 Qh4");
    record.adopt(record.moves()[1].id);
    assert_eq!((record.end(), record.moves().len(), record.played()), (None, 2, Some(2)));
    let saved = Record::load_played(record.to_game(Vec::new()), 2);
    assert_eq!((saved.moves().len(), saved.played()), (2, Some(2)));
    let mv = record.read("e4").expect("legal");
    record.play(mv, None, 0, None);
    assert_eq!(text(&record), "1. f3 e5 2. e4 (2. g4 Qh4#) *");
}

#[test]
fn analysis_after_the_last_move_is_not_part_of_the_game() {
    let mut record = game("e4 e5");
    let place = record.place();
    line(&mut record, place, "Nf3 Nc6");
    line(&mut record, place, "Nc3");
    assert_eq!((record.moves().len(), record.played()), (2, Some(2)));
    let mv = record.read("Nc3").expect("legal");
    record.play(mv, None, 0, None);
    assert_eq!(text(&record), "1. e4 e5 2. Nc3 (2. Nf3 Nc6) *");
    record.truncate(2);
    assert_eq!(text(&record), "1. e4 e5 2. Nf3 Nc6 *");
}

#[test]
fn what_was_played_is_not_rearranged() {
    let mut record = game("e4 e5 Nf3");
    let (first, last) = (record.moves()[0].id, record.place());
    let c5 = line(&mut record, first, "c5");
    let e6 = line(&mut record, first, "e6");
    assert!(record.rearrange(|game| game.raise(e6)));
    assert_eq!(text(&record), "1. e4 e5 (1... e6) (1... c5) 2. Nf3 *");
    assert!(!record.rearrange(|game| game.promote(c5)));
    assert!(!record.rearrange(|game| game.remove(last)));
    assert!(record.rearrange(|game| game.remove(e6)));
    record.annotate(c5, " Sicilian\n  Defence ", vec![1]);
    assert_eq!(text(&record), "1. e4 e5 (1... c5 $1 { Sicilian Defence }) 2. Nf3 *");
    assert!(record.make_main(c5));
    assert_eq!(text(&record), "1. e4 c5 $1 { Sicilian Defence } (1... e5 2. Nf3) *");
}

#[test]
fn evaluations_of_the_file_stay() {
    let text = "1. e4 { [%eval 0.30] } *";
    let mut games = Reader::new(text.as_bytes(), Detail::Everything);
    let mut record = Record::load(games.next().expect("a game").expect("memory").game);
    let place = record.place();
    assert!(!record.evaluate(place, Eval::Centipawns(90), 30, false));
    assert!(record.evaluate(place, Eval::Centipawns(90), 30, true));
}

#[test]
fn lines_do_not_nest_without_end() {
    let mut record = Record::default();
    let mut place = Game::START;
    for _ in 0..200 {
        for text in ["Nf3 Nf6 Ng1 Ng8", "Nc3"] {
            let mut at = place;
            for text in text.split(' ') {
                let mv = record.board_of(at).parse_move(text).expect(text);
                match record.try_move(at, mv) {
                    Some(next) => at = next,
                    None => return assert!(record.tree().deepest() == DEEPEST_LINE),
                }
            }
            if text == "Nc3" {
                let mv = record.board_of(at).parse_move("Nc6").expect("legal");
                let next = record.try_move(at, mv).expect("not deeper");
                let back = record.board_of(next).parse_move("Nb1").expect("legal");
                let next = record.try_move(next, back).expect("not deeper");
                let back = record.board_of(next).parse_move("Nb8").expect("legal");
                place = record.try_move(next, back).expect("not deeper");
            }
        }
    }
    panic!("nothing stopped it");
}
