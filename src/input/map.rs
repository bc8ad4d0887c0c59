//! Mapped files, read so that memory stays flat and a file that is cut short
//! kills nothing.
//!
//! This is the only unsafe code of the crate. Mapping a file that others may
//! write is unsafe in two ways. The bytes may change while they are looked
//! at: nothing here or downstream relies on two looks being equal, every
//! parser bounds each access. And the file may become shorter, as
//! logrotate's `copytruncate` makes it: a page past its end then raises
//! SIGBUS. The handler below answers by putting zeros in the place of the
//! lost pages, and remembers that it did.

#![expect(
    unsafe_code,
    reason = "mapping a file and surviving its truncation are system calls"
)]

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use memmap2::{Mmap, UncheckedAdvice};

/// How many files can be mapped at one time.
const SLOTS: usize = 64;

/// The maps there are: address and length, 0 when the slot is free, and
/// whether zeros had to be put in.
static MAPS: [Slot; SLOTS] = [const { Slot::free() }; SLOTS];

struct Slot {
    address: AtomicUsize,
    length: AtomicUsize,
    cut: AtomicBool,
}

impl Slot {
    const fn free() -> Slot {
        Slot {
            address: AtomicUsize::new(0),
            length: AtomicUsize::new(0),
            cut: AtomicBool::new(false),
        }
    }

    /// Whether this address is in the map.
    fn holds(&self, address: usize) -> bool {
        let start = self.address.load(Ordering::Acquire);
        let length = self.length.load(Ordering::Acquire);
        start != 0 && address.wrapping_sub(start) < length
    }
}

/// A mapped file.
pub struct Mapped {
    /// `None` for an empty file, which cannot be mapped.
    map: Option<Mmap>,
    slot: Option<&'static Slot>,
    /// For its length now.
    file: File,
}

impl Mapped {
    /// Maps a whole file for reading.
    ///
    /// # Errors
    ///
    /// The system refuses, or too many files are mapped.
    pub fn new(file: &File) -> io::Result<Mapped> {
        let file = file.try_clone()?;
        if file.metadata()?.len() == 0 {
            return Ok(Mapped { map: None, slot: None, file });
        }
        guard();
        // SAFETY: the file may be changed by others; see the module's text
        // for why that is survived. This reasoning deserves suspicion.
        let map = unsafe { Mmap::map(&file)? };
        let slot = claim(&map)
            .ok_or_else(|| io::Error::other("too many files are mapped"))?;
        Ok(Mapped { map: Some(map), slot: Some(slot), file })
    }

    /// The bytes, zeros where the file has been cut.
    pub fn bytes(&self) -> &[u8] {
        self.map.as_deref().unwrap_or_default()
    }

    /// Gives the memory of this range back; the bytes can still be read.
    pub fn release(&self, range: Range<usize>) {
        let Some(map) = &self.map else { return };
        // SAFETY: the map is private to this process and never written, so
        // dropping pages of it loses nothing: they come again from the file.
        let _ignored = unsafe {
            map.unchecked_advise_range(
                UncheckedAdvice::DontNeed,
                range.start,
                range.len(),
            )
        };
    }

    /// How long the file is now, if bytes of the map are missing from it.
    pub fn cut_to(&self) -> Option<u64> {
        let length = self.file.metadata().ok()?.len();
        let cut = self.slot.is_some_and(|s| s.cut.load(Ordering::Acquire));
        let short = length < self.bytes().len() as u64;
        (cut || short).then_some(length)
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        if let Some(slot) = self.slot {
            slot.length.store(0, Ordering::Release);
            slot.address.store(0, Ordering::Release);
        }
    }
}

/// Takes a free slot for a map.
fn claim(map: &Mmap) -> Option<&'static Slot> {
    let address = map.as_ptr() as usize;
    MAPS.iter().find(|slot| {
        let free = slot.address.compare_exchange(
            0,
            address,
            Ordering::AcqRel,
            Ordering::Acquire,
        );
        if free.is_ok() {
            slot.cut.store(false, Ordering::Release);
            slot.length.store(map.len(), Ordering::Release);
        }
        free.is_ok()
    })
}

/// Installs the handler, once.
fn guard() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // SAFETY: an all-zero sigaction is a valid one, the handler is an
        // `extern "C"` function of the type SA_SIGINFO asks for, and it only
        // reads atomics and makes system calls that are safe in a handler.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_bus_error as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO;
            libc::sigaction(libc::SIGBUS, &action, std::ptr::null_mut());
        }
    });
}

/// Puts zeros where a mapped file lost its bytes. Any other SIGBUS is a
/// fault of the program: it goes back to what the system does with it.
extern "C" fn on_bus_error(
    _signal: libc::c_int,
    info: *mut libc::siginfo_t,
    _context: *mut libc::c_void,
) {
    // SAFETY: the kernel hands a valid siginfo to a SA_SIGINFO handler.
    let address = unsafe { (*info).si_addr() } as usize;
    let slot = MAPS.iter().find(|slot| slot.holds(address));
    if !slot.is_some_and(|slot| fill(slot, address)) {
        // SAFETY: resetting a signal is safe in a handler; returning then
        // repeats the fault, which ends the program as it would have.
        unsafe { libc::signal(libc::SIGBUS, libc::SIG_DFL) };
    }
}

/// Maps zeros from the page of this address to the end of the map.
fn fill(slot: &Slot, address: usize) -> bool {
    // SAFETY: sysconf and mmap may be called in a handler on every system
    // this runs on. The range lies inside a map this process owns and that
    // `Mapped` still holds, so nothing else is replaced.
    unsafe {
        let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
        let start = address & !(page - 1);
        let end = slot.address.load(Ordering::Acquire)
            + slot.length.load(Ordering::Acquire);
        let filled = libc::mmap(
            start as *mut libc::c_void,
            end - start,
            libc::PROT_READ,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
            -1,
            0,
        );
        slot.cut.store(true, Ordering::Release);
        filled != libc::MAP_FAILED
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_cut_while_mapped_reads_as_zeros_and_says_so() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![b'x'; 1 << 20]).unwrap();
        let mapped = Mapped::new(&file).unwrap();
        assert_eq!(mapped.cut_to(), None);
        assert_eq!(mapped.bytes()[0], b'x');
        file.set_len(5000).unwrap();
        let sum = |range: Range<usize>| {
            mapped.bytes()[range].iter().filter(|&&b| b == b'x').count()
        };
        assert_eq!(sum(0..5000), 5000);
        assert_eq!(sum(8192..1 << 20), 0);
        assert_eq!(mapped.cut_to(), Some(5000));
    }

    #[test]
    fn memory_given_back_can_be_read_again() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![b'y'; 1 << 20]).unwrap();
        let mapped = Mapped::new(&file).unwrap();
        assert!(mapped.bytes().iter().all(|&b| b == b'y'));
        mapped.release(0..1 << 20);
        assert!(mapped.bytes().iter().all(|&b| b == b'y'));
    }

    #[test]
    fn an_empty_file_maps_to_nothing() {
        let file = tempfile::tempfile().unwrap();
        assert!(Mapped::new(&file).unwrap().bytes().is_empty());
    }
}
