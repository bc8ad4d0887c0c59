//! Inputs: files mapped, everything else read as it comes, compressed bytes
//! recognised by how they start and never by their name.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read, Seek};
use std::path::PathBuf;

use anyhow::{Context, bail};

use super::elements::{Elements, Nesting};
use super::inflate::Compression;
use super::map::Mapped;

/// Where a log is read from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    /// Standard input, `-` on the command line.
    Stdin,
    /// A file, or a named pipe.
    File(PathBuf),
}

impl Input {
    /// The input an argument names.
    pub fn from_arg(arg: PathBuf) -> Input {
        if arg.as_os_str() == "-" { Input::Stdin } else { Input::File(arg) }
    }

    /// What people call it: its path, or `-`.
    pub fn name(&self) -> String {
        match self {
            Input::Stdin => "-".to_owned(),
            Input::File(path) => path.display().to_string(),
        }
    }
}

/// Whether files are mapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MmapChoice {
    /// Regular files that are not compressed are.
    #[default]
    Auto,
    /// As `Auto`, and a file that cannot be is an error.
    Always,
    /// None is.
    Never,
}

/// An opened input.
pub enum Source {
    /// All of it is there.
    Mapped(Mapped),
    /// It comes piece by piece, already inflated.
    Piped(Box<dyn Read + Send>),
}

/// What identifies a file whatever it is called, so that one named twice is
/// read once.
pub type FileId = (u64, u64);

impl Source {
    /// Opens an input.
    ///
    /// # Errors
    ///
    /// It does not exist, may not be read, is a directory, or should be
    /// mapped and cannot be.
    pub fn open(input: &Input, mmap: MmapChoice) -> anyhow::Result<Source> {
        let Input::File(path) = input else {
            return piped(io::stdin());
        };
        let mut file = File::open(path)?;
        let meta = file.metadata()?;
        if meta.is_dir() {
            bail!("is a directory; name the files in it");
        }
        if !meta.is_file() {
            return refuse_pipe(mmap).and_then(|()| piped(file));
        }
        let head = head(&mut file)?;
        if Nesting::of(&head).is_some() {
            return match mmap {
                MmapChoice::Always => bail!(
                    "holds its records in one JSON value and cannot be read \
                     mapped; drop --mmap always"
                ),
                MmapChoice::Auto | MmapChoice::Never => piped(file),
            };
        }
        match (Compression::of(&head), mmap) {
            (None, MmapChoice::Auto | MmapChoice::Always) => {
                map_or_read(file, mmap)
            }
            (None, MmapChoice::Never) => piped(file),
            (Some(_), MmapChoice::Always) => {
                bail!("is compressed and cannot be mapped; drop --mmap always")
            }
            (Some(_), _) => piped(file),
        }
    }
}

/// The identity of an input, where it has one.
pub fn file_id(input: &Input) -> Option<FileId> {
    let Input::File(path) = input else { return None };
    let meta = std::fs::metadata(path).ok()?;
    meta.is_file().then(|| identity(&meta))
}

#[cfg(unix)]
fn identity(meta: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    (meta.dev(), meta.ino())
}

/// `--mmap always` cannot be kept for a pipe.
fn refuse_pipe(mmap: MmapChoice) -> anyhow::Result<()> {
    if mmap == MmapChoice::Always {
        bail!("is no regular file and cannot be mapped; drop --mmap always");
    }
    Ok(())
}

/// Maps a file; one on which that fails is read instead, unless mapping was
/// asked for.
fn map_or_read(file: File, mmap: MmapChoice) -> anyhow::Result<Source> {
    match Mapped::new(&file) {
        Ok(mapped) => Ok(Source::Mapped(mapped)),
        Err(error) if mmap == MmapChoice::Always => {
            Err(error).context("cannot be mapped")
        }
        Err(_) => piped(file),
    }
}

/// A stream of plain bytes, inflated if it starts as a compressed one.
fn piped(source: impl Read + Send + 'static) -> anyhow::Result<Source> {
    let mut source = source;
    let head = head_of_stream(&mut source, Compression::MAGIC)?;
    let compression = Compression::of(&head);
    let whole = io::Cursor::new(head).chain(source);
    flat(match compression {
        None => Box::new(whole),
        Some(kind) => {
            kind.inflate(Box::new(BufReader::with_capacity(1 << 16, whole)))?
        }
    })
}

/// A stream with one record a line, taken out of what they are nested in.
fn flat(mut plain: Box<dyn Read + Send>) -> anyhow::Result<Source> {
    let head = head_of_value(&mut plain)?;
    let nesting = Nesting::of(&head);
    let whole = io::Cursor::new(head).chain(plain);
    Ok(Source::Piped(match nesting {
        None => Box::new(whole),
        Some(nesting) => Box::new(Elements::new(whole, nesting)),
    }))
}

/// As much of a stream as shows how its records are nested: one byte where
/// no JSON starts, and no more than its first record where one stands on each
/// line, so that a live pipe is not waited on.
fn head_of_value(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = vec![0; Nesting::HEAD];
    let mut length = 0;
    while length < head.len() && Nesting::detected(&head[..length]).is_none() {
        match source.read(&mut head[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    head.truncate(length);
    Ok(head)
}

/// The first bytes of a file, which is left at its start.
fn head(file: &mut File) -> io::Result<Vec<u8>> {
    let head = head_of_stream(file, Nesting::HEAD)?;
    file.rewind()?;
    Ok(head)
}

/// The first bytes of a stream.
fn head_of_stream(
    source: &mut impl Read,
    length: usize,
) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(length);
    source.take(length as u64).read_to_end(&mut head)?;
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time, as a pipe may.
    struct Trickle(io::Cursor<Vec<u8>>);

    impl Read for Trickle {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(70);
            self.0.read(&mut buffer[..length])
        }
    }

    #[test]
    fn how_records_are_nested_is_told_however_few_bytes_come_at_a_time() {
        let head = "{\"messageType\":\"DATA_MESSAGE\",\"owner\":\
            \"123456789012\",\"logGroup\":\"/aws/ecs/web\",\"logStream\":\
            \"web/app/0123456789abcdef\",\"logEvents\":[";
        let text = format!("{head}{{\"a\":1}},{{\"a\":2}}]}}");
        let source = Trickle(io::Cursor::new(text.into_bytes()));
        let Source::Piped(mut pipe) = piped(source).expect("a pipe") else {
            panic!("a pipe is not mapped");
        };
        let mut flat = String::new();
        pipe.read_to_string(&mut flat).expect("text");
        let lines: Vec<&str> = flat.lines().map(str::trim).collect();
        assert_eq!(lines, ["{\"a\":1}", "{\"a\":2}"]);
    }
}
