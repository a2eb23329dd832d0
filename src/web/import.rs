//! Games from elsewhere, opened from the command line.

use super::store::{GameId, Store};
use crate::game::Game;
use crate::game::pgn::{Detail, PgnError, Reader};
use std::io;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ImportError {
    #[error("there is no game of number {number} in the file, which has {count}")]
    NoSuchGame { number: usize, count: usize },
    #[error("the game cannot be shown: {0}")]
    Unreadable(PgnError),
    #[error("the game cannot be kept: {0}")]
    Keep(#[from] io::Error),
}

/// A game of a PGN file, and what cannot be read of it.
#[derive(Debug)]
pub struct Imported {
    pub game: Game,
    pub problems: Vec<PgnError>,
    /// How many games the file has.
    pub count: usize,
}

impl Imported {
    /// Reads the game of this number, counted from 1, in the text of a PGN file.
    pub fn read(text: &str, number: usize) -> Result<Imported, ImportError> {
        let games = |detail| Reader::new(text.as_bytes(), detail).map_while(Result::ok);
        let count = games(Detail::MainLine).count();
        let parsed = games(Detail::Everything).nth(number.saturating_sub(1));
        let parsed = parsed.ok_or(ImportError::NoSuchGame { number, count })?;
        let nothing = parsed.game.moves().next().is_none();
        let hopeless = |problem: &&PgnError| {
            nothing || matches!(problem, PgnError::Start(_) | PgnError::Variant(_))
        };
        if let Some(problem) = parsed.problems.iter().find(hopeless) {
            return Err(ImportError::Unreadable(problem.clone()));
        }
        Ok(Imported { game: parsed.game, problems: parsed.problems, count })
    }
}

impl Store {
    /// Keeps the game and returns its name in the page's address. The same game gets the
    /// same name, and is left as it is if the board already has it.
    pub fn import(&self, game: &Game) -> Result<String, ImportError> {
        let name = format!("file{:08x}", crc32fast::hash(game.to_string().as_bytes()));
        let id =
            GameId::parse(&name).ok_or(io::ErrorKind::InvalidInput).map_err(io::Error::from)?;
        if self.load(&id)?.is_none() {
            self.save(&id, game)?;
        }
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. d4 1-0\n";

    #[test]
    fn a_game_is_kept_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(folder.path().join("games"));
        let second = Imported::read(TWO, 2).expect("two games");
        assert_eq!((second.game.tag("White"), second.count), (Some("B"), 2));
        let name = store.import(&second.game).expect("room");
        let id = GameId::parse(&name).expect("a name");
        assert_eq!(store.load(&id).expect("readable").expect("there").moves().count(), 1);
        // What has been done with it on the board stays.
        let first = Imported::read(TWO, 1).expect("two games");
        store.save(&id, &first.game).expect("room");
        assert_eq!(store.import(&second.game).expect("room"), name);
        assert_eq!(store.load(&id).expect("readable").expect("there").moves().count(), 2);
        assert_ne!(store.import(&first.game).expect("room"), name);
    }

    #[test]
    fn what_cannot_be_shown() {
        for (text, number) in [(TWO, 3), ("", 1), ("[FEN \"nonsense\"]\n\n1. e4 *", 1)] {
            assert!(Imported::read(text, number).is_err(), "{text}");
        }
        let partly = Imported::read("1. e4 Ke4 *", 1).expect("one move");
        assert_eq!(partly.problems.len(), 1);
    }
}
