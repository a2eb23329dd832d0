//! The page itself: built by Vite in `play/`, and part of the binary if it was
//! there when that was built.

use crate::files;
use std::borrow::Cow;
use std::path::PathBuf;
use std::{fs, io};

// The names and contents of the files in `play/dist`: `FILES`.
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// No file of the page is nearly as large.
const LARGEST_FILE: u64 = 64 << 20;

/// Shown when there is no page to show.
const MISSING: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <title>Gambeson</title><h1>The board has not been built</h1>\
    <p>This binary was built without its page. In the source folder, run \
    <code>scripts/play</code>, which builds both and starts them; or build the page with \
    <code>cd play &amp;&amp; npm ci &amp;&amp; npm run build</code> and then \
    <code>cargo build --release</code>.</p></html>";

#[derive(Debug, Clone)]
pub enum Page {
    BuiltIn,
    /// The files of a folder as they are now, for working on the page.
    Folder(PathBuf),
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) mime: &'static str,
    pub(crate) bytes: Cow<'static, [u8]>,
}

impl Page {
    pub(crate) fn is_missing(&self) -> bool {
        self.read("index.html").is_none()
    }

    /// The file at this path of an address.
    pub(crate) fn file(&self, path: &str) -> Option<File> {
        let name = match path.trim_start_matches('/') {
            "" => "index.html",
            name => name,
        };
        let file = self.read(name).map(|bytes| File { mime: mime(name), bytes });
        match file {
            None if name == "index.html" => {
                Some(File { mime: mime(name), bytes: MISSING.as_bytes().into() })
            }
            file => file,
        }
    }

    fn read(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        match self {
            Page::BuiltIn => {
                let found = FILES.iter().find(|(other, _)| *other == name);
                found.map(|&(_, bytes)| bytes.into())
            }
            // Only what the folder lists can be asked for, so nothing outside it.
            Page::Folder(folder) => {
                let listed = names(folder).ok()?.contains(&name.to_owned());
                listed
                    .then(|| files::read(&folder.join(name), LARGEST_FILE).ok().map(Cow::from))
                    .flatten()
            }
        }
    }
}

fn names(folder: &PathBuf) -> io::Result<Vec<String>> {
    fs::read_dir(folder)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect()
}

fn mime(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_page_says_how_to_get_it() {
        let nowhere = Page::Folder(PathBuf::from("/nowhere/at/all"));
        assert!(nowhere.is_missing());
        let file = nowhere.file("/").expect("always something");
        assert!(String::from_utf8_lossy(&file.bytes).contains("scripts/play"));
        assert_eq!(nowhere.file("/other.js"), None);
    }

    #[test]
    fn only_files_of_the_folder_are_served() {
        let page = Page::Folder(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src"));
        assert!(page.file("/lib.rs").is_some());
        for path in ["/../Cargo.toml", "/..", "/web/page.rs", "//etc/passwd", "/."] {
            assert_eq!(page.file(path), None, "{path}");
        }
    }
}
