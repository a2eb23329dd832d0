//! The documentation says what the program does: every option, every command, and links
//! that lead somewhere. Each check is also run on documentation that is wrong.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// What the program prints, given arguments and input.
fn gambeson(arguments: &[&str], input: &str) -> String {
    let mut process = Command::new(env!("CARGO_BIN_EXE_gambeson"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    String::from_utf8(process.wait_with_output().unwrap().stdout).unwrap()
}

/// The cells of the rows of all tables whose first cell is code.
fn rows(markdown: &str) -> Vec<Vec<&str>> {
    let lines = markdown.lines().filter(|line| line.starts_with("| `"));
    lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// An option as a row of the table has it: name, type, default, range.
fn option_of_uci(line: &str) -> Option<[String; 4]> {
    let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
    let (kind, rest) = rest.split_once(" default ").unwrap_or((rest, ""));
    let (default, range) = rest.split_once(" min ").unwrap_or((rest, ""));
    let default = default.replace("<empty>", "");
    let range = range.replace(" max ", "–").replace('-', "−");
    Some([format!("`{name}`"), kind.to_owned(), default, range])
}

/// What the table of options lacks, has too much or has wrong.
fn option_errors(uci: &str, xboard: &str, table: &str) -> Vec<String> {
    let rows = rows(table);
    // A build with `tune` has the parameters of the search, too, which are not in the table.
    let is_parameter = |name: &str| cfg!(feature = "tune") && name == name.to_lowercase();
    let options: Vec<_> =
        uci.lines().filter_map(option_of_uci).filter(|option| !is_parameter(&option[0])).collect();
    let mut errors = Vec::new();
    for option in &options {
        let Some(row) = rows.iter().find(|row| row[0] == option[0]) else {
            errors.push(format!("{} is missing", option[0]));
            continue;
        };
        // The about text has a version in it.
        let about = option[0] == "`UCI_EngineAbout`";
        for (cell, expected) in row.iter().zip(option) {
            if cell != expected && !about {
                errors.push(format!("{}: {cell}, not {expected}", option[0]));
            }
        }
        let name = option[0].trim_matches('`');
        let offered = xboard.contains(&format!("option=\"{name} -"));
        if offered != (row[4] == "option") {
            errors.push(format!("{name}: xboard column {}", row[4]));
        }
    }
    for row in rows.iter().filter(|row| options.iter().all(|option| option[0] != row[0])) {
        errors.push(format!("{} is not an option", row[0]));
    }
    errors
}

#[test]
fn every_option_is_in_the_table() {
    let uci = gambeson(&[], "uci\nquit\n");
    let xboard = gambeson(&[], "xboard\nprotover 2\nquit\n");
    assert!(uci.contains("uciok") && xboard.contains("done=1"));
    let table = read("docs/options.md");
    assert_eq!(option_errors(&uci, &xboard, &table), Vec::<String>::new());

    // A table without an option, with another default, with one that does not exist.
    let without = table.replace("| `Hash` |", "| Hash |");
    assert_eq!(option_errors(&uci, &xboard, &without), ["`Hash` is missing"]);
    let other = table.replace("| `Hash` | spin | 16 |", "| `Hash` | spin | 64 |");
    assert_eq!(option_errors(&uci, &xboard, &other), ["`Hash`: 64, not 16"]);
    let too_much = format!("{table}\n| `Speed` | spin | 1 | | option | |\n");
    assert_eq!(option_errors(&uci, &xboard, &too_much), ["`Speed` is not an option"]);
    let silent = xboard.replace("\"MultiPV -", "\"");
    assert_eq!(option_errors(&uci, &silent, &table), ["MultiPV: xboard column option"]);
}

/// The commands that `--help` lists below some words, down to those without any below them.
fn commands(words: &[&str]) -> Vec<String> {
    let help = gambeson(&[words, &["--help"]].concat(), "");
    let Some((_, list)) = help.split_once("Commands:\n") else {
        return vec![words.join(" ")];
    };
    let names = list.lines().take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.split_whitespace().next());
    // `help` below another command is the same as above it.
    let names = names.filter(|&name| name != "help" || words.is_empty());
    let below = names.flat_map(|name| match name {
        "help" => vec!["help".to_owned()],
        _ => commands(&[words, &[name]].concat()),
    });
    below.collect()
}

/// The commands that rows of the page begin with.
fn documented_commands(page: &str) -> Vec<String> {
    let is_name = |word: &&str| word.chars().all(|letter| letter.is_ascii_lowercase());
    let cells = rows(page).into_iter().filter_map(|row| {
        let text = row[0].strip_prefix("`gambeson ")?.trim_end_matches('`');
        Some(text.split(' ').take_while(is_name).collect::<Vec<_>>().join(" "))
    });
    cells.collect()
}

fn command_errors(program: &[String], page: &str) -> Vec<String> {
    let program: BTreeSet<_> = program.iter().cloned().collect();
    let page: BTreeSet<_> = documented_commands(page).into_iter().collect();
    // These exist only in builds with their feature.
    let optional = ["play", "spsa"];
    let stale = page.difference(&program).filter(|name| !optional.contains(&name.as_str()));
    let missing = program.difference(&page).map(|name| format!("{name} is missing"));
    missing.chain(stale.map(|name| format!("{name} is not a command"))).collect()
}

#[test]
fn every_command_is_on_the_page() {
    let program = commands(&[]);
    assert!(program.contains(&"data stats".to_owned()), "{program:?}");
    let page = read("docs/command-line.md");
    assert_eq!(command_errors(&program, &page), Vec::<String>::new());

    let without = page.replace("| `gambeson data stats ", "| `data stats ");
    assert_eq!(command_errors(&program, &without), ["data stats is missing"]);
    let too_much = format!("{page}\n| `gambeson juggle` | |\n");
    assert_eq!(command_errors(&program, &too_much), ["juggle is not a command"]);
}

/// All Markdown files, except those that are built or installed.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !["target", "node_modules", ".git"].contains(&name) {
            pages(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// The targets of the links and pictures of a page, code left out.
fn links(markdown: &str) -> Vec<&str> {
    let blocks = markdown.split("```").step_by(2);
    let lines = blocks.flat_map(str::lines).filter(|line| !line.starts_with("    "));
    let text = lines.flat_map(|line| line.split("](").skip(1));
    text.filter_map(|rest| rest.split_once(')')).map(|(link, _)| link).collect()
}

/// The name of a heading in links, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|&letter| letter.is_alphanumeric() || " -_".contains(letter));
    kept.collect::<String>().replace(' ', "-")
}

fn broken_links(page: &Path, markdown: &str) -> Vec<String> {
    let is_broken = |link: &&str| {
        let (file, heading) = link.split_once('#').unwrap_or((link, ""));
        let target =
            if file.is_empty() { page.to_owned() } else { page.parent().unwrap().join(file) };
        let has_heading = || {
            let text = fs::read_to_string(&target).unwrap_or_default();
            text.lines().any(|line| line.starts_with('#') && anchor(line) == heading)
        };
        !target.exists() || !heading.is_empty() && !has_heading()
    };
    let links = links(markdown).into_iter().filter(|link| !link.contains("://"));
    links.filter(is_broken).map(|link| format!("{}: {link}", page.display())).collect()
}

#[test]
fn every_relative_link_resolves() {
    let mut found = Vec::new();
    pages(root(), &mut found);
    assert!(found.contains(&root().join("README.md")) && found.len() > 20, "{found:?}");
    let broken: Vec<_> = found
        .iter()
        .flat_map(|page| broken_links(page, &fs::read_to_string(page).unwrap()))
        .collect();
    assert_eq!(broken, Vec::<String>::new());

    let page = root().join("docs/faq.md");
    let good = "[a](options.md) ![b](images/levels.svg) [c](levels.md#how-it-plays-weaker)";
    assert_eq!(broken_links(&page, good), Vec::<String>::new());
    assert_eq!(broken_links(&page, "[a](optiones.md)").len(), 1);
    assert_eq!(broken_links(&page, "[a](options.md#nowhere) [b](#nowhere)").len(), 2);
}

/// The functions that rows of the page name but their files do not define.
fn stale_steps(page: &str) -> Vec<String> {
    let code = |cell: &str| -> Vec<String> {
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let mut stale = Vec::new();
    let rows = page.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    for row in rows.filter(|row| row.len() == 5 && row[3].ends_with(".rs`")) {
        let files: Vec<_> =
            code(row[3]).into_iter().map(|name| read(format!("src/{name}"))).collect();
        for function in code(row[2]) {
            let definition = [format!("fn {function}("), format!("fn {function}<")];
            let defines = |text: &String| definition.iter().any(|it| text.contains(it));
            if !files.iter().any(defines) {
                stale.push(format!("{function} is not in {}", row[3]));
            }
        }
    }
    stale
}

#[test]
fn the_walks_name_functions_that_exist() {
    let page = read("docs/dev/architecture.md");
    assert!(page.matches(".rs` |").count() > 15);
    assert_eq!(stale_steps(&page), Vec::<String>::new());
    let renamed = page.replace("`replace_job`", "`exchange_job`");
    assert_eq!(stale_steps(&renamed).len(), 1);
}
