//! Computes the tables that never change (Zobrist keys, slider attacks, the
//! cuckoo table of reversible moves) and writes them as Rust source, so that
//! starting the engine costs nothing. Puts the network into the program, if there is
//! one, and the page of `gambeson play`, if it has been built.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

#[path = "src/board/magics.rs"]
mod magics;

const SEED: u64 = 0x6761_6d62_6573_6f6e; // "gambeson"

const ROOK: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const BISHOP: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/board/magics.rs");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let has_pext = features.split(',').any(|feature| feature == "bmi2");
    let may_have_pext = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|name| name == "x86_64");
    println!("cargo::rustc-check-cfg=cfg(sliders, values(\"pext\", \"magic\", \"either\"))");
    println!("cargo::rustc-check-cfg=cfg(universal)");
    let sliders_by = match env::var("CARGO_FEATURE_MAGICS") {
        Err(_) if has_pext => "pext",
        Err(_) if may_have_pext => "either",
        _ => "magic",
    };
    println!("cargo::rustc-cfg=sliders=\"{sliders_by}\"");
    write_file(&out, "zobrist.rs", &zobrist());
    write_file(&out, "sliders.rs", &sliders(sliders_by));
    write_file(&out, "net.rs", &net());
    if env::var("CARGO_FEATURE_PLAY").is_ok() {
        write_file(&out, "page.rs", &page());
    }
}

/// The network to build in: the file that `EVALFILE` names, otherwise `nets/gambeson.net`,
/// or none if there is no such file. The package's own network is found at compile time:
/// where several checkouts share a target folder, this may have run in another of them.
fn net() -> String {
    println!("cargo::rerun-if-changed=nets");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let named = env::var("EVALFILE").ok().filter(|path| !path.is_empty());
    let bytes = match &named {
        Some(path) => {
            println!("cargo::rerun-if-changed={path}");
            let path = Path::new(path).canonicalize();
            let path = path.unwrap_or_else(|error| panic!("{named:?}: {error}"));
            Some(format!("{path:?}"))
        }
        None => Path::new("nets/gambeson.net")
            .is_file()
            .then(|| "concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/nets/gambeson.net\")".to_owned()),
    };
    let value = bytes.map_or("None".to_owned(), |path| format!("Some(include_bytes!({path}))"));
    format!("static EMBEDDED: Option<&[u8]> = {value};\n")
}

/// The files of the built page, flat in `play/dist`. The folder is always made:
/// without it cargo would run this script on every build.
fn page() -> String {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let dist = Path::new(&root).join("play").join("dist");
    println!("cargo::rerun-if-changed=play/dist");
    let mut text = String::from("static FILES: &[(&str, &[u8])] = &[\n");
    let mut paths: Vec<_> = fs::read_dir(&dist)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_file() && !name.starts_with('.') {
            let _ = writeln!(text, "    ({name:?}, include_bytes!({path:?})),");
        }
    }
    text.push_str("];\n");
    text
}

fn write_file(folder: &str, name: &str, text: &str) {
    let path = Path::new(folder).join(name);
    fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

fn array(text: &mut String, name: &str, element: &str, values: impl ExactSizeIterator<Item = u64>) {
    let _ = write!(text, "pub(crate) static {name}: [{element}; {}] = [", values.len());
    for value in values {
        let _ = write!(text, "{value:#x},");
    }
    text.push_str("];\n");
}

/// The square reached from `square` by one step, if it is on the board.
fn step(square: usize, (file, rank): (i32, i32)) -> Option<usize> {
    let file = (square % 8) as i32 + file;
    let rank = (square / 8) as i32 + rank;
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

fn slide(square: usize, directions: &[(i32, i32)], occupied: u64) -> u64 {
    let mut attacks = 0;
    for &direction in directions {
        let mut at = square;
        while let Some(next) = step(at, direction) {
            attacks |= 1 << next;
            if occupied >> next & 1 != 0 {
                break;
            }
            at = next;
        }
    }
    attacks
}

/// The squares whose occupation matters to a slider: all on its rays that have
/// another square behind them.
fn relevant(square: usize, directions: &[(i32, i32)]) -> u64 {
    let mut mask = 0;
    for &direction in directions {
        let mut at = square;
        while let Some(next) = step(at, direction) {
            if step(next, direction).is_some() {
                mask |= 1 << next;
            }
            at = next;
        }
    }
    mask
}

/// The subset of `mask` whose members are picked by the bits of `index`: PDEP.
fn deposit(index: usize, mask: u64) -> u64 {
    let mut subset = 0;
    let mut rest = mask;
    let mut bit = 0;
    while rest != 0 {
        if index >> bit & 1 != 0 {
            subset |= rest & rest.wrapping_neg();
        }
        rest &= rest - 1;
        bit += 1;
    }
    subset
}

/// A small record (mask, factor, shift, offset) for each slider and square, and tables
/// of all attacks: one in the order of PEXT, one in that of the factors, or both.
fn sliders(by: &str) -> String {
    let mut pext: Vec<u64> = Vec::new();
    let mut magic: Vec<u64> = Vec::new();
    let mut text = String::new();
    for (name, directions, factors) in
        [("BISHOPS", BISHOP, &magics::BISHOPS), ("ROOKS", ROOK, &magics::ROOKS)]
    {
        let _ = write!(text, "static {name}: [Slider; 64] = [");
        for (square, &factor) in factors.iter().enumerate() {
            let mask = relevant(square, &directions);
            let shift = 64 - mask.count_ones();
            let offset = pext.len();
            let size = 1 << mask.count_ones();
            magic.resize(offset + size, 0);
            for index in 0..size {
                let occupied = deposit(index, mask);
                let attacks = slide(square, &directions, occupied);
                pext.push(attacks);
                let slot = &mut magic[offset + (occupied.wrapping_mul(factor) >> shift) as usize];
                assert!(*slot == 0 || *slot == attacks, "{name}: no magic of square {square}");
                *slot = attacks;
            }
            let _ = writeln!(
                text,
                "Slider {{
                    mask: {mask:#x},
                    offset: {offset},
                    #[cfg(not(sliders = \"pext\"))] shift: {shift},
                    #[cfg(not(sliders = \"pext\"))] magic: {factor:#x},
                }},"
            );
        }
        text.push_str("];\n");
    }
    if by != "magic" {
        array(&mut text, "PEXT_ATTACKS", "u64", pext.into_iter());
    }
    if by != "pext" {
        array(&mut text, "MAGIC_ATTACKS", "u64", magic.into_iter());
    }
    text
}

/// Keys by [colour][piece][square], castling right, en passant file and side to
/// move, and the cuckoo table built from them.
fn zobrist() -> String {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let pieces: Vec<u64> = (0..2 * 6 * 64).map(|_| rng.next_u64()).collect();
    let castling: Vec<u64> = (0..16).map(|_| rng.next_u64()).collect();
    let en_passant: Vec<u64> = (0..8).map(|_| rng.next_u64()).collect();
    let side = rng.next_u64();

    let mut text = String::from("pub(crate) static PIECES: [[[u64; 64]; 6]; 2] = [");
    for color in pieces.chunks(6 * 64) {
        text.push('[');
        for piece in color.chunks(64) {
            let _ = write!(text, "{piece:?},");
        }
        text.push_str("],");
    }
    text.push_str("];\n");
    array(&mut text, "CASTLING", "u64", castling.into_iter());
    array(&mut text, "EN_PASSANT", "u64", en_passant.into_iter());
    let _ = writeln!(text, "pub(crate) const BLACK_TO_MOVE: u64 = {side:#x};");

    let (keys, moves) = cuckoo(&pieces, side);
    array(&mut text, "CUCKOO_KEYS", "u64", keys.into_iter());
    array(&mut text, "CUCKOO_MOVES", "u16", moves.into_iter());
    text
}

/// Every reversible move of every piece (either direction, pawns excepted),
/// stored under the change it makes to the key. Cuckoo hashing with the two
/// slots `key & 0x1fff` and `key >> 16 & 0x1fff`, as `board/draw.rs` reads it.
fn cuckoo(pieces: &[u64], side: u64) -> (Vec<u64>, Vec<u64>) {
    const SIZE: usize = 8192;
    let slots = |key: u64| [(key & 0x1fff) as usize, (key >> 16 & 0x1fff) as usize];
    let mut keys = vec![0u64; SIZE];
    let mut moves = vec![0u64; SIZE];
    for (index, of_piece) in pieces.chunks(64).enumerate() {
        for from in 0..64 {
            let targets = match index % 6 {
                1 => KNIGHT.iter().filter_map(|&d| step(from, d)).fold(0, |set, to| set | 1 << to),
                2 => slide(from, &BISHOP, 0),
                3 => slide(from, &ROOK, 0),
                4 => slide(from, &BISHOP, 0) | slide(from, &ROOK, 0),
                5 => slide(from, &BISHOP, !0) | slide(from, &ROOK, !0),
                _ => 0u64,
            };
            for to in (from + 1..64).filter(|to| targets >> to & 1 != 0) {
                let mut key = of_piece[from] ^ of_piece[to] ^ side;
                let mut mv = (from | to << 6) as u64;
                let mut slot = slots(key)[0];
                loop {
                    std::mem::swap(&mut keys[slot], &mut key);
                    std::mem::swap(&mut moves[slot], &mut mv);
                    if mv == 0 {
                        break;
                    }
                    // Push the evicted entry to its other slot.
                    let [first, second] = slots(key);
                    slot = if slot == first { second } else { first };
                }
            }
        }
    }
    assert_eq!(moves.iter().filter(|&&mv| mv != 0).count(), 3668);
    (keys, moves)
}
