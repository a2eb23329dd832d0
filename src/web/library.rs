//! All games there are: those played here, and the files of many games that were opened.
//! Lists are made from outlines, so that a hundred thousand games are no trouble.

use super::store::{GameId, Store};
use crate::game::pgn::{Detail, Outline, Outlines, ParsedGame, Reader};
use serde::Serialize;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// Games in one answer.
const MOST_LISTED: usize = 200;
/// Outlines that arrive together while a file is read.
const BATCH: usize = 1000;
const CHUNK: usize = 1 << 18;

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct ListedGame {
    pub id: String,
    pub white: String,
    pub black: String,
    /// What the user calls it, or the event.
    pub name: String,
    pub date: String,
    pub result: &'static str,
    /// Half-moves.
    pub plies: usize,
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct GameList {
    pub games: Vec<ListedGame>,
    /// How many there are that match the search, and in all.
    pub found: usize,
    pub total: usize,
    /// The file has been read to its end.
    pub complete: bool,
}

/// A file of several games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct ListedFile {
    pub id: String,
    pub name: String,
    pub games: usize,
}

/// What a list needs to know of a game, as small as it gets.
#[derive(Debug, Clone)]
struct Entry {
    offset: u64,
    /// White, Black, name and date, with tabs between.
    text: Box<str>,
    result: &'static str,
    plies: u32,
}

impl Entry {
    fn new(outline: &Outline) -> Entry {
        let tag = |name| {
            let value = outline.tag(name).unwrap_or_default();
            let known = !value.chars().all(|c| matches!(c, '?' | '.'));
            if known { value.replace(['\t', '\n'], " ") } else { String::new() }
        };
        Entry {
            offset: outline.offset,
            text: ["White", "Black", "Event", "Date"].map(tag).join("\t").into_boxed_str(),
            result: outline.result.map_or("*", |result| result.as_str()),
            plies: u32::try_from(outline.plies).unwrap_or(u32::MAX),
        }
    }

    /// Whether all these words, in lower case, are somewhere in it.
    fn has(&self, words: &[String]) -> bool {
        let text = self.text.to_lowercase();
        words.iter().all(|word| text.contains(word) || self.result == word)
    }

    fn listed(&self, id: String) -> ListedGame {
        let mut parts = self.text.split('\t').map(str::to_owned);
        let mut next = || parts.next().unwrap_or_default();
        let (white, black, name, date) = (next(), next(), next(), next());
        let plies = self.plies as usize;
        ListedGame { id, white, black, name, date, result: self.result, plies }
    }
}

/// A file of several games, read in the background.
#[derive(Debug)]
struct Collection {
    path: PathBuf,
    name: String,
    entries: Mutex<Vec<Entry>>,
    complete: AtomicBool,
}

/// A game of ours as it was when it was last looked at.
type Known = (SystemTime, u64, Entry);

#[derive(Debug)]
pub(super) struct Library {
    store: Store,
    folder: PathBuf,
    files: Mutex<HashMap<String, Arc<Collection>>>,
    known: Mutex<HashMap<GameId, Known>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn words(search: &str) -> Vec<String> {
    search.split_whitespace().map(str::to_lowercase).collect()
}

impl Library {
    pub(super) fn new(store: Store) -> Library {
        let folder = store.folder().join("files");
        Library { store, folder, files: Mutex::default(), known: Mutex::default() }
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.pgn"))
    }

    /// A name for a file that is about to arrive, and where to write it meanwhile.
    pub(super) fn receive(&self, name: &str) -> io::Result<(String, PathBuf, File)> {
        fs::create_dir_all(&self.folder)?;
        let id = GameId::random().as_str().to_owned();
        let name: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
        fs::write(self.folder.join(format!("{id}.name")), name)?;
        let draft = self.path(&id).with_extension("part");
        let file = File::create(&draft)?;
        Ok((id, draft, file))
    }

    /// The whole file has arrived.
    pub(super) fn received(&self, id: &str) -> io::Result<()> {
        let path = self.path(id);
        fs::rename(path.with_extension("part"), path)
    }

    fn collection(&self, id: &str) -> Option<Arc<Collection>> {
        let mut files = lock(&self.files);
        if let Some(known) = files.get(id) {
            return Some(Arc::clone(known));
        }
        let path = self.path(id);
        let sound = GameId::parse(id).is_some_and(|id| id.of_file().is_none());
        if !sound || !path.exists() {
            return None;
        }
        let name = fs::read_to_string(path.with_extension("name")).unwrap_or_default();
        let entries = Mutex::default();
        let new = Arc::new(Collection { path, name, entries, complete: AtomicBool::new(false) });
        files.insert(id.to_owned(), Arc::clone(&new));
        let reading = Arc::clone(&new);
        let read = std::thread::Builder::new().name("outline".to_owned()).spawn(move || {
            if let Err(error) = reading.read() {
                log::warn!("{}: {error}", reading.path.display());
            }
            reading.complete.store(true, Ordering::Release);
        });
        read.ok().map(|_| new)
    }

    /// The files of several games, by name.
    pub(super) fn files(&self) -> io::Result<Vec<ListedFile>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let named = paths.filter(|path| path.extension().is_some_and(|it| it == "pgn"));
        let listed = |path: PathBuf| {
            let id = path.file_stem()?.to_str()?.to_owned();
            let collection = self.collection(&id)?;
            let games = lock(&collection.entries).len();
            Some(ListedFile { id, name: collection.name.clone(), games })
        };
        let mut files: Vec<ListedFile> = named.filter_map(listed).collect();
        files.sort_by_key(|file| file.name.to_lowercase());
        Ok(files)
    }

    pub(super) fn delete_file(&self, id: &str) -> io::Result<()> {
        self.move_file(id, &self.folder, &self.store.folder().join("deleted"))?;
        lock(&self.files).remove(id);
        Ok(())
    }

    pub(super) fn restore_file(&self, id: &str) -> io::Result<()> {
        self.move_file(id, &self.store.folder().join("deleted"), &self.folder)
    }

    fn move_file(&self, id: &str, from: &Path, to: &Path) -> io::Result<()> {
        if GameId::parse(id).is_none_or(|id| id.of_file().is_some()) {
            return Err(io::Error::new(io::ErrorKind::NotFound, "there is no such file"));
        }
        fs::create_dir_all(to)?;
        for extension in ["name", "pgn"] {
            let name = format!("{id}.{extension}");
            let file = File::options().append(true).open(from.join(&name))?;
            file.set_modified(SystemTime::now())?;
            fs::rename(from.join(&name), to.join(name))?;
        }
        Ok(())
    }

    /// The games of a file that match a search, from the one of this number on. `None` if
    /// there is no such file.
    pub(super) fn of_file(
        &self,
        id: &str,
        search: &str,
        from: usize,
        count: usize,
    ) -> Option<GameList> {
        let collection = self.collection(id)?;
        let complete = collection.complete.load(Ordering::Acquire);
        let entries = lock(&collection.entries);
        let words = words(search);
        let listed = |number: usize, entry: &Entry| entry.listed(format!("{id}-{number}"));
        let count = count.min(MOST_LISTED);
        let (games, found) = if words.is_empty() {
            let part = entries.iter().enumerate().skip(from).take(count);
            (part.map(|(number, entry)| listed(number, entry)).collect(), entries.len())
        } else {
            let matches = entries.iter().enumerate().filter(|(_, entry)| entry.has(&words));
            let all: Vec<(usize, &Entry)> = matches.collect();
            let part = all.iter().skip(from).take(count);
            (part.map(|&(number, entry)| listed(number, entry)).collect(), all.len())
        };
        Some(GameList { games, found, total: entries.len(), complete })
    }

    /// Our own games with at least one move, the one played last first.
    pub(super) fn own(&self, search: &str, from: usize, count: usize) -> io::Result<GameList> {
        let found = self.find_own(search)?;
        let total = lock(&self.known).values().filter(|(_, _, entry)| entry.plies > 0).count();
        let part = found.iter().skip(from).take(count.min(MOST_LISTED));
        let games = part.map(|(id, entry)| entry.listed(id.as_str().to_owned())).collect();
        Ok(GameList { games, found: found.len(), total, complete: true })
    }

    fn find_own(&self, search: &str) -> io::Result<Vec<(GameId, Entry)>> {
        let mut known = lock(&self.known);
        let mut now = HashMap::new();
        for (id, path) in self.store.games()? {
            let Ok(metadata) = fs::metadata(&path) else { continue };
            let (modified, length) = (metadata.modified()?, metadata.len());
            let same =
                known.remove(&id).filter(|(then, size, _)| (*then, *size) == (modified, length));
            let read = || {
                let outline =
                    Outlines::new(BufReader::new(File::open(&path).ok()?)).next()?.ok()?;
                Some((modified, length, Entry::new(&outline)))
            };
            if let Some(game) = same.or_else(read) {
                now.insert(id, game);
            }
        }
        *known = now;
        let words = words(search);
        let games = known.iter().filter(|(_, (_, _, entry))| entry.plies > 0 && entry.has(&words));
        let mut games: Vec<_> = games.collect();
        games.sort_by(|(a, (then, ..)), (b, (now, ..))| {
            now.cmp(then).then_with(|| a.as_str().cmp(b.as_str()))
        });
        Ok(games.into_iter().map(|(id, (_, _, entry))| (id.clone(), entry.clone())).collect())
    }

    /// The text of each of our games that matches, as other programs read it.
    pub(super) fn export(
        &self,
        search: &str,
    ) -> io::Result<impl Iterator<Item = io::Result<String>> + use<>> {
        let store = self.store.clone();
        Ok(self.find_own(search)?.into_iter().filter_map(move |(id, _)| match store.load(&id) {
            Ok(game) => game.map(|mut game| {
                super::store::Saved::take(&mut game);
                Ok(format!("{game}\n"))
            }),
            Err(error) => Some(Err(error)),
        }))
    }

    /// A game of a file.
    pub(super) fn game(&self, id: &GameId) -> io::Result<Option<ParsedGame>> {
        let Some((file, number)) = id.of_file() else { return Ok(None) };
        let Some(collection) = self.collection(file) else { return Ok(None) };
        let known = lock(&collection.entries).get(number).map(|entry| entry.offset);
        let mut source = File::open(&collection.path)?;
        let offset = match known {
            Some(offset) => Some(offset),
            // The list is not there yet.
            None => Outlines::new(BufReader::with_capacity(CHUNK, File::open(&collection.path)?))
                .nth(number)
                .transpose()?
                .map(|outline| outline.offset),
        };
        let Some(offset) = offset else { return Ok(None) };
        source.seek(SeekFrom::Start(offset))?;
        Reader::new(BufReader::new(source), Detail::Everything).next().transpose()
    }
}

impl Collection {
    fn read(&self) -> io::Result<()> {
        let source = BufReader::with_capacity(CHUNK, File::open(&self.path)?);
        let mut batch = Vec::with_capacity(BATCH);
        for outline in Outlines::new(source) {
            batch.push(Entry::new(&outline?));
            if batch.len() == BATCH {
                lock(&self.entries).append(&mut batch);
            }
        }
        lock(&self.entries).append(&mut batch);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::time::{Duration, Instant};

    fn complete(library: &Library, id: &str, search: &str) -> GameList {
        let begin = Instant::now();
        loop {
            let list = library.of_file(id, search, 0, 99).expect("there");
            if list.complete {
                return list;
            }
            assert!(begin.elapsed() < Duration::from_secs(30));
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_file_is_listed_searched_and_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let library = Library::new(Store::new(folder.path().to_owned()));
        let (id, draft, mut file) = library.receive("my\ngames.pgn").expect("writable");
        let games = (0..2500).map(|number| {
            let result = if number % 2 == 0 { "1-0" } else { "0-1" };
            format!("[White \"W{number}\"]\n[Black \"M\u{fc}ller\"]\n\n1. e4 {{x}} e5 {result}\n\n")
        });
        file.write_all(games.collect::<String>().as_bytes()).expect("writable");
        assert!(draft.exists() && library.files().expect("readable").is_empty());
        library.received(&id).expect("writable");
        let list = complete(&library, &id, "");
        assert_eq!((list.found, list.total, list.games.len()), (2500, 2500, 99));
        let file = library.files().expect("readable").remove(0);
        assert_eq!((&*file.name, file.games), ("mygames.pgn", 2500));
        let found = complete(&library, &id, "w24 M\u{dc}LLER 0-1");
        assert_eq!((found.found, found.total), (55, 2500));
        assert_eq!((&*found.games[1].white, found.games[1].plies), ("W243", 2));
        let game = GameId::parse(&found.games[1].id).expect("a name");
        let read = library.game(&game).expect("readable").expect("there");
        assert_eq!(read.game.tag("White"), Some("W243"));
        // Another server has not made its list yet.
        let other = Library::new(Store::new(folder.path().to_owned()));
        assert_eq!(other.game(&game).expect("readable").expect("there"), read);
        let missing = GameId::parse(&format!("{id}-2500")).expect("a name");
        assert!(library.game(&missing).expect("readable").is_none());
        library.delete_file(&id).expect("writable");
        assert!(library.of_file(&id, "", 0, 9).is_none());
        library.restore_file(&id).expect("writable");
        assert_eq!(complete(&library, &id, "").total, 2500);
        assert!(library.delete_file("../x").is_err());
    }

    #[test]
    fn own_games_are_listed_as_they_are_now() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(folder.path().to_owned());
        let library = Library::new(store.clone());
        assert_eq!(library.own("", 0, 9).expect("readable").total, 0);
        let write = |id: &str, text: &str| {
            fs::write(folder.path().join(format!("{id}.pgn")), text).expect("writable");
            std::thread::sleep(Duration::from_millis(20));
        };
        write("aaaa", "[White \"A\"]\n[GambesonState \"x\"]\n\n1. e4 *\n");
        write("bbbb", "[White \"B\"]\n\n1. d4 d5 1-0\n");
        write("cccc", "[White \"empty\"]\n\n*\n");
        let whites = |search: &str| -> Vec<String> {
            let list = library.own(search, 0, 9).expect("readable");
            list.games.into_iter().map(|game| game.white).collect()
        };
        assert_eq!(whites(""), ["B", "A"]);
        assert_eq!(whites("1-0"), ["B"]);
        write("aaaa", "[White \"Other\"]\n\n1. e4 e5 *\n");
        assert_eq!(whites(""), ["Other", "B"]);
        let text: Vec<String> =
            library.export("other").expect("readable").map(|game| game.expect("sound")).collect();
        assert_eq!(text.len(), 1);
        assert!(text[0].contains("1. e4 e5 *") && !text[0].contains("GambesonState"));
    }
}
