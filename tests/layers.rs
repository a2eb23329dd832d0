//! The shape of the crate: modules use only those below them, as
//! docs/dev/architecture.md shows them, and a type's name means one thing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From the bottom to the top: a module and those it may use, all of them above it in
/// this list.
const LAYERS: &str = "\
types:
math:
plot:
parallel:
memory:
cpu:
files:
signal:
text:
time: types
board: cpu types
game: board text types
perft: board files memory parallel types
tablebase: board types
eval: board files types
tt: memory types
book: board files game types
search: board eval game memory tablebase time tt types
bench: board search time tt
engine: bench board book cpu eval game perft search tablebase text time tt types
selfplay: board book eval files game math search time tt types
tune: board eval parallel plot search selfplay time types
train: board eval files game math memory parallel plot search selfplay time tt types
protocol: board engine files game search signal text types
web: board book engine files game search tablebase types
cli: bench board book engine eval files game perft plot protocol search selfplay tablebase time train tt tune types web
";

/// Names that several types bear all the same, with the reason.
const SHARED_NAMES: [(&str, &str); 1] = [(
    "Args",
    "the arguments of a subcommand, one to each module of `cli`, which is named after it",
)];

fn layers() -> Vec<(&'static str, BTreeSet<&'static str>)> {
    LAYERS
        .lines()
        .map(|line| {
            let (module, used) = line.split_once(':').expect("a colon");
            (module, used.split_whitespace().collect())
        })
        .collect()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The sources of the crate, each with its path below src/.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    files(&root, &mut paths);
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a source");
        (path.strip_prefix(&root).expect("inside").to_path_buf(), text)
    };
    paths.into_iter().map(read).collect()
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The modules of this crate that a source text names: `crate::a::b`, `crate::{a::b, c}`.
fn used(source: &str) -> BTreeSet<String> {
    let code: Vec<&str> =
        source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let mut found = BTreeSet::new();
    for (start, path) in code.match_indices("crate::") {
        let rest = &code[start + path.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            found.insert(word(rest).to_owned());
            continue;
        };
        let mut depth = 0;
        let mut item = true;
        for (index, letter) in group.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => item = true,
                _ if item && letter.is_alphabetic() => {
                    found.insert(word(&group[index..]).to_owned());
                    item = false;
                }
                _ => {}
            }
        }
    }
    found
}

/// What each module uses beside itself, with a file that does.
fn arrows() -> BTreeMap<(String, String), PathBuf> {
    let mut arrows = BTreeMap::new();
    for (path, text) in sources() {
        let place = path.with_extension("");
        let first = place.iter().next().expect("a name").to_string_lossy().into_owned();
        // These two hold the modules together.
        if first == "lib" || first == "main" {
            continue;
        }
        for other in used(&text) {
            if other != first && other.starts_with(|c: char| c.is_lowercase()) {
                arrows.entry((first.clone(), other)).or_insert_with(|| path.clone());
            }
        }
    }
    arrows
}

/// The types that a source defines, each with whether other modules may see it. What
/// traits and their implementations name is not counted, nor what only tests see.
fn types(source: &str) -> Vec<(&str, bool)> {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let type_of = |line| {
        let (seen, rest) = match str::trim_start(line).strip_prefix("pub") {
            Some(rest) if rest.starts_with('(') => (true, rest.split_once(") ")?.1),
            Some(rest) => (true, rest.strip_prefix(' ')?),
            None => (false, line.trim_start()),
        };
        let (keyword, name) = rest.strip_prefix("unsafe ").unwrap_or(rest).split_once(' ')?;
        let counts = match keyword {
            "struct" | "enum" | "union" | "trait" => true,
            "type" => !line.starts_with(' '),
            _ => false,
        };
        counts.then(|| (word(name), seen))
    };
    code.lines().filter_map(type_of).collect()
}

#[test]
fn a_name_means_one_type() {
    let sources = sources();
    let mut places: BTreeMap<&str, (bool, Vec<String>)> = BTreeMap::new();
    for (path, text) in &sources {
        for (name, seen) in types(text) {
            let place = places.entry(name).or_default();
            place.0 |= seen;
            place.1.push(path.display().to_string());
        }
    }
    // Names that no other module sees cannot be mistaken.
    places.retain(|_, (seen, places)| *seen && places.len() > 1);
    for (name, reason) in SHARED_NAMES {
        assert!(places.remove(name).is_some(), "{name} is listed ({reason}) but not shared");
    }
    let shared = places.iter().map(|(name, (_, places))| format!("{name}: {}", places.join(", ")));
    assert!(
        places.is_empty(),
        "several types of one name:\n{}",
        shared.collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn types_are_found_however_they_are_seen() {
    let source = "pub struct One;\npub(crate) enum Two {\n}\ntype Three = u8;\n\
        impl A {\n    type Four = u8;\n}\nmod x {\n    pub(super) struct Five(u8);\n}\n\
        pub unsafe trait Six {}\nlet structure = enumerate();\n\
        #[cfg(test)]\nmod tests {\n    struct Seven;\n}\n";
    let expected = [("One", true), ("Two", true), ("Three", false), ("Five", true), ("Six", true)];
    assert_eq!(types(source), expected);
}

#[test]
fn modules_use_only_what_is_below_them() {
    let layers = layers();
    let mut violations = Vec::new();
    for ((module, other), path) in arrows() {
        let allowed = layers.iter().find(|(name, _)| *name == module).map(|(_, used)| used);
        if !allowed.is_some_and(|used| used.contains(other.as_str())) {
            violations.push(format!("{module} uses {other} in {}", path.display()));
        }
    }
    assert!(violations.is_empty(), "not in the list of layers:\n{}", violations.join("\n"));
}

#[test]
fn the_list_has_no_cycle() {
    let mut above = BTreeSet::new();
    for (module, used) in layers() {
        assert!(used.is_subset(&above), "{module} uses what is not below it: {used:?}");
        assert!(above.insert(module), "{module} is there twice");
    }
}

#[test]
fn the_diagram_is_this_list() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/dev/architecture.md");
    let text = fs::read_to_string(&path).expect("docs/dev/architecture.md");
    let (_, rest) = text.split_once("```layers\n").expect("a block of layers");
    let (shown, _) = rest.split_once("```").expect("its end");
    assert_eq!(shown, LAYERS);
}

#[test]
fn paths_are_found_wherever_they_stand() {
    let source = "use crate::board::Board;\nuse crate::{eval::{self, wdl}, tt, types::*};\n\
        // crate::web::x\nlet x: crate::engine::Engine = $crate::search::new();\n";
    let expected = ["board", "engine", "eval", "search", "tt", "types"];
    assert_eq!(used(source), expected.map(str::to_owned).into());
}
