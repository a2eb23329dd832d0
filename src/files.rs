//! Opening files that users name. Only regular files are touched: a FIFO would block
//! whoever opens it, and a device may never end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// Opens a regular file to read.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    open_regular(path, File::options().read(true))
}

/// The whole of a regular file of at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > limit {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the file is too large"));
    }
    // Not beyond: it may grow meanwhile, and what the kernel calls an empty file may wait
    // or never end (/proc/kmsg).
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a regular file to write at its end; makes it if there is none.
pub(crate) fn append(path: &Path) -> io::Result<File> {
    open_regular(path, File::options().create(true).append(true))
}

/// Opens a regular file to overwrite it; creates it if there is none.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    open_regular(path, File::options().write(true).create(true).truncate(true))
}

/// Makes `bytes` the whole of a regular file.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    create(path)?.write_all(bytes.as_ref())
}

/// Nothing but a regular file is opened; what is not there may be made.
pub(crate) fn open_regular(path: &Path, options: &OpenOptions) -> io::Result<File> {
    // Asked before opening, as opening a FIFO waits for its other end.
    match fs::metadata(path) {
        Ok(metadata) => require_regular(&metadata)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let file = options.open(path)?;
    require_regular(&file.metadata()?)?;
    Ok(file)
}

/// Writes a file beside the old one and puts it in its place when it is whole.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    if let Ok(metadata) = fs::metadata(path) {
        require_regular(&metadata)?;
    }
    write(Path::new(&unfinished), bytes)?;
    fs::rename(&unfinished, path)
}

fn require_regular(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_files_within_the_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        for text in ["one ", "two"] {
            let mut file = append(&path).expect("a file");
            file.write_all(text.as_bytes()).expect("room on the disk");
        }
        assert_eq!(read(&path, 7).expect("seven bytes"), b"one two");
        assert_eq!(read(&path, 6).expect_err("too large").kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(
            read(&folder.path().join("none"), 9).expect_err("missing").kind(),
            io::ErrorKind::NotFound
        );
        replace(&path, b"three").expect("room on the disk");
        assert_eq!(read(&path, 9).expect("five bytes"), b"three");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        assert!(read(folder.path(), 9).is_err());
        if cfg!(target_os = "linux") {
            let stream = Path::new("/proc/self/status");
            assert_eq!(read(stream, 9).expect("of no length"), b"");
        }
        assert!(append(folder.path()).is_err());
        write(&path, "anew").expect("a file");
        assert_eq!(read(&path, 7).expect("four bytes"), b"anew");
    }

    /// Neither of these returns if it is opened first and looked at afterwards.
    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        for path in [pipe.as_path(), Path::new("/dev/zero")] {
            let refused = [
                open(path).map(drop),
                read(path, 1 << 20).map(drop),
                append(path).map(drop),
                write(path, "text"),
            ];
            for result in refused {
                assert_eq!(result.expect_err("no file").to_string(), "not a regular file");
            }
        }
    }
}
