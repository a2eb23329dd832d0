//! From a line to a command. A line is looked at on its own: what a command means
//! in the state the engine is in is not decided here.

use crate::board::Board;
use crate::engine::command::{Command, GameCommand, Problem, Show, TimeControl, UserMove, Variant};
use crate::engine::{Position, read_move};
use crate::protocol::ECHO;
use crate::text::excerpt;
use crate::types::{Color, File, Move, Piece, Rank};
use std::str::FromStr;
use std::time::Duration;

/// How it is written that the turn is passed.
const NULL_MOVE: &str = "@@@@";
/// Longer times mean "forever"; cut down to this they can be added up without
/// overflowing.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// Reads a line outside edit mode. Words after a command that takes none are
/// ignored, as the protocol may grow.
pub(super) fn command(line: &str, board: Option<&Board>) -> Result<Option<Command>, Problem> {
    let line = line.trim();
    let (word, rest) = split(line);
    let arguments = Arguments { line, rest };
    let command = match word {
        // Nothing to do: `accepted` and `rejected` because every feature works
        // either way, `random` because we always play our best.
        "" | "xboard" | "accepted" | "rejected" | "random" => return Ok(None),
        "protover" => match arguments.number::<u64>()? {
            0 | 1 => return Ok(None),
            _ => Command::Identify,
        },
        "ping" => Command::Ready(arguments.first()?.to_owned()),
        "quit" => Command::Quit,

        "new" => GameCommand::NewGame.into(),
        "variant" => GameCommand::SetVariant(arguments.variant()?).into(),
        "setboard" => GameCommand::SetBoard(Position::from_fen(&arguments.all()?)).into(),
        "force" => GameCommand::Force.into(),
        "go" => GameCommand::Play.into(),
        "playother" => GameCommand::PlayOther.into(),
        "white" => GameCommand::SetTurn(Color::White).into(),
        "black" => GameCommand::SetTurn(Color::Black).into(),
        "usermove" => GameCommand::UserMove(user_move(&arguments.all()?, board)).into(),
        "?" => GameCommand::MoveNow.into(),
        "undo" => GameCommand::TakeBack(1).into(),
        "remove" => GameCommand::TakeBack(2).into(),
        "draw" => GameCommand::OfferDraw.into(),
        "result" => GameCommand::GameOver(rest.to_owned()).into(),
        "pause" => GameCommand::Pause.into(),
        "resume" => GameCommand::Resume.into(),

        "level" => GameCommand::SetLevel(arguments.level()?).into(),
        "st" => GameCommand::SetLevel(TimeControl::PerMove(arguments.seconds()?)).into(),
        "sd" => {
            GameCommand::SetDepthLimit(Some(arguments.number()?).filter(|&depth| depth > 0)).into()
        }
        "nps" => GameCommand::SetNodeRate(u64::try_from(arguments.number::<i64>()?).ok()).into(),
        "time" => GameCommand::SetClock { own: true, remaining: arguments.centiseconds()? }.into(),
        "otim" => GameCommand::SetClock { own: false, remaining: arguments.centiseconds()? }.into(),

        "hard" => GameCommand::SetPondering(true).into(),
        "easy" => GameCommand::SetPondering(false).into(),
        "post" => GameCommand::SetPosting(true).into(),
        "nopost" => GameCommand::SetPosting(false).into(),
        "analyze" => GameCommand::Analyze.into(),
        "exit" => GameCommand::StopAnalyzing.into(),
        "." => GameCommand::ReportStatus.into(),
        "hint" => GameCommand::Hint.into(),
        "bk" => GameCommand::Book.into(),
        "exclude" => GameCommand::Exclude(arguments.moves(board)?).into(),
        "include" => GameCommand::Include(arguments.moves(board)?).into(),
        "setscore" => GameCommand::SetScore(arguments.number()?).into(),

        "name" => GameCommand::OpponentName(rest.to_owned()).into(),
        "rating" => arguments.ratings()?,
        "computer" => GameCommand::OpponentIsComputer.into(),
        "ics" => GameCommand::Server(Some(arguments.all()?).filter(|host| host != "-")).into(),

        "memory" => set("Hash", arguments.number::<i64>()?.to_string()),
        "cores" => set("Threads", arguments.number::<i64>()?.to_string()),
        "egtpath" => match split(&arguments.all()?) {
            ("syzygy", path) => set("SyzygyPath", path.to_owned()),
            _ => return Ok(None),
        },
        "option" => arguments.option()?,

        "d" => Command::Show(Show::Board),
        "eval" => Command::Show(Show::Evaluation),
        "moves" => Command::Show(Show::Moves),
        "fen" => Command::Show(Show::Fen),
        "help" => Command::Show(Show::Help),
        "license" => Command::Show(Show::License),
        "compiler" => Command::Show(Show::Compiler),
        "flip" => Command::Flip,
        "perft" => Command::Perft { depth: arguments.number()? },
        "bench" => Command::Bench(rest.split_whitespace().map(str::to_owned).collect()),

        // Version 1 knows no `usermove`, and neither does a client that rejected it.
        _ if rest.is_empty() && looks_like_move(word) => {
            GameCommand::UserMove(user_move(word, board)).into()
        }
        _ => return Err(Problem::UnknownCommand(excerpt(line, ECHO))),
    };
    Ok(Some(command))
}

/// The first word and everything behind it.
fn split(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text, ""),
    }
}

fn set(name: &str, value: String) -> Command {
    Command::SetOption { name: name.to_owned(), value: Some(value) }
}

fn user_move(text: &str, board: Option<&Board>) -> UserMove {
    let mv = match text {
        NULL_MOVE if board.is_some() => Ok(None),
        _ => read_legal(text, board).map(Some),
    };
    UserMove { text: text.to_owned(), mv }
}

/// No move is legal where the position is not.
fn read_legal(text: &str, board: Option<&Board>) -> Result<Move, Problem> {
    let reason = || "the position is not legal".to_owned();
    let refused = || Problem::IllegalMove { text: text.to_owned(), reason: reason() };
    read_move(board.ok_or_else(refused)?, text)
}

/// What follows the command's word, with the whole line for complaints.
struct Arguments<'a> {
    line: &'a str,
    rest: &'a str,
}

impl Arguments<'_> {
    fn bad(&self, reason: &str) -> Problem {
        Problem::BadArgument { command: excerpt(self.line, ECHO), reason: reason.to_owned() }
    }

    fn first(&self) -> Result<&str, Problem> {
        self.nth(0)
    }

    fn nth(&self, index: usize) -> Result<&str, Problem> {
        self.rest.split_whitespace().nth(index).ok_or_else(|| self.bad("argument missing"))
    }

    fn all(&self) -> Result<String, Problem> {
        self.first().map(|_| self.rest.to_owned())
    }

    fn number<N: FromStr>(&self) -> Result<N, Problem> {
        self.nth_number(0)
    }

    fn nth_number<N: FromStr>(&self, index: usize) -> Result<N, Problem> {
        self.nth(index)?.parse().map_err(|_| self.bad("not a number in range"))
    }

    fn seconds(&self) -> Result<Duration, Problem> {
        seconds(self.first()?).ok_or_else(|| self.bad("not a number of seconds"))
    }

    /// Clocks run below zero when a flag has fallen and nobody claims it.
    fn centiseconds(&self) -> Result<Duration, Problem> {
        let centiseconds = u64::try_from(self.number::<i64>()?).unwrap_or(0);
        Ok(Duration::from_millis(centiseconds.saturating_mul(10)).min(LONGEST))
    }

    fn level(&self) -> Result<TimeControl, Problem> {
        let moves = self.nth_number(0)?;
        let base = minutes(self.nth(1)?).ok_or_else(|| self.bad("not a number of minutes"))?;
        let increment = seconds(self.nth(2)?).ok_or_else(|| self.bad("not a number of seconds"))?;
        Ok(TimeControl::Clock { moves, base, increment })
    }

    fn variant(&self) -> Result<Variant, Problem> {
        match self.first()? {
            "normal" => Ok(Variant::Normal),
            "fischerandom" => Ok(Variant::Fischerandom),
            other => Err(Problem::BadArgument {
                command: excerpt(other, ECHO),
                reason: "unsupported variant".to_owned(),
            }),
        }
    }

    /// `None` for all moves.
    fn moves(&self, board: Option<&Board>) -> Result<Option<Move>, Problem> {
        match self.all()?.as_str() {
            "all" => Ok(None),
            text => read_legal(text, board).map(Some),
        }
    }

    fn ratings(&self) -> Result<Command, Problem> {
        Ok(GameCommand::Ratings { own: self.nth_number(0)?, opponent: self.nth_number(1)? }.into())
    }

    /// `NAME=VALUE`, or `NAME` alone for a button.
    fn option(&self) -> Result<Command, Problem> {
        let (name, value) = match self.rest.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim().to_owned())),
            None => (self.rest, None),
        };
        if name.is_empty() {
            return Err(self.bad("option name missing"));
        }
        Ok(Command::SetOption { name: name.to_owned(), value })
    }
}

/// Reads `90`, `0.5` or `.5`, and nothing else that passes for a float.
fn decimal(text: &str) -> Option<f64> {
    text.chars().all(|c| c.is_ascii_digit() || c == '.').then(|| text.parse().ok())?
}

fn seconds(text: &str) -> Option<Duration> {
    decimal(text).map(duration)
}

/// Reads `5`, `5:30` or `5.5`.
fn minutes(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.split_once(':').unwrap_or((text, "0"));
    Some(duration(decimal(minutes)? * 60.0 + decimal(seconds)?))
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).map_or(LONGEST, |time| time.min(LONGEST))
}

/// Whether a word has the shape of a move, in coordinates or in SAN. It is then the
/// engine's to call it illegal; anything else is an unknown command.
fn looks_like_move(word: &str) -> bool {
    // The longest is a promotion such as Qa1xb2=Q, with signs behind.
    if word.len() > 16 {
        return false;
    }
    let letters: Vec<char> = word.trim_end_matches(['+', '#', '!', '?']).chars().collect();
    match *letters {
        ['O', 'O'] | ['O', 'O', 'O'] | ['@', '@', '@', '@'] => return true,
        [a @ ('O' | 'o' | '0'), '-', ref rest @ ..] => {
            return matches!(*rest, [b] if b == a)
                || matches!(*rest, [b, '-', c] if b == a && c == a);
        }
        _ => {}
    }
    let body = match &*letters {
        [body @ .., '=', piece] | [body @ .., piece] if is_promotion(*piece) => body,
        body => body,
    };
    let [origin @ .., file, rank] = body else { return false };
    is_file(*file) && is_rank(*rank) && looks_like_origin(origin)
}

/// What may stand before a move's target square.
fn looks_like_origin(origin: &[char]) -> bool {
    let rest = match origin {
        [] => return true,
        // A dropped piece, from variants where there are any.
        [piece, '@'] => return Piece::from_letter(*piece).is_some(),
        [rest @ .., 'x' | '-' | ':'] if !rest.is_empty() => rest,
        rest => rest,
    };
    // The more specific first: `b` may be a file or a bishop.
    match rest {
        [only] => is_file(*only) || is_rank(*only) || Piece::from_letter(*only).is_some(),
        [first, second] => {
            let by_piece = Piece::from_letter(*first).is_some() && is_file(*second);
            by_piece || (is_file_or_piece(*first) && is_rank(*second))
        }
        [piece, file, rank] => {
            Piece::from_letter(*piece).is_some() && is_file(*file) && is_rank(*rank)
        }
        _ => false,
    }
}

fn is_file(letter: char) -> bool {
    File::from_letter(letter).is_some()
}

fn is_rank(letter: char) -> bool {
    Rank::from_digit(letter).is_some()
}

fn is_file_or_piece(letter: char) -> bool {
    is_file(letter) || Piece::from_letter(letter).is_some()
}

fn is_promotion(letter: char) -> bool {
    Piece::from_letter(letter).is_some_and(|piece| Piece::PROMOTIONS.contains(&piece))
}
