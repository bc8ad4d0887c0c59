//! A pipe cut into chunks.

use std::io::{self, Read};

use super::{CHUNK, Chunk, Framing, LONGEST, last_end, record_end};
use crate::time::Micros;

/// The chunks of a pipe, each read before the next: memory stays below two
/// chunks and the longest record, whatever comes.
pub struct Blocks<R> {
    source: R,
    buffer: Vec<u8>,
    /// How much of the buffer was handed out.
    done: usize,
    /// Where the buffer starts in the input.
    offset: u64,
    /// Bytes of an overlong record that were dropped from the buffer.
    dropped: u64,
    /// Whether the last record of the buffer is overlong and still going on.
    skipping: bool,
    ended: bool,
    framing: Framing,
    /// Says what time it is when chunks are to be handed out as they arrive.
    clock: Option<fn() -> Micros>,
}

impl<R: Read> Blocks<R> {
    /// Chunks of what this source will give.
    pub fn new(source: R) -> Blocks<R> {
        Blocks {
            source,
            buffer: Vec::new(),
            done: 0,
            offset: 0,
            dropped: 0,
            skipping: false,
            ended: false,
            framing: Framing::Lines,
            clock: None,
        }
    }

    /// Hands out whole records as soon as they arrive, stamped by this
    /// clock: what a live pipe without end times needs.
    pub fn stamp_arrivals(&mut self, clock: fn() -> Micros) {
        self.clock = Some(clock);
    }

    /// How the records follow each other, once that is known.
    pub fn set_framing(&mut self, framing: Framing) {
        self.framing = framing;
    }

    /// How many bytes were read.
    pub fn bytes_read(&self) -> u64 {
        self.offset + self.dropped + self.buffer.len() as u64
    }

    /// The first bytes, at most `most` of them: enough to tell the format.
    /// They will be handed out again as part of the first chunk.
    ///
    /// # Errors
    ///
    /// What the source says.
    pub fn peek(&mut self, most: usize) -> io::Result<&[u8]> {
        let enough = |buffer: &[u8]| match self.clock {
            Some(_) => last_end(buffer, Framing::of(buffer)) > 0,
            None => buffer.len() >= most,
        };
        while !self.ended && !enough(&self.buffer) {
            let got = read_some(&mut self.source, &mut self.buffer)?;
            self.ended = got == 0;
        }
        Ok(&self.buffer[..most.min(self.buffer.len())])
    }

    /// The next chunk, `None` at the end.
    ///
    /// # Errors
    ///
    /// What the source says. All that came before was handed out.
    pub fn next_chunk(&mut self) -> io::Result<Option<Chunk<'_>>> {
        self.forget();
        let end = loop {
            if let Some(end) = self.ready() {
                break end;
            }
            if self.ended {
                break self.buffer.len();
            }
            match read_some(&mut self.source, &mut self.buffer) {
                Ok(0) => self.ended = true,
                Ok(got) => self.shorten(got),
                Err(error) if self.buffer.is_empty() => return Err(error),
                // The source is asked again once this was handed out.
                Err(_) => break self.buffer.len(),
            }
        };
        self.done = end;
        let arrival = self.clock.map(|clock| clock());
        let bytes = &self.buffer[..end];
        let chunk = Chunk { bytes, offset: self.offset, arrival };
        Ok((end > 0).then_some(chunk))
    }

    /// Drops what was handed out from the buffer.
    fn forget(&mut self) {
        self.buffer.drain(..self.done);
        self.offset += self.done as u64 + self.dropped;
        self.dropped = 0;
        self.done = 0;
    }

    /// Where a chunk may end in what was read so far.
    fn ready(&self) -> Option<usize> {
        if self.clock.is_some() {
            let end = last_end(&self.buffer, self.framing);
            return (end > 0).then_some(end);
        }
        let cuts = self.offset.div_ceil(CHUNK as u64).max(1);
        let next = cuts * CHUNK as u64 - self.offset;
        record_end(&self.buffer, next as usize, self.framing)
    }

    /// Keeps the buffer bounded: of a record that grew overlong only the
    /// first bytes are kept, enough to see that it is.
    fn shorten(&mut self, got: usize) {
        let fresh = self.buffer.len() - got;
        if self.skipping {
            let end = self.boundary(fresh);
            self.drop_bytes(fresh, end.unwrap_or(self.buffer.len()));
            self.skipping = end.is_none();
        } else if self.buffer.len() > CHUNK + 2 * LONGEST {
            let line = memchr::memrchr(b'\n', &self.buffer);
            let line = line.map_or(0, |at| at + 1);
            if self.buffer[line..].iter().all(|&byte| byte == 0) {
                // The padding a cut file is left with: a record may follow.
                self.drop_bytes(line, self.buffer.len());
            } else {
                self.skipping = self.boundary(fresh).is_none();
            }
        }
    }

    /// The first place from `from` on where a record ends.
    fn boundary(&self, from: usize) -> Option<usize> {
        let bytes = &self.buffer[from..];
        match self.framing {
            Framing::Lines => memchr::memchr(b'\n', bytes),
            Framing::Objects => memchr::memmem::find(bytes, b"\n{"),
        }
        .map(|at| from + at)
    }

    /// Takes bytes out of the buffer that no record needs.
    fn drop_bytes(&mut self, from: usize, until: usize) {
        self.buffer.drain(from..until);
        self.dropped += (until - from) as u64;
    }
}

/// Reads once into the end of the buffer; says how much came.
fn read_some(
    source: &mut impl Read,
    buffer: &mut Vec<u8>,
) -> io::Result<usize> {
    const STEP: usize = 256 << 10;
    let len = buffer.len();
    buffer.resize(len + STEP, 0);
    let got = loop {
        match source.read(&mut buffer[len..]) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            got => break got,
        }
    };
    buffer.truncate(len + got.as_ref().copied().unwrap_or(0));
    got
}

#[cfg(test)]
mod tests {
    use super::super::{chunk, chunk_count};
    use super::*;

    /// A source that gives its bytes a few at a time.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(into.len()).min(self.0.len());
            into[..most].copy_from_slice(&self.0[..most]);
            self.0 = &self.0[most..];
            Ok(most)
        }
    }

    fn lines(count: usize, width: usize) -> Vec<u8> {
        let line = |n: usize| {
            let mut line = format!("{n}:").into_bytes();
            line.resize(width, b'x');
            line.push(b'\n');
            line
        };
        (0..count).flat_map(line).collect()
    }

    fn collect(blocks: &mut Blocks<Drip<'_>>) -> Vec<(u64, Vec<u8>)> {
        let mut all = Vec::new();
        while let Some(chunk) = blocks.next_chunk().unwrap() {
            all.push((chunk.offset, chunk.bytes.to_vec()));
        }
        all
    }

    #[test]
    fn a_pipe_is_cut_where_a_map_is() {
        let mut bytes = lines(90_000, 70);
        // A line as long as a line may be.
        bytes.extend(lines(1, LONGEST - 9));
        bytes.extend(lines(90_000, 70));
        let mapped: Vec<_> = (0..chunk_count(bytes.len()))
            .map(|number| chunk(&bytes, number, Framing::Lines))
            .map(|c| (c.offset, c.bytes.to_vec()))
            .filter(|(_, bytes)| !bytes.is_empty())
            .collect();
        assert!(mapped.len() > 2);
        for step in [1 << 16, 999_983, usize::MAX] {
            let mut blocks = Blocks::new(Drip(&bytes, step));
            assert!(collect(&mut blocks) == mapped, "reads of {step}");
            assert_eq!(blocks.bytes_read(), bytes.len() as u64);
        }
    }

    #[test]
    fn an_overlong_record_takes_no_memory_and_hides_no_other() {
        let mut bytes = lines(3, 10);
        bytes.resize(40 << 20, b'y');
        bytes.push(b'\n');
        bytes.extend(lines(2, 10));
        let mut blocks = Blocks::new(Drip(&bytes, usize::MAX));
        let all = collect(&mut blocks);
        assert!(blocks.buffer.capacity() < 16 << 20);
        assert_eq!(blocks.bytes_read(), bytes.len() as u64);
        let (first, second) = (&all[0].1, &all[1].1);
        assert!(first.len() > LONGEST && first.ends_with(b"y\n"));
        assert_eq!(second, &lines(2, 10));
    }

    #[test]
    fn the_record_behind_a_padding_of_nuls_is_kept() {
        let mut bytes = vec![0; 20 << 20];
        bytes.extend(lines(1, 10));
        let mut blocks = Blocks::new(Drip(&bytes, usize::MAX));
        let all = collect(&mut blocks);
        assert!(all.last().unwrap().1.ends_with(&lines(1, 10)));
        assert!(blocks.buffer.capacity() < 16 << 20);
    }

    #[test]
    fn arrivals_are_handed_out_at_once_and_stamped() {
        let mut blocks = Blocks::new(Drip(b"one\ntwo\nthr", 5));
        blocks.stamp_arrivals(|| Micros(7));
        blocks.peek(100).unwrap();
        let chunk = blocks.next_chunk().unwrap().unwrap();
        assert_eq!(
            (chunk.bytes, chunk.arrival),
            (&b"one\n"[..], Some(Micros(7)))
        );
        assert_eq!(blocks.next_chunk().unwrap().unwrap().bytes, b"two\n");
        assert_eq!(blocks.next_chunk().unwrap().unwrap().bytes, b"thr");
        assert!(blocks.next_chunk().unwrap().is_none());
    }
}
