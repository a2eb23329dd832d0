//! Talking to the program through pipes as a chess client does, and scripts that
//! say what must come back.

#![allow(dead_code)] // No test uses all of it.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long an answer may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// How many lines a failure shows.
const SHOWN: usize = 60;

/// The engine: the one that cargo built, or that of another system, started by the words
/// of `GAMBESON_COMMAND`: `wine gambeson.exe`, `qemu-aarch64 gambeson`.
pub fn engine() -> Command {
    let words = std::env::var("GAMBESON_COMMAND").unwrap_or_default();
    let mut words = words.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(env!("CARGO_BIN_EXE_gambeson")));
    command.args(words);
    command
}

/// `GAMBESON_SLOWNESS`: how many times as long as usual everything may take. An emulated
/// engine is slower than the clocks of these tests allow for.
fn slowness() -> u32 {
    std::env::var("GAMBESON_SLOWNESS").map_or(1, |text| text.parse().expect("a number"))
}

/// A running engine. It is killed when this goes out of scope.
pub struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// The last lines in both directions, for the one who reads of a failure.
    said: VecDeque<String>,
    last_sent: Instant,
}

impl Conversation {
    pub fn start() -> Conversation {
        Conversation::with_arguments(&[])
    }

    pub fn with_arguments(arguments: &[&str]) -> Conversation {
        Conversation::run(engine().args(arguments))
    }

    /// With SIGINT as it is at a terminal: what runs in the background of a shell inherits
    /// that it is ignored.
    #[cfg(unix)]
    pub fn start_interruptible() -> Conversation {
        if cfg!(target_os = "linux") {
            let engine = env!("CARGO_BIN_EXE_gambeson");
            Conversation::run(Command::new("env").args(["--default-signal=INT", engine]))
        } else {
            Conversation::start()
        }
    }

    /// Talks to whatever this command starts.
    pub fn run(command: &mut Command) -> Conversation {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            while let Ok(1..) = output.read_until(b'\n', &mut bytes) {
                let text = std::str::from_utf8(&bytes).expect("output is UTF-8");
                let line = text.trim_end_matches(['\n', '\r']).to_owned();
                if sender.send(line).is_err() {
                    return;
                }
                bytes.clear();
            }
        });
        Conversation { child, input, lines, said: VecDeque::new(), last_sent: Instant::now() }
    }

    fn note(&mut self, line: String) {
        if self.said.len() == SHOWN {
            self.said.pop_front();
        }
        self.said.push_back(line);
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are. A line end is not added.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.note(format!("> {}", String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).trim()));
        self.last_sent = Instant::now();
        let input = self.input.as_mut().expect("the input is still open");
        if let Err(error) = input.write_all(bytes).and_then(|()| input.flush()) {
            self.fail(&format!("the engine does not listen any more: {error}"));
        }
    }

    /// The next line, if there is one in time.
    pub fn line_within(&mut self, time: Duration) -> Option<String> {
        match self.lines.recv_timeout(time) {
            Ok(line) => {
                self.note(format!("< {line}"));
                Some(line)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(time.min(Duration::from_millis(10)));
                None
            }
        }
    }

    /// What an engine that has ended said last, however late it arrives here.
    pub fn rest(&mut self) -> Vec<String> {
        let rest: Vec<String> =
            std::iter::from_fn(|| self.lines.recv_timeout(PATIENCE).ok()).collect();
        rest.iter().for_each(|line| self.note(format!("< {line}")));
        rest
    }

    /// Reads until a line fits and gives it back.
    pub fn expect_line(&mut self, fits: impl Fn(&str) -> bool, time: Duration) -> String {
        let end = Instant::now() + time * slowness();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.line_within(left) {
                Some(line) if fits(&line) => return line,
                Some(_) => {}
                None if left.is_zero() => self.fail("the line that was expected never came"),
                None => {}
            }
        }
    }

    pub fn expect_prefix(&mut self, prefix: &str) -> String {
        let line = self.expect_line(|line| line.starts_with(prefix), PATIENCE);
        assert!(self.is_alive(), "the engine died after {line}");
        line
    }

    /// Nothing at all may come for so long.
    pub fn expect_silence(&mut self, time: Duration) {
        self.expect_none(|_| true, time);
    }

    /// No line that fits may come for so long.
    pub fn expect_none(&mut self, fits: impl Fn(&str) -> bool, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end {
            let left = end.saturating_duration_since(Instant::now());
            if let Some(line) = self.line_within(left)
                && fits(&line)
            {
                self.fail(&format!("this should not have come: {line}"));
            }
        }
    }

    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// How long ago the last line was sent, for an engine that is not emulated.
    pub fn since_sent(&self) -> Duration {
        self.last_sent.elapsed() / slowness()
    }

    /// Closes the engine's input.
    pub fn close(&mut self) {
        self.note("> (end of input)".to_owned());
        self.last_sent = Instant::now();
        self.input = None;
    }

    /// Sends SIGINT, as xboard does and a terminal on Ctrl-C.
    #[cfg(unix)]
    pub fn interrupt(&mut self) {
        self.note("> (SIGINT)".to_owned());
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().expect("kill");
        assert!(sent.success());
    }

    /// Waits for the engine to exit.
    pub fn expect_exit(&mut self, time: Duration) -> ExitStatus {
        let end = Instant::now() + time * slowness();
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status;
            }
            if Instant::now() > end {
                self.fail("the engine does not end");
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Says `quit`; the engine must obey within a second.
    pub fn quit(mut self) {
        self.send("quit");
        let status = self.expect_exit(Duration::from_secs(1));
        assert!(status.success(), "{status}");
    }

    /// Panics and shows what was said.
    pub fn fail(&mut self, reason: &str) -> ! {
        let state = match self.child.try_wait() {
            Ok(None) => "running".to_owned(),
            Ok(Some(status)) => format!("dead: {status}"),
            Err(error) => error.to_string(),
        };
        let said: Vec<&str> = self.said.iter().map(String::as_str).collect();
        panic!("{reason}; the engine is {state}\n{}", said.join("\n"))
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // It has usually ended; then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A name and a script. The steps of a script are separated by ` | ` and begin with
/// a sign:
///
/// - `> text` sends a line;
/// - `= text`, `^ text` and `* text` read until a line equals, begins with or
///   contains the text;
/// - `~ 200 text` wants no line that begins with the text for 200 ms;
/// - `< 500` wants less than 500 ms to have passed since the last line was sent;
/// - `! text` forbids the text in any line of the whole row;
/// - `# 2 text` wants exactly two lines of the whole row to begin with the text;
/// - `? text` allows complaints that begin so.
pub type Row = (&'static str, &'static str);

/// What rows of one protocol have in common.
pub struct Manner {
    /// Said and heard before each row.
    pub prelude: &'static str,
    /// Said and heard after each row; then comes `quit`.
    pub epilogue: &'static str,
    /// Beginnings of lines that complain: forbidden in rows that do not name them.
    pub complaints: &'static [&'static str],
    /// Looks at all that was said and heard in a row.
    pub review: fn(&mut Scene<'_>),
}

/// A row being played.
pub struct Scene<'a> {
    pub talk: &'a mut Conversation,
    pub sent: Vec<String>,
    pub heard: Vec<String>,
}

impl Scene<'_> {
    pub fn new(talk: &mut Conversation) -> Scene<'_> {
        Scene { talk, sent: Vec::new(), heard: Vec::new() }
    }

    fn hear(&mut self, fits: impl Fn(&str) -> bool, what: &str) {
        let end = Instant::now() + PATIENCE * slowness();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.talk.line_within(left) {
                Some(line) => {
                    let found = fits(&line);
                    self.heard.push(line);
                    if found {
                        return;
                    }
                }
                None if left.is_zero() => self.talk.fail(&format!("never heard: {what}")),
                None => {}
            }
        }
    }

    pub fn count(&self, beginning: &str) -> usize {
        self.heard.iter().filter(|line| line.starts_with(beginning)).count()
    }

    pub fn run(&mut self, script: &str) {
        for step in script.split(" | ").filter(|step| !step.is_empty()) {
            let (sign, text) = step.split_once(' ').unwrap_or((step, ""));
            let number = || -> (u64, &str) {
                let (number, rest) = text.split_once(' ').unwrap_or((text, ""));
                (number.parse().expect(step), rest)
            };
            match sign {
                ">" => {
                    self.talk.send(text);
                    self.sent.push(text.to_owned());
                }
                "=" => self.hear(|line| line == text, step),
                "^" => self.hear(|line| line.starts_with(text), step),
                "*" => self.hear(|line| line.contains(text), step),
                "~" => {
                    let (millis, text) = number();
                    let end = Instant::now() + Duration::from_millis(millis);
                    while Instant::now() < end {
                        let left = end.saturating_duration_since(Instant::now());
                        if let Some(line) = self.talk.line_within(left) {
                            if line.starts_with(text) {
                                self.talk.fail(&format!("too early, or uncalled for: {line}"));
                            }
                            self.heard.push(line);
                        }
                    }
                }
                "<" => {
                    let took = self.talk.since_sent();
                    if took >= Duration::from_millis(number().0) {
                        self.talk.fail(&format!("took {took:?}: {step}"));
                    }
                }
                "!" | "#" | "?" => {}
                _ => panic!("no such step: {step}"),
            }
        }
    }

    /// The steps about the row as a whole.
    fn judge(&mut self, script: &str) {
        for step in script.split(" | ") {
            if let Some(text) = step.strip_prefix("! ") {
                if let Some(line) = self.heard.iter().find(|line| line.contains(text)) {
                    self.talk.fail(&format!("forbidden: {line}"));
                }
            } else if let Some(rest) = step.strip_prefix("# ") {
                let (number, text) = rest.split_once(' ').expect(step);
                let found = self.count(text);
                if number.parse() != Ok(found) {
                    self.talk.fail(&format!("{found} times instead: {step}"));
                }
            }
        }
    }
}

fn play((name, script): Row, manner: &Manner) {
    // Failures inside say which row it was by this.
    let name = name.to_owned();
    let mut talk = Conversation::start();
    talk.note(format!("row: {name}"));
    let mut scene = Scene::new(&mut talk);
    scene.run(manner.prelude);
    scene.sent.clear();
    scene.heard.clear();
    scene.run(script);
    scene.run(manner.epilogue);
    (manner.review)(&mut scene);
    scene.judge(script);
    for complaint in manner.complaints.iter().filter(|complaint| !script.contains(**complaint)) {
        if let Some(line) = scene.heard.iter().find(|line| line.starts_with(complaint)) {
            scene.talk.fail(&format!("a complaint: {line}"));
        }
    }
    talk.quit();
}

/// Plays every row, each with an engine of its own, a few at a time. Gives back how
/// many there were; if some failed, panics after all have been tried.
pub fn play_all(rows: &[Row], manner: &Manner) -> usize {
    let next = AtomicUsize::new(0);
    let failed: Vec<&str> = thread::scope(|scope| {
        let workers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let mut failed = Vec::new();
                    while let Some(&row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if std::panic::catch_unwind(|| play(row, manner)).is_err() {
                            failed.push(row.0);
                        }
                    }
                    failed
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("rows are caught")).collect()
    });
    assert!(failed.is_empty(), "{} of {} rows failed: {failed:#?}", failed.len(), rows.len());
    rows.len()
}
