//! Memory-mapped files. This file may use `unsafe`, because the standard library has no mapping.
//! The safe counterpart of [`open`] is [`read`].

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

/// Bytes of a file: mapped where the system can, otherwise read.
pub type FileBytes = Box<dyn Deref<Target = [u8]> + Send + Sync>;

/// Returns all bytes of a file.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn open(file: &mut File) -> io::Result<FileBytes> {
    #[cfg(all(unix, target_pointer_width = "64"))]
    if let Some(mapped) = mapped::map(file) {
        return Ok(Box::new(mapped));
    }
    read(file)
}

/// Reads all bytes of a file into memory.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn read(file: &mut File) -> io::Result<FileBytes> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Box::new(bytes))
}

#[cfg(all(unix, target_pointer_width = "64"))]
#[allow(unsafe_code)]
mod mapped {
    use std::ffi::{c_int, c_void};
    use std::fs::File;
    use std::ops::Deref;
    use std::os::fd::AsRawFd;

    extern "C" {
        fn mmap(
            at: *mut c_void,
            len: usize,
            protection: c_int,
            flags: c_int,
            file: c_int,
            offset: i64,
        ) -> *mut c_void;
        fn munmap(at: *mut c_void, len: usize) -> c_int;
    }
    const PROT_READ: c_int = 1;
    const MAP_PRIVATE: c_int = 2;

    /// Bytes of a file, which the system reads on access.
    pub struct MappedFile {
        start: *const u8,
        len: usize,
    }

    /// Maps a whole file. Returns `None` if it is empty or the system refuses.
    pub fn map(file: &File) -> Option<MappedFile> {
        let len = usize::try_from(file.metadata().ok()?.len()).ok().filter(|&len| len > 0)?;
        // SAFETY: a new mapping at an address chosen by the system changes no memory of ours. The
        // descriptor is open; the mapping remains when it is closed.
        let at =
            unsafe { mmap(std::ptr::null_mut(), len, PROT_READ, MAP_PRIVATE, file.as_raw_fd(), 0) };
        // Failure is reported as the address -1.
        (at as isize != -1).then_some(MappedFile { start: at.cast(), len })
    }

    impl Deref for MappedFile {
        type Target = [u8];

        fn deref(&self) -> &[u8] {
            // SAFETY: the mapping is readable, has this length, and exists until `drop`. Table
            // files are replaced by renaming and never written in place, so the bytes do not change
            // under the reference.
            unsafe { std::slice::from_raw_parts(self.start, self.len) }
        }
    }

    impl Drop for MappedFile {
        fn drop(&mut self) {
            // SAFETY: this is the mapping that `map` created, and no reference into it remains.
            // Unmapping such a mapping cannot fail.
            unsafe { munmap(self.start.cast_mut().cast(), self.len) };
        }
    }

    // SAFETY: the mapping is only read, and belongs to no thread.
    unsafe impl Send for MappedFile {}
    // SAFETY: as above.
    unsafe impl Sync for MappedFile {}
}
