//! Games on disk, so that nothing is lost when the server dies. Every game is a
//! PGN file that any chess program opens; one tag of ours says how to go on.

use super::message::reason_name;
use super::players::{HUMAN, Player};
use super::record::Record;
use crate::files;
use crate::game::pgn::{Detail, Reader};
use crate::game::{Game, GameEnd, GameResult, Termination};
use serde::{Deserialize, Serialize};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The tag that holds the rest of a game's state.
const STATE_TAG: &str = "GambesonState";
/// A game's file is not read if it is larger than any of ours can be.
const LARGEST_FILE: u64 = 64 << 20;

/// Names a game in an address and a file name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GameId(String);

impl GameId {
    /// Letters and digits only, so that no name leads out of the folder.
    pub fn parse(text: &str) -> Option<GameId> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        ((4..=32).contains(&text.len()) && text.chars().all(fits)).then(|| GameId(text.to_owned()))
    }
}

/// What a game needs to go on, besides its moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saved {
    pub players: [Player; 2],
    /// Seconds left on the clocks.
    pub left: [Option<f64>; 2],
    pub speed: u64,
    pub end: Option<SavedEnd>,
}

/// How a game ended, in the words of the messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedEnd {
    result: String,
    reason: String,
}

impl From<GameEnd> for SavedEnd {
    fn from(end: GameEnd) -> SavedEnd {
        let reason = reason_name(end.termination).to_owned();
        SavedEnd { result: end.result.to_string(), reason }
    }
}

impl SavedEnd {
    pub fn end(&self) -> Option<GameEnd> {
        let known = |&termination: &Termination| reason_name(termination) == self.reason;
        let termination = Termination::ALL.into_iter().find(known)?;
        Some(GameEnd::new(GameResult::parse(&self.result)?, termination))
    }
}

impl Default for Saved {
    fn default() -> Saved {
        Saved { players: [HUMAN; 2], left: [None; 2], speed: 0, end: None }
    }
}

impl Saved {
    /// Takes the state out of a game's tags. A game from elsewhere has none, and a
    /// damaged one counts as none.
    pub fn take(record: &mut Record) -> Option<Saved> {
        let tags = record.tags_mut();
        let index = tags.iter().position(|(name, _)| name == STATE_TAG)?;
        let (_, text) = tags.remove(index);
        let saved: Saved = serde_json::from_str(&text).ok()?;
        saved.players.iter().all(|player| player.check().is_ok()).then_some(saved)
    }

    pub fn tag(&self) -> (String, String) {
        (STATE_TAG.to_owned(), serde_json::to_string(self).unwrap_or_default())
    }
}

#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    pub fn new(folder: PathBuf) -> Store {
        Store { folder }
    }

    /// Where the user's programs keep their data.
    pub fn default_folder() -> Option<PathBuf> {
        let set = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let data = set("XDG_DATA_HOME")
            .or_else(|| set("LOCALAPPDATA"))
            .or_else(|| set("HOME").map(|home| home.join(".local/share")))?;
        Some(data.join("gambeson").join("games"))
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, id: &GameId) -> PathBuf {
        self.folder.join(format!("{}.pgn", id.0))
    }

    /// Replaces the file in one step: a crash leaves the old one or the new one.
    pub fn save(&self, id: &GameId, game: &Game) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let path = self.path(id);
        let draft = path.with_extension("new");
        files::write(&draft, game.to_string())?;
        fs::rename(&draft, &path)
    }

    /// The game as it was saved last, if it ever was. A file that cannot be read is
    /// put aside, so that a new game does not replace it.
    pub fn load(&self, id: &GameId) -> io::Result<Option<Record>> {
        let path = self.path(id);
        let length = match fs::metadata(&path) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let read = match length {
            ..=LARGEST_FILE => read(&path).map(Some),
            _ => Err(io::Error::new(io::ErrorKind::FileTooLarge, "not a Gambeson game")),
        };
        read.or_else(|error| match self.set_aside(id)? {
            Some(aside) => {
                Err(io::Error::other(format!("{error}; it is kept as {}", aside.display())))
            }
            None => Err(error),
        })
    }

    /// Moves a file that cannot be used out of the way. Returns its new name, if there
    /// is such a file.
    pub fn set_aside(&self, id: &GameId) -> io::Result<Option<PathBuf>> {
        self.rename(id, |number| match number {
            1 => format!("{}.unreadable", id.0),
            _ => format!("{}.{number}.unreadable", id.0),
        })
    }

    /// Gives the file of a game that is over a name of its own, so that the next game
    /// does not replace it.
    pub fn archive(&self, id: &GameId) -> io::Result<Option<PathBuf>> {
        self.rename(id, |number| format!("{}-{number}.pgn", id.0))
    }

    /// Renames a game's file, if there is one, to the first of these names that is free.
    fn rename(&self, id: &GameId, name: impl Fn(u64) -> String) -> io::Result<Option<PathBuf>> {
        let path = self.path(id);
        if !path.exists() {
            return Ok(None);
        }
        let mut names = (1..).map(|number| self.folder.join(name(number)));
        let Some(free) = names.find(|name| !name.exists()) else { return Ok(None) };
        fs::rename(&path, &free)?;
        Ok(Some(free))
    }
}

/// A file of ours has one game and nothing wrong with it.
fn read(path: &Path) -> io::Result<Record> {
    let mut reader = Reader::new(BufReader::new(files::open(path)?), Detail::Everything);
    let parsed = reader.next().ok_or_else(|| io::Error::other("there is no game in it"))??;
    match parsed.problems.into_iter().next() {
        Some(problem) => Err(io::Error::other(problem)),
        None => Ok(Record::load(parsed.game)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::players::ENGINE;

    #[test]
    fn names_stay_in_the_folder() {
        for bad in ["", "abc", "../abcd", "ABCD", "abcd/e", "a.pgn", "é234", &"a".repeat(33)] {
            assert_eq!(GameId::parse(bad), None, "{bad}");
        }
        assert!(GameId::parse("k3x9q0").is_some());
    }

    #[test]
    fn a_game_comes_back_with_its_state() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(folder.path().join("games"));
        let id = GameId::parse("abcd").expect("a name");
        assert!(store.load(&id).expect("no file is no error").is_none());
        let mut record = Record::default();
        let mv = record.read("e4").expect("legal");
        record.play(mv, None, 0, None);
        let end = Some(GameEnd::new(GameResult::Draw, Termination::Agreement).into());
        let saved = Saved { players: [HUMAN, ENGINE], left: [Some(1.5), None], speed: 7, end };
        let game = record.to_game(vec![("White".to_owned(), "x".to_owned()), saved.tag()]);
        store.save(&id, &game).expect("a writable folder");
        let mut again = store.load(&id).expect("readable").expect("there");
        let taken = Saved::take(&mut again).expect("a state");
        assert_eq!(taken, saved);
        let agreed = GameEnd::new(GameResult::Draw, Termination::Agreement);
        assert_eq!(taken.end.and_then(|end| end.end()), Some(agreed));
        assert_eq!(again.moves().len(), 1);
        assert_eq!(Saved::take(&mut again), None);
        fs::write(store.path(&id), "1. e5 *").expect("writable");
        assert!(store.load(&id).is_err());
        assert!(store.load(&id).expect("put aside").is_none());
        assert!(store.path(&id).with_extension("unreadable").exists());
        fs::write(store.path(&id), "1. e5 *").expect("writable");
        assert!(store.load(&id).is_err());
        assert!(store.path(&id).with_extension("2.unreadable").exists());
    }
}
