//! A layer between SQLite and the file system that fails at a chosen write: for lack of space, or
//! for an error of the disk.

use rusqlite::ffi::{
    sqlite3_file, sqlite3_int64, sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_find,
    sqlite3_vfs_register, SQLITE_FULL, SQLITE_IOERR_FSYNC, SQLITE_IOERR_WRITE, SQLITE_OK,
};
use std::ffi::{c_char, c_int, c_void, CStr};
use std::mem::size_of;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

/// Part of the path of files whose writes fail. All other files are left alone.
pub const MARK: &str = "failing disk";

/// Way in which a write fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The disk is full.
    Full,
    /// The disk reports an error.
    Broken,
}

/// Number of writes that still succeed; negative once they fail.
static LEFT: AtomicI64 = AtomicI64::new(i64::MAX);
static IS_FULL: AtomicBool = AtomicBool::new(false);
/// Whether all writes after the first failing one fail too.
static LASTS: AtomicBool = AtomicBool::new(false);
static REAL: AtomicPtr<sqlite3_vfs> = AtomicPtr::new(null_mut());

/// Disk whose writes can be made to fail, for one test at a time.
pub struct FailingDisk(#[allow(dead_code)] MutexGuard<'static, ()>);

impl FailingDisk {
    /// Puts the layer below all connections of this process.
    pub fn new() -> FailingDisk {
        static ONE: Mutex<()> = Mutex::new(());
        static LAYER: OnceLock<()> = OnceLock::new();
        let guard = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        LAYER.get_or_init(register);
        FailingDisk(guard)
    }

    /// Lets `count` more writes succeed; then one fails, or if it `lasts` all do.
    pub fn fail_after(&self, count: i64, trouble: Trouble, lasts: bool) {
        IS_FULL.store(trouble == Trouble::Full, Ordering::SeqCst);
        LASTS.store(lasts, Ordering::SeqCst);
        LEFT.store(count, Ordering::SeqCst);
    }

    /// Lets all writes succeed. Returns `true` if one has failed.
    pub fn mend(&self) -> bool {
        LEFT.swap(i64::MAX, Ordering::SeqCst) < 0
    }
}

impl Drop for FailingDisk {
    fn drop(&mut self) {
        self.mend();
    }
}

/// Returns the error of this write, if it fails.
fn failure(of_writing: c_int) -> Option<c_int> {
    let left = LEFT.fetch_sub(1, Ordering::SeqCst) - 1;
    let fails = left == -1 || (left < -1 && LASTS.load(Ordering::SeqCst));
    fails.then(|| if IS_FULL.load(Ordering::SeqCst) { SQLITE_FULL } else { of_writing })
}

/// Open file of the layer. The file of the real system follows it in memory.
#[repr(C)]
struct Layered {
    base: sqlite3_file,
    is_marked: bool,
}

/// Bytes before the file of the real system: a multiple of every alignment.
const OFFSET: usize = 32;
const _: () = assert!(size_of::<Layered>() <= OFFSET);

/// Returns the file of the real system behind a file of the layer.
fn real(file: *mut sqlite3_file) -> *mut sqlite3_file {
    file.cast::<u8>().wrapping_add(OFFSET).cast()
}

fn is_marked(file: *mut sqlite3_file) -> bool {
    // SAFETY: SQLite passes files that `open` has filled.
    unsafe { (*file.cast::<Layered>()).is_marked }
}

fn register() {
    // SAFETY: the default file system exists as long as the process; the copy of it is never freed.
    unsafe {
        let default = sqlite3_vfs_find(null_mut());
        REAL.store(default, Ordering::SeqCst);
        let layer = Box::leak(Box::new(*default));
        layer.szOsFile = (*default).szOsFile + OFFSET as c_int;
        layer.zName = c"failing".as_ptr();
        layer.pNext = null_mut();
        layer.xOpen = Some(open);
        assert_eq!(sqlite3_vfs_register(layer, 1), SQLITE_OK);
    }
}

unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    let default = REAL.load(Ordering::SeqCst);
    let code = ((*default).xOpen.unwrap())(default, name, real(file), flags, out);
    let layered = file.cast::<Layered>();
    let path = if name.is_null() { "".into() } else { CStr::from_ptr(name).to_string_lossy() };
    (*layered).is_marked = path.contains(MARK);
    let is_open = code == SQLITE_OK && !(*real(file)).pMethods.is_null();
    (*layered).base.pMethods = if is_open { &METHODS } else { std::ptr::null() };
    code
}

/// Forwards a call to the method of the real file.
macro_rules! forward {
    ($name:ident, $method:ident, ($($argument:ident: $kind:ty),*) -> $result:ty) => {
        unsafe extern "C" fn $name(file: *mut sqlite3_file $(, $argument: $kind)*) -> $result {
            ((*(*real(file)).pMethods).$method.unwrap())(real(file) $(, $argument)*)
        }
    };
}

forward!(close, xClose, () -> c_int);
forward!(read, xRead, (to: *mut c_void, size: c_int, at: sqlite3_int64) -> c_int);
forward!(write_on, xWrite, (from: *const c_void, size: c_int, at: sqlite3_int64) -> c_int);
forward!(truncate_on, xTruncate, (size: sqlite3_int64) -> c_int);
forward!(sync_on, xSync, (flags: c_int) -> c_int);
forward!(file_size, xFileSize, (size: *mut sqlite3_int64) -> c_int);
forward!(lock, xLock, (level: c_int) -> c_int);
forward!(unlock, xUnlock, (level: c_int) -> c_int);
forward!(is_reserved, xCheckReservedLock, (out: *mut c_int) -> c_int);
forward!(control, xFileControl, (what: c_int, argument: *mut c_void) -> c_int);
forward!(sector_size, xSectorSize, () -> c_int);
forward!(properties, xDeviceCharacteristics, () -> c_int);
forward!(
    shm_map, xShmMap,
    (page: c_int, size: c_int, extend: c_int, out: *mut *mut c_void) -> c_int
);
forward!(shm_lock, xShmLock, (at: c_int, count: c_int, flags: c_int) -> c_int);
forward!(shm_barrier, xShmBarrier, () -> ());
forward!(shm_unmap, xShmUnmap, (delete: c_int) -> c_int);

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    from: *const c_void,
    size: c_int,
    at: sqlite3_int64,
) -> c_int {
    let failure = if is_marked(file) { failure(SQLITE_IOERR_WRITE) } else { None };
    if let Some(code) = failure {
        // A disk may have written a part before it failed.
        write_on(file, from, size / 2, at);
        return code;
    }
    write_on(file, from, size, at)
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    let failure = if is_marked(file) { failure(SQLITE_IOERR_WRITE) } else { None };
    failure.unwrap_or_else(|| truncate_on(file, size))
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    let failure = if is_marked(file) { failure(SQLITE_IOERR_FSYNC) } else { None };
    failure.unwrap_or_else(|| sync_on(file, flags))
}

/// Methods of a file of the layer. Version 2 has shared memory, which the write-ahead log needs.
static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(is_reserved),
    xFileControl: Some(control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(properties),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};
