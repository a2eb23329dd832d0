//! How games end.

use crate::types::{Color, small_enum};
use std::fmt;

small_enum! {
    /// The numbers are those of the self-play format.
    pub GameResult[3] { BlackWins, Draw, WhiteWins }
}

small_enum! {
    /// Why a game ended. The first [`Termination::RECORDED`] of them are the codes of the
    /// self-play format, so their order is fixed.
    pub Termination[15] {
        Checkmate,
        Stalemate,
        InsufficientMaterial,
        FiftyMoves,
        Repetition,
        AdjudicatedWin,
        AdjudicatedDraw,
        TooLong,
        SeventyFiveMoves,
        FivefoldRepetition,
        Time,
        TimeWithoutMaterial,
        Resignation,
        Agreement,
        Unknown,
    }
}

/// A result and the reason for it, which games from elsewhere often do not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameEnd {
    pub result: GameResult,
    pub termination: Termination,
}

impl GameResult {
    pub(crate) fn win(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// 1, a half or 0, as `color` sees it.
    pub(crate) fn points(self, color: Color) -> f32 {
        let white = f32::from(self as u8) / 2.0;
        match color {
            Color::White => white,
            Color::Black => 1.0 - white,
        }
    }

    /// As PGN writes it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<GameResult> {
        match text {
            "1/2" => Some(GameResult::Draw),
            _ => GameResult::ALL.into_iter().find(|result| result.as_str() == text),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Termination {
    /// How many of them a self-play file may hold.
    pub(crate) const RECORDED: usize = 8;

    /// For people.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::InsufficientMaterial => "insufficient material",
            Termination::FiftyMoves => "fifty-move rule",
            Termination::Repetition => "threefold repetition",
            Termination::AdjudicatedWin => "adjudicated win",
            Termination::AdjudicatedDraw => "adjudicated draw",
            Termination::TooLong => "too long",
            Termination::SeventyFiveMoves => "seventy-five-move rule",
            Termination::FivefoldRepetition => "fivefold repetition",
            Termination::Time => "time forfeit",
            Termination::TimeWithoutMaterial => "time forfeit, but insufficient material to win",
            Termination::Resignation => "resignation",
            Termination::Agreement => "agreement",
            Termination::Unknown => "unknown",
        }
    }
}

impl GameEnd {
    pub(crate) const fn new(result: GameResult, termination: Termination) -> GameEnd {
        GameEnd { result, termination }
    }
}

impl fmt::Display for GameEnd {
    /// A sentence for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = match self.result {
            GameResult::WhiteWins => "White wins",
            GameResult::BlackWins => "Black wins",
            GameResult::Draw => "Draw",
        };
        let reason = self.termination.as_str();
        match self.termination {
            Termination::Unknown => write!(f, "{result}."),
            Termination::Time => write!(f, "{result} on time."),
            Termination::FiftyMoves | Termination::SeventyFiveMoves => {
                write!(f, "{result} by the {reason}.")
            }
            Termination::Checkmate
            | Termination::Stalemate
            | Termination::InsufficientMaterial
            | Termination::Repetition
            | Termination::FivefoldRepetition
            | Termination::Resignation
            | Termination::Agreement => write!(f, "{result} by {reason}."),
            _ => write!(f, "{result}: {reason}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_self_play_format_stay() {
        let results = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];
        assert_eq!(results.map(|result| result as u8), [0, 1, 2]);
        let terminations = [
            Termination::Checkmate,
            Termination::Stalemate,
            Termination::InsufficientMaterial,
            Termination::FiftyMoves,
            Termination::Repetition,
            Termination::AdjudicatedWin,
            Termination::AdjudicatedDraw,
            Termination::TooLong,
        ];
        assert!(terminations.iter().map(|it| it.index()).eq(0..Termination::RECORDED));
    }

    #[test]
    fn results_are_read_as_written() {
        for result in GameResult::ALL {
            assert_eq!(GameResult::parse(&result.to_string()), Some(result));
        }
        assert_eq!(GameResult::parse("1/2"), Some(GameResult::Draw));
        assert_eq!(GameResult::parse("*"), None);
    }
}
