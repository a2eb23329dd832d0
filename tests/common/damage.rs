//! Positions changed at random: unlike any that games lead to, and often illegal.

use super::random::Dice;

/// Puts pieces where they were not and changes the other fields, but keeps the
/// form: the result gets as far as the checks on the position itself.
pub fn damage_position(fen: &str, dice: &mut Dice) -> String {
    const PIECES: &[u8] = b"PNBRQKpnbrqk....";
    const CASTLINGS: &[&str] = &["-", "KQkq", "K", "q", "HAha", "B", "g", "Fc", "dG"];
    let mut fields: Vec<String> = fen.split_ascii_whitespace().map(str::to_owned).collect();
    let mut squares: Vec<u8> = Vec::new();
    for letter in fields[0].bytes() {
        match letter {
            b'1'..=b'8' => squares.extend([b'.'].repeat(usize::from(letter - b'0'))),
            b'/' => {}
            piece => squares.push(piece),
        }
    }
    for _ in 0..dice.below(4) {
        squares[dice.below(64)] = PIECES[dice.below(PIECES.len())];
    }
    for _ in 0..dice.below(3) {
        squares.swap(dice.below(64), dice.below(64));
    }
    let ranks: Vec<String> = squares.chunks(8).map(write_rank).collect();
    fields[0] = ranks.join("/");
    match dice.below(8) {
        0 => fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_owned(),
        1 => fields[2] = CASTLINGS[dice.below(CASTLINGS.len())].to_owned(),
        2 => {
            let file = char::from(b'a' + dice.below(8) as u8);
            fields[3] = format!("{file}{}", if fields[1] == "w" { 6 } else { 3 });
        }
        _ => {}
    }
    fields.join(" ")
}

/// The squares of one rank, `.` for empty, as FEN writes them.
fn write_rank(squares: &[u8]) -> String {
    let mut rank = String::new();
    for run in squares.chunk_by(|a, b| a == b) {
        match run[0] {
            b'.' => rank.push_str(&run.len().to_string()),
            piece => rank.extend(run.iter().map(|_| char::from(piece))),
        }
    }
    rank
}
