//! Games on disk, so that nothing is lost when the server dies. Every game is a
//! PGN file that any chess program opens; one tag of ours says how to go on.

use super::message::reason_name;
use super::players::{HUMAN, Player};
use crate::files;
use crate::game::pgn::{Detail, Reader};
use crate::game::{Game, GameEnd, GameResult, Termination};
use serde::{Deserialize, Serialize};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{env, fs, io};

/// The tag that holds the rest of a game's state.
const STATE_TAG: &str = "GambesonState";
/// A game's file is not read if it is larger than any of ours can be.
const LARGEST_FILE: u64 = 64 << 20;
/// What was deleted can be taken back for so long.
const KEEP_DELETED: Duration = Duration::from_secs(30 * 24 * 3600);

/// Names a game in an address and a file name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct GameId(String);

impl GameId {
    /// Letters and digits only, so that no name leads out of the folder; and perhaps a number
    /// after a dash, for a game of a file.
    pub(crate) fn parse(text: &str) -> Option<GameId> {
        let (name, number) = match text.split_once('-') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        };
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let is_number = |number: &str| {
            (1..=9).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
        };
        let sound = (4..=32).contains(&name.len()) && name.chars().all(fits);
        (sound && number.is_none_or(is_number)).then(|| GameId(text.to_owned()))
    }

    /// A name that nobody has.
    pub(crate) fn random() -> GameId {
        const LETTERS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
        let mut random = RandomState::new().build_hasher().finish();
        let letters = (0..10).map(|_| {
            let letter = LETTERS[(random % 36) as usize];
            random /= 36;
            char::from(letter)
        });
        GameId(letters.collect())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The file and the number in it, if it is a game of one.
    pub(crate) fn of_file(&self) -> Option<(&str, usize)> {
        let (file, number) = self.0.split_once('-')?;
        Some((file, number.parse().ok()?))
    }
}

/// What a game needs to go on, besides its moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saved {
    pub(crate) players: [Player; 2],
    /// Seconds left on the clocks.
    pub left: [Option<f64>; 2],
    pub speed: u64,
    pub end: Option<SavedEnd>,
    /// The half-moves played, if the main line goes on with analysis after them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<usize>,
}

/// How a game ended, in the words of the messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedEnd {
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
    pub(super) fn end(&self) -> Option<GameEnd> {
        let known = |&termination: &Termination| reason_name(termination) == self.reason;
        let termination = Termination::ALL.into_iter().find(known)?;
        Some(GameEnd::new(GameResult::parse(&self.result)?, termination))
    }
}

impl Default for Saved {
    fn default() -> Saved {
        Saved { players: [HUMAN; 2], left: [None; 2], speed: 0, end: None, played: None }
    }
}

impl Saved {
    /// Takes the state out of a game's tags. A game from elsewhere has none, and a
    /// damaged one counts as none.
    pub(super) fn take(game: &mut Game) -> Option<Saved> {
        let index = game.tags.iter().position(|(name, _)| name == STATE_TAG)?;
        let (_, text) = game.tags.remove(index);
        let saved: Saved = serde_json::from_str(&text).ok()?;
        saved.players.iter().all(|player| player.check().is_ok()).then_some(saved)
    }

    pub(super) fn tag(&self) -> (String, String) {
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
    pub(crate) fn default_folder() -> Option<PathBuf> {
        let set = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let data = set("XDG_DATA_HOME")
            .or_else(|| set("LOCALAPPDATA"))
            .or_else(|| set("HOME").map(|home| home.join(".local/share")))?;
        Some(data.join("gambeson").join("games"))
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, id: &GameId) -> PathBuf {
        self.folder.join(format!("{}.pgn", id.0))
    }

    /// Whether games can be kept there. The folder is made if it is missing.
    pub fn check(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let probe = self.folder.join(format!("{}.new", GameId::random().0));
        fs::write(&probe, "")?;
        fs::remove_file(&probe)
    }

    pub(crate) fn exists(&self, id: &GameId) -> bool {
        self.path(id).exists()
    }

    /// Replaces the file in one step: a crash leaves the old one or the new one.
    pub(crate) fn save(&self, id: &GameId, game: &Game) -> io::Result<()> {
        replace(&self.path(id), &game.to_string())
    }

    /// The files of all games.
    pub(crate) fn games(&self) -> io::Result<Vec<(GameId, PathBuf)>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let named = paths.filter(|path| path.extension().is_some_and(|it| it == "pgn"));
        let game = |path: PathBuf| Some((GameId::parse(path.file_stem()?.to_str()?)?, path));
        Ok(named.filter_map(game).collect())
    }

    /// Calls a game something else. Only for one that nobody plays.
    pub(crate) fn rename(&self, id: &GameId, name: &str) -> io::Result<()> {
        let text = fs::read(self.path(id))?;
        let mut reader = Reader::new(text.as_slice(), Detail::Everything);
        let parsed = reader.next().ok_or_else(|| io::Error::other("there is no game in it"))??;
        if let Some(problem) = parsed.problems.into_iter().next() {
            return Err(io::Error::other(problem));
        }
        let mut game = parsed.game;
        set_tag(&mut game.tags, "Event", name.to_owned());
        self.save(id, &game)
    }

    fn bin(&self, id: &GameId) -> PathBuf {
        self.folder.join("deleted").join(format!("{}.pgn", id.0))
    }

    /// Puts a game where it can be taken back from.
    pub(crate) fn delete(&self, id: &GameId) -> io::Result<()> {
        let bin = self.bin(id);
        fs::create_dir_all(bin.parent().unwrap_or(&self.folder))?;
        // When it was deleted counts from now.
        let file = fs::File::options().append(true).open(self.path(id))?;
        file.set_modified(SystemTime::now())?;
        fs::rename(self.path(id), bin)
    }

    pub(crate) fn restore(&self, id: &GameId) -> io::Result<()> {
        if self.exists(id) {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "the game is there already"));
        }
        fs::rename(self.bin(id), self.path(id))
    }

    /// Removes what was deleted long ago.
    pub fn empty_bin(&self) {
        let Ok(entries) = fs::read_dir(self.folder.join("deleted")) else { return };
        for entry in entries.flatten() {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let age = modified.ok().and_then(|then| then.elapsed().ok());
            if age.is_some_and(|age| age > KEEP_DELETED)
                && let Err(error) = fs::remove_file(entry.path())
            {
                log::warn!("{} stays: {error}", entry.path().display());
            }
        }
    }

    /// The game as it was saved last, if it ever was. A file that cannot be read is
    /// put aside, so that a new game does not replace it.
    pub(crate) fn load(&self, id: &GameId) -> io::Result<Option<Game>> {
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
    pub(crate) fn set_aside(&self, id: &GameId) -> io::Result<Option<PathBuf>> {
        self.move_away(id, |number| match number {
            1 => format!("{}.unreadable", id.0),
            _ => format!("{}.{number}.unreadable", id.0),
        })
    }

    /// Renames a game's file, if there is one, to the first of these names that is free.
    fn move_away(&self, id: &GameId, name: impl Fn(u64) -> String) -> io::Result<Option<PathBuf>> {
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

/// Replaces a file in one step.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let draft = path.with_extension("new");
    files::write(&draft, text)?;
    fs::rename(&draft, path)
}

/// Gives a tag this value where it stands, or at the end.
pub(super) fn set_tag(tags: &mut Vec<(String, String)>, name: &str, value: String) {
    match tags.iter_mut().find(|(other, _)| other == name) {
        Some((_, old)) => *old = value,
        None => tags.push((name.to_owned(), value)),
    }
}

/// A file of ours has one game and nothing wrong with it.
fn read(path: &Path) -> io::Result<Game> {
    let mut reader = Reader::new(BufReader::new(files::open(path)?), Detail::Everything);
    let parsed = reader.next().ok_or_else(|| io::Error::other("there is no game in it"))??;
    match parsed.problems.into_iter().next() {
        Some(problem) => Err(io::Error::other(problem)),
        None => Ok(parsed.game),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::players::ENGINE;
    use crate::web::record::Record;

    #[test]
    fn names_stay_in_the_folder() {
        for bad in [
            "",
            "abc",
            "../abcd",
            "ABCD",
            "abcd/e",
            "a.pgn",
            "é234",
            "abcd-",
            "abcd-x",
            "abcd-1-2",
            "abcd-1234567890",
            &"a".repeat(33),
        ] {
            assert_eq!(GameId::parse(bad), None, "{bad}");
        }
        assert!(GameId::parse("k3x9q0").is_some());
        let of_file = GameId::parse("k3x9q0-17").expect("a name");
        assert_eq!(of_file.of_file(), Some(("k3x9q0", 17)));
        let random = GameId::random();
        assert_eq!(GameId::parse(&random.0), Some(random.clone()));
        assert_ne!(GameId::random(), random);
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
        let players = [HUMAN, ENGINE];
        let saved = Saved { players, left: [Some(1.5), None], speed: 7, end, played: Some(1) };
        let game = record.to_game(vec![("White".to_owned(), "x".to_owned()), saved.tag()]);
        store.save(&id, &game).expect("a writable folder");
        let mut again = store.load(&id).expect("readable").expect("there");
        let taken = Saved::take(&mut again).expect("a state");
        assert_eq!(taken, saved);
        let agreed = GameEnd::new(GameResult::Draw, Termination::Agreement);
        assert_eq!(taken.end.and_then(|end| end.end()), Some(agreed));
        assert_eq!(again.moves().count(), 1);
        assert_eq!(Saved::take(&mut again), None);
        fs::write(store.path(&id), "1. e5 *").expect("writable");
        assert!(store.load(&id).is_err());
        assert!(store.load(&id).expect("put aside").is_none());
        assert!(store.path(&id).with_extension("unreadable").exists());
        fs::write(store.path(&id), "1. e5 *").expect("writable");
        assert!(store.load(&id).is_err());
        assert!(store.path(&id).with_extension("2.unreadable").exists());
    }

    #[test]
    fn games_are_listed_renamed_deleted_and_restored() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(folder.path().join("games"));
        store.check().expect("writable");
        let id = GameId::parse("abcd").expect("a name");
        fs::write(store.path(&id), "[Event \"x\"]\n\n1. e4 (1. d4) *").expect("writable");
        fs::write(store.folder().join("README.pgn"), "").expect("writable");
        let names = || store.games().expect("readable").into_iter().map(|(id, _)| id);
        assert!(names().eq([id.clone()]));
        store.rename(&id, "My \"best\"").expect("writable");
        let game = store.load(&id).expect("readable").expect("there");
        assert_eq!((game.tag("Event"), game.size()), (Some("My \"best\""), 3));
        store.delete(&id).expect("writable");
        assert_eq!((names().count(), store.exists(&id)), (0, false));
        store.empty_bin();
        store.restore(&id).expect("writable");
        assert!(names().eq([id.clone()]));
        assert!(store.restore(&id).is_err());
        fs::write(folder.path().join("file"), "").expect("writable");
        assert!(Store::new(folder.path().join("file")).check().is_err());
    }
}
