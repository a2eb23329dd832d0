//! Writing, in the standard's export format: the seven tags first, lines of at most 80
//! columns. What the reader keeps is written so that it reads the same again.

use super::notes::{clock_text, shapes_text};
use crate::board::Board;
use crate::game::{Game, NodeId, Notes};
use crate::types::Color;
use std::fmt;

const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];
const WIDTH: usize = 80;

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in ROSTER {
            let unknown = if name == "Date" { "????.??.??" } else { "?" };
            tag(f, name, self.tag(name).unwrap_or(unknown))?;
        }
        let result = self.result.map_or("*", |result| result.as_str());
        tag(f, "Result", result)?;
        if !self.start().castling_is_orthodox() && self.tag("Variant").is_none() {
            tag(f, "Variant", "Chess960")?;
        }
        for (name, value) in &self.tags {
            if !ROSTER.contains(&name.as_str()) {
                tag(f, name, value)?;
            }
        }
        let fen = self.start().fen();
        if fen != Board::START_FEN {
            tag(f, "SetUp", "1")?;
            tag(f, "FEN", &fen)?;
        }
        writeln!(f)?;
        let mut writer = Writer { game: self, f, column: 0, glued: false, number_is_due: true };
        writer.comment(&text(self.notes(Game::START)))?;
        let mut board = self.start().clone();
        if let Some(&first) = self.children(Game::START).first() {
            writer.line(first, &mut board)?;
        }
        writer.word(result)?;
        writeln!(f)
    }
}

fn tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let printable: String = value.chars().filter(|c| !c.is_control()).collect();
    let escaped = printable.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(f, "[{name} \"{escaped}\"]")
}

/// What a comment says, without its braces.
fn text(notes: &Notes) -> String {
    let mut parts = Vec::new();
    if let Some(eval) = notes.eval {
        let depth = notes.depth.map(|depth| format!(",{depth}")).unwrap_or_default();
        parts.push(format!("[%eval {eval}{depth}]"));
    }
    if let Some(clock) = notes.clock {
        parts.push(format!("[%clk {}]", clock_text(clock)));
    }
    parts.extend(shapes_text(&notes.shapes));
    if !notes.comment.is_empty() {
        parts.push(notes.comment.clone());
    }
    parts.join(" ")
}

struct Writer<'a, 'b, 'c> {
    game: &'a Game,
    f: &'b mut fmt::Formatter<'c>,
    column: usize,
    /// The next word follows without a space.
    glued: bool,
    /// Black's move needs its number: at the beginning, and after anything between.
    number_is_due: bool,
}

impl Writer<'_, '_, '_> {
    /// A move, its alternatives, and what follows it, to the end of the line.
    fn line(&mut self, first: NodeId, board: &mut Board) -> fmt::Result {
        let mut made = Vec::new();
        let mut next = Some(first);
        let mut is_main = self.game.children(self.game.parent(first)).first() == Some(&first);
        while let Some(id) = next {
            let Some(mv) = self.game.mv(id) else { break };
            let notes = self.game.notes(id);
            self.comment(&notes.before)?;
            let number = board.fullmove_number();
            match board.side_to_move() {
                Color::White => self.word(&format!("{number}."))?,
                Color::Black if self.number_is_due => self.word(&format!("{number}..."))?,
                Color::Black => {}
            }
            self.number_is_due = false;
            self.word(&board.san(mv))?;
            for nag in &notes.nags {
                self.word(&format!("${nag}"))?;
            }
            self.comment(&text(notes))?;
            if is_main {
                let siblings = self.game.children(self.game.parent(id));
                for &sibling in siblings.iter().skip(1) {
                    self.word("(")?;
                    (self.glued, self.number_is_due) = (true, true);
                    self.line(sibling, board)?;
                    self.glued = true;
                    self.word(")")?;
                    self.number_is_due = true;
                }
            }
            board.make(mv);
            made.push(mv);
            next = self.game.children(id).first().copied();
            is_main = true;
        }
        made.into_iter().rev().for_each(|mv| board.unmake(mv));
        Ok(())
    }

    /// In braces. A command such as `[%clk 0:01:00]` stays on one line.
    fn comment(&mut self, text: &str) -> fmt::Result {
        if text.is_empty() {
            return Ok(());
        }
        self.word("{")?;
        let text = text.replace('}', ")");
        let mut rest = text.trim();
        while !rest.is_empty() {
            let command = rest.strip_prefix("[%").and_then(|inner| inner.find(']'));
            let blank = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let end = command.map_or(blank, |close| close + 3).min(rest.len());
            let (word, after) = rest.split_at(end);
            self.word(word)?;
            self.glued = !after.starts_with(char::is_whitespace) && !after.is_empty();
            rest = after.trim_start();
        }
        self.glued = false;
        self.number_is_due = true;
        self.word("}")
    }

    fn word(&mut self, word: &str) -> fmt::Result {
        let width = word.chars().count();
        let glued = std::mem::replace(&mut self.glued, false) || self.column == 0;
        if !glued && self.column + 1 + width > WIDTH {
            self.f.write_str("\n")?;
            self.column = 0;
        } else if !glued {
            self.f.write_str(" ")?;
            self.column += 1;
        }
        self.column += width;
        self.f.write_str(word)
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Board;
    use crate::game::pgn::{Detail, Reader};
    use crate::game::{Eval, Game, GameResult, NodeId};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};
    use std::time::Duration;

    fn parse(text: &str) -> Game {
        let mut reader = Reader::new(text.as_bytes(), Detail::Everything);
        let parsed = reader.next().expect(text).expect("memory");
        assert_eq!(parsed.problems, [], "{text}");
        assert!(reader.next().is_none(), "{text}");
        parsed.game
    }

    #[test]
    fn writes_what_it_reads() {
        let text = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
            [White \"A \\\"b\\\" \\\\\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n[Annotator \"me\"]\n\
            [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n\
            { [%csl Ge4,Rd5] first } 7... Ke7 $2 { [%eval -1.05,20] [%clk 0:00:07.3] so } ({\n\
            or } 7... Kd7 8. e4) 8. e4 { [%eval #-3] [%cal Be8e7] } 8... Ke6 9. Kd2 (9. e5\n\
            Kxe5 (9... Kd5)) 1/2-1/2\n";
        assert_eq!(parse(text).to_string(), text);
    }

    #[test]
    fn lines_stay_short_and_commands_whole() {
        let mut game = parse("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *");
        let line: Vec<NodeId> = game.main_line().collect();
        for id in line {
            let notes = game.notes_mut(id);
            notes.comment = "a } brace { and [%csl Ga1,Gb2,Gc3 Gd4] arrows".to_owned();
            notes.eval = Some(Eval::Centipawns(-3));
            notes.clock = Some(Duration::from_secs(3661));
        }
        let text = game.to_string();
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        for command in ["[%clk 1:01:01]", "[%eval -0.03]", "[%csl Ga1,Gb2,Gc3 Gd4]"] {
            assert_eq!(text.matches(command).count(), 8, "{text}");
        }
        let again = parse(&text);
        assert!(again.main_line().all(|id| again.notes(id).comment.starts_with("a ) brace {")));
    }

    /// Any tree of moves with anything beside them.
    fn random_game(rng: &mut Xoshiro256PlusPlus) -> Game {
        const TEXTS: [&str; 5] =
            ["so", "a { b", "[%emt 0:00:05] x", "1. e4 (2. d4) *; %", "é [x] $3"];
        let mut below = |limit: usize| (rng.next_u64() % limit as u64) as usize;
        let mut game = Game::default();
        game.tags = ["Event", "Site", "Date", "Round", "White", "Black", "Annotator"]
            .map(|name| (name.to_owned(), format!("{name} \"{}\" \\", below(9))))
            .to_vec();
        game.result = GameResult::from_index(below(4));
        game.notes_mut(Game::START).comment = TEXTS[below(5)].to_owned();
        let mut places = vec![(Game::START, Board::startpos())];
        for _ in 0..below(60) {
            let (parent, board) = places[places.len() - 1 - below(places.len().min(3))].clone();
            let moves = board.legal_moves();
            if moves.is_empty() {
                continue;
            }
            let mv = moves[below(moves.len())];
            let starts_variation = !game.children(parent).is_empty();
            let id = game.add(parent, mv);
            let notes = game.notes_mut(id);
            if below(2) == 0 {
                notes.comment = TEXTS[below(5)].to_owned();
                notes.clock = Some(Duration::from_millis(below(9_000_000) as u64));
            }
            if below(3) == 0 {
                // Squares before arrows, as they are written.
                let all = ["Ga1", "Rh8", "Bh1a8", "Yc3d5"].map(|text| text.parse().unwrap());
                notes.shapes = all[below(4)..].to_vec();
            }
            if starts_variation && below(2) == 0 {
                notes.before = TEXTS[below(5)].to_owned();
            }
            match below(4) {
                0 => notes.eval = Some(Eval::Centipawns(below(3000) as i32 - 1500)),
                1 => {
                    notes.eval = Some(Eval::Mate(below(20) as i32 - 10));
                    notes.depth = Some(below(60) as u32);
                }
                _ => notes.nags = (0..below(3)).map(|_| below(256) as u8).collect(),
            }
            let mut after = board;
            after.make(mv);
            places.push((id, after));
        }
        game
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of games take too long there")]
    fn any_tree_survives() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(27);
        for _ in 0..3_000 {
            let game = random_game(&mut rng);
            let text = game.to_string();
            let again = parse(&text);
            assert!(again == game, "{text}\n{again}");
            assert_eq!(again.to_string(), text);
        }
    }
}
