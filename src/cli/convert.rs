//! `gambeson data import` and `gambeson data export`: games from and for other programs.

use super::{CliError, progress_bar};
use crate::game::pgn::{Detail, Reader};
use crate::selfplay::export::{bullet_bytes, bullet_positions, write_viri};
use crate::selfplay::import::{Refused, import};
use crate::selfplay::{GameReader, GameWriter, Origin, usable};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What another trainer reads.
#[derive(Debug, clap::Args)]
#[group(required = true)]
pub(crate) struct Format {
    /// Usable positions as bullet reads them
    #[arg(long)]
    bulletformat: bool,
    /// Whole games as viridithas keeps them; bullet reads these, too
    #[arg(long)]
    viriformat: bool,
}

/// Copies the games of PGN files that have scores; says which have none, and why.
pub(crate) fn import_files(
    files: &[PathBuf],
    target: &Path,
    out: &mut impl Write,
) -> Result<ExitCode, CliError> {
    let mut writer = GameWriter::create(target, Origin::Collection)?;
    let imported = read_all(files, &mut writer);
    let games = imported.as_ref().map_or(0, |(games, _, _)| *games);
    if games == 0 {
        // Nobody wants an empty file, and it would be in the way of a retry.
        drop(writer);
        remove(target);
    }
    let (games, positions, refused) = imported?;
    writeln!(out, "{games} games, {positions} positions; {} games refused", refused.games)?;
    for (kind, (count, first, reason)) in &refused.kinds {
        writeln!(out, "{count} {kind}: the first is game {first}, as {reason}")?;
    }
    let all = games > 0 && refused.games == 0;
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read_all(files: &[PathBuf], writer: &mut GameWriter) -> Result<(u32, u64, Refused), CliError> {
    let (mut games, mut positions, mut seen) = (0, 0, 0);
    let mut refused = Refused::default();
    for path in files {
        let failed = |source| CliError::File { path: path.display().to_string(), source };
        let file = crate::files::open(path).map_err(failed)?;
        let bar = progress_bar(file.metadata().map_or(0, |metadata| metadata.len()));
        let source = BufReader::with_capacity(1 << 16, bar.wrap_read(file));
        for parsed in Reader::new(source, Detail::Everything) {
            seen += 1;
            match import(&parsed.map_err(failed)?, games) {
                Ok(record) => {
                    // Its moves were played while they were read.
                    positions += usable::count(&record).unwrap_or_default();
                    writer.write(&record)?;
                    games += 1;
                }
                Err(refusal) => refused.add(seen, refusal),
            }
        }
        bar.finish_and_clear();
    }
    Ok((games, positions, refused))
}

/// Writes games for another trainer into a new file.
pub(crate) fn export_files(
    files: &[PathBuf],
    format: &Format,
    target: &Path,
    out: &mut impl Write,
) -> Result<ExitCode, CliError> {
    let failed = |source| CliError::Write { path: target.display().to_string(), source };
    let file = File::options().write(true).create_new(true).open(target).map_err(failed)?;
    let mut file = BufWriter::with_capacity(1 << 16, file);
    let mut exported = (0, 0);
    let written = files.iter().try_for_each(|path| {
        let (games, positions) = export_file(path, format, target, &mut file)?;
        exported = (exported.0 + games, exported.1 + positions);
        Ok(())
    });
    let written = written.and_then(|()| file.flush().map_err(failed));
    if let Err(error) = written {
        drop(file);
        remove(target);
        return Err(error);
    }
    writeln!(out, "{} games, {} positions", exported.0, exported.1)?;
    Ok(ExitCode::SUCCESS)
}

fn export_file(
    path: &Path,
    format: &Format,
    target: &Path,
    out: &mut impl Write,
) -> Result<(u64, u64), CliError> {
    let failed = |source: io::Error| CliError::Write { path: target.display().to_string(), source };
    let mut reader = GameReader::open(path)?;
    let bar = progress_bar(std::fs::metadata(path).map_or(0, |metadata| metadata.len()));
    let (mut games, mut positions) = (0, 0);
    while let Some(record) = reader.read()? {
        games += 1;
        let replayed = if format.bulletformat {
            let mut bytes = Vec::new();
            let visited = bullet_positions(&record, |position| {
                bytes.extend_from_slice(&bullet_bytes(&position));
                positions += 1;
            });
            out.write_all(&bytes).map_err(failed)?;
            visited
        } else {
            positions += record.moves.len() as u64;
            write_viri(&record, out).map_err(failed)?
        };
        replayed.map_err(|error| reader.damaged(error))?;
        bar.set_position(reader.offset());
    }
    bar.finish_and_clear();
    Ok((games, positions))
}

fn remove(target: &Path) {
    if let Err(source) = std::fs::remove_file(target) {
        log::warn!("{} is left: {source}", target.display());
    }
}
