//! Prefetch: asks the processor for memory that is needed soon. The module uses `unsafe`, because
//! the standard library has no safe function for it.

/// Starts to load the cache line of `place`, which may be any address. Does nothing on processors
/// other than x86-64.
#[inline(always)]
pub fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        // SAFETY: a prefetch reads nothing that the program sees, whatever the address.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(place.cast())
        };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
