//! What must hold for any bytes at all. Each body is run by a property test on
//! random input (`tests/properties.rs`) and by a fuzzer on input it thinks up
//! (`fuzz/`).

use gambeson::board::Board;
use gambeson::book::{self, Book, Choice};
use gambeson::eval::nnue::{BUCKETS, INPUTS, Network};
use gambeson::game::pgn::{Detail, Reader};
use gambeson::game::{GameResult, Termination};
use gambeson::protocol::{Language, refusals};
use gambeson::selfplay::export::{bullet_positions, write_viri};
use gambeson::selfplay::import::import;
use gambeson::selfplay::pack::{self, PackReader, PackWriter};
use gambeson::selfplay::{GameRecord, Origin, PackedPosition, ScoredMove};
use gambeson::types::{Move, MoveList};
use gambeson::web::{self, Store};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::sync::LazyLock;

/// Positions with every special move.
pub const POSITIONS: [&str; 5] = [
    Board::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/3k4/8/2pP4/8/5K2/8 b - d3 0 1",
    "rkbnrbnq/pppppppp/8/8/8/8/PPPPPPPP/BBRNKQNR w HCea - 0 1",
];

/// A FEN is refused, or gives a sound position that is written as it was read.
pub fn fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(mut board) = Board::from_fen(&text) else { return };
    board.validate().expect("a position that was accepted is sound");
    let again = Board::from_fen(&board.fen()).expect("what we write we can read");
    assert_eq!(again, board);
    for mv in board.legal_moves() {
        let before = board.fen();
        board.make(mv);
        board.validate().expect("a move keeps a position sound");
        board.unmake(mv);
        assert_eq!(board.fen(), before);
    }
}

/// Words are refused or legal moves, and what we write we read as the same move.
pub fn san(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for fen in POSITIONS {
        let board = Board::from_fen(fen).expect(fen);
        for word in text.split_ascii_whitespace().take(50) {
            if let Ok(mv) = board.parse_move(word) {
                assert!(board.is_legal(mv), "{word} in {fen}");
                assert_eq!(board.parse_move(&board.san(mv)), Ok(mv), "{word} in {fen}");
                assert_eq!(board.parse_move(&mv.coordinates(true)), Ok(mv), "{word} in {fen}");
            }
        }
    }
}

/// Games end, all their moves are legal, what is written reads the same again, and both
/// ways to read see the same main lines.
pub fn pgn(data: &[u8]) {
    let read = |bytes: &[u8], detail| -> Vec<_> {
        let games = Reader::new(bytes, detail).map(|game| game.expect("memory can be read"));
        games.take(data.len() + 1).collect()
    };
    let games = read(data, Detail::Everything);
    assert!(games.len() <= data.len(), "more games than bytes");
    for parsed in &games {
        let mut board = parsed.game.start().clone();
        for mv in parsed.game.moves() {
            assert!(board.is_legal(mv), "{mv:?} in {}", board.fen());
            board.make(mv);
        }
        let text = parsed.game.to_string();
        let again = read(text.as_bytes(), Detail::Everything);
        assert_eq!(again.len(), 1, "{text}");
        assert!(again[0].problems.is_empty(), "{:?}\n{text}", again[0].problems);
        assert_eq!(again[0].game.to_string(), text);
        if let Ok(record) = import(parsed, 0) {
            assert_eq!(GameRecord::decode(&record.encode()).as_ref(), Ok(&record));
            assert!(record.replay(|_, _| {}).is_ok(), "{text}");
        }
    }
    let lines = read(data, Detail::MainLine);
    assert_eq!(lines.len(), games.len());
    for (line, parsed) in lines.iter().zip(&games) {
        assert!(line.game.moves().eq(parsed.game.moves()));
    }
}

/// Whatever a page sends, the game goes on, and another server finds it as it was.
pub fn page(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::new(folder.path().to_owned());
    let text = String::from_utf8_lossy(data);
    let saved = web::rehearse(&store, "rehearsal", text.lines()).expect("a writable folder");
    assert_eq!(web::rehearse(&store, &saved.0, []).as_ref(), Some(&saved), "{text}");
}

/// Any lines are understood or refused with a message.
pub fn uci(data: &[u8]) {
    assert!(refusals(Language::Uci, data).iter().all(|message| !message.is_empty()));
}

pub fn xboard(data: &[u8]) {
    assert!(refusals(Language::Xboard, data).iter().all(|message| !message.is_empty()));
}

/// A file is refused, or gives legal moves in order of weight.
pub fn book(data: &[u8]) {
    // As it is, and with the keys of real positions, which no chance would hit.
    read_book(data);
    let mut entries: Vec<[u8; 16]> = data.as_chunks().0.to_vec();
    for (entry, fen) in entries.iter_mut().zip(POSITIONS.iter().cycle()) {
        let board = Board::from_fen(fen).expect(fen);
        entry[..8].copy_from_slice(&book::key(&board, None).to_be_bytes());
    }
    entries.sort_unstable();
    read_book(entries.as_flattened());
}

fn read_book(data: &[u8]) {
    let Ok(book) = Book::parse(data, "fuzz") else { return };
    let bytes: Vec<u8> = book.entries().iter().flat_map(|entry| entry.to_bytes()).collect();
    assert_eq!(bytes, data);
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(data.len() as u64);
    for fen in POSITIONS {
        let board = Board::from_fen(fen).expect(fen);
        let moves = book.moves(&board, None);
        assert!(moves.iter().all(|it| board.is_legal(it.mv)), "{fen}");
        assert!(moves.is_sorted_by_key(|it| std::cmp::Reverse(it.weight)), "{fen}");
        assert_eq!(book::describe(&board, &moves).len(), moves.len());
        let playable = moves.iter().any(|it| it.weight > 0);
        for choice in [Choice::Best, Choice::Weighted] {
            let chosen = book::choose(&moves, choice, &mut dice);
            assert_eq!(chosen.is_some(), playable, "{fen}");
        }
    }
}

/// Moves made and taken back as the bytes say keep every invariant, and taking all
/// back leads to where it began.
pub fn walk(data: &[u8]) {
    let Some((&first, steps)) = data.split_first() else { return };
    let fen = POSITIONS[usize::from(first) % POSITIONS.len()];
    let start = Board::from_fen(fen).expect(fen);
    let mut board = start.clone();
    // `None` for a null move.
    let mut made: Vec<Option<Move>> = Vec::new();
    for &step in steps.iter().take(400) {
        let moves = board.legal_moves();
        match step {
            // Taking back is rarer than playing, or walks would lead nowhere.
            224.. => take_back(&mut board, &mut made),
            216.. if !board.in_check() => {
                board.make_null();
                made.push(None);
            }
            _ if moves.is_empty() => take_back(&mut board, &mut made),
            _ => {
                let mv = moves[usize::from(step) % moves.len()];
                check_move(&board, &moves, mv, step);
                board.make(mv);
                made.push(Some(mv));
            }
        }
        if let Err(disagreement) = board.validate() {
            panic!("{disagreement} in {}", board.fen());
        }
    }
    while !made.is_empty() {
        take_back(&mut board, &mut made);
    }
    assert_eq!(board, start);
}

fn take_back(board: &mut Board, made: &mut Vec<Option<Move>>) {
    match made.pop() {
        Some(Some(mv)) => board.unmake(mv),
        Some(None) => board.unmake_null(),
        None => {}
    }
}

/// The questions about single moves agree with the generator and with making them.
fn check_move(board: &Board, moves: &MoveList, mv: Move, salt: u8) {
    let mut next = board.clone();
    next.make(mv);
    assert_eq!(board.gives_check(mv), next.in_check(), "{mv:?} in {}", board.fen());
    assert_eq!(board.is_capture(mv), next.occupied().count() < board.occupied().count());
    let bits = mv.to_bits() ^ (u16::from(salt).wrapping_mul(0x0101) >> 1);
    if let Some(other) = Move::from_bits(bits) {
        assert_eq!(board.is_legal(other), moves.contains(&other), "{other:?} in {}", board.fen());
    }
}

/// A network file is refused, or evaluates every position and can be written.
pub fn network(data: &[u8]) {
    static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
        const HIDDEN: usize = 32;
        let pattern = |len: usize| (0..len).map(|i| (i * 37 % 101) as i16 - 50).collect::<Vec<_>>();
        let (inputs, outputs) = (pattern(INPUTS * HIDDEN), pattern(BUCKETS * 2 * HIDDEN));
        let record = "made for a test".to_owned();
        Network::new(&inputs, &pattern(HIDDEN), &outputs, [7; BUCKETS], 400, record).to_bytes()
    });
    read_network(data);
    read_network(&patched(&SOUND, data));
}

fn read_network(bytes: &[u8]) {
    let Ok(network) = Network::from_bytes(bytes) else { return };
    for fen in POSITIONS {
        network.evaluate(&Board::from_fen(fen).expect(fen));
    }
    // What is not text in its record has been replaced, so the bytes may differ.
    let again = Network::from_bytes(&network.to_bytes()).expect("what we write we can read");
    assert_eq!(again, network);
}

/// A short game.
fn game() -> GameRecord {
    let start = Board::startpos();
    let mut board = start.clone();
    let mut moves = Vec::new();
    for (text, score) in [("e2e4", 20), ("e7e5", -15), ("g1f3", 31), ("b8c6", 0)] {
        let mv = board.parse_move(text).expect(text);
        moves.push(ScoredMove { mv, score });
        board.make(mv);
    }
    let (result, ending) = (GameResult::Draw, Termination::Repetition);
    GameRecord { index: 3, start: PackedPosition::pack(&start), moves, result, ending }
}

/// A record of a game is refused, or can be replayed up to its first illegal move and
/// is written as it was read.
pub fn record(data: &[u8]) {
    static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| game().encode());
    read_record(data);
    read_record(&patched(&SOUND, data));
}

/// The contents of a packed block are refused, or are legal games that survive being packed
/// again; a packed file gives its sound blocks and says which are lost.
pub fn pack(data: &[u8]) {
    static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("packed");
        let writer = PackWriter::create(&path, Origin::Collection).expect("a new file");
        let mut writer = writer.blocks_of(3);
        for _ in 0..8 {
            writer.add(game()).expect("a legal game");
        }
        writer.finish().expect("room for it");
        std::fs::read(&path).expect("a file")
    });
    if let Some((&count, bytes)) = data.split_first()
        && let Ok(games) = pack::decode(bytes, 1 + usize::from(count) % 4)
    {
        for game in &games {
            game.replay(|board, _| assert_eq!(board.validate(), Ok(()))).expect("legal moves");
        }
        // Scores that nothing learns from are not packed again.
        let again = pack::encode(&games).expect("legal games");
        let read = pack::decode(&again, games.len()).expect("what we write we can read");
        assert_eq!(pack::encode(&read).expect("legal games"), again);
        let kept = |game: &GameRecord| {
            let moves: Vec<_> = game.moves.iter().map(|scored| scored.mv).collect();
            (game.index, game.start.unpack(), moves, game.result, game.ending)
        };
        assert!(games.iter().map(kept).eq(read.iter().map(kept)));
    }
    let mut bytes = SOUND.clone();
    for &[low, high, value] in data.as_chunks::<3>().0 {
        let place = usize::from(u16::from_le_bytes([low, high])) % bytes.len();
        bytes[place] = value;
    }
    bytes.truncate(bytes.len() - data.len() % 5);
    let Ok(mut reader) = PackReader::new(&bytes[..], std::path::Path::new("fuzz")) else { return };
    let mut games = 0;
    while let Some(block) = reader.read().expect("memory can be read") {
        assert!(block.iter().all(|found| found.moves.len() == 4));
        games += block.len();
    }
    assert!(games == 8 || !reader.lost().is_empty());
}

fn read_record(bytes: &[u8]) {
    let Ok(record) = GameRecord::decode(bytes) else { return };
    let _ = record.replay(|board, _| assert_eq!(board.validate(), Ok(())));
    let again = GameRecord::decode(&record.encode()).expect("what we write we can read");
    assert_eq!(again, record);
    let legal = record.replay(|_, _| {}).is_ok();
    let written = write_viri(&record, &mut Vec::new()).expect("memory can be written");
    assert_eq!(written.is_ok(), legal);
    assert_eq!(bullet_positions(&record, |_| {}).is_ok(), legal);
}

/// A sound file with some bytes changed and a checksum that fits: `changes` are places,
/// two bytes each, and what to put there. Damage that a checksum finds teaches nothing.
fn patched(sound: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    let body = bytes.len() - 4;
    for &[low, high, value] in changes.as_chunks::<3>().0 {
        bytes[usize::from(u16::from_le_bytes([low, high])) % body] = value;
    }
    let checksum = crc32fast::hash(&bytes[..body]);
    bytes[body..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}
