//! A global allocator that counts the bytes of each thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

thread_local! {
    /// Bytes that this thread allocated and not freed, and the most since the last reset. Memory
    /// freed by another thread than its owner makes the first one inexact.
    static COUNTS: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(bytes: isize) {
    // While a thread ends its counts are gone, and nothing is measured any more.
    let _ = COUNTS.try_with(|counts| {
        let (live, peak) = counts.get();
        let live = live + bytes;
        counts.set((live, peak.max(live)));
    });
}

#[allow(unsafe_code)]
// SAFETY: every call is passed on to the system's allocator unchanged; counting allocates nothing.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The old and the new block may exist together.
        count(size as isize);
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// Returns the result of `work`, and the most bytes that it held at once in this thread.
pub fn measure<T>(work: impl FnOnce() -> T) -> (T, usize) {
    COUNTS.with(|counts| counts.set((0, 0)));
    let result = work();
    let (_, peak) = COUNTS.with(Cell::get);
    (result, peak as usize)
}

#[test]
fn allocator_counts_the_peak() {
    let (length, peak) = measure(|| {
        drop(vec![0u8; 1000]);
        let held = vec![1u8; 300];
        held.len() + vec![1u8; 200].len()
    });
    assert_eq!((length, peak), (500, 1000));
}
