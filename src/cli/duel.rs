//! `gambeson duel`: a match between two networks.

use super::{CliError, progress_bar};
use crate::eval::nnue::{self, Network};
use crate::selfplay::duel::{
    Conditions, Contender, HalfPoints, MatchScore, Openings, OpeningsError, Results, Sprt, Verdict,
    duel,
};
use crate::selfplay::journal::{self, Journal, JournalError};
use crate::time::Limits;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// Play a match between two networks
///
/// A build with the "tune" feature also compares search parameters: --a and --b. Each
/// opening is played twice with colours changed.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A network, "hand" for the hand-crafted evaluation, or "built-in"
    #[arg(default_value = "built-in")]
    first: String,
    /// Its opponent
    #[arg(default_value = "built-in")]
    second: String,
    /// Search parameters of the first player: name=value,...
    #[cfg(feature = "tune")]
    #[arg(long, value_name = "PARAMETERS", value_delimiter = ',')]
    a: Vec<String>,
    /// Search parameters of the second player
    #[cfg(feature = "tune")]
    #[arg(long, value_name = "PARAMETERS", value_delimiter = ',')]
    b: Vec<String>,
    /// Pairs of games; with --sprt the maximum [default: 100, with --sprt 50000]
    #[arg(long, value_name = "N")]
    pairs: Option<u32>,
    /// Play until a difference of E0 or of E1 Elo (logistic) is accepted
    #[arg(long, value_name = "E0:E1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Soft node limit: start no iteration after this many nodes
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    nodes: u64,
    /// Milliseconds for each move, instead of nodes
    #[arg(long, value_name = "MS", conflicts_with = "nodes")]
    movetime: Option<u64>,
    /// An EPD file of openings, instead of random ones
    #[arg(long, value_name = "FILE", conflicts_with = "frc_share")]
    openings: Option<PathBuf>,
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Percentage of random openings that are Chess960
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0)]
    frc_share: f64,
    /// Keep the results here; the same command resumes an interrupted match
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

/// Why a match cannot be played.
#[derive(Debug, Error)]
pub(super) enum DuelError {
    #[error("the openings {path}: {source}")]
    Openings { path: String, source: OpeningsError },
    #[error(transparent)]
    State(#[from] JournalError),
    #[cfg(feature = "tune")]
    #[error("{0:?} is not name=value")]
    Form(String),
    #[cfg(feature = "tune")]
    #[error("unknown search parameter: {0}")]
    Unknown(String),
    #[cfg(feature = "tune")]
    #[error("{name} must be a whole number from {min} to {max}")]
    Range { name: &'static str, min: i32, max: i32 },
    #[error("{0}")]
    Failed(#[source] std::io::Error),
}

/// The largest file of openings, in bytes.
const MAX_BOOK: u64 = 1 << 28;
/// How often progress is reported where there is no terminal.
const PAIRS_A_LINE: u32 = 50;

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, CliError> {
    #[cfg(feature = "tune")]
    for (player, settings) in [&args.a, &args.b].into_iter().enumerate() {
        set_parameters(player, settings)?;
    }
    let (first, first_identity) = contender(&args.first)?;
    let (second, second_identity) = contender(&args.second)?;
    let conditions = conditions(args)?;
    let mut played = Results::new();
    let mut state = None;
    if let Some(path) = &args.state {
        let settings = settings(args, &conditions, [first_identity, second_identity])?;
        let (journal, rows) = Journal::open(path, "duel", &settings, "pair,first game,second game")
            .map_err(DuelError::State)?;
        played = parse_results(path, &rows, settings.len() + 3)?;
        state = Some(journal);
    }
    let bar = progress_bar(u64::from(conditions.pairs));
    bar.set_position(played.len() as u64);
    let terminal = std::io::stderr().is_terminal();
    let score = duel(&[first, second], &conditions, &played, play_as, |pair, points, score| {
        if let Some(journal) = &mut state {
            let [first, second] = points;
            journal.add(&format!("{pair},{first},{second}"))?;
        }
        bar.inc(1);
        if !terminal && score.pairs.iter().sum::<u32>().is_multiple_of(PAIRS_A_LINE) {
            eprintln!("{}", line(score, conditions.sprt));
        }
        Ok(())
    });
    bar.finish_and_clear();
    let score = score.map_err(DuelError::Failed)?;
    if args.json {
        writeln!(out, "{}", json(&score, conditions.sprt))?;
    } else {
        writeln!(out, "{}", line(&score, conditions.sprt))?;
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(feature = "tune")]
use crate::search::params::play_as;
#[cfg(not(feature = "tune"))]
fn play_as(_player: usize) {}

fn conditions(args: &Args) -> Result<Conditions, CliError> {
    let limits = match args.movetime {
        Some(time) => Limits { move_time: Some(Duration::from_millis(time)), ..Limits::default() },
        None => Limits {
            soft_nodes: Some(args.nodes),
            nodes: Some(args.nodes.saturating_mul(8)),
            ..Limits::default()
        },
    };
    let openings = match &args.openings {
        Some(path) => read_openings(path)?,
        None => {
            let chess960 = (args.frc_share.clamp(0.0, 100.0) * 10.0).round() as u16;
            Openings::Random { chess960 }
        }
    };
    let default = if args.sprt.is_some() { 50_000 } else { 100 };
    Ok(Conditions {
        openings,
        pairs: args.pairs.unwrap_or(default),
        sprt: args.sprt,
        limits,
        seed: args.seed,
        threads: args.threads as usize,
    })
}

pub(super) fn read_openings(path: &Path) -> Result<Openings, CliError> {
    let name = || path.display().to_string();
    let bytes = crate::files::read(path, MAX_BOOK)
        .map_err(|source| CliError::File { path: name(), source })?;
    let openings = Openings::parse(&String::from_utf8_lossy(&bytes));
    Ok(openings.map_err(|source| DuelError::Openings { path: name(), source })?)
}

/// All that results depend on. The match stays the same with another number of pairs or threads.
fn settings(
    args: &Args,
    conditions: &Conditions,
    players: [String; 2],
) -> Result<Vec<String>, CliError> {
    let [first, second] = players;
    let mut settings = vec![
        journal::program().map_err(DuelError::Failed)?,
        format!("players {first} {second}"),
        match args.movetime {
            Some(time) => format!("movetime {time}"),
            None => format!("nodes {}", args.nodes),
        },
        conditions.openings.identity(),
        format!("seed {}", args.seed),
        match conditions.sprt {
            Some(Sprt { elo0, elo1 }) => format!("sprt {elo0}:{elo1}"),
            None => "no sprt".to_owned(),
        },
    ];
    #[cfg(feature = "tune")]
    settings.extend([format!("a {}", args.a.join(",")), format!("b {}", args.b.join(","))]);
    settings.iter_mut().for_each(|setting| *setting = setting.trim().to_owned());
    Ok(settings)
}

/// The results in the rows of a state, the first of which is line `start` of the file.
fn parse_results(path: &Path, rows: &[String], start: usize) -> Result<Results, DuelError> {
    let parse = |row: &str| {
        let mut cells = row.split(',');
        let pair = cells.next()?.parse().ok()?;
        let mut points = || cells.next()?.parse::<HalfPoints>().ok().filter(|&points| points <= 2);
        let result = [points()?, points()?];
        cells.next().is_none().then_some((pair, result))
    };
    let damaged =
        |line| JournalError::Damaged { path: path.display().to_string(), line: start + line };
    let parsed = rows.iter().enumerate().map(|(line, row)| parse(row).ok_or_else(|| damaged(line)));
    Ok(parsed.collect::<Result<Results, JournalError>>()?)
}

fn line(score: &MatchScore, sprt: Option<Sprt>) -> String {
    let mut text = format!("{} games: {score}, pairs {:?}", score.games(), score.pairs);
    if let Some(sprt) = sprt {
        let (llr, bound) = (sprt.llr(&score.pairs), Sprt::bound());
        let Sprt { elo0, elo1 } = sprt;
        text += &format!(", LLR {llr:.2} (-{bound:.2}, {bound:.2}) [{elo0}, {elo1}]");
        match sprt.verdict(&score.pairs) {
            Some(Verdict::H0) => text += ", H0 accepted",
            Some(Verdict::H1) => text += ", H1 accepted",
            None => {}
        }
    }
    text
}

fn json(score: &MatchScore, sprt: Option<Sprt>) -> String {
    let (elo, error) = score.elo();
    let MatchScore { wins, draws, losses, pairs } = score;
    let mut text = format!(
        "{{\"games\":{},\"wins\":{wins},\"draws\":{draws},\"losses\":{losses},\
         \"pairs\":{pairs:?},\"elo\":{elo:.2},\"error\":{error:.2}",
        score.games()
    );
    if let Some(sprt) = sprt {
        let verdict = match sprt.verdict(pairs) {
            Some(Verdict::H0) => "\"H0\"",
            Some(Verdict::H1) => "\"H1\"",
            None => "null",
        };
        let Sprt { elo0, elo1 } = sprt;
        let (llr, bound) = (sprt.llr(pairs), Sprt::bound());
        text += &format!(
            ",\"elo0\":{elo0},\"elo1\":{elo1},\"llr\":{llr:.4},\"bound\":{bound:.4},\
             \"verdict\":{verdict}"
        );
    }
    text + "}"
}

/// A player and what tells it from others.
fn contender(name: &str) -> Result<(Contender, String), CliError> {
    match name {
        "hand" => Ok((None, name.to_owned())),
        "built-in" => {
            nnue::embedded().map(|network| (Some(network), name.to_owned())).ok_or(CliError::NoNet)
        }
        path => {
            let network = Network::read(Path::new(path))
                .map_err(|source| CliError::Net { path: path.to_owned(), source })?;
            let bytes = crate::files::read(Path::new(path), u64::MAX)
                .map_err(|source| CliError::File { path: path.to_owned(), source })?;
            Ok((Some(Arc::new(network)), format!("{:08x}", crc32fast::hash(&bytes))))
        }
    }
}

#[cfg(feature = "tune")]
fn set_parameters(player: usize, settings: &[String]) -> Result<(), DuelError> {
    use crate::search::params;
    for setting in settings {
        let (name, value) =
            setting.split_once('=').ok_or_else(|| DuelError::Form(setting.clone()))?;
        let tunable = params::ALL
            .iter()
            .find(|tunable| tunable.name == name.trim())
            .ok_or_else(|| DuelError::Unknown(name.trim().to_owned()))?;
        let params::Tunable { name, min, max, .. } = *tunable;
        match value.trim().parse() {
            Ok(value) if (min..=max).contains(&value) => tunable.set_for(player, value),
            _ => return Err(DuelError::Range { name, min, max }),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score() -> MatchScore {
        MatchScore { wins: 410, draws: 560, losses: 350, pairs: [10, 90, 400, 140, 20] }
    }

    #[test]
    fn results_as_text_and_json() {
        let sprt = Some(Sprt { elo0: 0.0, elo1: 10.0 });
        assert_eq!(
            line(&score(), sprt),
            "1320 games: +410 =560 -350, Elo +18.4 ± 9.6, pairs [10, 90, 400, 140, 20], \
             LLR 5.57 (-2.94, 2.94) [0, 10], H1 accepted"
        );
        let value: serde_json::Value =
            serde_json::from_str(&json(&score(), sprt)).expect("valid JSON");
        assert_eq!(value["games"], 1320);
        assert_eq!(value["pairs"][2], 400);
        assert_eq!(value["verdict"], "H1");
        assert_eq!(value["elo1"], 10);
        let value: serde_json::Value =
            serde_json::from_str(&json(&score(), None)).expect("valid JSON");
        assert!(value.get("llr").is_none() && value["elo"].as_f64() > Some(18.0));
    }

    #[test]
    fn rows_are_read_or_refused() {
        let rows = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let path = Path::new("state");
        let results = parse_results(path, &rows(&["4,2,1", "0,0,0"]), 9).expect("results");
        assert_eq!(results, Results::from([(4, [2, 1]), (0, [0, 0])]));
        for bad in ["4,2", "4,2,3", "x,1,1", "4,2,1,1", ""] {
            let error = parse_results(path, &rows(&["1,1,1", bad]), 9).expect_err("bad");
            assert_eq!(error.to_string(), "state: line 10 is damaged", "{bad}");
        }
    }
}
