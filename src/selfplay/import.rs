//! Games from elsewhere: PGN as fastchess and cutechess write it, with the score of the
//! mover's search in the comment of each move. The filters that say which positions are
//! worth learning from come later, as for our own games ([`super::usable`]).

use super::{GameRecord, NO_SCORE, PackedPosition, ScoredMove};
use crate::game::judge::judge;
use crate::game::pgn::{ParsedGame, PgnError};
use crate::game::{GameResult, Termination};
use crate::types::Score;
use std::collections::BTreeMap;
use thiserror::Error;

/// Ends of games that say nothing about the positions in them.
const ACCIDENTS: [&str; 5] =
    ["time forfeit", "abandoned", "illegal move", "stalled", "unterminated"];
/// No mate is further away than the search can see.
const LONGEST_MATE: usize = 120;

/// Why a game is not taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("{0}")]
    Pgn(PgnError),
    #[error("it has no result")]
    NoResult,
    #[error("it ended by \"{0}\"")]
    Accident(String),
    #[error("it has no moves")]
    Empty,
    #[error("it has {0} plies, more than {max}", max = GameRecord::MAX_PLIES)]
    TooLong(usize),
    #[error("ply {0} has no score")]
    NoScore(usize),
}

impl Refusal {
    /// The same for all games refused for the same reason.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Refusal::Pgn(_) => "cannot be read",
            Refusal::NoResult => "have no result",
            Refusal::Accident(_) => "ended by an accident",
            Refusal::Empty => "have no moves",
            Refusal::TooLong(_) => "are too long",
            Refusal::NoScore(_) => "have moves without a score",
        }
    }
}

/// How many games were refused, and an example of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) games: u64,
    /// By [`Refusal::kind`]: how many, and number and reason of the first.
    pub(crate) kinds: BTreeMap<&'static str, (u64, u64, Refusal)>,
}

impl Refused {
    pub(crate) fn add(&mut self, game: u64, refusal: Refusal) {
        self.games += 1;
        self.kinds.entry(refusal.kind()).or_insert((0, game, refusal)).0 += 1;
    }
}

/// The record of a game, as number `index` of a collection. Moves of a book need no
/// score.
pub fn import(parsed: &ParsedGame, index: u32) -> Result<GameRecord, Refusal> {
    if let Some(problem) = parsed.problems.first() {
        return Err(Refusal::Pgn(problem.clone()));
    }
    let game = &parsed.game;
    let result = game.result.ok_or(Refusal::NoResult)?;
    if let Some(end) = game.tag("Termination")
        && ACCIDENTS.iter().any(|accident| end.eq_ignore_ascii_case(accident))
    {
        return Err(Refusal::Accident(end.to_owned()));
    }
    let mut board = game.start().clone();
    let mut moves = Vec::new();
    for node in game.main_line() {
        let Some(mv) = game.mv(node) else { continue };
        let comment = game.notes(node).comment.as_str();
        let score = match score(comment) {
            Some(score) => score.0 as i16,
            None if comment.trim() == "book" => NO_SCORE,
            None => return Err(Refusal::NoScore(moves.len() + 1)),
        };
        moves.push(ScoredMove { mv, score });
        board.make(mv);
    }
    if moves.is_empty() {
        return Err(Refusal::Empty);
    }
    if moves.len() > GameRecord::MAX_PLIES {
        return Err(Refusal::TooLong(moves.len()));
    }
    let by_rule = judge(&board).filter(|end| end.result == result).map(|end| end.termination);
    let adjudicated = match result {
        GameResult::Draw => Termination::AdjudicatedDraw,
        _ => Termination::AdjudicatedWin,
    };
    let ending = by_rule.unwrap_or(adjudicated);
    let start = PackedPosition::pack(game.start());
    Ok(GameRecord { index, start, moves, result, ending })
}

/// Reads `+0.35/12 0.051s, ...`, `-M5/20` or `0.00/1`: pawns or moves to mate, as the
/// mover sees it, and the depth.
fn score(comment: &str) -> Option<Score> {
    let (value, rest) = comment.trim_start().split_once('/')?;
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (negative, size) = match value.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, value.strip_prefix('+').unwrap_or(value)),
    };
    if let Some(moves) = size.strip_prefix('M') {
        let moves: usize = moves.parse().ok().filter(|moves| *moves <= LONGEST_MATE)?;
        let mate = Score::mate_in((2 * moves).saturating_sub(1));
        return Some(if negative { Score::mated_in(2 * moves) } else { mate });
    }
    let pawns: f64 = size.parse().ok().filter(|pawns| *pawns < 1_000.0)?;
    let size = Score::from_centipawns((100.0 * pawns).round() as i32);
    Some(if negative { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::pgn::{Detail, Reader};

    fn games(pgn: &str) -> Vec<Result<GameRecord, Refusal>> {
        let reader = Reader::new(pgn.as_bytes(), Detail::Everything);
        let games = (0..).zip(reader);
        games.map(|(index, game)| import(&game.expect("bytes"), index)).collect()
    }

    #[test]
    fn scores_as_the_runners_write_them() {
        for (comment, expected) in [
            ("+0.35/12 0.051s, n=5000, sd=15", Some(Score::from_centipawns(35))),
            ("-1.20/9", Some(Score::from_centipawns(-120))),
            ("0.00/1 0.000s", Some(Score::DRAW)),
            ("+M5/20 0.1s", Some(Score::mate_in(9))),
            ("-M5/20 0.1s", Some(Score::mated_in(10))),
            ("+M1/2 0.0s, White mates", Some(Score::mate_in(1))),
            ("unknown", None),
            ("book", None),
            ("", None),
            ("a good move/idea", None),
            ("/0 0.000s", None),
            ("nan/3", None),
            ("inf/3", None),
            ("+1e99/3", None),
            ("+M999999/3", None),
        ] {
            assert_eq!(score(comment), expected, "{comment}");
        }
    }

    const HEAD: &str = "[White \"a\"]\n[Black \"b\"]\n";

    #[test]
    fn a_game_keeps_its_start_moves_scores_and_end() {
        let text = format!(
            "{HEAD}[FEN \"rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2\"]\n\
             [Result \"0-1\"]\n[Termination \"normal\"]\n\n\
             2. g4 {{-M1/10 0.01s}} Qh4# {{+M1/3 0.01s, Black mates}} 0-1\n\n\
             {HEAD}[Result \"1-0\"]\n[Termination \"adjudication\"]\n\n\
             1. e4 {{book}} e5 {{-0.20/8 0.1s}} 2. Nf3 {{+0.31/8 0.1s}} 1-0\n"
        );
        let games = games(&text);
        let mate = games[0].as_ref().expect("a game");
        let ends = (mate.result, mate.ending);
        assert_eq!(ends, (GameResult::BlackWins, Termination::Checkmate));
        let scores: Vec<_> = mate.moves.iter().map(|scored| scored.score).collect();
        assert_eq!(scores, [-31_998, 31_999]);
        assert_eq!(mate.replay(|_, _| {}).map(|board| board.fullmove_number()), Ok(3));
        let won = games[1].as_ref().expect("a game");
        assert_eq!((won.index, won.ending), (1, Termination::AdjudicatedWin));
        assert_eq!(won.moves[0].score, NO_SCORE);
        assert_eq!(won.moves[1].score, Score::from_centipawns(-20).0 as i16);
    }

    #[test]
    fn games_that_teach_nothing_are_refused() {
        let refusal = |text: &str| games(text).remove(0).expect_err(text);
        let scored = "1. e4 {+0.10/5 0s} e5 {+0.10/5 0s} 1-0";
        assert_eq!(refusal("1. e4 {+0.10/5 0s} e5 1-0"), Refusal::NoScore(2));
        assert_eq!(refusal("1. e4 {unknown} e5 {+0.10/5} 1-0"), Refusal::NoScore(1));
        assert_eq!(refusal("1. e4 {+0.10/5 0s} *"), Refusal::NoResult);
        assert_eq!(refusal(&format!("{HEAD}\n1-0\n")), Refusal::Empty);
        assert!(matches!(refusal("1. e5 {+0.10/5 0s} 1-0"), Refusal::Pgn(_)));
        for end in ACCIDENTS {
            let text = format!("[Termination \"{end}\"]\n\n{scored}");
            assert_eq!(refusal(&text), Refusal::Accident(end.to_owned()));
        }
        let mut refused = Refused::default();
        refused.add(4, Refusal::NoScore(2));
        refused.add(7, Refusal::NoScore(9));
        let kinds = [("have moves without a score", (2, 4, Refusal::NoScore(2)))];
        assert_eq!(refused, Refused { games: 2, kinds: kinds.into_iter().collect() });
    }
}
