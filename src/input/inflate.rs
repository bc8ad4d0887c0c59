//! Compressed inputs.

use std::io::{self, BufRead, Read};

/// How an input is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// gzip, RFC 1952; several members count as one.
    Gzip,
    /// Zstandard, RFC 8878.
    Zstd,
    /// bzip2.
    Bzip2,
    /// xz.
    Xz,
}

impl Compression {
    /// How many of the first bytes tell it.
    pub const MAGIC: usize = 6;

    /// The compression of something that starts with these bytes.
    pub fn of(head: &[u8]) -> Option<Compression> {
        match head {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Compression::Zstd),
            // A skippable frame may come first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Compression::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, 0x41 | 0x72, ..] => {
                Some(Compression::Bzip2)
            }
            [0xfd, b'7', b'z', b'X', b'Z', 0x00, ..] => Some(Compression::Xz),
            _ => None,
        }
    }

    /// The plain bytes of this compressed stream.
    ///
    /// # Errors
    ///
    /// The decoder cannot be set up. Damage found later is an error of the
    /// reads.
    pub(super) fn inflate(
        self,
        source: Box<dyn BufRead + Send>,
    ) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Compression::Gzip => {
                Box::new(flate2::bufread::MultiGzDecoder::new(source))
            }
            Compression::Zstd => {
                Box::new(zstd::stream::read::Decoder::with_buffer(source)?)
            }
            Compression::Bzip2 => {
                Box::new(bzip2::bufread::MultiBzDecoder::new(source))
            }
            Compression::Xz => Box::new(
                liblzma::bufread::XzDecoder::new_multi_decoder(source),
            ),
        })
    }
}
